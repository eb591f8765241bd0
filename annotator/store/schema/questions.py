"""Step to form 1.4: what is asked, what is answered, and what the answers count as."""

from __future__ import annotations

from typing import Final

QUESTIONS: Final = """
-- What is asked in a task, in the order of position; task_id NULL: in none yet. body: all else.
CREATE TABLE item (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    task_id BLOB REFERENCES task (id),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    purpose TEXT NOT NULL,
    state TEXT NOT NULL,
    why_discarded TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX item_by_task ON item (task_id, position);
CREATE INDEX item_by_kind ON item (kind, state, purpose);

-- Which videos an item is about, in their order.
CREATE TABLE item_video (
    item_id BLOB NOT NULL REFERENCES item (id),
    position INTEGER NOT NULL,
    video_id BLOB NOT NULL REFERENCES video (id),
    PRIMARY KEY (item_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_video_by_video ON item_video (video_id);

-- at: milliseconds since 1970-01-01 UTC. shown: the options in the order they were shown.
CREATE TABLE answer (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    item_id BLOB NOT NULL CHECK (length(item_id) = 16),
    field TEXT NOT NULL,
    entry INTEGER NOT NULL CHECK (entry >= 0),
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    took_ms INTEGER NOT NULL,
    shown TEXT NOT NULL,
    recipe_version INTEGER NOT NULL,
    PRIMARY KEY (draft_id, item_id, field, entry)
) STRICT, WITHOUT ROWID;

-- Answers of submissions that counted, to what was asked; one for each person, field and entry.
CREATE TABLE vote (
    item_id BLOB NOT NULL REFERENCES item (id),
    field TEXT NOT NULL,
    entry INTEGER NOT NULL,
    task_id BLOB NOT NULL REFERENCES task (id),
    stage TEXT NOT NULL,
    visit INTEGER NOT NULL,
    person_id BLOB NOT NULL REFERENCES person (id),
    submission_id BLOB NOT NULL REFERENCES submission (id),
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    took_ms INTEGER NOT NULL,
    recipe_version INTEGER NOT NULL,
    PRIMARY KEY (item_id, field, entry, task_id, stage, visit, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX vote_by_task ON vote (task_id, stage, visit, person_id);
CREATE INDEX vote_by_person ON vote (person_id);
"""
