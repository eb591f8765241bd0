"""Segments: labelled intervals on a lane (actions, sounds)."""

from __future__ import annotations

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
