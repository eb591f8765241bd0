"""``annotator questions``: question steps, and the data sets built of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.terminal import progress, show_findings
from annotator.cli.team.people import sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject
    from annotator.services.questions.question_generation import StepResult

_project = click.argument("project", type=click.Path(path_type=Path))


@click.group("questions")
def questions_group() -> None:
    """Generate questions and build question data sets."""


@questions_group.command("steps")
@_project
def steps_command(project: Path) -> None:
    """List the question steps of the recipe, in the order of the work. Lead only."""
    from annotator.services.project.projects import open_project
    from annotator.services.questions.recipe_steps import steps_of

    opened = open_project(project)
    try:
        sign_in(opened)
        for each in steps_of(opened):
            click.echo(f"{each.name:<22} {each.title}")
            if each.about:
                click.echo(f"{'':<22} {each.about}")
    finally:
        opened.close()


@questions_group.command("run")
@_project
@click.argument("step", metavar="STEP")
@click.pass_context
def run_command(context: click.Context, project: Path, step: str) -> None:
    """Run one question step. Lead only.

    STEP is a name listed by “questions steps”. A step creates only items that do
    not exist yet, so it can be repeated. The exit code is 1 if an item could not
    be created; the reasons are listed.
    """
    from annotator.services.questions.recipe_steps import run_step

    _make(context, project, lambda opened: run_step(opened, step))


@questions_group.command("import")
@_project
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.pass_context
def import_command(context: click.Context, project: Path, file: Path) -> None:
    """Import items, tests, attention checks or questions. Lead only.

    FILE contains items as JSON, or questions in the format of the recipe's
    benchmark (JSON or Parquet). All items are imported, or none.
    """
    from annotator.services.questions.recipe_steps import bring_in

    _make(context, project, lambda opened: bring_in(opened, file))


@questions_group.command("list")
@_project
@click.option("--kind", metavar="KIND", default="", help="Only items of this task type.")
def list_command(project: Path, kind: str) -> None:
    """List items with ID, task type, videos and question, separated by tabs. Lead only."""
    from annotator.domain.errors import UserError
    from annotator.services.project.projects import open_project
    from annotator.store.questions.items import ItemFilter

    opened = open_project(project)
    try:
        sign_in(opened)
        kinds = [task_type.kind for task_type in opened.work.recipe.task_types]
        if kind and kind not in kinds:
            hint = f"Task types: {', '.join(kinds)}."
            raise UserError(f"Unknown task type “{kind}”.", hint=hint)
        names = {video.id: video.name for video in opened.videos()}
        for _, item in opened.questions.list(ItemFilter(kind=kind or None)):
            videos = ", ".join(names.get(video_id, "?") for video_id in item.video_ids)
            click.echo("\t".join(map(one_line, (item.id, item.kind, videos, item.text))))
    finally:
        opened.close()


@questions_group.command("import-predictions")
@_project
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--model", metavar="NAME", default="", help="Model. Default: name of the file.")
@click.option("--model-version", metavar="TEXT", default="", help="Version of the model.")
def predictions_command(project: Path, file: Path, model: str, model_version: str) -> None:
    """Import answers of a model to items. Lead only.

    FILE is JSON, JSON Lines or CSV with id, answer and, if known, confidence (0
    to 1); “annotator questions list” shows the IDs. The answers are shown to
    raters in stages with “shows_predictions = true”; they are never votes.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.questions.asking.model_answers import import_answers

    opened = open_project(project)
    try:
        sign_in(opened)
        report = import_answers(opened, file, model, model_version)
    finally:
        opened.close()
    show_findings(report.findings)
    click.echo(
        f"{project}: {many(report.n_answers, 'predicted answer')} imported, "
        f"{report.n_known} imported before"
    )


def _make(context: click.Context, project: Path, act: Callable[[OpenProject], StepResult]) -> None:
    """Run something that creates items, and report it."""
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        made = act(opened)
    finally:
        opened.close()
    n_errors = show_findings(made.findings)
    click.echo(f"{project}: {many(len(made.item_ids), 'new item')}")
    if n_errors:
        context.exit(FAILURE)


@questions_group.command("build-dataset")
@_project
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@terminal.force_option
@click.pass_context
def dataset_command(context: click.Context, project: Path, out: Path, force: bool) -> None:
    """Build the question data set of the benchmark. Lead only.

    OUT is a folder or a file, as the benchmark of the recipe defines: see the
    guide page of the recipe. Provenance and votes are written to files of their
    own beside it.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.questions.recipe_steps import write_data_set

    writes = "parquet" if out.suffix.lower() == ".parquet" else "json"
    terminal.check(out, project, writes=writes, force=force)
    opened = open_project(project)
    try:
        sign_in(opened)
        with progress("Writing") as report:
            written = write_data_set(opened, out, JobToken(report))
    finally:
        opened.close()
    n_errors = show_findings(written.findings)
    counts = ", ".join(f"{one_line(name)} {n}" for name, n in written.counts.items())
    click.echo(f"{written.path}: {counts}")
    if n_errors:
        context.exit(FAILURE)
