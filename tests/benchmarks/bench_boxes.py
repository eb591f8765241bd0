"""Box proposals against exact truth: how good, how fast, and whether doubt finds the mistakes.

Every scene is measured by all methods in turn. "Every 30th": a human box on each 30th frame (its
share of frames at IoU 0.5 and 0.7 is counted over all frames with the object in view). "Rater":
starts from the first box, looks at each 30th frame and amends where IoU < 0.7, or where the object
has left or returned unnoticed. Speed is CPU time on one core for both passes and fusion, without
decoding.
Run as ``python -m tests.benchmarks.bench_boxes [SCENE ...]``; ends with status 1 when a target is
missed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist import propose
from annotator.assist.boxes import arrays as bx
from annotator.domain.proposals.box_proposals import Anchor
from tests.benchmarks.scenes import Scene, SceneSpec, benchmark_specs, make_scene

STEP = 30
Boxes = NDArray[np.float64]
# Follows from a box on a frame onward: (frame, box or NaN), as long as it is asked.
Follow = Callable[[Scene, int, Boxes], Iterator[tuple[int, Boxes]]]


@dataclass(frozen=True)
class Target:
    """A number to reach; `at_least` False means at most."""

    what: str
    limit: float
    at_least: bool = True

    def is_met(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


TARGETS = {
    "share": Target("share of frames with IoU >= 0.7", 0.86),
    "corrections": Target("corrections per 1000 frames", 15.0, at_least=False),
    "speed": Target("frames/s per object at 720p, one core", 25.0),
    "doubt": Target("share of bad frames in the 20 % least confident", 0.5),
}


@dataclass
class Result:
    """One method on one scene."""

    overlaps: Boxes  # IoU on the frames with the object in view, human boxes included
    corrections: float  # per 1000 frames
    cpu_ms: float = float("nan")  # per frame
    confidence: Boxes | None = None  # on the frames without human box
    doubted: Boxes | None = None  # IoU on the same frames


def measure(spec: SceneSpec) -> dict[str, Result]:
    """Measure every method on one scene, on one core."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[spec.seed % len(cores)]})
    cv2.setNumThreads(1)
    scene = make_scene(spec)
    return {
        "interpolation": _interpolation(scene),
        "CSRT forward": _csrt(scene),
        "proposals": _proposals(scene),
    }


def _grid(scene: Scene) -> list[int]:
    return list(range(0, len(scene), STEP))


def _present(scene: Scene) -> NDArray[np.bool_]:
    return ~np.isnan(scene.boxes[:, 0])


def _interpolation(scene: Scene) -> Result:
    found = np.full_like(scene.boxes, np.nan)
    for start in _grid(scene):
        end = min(start + STEP, len(scene) - 1)
        first, last = scene.boxes[start], scene.boxes[end]
        last = first if np.isnan(last[0]) or end % STEP else last
        found[start : end + 1] = bx.between(first, last, end - start)
    overlaps = bx.iou(found, scene.boxes)[_present(scene)]
    return Result(overlaps, _corrections(scene, _stay))


def _csrt(scene: Scene) -> Result:
    found = np.full_like(scene.boxes, np.nan)
    began = time.process_time()
    for start in _grid(scene):
        found[start] = scene.boxes[start]
        if not np.isnan(scene.boxes[start, 0]):
            for frame, box in _csrt_onward(scene, start, scene.boxes[start]):
                if frame == start + STEP:
                    break
                found[frame] = box
    cpu_ms = (time.process_time() - began) / len(scene) * 1000
    overlaps = bx.iou(found, scene.boxes)[_present(scene)]
    return Result(overlaps, _corrections(scene, _csrt_onward), cpu_ms)


def _proposals(scene: Scene) -> Result:
    anchors = [Anchor(frame, bx.to_box(scene.boxes[frame])) for frame in _grid(scene)]
    found, confidence = np.full_like(scene.boxes, np.nan), np.ones(len(scene))
    for anchor in anchors:
        found[anchor.frame] = scene.boxes[anchor.frame]
    began = time.process_time()
    for frame, box, sure, _ in propose(scene, anchors, (0, len(scene))):
        found[frame], confidence[frame] = bx.from_box(box), sure
    cpu_ms = (time.process_time() - began) / len(scene) * 1000
    present = _present(scene)
    overlaps = bx.iou(found, scene.boxes)
    asked = present & (np.arange(len(scene)) % STEP != 0)
    return Result(
        overlaps[present],
        _corrections(scene, _propose_onward),
        cpu_ms,
        confidence[asked],
        overlaps[asked],
    )


def _stay(scene: Scene, frame: int, box: Boxes) -> Iterator[tuple[int, Boxes]]:
    for later in range(frame + 1, len(scene)):
        yield later, box


def _csrt_onward(scene: Scene, frame: int, box: Boxes) -> Iterator[tuple[int, Boxes]]:
    """OpenCV's CSRT as it comes, on full pictures."""
    tracker = cv2.TrackerCSRT_create()
    low = np.round(box[:2]).astype(int)
    size = np.maximum(np.round(box[2:]).astype(int) - low, 2)
    try:
        tracker.init(_bgr(scene, frame), (*low.tolist(), *size.tolist()))
    except cv2.error:
        yield from _stay(scene, frame, box)
        return
    for later in range(frame + 1, len(scene)):
        is_found, (x, y, w, h) = tracker.update(_bgr(scene, later))
        if is_found:
            box = np.array([x, y, x + w, y + h], np.float64)
        yield later, box


def _propose_onward(scene: Scene, frame: int, box: Boxes) -> Iterator[tuple[int, Boxes]]:
    anchor = Anchor(frame, bx.to_box(box))
    for later, found, *_ in propose(scene, [anchor], (frame + 1, len(scene))):
        yield later, bx.from_box(found)


def _bgr(scene: Scene, frame: int) -> NDArray[np.uint8]:
    return np.ascontiguousarray(scene.image(frame)[..., ::-1])


def _corrections(scene: Scene, follow: Follow) -> float:
    """What the rater corrects, per 1000 frames."""
    amended = 0
    at: int | None = 0
    while at is not None:
        at = _first_wrong(scene, follow, at)
        amended += at is not None
    return amended / len(scene) * 1000


def _first_wrong(scene: Scene, follow: Follow, start: int) -> int | None:
    """The next grid frame at which the rater, who has just fixed `start`, amends again."""
    box = scene.boxes[start]
    if np.isnan(box[0]):
        later = range(start + STEP, len(scene), STEP)
        return next((frame for frame in later if not np.isnan(scene.boxes[frame, 0])), None)
    for frame, found in follow(scene, start, box):
        truth = scene.boxes[frame]
        if frame % STEP:
            continue
        is_right = np.isnan(found[0]) if np.isnan(truth[0]) else bx.iou(found, truth) >= 0.7
        if not is_right:
            return frame
    return None


def _caught(results: list[Result]) -> float:
    """Share of the bad frames (IoU < 0.7) among the fifth of lowest confidence."""
    confidence = np.concatenate([r.confidence for r in results if r.confidence is not None])
    overlaps = np.concatenate([r.doubted for r in results if r.doubted is not None])
    order = np.argsort(confidence, kind="stable")
    bad = overlaps[order] < 0.7
    return float(bad[: len(bad) // 5].sum() / max(bad.sum(), 1))


def _table(specs: list[SceneSpec], measured: list[dict[str, Result]]) -> dict[str, float]:
    _line(f"{'scene':14}" + "".join(f"{name:>16}" for name in measured[0]))
    for spec, methods in zip(specs, measured, strict=True):
        cells = (
            f"{(r.overlaps >= 0.7).mean():10.2f} {r.corrections:5.1f}" for r in methods.values()
        )
        _line(f"{spec.name:14}" + "".join(cells))
    _line(f"\n{'method':16}{'IoU':>7}{'>=0.5':>7}{'>=0.7':>7}{'corr/1000':>11}{'fps 720p':>10}")
    reached: dict[str, float] = {}
    for name in measured[0]:
        results = [methods[name] for methods in measured]
        large = [r.cpu_ms for s, r in zip(specs, results, strict=True) if s.size == (1280, 720)]
        reached = {
            "share": float(np.mean([(r.overlaps >= 0.7).mean() for r in results])),
            "corrections": float(np.mean([r.corrections for r in results])),
            "speed": 1000 / float(np.mean(large)),
        }
        mean = np.mean([r.overlaps.mean() for r in results])
        half = np.mean([(r.overlaps >= 0.5).mean() for r in results])
        _line(
            f"{name:16}{mean:7.2f}{half:7.2f}{reached['share']:7.2f}"
            f"{reached['corrections']:11.1f}{reached['speed']:10.0f}"
        )
    reached["doubt"] = _caught([methods["proposals"] for methods in measured])
    return reached


def _line(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def main() -> int:
    """Print the tables; 1 when a target is missed."""
    names = sys.argv[1:]
    specs = [spec for spec in benchmark_specs() if not names or spec.name in names]
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        measured = list(pool.map(measure, specs))
    reached = _table(specs, measured)
    _line("")
    for key, target in TARGETS.items():
        verdict = "met" if target.is_met(reached[key]) else "MISSED"
        bound = "at least" if target.at_least else "at most"
        _line(f"{target.what}: {reached[key]:.2f} ({bound} {target.limit:g}): {verdict}")
    return int(not all(target.is_met(reached[key]) for key, target in TARGETS.items()))


if __name__ == "__main__":
    sys.exit(main())
