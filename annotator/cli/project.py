"""``annotator new`` and ``annotator check``."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.boundary import FAILURE, fail, one_line
from annotator.cli.findings import show_findings
from annotator.cli.progress import progress
from annotator.cli.words import many


@click.command("new")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("videos", metavar="[VIDEO]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--recipe",
    type=click.Choice(["perception-test"]),
    help="The benchmark whose kinds of annotation and rules the project follows.",
)
@click.option("--title", help="What the window calls the project; the file's name if absent.")
@click.pass_context
def new_command(
    context: click.Context,
    project: Path,
    videos: tuple[Path, ...],
    recipe: str | None,
    title: str | None,
) -> None:
    """Make a project file and add videos to it, each with a task.

    Videos stay where they are. The name of the project file gets the ending
    .annot if it has none. The exit status is 0 only when every video was added.
    """
    from annotator.services.projects import create_project

    opened = create_project(project, title=title or project.stem, recipe=recipe)
    try:
        with progress("Reading videos") as report:
            done = opened.add_videos(videos, on_progress=report)
    finally:
        opened.close()
    click.echo(opened.path)
    for path, text in done.failed:
        fail(text if str(path) in text else f"{path}: {text}")
    if done.failed:
        context.exit(FAILURE)


@click.command("check")
@click.argument("project", type=click.Path(path_type=Path))
@click.pass_context
def check_command(context: click.Context, project: Path) -> None:
    """Check a project file and what is annotated in it.

    Reads the whole file for damage, looks for missing videos, and lists what
    deserves a look: unchecked grid frames, waiting proposals, empty names and the
    like. Nothing is changed. The exit status is 0 when there are no errors.
    """
    from annotator.services.checks import check_project

    report = check_project(project)
    errors = show_findings(report.findings)
    counts = [
        many(report.n_videos, "video"),
        many(report.n_tracks, "track"),
        many(report.n_segments, "segment"),
        many(len(report.findings), "finding"),
        many(errors, "error"),
    ]
    click.echo(f"{one_line(report.title)}: {', '.join(counts)}")
    if errors:
        context.exit(FAILURE)
