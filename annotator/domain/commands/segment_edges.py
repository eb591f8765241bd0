"""Commands on several segments in one step: move them and their edges, delete them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import effective
from annotator.domain.annotation.segment import Segment
from annotator.domain.commands.segments import checked_segment
from annotator.domain.ids import SegmentId


@dataclass(frozen=True, slots=True)
class SetSegments:
    """Replace segments by edited ones of the same identities, all or none."""

    op: ClassVar[str] = "set-segment"
    segments: tuple[Segment, ...]
    merge_key: str | None = None

    @property
    def frame(self) -> int | None:
        return self.segments[-1].start if self.segments else None

    def plan(self, document: Document) -> list[Change]:
        checked = [checked_segment(document, segment) for segment in self.segments]
        return effective([Change("segment", s.id, document.segment(s.id), s) for s in checked])


@dataclass(frozen=True, slots=True)
class DeleteSegments:
    """Delete segments, all or none."""

    op: ClassVar[str] = "delete-segment"
    segment_ids: tuple[SegmentId, ...]
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        found = [document.segment(s) for s in dict.fromkeys(self.segment_ids)]
        return effective([Change("segment", s.id, s, None) for s in found])
