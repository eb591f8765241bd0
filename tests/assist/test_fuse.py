"""The mathematics of boxes, stretches and fusion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.assist.boxes import arrays as bx
from annotator.assist.boxes.fused import fuse_all, fuse_pair, stretches
from annotator.assist.boxes.onward import consensus
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor

FIRST = np.array([10.0, 10.0, 50.0, 40.0])
LAST = np.array([70.0, 40.0, 110.0, 70.0])
corner = st.floats(-50, 50)
length = st.floats(0.5, 80)


@given(corner, corner, length, length, corner, corner, length, length)
def test_overlap_is_that_of_the_domain(
    x: float, y: float, w: float, h: float, x2: float, y2: float, w2: float, h2: float
) -> None:
    one, other = Box(x, y, x + w, y + h), Box(x2, y2, x2 + w2, y2 + h2)
    ours = float(bx.iou(bx.from_box(one), bx.from_box(other)))
    assert ours == pytest.approx(one.iou(other), abs=1e-9)


def test_nowhere_overlaps_nothing_and_comes_back_as_no_box() -> None:
    assert float(bx.iou(bx.NOWHERE, FIRST)) == 0.0
    assert bx.to_box(bx.from_box(None)) is None
    assert bx.to_box(FIRST) == Box(10.0, 10.0, 50.0, 40.0)


def test_two_passes_that_agree_are_their_mean_and_end_on_the_human_boxes() -> None:
    truth = bx.between(FIRST, LAST, 10)
    drift = np.linspace(0, 3, 11)[:, None]
    path, agreement = fuse_pair(truth + drift, truth - drift[::-1])
    assert path[0] == pytest.approx(FIRST, abs=1e-9)
    assert path[-1] == pytest.approx(LAST, abs=1e-9)
    assert np.abs(path - truth).max() < 1.0
    assert agreement.min() > 0.7


def test_passes_lost_half_way_are_switched_where_they_meet() -> None:
    truth = bx.between(FIRST, LAST, 20)
    forward, backward = truth.copy(), truth.copy()
    forward[13:] = truth[13]  # stays behind from frame 13 on
    backward[:8] = truth[8]
    path, agreement = fuse_pair(forward, backward)
    assert path == pytest.approx(truth, abs=1e-9)
    assert agreement[10] == pytest.approx(1.0)
    assert agreement[0] < 0.2


def test_the_tracker_that_agrees_with_itself_counts() -> None:
    truth = bx.between(FIRST, LAST, 12)
    truth[1:-1] += np.array([0.0, 9.0, 0.0, 9.0])
    good = (truth.copy(), truth.copy())
    lost = (np.repeat(FIRST[None], 13, axis=0), np.repeat(LAST[None], 13, axis=0))
    path, agreement = fuse_all([lost, good])
    assert bx.iou(path, truth)[1:-1].min() > 0.95
    assert agreement == pytest.approx(1.0)


def test_linear_interpolation_wins_when_all_are_lost() -> None:
    away = np.full((9, 4), 500.0) + np.array([0, 0, 40, 30])
    forward, backward = away.copy(), away + 300
    forward[0], backward[-1] = FIRST, LAST
    path, agreement = fuse_all([(forward, backward)])
    assert path == pytest.approx(bx.between(FIRST, LAST, 8), abs=1.0)
    assert agreement[4] == 0.0


def test_consensus_follows_the_majority_and_the_likeness() -> None:
    near = np.array([FIRST, FIRST + 1, FIRST + 300])
    found, sure = consensus(near, np.array([0.9, 0.9, 0.9]))
    assert found == pytest.approx(FIRST, abs=1.0)
    found, doubted = consensus(near, np.array([0.1, 0.1, 1.0]))
    assert found == pytest.approx(FIRST + 300, abs=1.0)
    assert doubted < sure


def test_stretches_lie_between_neighbors() -> None:
    anchors = [Anchor(20, Box(0, 0, 5, 5)), Anchor(10, Box(0, 0, 5, 5)), Anchor(21, None)]
    found = stretches(anchors, (0, 30))
    assert [(s.start, s.end) for s in found] == [(0, 10), (11, 20), (22, 30)]
    assert found[0].lower is None
    assert found[0].upper == anchors[1]
    assert found[-1].lower == anchors[2]


@pytest.mark.parametrize(
    ("span", "expected"),
    [((12, 14), [(11, 20)]), ((25, 30), [(21, 30)]), ((3, 5), [(3, 10)]), ((5, 5), [])],
)
def test_a_span_takes_the_stretches_it_touches(
    span: tuple[int, int], expected: list[tuple[int, int]]
) -> None:
    anchors = [Anchor(10, Box(0, 0, 5, 5)), Anchor(20, Box(0, 0, 5, 5))]
    assert [(s.start, s.end) for s in stretches(anchors, span)] == expected
    assert stretches([], span) == []
