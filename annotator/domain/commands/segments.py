"""Commands on segments: make, change, move, cut, join, delete, and set their objects."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from annotator.domain.annotation.attributes import with_attributes
from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import effective
from annotator.domain.annotation.segment import OPEN_ROLE, Segment, normalized_roles
from annotator.domain.errors import EditError
from annotator.domain.ids import SegmentId, TrackId
from annotator.domain.json_type import Json

MAX_SLOTS: Final = 9


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
    merge_key: str | None = None

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


@dataclass(frozen=True, slots=True)
class SplitSegment:
    """Cut a segment in two at the beginning of a frame; label and roles go to both parts.

    ``at_us`` is the media time of that frame, for a segment with times of its own.
    """

    op: ClassVar[str] = "split-segment"
    segment_id: SegmentId
    frame: int
    new_id: SegmentId
    at_us: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        old = document.segment(self.segment_id)
        at_us = self.at_us if old.start_us is not None or old.end_us is not None else None
        if not old.start < self.frame < old.end:
            raise EditError(
                "Cannot split the segment: the current frame is outside it. Go to "
                "a frame inside the segment."
            )
        head = replace(old, end=self.frame, end_us=at_us)
        rest = replace(old, id=self.new_id, start=self.frame, start_us=at_us, extra={})
        return [
            Change("segment", old.id, old, checked_segment(document, head)),
            Change("segment", rest.id, None, checked_segment(document, rest)),
        ]


@dataclass(frozen=True, slots=True)
class MergeSegments:
    """Merge segments that touch or overlap into the first of them.

    They must say the same: lane, label, and roles, where a role that only one names is kept.
    """

    op: ClassVar[str] = "merge-segments"
    segment_ids: tuple[SegmentId, ...]
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        ids = dict.fromkeys(self.segment_ids)
        found = sorted((document.segment(s) for s in ids), key=lambda s: (s.start, s.end, s.id))
        if len(found) < 2:
            raise EditError("Select two segments to merge.")
        merged = found[0]
        for other in found[1:]:
            merged = _merged(merged, other)
        changes = [Change("segment", s.id, s, None) for s in found[1:]]
        return [*changes, Change("segment", merged.id, found[0], checked_segment(document, merged))]


@dataclass(frozen=True, slots=True)
class DuplicateSegments:
    """Add segments like others, in the same places; ``copies`` are pairs of old and new."""

    op: ClassVar[str] = "duplicate-segment"
    copies: tuple[tuple[SegmentId, SegmentId], ...]
    merge_key: ClassVar[str | None] = None
    frame: int | None = None

    def plan(self, document: Document) -> list[Change]:
        made = []
        for old, new in self.copies:
            segment = document.segment(old)
            extra = with_attributes({}, segment.attributes)
            made.append(replace(segment, id=new, extra=extra))
        return [Change("segment", s.id, None, checked_segment(document, s)) for s in made]


@dataclass(frozen=True, slots=True)
class SetSlot:
    """Assign a track to a role; None: the object is not annotated.

    ``slot`` counts from 0. Roles before it may be empty.
    """

    op: ClassVar[str] = "set-slot"
    segment_id: SegmentId
    slot: int
    track_id: TrackId | None
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        old = document.segment(self.segment_id)
        if not 0 <= self.slot < MAX_SLOTS:
            raise EditError(f"Too many roles. A segment has at most {MAX_SLOTS} roles.")
        slots = list(old.slots) + [OPEN_ROLE] * (self.slot + 1 - len(old.slots))
        slots[self.slot] = self.track_id
        new = checked_segment(document, replace(old, slots=tuple(slots)))
        return effective([Change("segment", old.id, old, new)])


@dataclass(frozen=True, slots=True)
class ClearSlot:
    """Leave a role open again; roles after it in a sound move up."""

    op: ClassVar[str] = "clear-slot"
    segment_id: SegmentId
    slot: int
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        old = document.segment(self.segment_id)
        if self.slot < 0 or old.is_open(self.slot):
            raise EditError("The role is already open.")
        slots = list(old.slots)
        slots[self.slot] = OPEN_ROLE
        new = replace(old, slots=normalized_roles(old.lane, tuple(slots)))
        return effective([Change("segment", old.id, old, new)])


@dataclass(frozen=True, slots=True)
class SetSegmentAttributes:
    """Set the attributes of a segment, all of them at once."""

    op: ClassVar[str] = "set-segment-attributes"
    segment_id: SegmentId
    attributes: dict[str, Json]
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        old = document.segment(self.segment_id)
        new = replace(old, extra=with_attributes(old.extra, self.attributes))
        return effective([Change("segment", old.id, old, new)])


@dataclass(frozen=True, slots=True)
class SetVisible:
    """Set whether the source of a sound is visible."""

    segment_id: SegmentId
    is_visible: bool
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    @property
    def op(self) -> str:
        """The names that the same edit of an object has in the history."""
        return "clear-outside" if self.is_visible else "set-outside"

    def plan(self, document: Document) -> list[Change]:
        old = document.segment(self.segment_id)
        new = replace(old, is_visible=self.is_visible)
        return effective([Change("segment", old.id, old, new)])


def checked_segment(document: Document, segment: Segment) -> Segment:
    """Return the segment with normalized roles; EditError if it is invalid.

    That is when it is empty, outside the video or names no track.

    Of a sound without picture the milliseconds count as frames.
    """
    video = document.video
    has_times = segment.start_us is not None and segment.end_us is not None
    if segment.end <= segment.start:
        raise EditError("The segment must end after it starts.")
    if segment.start_us is not None and segment.end_us is not None:
        if segment.end_us <= segment.start_us:
            raise EditError("The segment must end after it starts.")
        if segment.start_us < 0:
            raise EditError("The segment must be within the video.")
    is_sound_alone = has_times and not video.n_frames
    if segment.start < 0 or (segment.end > video.n_frames and not is_sound_alone):
        raise EditError("The segment must be within the video.")
    if not segment.label:
        raise EditError("Select a label for the segment.")
    for slot in segment.slots:
        if slot:
            document.track(slot)
    slots = normalized_roles(segment.lane, segment.slots)
    return segment if slots == segment.slots else replace(segment, slots=slots)


def _merged(first: Segment, second: Segment) -> Segment:
    """Return both as one, ``first`` being the one that starts earlier."""
    if (first.lane, first.label, first.label_id) != (second.lane, second.label, second.label_id):
        raise EditError("Cannot merge the segments: their labels are different.")
    if second.start > first.end:
        raise EditError("Cannot merge the segments: there is a gap between them.")
    slots = []
    for i in range(max(len(first.slots), len(second.slots))):
        judged = {s.slots[i] for s in (first, second) if not s.is_open(i)}
        named = judged - {None}
        if len(named) > 1:
            raise EditError("Cannot merge the segments: they refer to different objects.")
        slots.append(named.pop() if named else None if judged else OPEN_ROLE)
    last = first if first.end > second.end else second
    if first.end == second.end and first.end_us is not None and second.end_us is not None:
        last = first if first.end_us >= second.end_us else second
    is_visible = first.is_visible or second.is_visible
    return replace(
        first, end=last.end, end_us=last.end_us, slots=tuple(slots), is_visible=is_visible
    )


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
