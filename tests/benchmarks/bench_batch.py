"""Batches of proposals with 1, 2 and 4 processes and on a Dask cluster, against one process.

``python -m tests.benchmarks.bench_batch [VIDEOS]``. Status 1 when a task of the cluster costs more
than 10 ms beyond its work.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from pathlib import Path

from annotator.services.background.jobs import JobToken
from annotator.services.batch.job_plan import GapPass, PlannedAnchor, VideoJob, trackers_with
from annotator.services.batch.job_runners import run
from tests.e2e.conftest import make_clip

N_VIDEOS, N_OBJECTS, N_EMPTY = 12, 4, 1000
MOST_MS = 10.0
TRACKER = "fused"


def job(path: Path, n_objects: int) -> VideoJob:
    """Return the job of a video with some objects, each with one gap of 59 frames."""
    from annotator.media.index.fingerprint import content_hash

    gaps = [
        GapPass(
            hashlib.sha256(f"{path.name} {i}".encode()).hexdigest(),
            1,
            60,
            [
                PlannedAnchor(0, (20.0 + i, 60.0, 80.0 + i, 120.0)),
                PlannedAnchor(60, (140.0 + i, 60.0, 200.0 + i, 120.0)),
            ],
        )
        for i in range(n_objects)
    ]
    return VideoJob(path.name, str(path), content_hash(path), trackers_with(TRACKER), gaps)


def timed(jobs: list[VideoJob], home: Path, name: str, **how: object) -> float:
    """Return how long jobs take in a new folder of results."""
    began = time.perf_counter()
    done = run(jobs, home / name, JobToken(lambda *_: None), **how)  # type: ignore[arg-type]
    took = time.perf_counter() - began
    assert not any(each.error for each in done), done
    return took


def main(n_videos: int) -> int:
    """Measure, and print one line for each way."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        jobs = [
            job(make_clip(home / f"{i}.mp4", shade=20 + 10 * i), N_OBJECTS) for i in range(n_videos)
        ]
        n_frames = sum(gap.end - gap.start for each in jobs for gap in each.passes)
        one = timed(jobs, home, "one")
        sys.stdout.write(f"{n_videos} videos, {n_frames} frames with an object\n")
        sys.stdout.write(f"in this process: {one:.1f} s, {n_frames / one:.0f} frames/s\n")
        for workers in (2, 4):
            took = timed(jobs, home, f"{workers}", workers=workers)
            sys.stdout.write(f"{workers} processes: {took:.1f} s, {one / took:.2f} times as fast\n")
        return cluster(jobs, home, one)


def cluster(jobs: list[VideoJob], home: Path, one: float) -> int:
    """Measure a cluster of two workers on this computer, and what an empty task costs."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=None,
        host="127.0.0.1",
        local_directory=str(home / "dask"),
    ) as made:
        address = made.scheduler_address
        took = timed(jobs, home, "dask", scheduler=address)
        sys.stdout.write(f"Dask, 2 workers: {took:.1f} s, {one / took:.2f} times as fast\n")
        empty = [VideoJob(f"{i}", "", "", trackers_with(TRACKER), []) for i in range(N_EMPTY)]
        each = timed(empty, home, "empty", scheduler=address) / N_EMPTY * 1000
    sys.stdout.write(f"an empty task: {each:.1f} ms (limit {MOST_MS:.0f})\n")
    return 0 if each <= MOST_MS else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else N_VIDEOS))
