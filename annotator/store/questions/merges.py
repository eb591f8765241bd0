"""Rows of merges: open answers that a lead says are one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import cast

from annotator.domain.ids import MergeId, PersonId
from annotator.domain.questions.merging import Merged
from annotator.domain.work.records import Instant
from annotator.store.columns import id_bytes, id_text, json_text, json_texts
from annotator.store.file.readable import Readable


def add_merge(connection: sqlite3.Connection, merged: Merged) -> None:
    """Keep a merge."""
    connection.execute(
        "INSERT INTO merge (id, kind, field, question, texts, title, by_id, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            id_bytes(merged.id),
            merged.kind,
            merged.field,
            merged.question,
            json_text(merged.texts),
            merged.title,
            id_bytes(merged.by),
            merged.at,
        ),
    )


def part(connection: sqlite3.Connection, ids: Iterable[MergeId], by: PersonId, at: Instant) -> None:
    """Note that merges hold no more; those taken back before stay as they were."""
    connection.executemany(
        "UPDATE merge SET parted_by_id = ?, parted_at = ? WHERE id = ? AND parted_at IS NULL",
        [(id_bytes(by), at, id_bytes(each)) for each in ids],
    )


def merges_of(file: Readable, kind: str) -> list[Merged]:
    """Return all merges of a kind in the order they were made, those taken back too."""
    rows = file.rows(
        "SELECT id, kind, field, question, texts, title, by_id, at, parted_by_id, parted_at"
        " FROM merge WHERE kind = ? ORDER BY id",
        (kind,),
    )
    return [_merged(row) for row in rows]


def _merged(row: tuple[object, ...]) -> Merged:
    key, kind, field, question, texts, title, by, at, parted_by, parted_at = cast(
        "tuple[bytes, str, str, str, str, str, bytes, int, bytes | None, int | None]", row
    )
    return Merged(
        MergeId(id_text(key)),
        kind,
        field,
        question,
        tuple(json_texts(texts)),
        title,
        PersonId(id_text(by)),
        at,
        PersonId(id_text(parted_by)) if parted_by is not None else None,
        parted_at,
    )
