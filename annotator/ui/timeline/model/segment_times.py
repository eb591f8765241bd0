"""Times of segments, and how moving an edge changes them, without Qt.

The mouse moves edges in seconds of a time axis, keys by frames and microseconds. Actions are bound
to frames; sounds keep times of their own, to the microsecond.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.segment import Lane, Segment, frame_span
from annotator.ui.state.selection import Edge
from annotator.ui.timeline.model.axis import TimeAxis

if TYPE_CHECKING:
    from numpy.typing import NDArray

N = TypeVar("N", np.float64, np.complex128)


def distinct(values: NDArray[N]) -> NDArray[N]:
    """Return the different values of a flat array, ascending; a pair is a complex number.

    As ``numpy.unique``, which would load numpy's masked arrays while the window waits for it.
    """
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


LEAST_SOUND_S: Final = 0.001
_SNAP_PX: Final = 8.0
# From this many samples per pixel on, sounds are placed by the millisecond.
_SAMPLES_PER_PX: Final = 4.0


class Clock(Protocol):
    """When the frames of a video are shown, in seconds, and when the last one ends."""

    @property
    def times(self) -> NDArray[np.float64]: ...

    @property
    def end_s(self) -> float: ...


class SegmentPart(Enum):
    """Part of a segment that is moved."""

    START = "start"
    END = "end"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class Snap:
    """A moment that a moved edge is drawn to; ``is_magnet`` False: just the finest step."""

    seconds: float
    is_magnet: bool


def span_s(segment: Segment, axis: TimeAxis) -> tuple[float, float]:
    """Return when a segment begins and ends, in seconds of media time."""
    edges, n = axis.edges, axis.n_frames
    start = float(edges[min(segment.start, n)])
    end = float(edges[min(segment.end, n)])
    if segment.start_us is not None:
        start = segment.start_us / 1e6
    if segment.end_us is not None:
        end = segment.end_us / 1e6
    return start, end


def spans_s(
    segments: Sequence[Segment], axis: TimeAxis
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return when segments begin and end, float64 [n] seconds each, as `span_s` has them."""
    n = len(segments)
    frames = np.fromiter((s.start for s in segments), np.int64, n)
    ends = np.fromiter((s.end for s in segments), np.int64, n)
    starts_us = np.fromiter(
        (np.nan if s.start_us is None else s.start_us for s in segments), np.float64, n
    )
    ends_us = np.fromiter(
        (np.nan if s.end_us is None else s.end_us for s in segments), np.float64, n
    )
    begin_s = axis.edges[np.minimum(frames, axis.n_frames)]
    end_s = axis.edges[np.minimum(ends, axis.n_frames)]
    return (
        np.where(np.isnan(starts_us), begin_s, starts_us / 1e6),
        np.where(np.isnan(ends_us), end_s, ends_us / 1e6),
    )


def with_span(segment: Segment, start_s: float, end_s: float, axis: TimeAxis) -> Segment:
    """Return a segment moved to a span of time: an action to the nearest frames."""
    if segment.lane is Lane.ACTION:
        start = nearest_edge(axis, start_s)
        end = nearest_edge(axis, end_s)
        if (start, end) == (segment.start, segment.end):
            return segment
        start_us = segment.start_us if start == segment.start else None
        end_us = segment.end_us if end == segment.end else None
        return replace(segment, start=start, end=end, start_us=start_us, end_us=end_us)
    return _with_times(segment, round(start_s * 1e6), round(end_s * 1e6), _FramesUs(axis))


def moved(segment: Segment, part: SegmentPart, to_s: float, axis: TimeAxis) -> Segment:
    """Return a segment with an edge, or its beginning and all of it, at a moment.

    It stays inside the video and never becomes shorter than a frame (a sound: a millisecond).
    """
    start, end = span_s(segment, axis)
    first, last = axis.first_s, axis.last_s
    if part is SegmentPart.BODY:
        length = end - start
        start = min(max(to_s, first), last - length)
        return with_span(segment, start, start + length, axis)
    if segment.lane is Lane.SOUND:
        if part is SegmentPart.START:
            return with_span(segment, min(max(to_s, first), end - LEAST_SOUND_S), end, axis)
        return with_span(segment, start, max(min(to_s, last), start + LEAST_SOUND_S), axis)
    edge = nearest_edge(axis, to_s)
    if part is SegmentPart.START:
        edge = min(edge, segment.end - 1)
        return with_span(segment, float(axis.edges[max(0, edge)]), end, axis)
    edge = min(max(edge, segment.start + 1), axis.n_frames)
    return with_span(segment, start, float(axis.edges[edge]), axis)


def nearest_edge(axis: TimeAxis, seconds: float) -> int:
    """Return the border between frames nearest to a moment; ``n_frames`` is the last one."""
    after = int(np.searchsorted(axis.edges, seconds))
    if after == 0:
        return 0
    if after > axis.n_frames:
        return axis.n_frames
    is_nearer = axis.edges[after] - seconds < seconds - axis.edges[after - 1]
    return after if is_nearer else after - 1


def snapped(
    seconds: float,
    magnets: NDArray[np.float64],
    axis: TimeAxis,
    *,
    lane: Lane,
    is_free: bool,
) -> Snap:
    """Return the snapped time: at a near magnet, else on the finest step.

    ``magnets`` are ascending seconds; ``is_free`` (Alt) ignores them. The finest step is a frame
    for actions; for sounds a millisecond, or a sample once single samples are visible.
    """
    if not is_free and len(magnets):
        at = int(np.searchsorted(magnets, seconds))
        near = magnets[max(0, at - 1) : at + 1]
        best = float(near[np.abs(near - seconds).argmin()])
        if abs(best - seconds) * axis.scale <= _SNAP_PX:
            return Snap(best, True)
    edge = float(axis.edges[nearest_edge(axis, seconds)])
    if lane is Lane.ACTION:
        return Snap(edge, False)
    if not is_free and abs(edge - seconds) * axis.scale <= _SNAP_PX / 2:
        return Snap(edge, axis.typical_cell_px > 2 * _SNAP_PX)
    rate = axis.sample_rate
    step = 1 / rate if rate and axis.scale * _SAMPLES_PER_PX >= rate else 0.001
    return Snap(round(seconds / step) * step, False)


def magnets_of(*groups: Iterable[float]) -> NDArray[np.float64]:
    """Return moments to snap to, ascending and without doubles."""
    parts = [np.fromiter(group, dtype=np.float64) for group in groups]
    return distinct(np.concatenate(parts)) if parts else np.empty(0)


class SegmentTimes:
    """Knows when each frame is shown and when the last one ends, in microseconds."""

    def __init__(self, clock: Clock) -> None:
        self._axis = TimeAxis.whole(clock.times, clock.end_s, 1.0)
        self._us = _FramesUs(self._axis)
        self.end_us = round(self._axis.last_s * 1e6)

    @property
    def n_frames(self) -> int:
        """Number of frames, or of milliseconds of a sound without picture."""
        return len(self._us) or -(-self.end_us // 1000)

    def frame_us(self, frame: int) -> int:
        """Return when a frame is shown; the end of the video for the one after the last.

        Of a sound without picture the milliseconds count as frames.
        """
        if not len(self._us):
            return min(max(0, frame) * 1000, self.end_us)
        return self._us[max(0, frame)] if frame < len(self._us) else self.end_us

    def edge_us(self, segment: Segment, edge: Edge) -> int:
        """Return when a segment starts or ends, exactly."""
        return round(span_s(segment, self._axis)[0 if edge == "start" else 1] * 1e6)

    def spanned(self, segment: Segment, start_us: int, end_us: int) -> Segment:
        """Return the segment on a stretch of time: as it is for sounds, else on whole frames."""
        start_us, end_us = max(0, start_us), min(end_us, self.end_us)
        timed = _with_times(segment, start_us, end_us, self._us)
        if segment.lane is Lane.SOUND:
            return timed
        return replace(timed, start_us=None, end_us=None)

    def moved(self, segment: Segment, edge: Edge, *, frame: int) -> Segment:
        """Return the segment with an edge at the beginning of a frame."""
        if segment.lane is Lane.SOUND:
            return self.moved_to(segment, edge, self.frame_us(frame))
        return (
            replace(segment, start=frame, start_us=None)
            if edge == "start"
            else replace(segment, end=frame, end_us=None)
        )

    def moved_to(self, segment: Segment, edge: Edge, at_us: int) -> Segment:
        """Return a sound with an edge at a time; the frames follow. It may come out empty."""
        start_us, end_us = self.edge_us(segment, "start"), self.edge_us(segment, "end")
        if edge == "start":
            start_us = at_us
        else:
            end_us = min(at_us, self.end_us)
        if not 0 <= start_us < end_us:
            return replace(segment, start_us=start_us, end_us=end_us)
        return self.spanned(segment, start_us, end_us)

    def next_frame(self, segment: Segment, edge: Edge, step: int) -> int:
        """Return the frame at whose beginning an edge lies after a step of whole frames."""
        at_us = self.edge_us(segment, edge)
        frame = segment.start if edge == "start" else segment.end
        is_between = at_us != self.frame_us(frame)
        if is_between and edge == "start" and step > 0:
            return frame + step
        if is_between and edge == "start":
            return frame + step + 1
        if is_between and step > 0:
            return frame + step - 1
        return frame + step


class _FramesUs(Sequence[int]):
    """When each frame is shown, in microseconds; worked out for the frames that are asked for."""

    def __init__(self, axis: TimeAxis) -> None:
        self._axis = axis

    def __len__(self) -> int:
        return self._axis.n_frames

    def __getitem__(self, frame: int) -> int:  # type: ignore[override]
        if not 0 <= frame < self._axis.n_frames:
            raise IndexError(frame)
        return round(float(self._axis.edges[frame]) * 1e6)


def _with_times(segment: Segment, start_us: int, end_us: int, times_us: Sequence[int]) -> Segment:
    """Return the segment on a stretch of time and on the frames that it touches."""
    start, end = frame_span(times_us, start_us, max(end_us, start_us + 1))
    end = min(end, len(times_us) or end)
    return replace(segment, start=min(start, end - 1), end=end, start_us=start_us, end_us=end_us)
