"""Proposals lose the jitter of trackers, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from annotator.assist.boxes.arrays import Box4, from_box, iou
from annotator.assist.boxes.smoothing import smoothed
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Proposed

_SIZE = np.array([0.0, 0.0, 60.0, 40.0])


def _path(x: Box4) -> Box4:
    """Boxes [n, 4] of one size at places x [n], a little down."""
    return np.stack([x, x / 3 + 20, x, x / 3 + 20], axis=1) + _SIZE


def _proposals(boxes: Box4, first: int = 1) -> list[Proposed]:
    return [Proposed(first + i, Box(*box.tolist()), 0.8) for i, box in enumerate(boxes)]


def _boxes(proposals: list[Proposed]) -> Box4:
    return np.array([from_box(p.box) for p in proposals])


def test_jitter_goes_and_confidence_stays() -> None:
    truth = _path(100 + 1.5 * np.arange(60) + 8 * np.sin(np.arange(60) / 12))
    noise = np.random.default_rng(4).normal(0, 1.2, truth.shape)
    found = list(smoothed(_proposals(truth + noise), {0: truth[0]}))
    assert [p.frame for p in found] == list(range(1, 61))
    assert {p.confidence for p in found} == {0.8}
    assert np.abs(_boxes(found) - truth).mean() < 0.7 * np.abs(noise).mean()
    steps = np.abs(np.diff(_boxes(found) - truth, axis=0)).mean()
    assert steps < 0.4 * np.abs(np.diff(noise, axis=0)).mean()


@pytest.mark.parametrize("bend", [0.0, 0.05])
def test_an_even_motion_stays_as_it_is(bend: float) -> None:
    truth = _path(100 + 2.0 * np.arange(30) + bend * np.arange(30) ** 2)
    found = list(smoothed(_proposals(truth), {}))
    assert np.abs(_boxes(found) - truth).max() < 0.01


def test_a_sudden_motion_stays_sudden() -> None:
    truth = _path(np.where(np.arange(30) < 15, 100.0, 170.0))
    found = list(smoothed(_proposals(truth), {}))
    assert np.asarray(iou(_boxes(found), truth)).min() > 0.8
    assert np.abs(_boxes(found)[[14, 15]] - truth[[14, 15]]).max() < 10


def test_each_state_is_smoothed_by_itself() -> None:
    boxes = _path(np.full(24, 100.0))
    boxes[10:14] += 5
    proposals = _proposals(boxes)
    proposals[10:14] = [p._replace(occluded=True) for p in proposals[10:14]]
    proposals[18:20] = [Proposed(p.frame, None, 0.5) for p in proposals[18:20]]
    found = list(smoothed(proposals, {}))
    assert [(p.frame, p.occluded, p.box is None) for p in found] == [
        (p.frame, p.occluded, p.box is None) for p in proposals
    ]
    seen = [i for i, p in enumerate(found) if p.box is not None]
    assert np.abs(_boxes([found[i] for i in seen]) - boxes[seen]).max() < 0.01


def test_the_box_of_a_person_counts_beside_the_first_and_the_last_frame() -> None:
    boxes = _path(np.full(12, 100.0))
    known = {0: boxes[0] + 3, 13: boxes[0] - 3, 6: boxes[0] + 50}
    found = _boxes(list(smoothed(_proposals(boxes), known)))
    assert (found[0] > boxes[0] + 0.5).all()
    assert (found[-1] < boxes[0] - 0.5).all()
    assert np.abs(found[5] - boxes[5]).max() < 0.2


def test_backward_is_like_forward() -> None:
    boxes = _path(100 + np.random.default_rng(5).normal(0, 1, 20))
    forward = list(smoothed(_proposals(boxes), {0: boxes[0]}))
    backward = list(smoothed(_proposals(boxes)[::-1], {0: boxes[0]}))
    assert np.allclose(_boxes(forward), _boxes(backward[::-1]))


def test_proposals_come_four_frames_later_and_no_more() -> None:
    n_read = 0

    def counted() -> Iterator[Proposed]:
        nonlocal n_read
        for each in _proposals(_path(np.arange(40.0))):
            n_read += 1
            yield each

    found = smoothed(counted(), {})
    for i in range(1, 30):
        assert next(found).frame == i
        assert n_read == i + 4
