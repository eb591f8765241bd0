"""Rows of a draft's comments."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.comment import Comment, Pin
from annotator.domain.ids import CommentId, PersonId
from annotator.store.columns import id_bytes, id_text

_SAVE = "INSERT OR REPLACE INTO comment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def write_comments(
    connection: sqlite3.Connection, draft_id: bytes, changes: Iterable[Change]
) -> None:
    """Bring changes of comments into the table."""
    for change in changes:
        if isinstance(change.after, Comment):
            connection.execute(_SAVE, _row(draft_id, change.after))
        else:
            key = (draft_id, id_bytes(str(change.id)))
            connection.execute("DELETE FROM comment WHERE draft_id = ? AND id = ?", key)


def read_comments(connection: sqlite3.Connection, draft_id: bytes) -> list[Comment]:
    """Return the comments of a draft."""
    rows = connection.execute(
        "SELECT id, author_id, at, text, pin, parent_id, is_resolved, edited_at FROM comment"
        " WHERE draft_id = ?",
        (draft_id,),
    )
    return [
        Comment(
            CommentId(id_text(key)),
            PersonId(id_text(author)),
            at,
            text,
            msgspec.json.decode(pin, type=Pin),
            CommentId(id_text(parent)) if parent is not None else None,
            is_resolved == 1,
            edited_at,
        )
        for key, author, at, text, pin, parent, is_resolved, edited_at in rows
    ]


def _row(draft_id: bytes, comment: Comment) -> tuple[object, ...]:
    pin = {name: value for name, value in _named(comment.pin) if value is not None}
    return (
        draft_id,
        id_bytes(comment.id),
        id_bytes(comment.author_id),
        comment.at,
        comment.text,
        msgspec.json.encode(pin).decode(),
        id_bytes(comment.parent_id) if comment.parent_id is not None else None,
        comment.is_resolved,
        comment.edited_at,
    )


def _named(pin: Pin) -> Iterable[tuple[str, object]]:
    return ((name, getattr(pin, name)) for name in pin.__dataclass_fields__)
