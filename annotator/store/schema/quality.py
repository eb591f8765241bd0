"""Step to form 1.5: answers that were judged, and what came of it for people."""

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
