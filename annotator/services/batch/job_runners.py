"""Jobs run in this process, in processes of this computer, or on a Dask cluster.

One function per video does the work everywhere. A file ``stop`` among the results asks all workers
to end; finished results are kept. A job that fails twice is listed, and the others continue.
"""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor
from annotator.domain.video_address import address_from
from annotator.services.background.process_pool import started_pool
from annotator.services.batch.batch_tracking import fill, fill_points, follow_detections
from annotator.services.batch.job_plan import GapPass, Pass, PlannedAnchor, PointPass, VideoJob
from annotator.services.batch.job_results import (
    result_path,
    write_objects,
    write_runs,
)
from annotator.services.fetching.fetch import fetch_file
from annotator.services.fetching.video_cache import video_cache
from annotator.services.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Future

    from annotator.media import Video
    from annotator.services.background.jobs import JobToken

STOP: Final = "stop"
FAILED: Final = "failed.jsonl"
_ATTEMPTS: Final = 2
_LOOK_EVERY_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class VideoOutcome:
    """Outcome of the job of one video; ``error`` is "" when all of its passes are done."""

    name: str
    n_made: int
    n_known: int
    n_frames: int
    seconds: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """How far a plan is: passes with a result, of all; and videos that failed, with reasons."""

    n_done: int
    n_passes: int
    failed: Mapping[str, str]


def run_video(
    job: bytes, folder: str, *, is_canceled: Callable[[], bool] | None = None
) -> VideoOutcome:
    """Track the missing results of one video; the function that workers call.

    Errors are part of the result, since other videos may succeed.
    """
    from annotator.assist import use_threads
    from annotator.media import FrameTable, Video
    from annotator.media.index.fingerprint import content_hash

    video_job = msgspec.json.decode(job, type=VideoJob)
    place = Path(folder)
    todo = [
        batch_pass
        for batch_pass in video_job.passes
        if not result_path(place, batch_pass.key).exists()
    ]
    n_known, n_made, n_frames, began = len(video_job.passes) - len(todo), 0, 0, time.monotonic()
    error = ""
    use_threads(1)

    def stops() -> bool:
        return (place / STOP).exists() or (is_canceled is not None and is_canceled())

    try:
        table = FrameTable.from_bytes(video_job.table) if video_job.table else None
        if todo and not stops():
            path = _file_of(video_job, stops)
            if content_hash(path) != video_job.content:
                raise ValueError("the file has another content than the one that was planned")
            with Video(path, table=table) as video:
                for batch_pass in todo:
                    n_new = _run_pass(video, batch_pass, video_job, place, stops)
                    if n_new is None:
                        break
                    n_made += 1
                    n_frames += n_new
    except (UserError, OSError, ValueError) as fault:
        error = str(fault)
    return VideoOutcome(video_job.name, n_made, n_known, n_frames, time.monotonic() - began, error)


def _file_of(job: VideoJob, stops: Callable[[], bool]) -> Path:
    """Return the file of a video: where it was planned, else fetched into the cache."""
    path = Path(job.path)
    if path.exists() or not job.address:
        return path

    def wait() -> None:
        if stops():
            raise ValueError("it was stopped")

    cache = video_cache(Settings())
    known = cache.find(job.content)
    return known or fetch_file(address_from(job.address), job.content, job.name, cache, wait=wait)


def _run_pass(
    video: Video, batch_pass: Pass, job: VideoJob, folder: Path, stops: Callable[[], bool]
) -> int | None:
    """Track and write the result; return how many frames that were, None when canceled."""
    from annotator.assist import OtherObjects

    path = result_path(folder, batch_pass.key)
    if isinstance(batch_pass, GapPass):
        boxes = batch_pass.other_boxes().astype(np.float64)
        run = fill(
            video,
            _anchors(batch_pass.anchors),
            (batch_pass.start, batch_pass.end),
            job.trackers.boxes,
            looks=_anchors(batch_pass.looks),
            others=OtherObjects(batch_pass.others_start, boxes),
            hidden_is_absent=batch_pass.hidden_is_absent,
            cancel=stops,
        )
        if run is None:
            return None
        write_runs(path, [run])
        return run.end - run.start
    if isinstance(batch_pass, PointPass):
        runs = fill_points(video, batch_pass.paths, job.trackers.points, cancel=stops)
        if runs is None:
            return None
        write_runs(path, runs)
        return sum(run.end - run.start for run in runs)
    objects = follow_detections(video, batch_pass.detections, job.trackers.boxes, cancel=stops)
    if objects is None:
        return None
    write_objects(path, objects)
    return sum(len(followed.found) for followed in objects)


def _anchors(planned: Sequence[PlannedAnchor]) -> list[Anchor]:
    return [Anchor(a.frame, Box(*a.box) if a.box is not None else None) for a in planned]


def run(
    jobs: Sequence[VideoJob],
    folder: Path,
    token: JobToken,
    *,
    workers: int = 1,
    scheduler: str = "",
    certificates: Mapping[str, str] | None = None,
) -> list[VideoOutcome]:
    """Run jobs and return the outcome of each that was not canceled.

    ``workers`` processes of this computer (1: in this one), or those of a Dask ``scheduler``
    (tcp://… or tls://… with ``certificates``: ca, cert and key files). Jobs that fail are tried
    once more. CanceledError when canceled; finished results are kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STOP).unlink(missing_ok=True)
    outcomes: list[VideoOutcome] = []
    remaining = list(jobs)
    try:
        for attempt in range(_ATTEMPTS):
            if not remaining:
                break
            with _engine(workers, scheduler, certificates or {}) as engine:
                failed = []
                for i, (job, outcome) in enumerate(_outcomes(engine, remaining, folder, token)):
                    token.report((i + 1) / len(remaining), job.name)
                    if outcome.error and attempt + 1 < _ATTEMPTS:
                        failed.append(job)
                    else:
                        outcomes.append(outcome)
                remaining = failed
    except BaseException:
        # Functions that run elsewhere are not ended by taking their task back: this asks them to.
        (folder / STOP).touch()
        raise
    _list_failed(folder, outcomes)
    return outcomes


def status(jobs: Sequence[VideoJob], folder: Path) -> Status:
    """Return the progress of a plan, for any runner."""
    passes = [each for job in jobs for each in job.passes]
    n_done = sum(result_path(folder, each.key).exists() for each in passes)
    failed: dict[str, str] = {}
    path = folder / FAILED
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
            failed[str(row["video"])] = str(row["error"])
        except (ValueError, KeyError, TypeError):
            continue
    return Status(n_done, len(passes), failed)


Submit = Callable[[bytes, str], "Future[VideoOutcome]"]


def _outcomes(
    submit: Submit | None, jobs: Sequence[VideoJob], folder: Path, token: JobToken
) -> Iterator[tuple[VideoJob, VideoOutcome]]:
    """Yield the outcomes of jobs in order of completion."""
    if submit is None:
        for job in jobs:
            token.check()
            body = msgspec.json.encode(job)
            yield job, run_video(body, str(folder), is_canceled=lambda: token.is_canceled)
            token.check()
        return
    running = {submit(msgspec.json.encode(job), str(folder)): job for job in jobs}
    while running:
        token.check()
        ended, _ = wait(running, _LOOK_EVERY_S, FIRST_COMPLETED)
        for future in ended:
            job = running.pop(future)
            try:
                outcome = future.result()
            except Exception as error:  # the process or the machine died, or the cluster failed
                outcome = VideoOutcome(job.name, 0, 0, 0, 0.0, f"The worker failed: {error}")
            yield job, outcome


@contextmanager
def _engine(
    workers: int, scheduler: str, certificates: Mapping[str, str]
) -> Iterator[Submit | None]:
    if scheduler:
        with _cluster(scheduler, certificates) as submit:
            yield submit
    elif workers > 1:
        with started_pool(workers, _nothing, ()) as pool:
            try:
                yield lambda job, folder: pool.submit(run_video, job, folder)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    else:
        yield None


@contextmanager
def _cluster(scheduler: str, certificates: Mapping[str, str]) -> Iterator[Submit]:
    """Connect to a Dask scheduler; UserError when that cannot be."""
    try:
        dask: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise UserError(
            "Cannot use a cluster: the package distributed is not installed.",
            hint="Install it: pip install 'annotator[batch]'",
        ) from error
    security = None
    if scheduler.startswith("tls:") and not certificates:
        raise UserError(
            f"Cannot connect to the scheduler {scheduler}: it needs certificates.",
            hint="Specify --tls-ca, --tls-cert and --tls-key.",
        )
    if certificates:
        security = dask.security.Security(
            tls_ca_file=certificates["ca"],
            tls_client_cert=certificates["cert"],
            tls_client_key=certificates["key"],
            require_encryption=True,
        )
    try:
        client = dask.Client(scheduler, security=security, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UserError(
            f"Cannot connect to the scheduler {scheduler}: {error}.",
            hint="Check the address, and that the scheduler runs.",
        ) from error
    executor = client.get_executor(pure=False, retries=1)
    try:
        yield lambda job, folder: executor.submit(run_video, job, folder)
    finally:
        executor.shutdown(wait=False)
        client.close()


def _list_failed(folder: Path, done: Sequence[VideoOutcome]) -> None:
    """Write the list of failed videos, replacing the earlier one."""
    lines = [json.dumps({"video": d.name, "error": d.error}) for d in done if d.error]
    (folder / FAILED).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _nothing() -> None:
    """There is nothing to prepare in the processes."""
