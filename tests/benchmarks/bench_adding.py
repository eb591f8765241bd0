"""How fast many videos go into a project: by several processes, and by one.

A thousand small clips of different content, with sound, are read (hashed, indexed, their sound
counted) and written with a task each. Files per second by processes and by one process of the same
kind, in turn, the best of each; and how long the project could not be written by anybody else, as
99 of 100 gestures would see it. What several processes gain is judged only where others leave the
cores free. Run as ``python -m tests.benchmarks.bench_adding [CLIPS]``; ends with status 1 when a
target is missed.
"""

from __future__ import annotations

import os
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

from annotator.services.project.bulk_import import add_media
from annotator.services.project.projects import OpenProject, create_project
from tests.media.clips import make

LONGEST_WAIT_MS = 100.0
LEAST_GAIN = 1.2
TURNS = 3


def main() -> int:
    """Measure in turn with one process and with as many as there are cores; print a table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    cores = min(8, os.cpu_count() or 1)
    load = os.getloadavg()[0]
    speeds: dict[int, list[float]] = {1: [], cores: []}
    waits: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        clips = _clips(Path(folder) / "clips", count)
        for turn in range(TURNS):
            for processes in speeds:
                path = Path(folder) / f"{turn}-{processes}.annot"
                speed, wait = _measure(path, clips[turn::TURNS], processes)
                speeds[processes].append(speed)
                waits.append(wait)
    gained = max(speeds[cores]) / max(speeds[1])
    sys.stdout.write(f"gain {gained:.2f} with {cores} cores; load before it began: {load:.1f}\n")
    is_judged = cores > 1 and load < cores / 2
    return int((is_judged and gained < LEAST_GAIN) or min(waits) > LONGEST_WAIT_MS)


def _clips(folder: Path, count: int) -> list[Path]:
    """Write clips that differ in a box no reader looks into, and so in content."""
    folder.mkdir()
    body = make("sound_later_mp4", folder).read_bytes()
    paths = [folder / f"{i:05d}.mp4" for i in range(count)]
    for i, path in enumerate(paths):
        path.write_bytes(body + struct.pack(">I4sQ", 16, b"free", i))
    return paths


def _measure(path: Path, clips: list[Path], processes: int) -> tuple[float, float]:
    """Return files per second, and the wait for the project in milliseconds."""
    project = create_project(path, title="Many")
    ended = threading.Event()
    waits: list[float] = [0.0]
    watcher = threading.Thread(target=_watch, args=(project, ended, waits))
    watcher.start()
    began = time.perf_counter()
    report = add_media(project, clips, processes=processes)
    took = time.perf_counter() - began
    ended.set()
    watcher.join()
    assert len(report.added) == len(clips)
    project.close()
    speed, wait = len(clips) / took, sorted(waits)[len(waits) * 99 // 100] * 1000
    sys.stdout.write(
        f"{processes} processes: {speed:.0f} files/s, {took:.1f} s for {len(clips)};"
        f" 99 of 100 gestures wait {wait:.0f} ms at most (target {LONGEST_WAIT_MS:g})\n"
    )
    sys.stdout.flush()
    return speed, wait


def _watch(project: OpenProject, ended: threading.Event, waits: list[float]) -> None:
    """Ask for the project every few milliseconds, as somebody who edits does."""
    while not ended.wait(0.005):
        began = time.perf_counter()
        with project.media.together():
            waits.append(time.perf_counter() - began)


if __name__ == "__main__":
    sys.exit(main())
