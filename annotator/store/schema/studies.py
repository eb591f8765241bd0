"""Step to form 1.7: studies, who answers what in them, and tasks that are there for one person."""

from __future__ import annotations

from typing import Final

STUDIES: Final = """
-- Tasks that one person alone may take, as their making said.
CREATE TABLE task_reserved (
    task_id BLOB PRIMARY KEY REFERENCES task (id),
    person_id BLOB NOT NULL REFERENCES person (id)
) STRICT, WITHOUT ROWID;

-- wish: what the study is to be, as it was asked for; at: milliseconds since 1970-01-01 UTC.
CREATE TABLE study (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    wish TEXT NOT NULL,
    by_id BLOB NOT NULL REFERENCES person (id),
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Each time that a study was dealt, from the first: for whom, and what was kept, new and dropped.
CREATE TABLE study_deal (
    study_id BLOB NOT NULL REFERENCES study (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    body TEXT NOT NULL,
    by_id BLOB NOT NULL REFERENCES person (id),
    at INTEGER NOT NULL,
    PRIMARY KEY (study_id, number)
) STRICT, WITHOUT ROWID;

-- Who answers what: item_id is the item of the project, asked_id the copy of it that is asked in
-- task_id. Nobody is asked an item twice.
CREATE TABLE study_part (
    study_id BLOB NOT NULL REFERENCES study (id),
    item_id BLOB NOT NULL REFERENCES item (id),
    person_id BLOB NOT NULL REFERENCES person (id),
    condition TEXT NOT NULL,
    asked_id BLOB NOT NULL UNIQUE REFERENCES item (id),
    task_id BLOB NOT NULL REFERENCES task (id),
    PRIMARY KEY (study_id, item_id, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX study_part_by_task ON study_part (task_id);
CREATE INDEX study_part_by_item ON study_part (item_id, person_id);
"""
