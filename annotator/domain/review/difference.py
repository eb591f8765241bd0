"""One place where two documents differ, and all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from annotator.domain.annotation.point_track import PointRun, PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.ids import PointId, SegmentId, TrackId

EntityId: TypeAlias = TrackId | PointId | SegmentId
Side: TypeAlias = Track | tuple[Keyframe, ...] | PointTrack | PointRun | Segment | None


class DifferenceKind(StrEnum):
    """Kind of change between the two states."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Subject(StrEnum):
    """Subject of a difference."""

    TRACK = "track"  # a whole object, or its name
    KEYFRAMES = "keyframes"  # where an object is, on neighboring keyframes
    POINT = "point"  # a whole point, or its name
    MARKS = "marks"  # where a point is, on neighboring frames
    SEGMENT = "segment"
    LINK = "link"  # which objects a segment, a point or a child belongs to


_OPPOSITE = {
    DifferenceKind.ADDED: DifferenceKind.REMOVED,
    DifferenceKind.REMOVED: DifferenceKind.ADDED,
    DifferenceKind.CHANGED: DifferenceKind.CHANGED,
}
_ORDER = {subject: i for i, subject in enumerate(Subject)}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference, as a reviewer sees it.

    ``start <= frame < end`` is the stretch that looks different; ``frames`` are the keyframes or
    marks that differ in it, ascending (empty for other subjects). ``before`` and ``after`` are the
    keyframes of these frames, the marks of all frames from the first to the last of them, or the
    whole track, point or segment; None where it did not exist. ``fields`` names what differs of
    these.
    """

    subject: Subject
    kind: DifferenceKind
    id: EntityId
    start: int
    end: int
    before: Side
    after: Side
    frames: tuple[int, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def frame(self) -> int:
        """Where to look first."""
        return self.frames[0] if self.frames else self.start

    @property
    def key(self) -> tuple[Subject, EntityId, int]:
        """Identifies the item while others come and go."""
        return (self.subject, self.id, self.frame)

    def moved_fields(self) -> tuple[str, ...]:
        """Return the differing parts of keyframes: "frame" where only one side has a keyframe."""
        if not isinstance(self.before, tuple) or not isinstance(self.after, tuple):
            return ()
        if [k.frame for k in self.before] != [k.frame for k in self.after]:
            return ("frame",)
        pairs = list(zip(self.before, self.after, strict=True))
        parts = ("box", "occluded", "source")
        return tuple(p for p in parts if any(getattr(a, p) != getattr(b, p) for a, b in pairs))

    def inverse(self) -> Difference:
        """Return the difference as seen from the later state."""
        return replace(self, kind=_OPPOSITE[self.kind], before=self.after, after=self.before)


@dataclass(frozen=True, slots=True)
class Differences:
    """All differences of two documents: ``items`` in the order of the video.

    ``of_entity`` has the items of each track, point and segment that differs.
    """

    items: tuple[Difference, ...]
    of_entity: Mapping[EntityId, tuple[Difference, ...]]

    def __len__(self) -> int:
        return len(self.items)

    def counts(self) -> Mapping[tuple[Subject, DifferenceKind], int]:
        """Return how many items there are of each subject and kind, for people to read."""
        return Counter((item.subject, item.kind) for item in self.items)

    def at(self, frame: int) -> tuple[Difference, ...]:
        """Return the differences that concern a frame."""
        return tuple(item for item in self.items if item.start <= frame < item.end)


def collected(of_entity: Mapping[EntityId, Iterable[Difference]]) -> Differences:
    """Return differences found entity by entity, in the order of the video."""
    kept = {key: tuple(items) for key, items in of_entity.items()}
    kept = {key: items for key, items in kept.items() if items}
    ordered = sorted(
        (item for items in kept.values() for item in items),
        key=lambda item: (item.frame, _ORDER[item.subject], item.id),
    )
    return Differences(tuple(ordered), kept)
