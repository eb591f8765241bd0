"""Segments: labelled intervals on a lane (actions, sounds)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from annotator.domain.ids import SegmentId, TrackId
from annotator.domain.track import Json


class Lane(StrEnum):
    """What kind of interval a segment is."""

    ACTION = "action"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Segment:
    """A labelled interval, half-open in frames: ``start <= frame < end``.

    ``slots`` are the tracks that play the template's roles, in template order; None is a role whose
    object is not annotated. ``is_visible`` concerns sounds: the objects that sound can be seen.
    ``start_us`` and ``end_us`` are media time in microseconds, for what is not bound to frames
    (sounds); ``start`` and ``end`` are then the `frame_span` of these times. None means exactly the
    time of the frame.
    """

    id: SegmentId
    lane: Lane
    label: str
    start: int
    end: int
    label_id: int | None = None
    slots: tuple[TrackId | None, ...] = ()
    is_visible: bool = True
    extra: dict[str, Json] = field(default_factory=dict)
    start_us: int | None = None
    end_us: int | None = None


def frame_span(times_us: Sequence[int], start_us: int, end_us: int) -> tuple[int, int]:
    """Return the half-open frames of a stretch of media time: at least one frame.

    ``times_us`` is when each frame is shown, ascending. The first is the frame shown at
    ``start_us`` (frame 0 before the picture begins), the end is the first frame at ``end_us`` or
    after it.
    """
    start = max(0, bisect_right(times_us, start_us) - 1)
    return start, max(start + 1, bisect_left(times_us, end_us))
