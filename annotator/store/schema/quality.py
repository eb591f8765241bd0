"""Steps about quality: answers that were judged, what came of it for people, and gold tasks."""

from __future__ import annotations

from typing import Final

QUALITY: Final = """
-- Answers to items whose right answer is known, in submissions that counted. at: milliseconds.
CREATE TABLE judgement (
    person_id BLOB NOT NULL REFERENCES person (id),
    item_id BLOB NOT NULL REFERENCES item (id),
    submission_id BLOB NOT NULL REFERENCES submission (id),
    kind TEXT NOT NULL,
    purpose TEXT NOT NULL,
    is_right INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person_id, item_id, submission_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX judgement_by_kind ON judgement (kind, purpose, person_id);

-- What came of tests and checks, in order; the last of a person and kind holds. by_id: the lead who
-- said so, NULL where the program counted. score: the share or mean grade that was reached.
CREATE TABLE standing (
    seq INTEGER PRIMARY KEY,
    person_id BLOB NOT NULL REFERENCES person (id),
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    score REAL,
    submission_id BLOB REFERENCES submission (id),
    by_id BLOB REFERENCES person (id),
    note TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX standing_by_person ON standing (person_id, kind);

-- Grades a lead gave for what was written in a test, 1 to 4.
CREATE TABLE grade (
    submission_id BLOB NOT NULL REFERENCES submission (id),
    item_id BLOB NOT NULL REFERENCES item (id),
    grade INTEGER NOT NULL CHECK (grade BETWEEN 1 AND 4),
    by_id BLOB NOT NULL REFERENCES person (id),
    at INTEGER NOT NULL,
    PRIMARY KEY (submission_id, item_id)
) STRICT, WITHOUT ROWID;
"""

GOLD: Final = """
-- Results that are known to be right. at: milliseconds since 1970-01-01 UTC.
CREATE TABLE gold (
    submission_id BLOB PRIMARY KEY REFERENCES submission (id),
    task_id BLOB NOT NULL REFERENCES task (id),
    by_id BLOB NOT NULL REFERENCES person (id),
    at INTEGER NOT NULL,
    is_active INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- Tasks that repeat one with a known result, each for one person. known: the known result itself,
-- where the project has no submission of it (training in a work package).
CREATE TABLE gold_task (
    task_id BLOB PRIMARY KEY REFERENCES task (id),
    gold_id BLOB REFERENCES gold (submission_id),
    person_id BLOB NOT NULL REFERENCES person (id),
    is_training INTEGER NOT NULL,
    known BLOB,
    CHECK (gold_id IS NOT NULL OR known IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX gold_task_by_person ON gold_task (person_id);

-- Errors of what was submitted for gold tasks (JSON), and which of them are out of limits (JSON).
CREATE TABLE gold_score (
    submission_id BLOB PRIMARY KEY REFERENCES submission (id),
    task_id BLOB NOT NULL REFERENCES task (id),
    person_id BLOB NOT NULL REFERENCES person (id),
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    errors TEXT NOT NULL,
    beyond TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX gold_score_by_person ON gold_score (kind, person_id, at);
"""
