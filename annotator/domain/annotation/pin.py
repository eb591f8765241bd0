"""Pins: what a reason or a comment is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from annotator.domain.ids import PointId, SegmentId, TrackId


@dataclass(frozen=True, slots=True)
class Pin:
    """A place in a task. With nothing set it is the task as a whole.

    ``frame`` counts from 0; ``span`` is half-open in frames, [start, end). A track, point or
    segment may be given with or without the frame at which to look at it.
    """

    frame: int | None = None
    span: tuple[int, int] | None = None
    track_id: TrackId | None = None
    segment_id: SegmentId | None = None
    point_id: PointId | None = None

    @property
    def is_whole_task(self) -> bool:
        """Whether this points at nothing in particular."""
        return self == WHOLE_TASK

    @property
    def first_frame(self) -> int | None:
        """The frame to jump to, None if the pin names none."""
        if self.frame is not None:
            return self.frame
        return self.span[0] if self.span is not None else None


WHOLE_TASK: Final = Pin()
