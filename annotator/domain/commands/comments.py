"""Edits of comments; people can change only their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.comment import WHOLE_TASK, Comment, Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import checked_frame, effective
from annotator.domain.errors import EditError
from annotator.domain.ids import CommentId, PersonId

MAX_COMMENT_LENGTH: Final = 4000


@dataclass(frozen=True, slots=True)
class AddComment:
    """Pin a remark to a place; ``at`` is now in milliseconds since 1970-01-01 UTC."""

    op: ClassVar[str] = "add-comment"
    merge_key: ClassVar[None] = None
    comment_id: CommentId
    author_id: PersonId
    at: int
    text: str
    pin: Pin = WHOLE_TASK

    @property
    def frame(self) -> int | None:
        return self.pin.first_frame

    def plan(self, document: Document) -> list[Change]:
        text, pin = _checked_text(self.text), _checked_pin(document, self.pin)
        comment = Comment(self.comment_id, self.author_id, self.at, text, pin)
        return [Change("comment", comment.id, None, comment)]


@dataclass(frozen=True, slots=True)
class ReplyToComment:
    """Answer a remark; a reply to a reply answers the remark above both."""

    op: ClassVar[str] = "reply-to-comment"
    merge_key: ClassVar[None] = None
    frame: ClassVar[None] = None
    comment_id: CommentId
    parent_id: CommentId
    author_id: PersonId
    at: int
    text: str

    def plan(self, document: Document) -> list[Change]:
        parent = document.comment(self.parent_id)
        root = document.comment(parent.parent_id) if parent.parent_id is not None else parent
        text = _checked_text(self.text)
        reply = Comment(self.comment_id, self.author_id, self.at, text, root.pin, root.id)
        return [Change("comment", reply.id, None, reply)]


@dataclass(frozen=True, slots=True)
class EditComment:
    """Reword a comment of one's own."""

    op: ClassVar[str] = "edit-comment"
    merge_key: ClassVar[None] = None
    frame: ClassVar[None] = None
    comment_id: CommentId
    by: PersonId
    at: int
    text: str

    def plan(self, document: Document) -> list[Change]:
        old = _own(document.comment(self.comment_id), self.by)
        text = _checked_text(self.text)
        new = old if text == old.text else replace(old, text=text, edited_at=self.at)
        return effective([Change("comment", old.id, old, new)])


@dataclass(frozen=True, slots=True)
class ResolveComments:
    """Resolve or reopen comments; a reply selects its thread."""

    op: ClassVar[str] = "resolve-comment"
    merge_key: ClassVar[None] = None
    frame: ClassVar[None] = None
    comment_ids: tuple[CommentId, ...]
    is_resolved: bool = True

    def plan(self, document: Document) -> list[Change]:
        named = [document.comment(c) for c in self.comment_ids]
        roots = {c.parent_id if c.parent_id is not None else c.id for c in named}
        old = [document.comment(c) for c in sorted(roots)]
        return effective(
            [Change("comment", c.id, c, replace(c, is_resolved=self.is_resolved)) for c in old]
        )


@dataclass(frozen=True, slots=True)
class DeleteComment:
    """Take back a comment of one's own, with one's own replies to it."""

    op: ClassVar[str] = "delete-comment"
    merge_key: ClassVar[None] = None
    frame: ClassVar[None] = None
    comment_id: CommentId
    by: PersonId

    def plan(self, document: Document) -> list[Change]:
        comment = _own(document.comment(self.comment_id), self.by)
        replies = document.replies_to(comment.id)
        if any(reply.author_id != self.by for reply in replies):
            raise EditError(
                "Cannot delete the comment: it has replies.", hint="Resolve it instead."
            )
        return [Change("comment", c.id, c, None) for c in (*replies, comment)]


def _own(comment: Comment, by: PersonId) -> Comment:
    if comment.author_id != by:
        raise EditError(
            "Cannot edit the comment: it was written by another person.",
            hint="Reply to it instead.",
        )
    return comment


def _checked_text(text: str) -> str:
    stripped = text.strip()
    if not stripped:
        raise EditError("The comment is empty. Enter some text.")
    if len(stripped) > MAX_COMMENT_LENGTH:
        raise EditError(f"The comment is too long. The limit is {MAX_COMMENT_LENGTH} characters.")
    if any(not c.isprintable() and c not in "\n\t" for c in stripped):
        raise EditError(
            "The comment contains a character that cannot be displayed. Use plain text."
        )
    return stripped


def _checked_pin(document: Document, pin: Pin) -> Pin:
    """Return the pin; EditError when it names what the document does not have."""
    if pin.frame is not None:
        checked_frame(document.video, pin.frame)
    if pin.span is not None:
        start, end = pin.span
        # A range of a sound without picture is in milliseconds.
        n_frames = document.video.n_frames or end
        if not 0 <= start < end <= n_frames:
            raise EditError(f"Frames {start} to {end} are not in this video.")
    if pin.track_id is not None:
        document.track(pin.track_id)
    if pin.segment_id is not None:
        document.segment(pin.segment_id)
    if pin.point_id is not None:
        document.point(pin.point_id)
    return pin
