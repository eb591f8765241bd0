"""What a reviewer waits for: comparing two large documents, and following one edit.

200 objects on 1,800 frames, with a keyframe each second, on every third frame and on every frame;
both documents are read from scratch, so that no value is shared. The yardstick of the same run is
msgspec writing both documents as JSON, which looks at every value once, in C. Times are CPU time,
the median of several runs. Run as ``python -m tests.benchmarks.bench_review``; ends with status 1
when a target is missed.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.commands import SetKeyframe
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TrackId
from annotator.domain.review import diff, updated
from tests.domain.edits import make_video

TRACKS, FRAMES = 200, 1800
DIFF_MS, FOLLOW_MS = 150.0, 5.0
RUNS = 7


def document(step: int, *, moved_every: int | None) -> Document:
    """Return the work with a keyframe each ``step`` frames; each ``moved_every``-th is another."""
    tracks = [_track(i, step, moved_every) for i in range(TRACKS)]
    return Document(DraftId("d"), replace(make_video(FRAMES), grid_step=30), tracks)


def _track(number: int, step: int, moved_every: int | None) -> Track:
    keys = []
    for i, frame in enumerate(range(0, FRAMES, step)):
        shift = 3.0 if moved_every and i % moved_every == number % moved_every else 0.0
        x = number / 7 + frame / 90 + shift
        keys.append(Keyframe(frame, Box(x, x / 2, x + 40.5, x / 2 + 30.25)))
    key = TrackId(f"{number:032d}")
    return Track(TrackInfo(key, "mug", number, number), tuple(keys))


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the median CPU time of some runs, in milliseconds."""
    times = []
    for _ in range(RUNS):
        began = time.thread_time()
        work()
        times.append((time.thread_time() - began) * 1000)
    return statistics.median(times)


def main() -> int:
    """Measure all cases; print a table; return 1 when a target is missed."""
    gc.disable()  # as in the window, where it runs between gestures
    is_missed = False
    for step in (30, 3, 1):
        before = document(step, moved_every=None)
        for name, every in (("nothing changed", None), ("a tenth", 10), ("all", 1)):
            after = document(step, moved_every=every)
            ours = cpu_ms(lambda b=before, a=after: diff(b, a))  # type: ignore[misc]
            written = cpu_ms(lambda b=before, a=after: _written(b, a))  # type: ignore[misc]
            is_missed |= ours > DIFF_MS
            _say(f"every {step} frames, {name}: {len(diff(before, after))} items", ours, written)
        is_missed |= _follow(before) > FOLLOW_MS
    return int(is_missed)


def _written(*documents: Document) -> Sequence[bytes]:
    return [msgspec.json.encode(d.tracks) for d in documents]


def _follow(before: Document) -> float:
    """Measure the differences once one keyframe has been moved, with a tenth moved before."""
    after = Document(before.draft_id, before.video, before.tracks)
    step = before.tracks[0].frames[1]
    for track in document(step, moved_every=10).tracks[: TRACKS // 2]:
        after = Document(
            after.draft_id, after.video, [*(t for t in after.tracks if t.id != track.id), track]
        )
    found = diff(before, after)
    changes = SetKeyframe(after.tracks[0].id, 0, Box(1, 1, 9, 9)).plan(after)
    after.apply(changes)
    took = cpu_ms(lambda: updated(found, before, after, changes))
    sys.stdout.write(f"  one edit followed: {took:.2f} ms (target {FOLLOW_MS:g})\n")
    return took


def _say(name: str, ours: float, written: float) -> None:
    mark = "met" if ours <= DIFF_MS else "MISSED"
    sys.stdout.write(
        f"{name}: {ours:.0f} ms (target {DIFF_MS:g}, {mark});"
        f" msgspec writes both in {written:.0f} ms, ratio {ours / written:.2f}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
