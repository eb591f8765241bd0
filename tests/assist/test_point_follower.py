"""Following points: near the truth, hidden where hidden, gap by gap, and stopped at once."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from annotator.assist import installed, propose_points
from annotator.assist.point_joining import join
from annotator.assist.protocol import PointTracker
from annotator.domain.geometry import Point
from annotator.domain.point_proposal import ProposedPoint
from tests.benchmarks.point_scenes import PointScene, PointSceneSpec, make_point_scene

N_FRAMES = 41


@pytest.fixture(scope="module")
def scene() -> PointScene:
    spec = PointSceneSpec("test", 5, size=(320, 180), n_frames=N_FRAMES, passers=1, points=4,
                          travel=0.12, turn=0.4, radius=0.3)  # fmt: skip
    return make_point_scene(spec)


def _anchors(scene: PointScene, *frames: int) -> dict[str, list[tuple[int, Point]]]:
    return {
        f"point {row}": [(f, Point(*scene.xy[row, f].tolist())) for f in frames]
        for row in range(len(scene.xy))
    }


def _found(
    scene: PointScene, anchors: Mapping[str, Sequence[tuple[int, Point]]]
) -> dict[str, dict[int, ProposedPoint]]:
    found: dict[str, dict[int, ProposedPoint]] = {name: {} for name in anchors}
    for name, proposed in propose_points(scene, anchors):
        found[name][proposed.frame] = proposed
    return found


def test_points_stay_near_the_truth(scene: PointScene) -> None:
    found = _found(scene, _anchors(scene, 0, N_FRAMES - 1))
    off = []
    for row, path in enumerate(found.values()):
        assert sorted(path) == list(range(1, N_FRAMES - 1))
        assert all(0 <= p.confidence <= 1 for p in path.values())
        for frame, p in path.items():
            if scene.visible[row, frame]:
                place = (p.xy.x, p.xy.y) if p.xy else (np.inf, np.inf)
                off.append(np.hypot(*(np.array(place) - scene.xy[row, frame])))
    assert np.mean(np.array(off) < 3.0) > 0.8
    assert np.median(off) < 1.0


def test_only_gaps_between_anchors_are_filled(scene: PointScene) -> None:
    anchors = _anchors(scene, 3, 10)
    one, other = list(anchors)[:2]
    found = _found(
        scene, {one: anchors[one], other: [*anchors[other], *_anchors(scene, 14)[other]]}
    )
    assert sorted(found[one]) == list(range(4, 10))
    assert sorted(found[other]) == [*range(4, 10), *range(11, 14)]


def test_one_anchor_is_followed_to_both_ends(scene: PointScene) -> None:
    name = "point 0"
    path = _found(scene, {name: _anchors(scene, 20)[name]})[name]
    assert sorted(path) == [f for f in range(N_FRAMES) if f != 20]


def test_a_first_look_comes_early_and_cancel_stops_at_once(scene: PointScene) -> None:
    asked: list[float] = []
    n_taken = 0
    tracker = installed().get_for_points("flow-points")
    assert isinstance(tracker, PointTracker)
    anchors = _anchors(scene, 0, N_FRAMES - 1)
    for _ in tracker.propose_points(scene, anchors, cancel=lambda: bool(asked)):
        n_taken += 1
        if not asked:
            asked.append(time.process_time())
    assert time.process_time() - asked[0] < 0.1
    assert 1 <= n_taken <= len(anchors)


def test_joining_switches_where_candidates_meet() -> None:
    t = np.arange(60.0)
    truth = np.stack([t, np.zeros(60)], axis=1)
    drift = np.stack([np.zeros(60), 1.5 * np.maximum(t - 30, 0)], axis=1)
    ahead, back = truth + drift, truth + drift[::-1] * [1, -1]
    xy = np.stack([ahead] * 4 + [back] * 4)
    alike = np.stack([np.where(t <= 32, 0.95, 0.1)] * 4 + [np.where(t >= 28, 0.95, 0.1)] * 4)
    joined = join(xy, alike, is_bound=True)
    assert np.abs(joined.xy - truth).max() < 4.0
    assert not joined.is_hidden.any()
    assert joined.confidence.min() > 0.3
