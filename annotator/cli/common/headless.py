"""The demo on a machine without a display: the steps of the window without a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.annotation import describe
from annotator.cli.common.boundary import FAILURE, SUCCESS, one_line
from annotator.cli.common.terminal import progress, show_findings
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.services.demo.first_demo import Demo
    from annotator.services.project.projects import OpenProject
    from annotator.services.session import Session
    from annotator.services.transfer import ExportReport


def run_demo(project: Path) -> int:
    """Track the demo's object, export, judge, save a picture; return the exit status.

    A second run continues from the tracked object.
    """
    from annotator.cli.common.window_start import window_libraries
    from annotator.services.demo.first_demo import read_demo
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        session = opened.open_task(opened.tasks()[0].id)
        _track(session, read_demo())
        report = _export(opened)
    finally:
        opened.close()
    show_findings(report.findings)
    for video in report.videos:
        click.echo(f"{one_line(video.name)}: {describe(video)}")
    for path in (project, report.path):
        click.echo(path)
    with window_libraries():
        from annotator.app import grab_window
    click.echo(grab_window(project, project.with_suffix(".png")))
    return SUCCESS if report.is_sound else FAILURE


def write_demo(project: Path) -> int:
    """Write the data set of a recipe's demo; return the exit status."""
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.questions.benchmark_plugin import benchmark_of
    from annotator.services.questions.recipe_steps import write_data_set

    opened = open_project(project)
    try:
        recipe = opened.work.recipe
        is_drawn = any(task_type.form is None for task_type in recipe.task_types)
        tracks = _export(opened) if is_drawn else None
        with progress("Writing") as report:
            target = project.with_name(f"{project.stem}-data-set{benchmark_of(opened).suffix}")
            written = write_data_set(opened, target, JobToken(report))
    finally:
        opened.close()
    n_errors = show_findings(written.findings)
    click.echo(", ".join(f"{one_line(name)} {n}" for name, n in written.counts.items()))
    if tracks is not None:
        n_errors += show_findings(tracks.findings) + (not tracks.is_sound)
        click.echo(tracks.path)
    for path in (project, written.path):
        click.echo(path)
    return FAILURE if n_errors else SUCCESS


def _track(session: Session, demo: Demo) -> None:
    """Draw the box of the demo's task, track it through the video, and accept the proposals."""
    from annotator.cli.tracking import propose_track
    from annotator.domain.commands import AcceptProposals, CreateTrack
    from annotator.domain.errors import MediaError
    from annotator.domain.geometry import Box
    from annotator.domain.ids import track_id
    from annotator.media import FrameTable, Video

    task = demo.task
    if session.video_path is None or session.table_bytes is None:
        hint = "Delete the demo folder and start the demo again."
        raise MediaError("Cannot open the demo: its video is missing.", hint=hint)
    if any(track.label == task.label for track in session.document.tracks):
        click.echo(f"{task.label}: already tracked")
        return
    box = Box(*task.box)
    table = FrameTable.from_bytes(session.table_bytes)
    title = f"Tracking the {task.label}"
    with Video(session.video_path, table=table) as video, progress(title) as report:
        proposals = propose_track(video, {task.frame: box}, tracker=None, report=report)
    new = track_id()
    session.run(CreateTrack(new, task.label, task.frame, box))
    session.run(AcceptProposals(new, tuple(p for p in proposals if p.frame != task.frame)))
    keys = many(len(session.document.track(new).keyframes), "keyframe")
    click.echo(f"{task.label}: tracked on {many(len(proposals), 'frame')}, stored as {keys}")


def _export(project: OpenProject) -> ExportReport:
    from annotator.services.background.jobs import JobToken
    from annotator.services.transfer import ExportRequest, export_project

    with progress("Exporting") as report:
        request = ExportRequest(project.path.with_suffix(".json"))
        return export_project(project, request, JobToken(report))
