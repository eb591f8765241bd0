"""Rows of a draft's answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from annotator.domain.annotation.changes import Change
from annotator.domain.answers import Answer, AnswerKey, plain_of, value_from
from annotator.domain.ids import ItemId
from annotator.store.columns import id_bytes, id_text, json_text, json_texts

_SAVE = "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def write_answers(
    connection: sqlite3.Connection, draft_id: bytes, changes: Iterable[Change]
) -> None:
    """Bring changes of answers into the table."""
    for change in changes:
        assert isinstance(change.id, AnswerKey)
        key = (draft_id, id_bytes(change.id.item_id), change.id.field, change.id.entry)
        if isinstance(change.after, Answer):
            connection.execute(_SAVE, (*key, *_facts(change.after)))
        else:
            connection.execute(
                "DELETE FROM answer WHERE draft_id = ? AND item_id = ? AND field = ? AND entry = ?",
                key,
            )


def read_answers(connection: sqlite3.Connection, draft_id: bytes) -> list[Answer]:
    """Return the answers of a draft."""
    rows = connection.execute(
        "SELECT item_id, field, entry, value, at, took_ms, shown, recipe_version FROM answer"
        " WHERE draft_id = ? ORDER BY item_id, field, entry",
        (draft_id,),
    )
    return [
        Answer(
            AnswerKey(ItemId(id_text(item)), field, entry),
            value_from(msgspec.json.decode(value)),
            at,
            took_ms,
            tuple(json_texts(shown)),
            version,
        )
        for item, field, entry, value, at, took_ms, shown, version in rows
    ]


def _facts(answer: Answer) -> tuple[object, ...]:
    return (
        json_text(plain_of(answer.value)),
        answer.at,
        answer.took_ms,
        json_text(answer.order),
        answer.recipe_version,
    )
