"""Comments: what people write to each other about a place in a task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.domain.annotation.pin import WHOLE_TASK, Pin
from annotator.domain.ids import CommentId, PersonId


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark pinned to a place, or a reply to one.

    It is edited, undone and handed in like everything else in the document, and is no annotation:
    no benchmark file ever has it. ``at`` and ``edited_at`` are milliseconds since 1970-01-01 UTC.
    A reply names the remark it answers and shares its pin; ``is_resolved`` is said of remarks only.
    The pinned track, point or segment may be gone by now.
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
    """Return each remark with its replies, by place in the video, then by time.

    Remarks on the task as a whole come first. A reply whose remark is gone stands alone.
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
