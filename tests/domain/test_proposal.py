from __future__ import annotations

import numpy as np
import pytest

from annotator.domain.geometry import Box
from annotator.domain.proposal import (
    Origin,
    ProposalRun,
    most_doubtful,
    open_gaps,
    pending,
    pending_at,
)
from annotator.domain.track import Keyframe
from tests.domain.edits import make_track

A = Box(0, 0, 10, 10)


def make_run(track, start, boxes, confidence=0.5):
    rows = np.array([b.as_tuple() if b else (np.nan,) * 4 for b in boxes], dtype=np.float32)
    values = np.broadcast_to(np.float32(confidence), len(boxes)).copy()
    return ProposalRun(track.id, start, rows, values, Origin("test", "1"))


def test_gaps_lie_between_before_and_after_keyframes():
    track = make_track(Keyframe(10, A), Keyframe(20, A), Keyframe(21, A))
    assert [(g.start, g.end) for g in open_gaps(track, 40)] == [(0, 10), (11, 20), (22, 40)]


def test_settled_gaps_and_absence_want_no_proposals():
    track = make_track(
        Keyframe(0, A, settled=True), Keyframe(10, A), Keyframe(20, None), Keyframe(30, A)
    )
    gaps = open_gaps(track, 31)
    assert [(g.start, g.end) for g in gaps] == [(11, 20)]
    assert gaps[0].upper is not None
    assert gaps[0].upper.box is None
    begin = make_track(Keyframe(10, A, settled=True), is_begin_settled=True)
    assert open_gaps(begin, 40) == []


def test_a_run_outlives_its_gap_but_only_open_frames_are_pending():
    track = make_track(Keyframe(0, A), Keyframe(4, A, settled=True), Keyframe(8, A))
    run = make_run(track, 1, [A] * 9)
    assert [p.frame for p in pending(track, [run], 10)] == [1, 2, 3, 9]
    assert pending_at(track, [run], 4, 10) is None
    assert pending_at(track, [run], 5, 10) is None
    found = pending_at(track, [run], 2, 10)
    assert found is not None
    assert found.box == A


def test_frames_not_computed_yet_are_not_suggested_and_absence_is():
    track = make_track(Keyframe(0, A))
    run = make_run(track, 1, [A, None, A], confidence=[0.9, 0.4, np.nan])
    assert [(p.frame, p.box) for p in run.items()] == [(1, A), (2, None)]


def test_the_most_doubtful_is_the_least_certain_one_not_seen_yet():
    track = make_track(Keyframe(0, A))
    items = list(make_run(track, 1, [A] * 3, confidence=[0.9, 0.2, 0.4]).items())
    worst = most_doubtful(items)
    assert worst is not None
    assert worst.frame == 2
    second = most_doubtful(items, skip=[2])
    assert second is not None
    assert second.frame == 3
    assert most_doubtful(items, skip=[1, 2, 3]) is None


def test_a_run_needs_as_many_boxes_as_confidences():
    with pytest.raises(ValueError, match="one box"):
        ProposalRun(
            make_track().id,
            0,
            np.zeros((2, 4), np.float32),
            np.zeros(3, np.float32),
            Origin("t", "1"),
        )
