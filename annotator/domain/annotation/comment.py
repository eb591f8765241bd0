"""Comments of people on each other's work, and pins: places that comments and reasons are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from annotator.domain.ids import CommentId, PersonId, PointId, SegmentId, TrackId


@dataclass(frozen=True, slots=True)
class Pin:
    """A place in a task; without any value, the task as a whole.

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


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark pinned to a place, or a reply to one.

    It is edited, undone and submitted like annotations, but is never exported. ``at`` and
    ``edited_at`` are milliseconds since 1970-01-01 UTC. A reply names its comment and has the same
    pin; only comments at the top level are resolved. The target of a pin can be deleted meanwhile.
    """

    id: CommentId
    author_id: PersonId
    at: int
    text: str
    pin: Pin = WHOLE_TASK
    parent_id: CommentId | None = None
    is_resolved: bool = False
    edited_at: int | None = None


def threads(comments: Iterable[Comment]) -> list[tuple[Comment, ...]]:
    """Return each comment with its replies, by place in the video, then by time.

    Remarks on the task as a whole come first. A reply to a deleted comment stands alone.
    """
    everything = sorted(comments, key=lambda c: (c.at, c.id))
    known = {c.id for c in everything}
    found: dict[CommentId, list[Comment]] = {}
    for comment in sorted(everything, key=lambda c: c.parent_id in known):
        root = comment.parent_id if comment.parent_id in known else None
        found.setdefault(root or comment.id, []).append(comment)
    return sorted((tuple(t) for t in found.values()), key=lambda t: _place(t[0]))


def _place(comment: Comment) -> tuple[int, int, str]:
    frame = comment.pin.first_frame
    return (-1 if frame is None else frame, comment.at, comment.id)
