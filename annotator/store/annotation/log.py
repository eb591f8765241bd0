"""Entries of the event log, which only grows."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from annotator.store.columns import id_bytes, now_text
from annotator.store.file.readable import Readable

BEGIN: Final = "begin"
"""The edit that a draft of a later stage begins with: the submission before it."""


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the log without its changes; ``ref_id`` is the step undone, redone, continued."""

    id: str
    op: str
    kind: str
    ref_id: str | None = None
    frame: int | None = None


def n_imported(file: Readable) -> int:
    """Return how many drafts something was imported into."""
    rows = file.rows(
        "SELECT count(DISTINCT draft_id) FROM event WHERE kind = 'import' AND op != ?", (BEGIN,)
    )
    return int(str(rows[0][0]))


def append_event(
    connection: sqlite3.Connection,
    author: tuple[bytes, bytes],
    draft_id: bytes,
    event: Event,
    changes: str,
) -> None:
    """Write an entry within the current transaction.

    ``author`` is the person and the replica; ``changes`` is text as ``events.py``
    makes it.
    """
    connection.execute(
        "INSERT INTO event (id, at, person_id, replica_id, draft_id, op, kind, ref_id, frame,"
        " changes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            id_bytes(event.id),
            now_text(),
            *author,
            draft_id,
            event.op,
            event.kind,
            id_bytes(event.ref_id) if event.ref_id is not None else None,
            event.frame,
            changes,
        ),
    )
