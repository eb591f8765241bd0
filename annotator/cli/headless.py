"""The demo on a machine without display: what a person would do in the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.boundary import FAILURE, SUCCESS, one_line
from annotator.cli.findings import show_findings
from annotator.cli.progress import progress
from annotator.cli.transfer import describe

if TYPE_CHECKING:
    from annotator.services.demo import Demo
    from annotator.services.projects import OpenProject
    from annotator.services.session import Session
    from annotator.services.transfer import ExportReport


def run_demo(project: Path) -> int:
    """Track the demo's object, export, judge, picture the window; return the exit status.

    A second run finds the object tracked and goes on from there.
    """
    from annotator.cli.opening import window_libraries
    from annotator.services.demo import read_demo
    from annotator.services.projects import open_project

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


def _track(session: Session, demo: Demo) -> None:
    """Draw the box of the demo's task, follow it through the video, and accept what was found."""
    from annotator.cli.tracking import propose_track
    from annotator.domain.commands import AcceptProposals, CreateTrack
    from annotator.domain.errors import MediaError
    from annotator.domain.geometry import Box
    from annotator.domain.ids import track_id
    from annotator.media import FrameTable, Video

    task = demo.task
    if session.video_path is None or session.table_bytes is None:
        hint = "Remove the demo folder and start again."
        raise MediaError("The demo's video is gone.", hint=hint)
    if any(track.label == task.label for track in session.document.tracks):
        click.echo(f"{task.label}: tracked before")
        return
    box = Box(*task.box)
    table = FrameTable.from_bytes(session.table_bytes)
    title = f"Tracking the {task.label}"
    with Video(session.video_path, table=table) as video, progress(title) as report:
        found = propose_track(video, {task.frame: box}, tracker=None, report=report)
    new = track_id()
    session.run(CreateTrack(new, task.label, task.frame, box))
    session.run(AcceptProposals(new, tuple(p for p in found if p.frame != task.frame)))
    keys = len(session.document.track(new).keyframes)
    click.echo(f"{task.label}: tracked on {len(found)} frames, kept as {keys} keyframes")


def _export(project: OpenProject) -> ExportReport:
    from annotator.services.jobs import JobToken
    from annotator.services.transfer import ExportRequest, export_project

    with progress("Exporting") as report:
        request = ExportRequest(project.path.with_suffix(".json"))
        return export_project(project, request, JobToken(report))
