"""Frames and microseconds of one video: segments made and moved on its clock."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from annotator.domain.segment import Lane, Segment, frame_span
from annotator.ui.selection import Edge

if TYPE_CHECKING:
    from annotator.ui.stage import Stage


class SegmentTimes:
    """Knows when each frame is shown and when the last one ends, in microseconds."""

    def __init__(self, stage: Stage) -> None:
        import numpy as np

        self._us: list[int] = np.rint(stage.times * 1e6).astype(np.int64).tolist()
        self.end_us = max(round(stage.end_s * 1e6), self._us[-1] + 1 if self._us else 1)

    @property
    def n_frames(self) -> int:
        return len(self._us)

    def frame_us(self, frame: int) -> int:
        """Return when a frame is shown; the end of the video for the one after the last."""
        return self._us[max(0, frame)] if frame < len(self._us) else self.end_us

    def edge_us(self, segment: Segment, edge: Edge) -> int:
        """Return when a segment starts or ends, exactly."""
        if edge == "start":
            own, frame = segment.start_us, segment.start
        else:
            own, frame = segment.end_us, segment.end
        return self.frame_us(frame) if own is None else own

    def spanned(self, segment: Segment, start_us: int, end_us: int) -> Segment:
        """Return the segment on a stretch of time: as it is for sounds, else on whole frames."""
        start_us, end_us = max(0, start_us), min(end_us, self.end_us)
        start, end = frame_span(self._us, start_us, max(end_us, start_us + 1))
        end = min(end, max(1, len(self._us)))
        start = min(start, end - 1)
        if segment.lane is Lane.SOUND:
            return replace(segment, start=start, end=end, start_us=start_us, end_us=end_us)
        return replace(segment, start=start, end=end, start_us=None, end_us=None)

    def on_frames(self, segment: Segment, start: int, end: int) -> Segment:
        """Return the segment on whole frames ``start <= frame < end``."""
        if segment.lane is not Lane.SOUND:
            return replace(segment, start=start, end=end, start_us=None, end_us=None)
        return replace(
            segment, start=start, end=end, start_us=self.frame_us(start), end_us=self.frame_us(end)
        )

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
