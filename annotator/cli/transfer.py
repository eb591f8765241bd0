"""``annotator import`` and ``annotator export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from annotator.cli.common import output
from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.findings import show_findings
from annotator.cli.common.progress import progress
from annotator.cli.common.words import data_size, many

if TYPE_CHECKING:
    from annotator.services.transfer import ExportedVideo

_format = click.option(
    "--format",
    "format_name",
    type=click.Choice(["perception-test", "tapvid-pickle", "tapvid-csv"]),
    help="The form of the file; its ending tells if this is absent.",
)


@click.command("import")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@_format
@click.option(
    "--video",
    "videos",
    metavar="ENTRY[=VIDEO]",
    multiple=True,
    help="Import this entry only, into the video of another name if one is given; may be repeated.",
)
@click.option(
    "--keep-going", is_flag=True, help="Skip bad records and import the rest; else all or nothing."
)
@click.option(
    "--again",
    type=click.Choice(["skip", "replace", "both"]),
    default="skip",
    show_default=True,
    help="What becomes of records that were imported before: skip leaves them as they are now.",
)
def import_command(
    project: Path,
    file: Path,
    format_name: str | None,
    videos: tuple[str, ...],
    keep_going: bool,
    again: str,
) -> None:
    """Import annotations from FILE into PROJECT.

    Entries go to the video of the same name. A video the project does not have
    is added from what the file says, until you locate it; TAP-Vid files do not
    say enough for that. What you do not edit is exported again exactly as it
    stood. Each video's import is one step that undo takes back.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.transfer import Again, ImportRefusedError, format_named, import_file

    form = format_named(format_name) if format_name else None
    opened = open_project(project)
    try:
        with progress("Importing") as report:
            token = JobToken(report)
            done = import_file(
                opened,
                file,
                names=videos,
                form=form,
                keep_going=keep_going,
                again=Again(again),
                token=token,
            )
    except ImportRefusedError as error:
        show_findings(error.findings)
        raise
    finally:
        opened.close()
    skipped = show_findings(done.findings)
    for video in done.videos:
        new = ", added to the project" if video.is_new else ""
        if video.n_known:
            new += f", {many(video.n_known, 'record')} already imported"
        click.echo(
            f"{one_line(video.name)}: {many(video.n_tracks, 'track')},"
            f" {many(video.n_points, 'point')}, {many(video.n_segments, 'segment')}{new}"
        )
    if skipped:
        click.echo(f"{many(skipped, 'invalid record')} skipped.", err=True)


@click.command("export")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@_format
@click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    help="Write this split instead of the videos' own.",
)
@click.option("--video", "videos", multiple=True, help="Export this video only; may be repeated.")
@click.option(
    "--frames",
    type=click.Choice(["grid", "keys", "all"]),
    default="grid",
    show_default=True,
    help="grid: one frame a second and those that a person or an import fixed; keys: every "
    "keyframe, also of accepted proposals; all: every frame.",
)
@click.option(
    "--variant",
    type=click.Choice(["full", "test", "submission", "submission-wrapped"]),
    default="full",
    show_default=True,
    help="test: where tracks start and questions without answers, as test files have it; "
    "submission: the answers to one --task as its scorer reads them, multiple choice with its key "
    "round it or without.",
)
@click.option(
    "--task",
    "tasks",
    multiple=True,
    type=click.Choice(
        [
            "object_tracking",
            "point_tracking",
            "action_localisation",
            "sound_localisation",
            "mc_question",
            "grounded_question",
        ]
    ),
    metavar="KEY",
    help="Write this task only, with what it refers to, such as mc_question; may be repeated.",
)
@output.force_option
@click.pass_context
def export_command(
    context: click.Context,
    project: Path,
    out: Path,
    format_name: str | None,
    split: str | None,
    videos: tuple[str, ...],
    frames: str,
    variant: str,
    tasks: tuple[str, ...],
    force: bool,
) -> None:
    """Export PROJECT to OUT and prove the result.

    TAP-Vid files hold points alone: a pickle with pictures, CSV without.

    The file is opened again and judged, and a sample of frames is compared with
    what OpenCV's sequential reader gives. The exit status is 0 only when nothing
    was found that loaders would stumble over.
    """
    from annotator.domain.errors import ExchangeError
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.transfer import (
        PERCEPTION_TEST,
        ExportRequest,
        export_project,
        format_named,
        format_of,
    )

    if format_name is None:
        try:
            format_name = format_of(out).name
        except ExchangeError as error:
            raise click.UsageError(one_line(str(error))) from None
    output.check(out, project, writes=format_named(format_name).content, force=force)
    source = context.get_parameter_source("frames")
    if format_name != PERCEPTION_TEST and source is ParameterSource.COMMANDLINE:
        click.echo("--frames was ignored: TAP-Vid files contain every frame.", err=True)
    opened = open_project(project, read_only=True)
    try:
        with progress("Exporting") as report:
            request = ExportRequest(out, split, videos, frames, format_name, variant, tasks)
            done = export_project(opened, request, JobToken(report))
    finally:
        opened.close()
    show_findings(done.findings)
    for video in done.videos:
        click.echo(f"{one_line(video.name)}: {describe(video)}")
    click.echo(out)
    if format_name != PERCEPTION_TEST:
        click.echo(f"File size: {data_size(out.stat().st_size)}")
    if not done.is_sound:
        context.exit(FAILURE)


def describe(video: ExportedVideo) -> str:
    """Return what was exported of a video, and how far its frame numbers are proved."""
    text = f"{many(video.n_tracks, 'track')}, {many(video.n_boxes, 'box')}"
    text += f", {many(video.n_points, 'point')}, {many(video.n_segments, 'segment')}"
    text += f", {many(video.n_questions, 'question')}" if video.n_questions else ""
    if not video.n_tracks + video.n_points + video.n_segments:
        return text  # there are no frames in it that could be proved
    if video.proof is None:
        return f"{text}; frames not verified"
    if video.proof.differences:
        return f"{text}; frames differ from OpenCV"
    return f"{text}; frames verified on {len(video.proof.checked)} samples"
