"""Objects that look the same: each keeps its box where the boxes of the others are known."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.assist import OtherObjects, Pictures, propose
from annotator.assist.boxes.arrays import Box4, Floats, from_box, iou, to_box
from annotator.assist.boxes.other_objects import NO_OTHERS, Lookalikes, penalty
from annotator.domain.proposals.box_proposals import Anchor
from tests.benchmarks.bench_lookalikes import ShellGame

N = 60
CUP = 1
BOX = np.array([10.0, 10, 30, 40])
NOWHERE = np.full(4, np.nan)


@pytest.fixture(scope="module")
def game() -> ShellGame:
    return ShellGame(4, N)


@pytest.fixture(scope="module")
def pictures(game: ShellGame) -> Pictures:
    return Pictures(game)


def _tracked(
    pictures: Pictures,
    game: ShellGame,
    others: OtherObjects,
    cup: int = CUP,
    ends: tuple[int, ...] = (0,),
) -> tuple[Floats, Floats]:
    """Follow a cup from its boxes at the ends; return IoU and confidence on all other frames."""
    anchors = [Anchor(frame, to_box(game.boxes[cup, frame])) for frame in ends]
    proposals = propose(pictures, anchors, (1, N), others=others)
    last = {proposed.frame: proposed for proposed in proposals}
    boxes = np.array([from_box(last[frame].box) for frame in sorted(last)])
    sure = np.array([last[frame].confidence for frame in sorted(last)])
    return iou(boxes, game.boxes[cup, sorted(last)]), sure


def _others(game: ShellGame, cup: int = CUP) -> OtherObjects:
    return OtherObjects(0, np.delete(game.boxes, cup, axis=0))


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects that look alike are not found, as when they turn or change."""
    monkeypatch.setattr(Lookalikes, "__len__", lambda _: 0)


@pytest.mark.usefixtures("blind")
def test_an_equal_object_that_passes_in_front_does_not_take_the_box_along(
    game: ShellGame, pictures: Pictures
) -> None:
    alone, _ = _tracked(pictures, game, NO_OTHERS)
    assert alone[-5:].max() < 0.3, "trackers alone change over"
    beside, _ = _tracked(pictures, game, _others(game))
    assert beside[-5:].min() > 0.7
    assert (beside >= 0.7).mean() > (alone >= 0.7).mean() + 0.3


def test_equal_objects_that_nobody_has_drawn_are_followed_along(
    game: ShellGame, pictures: Pictures
) -> None:
    alone, sure = _tracked(pictures, game, NO_OTHERS)
    assert (alone >= 0.7).mean() > 0.9
    assert alone[-10:-5].min() > 0.7
    assert np.median(sure) > 0.9
    assert sure[alone < 0.7].max(initial=0.0) < 0.5, "another one begins to cover it in the end"


@pytest.mark.usefixtures("blind")
def test_an_object_found_again_among_equal_ones_is_doubtful() -> None:
    game, cup = ShellGame(6, N), 2
    pictures = Pictures(game)
    overlap, sure = _tracked(pictures, game, NO_OTHERS, cup)
    assert overlap[-5:].max() < 0.3
    assert sure[-5:].min() > 0.9, "trackers alone do not notice that they changed over"
    overlap, sure = _tracked(pictures, game, _others(game, cup), cup)
    assert overlap[-5:].min() > 0.7
    assert sure[:5].min() > 0.9
    assert sure[-5:].max() <= 0.6


def test_a_switch_to_an_equal_object_that_nobody_has_drawn_is_doubtful(
    game: ShellGame, pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.assist.boxes.onward._LEAST_MEAN_FIT", 3.0)  # they change
    overlap, sure = _tracked(pictures, game, NO_OTHERS)
    assert overlap[-5:].max() < 0.3
    assert sure[:5].min() > 0.9
    assert sure[overlap < 0.7].max() < 0.9
    assert sure[-5:].max() <= 0.6
    monkeypatch.setattr(Lookalikes, "__len__", lambda _: 0)
    _, alone = _tracked(pictures, game, NO_OTHERS)
    assert alone[-5:].min() > 0.9, "the trackers themselves do not notice it"


def test_what_looks_different_changes_nothing(game: ShellGame, pictures: Pictures) -> None:
    alone = _tracked(pictures, game, NO_OTHERS)
    places = np.tile(np.array([20.0, 20, 70, 90]), (1, N, 1))
    places[:, 10:] = game.boxes[None, CUP, 10:]  # the box of a thing that is background at first
    beside = _tracked(pictures, game, OtherObjects(0, places))
    np.testing.assert_array_equal(alone, beside)


def test_a_box_that_lies_on_the_object_itself_changes_nothing(
    game: ShellGame, pictures: Pictures
) -> None:
    alone = _tracked(pictures, game, NO_OTHERS)
    beside = _tracked(pictures, game, OtherObjects(0, game.boxes[[CUP]] + 2.0))
    np.testing.assert_array_equal(alone, beside)


def test_two_equal_objects_in_one_place_are_doubtful(game: ShellGame, pictures: Pictures) -> None:
    astray = np.tile(game.boxes[0, 0], (1, N, 1))
    astray[:, 4:14] = game.boxes[CUP, 4:14]  # the path of another cup, which is wrong there
    for ends in ((0,), (0, N - 1)):
        overlap, sure = _tracked(pictures, game, OtherObjects(0, astray), ends=ends)
        _, alone = _tracked(pictures, game, NO_OTHERS, ends=ends)
        is_there = iou(astray[0, 1 : 1 + len(sure)], game.boxes[CUP, 1 : 1 + len(sure)]) > 0.9
        both = is_there & (overlap >= 0.7)
        assert both.sum() >= 5
        assert alone[both].max() > 0.8
        assert sure[both].max() <= 0.6


def test_between_two_boxes_it_keeps_off_equal_objects() -> None:
    game, cup = ShellGame(11, N), 0
    pictures = Pictures(game)
    alone, _ = _tracked(pictures, game, NO_OTHERS, cup, ends=(0, N - 1))
    assert (alone >= 0.7).mean() < 0.8
    beside, _ = _tracked(pictures, game, _others(game, cup), cup, ends=(0, N - 1))
    assert (beside >= 0.7).mean() > 0.95


def test_overlaps_are_those_of_the_nearest_object_and_zero_where_nothing_is_known() -> None:
    others = OtherObjects(5, np.array([[BOX, NOWHERE], [BOX + 100, BOX + 5]]))
    boxes: Box4 = np.array([BOX, BOX + 100, BOX + 300])
    assert others.overlap(5, boxes).tolist() == [1, 1, 0]
    assert others.overlap(6, boxes)[0] == pytest.approx(float(iou(BOX, BOX + 5)))
    assert others.overlap(4, boxes).tolist() == others.overlap(7, boxes).tolist() == [0, 0, 0]
    assert NO_OTHERS.overlap(5, boxes).tolist() == [0, 0, 0]
    paths = np.stack([boxes] * 4, axis=1)
    along = others.overlap_along(range(4, 8), paths)
    expected = [others.overlap(frame, boxes) for frame in range(4, 8)]
    np.testing.assert_array_equal(along, np.array(expected).T)
    assert NO_OTHERS.overlap_along(range(4, 8), paths).shape == (3, 4)


def test_objects_that_lie_on_this_one_are_left_out() -> None:
    others = OtherObjects(0, np.array([[BOX + 2, BOX + 90], [BOX + 50, BOX + 50]]))
    assert len(others.not_overlapping([(0, BOX)]).boxes) == 1
    assert len(others.not_overlapping([(0, BOX), (1, BOX + 50)]).boxes) == 0
    assert len(others.not_overlapping([(0, NOWHERE), (9, BOX)]).boxes) == 2


def test_the_penalty_grows_with_the_overlap() -> None:
    lost = penalty(np.array([0.0, 0.3, 0.5, 0.7, 0.9, 1.0]))
    assert lost[0] == lost[1] == 0
    assert (np.diff(lost)[1:4] > 0).all()
    assert lost[4] == lost[5] == 1
