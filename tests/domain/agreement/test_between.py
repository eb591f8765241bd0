"""Agreement over what several people drew: points by hand, and means over items and people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.agreement import agreements
from annotator.domain.agreement.documents import THRESHOLDS, average_jaccard
from annotator.domain.agreement.estimate import Estimate
from annotator.domain.agreement.pairwise import TIOUS, SubmittedWork, between
from annotator.domain.agreement.rater_pairs import Pairs
from annotator.domain.agreement.resampling import Bootstrap, Watch, drawn_units
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.errors import WorkError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, PointId, VideoId, point_id, segment_id, track_id

VIDEO = VideoInfo(VideoId("v"), "v.mp4", 512, 128, 6, 25.0, 0.24)
HIDDEN = PointMark(Point(0, 0), occluded=True)
HOW = Bootstrap(draws=40, seed=3)


def assign(overlap: np.ndarray) -> Pairs:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _point(*marks: PointMark | None, name: PointId | None = None) -> PointTrack:
    info = PointInfo(name or point_id(), None, "rim", 1, 0)
    return PointTrack(info, PointPath().with_run(run_of(0, marks)))


def _at(x: float, y: float) -> PointMark:
    return PointMark(Point(x, y))


def _points(*points: PointTrack, video: VideoInfo = VIDEO) -> Document:
    return Document(DraftId("d"), video, points=points)


def test_places_are_compared_in_a_picture_of_256() -> None:
    name = point_id()
    # 6 pixels to the right are 3 of 256, 3 pixels down are 6: one within 4, both within 8.
    one = _points(_point(_at(100, 50), _at(100, 50), name=name))
    other = _points(_point(_at(106, 50), _at(100, 53), name=name))
    assert average_jaccard(one, other, assign) == pytest.approx((0 + 0 + 1 / 3 + 1 + 1) / 5)


def test_a_threshold_itself_is_too_far() -> None:
    name = point_id()
    one, other = (_points(_point(_at(x, 50), name=name)) for x in (100, 108))
    assert average_jaccard(one, other, assign) == pytest.approx(2 / 5)


def test_hidden_points_count_where_one_person_sees_them() -> None:
    name = point_id()
    one = _points(_point(_at(9, 9), HIDDEN, _at(9, 9), PointMark(None), None, name=name))
    other = _points(_point(_at(9, 9), _at(9, 9), HIDDEN, HIDDEN, HIDDEN, name=name))
    assert average_jaccard(one, other, assign) == pytest.approx(1 / 3)
    nobody = _points(_point(HIDDEN, name=name))
    assert average_jaccard(nobody, nobody, assign) is None
    assert average_jaccard(one, _points(), assign) is None


def test_points_without_a_common_name_are_paired_by_where_they_are() -> None:
    one = _points(_point(_at(10, 10), _at(12, 10)), _point(_at(400, 90), _at(400, 90)))
    other = _points(_point(_at(400, 90), _at(400, 90)), _point(_at(10, 10), _at(12, 10)))
    assert average_jaccard(one, other, assign) == 1.0
    assert [(a.method, a.value) for a in agreements(one, other, assign)] == [
        ("average-jaccard", 1.0)
    ]
    assert average_jaccard(one, _points(_point(_at(250, 60))), assign) is None


_MARKS = st.lists(st.none() | st.tuples(st.integers(0, 40), st.booleans()), max_size=6)


@given(_MARKS, _MARKS)
def test_it_is_the_jaccard_of_the_benchmarks(
    left: list[tuple[int, bool] | None], right: list[tuple[int, bool] | None]
) -> None:
    name, square = point_id(), replace(VIDEO, width=256, height=256)
    one, other = (
        _points(
            _point(*(m and PointMark(Point(m[0], 9), m[1]) for m in marks), name=name),
            video=square,
        )
        for marks in (left, right)
    )
    seen = [
        [m is not None and not m[1] for m in (*marks, *[None] * 6)][:6] for marks in (left, right)
    ]
    at = [[m[0] if m else 0 for m in (*marks, *[None] * 6)][:6] for marks in (left, right)]
    jaccards = []
    for threshold in THRESHOLDS:
        near = [abs(a - b) < threshold for a, b in zip(*at, strict=True)]
        frames = list(zip(*seen, near, strict=True))
        true = sum(truth and guess and is_near for truth, guess, is_near in frames)
        false = sum(guess and not (truth and is_near) for truth, guess, is_near in frames)
        visible = sum(truth for truth, _, _ in frames)
        jaccards.append(true / (visible + false) if visible + false else None)
    value = average_jaccard(one, other, assign)
    assert value == average_jaccard(other, one, assign)
    if jaccards[0] is None:
        assert value is None
    else:
        assert value == pytest.approx(np.mean([j for j in jaccards if j is not None]))


def _work(item: str, person: str, x: float, end: int) -> SubmittedWork:
    """One box at a place, and one action of some frames."""
    track = Track(TrackInfo(track_id(), "cup", 1, 0), (Keyframe(0, Box(x, 0, x + 10, 10)),))
    segment = Segment(segment_id(), Lane.ACTION, "pour", 0, end)
    document = Document(DraftId(item + person), replace(VIDEO, n_frames=50), [track], [segment])
    return SubmittedWork(item, person, document, f"{item}-{person}")


WORKS = [
    _work("v1", "ann", 0, 40),
    _work("v1", "bob", 0, 20),
    _work("v1", "eve", 5, 10),
    _work("v2", "ann", 0, 30),
    _work("v2", "bob", 5, 30),
    _work("v3", "ann", 0, 10),
]


def _at_method(found: tuple[Estimate, ...], method: str, by: str = "", name: str = "") -> Estimate:
    return next(f for f in found if (f.method, f.by, f.name) == (method, by, name))


def test_items_count_by_the_mean_of_their_pairs() -> None:
    found = between(WORKS, assign, HOW)
    v1, v2 = (1 + 1 / 3 + 1 / 3) / 3, 1 / 3
    assert _at_method(found, "box-iou").value == pytest.approx((v1 + v2) / 2)
    assert _at_method(found, "box-iou", "item", "v1").value == pytest.approx(v1)
    assert _at_method(found, "box-iou", "rater", "ann").value == pytest.approx(
        ((1 + 1 / 3) / 2 + 1 / 3) / 2
    )
    assert _at_method(found, "box-iou", "rater", "eve").value == pytest.approx(1 / 3)
    assert _at_method(found, "object-f1").value == 1.0
    assert not any(f.method == "average-jaccard" for f in found)
    whole = _at_method(found, "box-iou").inputs
    assert (whole.units, whole.raters, whole.votes) == (3, 3, 6)
    assert between(reversed(WORKS), assign, HOW) == found
    assert between([WORKS[0]._replace(digest="other"), *WORKS[1:]], assign, HOW) != found


def test_segments_agree_less_the_more_time_they_must_share() -> None:
    found = between(WORKS, assign, HOW)
    by_tiou = {f.params["tiou"]: f.value for f in found if f.method == "segment-f1" and not f.by}
    # On v1 the pairs share 1/2, 1/4 and 1/2 of their time; on v2 all of it.
    assert by_tiou == pytest.approx(dict.fromkeys(TIOUS, (2 / 3 + 1) / 2) | {0.1: 1.0, 0.2: 1.0})


def test_intervals_are_over_items() -> None:
    found = _at_method(between(WORKS, assign, HOW), "box-iou")
    values = np.array([(1 + 1 / 3 + 1 / 3) / 3, 1 / 3])
    means = [values[units].mean() for units in np.concatenate(list(drawn_units(2, HOW)))]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))
    alone = _at_method(between(WORKS[:3], assign, HOW), "box-iou")
    assert (alone.low, alone.high) == (None, None)


def test_nobody_to_compare_with_gives_nothing_and_it_can_be_stopped() -> None:
    assert between(WORKS[-1:], assign, HOW) == ()
    assert between([], assign, HOW) == ()
    with pytest.raises(WorkError):
        between(WORKS, assign, HOW, Watch(is_canceled=lambda: True))
