"""Speed and exactness of the media engine against ffmpeg, torchcodec and decord.

All readers take turns within one run, so that a busy machine is busy for all; of a few rounds the
best time of each counts. Run with ``python -m tests.benchmarks.bench_media`` or ``make bench``.
Prints ratios; exit status 1 when a target is missed.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np

from annotator.media import FrameTable, Video
from annotator.media.index.indexing import build_table
from tests.benchmarks import media_clips
from tests.benchmarks.media_readers import (
    Opener,
    Ours,
    OursDecodeOnly,
    ffmpeg_sequential,
    references,
)
from tests.media import clips as hard_clips
from tests.media.reference import sequential

ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """One measured ratio and its target; ``limit`` None: for information."""

    what: str
    value: float
    unit: str
    limit: float | None
    is_minimum: bool
    detail: str

    @property
    def is_met(self) -> bool:
        if self.limit is None:
            return True
        return self.value >= self.limit if self.is_minimum else self.value <= self.limit

    def text(self) -> str:
        sign = ">=" if self.is_minimum else "<="
        target = "" if self.limit is None else f"{sign} {self.limit:g}"
        verdict = "" if self.limit is None else ("met" if self.is_met else "MISSED")
        value = f"{self.value:.2f}{self.unit}"
        return f"{self.what:<46}{value:>10}  {target:<8}{verdict:<8}{self.detail}"


def run(folder: Path) -> list[Row]:
    """Measure everything on clips made in ``folder``."""
    found = references()
    for line in found.missing:
        _say(line)
    phone, long = (
        media_clips.phone_like(folder / "p.mp4"),
        media_clips.long_groups(folder / "l.mp4"),
    )
    rows = _said(_exactness(folder))
    for name, path in (("720p phone-like", phone), ("1080p30 long groups", long)):
        table = build_table(path)
        rows += _said(_sequential(name, path, table, found.readers))
        rows += _said(_random_access(name, path, table, found.readers))
        rows += _said(_stepping_back(name, path, table))
        rows += _said(_scrubbing(name, path, table, found.readers))
    return rows + _said(_index(folder))


def _said(rows: list[Row]) -> list[Row]:
    for row in rows:
        _say(row.text())
    return rows


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


# --- exactness ------------------------------------------------------------------------------


def _exactness(folder: Path) -> list[Row]:
    right = 0
    for name in hard_clips.CLIPS:
        path = hard_clips.make(name, folder)
        truth = sequential(path)
        with Video(path, budget_bytes=1) as video:
            turn = video.table.orientation.apply
            order = [*range(len(video)), *random.Random(9).sample(range(len(video)), len(video))]
            right += len(video) == len(truth) and all(
                np.array_equal(video.image(i), turn(truth[i])) for i in order
            )
    total = len(hard_clips.CLIPS)
    detail = f"{right} of {total} hard clips, every frame in order and at random"
    return [Row("exact", 100.0 * right / total, " %", 100.0, True, detail)]


# --- speed ----------------------------------------------------------------------------------


def _read_all(opener: Opener, path: Path, table: FrameTable, order: Sequence[int]) -> list[float]:
    """Seconds for each frame of an order, from a reader opened for it."""
    reader = opener(path, table)
    times = []
    for index in order:
        start = time.perf_counter()
        reader.read(index)
        times.append(time.perf_counter() - start)
    reader.close()
    return times


def _best(tasks: dict[str, Callable[[], list[float]]]) -> dict[str, list[float]]:
    """Let tasks take turns for some rounds; of each the round with the least total counts."""
    best: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            times = task()
            if name not in best or sum(times) < sum(best[name]):
                best[name] = times
    return best


def _task(
    opener: Opener, path: Path, table: FrameTable, order: Sequence[int]
) -> Callable[[], list[float]]:
    return lambda: _read_all(opener, path, table, order)


def _timed(action: Callable[[], object]) -> Callable[[], list[float]]:
    def task() -> list[float]:
        start = time.perf_counter()
        action()
        return [time.perf_counter() - start]

    return task


def _sequential(name: str, path: Path, table: FrameTable, others: dict[str, Opener]) -> list[Row]:
    everything = range(len(table))
    tasks = {
        "decode": _task(OursDecodeOnly, path, table, everything),
        "ours": _task(Ours, path, table, everything),
    }
    if shutil.which("ffmpeg"):
        tasks["ffmpeg"] = _timed(lambda: ffmpeg_sequential(path))
    else:
        _say("ffmpeg is not installed: the sequential comparison with it is left out")
    if "torchcodec" in others:
        tasks["torchcodec"] = _task(others["torchcodec"], path, table, everything)
    sums = {key: sum(times) for key, times in _best(tasks).items()}
    detail = f"{len(table) / sums['decode']:.0f} frames/s; with RGB {len(table) / sums['ours']:.0f}"
    rows = []
    if "ffmpeg" in sums:
        ratio = sums["ffmpeg"] / sums["decode"]
        rows.append(Row(f"{name}: in order / ffmpeg -f null", ratio, " x", 0.95, True, detail))
    if "torchcodec" in sums:
        ratio = sums["torchcodec"] / sums["ours"]
        rows.append(Row(f"{name}: RGB in order / torchcodec", ratio, " x", None, True, ""))
    return rows


def _random_access(
    name: str, path: Path, table: FrameTable, others: dict[str, Opener]
) -> list[Row]:
    if "torchcodec" not in others:
        return []
    order = random.Random(4).sample(range(len(table)), 40)
    tasks = {
        "ours": _task(Ours, path, table, order),
        "torchcodec": _task(others["torchcodec"], path, table, order),
    }
    best = _best(tasks)
    rows = []
    for share in (50, 95):
        ours, theirs = (1e3 * float(np.percentile(best[key], share)) for key in tasks)
        detail = f"{ours:.1f} ms, torchcodec {theirs:.1f} ms"
        rows.append(
            Row(f"{name}: random p{share} / torchcodec", ours / theirs, " x", 1.15, False, detail)
        )
    return rows


def _stepping_back(name: str, path: Path, table: FrameTable) -> list[Row]:
    """Frame by frame back through the second half, and what filling one whole group costs."""
    order = range(len(table) - 1, len(table) // 2, -1)
    syncs = table.sync_packet
    group = np.flatnonzero(table.frame_packet >= syncs[len(syncs) // 2])
    refill = range(int(group[0]), int(min(group[0] + np.diff(syncs).max(), len(table))))
    best = _best(
        {
            "back": _task(Ours, path, table, order),
            "refill": _timed(lambda: _read_all(Ours, path, table, refill)),
        }
    )
    middle, late = (1e3 * float(np.percentile(best["back"], share)) for share in (50, 95))
    whole = 1e3 * best["refill"][0]
    detail = f"{late:.1f} ms; one group of {len(refill)}: {whole:.0f} ms"
    return [
        Row(f"{name}: one back p50", middle, " ms", 2.0, False, ""),
        Row(f"{name}: one back p95 / group", late / whole, " x", 1.2, False, detail),
    ]


def _scrubbing(name: str, path: Path, table: FrameTable, others: dict[str, Opener]) -> list[Row]:
    if not others:
        return []
    order = range(5, len(table), 10)
    tasks = {"ours": _task(Ours, path, table, order)}
    tasks |= {key: _task(opener, path, table, order) for key, opener in others.items()}
    sums = {key: sum(times) for key, times in _best(tasks).items()}
    rival = min(others, key=lambda key: sums[key])
    detail = ", ".join(f"{key} {1e3 * sums[key] / len(order):.1f} ms" for key in sums)
    ratio = sums[rival] / sums["ours"]
    return [Row(f"{name}: every 10th / best ({rival})", ratio, " x", 1.0, True, detail)]


def _index(folder: Path) -> list[Row]:
    source = media_clips.small_phone(folder / "s.mp4")
    path = media_clips.two_hours(source, folder / "two_hours.mp4")
    silent = media_clips.without_sound(path, folder / "silent.mp4")
    rows = _index_of(path, "with sound") + _index_of(silent, "silent")
    path.unlink()
    silent.unlink()
    return rows


def _index_of(path: Path, kind: str) -> list[Row]:
    def demux() -> None:
        with av.open(str(path)) as container:
            for _ in container.demux(container.streams.video[0]):
                pass

    best = _best({"demux": _timed(demux), "index": _timed(lambda: build_table(path))})
    index, plain = best["index"][0], best["demux"][0]
    detail = f"{index:.2f} s, demux {plain:.2f} s, 216,000 frames"
    return [Row(f"index of 2 hours, {kind} / demux", index / plain, " x", 1.1, False, detail)]


def test_media_targets(tmp_path: Path) -> None:
    """All media targets hold on this machine."""
    assert [row.what for row in run(tmp_path) if not row.is_met] == []


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="bench-media-") as scratch:
        sys.exit(0 if all(row.is_met for row in run(Path(scratch))) else 1)
