"""``annotator new`` and ``annotator check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.findings import show_findings
from annotator.cli.common.progress import progress
from annotator.cli.common.words import many
from annotator.cli.package import sign_in

if TYPE_CHECKING:
    from annotator.services.project.metadata import MetadataReport
    from annotator.services.project.projects import OpenProject

_SHIPPED = ("perception-test", "pacs", "neptune", "video-tt")


@click.command("new")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("videos", metavar="[VIDEO]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--recipe",
    metavar="NAME|FILE",
    help="Whose kinds of annotation and rules the project follows: those of"
    " perception-test, pacs, neptune or video-tt, or of a recipe file of your own.",
)
@click.option("--title", help="What the window calls the project; the file's name if absent.")
@click.option(
    "--metadata",
    metavar="TABLE",
    type=click.Path(path_type=Path),
    help="CSV or JSON with a row for each video: script, participant, split and the like.",
)
@click.option(
    "--package",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Make the project of this work package; VIDEO are folders where its videos lie.",
)
@click.pass_context
def new_command(
    context: click.Context,
    project: Path,
    videos: tuple[Path, ...],
    recipe: str | None,
    title: str | None,
    metadata: Path | None,
    package: Path | None,
) -> None:
    """Make a project file and add videos to it, each with a task.

    VIDEO is a file, a folder, or a text file (.txt) with one of these per line.
    Videos stay where they are. The name of the project file gets the ending
    .annot if it has none. The exit status is 0 only when every video was added.
    """
    if package is not None:
        if recipe or title or metadata:
            raise click.UsageError(
                "--recipe, --title and --metadata cannot be combined with --package."
            )
        is_whole = _unpack(package, project, videos)
    else:
        is_whole = _make(project, videos, recipe, title, metadata)
    if not is_whole:
        context.exit(FAILURE)


def _make(
    project: Path,
    videos: tuple[Path, ...],
    recipe: str | None,
    title: str | None,
    metadata: Path | None,
) -> bool:
    """Make a project with videos; False when one of them, or a row of metadata, is left out."""
    from annotator.services.project.bulk_adding import add_media, media_files
    from annotator.services.project.metadata import check_table
    from annotator.services.project.projects import create_project

    if metadata is not None:
        check_table(metadata)  # before anything is made
    files = media_files(videos)
    own = _own_recipe(recipe)
    opened = create_project(
        project, title=title or project.stem, recipe=recipe if own is None else None
    )
    try:
        if own is not None:
            opened.work.use_recipe(own)
        with progress("Reading videos") as report:
            done = add_media(opened, files, on_progress=report)
        told = _take_over(opened, metadata) if metadata is not None else None
    finally:
        opened.close()
    click.echo(opened.path)
    for path, text in done.failed:
        fail(text if str(path) in text else f"{path}: {text}")
    for path, first in done.duplicates:
        click.echo(
            f"{one_line(str(path))}: not added; same content as {one_line(str(first))}", err=True
        )
    if metadata is None:
        return not done.failed
    return told is not None and _tell(metadata, told) and not done.failed


def _take_over(project: OpenProject, table: Path) -> MetadataReport | None:
    """Take over a table; None where it does not fit the videos, which are in all the same."""
    from annotator.domain.errors import ExchangeError
    from annotator.services.project.metadata import import_metadata

    try:
        return import_metadata(project, table)
    except ExchangeError as error:  # a cut beyond the end, a name that several videos have
        fail(str(error))
        text = (
            "The videos were added without metadata. Correct the table, and then run: "
            f"annotator metadata {project.path}"
        )
        click.echo(one_line(f"{text} {table}"), err=True)
        return None


def _tell(table: Path, told: MetadataReport) -> bool:
    """Say what a table of metadata lacks; False when it has rows of videos that are not there."""
    for note in told.notes:
        click.echo(one_line(note), err=True)
    for line, name in told.rows_without_video:
        fail(f"{table}, line {line}: the project has no video “{name}”")
    if told.videos_without_row:
        names = ", ".join(told.videos_without_row[:10])
        count = many(len(told.videos_without_row), "video")
        click.echo(one_line(f"{count} without a row in the table: {names}"), err=True)
    return not told.rows_without_video


def _own_recipe(recipe: str | None) -> str | None:
    """Return the text of a recipe file; None for the name of a recipe that is shipped, or none."""
    from annotator.services.project.recipes import read_recipe

    if recipe is None or recipe in _SHIPPED:
        return None
    if not Path(recipe).exists():
        names = ", ".join(_SHIPPED)
        raise click.BadParameter(
            (
                f"Unknown recipe “{one_line(recipe)}”. Use the path of a recipe file or one of: "
                f"{names}."
            ),
            param_hint="--recipe",
        )
    return read_recipe(Path(recipe))


def _unpack(package: Path, project: Path, folders: tuple[Path, ...]) -> bool:
    """Make a project of a work package; False when not all of its videos are found."""
    from annotator.services.packages.packages import open_package

    with progress("Unpacking") as report:
        done = open_package(package, project, media_folders=folders, on_progress=report)
    click.echo(done.path)
    click.echo(f"{one_line(done.person)}: {many(done.n_tasks, 'task')}")
    for name in done.missing:
        fail(f"{name}: video not found. Locate it in the window, or specify its folder.")
    return not done.missing


@click.command("metadata")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("table", metavar="TABLE", type=click.Path(path_type=Path))
@click.pass_context
def metadata_command(context: click.Context, project: Path, table: Path) -> None:
    """Take over what TABLE tells of the videos of PROJECT.

    TABLE is CSV or JSON with a row for each video: script, participant, split and
    the like; or a file of cut frames, as the Perception Test has them. What it
    says nothing of stays as it is. The exit status is 0 only when there is a
    video for each row.
    """
    from annotator.services.project.metadata import import_metadata
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        told = import_metadata(opened, table)
    finally:
        opened.close()
    is_whole = _tell(table, told)
    click.echo(f"{project}: metadata imported for {many(told.n_videos, 'video')}")
    if not is_whole:
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
    from annotator.services.project.checks import check_project

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
