"""Figures of agreement on cases that are worked out by hand, and what must hold for all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.agreement import agreements, box_iou, object_f1, segment_f1
from annotator.domain.agreement.documents import places
from annotator.domain.agreement.rater_pairs import Pairs
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TrackId, VideoId, segment_id, track_id

VIDEO = VideoInfo(VideoId("v"), "v.mp4", 640, 480, 100, 25.0, 4.0)


def assign(overlap: np.ndarray) -> Pairs:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _track(x: float, name: TrackId | None = None, *frames: int) -> Track:
    keys = [Keyframe(f, Box(x, 0, x + 10, 10)) for f in frames or (0,)]
    return Track(TrackInfo(name or track_id(), "cup", 1, 0), tuple(keys))


def _segment(start: int, end: int, label: str = "pour") -> Segment:
    return Segment(segment_id(), Lane.ACTION, label, start, end)


def _document(tracks: list[Track] = [], segments: list[Segment] = []) -> Document:  # noqa: B006
    return Document(DraftId("d"), VIDEO, tracks, segments)


def test_the_same_work_agrees_wholly_and_nothing_says_nothing() -> None:
    whole = _document([_track(0), _track(50)], [_segment(0, 9)])
    assert [(a.method, a.value) for a in agreements(whole, whole, assign)] == [
        ("box-iou", 1.0),
        ("object-f1", 1.0),
        ("segment-f1", 1.0),
    ]
    assert agreements(_document(), _document(), assign) == ()


def test_boxes_count_where_both_have_them() -> None:
    name = track_id()
    gone = Track(TrackInfo(name, "cup", 1, 0), (Keyframe(0, Box(0, 0, 10, 10)), Keyframe(50, None)))
    # Half of it over: 50 of 150 square pixels; on 50 frames only.
    assert box_iou(_document([gone]), _document([_track(5, name)]), assign) == pytest.approx(1 / 3)
    late = _track(5, name, 60)
    assert box_iou(_document([gone]), _document([late]), assign) is None


def test_objects_without_a_common_name_are_paired_by_where_they_are() -> None:
    # The first overlaps both; the best sum gives it the second, so that the other is not left over.
    left = _document([_track(0), _track(8)])
    right = _document([_track(6), _track(-3)])
    assert object_f1(left, right, assign) == 1.0
    value = box_iou(left, right, assign)
    assert value == pytest.approx((80 / 120 + 70 / 130) / 2)
    assert object_f1(left, _document([_track(300)]), assign) == 0.0
    assert box_iou(left, _document([_track(300)]), assign) is None


def test_segments_agree_by_label_and_half_of_their_time() -> None:
    mine = _document(segments=[_segment(0, 10), _segment(20, 30), _segment(40, 50, "lift")])
    theirs = _document(segments=[_segment(0, 20), _segment(26, 36), _segment(40, 50, "drop")])
    assert segment_f1(mine, theirs, assign) == pytest.approx(2 / 6)
    assert segment_f1(mine, _document(), assign) == 0.0
    near = _document(segments=[_segment(0, 11), _segment(1, 10), _segment(2, 12)])
    assert segment_f1(_document(segments=[_segment(0, 10), _segment(1, 12)]), near, assign) == 0.8


_KEYS = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.tuples(st.integers(0, 50), st.integers(1, 50))),
    unique_by=lambda key: key[0],
    max_size=6,
)


@given(_KEYS)
def test_places_are_those_of_the_track(keys: list[tuple[int, tuple[int, int] | None]]) -> None:
    track = Track(
        TrackInfo(TrackId("t"), "cup", 1, 0),
        tuple(
            Keyframe(f, Box(b[0], b[1], b[0] + b[1], b[1] + 9) if b else None)
            for f, b in sorted(keys, key=lambda key: key[0])
        ),
    )
    found = places(track, np.arange(100))
    for frame in range(100):
        box = track.state_at(frame).box
        if box is None:
            assert np.isnan(found[frame]).all()
        else:
            assert found[frame] == pytest.approx(box.as_tuple())


@given(st.lists(st.integers(0, 60), max_size=5), st.lists(st.integers(0, 60), max_size=5))
def test_agreement_has_no_sides(left: list[int], right: list[int]) -> None:
    one = _document([_track(x) for x in left], [_segment(x, x + 9) for x in left])
    other = _document([_track(x) for x in right], [_segment(x, x + 9) for x in right])
    there, back = agreements(one, other, assign), agreements(other, one, assign)
    assert [a.method for a in there] == [a.method for a in back]
    assert [a.value for a in there] == pytest.approx([a.value for a in back])
    assert all(0 <= a.value <= 1 for a in there)
    assert replace(there[0], value=1.0).params == {} if there else not left + right
