"""``annotator batch``: proposals for many videos, overnight or on a cluster."""

from __future__ import annotations

import json
from pathlib import Path

import click

from annotator.cli.common import output
from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.findings import show_findings
from annotator.cli.common.progress import progress
from annotator.cli.common.words import many
from annotator.cli.team.people import sign_in

_project = click.argument("project", type=click.Path(path_type=Path))
_jobs = click.argument("jobs", type=click.Path(path_type=Path))
_folder = click.argument("folder", metavar="RESULTS", type=click.Path(path_type=Path))
_tracker = click.option(
    "--tracker", default=None, help="Tracker to use. Default: the standard one."
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
@_tracker
@output.force_option
@_json
def plan_command(
    project: Path, jobs: Path, tracker: str | None, force: bool, as_json: bool
) -> None:
    """List what is to be tracked: the gaps of all drafts in progress."""
    from annotator.assist import DEFAULT, installed
    from annotator.services.batch.plan import plan
    from annotator.services.project.projects import open_project

    output.check(jobs, project, writes="json", force=force)
    name = tracker or DEFAULT
    installed().get(name)
    opened = open_project(project, read_only=True)
    try:
        with progress("Planning") as report:
            done = plan(opened, jobs, name, report)
    finally:
        opened.close()
    show_findings(done.findings)
    words = f"{jobs}: {many(done.n_jobs, 'video')}, {many(done.n_gaps, 'gap')}"
    _tell(as_json, words, n_videos=done.n_jobs, n_gaps=done.n_gaps)


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
    as_json: bool,
) -> None:
    """Track what JOBS lists and write the results into a folder.

    Gaps that have a result are skipped. Press Ctrl+C to stop; what is finished
    is kept. Workers of a cluster need this program and the same paths to the
    videos and to RESULTS. Whoever reaches a scheduler can run code on its
    workers: use TLS outside of a closed network.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.batch.plan import read_plan
    from annotator.services.batch.running import run

    given = {"ca": tls_ca, "cert": tls_cert, "key": tls_key}
    certificates = {key: path for key, path in given.items() if path is not None}
    if certificates and len(certificates) < len(given):
        raise click.UsageError("TLS needs all three: --tls-ca, --tls-cert and --tls-key.")
    planned = read_plan(jobs)
    with progress("Tracking", lambda: f"Stopped. Results are kept in {folder}.") as report:
        done = run(
            planned,
            folder.absolute(),
            JobToken(report),
            workers=workers,
            scheduler=scheduler,
            certificates=certificates,
        )
    failed = [each for each in done if each.error]
    for each in failed:
        fail(f"{each.name}: {each.error}")
    n_made, n_known = sum(d.n_made for d in done), sum(d.n_known for d in done)
    seconds = sum(d.seconds for d in done)
    rate = sum(d.n_frames for d in done) / seconds if seconds > 0 else 0.0
    words = f"{many(n_made, 'gap')} tracked, {n_known} known, {rate:.0f} frames/s and process"
    _tell(as_json, words, n_made=n_made, n_known=n_known, n_failed=len(failed), frames_s=rate)
    if failed:
        context.exit(FAILURE)


@batch_group.command("status")
@_jobs
@_folder
@_json
def status_command(jobs: Path, folder: Path, as_json: bool) -> None:
    """Show how far a run is, wherever it runs."""
    from annotator.services.batch.plan import read_plan
    from annotator.services.batch.running import status

    now = status(read_plan(jobs), folder)
    lines = [f"{now.n_done} of {many(now.n_gaps, 'gap')} tracked, {len(now.failed)} failed"]
    lines += [one_line(f"{name}: {reason}") for name, reason in now.failed.items()]
    _tell(as_json, "\n".join(lines), n_done=now.n_done, n_gaps=now.n_gaps, failed=dict(now.failed))


@batch_group.command("collect")
@_project
@_folder
@_tracker
@_json
@click.pass_context
def collect_command(
    context: click.Context, project: Path, folder: Path, tracker: str | None, as_json: bool
) -> None:
    """Bring results into the drafts of a project, as proposals."""
    from annotator.assist import DEFAULT
    from annotator.services.batch.plan import collect
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        done = collect(opened, folder, tracker or DEFAULT)
    finally:
        opened.close()
    for text in done.damaged:
        fail(text)
    words = f"{many(done.n_gaps, 'gap')} collected, {done.n_waiting} without a result"
    _tell(as_json, words, n_gaps=done.n_gaps, n_waiting=done.n_waiting, damaged=done.damaged)
    if done.damaged:
        context.exit(FAILURE)


def _tell(as_json: bool, words: str, **values: object) -> None:
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else words)
