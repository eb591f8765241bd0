"""Changes: the one record of an edit, from which undo, storage, the log and repainting follow.

A change has the state before and after. ``before is None`` means created, ``after is None``
deleted. Deleting a track lists its keyframes first, so that the inverse, read backwards,
restores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.point_track import PointInfo, PointPath, PointRun, run_of
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Keyframe, TrackInfo
from annotator.domain.answer import Answer, AnswerKey
from annotator.domain.ids import CommentId, PointId, SegmentId, TrackId, VideoId
from annotator.domain.json_type import Json


class KeyframeKey(NamedTuple):
    """Identifies a keyframe: one per track and frame."""

    track_id: TrackId
    frame: int


class PointKey(NamedTuple):
    """Identifies marks of a point: those with ``start <= frame < end``."""

    point_id: PointId
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class VideoExtra:
    """Imported data of a whole video (``VideoInfo.extra``): questions, points, metadata.

    It changes with the import that brings it, so that undo takes both back; it always exists.
    """

    data: dict[str, Json]


Kind: TypeAlias = Literal[
    "track", "keyframe", "point", "marks", "segment", "comment", "answer", "video"
]
Entity: TypeAlias = (
    "TrackInfo | Keyframe | PointInfo | PointRun | Segment | Comment | Answer | VideoExtra"
)
EntityKey: TypeAlias = (
    "TrackId | KeyframeKey | PointId | PointKey | SegmentId | CommentId | AnswerKey | VideoId"
)


@dataclass(frozen=True, slots=True)
class Change:
    """One entity before and after an edit."""

    kind: Kind
    id: EntityKey
    before: Entity | None
    after: Entity | None

    def inverse(self) -> Change:
        return Change(self.kind, self.id, self.after, self.before)

    @property
    def track_id(self) -> TrackId | None:
        """The track concerned, for track and keyframe changes."""
        if isinstance(self.id, KeyframeKey):
            return self.id.track_id
        return TrackId(str(self.id)) if self.kind == "track" else None

    @property
    def point_id(self) -> PointId | None:
        """The point concerned, for changes of points and of their marks."""
        if isinstance(self.id, PointKey):
            return self.id.point_id
        return PointId(str(self.id)) if self.kind == "point" else None


@dataclass(frozen=True)
class ChangeSet:
    """Changes of one command: one transaction, one undo step.

    ``op`` names the command (see ``annotator.domain.commands``), ``frame`` is the target of the
    view on undo, ``merge_key`` is set if quick repetitions form one step (nudging), ``is_undone``
    if the changes revert such a step. The touched entities are computed once, because all views
    request them and there can be a hundred thousand changes.
    """

    op: str
    changes: tuple[Change, ...]
    frame: int | None = None
    merge_key: str | None = None
    initiator: object | None = None
    is_undone: bool = False

    @cached_property
    def topics(self) -> frozenset[str]:
        """The kinds of entity touched."""
        return frozenset(c.kind for c in self.changes)

    @cached_property
    def track_ids(self) -> frozenset[TrackId]:
        """The tracks touched, by their own or by their keyframes' changes."""
        return frozenset(t for c in self.changes if (t := c.track_id) is not None)

    @cached_property
    def point_ids(self) -> frozenset[PointId]:
        """The points touched, by their own or by their marks' changes."""
        return frozenset(p for c in self.changes if (p := c.point_id) is not None)

    @cached_property
    def segment_ids(self) -> frozenset[SegmentId]:
        return frozenset(SegmentId(str(c.id)) for c in self.changes if c.kind == "segment")

    @cached_property
    def answer_keys(self) -> frozenset[AnswerKey]:
        return frozenset(c.id for c in self.changes if isinstance(c.id, AnswerKey))

    def prepare(self) -> None:
        """Compute the touched entities in advance, on a background thread."""
        _ = (self.topics, self.track_ids, self.point_ids, self.segment_ids)

    def inverse(self) -> ChangeSet:
        """Return the change set that takes this one back."""
        undone = tuple(c.inverse() for c in reversed(self.changes))
        return ChangeSet(self.op, undone, self.frame, is_undone=not self.is_undone)


def merge(first: Sequence[Change], second: Iterable[Change]) -> tuple[Change, ...]:
    """Return one list of changes that has the effect of both, each entity once where possible."""
    merged: dict[tuple[str, EntityKey], Change] = {(c.kind, c.id): c for c in first}
    for change in second:
        if isinstance(change.id, PointKey):
            overlapping = [c for c in merged.values() if _overlaps(c.id, change.id)]
            for earlier in overlapping:
                change = _joined_marks(merged.pop((earlier.kind, earlier.id)), change)
            merged[change.kind, change.id] = change
            continue
        old = merged.get((change.kind, change.id))
        before = old.before if old else change.before
        merged[(change.kind, change.id)] = Change(change.kind, change.id, before, change.after)
    return tuple(c for c in merged.values() if c.before != c.after)


def _overlaps(key: EntityKey, other: PointKey) -> bool:
    return (
        isinstance(key, PointKey)
        and key.point_id == other.point_id
        and key.start < other.end
        and other.start < key.end
    )


def _joined_marks(first: Change, second: Change) -> Change:
    """Return two changes of overlapping marks as one on all their frames."""
    assert isinstance(first.id, PointKey)
    assert isinstance(second.id, PointKey)
    start, end = min(first.id.start, second.id.start), max(first.id.end, second.id.end)
    before = PointPath().with_run(_marks(second.id, second.before))
    before = before.with_run(_marks(first.id, first.before))
    after = PointPath().with_run(_marks(first.id, first.after))
    after = after.with_run(_marks(second.id, second.after))
    old, new = before.run(start, end), after.run(start, end)
    return Change(
        "marks",
        PointKey(second.id.point_id, start, end),
        None if old.is_empty else old,
        None if new.is_empty else new,
    )


def _marks(key: PointKey, run: Entity | None) -> PointRun:
    return run if isinstance(run, PointRun) else run_of(key.start, [None] * (key.end - key.start))
