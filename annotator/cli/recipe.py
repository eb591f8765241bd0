"""``annotator recipe``: list, check and save recipes."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import one_line
from annotator.cli.common.terminal import many


@click.group("recipe")
def recipe_group() -> None:
    """List, check and save recipes."""


@recipe_group.command("list")
def list_command() -> None:
    """List the recipes that come with the program."""
    from annotator.services.project.recipes import shipped_recipes

    for recipe in shipped_recipes():
        click.echo(f"{recipe.name:<18} {recipe.title}")


@recipe_group.command("check")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
def check_command(file: Path) -> None:
    """Check a recipe file and print its task types and stages.

    An error names the line or the key, and the expected value.
    """
    from annotator.services.project.recipes import parse_recipe, read_recipe
    from annotator.services.questions.benchmark_plugin import check_words

    recipe = parse_recipe(read_recipe(file))
    check_words(recipe)
    click.echo(one_line(f"{recipe.name} version {recipe.version}: {recipe.title}"))
    for task_type in recipe.task_types:
        click.echo(one_line(f"  {task_type.kind}: {task_type.title}"))
        if task_type.form is not None:
            click.echo(f"    form: {many(len(task_type.form.fields), 'field')}")
        for stage in task_type.stages:
            role = stage.role.value if stage.role is not None else "anybody"
            raters = many(stage.raters, "rater") if stage.raters > 1 else role
            resolution = f", {stage.resolution.value}" if stage.raters > 1 else ""
            click.echo(one_line(f"    {stage.key}: {stage.act.value}, {raters}{resolution}"))


@recipe_group.command("save")
@click.argument("recipe", metavar="NAME|PROJECT")
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@terminal.force_option
def save_command(recipe: str, out: Path, force: bool) -> None:
    """Write a recipe to a file, to change it.

    NAME is a recipe that comes with the program; PROJECT is a project file,
    whose current recipe is written.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.project.recipes import shipped_recipe, write_recipe

    source = Path(recipe)
    inputs = (source,) if source.suffix else ()
    terminal.check(out, *inputs, writes="recipe", force=force)
    if source.suffix:
        opened = open_project(source, read_only=True)
        try:
            text = opened.work.recipe_text()
        finally:
            opened.close()
    else:
        text = shipped_recipe(recipe)
    write_recipe(text, out)
    click.echo(out)
