"""Where segments begin and end in seconds, and how an edge moved in time changes them. No Qt.

Actions are bound to frames; sounds keep times of their own, to the microsecond.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.segment import Lane, Segment, frame_span
from annotator.ui.timeline.axis import TimeAxis
from annotator.ui.timeline.distinct import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SOUND_S: Final = 0.001
_SNAP_PX: Final = 8.0
# From this many samples per pixel on, sounds are placed by the millisecond.
_SAMPLES_PER_PX: Final = 4.0


class Part(Enum):
    """What of a segment is moved."""

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
    start_us, end_us = round(start_s * 1e6), round(end_s * 1e6)
    times_us = np.rint(axis.edges[:-1] * 1e6).astype(np.int64).tolist()
    start, end = frame_span(times_us, start_us, end_us)
    return replace(segment, start=start, end=end, start_us=start_us, end_us=end_us)


def moved(segment: Segment, part: Part, to_s: float, axis: TimeAxis) -> Segment:
    """Return a segment with an edge, or its beginning and all of it, at a moment.

    It stays inside the video and never becomes shorter than a frame (a sound: a millisecond).
    """
    start, end = span_s(segment, axis)
    first, last = axis.first_s, axis.last_s
    if part is Part.BODY:
        length = end - start
        start = min(max(to_s, first), last - length)
        return with_span(segment, start, start + length, axis)
    if segment.lane is Lane.SOUND:
        if part is Part.START:
            return with_span(segment, min(max(to_s, first), end - LEAST_SOUND_S), end, axis)
        return with_span(segment, start, max(min(to_s, last), start + LEAST_SOUND_S), axis)
    edge = nearest_edge(axis, to_s)
    if part is Part.START:
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
    """Return where a moment comes to lie: on a magnet near by, else on the finest step.

    ``magnets`` are ascending seconds; ``is_free`` (Alt) lets them be. The finest step is a frame
    for actions; for sounds a millisecond, or a sample once samples can be told apart.
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
