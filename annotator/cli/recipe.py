"""``annotator recipe``: list, check, save and apply recipes."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import one_line
from annotator.cli.common.terminal import progress
from annotator.cli.team.people import sign_in
from annotator.domain.plurals import many
from annotator.paths import resource_names

SHIPPED = resource_names("recipes")
"""Names of the recipes that come with the program."""


@click.group("recipe")
def recipe_group() -> None:
    """List, check, save and apply recipes."""


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


@recipe_group.command("apply")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("recipe", metavar="NAME|FILE")
@click.option(
    "--allow-missing-types",
    is_flag=True,
    help="Apply the recipe even if it lacks the task type of open tasks.",
)
def apply_command(project: Path, recipe: str, allow_missing_types: bool) -> None:
    """Change the recipe of a project. Lead only.

    NAME is a recipe that comes with the program; FILE is a recipe file.
    Submissions stay as they are, and open tasks follow the new recipe. It is
    refused if open tasks have a task type that the new recipe lacks. With
    --allow-missing-types they stay, but cannot be claimed.
    """
    from annotator.domain.errors import WorkError
    from annotator.services.project.projects import open_project
    from annotator.services.project.recipes import parse_recipe
    from annotator.services.questions.benchmark_plugin import check_words

    text = recipe_text(recipe, "RECIPE")
    parsed = parse_recipe(text)
    check_words(parsed)
    opened = open_project(project)
    try:
        sign_in(opened)
        lost = opened.work.tasks_without_type(parsed)
        if lost and not allow_missing_types:
            names = ", ".join(f"{title} ({n_tasks})" for title, n_tasks in lost.items())
            raise WorkError(
                f"The new recipe lacks the task type of these open tasks: {names}.",
                hint="With --allow-missing-types they stay, but cannot be claimed.",
            )
        with progress("Changing the recipe") as report:
            used = opened.work.use_recipe(text, on_progress=lambda part: report(part, ""))
    finally:
        opened.close()
    click.echo(one_line(f"{used.name} version {used.version}: {used.title}"))


def recipe_text(recipe: str, param: str) -> str:
    """Return the text of a recipe that is shipped, or of a file; UsageError if it is neither."""
    from annotator.services.project.recipes import read_recipe, shipped_recipe

    if recipe in SHIPPED:
        return shipped_recipe(recipe)
    if Path(recipe).exists():
        return read_recipe(Path(recipe))
    names = ", ".join(SHIPPED)
    text = f"Unknown recipe “{one_line(recipe)}”. Use the path of a recipe file or one of: {names}."
    raise click.BadParameter(text, param_hint=param)
