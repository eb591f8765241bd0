"""``annotator annotation``: import, export and track annotations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.terminal import data_size, progress, show_findings
from annotator.cli.team.people import sign_in
from annotator.cli.tracking import follow_command, propose_command, track_command
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.services.transfer import ExportedVideo
    from annotator.services.transfer.imports.import_plan import PlannedVideo

_format = click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="File format, see “annotator formats”. Default: from the file extension.",
)


@click.group("annotation")
def annotation_group() -> None:
    """Import, export and track annotations."""


@annotation_group.command("import")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@_format
@click.option(
    "--video",
    "videos",
    metavar="ENTRY[=VIDEO]",
    multiple=True,
    help="Import only this entry, optionally into another video. Repeatable.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="Invalid records: stop without importing, or skip them.",
)
@click.option(
    "--on-duplicate",
    type=click.Choice(["skip", "replace", "add"]),
    default="skip",
    show_default=True,
    help="Records imported before.",
)
@click.option(
    "--as",
    "as_what",
    type=click.Choice(["draft", "submission", "proposals"]),
    help="draft: to be continued by you; submission: the result of each task's first stage (lead "
    "only); proposals: predictions of a model, to be accepted or dismissed. Default: proposals "
    "for a file with scores, else draft.",
)
@click.option(
    "--model",
    metavar="NAME",
    default="",
    help="Model whose predictions are imported as proposals. Default: name of the file.",
)
@click.option("--model-version", metavar="TEXT", default="", help="Version of the model.")
@click.option(
    "--stage",
    metavar="KEY",
    help="Stage at which submitted tasks go on, or “complete”. Default: the second stage.",
)
@click.option(
    "--column",
    "columns",
    metavar="FIELD=NAME",
    multiple=True,
    help="Column of a CSV table that holds a field, such as label=Species. Repeatable; fields "
    "without one are not read.",
)
@click.option(
    "--thin",
    "is_thinned",
    is_flag=True,
    help="Leave out keyframes that interpolation gives (2 px).",
)
@click.option(
    "--track-gaps",
    "is_open",
    is_flag=True,
    help="Leave the gaps between keyframes to the trackers, as after drawing.",
)
@click.option(
    "--dry-run", "is_plan_only", is_flag=True, help="Show what would be imported; change nothing."
)
def import_command(
    project: Path,
    file: Path,
    format_name: str | None,
    videos: tuple[str, ...],
    on_error: str,
    on_duplicate: str,
    as_what: str | None,
    model: str,
    model_version: str,
    stage: str | None,
    columns: tuple[str, ...],
    is_thinned: bool,
    is_open: bool,
    is_plan_only: bool,
) -> None:
    """Import annotations from a file.

    Entries are imported into the video of the same name, or the one that --video
    names. A video that the project does not have is added from the metadata of a
    Perception Test file, until you locate it; other formats do not contain
    enough for that. “annotator formats” lists all formats.

    With --as submission, all videos of the file enter the stages in one step:
    the import is the submission of each task's first stage.

    With --as proposals, the predictions appear in the videos' tasks as proposals
    when a rater opens them. Tasks that are submitted already do not change.

    --dry-run prints the import plan: where each entry goes, how its video was
    found, what matches annotations that are there, and what would be skipped.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.transfer import Again, ImportRefusedError, format_named, import_file
    from annotator.services.transfer.imports.file_import import n_imported
    from annotator.services.transfer.imports.import_submission import stages_after_import

    if stage is not None and as_what != "submission":
        raise click.UsageError("--stage requires --as submission.")
    if (model or model_version) and as_what not in (None, "proposals"):
        raise click.UsageError("--model and --model-version require --as proposals.")
    is_proposed = True if model or model_version or as_what == "proposals" else None
    form = format_named(format_name) if format_name else None
    fields = dict(column.partition("=")[::2] for column in columns)
    if not all(fields.values()):
        raise click.UsageError("--column requires FIELD=NAME.")
    opened = open_project(project, read_only=is_plan_only)
    try:
        if as_what == "submission" and not is_plan_only:
            sign_in(opened)
            stage = stage or stages_after_import(opened)[0][0]
        n_before = n_imported(opened)

        def so_far() -> str:
            if stage:
                return "Nothing was imported."
            count = many(n_imported(opened) - n_before, "video")
            return f"{count} imported. Run the command again: what was imported is skipped."

        with progress("Importing", so_far) as report:
            token = JobToken(report)
            summary = import_file(
                opened,
                file,
                names=videos,
                form=form,
                keep_going=on_error == "skip",
                again=Again("both" if on_duplicate == "add" else on_duplicate),
                stage=stage or "",
                as_proposals=is_proposed if as_what in (None, "proposals") else False,
                model=model,
                model_version=model_version,
                columns=fields,
                is_thinned=is_thinned,
                is_open=is_open,
                is_plan_only=is_plan_only,
                token=token,
            )
    except ImportRefusedError as error:
        if len(error.findings) > 1:  # a single one is the message itself
            show_findings(error.findings)
        raise
    finally:
        opened.close()
    skipped = show_findings(summary.findings)
    if is_plan_only:
        for planned in summary.plan:
            click.echo(_planned(planned))
        click.echo("Nothing was changed.")
        if skipped and on_error == "stop":
            text = "nothing would be imported without --on-error skip."
            click.echo(f"{many(skipped, 'invalid record')}: {text}", err=True)
            click.get_current_context().exit(FAILURE)
        return
    for video in summary.videos:
        new = ", added to the project" if video.is_new else ""
        if video.n_known:
            new += f", {many(video.n_known, 'record')} already imported"
        click.echo(
            f"{one_line(video.name)}: {many(video.n_tracks, 'track')},"
            f" {many(video.n_points, 'point')}, {many(video.n_segments, 'segment')}{new}"
        )
    if skipped:
        click.echo(f"{many(skipped, 'invalid record')} skipped.", err=True)
    if summary.model is not None:
        named = f"{summary.model.name} {summary.model.version}".strip()
        click.echo(f"Imported as proposals of the model “{one_line(named)}”.")


@annotation_group.command("export")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@_format
@click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    help="Override the split of the videos.",
)
@click.option("--video", "videos", multiple=True, help="Export only this video. Repeatable.")
@click.option(
    "--frames",
    type=click.Choice(["grid", "keyframes", "all"]),
    default="grid",
    show_default=True,
    help="grid: one frame per second plus manual and imported keyframes; keyframes: all "
    "keyframes, also of accepted proposals; all: every frame.",
)
@click.option(
    "--variant",
    type=click.Choice(["full", "test", "submission", "submission-wrapped"]),
    default="full",
    show_default=True,
    help="full: all annotations; test: initial boxes, and questions without answers; submission: "
    "answers to one --task in the scorer's format, multiple choice optionally under its task key.",
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
    help="Export only this task, such as mc_question. Repeatable.",
)
@click.option(
    "--about",
    "about",
    metavar="KEY=TEXT",
    multiple=True,
    help="license, url, creator or citation of a huggingface data set. Repeatable.",
)
@terminal.force_option
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
    about: tuple[str, ...],
    force: bool,
) -> None:
    """Export annotations and verify the exported file.

    OUT is a file whose extension names the format. Formats with one video per
    file (CVAT, MOT, ELAN, subtitles) need a folder and --format for several
    videos; “annotator formats” lists them all. yolo, huggingface, ava and thumos
    need a new folder.

    The file is opened again and checked, and a sample of frames is compared with
    OpenCV's sequential reader. The exit code is 1 if an error was found.
    """
    from annotator.domain.errors import ExchangeError
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.transfer import (
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
    form = format_named(format_name)
    if not form.is_folder:
        terminal.check(out, project, writes=form.content, force=force)
    facts = dict(fact.partition("=")[::2] for fact in about)
    if not set(facts) <= {"license", "url", "creator", "citation"} or not all(facts.values()):
        raise click.UsageError("--about requires license=, url=, creator= or citation=.")
    source = context.get_parameter_source("frames")
    if not form.has_frame_choice and source is ParameterSource.COMMANDLINE:
        click.echo(f"--frames was ignored: the format {form.name} has no choice.", err=True)
    opened = open_project(project, read_only=True)
    try:
        with progress("Exporting") as report:
            frame_choice = "keys" if frames == "keyframes" else frames
            request = ExportRequest(
                out, split, videos, frame_choice, format_name, variant, tasks, facts
            )
            summary = export_project(opened, request, JobToken(report))
    finally:
        opened.close()
    show_findings(summary.findings)
    for video in summary.videos:
        click.echo(f"{one_line(video.name)}: {describe(video)}")
    click.echo(out)
    if not form.has_frame_choice and out.is_file():
        click.echo(f"File size: {data_size(out.stat().st_size)}")
    if not summary.is_sound:
        context.exit(FAILURE)


@annotation_group.command("render")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--what",
    "kinds",
    type=click.Choice(["frames", "crops", "clips", "overlay"]),
    multiple=True,
    required=True,
    help="frames: whole images; crops: objects; clips: actions and sounds, with audio; overlay: "
    "videos with the annotations drawn in. Repeatable.",
)
@click.option(
    "--video", "videos", metavar="NAME", multiple=True, help="Only this video. Repeatable."
)
@click.option(
    "--every", "step", type=click.IntRange(1), help="Every n-th frame. Default: grid frames."
)
@click.option("--keyframes", "has_keyframes_only", is_flag=True, help="Only keyframes of objects.")
@click.option("--range", "span", metavar="FIRST-LAST", help="Only frames of this range.")
@click.option("--jpeg", "is_jpeg", is_flag=True, help="JPEG images instead of PNG: smaller, lossy.")
@click.pass_context
def render_command(
    context: click.Context,
    project: Path,
    folder: Path,
    kinds: tuple[str, ...],
    videos: tuple[str, ...],
    step: int | None,
    has_keyframes_only: bool,
    span: str | None,
    is_jpeg: bool,
) -> None:
    """Write images and clips of the annotations.

    FOLDER must be empty or new. rendered.csv lists every file with its frames and
    SHA-256. File names of images are frame numbers, counted from 0; samples are
    compared with OpenCV. Videos keep the times of their frames.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.transfer.media_sets.rendering import RenderWish, render

    match = re.fullmatch(r"(\d{1,9})-(\d{1,9})", span) if span else None
    if span and match is None:
        raise click.UsageError("--range requires two frame numbers, for example 30-89.")
    if step and has_keyframes_only:
        raise click.UsageError("--every and --keyframes exclude each other.")
    frames = (int(match[1]), int(match[2]) + 1) if match else None
    opened = open_project(project, read_only=True)
    try:
        with progress("Writing") as report:
            wish = RenderWish(
                frozenset(kinds), videos, step or 0, has_keyframes_only, is_jpeg, frames
            )
            rendered = render(opened, folder, wish, JobToken(report))
    finally:
        opened.close()
    n_errors = show_findings(rendered.findings)
    click.echo(", ".join(f"{kind} {n}" for kind, n in rendered.counts.items()))
    click.echo(folder)
    if n_errors:
        context.exit(FAILURE)


def _planned(video: PlannedVideo) -> str:
    """Return the plan for one entry in a line."""
    counts = video.counts
    text = f"{one_line(video.name)}: "
    if video.is_skipped:
        return text + "skipped"
    text += f"into “{one_line(video.video)}” ({video.how}): " if video.video else f"{video.how}: "
    text += f"{many(counts.tracks, 'track')}, {many(counts.points, 'point')}"
    text += f", {many(counts.actions, 'action')}, {many(counts.sounds, 'sound')}"
    if video.n_known:
        text += f"; {many(video.n_known, 'record')} already imported"
    if video.n_similar:
        text += f"; {video.n_similar} similar to annotations in the draft"
    return text


def describe(video: ExportedVideo) -> str:
    """Return the exported content of a video, and how far its frame numbers are verified."""
    text = f"{many(video.n_tracks, 'track')}, {many(video.n_boxes, 'box')}"
    text += f", {many(video.n_points, 'point')}, {many(video.n_segments, 'segment')}"
    text += f", {many(video.n_questions, 'question')}" if video.n_questions else ""
    if video.proof is None and not video.unproved:
        return text  # there are no frames in it that could be proved
    if video.proof is None:
        return f"{text}; frames not verified"
    if video.proof.differences:
        return f"{text}; frames differ from OpenCV"
    return f"{text}; frames verified on {len(video.proof.checked)} samples"


annotation_group.add_command(track_command)
annotation_group.add_command(follow_command)
annotation_group.add_command(propose_command)
