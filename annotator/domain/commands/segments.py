"""Commands on segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from annotator.domain.changes import Change
from annotator.domain.commands.base import effective
from annotator.domain.document import Document
from annotator.domain.errors import EditError
from annotator.domain.ids import SegmentId
from annotator.domain.segment import Segment


@dataclass(frozen=True, slots=True)
class CreateSegment:
    """Add a segment."""

    op: ClassVar[str] = "create-segment"
    segment: Segment
    merge_key: ClassVar[str | None] = None

    @property
    def frame(self) -> int:
        return self.segment.start

    def plan(self, document: Document) -> list[Change]:
        new = checked_segment(document, self.segment)
        return [Change("segment", new.id, None, new)]


@dataclass(frozen=True, slots=True)
class SetSegment:
    """Replace a segment by an edited one of the same identity."""

    op: ClassVar[str] = "set-segment"
    segment: Segment
    merge_key: ClassVar[str | None] = None

    @property
    def frame(self) -> int:
        return self.segment.start

    def plan(self, document: Document) -> list[Change]:
        new = checked_segment(document, self.segment)
        return effective([Change("segment", new.id, document.segment(new.id), new)])


@dataclass(frozen=True, slots=True)
class DeleteSegment:
    """Delete a segment."""

    op: ClassVar[str] = "delete-segment"
    segment_id: SegmentId
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        return [Change("segment", self.segment_id, document.segment(self.segment_id), None)]


def checked_segment(document: Document, segment: Segment) -> Segment:
    """Return the segment; EditError when it is empty, outside the video or names no track."""
    if segment.end <= segment.start:
        raise EditError("A segment must end after it starts.")
    if segment.start < 0 or segment.end > document.video.n_frames:
        raise EditError("A segment must lie inside the video.")
    if not segment.label:
        raise EditError("A segment needs a label.")
    for slot in segment.slots:
        if slot is not None:
            document.track(slot)
    return segment
