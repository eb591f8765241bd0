"""``annotator project``: create project files, add videos, inspect and check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.terminal import progress, show_findings
from annotator.cli.recipe import SHIPPED, recipe_text
from annotator.cli.team.people import sign_in
from annotator.domain.errors import UserError
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.services.project.bulk_import import AddingReport
    from annotator.services.project.metadata import MetadataReport
    from annotator.services.project.projects import OpenProject


_project = click.argument("project", type=click.Path(path_type=Path))
_videos = click.argument("videos", metavar="[VIDEO]...", nargs=-1, type=click.Path(path_type=Path))


@click.group("project")
def project_group() -> None:
    """Create, inspect and check project files."""


@project_group.command("create")
@_project
@_videos
@click.option(
    "--recipe",
    metavar="NAME|FILE",
    help=f"Recipe: {', '.join(SHIPPED)}, or a TOML file. Default: single.",
)
@click.option("--title", help="Project title. Default: file name.")
@click.option(
    "--metadata",
    metavar="TABLE",
    type=click.Path(path_type=Path),
    help="CSV or JSON table with one row per video.",
)
@click.pass_context
def create_command(
    context: click.Context,
    project: Path,
    videos: tuple[Path, ...],
    recipe: str | None,
    title: str | None,
    metadata: Path | None,
) -> None:
    """Create a project file and add videos.

    VIDEO is a file, a folder, or a .txt list with one path per line. Videos are
    referenced, not copied. The extension .annot is added to PROJECT if it is
    missing. The exit code is 1 if a video could not be added; the others are
    added.
    """
    if not _make(project, videos, recipe, title, metadata):
        context.exit(FAILURE)


@project_group.command("add-videos")
@_project
@_videos
@click.pass_context
def add_videos_command(context: click.Context, project: Path, videos: tuple[Path, ...]) -> None:
    """Add videos to a project.

    VIDEO is a file, a folder, or a .txt list with one path per line. The exit
    code is 1 if a video could not be added; the others are added.
    """
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        added = _add(opened, videos)
    finally:
        opened.close()
    known_text = (
        f", {many(len(added.known), 'video')} already in the project" if added.known else ""
    )
    click.echo(f"{project}: {many(len(added.added), 'video')} added{known_text}")
    if added.failed:
        context.exit(FAILURE)


@project_group.command("info")
@_project
def info_command(project: Path) -> None:
    """Show the videos, tasks and recipe of a project."""
    from annotator.services.project.projects import open_project

    opened = open_project(project, read_only=True)
    try:
        recipe = opened.work.recipe
        click.echo(f"{one_line(opened.title)}: {opened.path}")
        click.echo(f"recipe: {one_line(recipe.title)} ({recipe.name}, version {recipe.version})")
        tasks = opened.tasks()
        videos = opened.videos()
        missing = sum(video.is_missing for video in videos)
        lost = f", {missing} not found" if missing else ""
        click.echo(f"{many(len(videos), 'video')}{lost}, {many(len(tasks), 'task')}")
        for video in videos:
            size = f"{video.width} x {video.height}"
            place = "not found" if video.is_missing else one_line(str(video.path))
            frames = many(video.n_frames, "frame")
            click.echo(f"{one_line(video.name)}\t{size}\t{frames}\t{place}")
    finally:
        opened.close()


def _add(project: OpenProject, videos: tuple[Path, ...]) -> AddingReport:
    """Add videos, and name those that could not be."""
    from annotator.services.project.bulk_import import add_media, media_files

    files = media_files(videos)

    def so_far() -> str:
        count = many(len(project.videos()), "video")
        return f"The project has {count} now. Run the command again to add the others."

    with progress("Reading videos", so_far) as report:
        added = add_media(project, files, on_progress=report)
    for path, text in added.failed:
        printable = str(path).encode(errors="surrogateescape").decode(errors="replace")
        fail(text if printable in text else f"{printable}: {text}")
    for path, first in added.duplicates:
        click.echo(
            f"{one_line(str(path))}: not added; same content as {one_line(str(first))}", err=True
        )
    return added


def _make(
    project: Path,
    videos: tuple[Path, ...],
    recipe: str | None,
    title: str | None,
    metadata: Path | None,
) -> bool:
    """Make a project with videos; False when one of them, or a row of metadata, is left out."""
    from annotator.services.project.bulk_import import media_files
    from annotator.services.project.metadata import check_table
    from annotator.services.project.projects import create_project

    if metadata is not None:
        check_table(metadata)  # before anything is made
    media_files(videos)  # before anything is made
    own = None if recipe is None or recipe in SHIPPED else recipe_text(recipe, "--recipe")
    opened = create_project(
        project, title=title or project.stem, recipe=recipe if own is None else None
    )
    try:
        if own is not None:
            _use_recipe(opened, own)
        added = _add(opened, videos)
        metadata_text = _take_over(opened, metadata) if metadata is not None else None
    finally:
        opened.close()
    click.echo(opened.path)
    if metadata is None:
        return not added.failed
    return metadata_text is not None and _tell(metadata, metadata_text) and not added.failed


def _use_recipe(project: OpenProject, text: str) -> None:
    """Give a new project its recipe; one that is refused leaves no project."""
    from annotator.services.project.recipes import parse_recipe
    from annotator.services.questions.benchmark_plugin import check_words

    try:
        check_words(parse_recipe(text))
        project.work.use_recipe(text)
    except UserError:
        project.close()
        project.path.unlink(missing_ok=True)
        raise


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
            f"annotator project import-metadata {project.path}"
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


@project_group.command("import-metadata")
@_project
@click.argument("table", metavar="TABLE", type=click.Path(path_type=Path))
@click.pass_context
def metadata_command(context: click.Context, project: Path, table: Path) -> None:
    """Import video metadata from a table.

    TABLE is CSV or JSON with one row per video (script, participant, split and
    so on), or a JSON mapping from video to cut frame. Missing columns leave
    existing values unchanged. The exit code is 1 if a row matches no video.
    """
    from annotator.services.project.metadata import import_metadata
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        report = import_metadata(opened, table)
    finally:
        opened.close()
    is_whole = _tell(table, report)
    click.echo(f"{project}: metadata imported for {many(report.n_videos, 'video')}")
    if not is_whole:
        context.exit(FAILURE)


@project_group.command("repair")
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--from-backup", is_flag=True, help="Put the newest sound backup in the place of the project."
)
@click.pass_context
def repair_command(context: click.Context, project: Path, from_backup: bool) -> None:
    """Repair a damaged project.

    Creates the indexes of the file again. If that is not enough, --from-backup
    replaces the project with its newest backup that is not damaged. The file as
    it was is always kept beside the project. The exit code is 1 if the project
    is still damaged.
    """
    from annotator.services.project.backup import repair

    repaired = repair(project, from_backup=from_backup)
    for text in repaired.findings:
        click.echo(f"error: {one_line(text)}", err=True)
    click.echo(f"The file as it was: {repaired.kept}")
    if repaired.backup is not None:
        click.echo(f"{project}: restored from the backup {repaired.backup}")
    elif repaired.findings:
        click.echo(f"{project}: still damaged. Try “annotator project repair --from-backup”.")
        context.exit(FAILURE)
    else:
        click.echo(f"{project}: repaired. “annotator check” compares drafts with their history.")


@project_group.command("check")
@_project
@click.option(
    "--severity",
    type=click.Choice(["error", "warning", "note"]),
    default="note",
    show_default=True,
    help="Lowest severity to report.",
)
@click.pass_context
def check_command(context: click.Context, project: Path, severity: str) -> None:
    """Check a project for damage and list annotation issues.

    Reads the whole file and compares every draft with its history. Lists missing
    videos, unchecked grid frames, proposals that are not accepted, empty names
    and so on. Does not modify the project. The exit code is 1 if there are
    errors.
    """
    from annotator.services.project.project_checks import check_project

    report = check_project(project)
    order = ("note", "warning", "error")
    least = order.index(severity)
    errors = show_findings([f for f in report.findings if order.index(f.severity) >= least])
    counts = [
        many(report.n_videos, "video"),
        many(report.n_tracks, "track"),
        many(report.n_points, "point"),
        many(report.n_segments, "segment"),
        many(len(report.findings), "finding"),
        many(errors, "error"),
    ]
    click.echo(f"{one_line(report.title)}: {', '.join(counts)}")
    if errors:
        context.exit(FAILURE)
