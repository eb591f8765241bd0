"""Step to form 1.6: which open answers a lead says are one."""

from __future__ import annotations

from typing import Final

MERGES: Final = """
-- A lead's word that texts are one answer to a field, about all items of a kind with the same
-- question. texts: JSON. at, parted_at: milliseconds; parted: it holds no more.
CREATE TABLE merge (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    kind TEXT NOT NULL,
    field TEXT NOT NULL,
    question TEXT NOT NULL,
    texts TEXT NOT NULL,
    title TEXT NOT NULL,
    by_id BLOB NOT NULL REFERENCES person (id),
    at INTEGER NOT NULL,
    parted_by_id BLOB REFERENCES person (id),
    parted_at INTEGER,
    CHECK ((parted_by_id IS NULL) = (parted_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX merge_by_kind ON merge (kind, field);
"""
