"""Segments: labeled intervals on a lane (actions, sounds)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeAlias

from annotator.domain.annotation.attributes import attributes_in
from annotator.domain.ids import SegmentId, TrackId
from annotator.domain.json_type import Json

OPEN_ROLE: Final = TrackId("")
"""Value in ``Segment.slots`` of a role without a decision, before one with a decision."""

NOTE_KEY: Final = "note"
"""Where ``Segment.extra`` keeps the note."""

PROPOSED_BY: Final = "proposed_by"
"""Where the ``extra`` of a track, point or segment that a model proposed names the model."""

DISMISSED: Final = "dismissed"
"""Where the ``extra`` of a track or point lists the ranges whose proposals were dismissed."""

UNSEEN: Final = "unseen"
"""Where the ``extra`` of a track lists grid frames that were accepted and never shown."""

ACCEPTED_FROM: Final = "accepted_from"
"""Where it names the model once the segment has been accepted."""

Roles: TypeAlias = tuple[TrackId | None, ...]


class Lane(StrEnum):
    """Type of a segment."""

    ACTION = "action"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Segment:
    """A labeled interval, half-open in frames: ``start <= frame < end``.

    ``slots`` are the tracks of the template's roles in order; None is a role whose object is not
    annotated, `OPEN_ROLE` one without a decision, as are all after the last. ``is_visible`` of a
    sound: its source can be seen. ``start_us`` and ``end_us`` are media time in microseconds for
    segments that are not bound to frames (sounds); ``start`` and ``end`` are then the `frame_span`
    of these times. None is exactly the time of the frame.
    """

    id: SegmentId
    lane: Lane
    label: str
    start: int
    end: int
    label_id: int | None = None
    slots: Roles = ()
    is_visible: bool = True
    extra: dict[str, Json] = field(default_factory=dict)
    start_us: int | None = None
    end_us: int | None = None

    @property
    def note(self) -> str:
        """Free text about the segment, empty by default."""
        found = self.extra.get(NOTE_KEY)
        return found if isinstance(found, str) else ""

    def with_note(self, text: str) -> Segment:
        """Return this segment with another note; an empty note is not stored."""
        rest = {key: value for key, value in self.extra.items() if key != NOTE_KEY}
        return replace(self, extra={**rest, NOTE_KEY: text} if text else rest)

    @property
    def attributes(self) -> dict[str, Json]:
        """Values of the segment's attributes by key."""
        return attributes_in(self.extra)

    @property
    def is_proposed(self) -> bool:
        """True for a segment of a model that is not accepted yet."""
        return PROPOSED_BY in self.extra

    @property
    def objects(self) -> tuple[TrackId, ...]:
        """The tracks that play a role, in slot order."""
        return tuple(slot for slot in self.slots if slot)

    @property
    def first_open(self) -> int:
        """The first role without an object, counted from 0."""
        return self.slots.index(OPEN_ROLE) if OPEN_ROLE in self.slots else len(self.slots)

    def is_open(self, slot: int) -> bool:
        """Return whether a role has no object yet, counted from 0."""
        return slot >= len(self.slots) or self.slots[slot] == OPEN_ROLE


def normalized_roles(lane: Lane, slots: Roles) -> Roles:
    """Return roles in the one way to write them: no open one at the end, none at all in a sound."""
    if lane is Lane.SOUND:
        return tuple(slot for slot in slots if slot != OPEN_ROLE)
    while slots and slots[-1] == OPEN_ROLE:
        slots = slots[:-1]
    return slots


def frame_span(times_us: Sequence[int], start_us: int, end_us: int) -> tuple[int, int]:
    """Return the half-open frames of a stretch of media time: at least one frame.

    ``times_us`` is when each frame is shown, ascending. The first is the frame shown at
    ``start_us`` (frame 0 before the picture begins), the end is the first frame at ``end_us`` or
    after it. Of a sound without picture the milliseconds count as frames.
    """
    if not len(times_us):
        first = start_us // 1000
        return first, max(first + 1, -(-end_us // 1000))
    start = max(0, bisect_right(times_us, start_us) - 1)
    return start, max(start + 1, bisect_left(times_us, end_us))
