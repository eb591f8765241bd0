"""Boxes that trackers left too large, too small or shifted are fitted to the object."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from annotator.assist import propose
from annotator.assist.boxes.arrays import (
    Box4,
    around,
    center,
    from_box,
    half_size,
    iou,
    to_box,
)
from annotator.assist.boxes.one_way import Points
from annotator.assist.boxes.onward import Choice, Onward
from annotator.assist.boxes.path import Chosen
from annotator.assist.boxes.refinement import (
    BoxRefiner,
    refine_path,
    refined_confidence,
    steadied,
    surroundings,
)
from annotator.assist.pictures import Pictures
from annotator.assist.score_fitting import box_weights
from annotator.domain.proposals.box_proposals import Anchor
from tests.benchmarks.scenes import Scene, SceneSpec, make_scene

N = 40


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene(SceneSpec("refined", 7, (320, 240), N, object_px=70.0, travel=1.0))


@pytest.fixture(scope="module")
def refiner(scene: Scene) -> BoxRefiner:
    pictures = Pictures(scene)
    return BoxRefiner(pictures.view(70), [(0, np.asarray(scene.boxes[0], np.float64))])


def _box(scene: Scene, frame: int) -> Box4:
    return np.asarray(scene.boxes[frame], np.float64)


@pytest.mark.parametrize(
    ("shift", "growth"), [((0.15, -0.1), (1, 1)), ((0, 0), (1.3, 1.2)), ((0.1, 0), (0.75, 1))]
)
def test_a_box_that_is_off_is_fitted_to_the_object(
    scene: Scene, refiner: BoxRefiner, shift: tuple[float, float], growth: tuple[float, float]
) -> None:
    for frame in (10, 20, 30):
        true = _box(scene, frame)
        size = 2 * half_size(true)
        off = around(center(true) + np.array(shift) * size, size / 2 * np.array(growth))
        fitted = refiner.refine(frame, off)
        assert iou(fitted.box, true) > max(0.85, float(iou(off, true)) + 0.08)


def test_a_place_without_the_object_is_less_sure(scene: Scene, refiner: BoxRefiner) -> None:
    true = _box(scene, 20)
    sure = refiner.refine(20, true).error
    for corner in ([20.0, 20], [260.0, 180]):
        place = np.array([*corner, corner[0] + 40, corner[1] + 40])
        assert iou(place, true) == 0
        assert refiner.refine(20, place).error > 2 * sure
    nowhere = refiner.refine(20, np.full(4, np.nan))
    assert np.isnan(nowhere.box).all()
    assert nowhere.error == np.inf


def test_after_a_doubtful_frame_confidence_stays_low_until_the_object_looks_like_itself(
    scene: Scene,
) -> None:
    onward = Onward(Pictures(scene), [Points()], 0, _box(scene, 0))

    def shown(confidence: float, alike: float) -> float:
        return onward._doubted(Choice(_box(scene, 0), confidence, alike)).confidence

    assert shown(0.95, 0.1) == 0.95, "it was not doubtful so far"
    assert shown(0.3, 0.9) == 0.3
    assert shown(0.95, 0.2) == 0.7
    assert shown(0.5, 0.2) == 0.5
    assert shown(0.95, 0.6) == 0.95
    assert shown(0.95, 0.2) == 0.95


def test_boxes_of_hidden_objects_and_the_ends_stay(scene: Scene) -> None:
    pictures, frames = Pictures(scene), range(21)
    path = np.array([_box(scene, f) for f in frames])
    path[1:-1] += 6.0
    hidden = np.zeros(len(frames), np.bool_)
    hidden[5:8] = True
    chosen = Chosen(path, np.full(len(frames), 0.9), hidden)
    fitted = refine_path(pictures.view(70), frames, chosen, lambda: False)
    stays = [0, 5, 6, 7, 20]
    assert (fitted.path[stays] == path[stays]).all()
    assert (fitted.confidence[stays] == 0.9).all()
    true = np.array([_box(scene, f) for f in frames])
    others = [f for f in frames if f not in stays]
    assert iou(fitted.path, true)[others].min() > iou(path, true)[others].max()
    stopped = refine_path(pictures.view(70), frames, chosen, lambda: True)
    assert (stopped.path == path).all()


def test_a_box_that_is_followed_keeps_the_size_of_the_object(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = SceneSpec("grows", 3, (320, 240), 60, object_px=60.0, travel=0.6, zoom=0.4)
    scene = make_scene(spec)

    def mean_overlap() -> float:
        anchors = [Anchor(0, to_box(_box(scene, 0)))]
        found = {p.frame: from_box(p.box) for p in propose(scene, anchors, (1, 60))}
        return float(np.mean([iou(box, _box(scene, frame)) for frame, box in found.items()]))

    fitted = mean_overlap()
    monkeypatch.setattr(Onward, "_refine", lambda _self, _frame, choice: choice)
    assert mean_overlap() < 0.9 < fitted


def test_a_box_does_not_shrink_at_once_where_something_covers_the_object() -> None:
    last = before = np.array([100.0, 100, 200, 180])
    covered, moved = np.array([100.0, 100, 160, 180]), np.array([110.0, 105, 210, 185])
    box = steadied(covered, before, last)
    np.testing.assert_allclose(box, [100, 100, 100 + 100 / 1.03, 180])
    np.testing.assert_allclose(steadied(moved, before, last), moved)
    drifted = np.array([90.0, 100, 230, 180])  # the tracker's box has become too wide
    np.testing.assert_allclose(steadied(before, drifted, last), before)


def test_confidence_rises_with_that_before_and_falls_with_the_expected_error() -> None:
    before, errors = np.array([0.3, 0.9, 0.9, 0.9]), np.array([0.02, 0.02, 0.05, np.inf])
    for fitted in (box_weights().refined.between, box_weights().refined.onward):
        low, high, rough, lost = refined_confidence(before, errors, fitted)
        assert low < high > rough > lost


@pytest.mark.parametrize(
    "box",
    [
        (100.0, 80.0, 150.0, 130.0),
        (-30.0, 60.4, 41.3, 150.0),  # across an edge
        (290.0, 200.0, 400.0, 300.0),
        (400.0, 300.0, 440.0, 330.0),  # beyond a corner
        (-90.0, -80.0, -60.0, -50.0),
        (150.2, 120.3, 151.0, 121.0),
        (-50.0, -40.0, 380.0, 290.0),  # larger than the picture
    ],
)
def test_the_network_sees_a_box_as_if_it_were_cut_out_of_the_whole_picture(
    scene: Scene, box: tuple[float, float, float, float]
) -> None:
    view = Pictures(scene).view(70.0)
    middle, half = center(np.array(box)), 2.0 * np.maximum(half_size(np.array(box)), 2.0)
    scale = 64 / (2 * half)
    move = np.column_stack([np.diag(scale), 32 - scale * middle - 0.5])
    expected = cv2.warpAffine(
        scene.image(3), move, (64, 64), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    seen = surroundings(view, 3, np.array(box))
    assert np.abs(seen.astype(int) - expected).max() <= 1
