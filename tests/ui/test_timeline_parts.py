"""The timeline's pure parts: axis, ruler, lanes and the strip of proposals."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.ui.timeline.model.axis import MAX_CELL_PX, TimeAxis
from annotator.ui.timeline.model.lane_contents import (
    OUTDATED,
    IntervalState,
    KeyframeSign,
    LaneStore,
    segment_lanes,
    track_lane,
)
from annotator.ui.timeline.painting import header_painter
from annotator.ui.timeline.painting.mark_painter import doubt_columns
from tests.calls import counted_calls

BOX = Box(0, 0, 10, 10)

durations = st.lists(st.floats(0.001, 0.5), min_size=1, max_size=80)


def axis_of(lengths: list[float], width: float = 800.0) -> TimeAxis:
    edges = np.concatenate([[0.0], np.cumsum(lengths)])
    return TimeAxis.whole(edges[:-1], float(edges[-1]), width)


@given(durations, st.floats(0.1, 1000), st.floats(0, 800))
def test_the_frame_in_the_middle_of_a_cell_is_the_cells_frame(
    lengths: list[float], factor: float, x: float
) -> None:
    axis = axis_of(lengths).zoomed(factor, x)
    for frame in range(axis.n_frames):
        assert axis.frame_at(axis.middle_of(frame)) == frame


@given(durations, st.floats(0.01, 1000), st.floats(0, 800), st.floats(-1e4, 1e4))
def test_the_axis_never_leaves_the_video(
    lengths: list[float], factor: float, x: float, dx: float
) -> None:
    axis = axis_of(lengths).zoomed(factor, x).scrolled(dx)
    assert axis.start_s >= -1e-9
    assert axis.end_s <= axis.last_s + 1e-9
    assert axis.end_s > axis.start_s
    typical = (axis.last_s - axis.first_s) / axis.n_frames * axis.scale
    assert typical <= max(MAX_CELL_PX, 800 / axis.n_frames) + 1e-6


def test_an_axis_without_frames_answers_all_the_same() -> None:
    axis = TimeAxis.whole(np.zeros(0), 2.0, 100.0)
    assert axis.frame_at(25) == 500, "milliseconds take the place of frames"
    assert axis.left_of(500) == 25
    assert axis.frame_at(-10) == 0
    assert axis.frame_at(200) == 2000
    assert axis.visible_frames() == (0, 0)
    assert axis.following(3, pages=True) is axis
    assert header_painter.grid_frames(axis, 30, 7.0) == []


def test_turning_pages_brings_the_playhead_near_the_border_it_came_over() -> None:
    axis = axis_of([0.1] * 100).showing(0.0, 1.0)
    forward = axis.following(14, pages=True)
    assert forward.middle_of(14) < 0.2 * forward.width
    back = axis.showing(5.0, 6.0).following(45, pages=True)
    assert back.middle_of(45) > 0.8 * back.width
    jump = axis.following(70, pages=False)
    assert jump.middle_of(70) == pytest.approx(jump.width / 2, rel=0.1)


@pytest.mark.parametrize(
    ("seconds", "decimals", "text"),
    [
        (0.0, 3, "00:00.000"),
        (12.4, 3, "00:12.400"),
        (59.9996, 3, "01:00.000"),
        (3725.5, 1, "1:02:05.5"),
        (-0.25, 2, "-00:00.25"),
        (61.0, 0, "01:01"),
    ],
)
def test_times_are_written_as_people_read_them(seconds: float, decimals: int, text: str) -> None:
    assert header_painter.format_time(seconds, decimals) == text


@given(st.floats(0.5, 500), st.floats(1, 1e5))
def test_labels_on_the_ruler_have_room_and_differ(whole_s: float, factor: float) -> None:
    n = 300
    axis = axis_of([whole_s / n] * n).zoomed(factor, 400)
    labeled = [t for t in header_painter.time_ticks(axis, 84) if t.text]
    for one, two in pairwise(labeled):
        assert two.x - one.x >= 83.9
        assert one.text != two.text
    frames = header_painter.frame_ticks(axis, 64, 30)
    for one, two in pairwise(frames):
        assert two.x - one.x >= 63.9 or int(two.text) - int(one.text) >= 150000
        assert int(one.text) < int(two.text)


def test_frame_labels_fall_on_the_grid_when_far_away() -> None:
    axis = axis_of([1 / 30] * 3000)
    assert header_painter.frame_step(axis, 64, 30) % 30 == 0
    near = axis.showing(10, 10.4)
    assert header_painter.frame_step(near, 64, 30) in (1, 2, 5)


def test_the_grid_thins_out_but_keeps_to_grid_frames() -> None:
    axis = axis_of([1 / 30] * 30000)
    frames = header_painter.grid_frames(axis, 30, 7.0)
    assert all(f % 30 == 0 for f in frames)
    assert len(frames) <= 800 / 7 + 2


def made_track(*keys: Keyframe) -> Track:
    return Track(TrackInfo(track_id(), "cup", 1, 0), keys)


def test_a_lane_tells_what_lies_between_keyframes() -> None:
    track = made_track(
        Keyframe(10, BOX, settled=True),
        Keyframe(20, BOX, source=Source.ACCEPTED),
        Keyframe(30, BOX, occluded=True, source=Source.IMPORTED),
        Keyframe(40, None),
        Keyframe(60, BOX),
    )
    lane = track_lane(track, (), 100, 30)
    spans = lane.spans
    told = list(
        zip(
            spans.starts.tolist(),
            spans.ends.tolist(),
            [IntervalState(k) for k in spans.kinds.tolist()],
            spans.occluded.tolist(),
            strict=True,
        )
    )
    assert told == [
        (10, 20, IntervalState.SETTLED, False),
        (20, 30, IntervalState.INTERPOLATED, False),
        (30, 40, IntervalState.HELD, True),
        (40, 60, IntervalState.OUTSIDE, False),
        (60, 100, IntervalState.HELD, False),
    ]
    assert [KeyframeSign(m) for m in lane.marks.tolist()] == [
        KeyframeSign.HUMAN,
        KeyframeSign.ACCEPTED,
        KeyframeSign.IMPORTED,
        KeyframeSign.OUTSIDE,
        KeyframeSign.HUMAN,
    ]
    assert lane.unchecked.tolist() == [90]
    assert lane.nearest_key(52) == 60


def test_neighbors_of_one_kind_are_one_span() -> None:
    track = made_track(*(Keyframe(f, BOX) for f in range(1800)))
    lane = track_lane(track, (), 1800, 30)
    assert len(lane.spans.starts) == 2
    assert lane.spans.ends.tolist() == [1799, 1800]


def test_an_empty_track_has_an_empty_lane() -> None:
    lane = track_lane(made_track(), (), 100, 30)
    assert len(lane.frames) == len(lane.spans.starts) == len(lane.doubt) == 0
    assert lane.nearest_key(3) is None


def test_only_waiting_proposals_are_in_the_strip() -> None:
    track = made_track(Keyframe(10, BOX, settled=True), Keyframe(20, BOX), Keyframe(30, None))
    run = ProposalRun(
        track.id,
        0,
        np.tile(np.array(BOX.as_tuple(), dtype=np.float32), (40, 1)),
        np.full(40, 0.75, dtype=np.float32),
        Origin("test", "1"),
    )
    lane = track_lane(track, (run,), 100, 30)
    waiting = [lane.doubt_start + i for i, d in enumerate(lane.doubt.tolist()) if d == d]
    assert waiting == [*range(10), *range(21, 30)]
    assert lane.doubt[0] == pytest.approx(0.25)


def test_outdated_proposals_stay_in_the_strip_until_new_ones_come() -> None:
    track = made_track(Keyframe(0, BOX), Keyframe(20, BOX))

    def run(start: int, end: int, anchor: int) -> ProposalRun:
        sides = np.tile(np.array(BOX.as_tuple(), dtype=np.float32), (end - start, 1))
        sure = np.full(end - start, 0.75, dtype=np.float32)
        anchors = [[anchor, *BOX.as_tuple()], [20, *BOX.as_tuple()]]
        return ProposalRun(track.id, start, sides, sure, Origin("test", "1", {"anchors": anchors}))

    old, new = run(1, 20, 7), run(1, 8, 0)
    lane = track_lane(track, (old, new), 30, 30)
    assert lane.doubt_start == 1
    assert lane.doubt.tolist() == [0.25] * 7 + [OUTDATED] * 12
    assert track_lane(track, (new, old), 30, 30).doubt.tolist() == lane.doubt.tolist()
    worst = doubt_columns(lane.doubt[5:9], np.array([0, 0, 1, 2, 3]), 4)
    assert worst[:3].tolist() == [0.25, OUTDATED, OUTDATED]
    assert np.isnan(worst[3])


def test_the_strip_is_empty_while_an_object_has_not_returned() -> None:
    track = made_track(Keyframe(0, BOX, settled=True), Keyframe(10, None), Keyframe(20, BOX))
    sides = np.tile(np.array(BOX.as_tuple(), dtype=np.float32), (9, 1))
    sure = np.array([0.1] * 6 + [0.4, 0.6, 0.8], dtype=np.float32)
    lane = track_lane(track, (ProposalRun(track.id, 11, sides, sure, Origin("test", "1")),), 20, 30)
    waiting = [lane.doubt_start + i for i, d in enumerate(lane.doubt.tolist()) if d == d]
    assert waiting == [17, 18, 19]


def test_every_column_shows_the_worst_of_its_frames() -> None:
    doubt = np.array([0.1, 0.9, np.nan, 0.3, 0.2], dtype=np.float32)
    columns = np.array([0, 0, 1, 2, 4, 6], dtype=np.int64)
    worst = doubt_columns(doubt, columns, 7)
    told = [None if v != v else round(v, 2) for v in worst.tolist()]
    assert told == [0.9, None, 0.3, 0.3, 0.2, 0.2, None]


def test_many_segments_at_once_are_put_in_rows_without_searching_all_rows() -> None:
    segments = [Segment(segment_id(), Lane.ACTION, "tap", s, s + 20_000) for s in range(12_000)]
    with counted_calls() as n_calls:
        rows = segment_lanes(segments)
        assert n_calls() < 50 * len(segments)
    assert len(rows) == 12_001  # with the empty row of sounds


def test_only_the_row_of_a_changed_segment_is_timed_again() -> None:
    axis = TimeAxis(np.arange(101) / 10)
    store = LaneStore()
    segments = [Segment(segment_id(), Lane.ACTION, "tap", s, s + 20) for s in (0, 10, 30, 40)]
    before = [store.segment_times(lane, axis) for lane in segment_lanes(segments)]
    segments[3] = replace(segments[3], end=65)
    after = [store.segment_times(lane, axis) for lane in segment_lanes(segments)]
    assert [one[0] is two[0] for one, two in zip(before, after, strict=True)] == [True, False, True]
    assert after[1][1].tolist() == [3.0, 6.5]


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(1, 20)), max_size=25))
def test_segments_in_one_row_never_overlap_and_none_is_lost(spans: list[tuple[int, int]]) -> None:
    segments = [Segment(segment_id(), Lane.SOUND, "tap", s, s + n) for s, n in spans]
    rows = segment_lanes(segments)
    for row in rows:
        for one, two in pairwise(row.segments):
            assert one.end <= two.start
    assert sorted(s.id for r in rows for s in r.segments) == sorted(s.id for s in segments)
