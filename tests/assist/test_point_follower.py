"""Following points: near the truth, hidden where hidden, gap by gap, and stopped at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Event

import cv2
import numpy as np
import pytest

from annotator.assist import installed, propose_points
from annotator.assist.pictures import Image, Pictures
from annotator.assist.points.evidence import PointEvidence
from annotator.assist.points.path_search import paths_of, weights
from annotator.assist.points.redetection import Finder, Region
from annotator.assist.points.sweep import Motion
from annotator.assist.protocol import PointTracker
from annotator.domain.geometry import Point
from annotator.domain.proposals.point_proposals import ProposedPoint
from tests.benchmarks.point_scenes import PointScene, PointSceneSpec, make_point_scene

N_FRAMES = 41


@pytest.fixture(scope="module")
def scene() -> PointScene:
    spec = PointSceneSpec("test", 5, size=(320, 180), n_frames=N_FRAMES, passers=1, points=4,
                          travel=0.12, turn=0.4, radius=0.3)  # fmt: skip
    return make_point_scene(spec)


class _CountedFrames:
    """Frames of a scene; counts how often one is read. ``waiting`` come when told to."""

    def __init__(self, scene: PointScene, waiting: range = range(0)) -> None:
        self._scene = scene
        self._waiting = waiting
        self.n_read = 0
        self.may_go_on = Event()

    def __len__(self) -> int:
        return len(self._scene)

    def image(self, index: int) -> Image:
        if index in self._waiting:
            assert self.may_go_on.wait(20)
        self.n_read += 1
        return self._scene.image(index)


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


@pytest.mark.parametrize(("span", "expected"), [((21, 28), range(21, 28)), ((8, 20), range(8, 20))])
def test_one_anchor_is_followed_through_a_span(
    scene: PointScene, span: tuple[int, int], expected: range
) -> None:
    anchors = {"point 0": _anchors(scene, 20)["point 0"]}
    found = [each.frame for _name, each in propose_points(scene, anchors, span)]
    assert sorted(set(found)) == list(expected)


def test_a_first_look_comes_early_and_cancel_stops_at_once(scene: PointScene) -> None:
    tracker = installed().get_for_points("flow-points")
    assert isinstance(tracker, PointTracker)
    anchors = _anchors(scene, 0, N_FRAMES - 1)
    video = _CountedFrames(scene, range(5, N_FRAMES - 1))
    taken = []
    for each in tracker.propose_points(video, anchors, cancel=lambda: bool(taken)):
        taken.append(each)
        n_read = video.n_read
        video.may_go_on.set()
    assert 1 <= len(taken) <= len(anchors)
    # Two passes, each with the frame that it was at and one that was prepared.
    assert video.n_read <= n_read + 4


@pytest.mark.parametrize("n_calls", [0, 2, 5, 8])
def test_choosing_paths_asks_before_every_point_whether_it_is_canceled(n_calls: int) -> None:
    xy = np.tile(np.linspace(50.0, 90.0, 12)[:, None], (8, 1, 2))
    evidences = [_evidence(xy + 4.0 * row, np.ones((8, 12))) for row in range(5)]
    asked = 0

    def cancel() -> bool:
        nonlocal asked
        asked += 1
        return asked > n_calls

    assert paths_of(evidences, weights(), cancel) == []
    assert asked == n_calls + 1
    asked = -20
    assert len(paths_of(evidences, weights(), cancel)) == 5
    assert asked == -10


def test_frames_are_decoded_once_where_they_fit_into_memory(scene: PointScene) -> None:
    anchors = _anchors(scene, 0, N_FRAMES - 1)
    large, small = _CountedFrames(scene), _CountedFrames(scene)
    n_bytes = scene.image(0).nbytes
    whole = list(propose_points(Pictures(large), anchors))
    parts = list(propose_points(Pictures(small, budget_bytes=4 * n_bytes), anchors))
    assert large.n_read == N_FRAMES
    assert small.n_read > N_FRAMES
    assert {(n, p.frame): p.place for n, p in whole} == {(n, p.frame): p.place for n, p in parts}


def _evidence(xy: np.ndarray, alike: np.ndarray) -> PointEvidence:
    pair = np.stack([alike, alike])
    return PointEvidence(0, xy, pair, pair, np.where(pair > 0.5, 0.05, 1.0), (256.0, 144.0))


def test_joining_switches_where_candidates_meet() -> None:
    t = np.arange(60.0)
    truth = np.stack([60 + t, np.full(60, 70.0)], axis=1)
    drift = np.stack([np.zeros(60), 1.5 * np.maximum(t - 30, 0)], axis=1)
    ahead, back = truth + drift, truth + drift[::-1] * [1, -1]
    xy = np.stack([ahead] * 4 + [back] * 4)
    alike = np.stack([np.where(t <= 32, 0.95, 0.1)] * 4 + [np.where(t >= 28, 0.95, 0.1)] * 4)
    (path,) = paths_of([_evidence(xy, alike)], weights())
    assert np.abs(path.xy - truth).max() < 4.0


def test_the_other_points_tell_where_one_is_that_none_of_its_candidates_sees() -> None:
    t = np.arange(60.0)
    home = np.array([[60.0, 60], [70, 60], [60, 70], [70, 70]])
    truth = home[:, None] + np.stack([1.5 * t, 20 * np.sin(t / 10)], axis=1)
    seen = np.tile(np.full(60, 0.95), (8, 1))
    evidences = [_evidence(np.stack([path] * 8), seen) for path in truth[:3]]
    stays = np.stack([np.tile(truth[3, :1], (60, 1))] * 4 + [np.tile(truth[3, -1:], (60, 1))] * 4)
    lost = np.where(np.linalg.norm(stays - truth[3], axis=2) > 3, 0.2, 0.95)
    alone = paths_of([_evidence(stays, lost)], weights())[0]
    together = paths_of([*evidences, _evidence(stays, lost)], weights())[3]
    assert np.abs(alone.xy - truth[3]).max() > 8.0
    assert np.abs(together.xy - truth[3]).max() < 3.0


class _Covered:
    """A textured plane that moves to the right and passes behind a striped post."""

    def __init__(self) -> None:
        chance = np.random.default_rng(3)
        fine = chance.integers(0, 255, (30, 60, 3), np.uint8)
        self._plane = cv2.resize(fine, (240, 120), interpolation=cv2.INTER_CUBIC)
        self._wall = cv2.resize(fine[::-1, ::-1], (400, 240), interpolation=cv2.INTER_CUBIC) // 2
        post = chance.integers(60, 200, (60, 1, 3), np.uint8)
        self._post = cv2.resize(post, (36, 240), interpolation=cv2.INTER_CUBIC)

    def __len__(self) -> int:
        return 60

    def image(self, index: int) -> np.ndarray:
        picture = self._wall.copy()
        picture[60:180, 20 + 2 * index : 260 + 2 * index] = self._plane
        picture[:, 182:218] = self._post
        return picture


def test_a_point_is_hidden_as_long_as_something_covers_it() -> None:
    starts = [(140.0, 100.0), (120.0, 130.0), (150.0, 145.0), (104.0, 112.0)]
    anchors = {
        f"point {i}": [(0, Point(x, y)), (59, Point(x + 118, y))] for i, (x, y) in enumerate(starts)
    }
    is_hidden = {(name, p.frame): p.occluded for name, p in propose_points(_Covered(), anchors)}
    assert len(is_hidden) == 4 * 58
    is_covered = {
        (name, frame): 182 <= anchors[name][0][1].x + 2 * frame < 218 for name, frame in is_hidden
    }
    right = [is_hidden[at] == is_covered[at] for at in is_hidden]
    assert np.mean(right) > 0.95


class _Two:
    """Two pictures of the same textured object, far apart and turned."""

    def __init__(self) -> None:
        chance = np.random.default_rng(5)
        self.turn = cv2.getRotationMatrix2D((80.0, 90.0), 25.0, 1.1)
        self.turn[:, 2] += [180.0, 20.0]
        small = chance.integers(0, 255, (20, 20), np.uint8)
        plane = np.full((240, 400), 90, np.uint8)
        plane[50:130, 40:120] = cv2.resize(small, (80, 80), interpolation=cv2.INTER_CUBIC)
        after = cv2.warpAffine(plane, self.turn, (400, 240), borderValue=90)
        self.pictures = [plane, np.asarray(after, np.uint8)]

    def gray(self, frame: int, /) -> np.ndarray:
        return self.pictures[frame]


def test_a_point_is_found_again_far_away_and_turned() -> None:
    two = _Two()
    places = np.array([[70.0, 80.0], [100.0, 100.0]])
    found, slopes = Finder(two).find(0, places, 1)
    expected = places @ two.turn[:, :2].T + two.turn[:, 2]
    assert np.abs(found - expected).max() < 2.0
    assert np.abs(slopes[0] - two.turn[:, :2]).max() < 0.1


def test_a_region_is_looked_at_alone_and_gives_places_in_the_picture() -> None:
    two = _Two()
    places = np.array([[70.0, 80.0], [100.0, 100.0]])
    expected = places @ two.turn[:, :2].T + two.turn[:, 2]
    region = Region.around(np.concatenate([places, expected]), 60, (400, 240))
    found, _ = Finder(two, region).find(0, places, 1)
    assert np.abs(found - expected).max() < 2.0
    elsewhere = Region(0, 200, 400, 240)
    assert np.isnan(Finder(two, elsewhere).find(0, places, 1)[0]).all()
    assert Region.around(np.array([[5.0, 230.0]]), 60, (400, 240)) == (0, 170, 66, 240)
    assert Region.around(np.array([[-500.0, 900.0]]), 60, (400, 240)) == (0, 180, 61, 240)


def test_nothing_is_found_where_nothing_is_alike() -> None:
    two = _Two()
    two.pictures[1] = np.full((240, 400), 90, np.uint8)
    found, _ = Finder(two).find(0, np.array([[70.0, 80.0]]), 1)
    assert np.isnan(found).all()


@pytest.mark.parametrize("size", [(400, 240), (50, 40)])
def test_dense_flow_around_the_points_is_that_of_the_whole_picture(size: tuple[int, int]) -> None:
    width, height = size
    small = np.random.default_rng(8).integers(0, 255, (height // 6, width // 6), np.uint8)
    plane = cv2.resize(small, (width + 20, height + 20), interpolation=cv2.INTER_CUBIC)
    before = np.ascontiguousarray(plane[10 : 10 + height, 10 : 10 + width])
    after = np.ascontiguousarray(plane[12 : 12 + height, 7 : 7 + width])  # 3 right, 2 up
    flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    places = np.array([[0.8, 0.8], [0.7, 0.9]]) * size
    chained = np.array([[0.3, 0.4], [3.0, -2.0]]) * size  # the second has left the picture
    motion = Motion(before, after, places, chained, flow)
    moved = motion.flow(np.concatenate([places, chained[:1]])) - [*places, chained[0]]
    assert np.abs(moved - [3.0, -2.0]).max() < 0.6
    assert np.isfinite(motion.flow(chained)).all()


def test_the_same_request_has_the_same_result_whatever_ran_before(scene: PointScene) -> None:
    anchors = _anchors(scene, 0, N_FRAMES - 1)
    found = []
    for seed in (1, 99):
        cv2.setRNGSeed(seed)
        found.append(list(propose_points(scene, anchors, cancel=lambda: False)))
    assert found[0] == found[1]
