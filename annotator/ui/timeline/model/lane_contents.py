"""Contents of the lanes: ranges and marks of tracks and points, rows of segments, proposals.

Everything is gathered in arrays once per change of a track, so that painting a lane costs the same
whether it holds ten keyframes or ten thousand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.attributes import changes_of
from annotator.domain.annotation.point_track import (
    BLOCK_FRAMES,
    NO_MARK,
    OCCLUDED_BIT,
    OUTSIDE_BIT,
    PointTrack,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Source, Track, unchecked_grid_frames
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.box_proposals import (
    ProposalRun,
    is_current,
    open_gaps,
    return_frame,
)
from annotator.domain.proposals.point_proposals import PointProposalRun, is_point_run_current
from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.model.segment_times import spans_s

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.annotation.document import Document
    from annotator.services.session import Session


OUTDATED: Final = -1.0
"""Doubt of a proposal made from a keyframe or a mark that was changed."""


class PointState(IntEnum):
    """State of a point over a range of frames."""

    NOTHING = 0
    VISIBLE = 1
    OCCLUDED = 2
    OUTSIDE = 3


@dataclass(frozen=True, slots=True, eq=False)
class PointLane:
    """One point as the timeline shows it.

    ``starts``, ``ends`` and ``states`` are half-open stretches of marked frames, ascending.
    ``human`` are the frames where a person has placed the point. ``doubt`` is as in `TrackLane`.
    """

    point: PointTrack
    runs: tuple[PointProposalRun, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    states: NDArray[np.int8]
    human: NDArray[np.int64]
    doubt_start: int
    doubt: NDArray[np.float32]


def point_lane(point: PointTrack, runs: Sequence[PointProposalRun], n_frames: int) -> PointLane:
    """Gather everything that a point's lane shows."""
    blocks = point.path.blocks
    length = max(n_frames, (max(blocks, default=-1) + 1) * BLOCK_FRAMES)
    flags = np.zeros(length, dtype=np.uint8)
    for block in blocks.values():
        flags[block.start : block.end] = block.flags
    states = np.where(flags == NO_MARK, PointState.NOTHING, PointState.VISIBLE).astype(np.int8)
    states[(flags & OCCLUDED_BIT) != 0] = PointState.OCCLUDED
    states[(flags & OUTSIDE_BIT) != 0] = PointState.OUTSIDE
    begins = np.flatnonzero(np.diff(states, prepend=-1))
    ends = np.append(begins[1:], length)
    is_marked = states[begins] != PointState.NOTHING
    starts, ends = begins[is_marked], ends[is_marked]
    human = point.path.human_frames()
    start, doubt = _point_doubt(point, flags, human, runs)
    return PointLane(point, tuple(runs), starts, ends, states[starts], human, start, doubt)


def color_of(document: Document, point: PointTrack) -> int:
    """Return the color of a point: its object's, as in the picture, else its own."""
    owner = document.find_track(point.info.track_id) if point.info.track_id is not None else None
    return owner.info.color if owner is not None else point.info.color


def _point_doubt(
    point: PointTrack,
    flags: NDArray[np.uint8],
    human: NDArray[np.int64],
    runs: Sequence[PointProposalRun],
) -> tuple[int, NDArray[np.float32]]:
    """Return the doubt of proposals on free frames between a person's marks or beside the only."""
    if not runs or not len(human):
        return 0, np.empty(0, dtype=np.float32)
    start, end = min(r.start for r in runs), max(r.end for r in runs)
    doubt = np.full(end - start, np.nan, dtype=np.float32)
    for run in runs:
        values = 1.0 - run.confidence
        if not is_point_run_current(point, run):
            values[~np.isnan(values)] = OUTDATED
        doubt[run.start - start : run.end - start] = values
    frames = np.arange(start, end)
    free = flags[start:end] == NO_MARK
    doubt[: len(free)][~free] = np.nan
    if len(human) > 1:
        doubt[(frames <= human[0]) | (frames >= human[-1])] = np.nan
    return start, doubt


class IntervalState(IntEnum):
    """State of a track between one keyframe and the next."""

    INTERPOLATED = 0
    SETTLED = 1  # interpolated, and judged to be right
    HELD = 2
    OUTSIDE = 3


class KeyframeSign(IntEnum):
    """Which sign a keyframe gets."""

    HUMAN = 0
    ACCEPTED = 1
    IMPORTED = 2
    OUTSIDE = 3


_MARK_OF: Final = {
    Source.HUMAN: KeyframeSign.HUMAN,
    Source.ACCEPTED: KeyframeSign.ACCEPTED,
    Source.IMPORTED: KeyframeSign.IMPORTED,
}


@dataclass(frozen=True, slots=True, eq=False)
class LaneSpans:
    """Half-open spans of frames with a kind each: int64 [n] and int8 [n], ascending."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    kinds: NDArray[np.int8]
    occluded: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TrackLane:
    """One track as the timeline shows it.

    ``marks`` holds a `KeyframeSign` for each of ``frames`` (int64 [n]). ``doubt`` is float32 over
    frames from ``doubt_start`` on: 1 - confidence where a proposal waits, `OUTDATED` where one
    waits to be replaced, NaN elsewhere.
    ``unchecked`` are grid frames nobody has judged, ``changes`` those on which an attribute gets
    another value.
    """

    track: Track
    runs: tuple[ProposalRun, ...]
    frames: NDArray[np.int64]
    marks: NDArray[np.int8]
    spans: LaneSpans
    doubt_start: int
    doubt: NDArray[np.float32]
    unchecked: NDArray[np.int64]
    changes: NDArray[np.int64]

    @property
    def track_id(self) -> TrackId:
        return self.track.id

    def nearest_key(self, frame: int) -> int | None:
        """Return the keyframe nearest to a frame."""
        if not len(self.frames):
            return None
        return int(self.frames[np.abs(self.frames - frame).argmin()])


@dataclass(frozen=True, slots=True)
class SegmentLane:
    """One row of segments that do not overlap; ``row`` counts within the kind of lane."""

    lane: Lane
    row: int
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _SegmentTimes:
    lane: SegmentLane
    edges: NDArray[np.float64]
    starts: NDArray[np.float64]
    ends: NDArray[np.float64]


@dataclass(slots=True)
class LaneStore:
    """The lanes of a session, each made anew only when its track or its proposals changed."""

    _made: dict[TrackId, TrackLane] = field(default_factory=dict)
    _points: dict[PointId, PointLane] = field(default_factory=dict)
    _times: dict[tuple[Lane, int], _SegmentTimes] = field(default_factory=dict)

    def track_lane(self, session: Session, track: Track) -> TrackLane:
        """Return a track's lane."""
        runs = session.box_runs.of(track.id)
        made = self._made.get(track.id)
        if made is not None and made.track is track and made.runs == runs:
            return made
        video = session.document.video
        made = track_lane(track, runs, video.n_frames, video.grid_step)
        self._made[track.id] = made
        return made

    def point_lane(self, session: Session, point: PointTrack) -> PointLane:
        """Return a point's lane."""
        runs = session.point_runs.of(point.id)
        made = self._points.get(point.id)
        if made is None or made.point is not point or made.runs != runs:
            made = self._points[point.id] = point_lane(point, runs, session.document.video.n_frames)
        return made

    def segment_times(
        self, lane: SegmentLane, axis: TimeAxis
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return when the segments of a row begin and end, float64 [n] seconds each."""
        made = self._times.get((lane.lane, lane.row))
        # Rows are built again after an edit; most contain the same segments as before.
        is_same = made is not None and made.lane.segments == lane.segments
        if made is None or not is_same or made.edges is not axis.edges:
            made = _SegmentTimes(lane, axis.edges, *spans_s(lane.segments, axis))
            self._times[(lane.lane, lane.row)] = made
        return made.starts, made.ends

    def forget(self) -> None:
        self._made.clear()
        self._points.clear()
        self._times.clear()


def track_lane(
    track: Track, runs: Sequence[ProposalRun], n_frames: int, grid_step: int
) -> TrackLane:
    """Gather everything that a track's lane shows."""
    keys = track.keyframes
    frames = np.fromiter(track.frames, dtype=np.int64, count=len(keys))
    marks = [KeyframeSign.OUTSIDE if k.box is None else _MARK_OF[k.source] for k in keys]
    start, doubt = _track_doubt(track, runs, n_frames)
    unchecked = unchecked_grid_frames(track, step=grid_step, n_frames=n_frames)
    return TrackLane(
        track,
        tuple(runs),
        frames,
        np.array(marks, dtype=np.int8),
        _spans(track, frames, n_frames),
        start,
        doubt,
        np.array(unchecked, dtype=np.int64),
        _attribute_changes(track),
    )


def _attribute_changes(track: Track) -> NDArray[np.int64]:
    """Return the frames on which an attribute of a track gets another value."""
    values = track.info.attributes.values()
    frames = {frame for kept in values for frame, _ in changes_of(kept)}
    return np.array(sorted(frames), dtype=np.int64)


def segment_lanes(segments: Iterable[Segment], lanes: Iterable[Lane] = Lane) -> list[SegmentLane]:
    """Return rows of segments, actions before sounds, each segment in the first row with room.

    A lane without segments has one empty row.
    """
    found = []
    segments = list(segments)
    for lane in lanes:
        rows = _packed(sorted((s for s in segments if s.lane is lane), key=_order))
        found += [SegmentLane(lane, i, tuple(row)) for i, row in enumerate(rows or [[]])]
    return found


def with_segments(row: SegmentLane, new: Mapping[str, Segment]) -> SegmentLane | None:
    """Return a row in which some segments have changed; None where they do not fit any more."""
    places = [i for i, s in enumerate(row.segments) if s.id in new]
    if not places:
        return row
    segments = list(row.segments)
    for i in places:
        segments[i] = new[segments[i].id]
    for i in places:
        # With both neighbors, in the order they have: one that has passed another is put anew.
        for left, right in pairwise(segments[max(i - 1, 0) : i + 2]):
            if not _has_ended(left, right):
                return None
    return SegmentLane(row.lane, row.row, tuple(segments))


def has_room(row: SegmentLane, segment: Segment) -> bool:
    """Return whether a row would take a segment of another one."""
    at = bisect_left(row.segments, segment.start, key=lambda s: s.start)
    near = row.segments[max(at - 2, 0) : at + 2]
    return all(_has_ended(s, segment) or _has_ended(segment, s) for s in near)


def _packed(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Put segments, ascending by start, each in the first row with room.

    Rows whose last segment has not ended wait in a heap by that end: frames and microseconds
    cannot be compared, so there is one heap for each. A row with room keeps it for all that follow.
    """
    rows: list[list[Segment]] = []
    free: list[int] = []
    by_frame: list[tuple[int, int]] = []
    by_time: list[tuple[int, int]] = []
    for segment in segments:
        for taken_until in (by_frame, by_time):
            while taken_until and _has_ended(rows[taken_until[0][1]][-1], segment):
                heappush(free, heappop(taken_until)[1])
        if free:
            row = heappop(free)
            rows[row].append(segment)
        else:
            row = len(rows)
            rows.append([segment])
        if segment.end_us is None:
            heappush(by_frame, (segment.end, row))
        else:
            heappush(by_time, (segment.end_us, row))
    return rows


def _order(segment: Segment) -> tuple[int, int, int, str]:
    return (segment.start, segment.start_us or 0, segment.end, segment.id)


def _has_ended(earlier: Segment, later: Segment) -> bool:
    """Return whether one segment ends before another begins; sounds go by their own times."""
    if earlier.end_us is not None and later.start_us is not None:
        return earlier.end_us <= later.start_us
    return earlier.end <= later.start


def _spans(track: Track, frames: NDArray[np.int64], n_frames: int) -> LaneSpans:
    """Return the stretches after each keyframe, neighbors of one kind joined."""
    keys = track.keyframes
    n = len(keys)
    has_box = np.array([k.box is not None for k in keys], dtype=bool)
    settled = np.array([k.settled for k in keys], dtype=bool)
    occluded = np.array([k.occluded for k in keys], dtype=bool)
    next_has_box = np.append(has_box[1:], False)[:n]
    kinds = np.full(n, IntervalState.HELD, dtype=np.int8)
    kinds[next_has_box] = IntervalState.INTERPOLATED
    kinds[settled & has_box] = IntervalState.SETTLED
    kinds[~has_box] = IntervalState.OUTSIDE
    ends = np.append(frames[1:], n_frames)[:n]
    if n:
        ends[-1] = max(n_frames, int(frames[-1]) + 1)
    begins = np.ones(n, dtype=bool)
    begins[1:] = (kinds[1:] != kinds[:-1]) | (occluded[1:] != occluded[:-1])
    first = np.flatnonzero(begins)
    last = np.append(first[1:], n)[: len(first)] - 1
    return LaneSpans(frames[first], ends[last], kinds[first], occluded[first])


def _track_doubt(
    track: Track, runs: Sequence[ProposalRun], n_frames: int
) -> tuple[int, NDArray[np.float32]]:
    """Return ``doubt`` of a `TrackLane`, from the first frame of any run on."""
    if not runs:
        return 0, np.empty(0, dtype=np.float32)
    start = min(r.start for r in runs)
    end = max(r.end for r in runs)
    doubt = np.full(end - start, np.nan, dtype=np.float32)
    for gap in open_gaps(track, n_frames):
        for run in runs:
            first, last = max(return_frame(gap, run, runs), run.start), min(gap.end, run.end)
            if first >= last:
                continue
            part = doubt[first - start : last - start]
            values = 1.0 - run.confidence[first - run.start : last - run.start]
            has_value = ~np.isnan(values)
            if is_current(run, gap, runs):
                part[has_value] = values[has_value]
            else:
                part[has_value & np.isnan(part)] = OUTDATED
    return start, doubt
