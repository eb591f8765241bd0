from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.changes import ChangeSet, merge
from annotator.domain.annotation.point_track import (
    PointGap,
    PointMark,
    PointPath,
    open_point_gaps,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.commands import (
    AcceptPoints,
    ClearPoints,
    CreatePoint,
    CreateSegment,
    DeleteTracks,
    JoinTracks,
    MarkPoints,
    SetPoint,
    SetPointInfo,
    SetTrack,
    SplitTrack,
)
from annotator.domain.commands.points import points_change
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, segment_id, track_id
from tests.domain.edits import make_document, make_track, run

A = Box(0, 0, 10, 10)


def with_point(n_frames=600):
    track = make_track(Keyframe(0, A))
    document = make_document(track, n_frames=n_frames)
    point = point_id()
    run(document, CreatePoint(point, track.id, "handle", 10, Point(5, 5)))
    return document, track, point


def accepted(start, end, x=7.0):
    return run_of(start, [PointMark(Point(x, 8), source=Source.ACCEPTED)] * (end - start))


def test_two_human_marks_open_a_gap_and_accepting_closes_it():
    document, _, point = with_point()
    run(document, SetPoint(point, 300, Point(9, 9)))
    (gap,) = open_point_gaps(document.point(point), 600)
    assert (gap.start, gap.end, gap.lower, gap.upper) == (11, 300, Point(5, 5), Point(9, 9))
    run(document, AcceptPoints(point, accepted(11, 300)))
    assert open_point_gaps(document.point(point), 600) == []
    assert document.point(point).mark(299) == PointMark(Point(7, 8), source=Source.ACCEPTED)
    assert document.point(point).mark(300) == PointMark(Point(9, 9))


def test_a_single_human_mark_opens_a_gap_on_each_side():
    document, _, point = with_point()
    gaps = open_point_gaps(document.point(point), 600)
    assert gaps == [
        PointGap(point, 0, 10, None, Point(5, 5)),
        PointGap(point, 11, 311, Point(5, 5), None),
    ]
    run(document, AcceptPoints(point, accepted(0, 10)))
    run(document, MarkPoints(point, 11, 600, "outside"))
    assert open_point_gaps(document.point(point), 600) == []


def test_a_correction_reopens_only_what_was_accepted_around_it():
    document, _, point = with_point()
    run(document, SetPoint(point, 100, Point(9, 9)))
    run(document, SetPoint(point, 200, Point(9, 9)))
    run(document, AcceptPoints(point, accepted(11, 200)))
    run(document, MarkPoints(point, 120, 125, "occluded"))
    run(document, SetPoint(point, 150, Point(3, 3), reopens=True))
    gaps = [(g.start, g.end) for g in open_point_gaps(document.point(point), 600)]
    assert gaps == [(101, 150), (151, 200)]
    assert document.point(point).mark(50).source is Source.ACCEPTED
    assert document.point(point).mark(122).occluded
    assert document.point(point).mark(110) is None


def test_marks_say_visible_occluded_or_out_of_view():
    document, _, point = with_point()
    run(document, AcceptPoints(point, accepted(11, 20)))
    run(document, MarkPoints(point, 12, 15, "occluded"))
    run(document, MarkPoints(point, 15, 17, "outside"))
    track = document.point(point)
    assert [track.mark(f).is_visible for f in range(10, 20)] == [True] * 2 + [False] * 5 + [
        True
    ] * 3
    assert track.mark(13).xy == Point(7, 8)
    assert track.mark(15).outside
    run(document, MarkPoints(point, 12, 17, "visible"))
    track = document.point(point)
    assert track.mark(13).is_visible
    assert track.mark(15) is None


def test_the_last_mark_of_a_point_stays():
    document, _, point = with_point()
    with pytest.raises(
        EditError,
        match=r"Cannot clear the last annotated frame of the point\. Delete the point instead\.",
    ):
        ClearPoints(point, 0, 600).plan(document)


@pytest.mark.parametrize("xy", [Point(-1, 5), Point(5, 181), Point(float("nan"), 3)])
def test_places_outside_the_picture_are_refused(xy):
    document, _, point = with_point()
    with pytest.raises(EditError):
        SetPoint(point, 20, xy).plan(document)


def test_a_locked_object_locks_its_points():
    track = make_track(Keyframe(0, A))
    document = make_document(track)
    point = point_id()
    run(document, CreatePoint(point, track.id, "rim", 0, Point(1, 1)))
    run(document, SetPointInfo(point, is_locked=True))
    with pytest.raises(EditError, match="locked"):
        SetPoint(point, 3, Point(2, 2)).plan(document)


def test_a_point_without_an_object_is_assigned_to_one_that_is_not_locked():
    track, locked = make_track(Keyframe(0, A)), make_track(Keyframe(0, A))
    document, point = make_document(track, locked), point_id()
    run(document, SetTrack(locked.id, is_locked=True))
    run(document, CreatePoint(point, None, "spot", 0, Point(1, 1)))
    assert document.point(point).info.track_id is None
    with pytest.raises(EditError, match="locked"):
        SetPointInfo(point, track_id=locked.id).plan(document)
    run(document, SetPointInfo(point, track_id=track.id))
    assert document.points_of(track.id) == (document.point(point),)


def test_splitting_takes_points_and_segments_along_and_joining_brings_them_back():
    document, track, point = with_point(n_frames=40)
    run(document, SetPoint(point, 30, Point(9, 9)))
    late = Segment(segment_id(), Lane.ACTION, "pouring", 25, 30, slots=(track.id,))
    run(document, CreateSegment(late))
    new = track_id()
    run(document, SplitTrack(track.id, 20, new))
    assert list(document.point(point).path.frames()) == [10]
    (moved,) = document.points_of(new)
    assert list(moved.path.frames()) == [30]
    assert document.segment(late.id).slots == (new,)
    run(document, JoinTracks(track.id, new))
    assert {p.label for p in document.points_of(track.id)} == {"handle"}
    assert document.segment(late.id).slots == (track.id,)


def test_deleting_an_object_deletes_its_points_and_undo_brings_all_back():
    document, track, point = with_point()
    run(document, AcceptPoints(point, accepted(11, 600)))
    before = document.point(point)
    changes = DeleteTracks((track.id,)).plan(document)
    step = ChangeSet("delete-track", tuple(changes))
    document.apply(step.changes)
    assert document.points == ()
    document.apply(step.inverse().changes)
    assert document.point(point) == before
    assert step.point_ids == {point}


MARKS = st.none() | st.builds(
    PointMark,
    st.none() | st.builds(Point, st.floats(0, 320), st.floats(0, 180)),
    st.booleans(),
    st.sampled_from(list(Source)),
)


RUNS = st.lists(MARKS, min_size=1, max_size=300)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 700), st.lists(MARKS, min_size=1, max_size=300)), max_size=6)
)
def test_a_path_is_what_was_written_last_on_each_frame(writes):
    path, expected = PointPath(), {}
    for start, marks in writes:
        path = path.with_run(run_of(start, marks))
        for frame, mark in enumerate(marks, start):
            expected[frame] = mark
    marked = {f: m for f, m in expected.items() if m is not None}
    assert dict(path.run(0, 1100).items()) == marked
    assert list(path.frames()) == sorted(marked)
    assert path == PointPath().with_run(path.run(0, 1100))
    human = [f for f, m in sorted(marked.items()) if m.is_visible and m.source is Source.HUMAN]
    assert list(path.human_frames()) == human


def test_a_change_shares_the_blocks_it_does_not_touch():
    path = PointPath().with_run(accepted(0, 2000))
    other = path.with_run(run_of(700, [PointMark(Point(1, 1))]))
    shared = [n for n in path.blocks if path.blocks[n] is other.blocks[n]]
    assert shared == [n for n in range(8) if n != 2]
    assert np.array_equal(path.run(700, 701).xy, [[7.0, 8.0]])


SPANS = st.tuples(st.integers(0, 25), st.integers(1, 14))


@settings(max_examples=60)
@given(st.data(), st.lists(st.lists(SPANS, min_size=1, max_size=3), min_size=2, max_size=4))
def test_quick_repetitions_over_any_ranges_merge_into_one_step(data, repetitions):
    track = make_track(Keyframe(0, A))
    document = make_document(track)
    point = point_id()
    run(document, CreatePoint(point, track.id, "rim", 0, Point(1, 1)))
    before, merged = document.point(point), ()
    for spans in repetitions:
        for start, length in spans:
            marks = data.draw(st.lists(MARKS, min_size=length, max_size=length))
            change = points_change(document.point(point), run_of(start, marks))
            document.apply([change])
            merged = merge(merged, [change])
    after = document.point(point)
    step = ChangeSet("mark-point", merged)
    document.apply(step.inverse().changes)
    assert document.point(point) == before
    document.apply(step.changes)
    assert document.point(point) == after
