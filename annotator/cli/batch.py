"""``annotator batch``: proposals for many videos, overnight or on a cluster."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.terminal import progress, show_findings
from annotator.cli.team.people import sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.services.batch.job_plan import TrackerNames

_project = click.argument("project", type=click.Path(path_type=Path))
_jobs = click.argument("jobs", type=click.Path(path_type=Path))
_folder = click.argument("folder", metavar="RESULTS", type=click.Path(path_type=Path))
_tracker = click.option(
    "--tracker", default=None, help="Tracker of boxes. Default: the standard one."
)
_points = click.option(
    "--point-tracker",
    "points",
    default=None,
    help="Tracker of points. Default: the standard one.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")


@click.group("batch")
def batch_group() -> None:
    """Make tracking proposals for many videos in advance.

    \b
    annotator batch plan P.annot JOBS.jsonl
    annotator batch run JOBS.jsonl RESULTS/ --workers 4
    annotator batch collect P.annot RESULTS/

    Results are files beside the project, never annotations. A run can be
    interrupted and continued; several machines can share one folder.
    """


@batch_group.command("plan")
@_project
@_jobs
@click.option(
    "--detections", metavar="MODEL", help="Track what this model detected on single frames."
)
@_tracker
@_points
@terminal.force_option
@_json
def plan_command(
    project: Path,
    jobs: Path,
    detections: str | None,
    tracker: str | None,
    points: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """List the objects and points to track.

    These are the gaps of boxes and points in all drafts in progress, or with
    --detections the imported detections of a model, in all videos.
    """
    from annotator.services.batch.job_plan import plan
    from annotator.services.batch.trackable_gaps import model_named
    from annotator.services.project.projects import open_project

    terminal.check(jobs, project, writes="json", force=force)
    trackers = trackers_named(tracker, points)
    opened = open_project(project, read_only=True)
    try:
        model = model_named(opened, detections) if detections is not None else None
        with progress("Planning") as report:
            planned = plan(opened, jobs, trackers, model=model, on_progress=report)
    finally:
        opened.close()
    show_findings(planned.findings)
    words = f"{jobs}: {many(planned.n_jobs, 'video')}, {many(planned.n_passes, 'pass')}"
    _tell(as_json, words, n_videos=planned.n_jobs, n_passes=planned.n_passes)


def trackers_named(boxes: str | None, points: str | None) -> TrackerNames:
    """Return the trackers of these names, by default the standard ones; AssistError if unknown."""
    from annotator.assist import installed
    from annotator.services.batch.job_plan import trackers_with

    found = trackers_with(boxes or "", points or "")
    installed().get(found.boxes)
    installed().get_for_points(found.points)
    return found


@batch_group.command("run")
@_jobs
@_folder
@click.option(
    "-w", "--workers", type=click.IntRange(1, 256), default=1, help="Processes. Default: 1."
)
@click.option(
    "--scheduler", metavar="ADDRESS", default="", help="Dask scheduler: tcp://HOST:PORT or tls://…"
)
@click.option("--tls-ca", type=click.Path(exists=True), help="Certificate authority (PEM).")
@click.option("--tls-cert", type=click.Path(exists=True), help="Certificate of this client (PEM).")
@click.option("--tls-key", type=click.Path(exists=True), help="Key of this client (PEM).")
@click.option("--alone", is_flag=True, hidden=True, help="Hold the folder of results.")
@_json
@click.pass_context
def run_command(
    context: click.Context,
    jobs: Path,
    folder: Path,
    workers: int,
    scheduler: str,
    tls_ca: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    alone: bool,
    as_json: bool,
) -> None:
    """Track what JOBS lists and write the results into a folder.

    Finished videos are skipped. Press Ctrl+C to stop; what is finished
    is kept. Workers of a cluster need this program and the same paths to the
    videos and to RESULTS. Anyone who can reach a scheduler can run code on
    its workers: use TLS outside of a closed network.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.batch import prepared_proposals
    from annotator.services.batch.job_plan import read_plan
    from annotator.services.batch.job_runners import run

    tls_files = {"ca": tls_ca, "cert": tls_cert, "key": tls_key}
    certificates = {key: path for key, path in tls_files.items() if path is not None}
    if certificates and len(certificates) < len(tls_files):
        raise click.UsageError("TLS needs all three: --tls-ca, --tls-cert and --tls-key.")
    planned = read_plan(jobs)
    with (
        prepared_proposals.alone(folder) if alone else nullcontext(),
        progress("Tracking", lambda: f"Stopped. Results are kept in {folder}.") as report,
    ):
        outcomes = run(
            planned,
            folder.absolute(),
            JobToken(report),
            workers=workers,
            scheduler=scheduler,
            certificates=certificates,
        )
    failed = [result for result in outcomes if result.error]
    for result in failed:
        fail(f"{result.name}: {result.error}")
    n_made, n_known = sum(d.n_made for d in outcomes), sum(d.n_known for d in outcomes)
    seconds = sum(d.seconds for d in outcomes)
    rate = sum(d.n_frames for d in outcomes) / seconds if seconds > 0 else 0.0
    words = f"{many(n_made, 'pass')} tracked, {n_known} known, {rate:.0f} frames/s and process"
    _tell(as_json, words, n_made=n_made, n_known=n_known, n_failed=len(failed), frames_s=rate)
    if failed:
        context.exit(FAILURE)


@batch_group.command("status")
@_jobs
@_folder
@_json
def status_command(jobs: Path, folder: Path, as_json: bool) -> None:
    """Show how far a run is, wherever it runs."""
    from annotator.services.batch.job_plan import read_plan
    from annotator.services.batch.job_runners import status

    now = status(read_plan(jobs), folder)
    total = many(now.n_passes, "pass")
    lines = [f"{now.n_done} of {total} tracked, {len(now.failed)} failed"]
    lines += [one_line(f"{name}: {reason}") for name, reason in now.failed.items()]
    _tell(
        as_json, "\n".join(lines), n_done=now.n_done, n_passes=now.n_passes, failed=dict(now.failed)
    )


@batch_group.command("collect")
@_project
@_folder
@_tracker
@_points
@_json
@click.pass_context
def collect_command(
    context: click.Context,
    project: Path,
    folder: Path,
    tracker: str | None,
    points: str | None,
    as_json: bool,
) -> None:
    """Bring results into a project, as proposals that wait in its tasks."""
    from annotator.services.batch.job_results import collect
    from annotator.services.project.projects import open_project

    trackers = trackers_named(tracker, points)

    opened = open_project(project)
    try:
        sign_in(opened)
        collected = collect(opened, folder, trackers)
    finally:
        opened.close()
    for text in collected.damaged:
        fail(text)
    words = (
        f"{many(collected.n_gaps, 'gap')} and {many(collected.n_objects, 'object')} collected, "
        f"{collected.n_waiting} without a result"
    )
    counts = {
        "n_gaps": collected.n_gaps,
        "n_objects": collected.n_objects,
        "n_waiting": collected.n_waiting,
    }
    _tell(as_json, words, **counts, damaged=collected.damaged)
    if collected.damaged:
        context.exit(FAILURE)


def _tell(as_json: bool, words: str, **values: object) -> None:
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else words)
