"""Point proposals against exact truth: how good, how fast, and whether doubt finds the mistakes.

The first and the last visible frame of each point are given; measured are the frames between, with
the measures of TAP-Vid at 256 x 256: position accuracy and Jaccard, both the mean over 1, 2, 4, 8
and 16 pixels, and occlusion accuracy. A rater must correct a frame whose point is visible and off
by more than 4 pixels of those, or whose occlusion is wrong. Speed is CPU time on one core for ten
points of one object, without decoding.
Run as ``python -m tests.benchmarks.bench_points [SCENE ...]``; ends with status 1 when a target is
missed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.points.follower import FlowFollower
from annotator.domain.geometry import Point
from tests.benchmarks.point_scenes import PointScene, PointSceneSpec, make_point_scene, point_specs

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
# For points [k] with first and last frames: places [k, t, 2], hidden [k, t], confidence [k, t].
Method = Callable[[PointScene, Ints], tuple[Floats, Bools, Floats]]

PIXELS = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
_CORRECT_PX = 4.0
_SHORTEST = 12


@dataclass(frozen=True)
class Measured:
    """One method on one scene; `sure` and `wrong` are of all judged frames."""

    accuracy: float
    jaccard: float
    occlusion: float
    median_px: float
    sure: Floats
    wrong: Bools
    cpu_ms: float


def measure(spec: PointSceneSpec) -> dict[str, Measured]:
    """Measure every method on one scene, on one core."""
    cv2.setNumThreads(1)
    scene = make_point_scene(spec)
    return measure_scene(scene)


def measure_scene(scene: PointScene) -> dict[str, Measured]:
    """Measure every method on pictures that are there."""
    return {name: _judge(scene, method) for name, method in point_methods().items()}


def point_methods() -> dict[str, Method]:
    """Return the proposals and what they are compared with."""
    return {
        "interpolation": _interpolated,
        "LK forward": lambda s, e: _lucas_kanade(s, e, is_fused=False),
        "LK both ways": lambda s, e: _lucas_kanade(s, e, is_fused=True),
        "proposals": _proposed,
    }


def _judge(scene: PointScene, method: Method) -> Measured:
    ends = _ends(scene)
    began = time.process_time()
    xy, hidden, sure = method(scene, ends)
    cpu_ms = (time.process_time() - began) / len(scene) * 1000
    height, width = scene.image(0).shape[:2]
    off = np.linalg.norm((xy - scene.xy) * [256 / width, 256 / height], axis=2)
    frames = np.arange(len(scene))
    asked = (
        (frames > ends[:, :1]) & (frames < ends[:, 1:]) & (ends[:, 1:] - ends[:, :1] > _SHORTEST)
    )
    visible, shown = scene.visible & asked, ~hidden & asked
    within = off[..., None] < PIXELS
    right = (within & (visible & shown)[..., None]).sum((0, 1))
    false = (shown[..., None] & ~(within & visible[..., None])).sum((0, 1))
    wrong = np.where(visible, (off > _CORRECT_PX) | hidden, ~hidden)
    return Measured(
        float(within[visible].mean()),
        float((right / (visible.sum() + false)).mean()),
        float((hidden != scene.visible)[asked].mean()),
        float(np.median(off[visible])),
        sure[asked],
        wrong[asked],
        cpu_ms,
    )


def _ends(scene: PointScene) -> Ints:
    """First and last visible frame of each point, [k, 2]."""
    last = scene.visible.shape[1] - 1 - scene.visible[:, ::-1].argmax(axis=1)
    return np.stack([scene.visible.argmax(axis=1), last], axis=1)


def _interpolated(scene: PointScene, ends: Ints) -> tuple[Floats, Bools, Floats]:
    rows = np.arange(len(ends))
    first, last = scene.xy[rows, ends[:, 0]], scene.xy[rows, ends[:, 1]]
    share = (np.arange(len(scene)) - ends[:, :1]) / np.maximum(ends[:, 1:] - ends[:, :1], 1)
    xy = first[:, None] + share[..., None] * (last - first)[:, None]
    return xy, np.zeros(xy.shape[:2], bool), np.ones(xy.shape[:2])


def _lucas_kanade(scene: PointScene, ends: Ints, *, is_fused: bool) -> tuple[Floats, Bools, Floats]:
    """OpenCV's pyramidal LK, chained; fused: switched where both ways come closest."""
    images = [scene.image(frame) for frame in range(len(scene))]
    grays = [np.asarray(cv2.cvtColor(i, cv2.COLOR_RGB2GRAY), np.uint8) for i in images]
    ahead, lost = _chain(scene, grays, ends[:, 0], range(len(grays)))
    if is_fused:
        back, lost_back = _chain(scene, grays, ends[:, 1], range(len(grays) - 1, -1, -1))
        for row, (start, stop) in enumerate(ends):
            apart = np.linalg.norm(ahead[row] - back[row], axis=1)[start : stop + 1]
            switch = start + int(np.argmin(apart))
            ahead[row, switch:] = back[row, switch:]
            lost[row, switch:] = lost_back[row, switch:]
    return ahead, lost, np.ones(lost.shape)


def _chain(
    scene: PointScene, grays: list[NDArray[np.uint8]], starts: Ints, order: range
) -> tuple[Floats, Bools]:
    xy = np.full_like(scene.xy, 0.0)
    lost = np.zeros(xy.shape[:2], bool)
    for frame in order:
        new = starts == frame
        xy[new, frame] = scene.xy[new, frame]
        old = (frame - starts) * order.step > 0
        if not old.any():
            continue
        before = frame - order.step
        seeds = np.ascontiguousarray((xy[old, before] - 0.5)[:, None].astype(np.float32))
        moved, _, _ = cv2.calcOpticalFlowPyrLK(
            grays[before], grays[frame], seeds, seeds.copy(), winSize=(21, 21), maxLevel=3
        )
        back, _, _ = cv2.calcOpticalFlowPyrLK(
            grays[frame], grays[before], moved, moved.copy(), winSize=(21, 21), maxLevel=3
        )
        xy[old, frame] = np.asarray(moved)[:, 0] + 0.5
        lost[old, frame] = np.linalg.norm(np.asarray(back) - seeds, axis=2)[:, 0] > 1.0
    return xy, lost


def _proposed(scene: PointScene, ends: Ints) -> tuple[Floats, Bools, Floats]:
    xy, hidden, sure = _interpolated(scene, ends)
    for body in np.unique(scene.body):
        anchors = {}
        for row in np.flatnonzero(scene.body == body).tolist():
            anchors[str(row)] = [(int(f), Point(*scene.xy[row, f].tolist())) for f in ends[row]]
        for name, found in FlowFollower().propose_points(scene, anchors, cancel=lambda: False):
            row = int(name)
            sure[row, found.frame] = found.confidence
            hidden[row, found.frame] = found.occluded or found.xy is None
            if found.xy is not None:
                xy[row, found.frame] = found.xy.x, found.xy.y
    return xy, hidden, sure


def _caught(results: list[Measured]) -> float:
    """Share of the frames to correct among the fifth of lowest confidence."""
    sure = np.concatenate([r.sure for r in results])
    wrong = np.concatenate([r.wrong for r in results])[np.argsort(sure, kind="stable")]
    return float(wrong[: len(wrong) // 5].sum() / max(wrong.sum(), 1))


def _table(specs: list[PointSceneSpec], measured: list[dict[str, Measured]]) -> bool:
    _line(f"{'scene':14}" + "".join(f"{name:>16}" for name in measured[0]) + "   (accuracy, AJ)")
    for spec, methods in zip(specs, measured, strict=True):
        cells = (f"{r.accuracy:10.2f} {r.jaccard:5.2f}" for r in methods.values())
        _line(f"{spec.name:14}" + "".join(cells))
    _line(f"\n{'method':16}{'accuracy':>9}{'AJ':>7}{'occl.':>7}{'median px':>11}{'fps 720p':>10}")
    for name in measured[0]:
        results = [methods[name] for methods in measured]
        large = [
            r.cpu_ms for s, r in zip(specs, results, strict=True) if s.size == (1280, 720)
        ] or [float("nan")]
        accuracy, jaccard, occlusion, median = np.mean(
            [(r.accuracy, r.jaccard, r.occlusion, r.median_px) for r in results], axis=0
        )
        speed = 1000 / float(np.mean(large))
        _line(f"{name:16}{accuracy:9.2f}{jaccard:7.2f}{occlusion:7.2f}{median:11.1f}{speed:10.0f}")
    reached = [
        ("average Jaccard", jaccard, 0.5),
        ("position accuracy", accuracy, 0.65),
        ("share of frames to correct in the 20 % least confident", _caught(results), 0.38),
        ("frames/s, ten points of one object at 720p, one core", speed, 20.0),
    ]
    _line("")
    for what, value, limit in reached:
        verdict = "met" if value >= limit else "MISSED"
        _line(f"{what}: {value:.2f} (at least {limit:g}): {verdict}")
    return all(value >= limit for _, value, limit in reached)


def _line(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def main() -> int:
    """Print the tables; 1 when a target is missed."""
    names = sys.argv[1:]
    specs = [spec for spec in point_specs() if not names or spec.name in names]
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        measured = list(pool.map(measure, specs))
    return int(not _table(specs, measured))


if __name__ == "__main__":
    sys.exit(main())
