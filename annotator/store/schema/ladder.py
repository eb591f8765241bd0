"""The tables of a project file, and the steps that bring an older file up to date.

Every entity has a UUIDv7 of the client as 16 bytes; times are UTC, ISO 8601 with milliseconds;
coordinates are image pixels. What can be edited hangs on a draft and is identified within it; what
was handed in, and the log, can only grow.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from annotator.store.schema.figures import FIGURES, write_figures
from annotator.store.schema.quality import GOLD, QUALITY
from annotator.store.schema.questions import QUESTIONS
from annotator.store.schema.rows import COMMENTS, ROWS_BY_DRAFT
from annotator.store.schema.work import WORK

if TYPE_CHECKING:
    from sqlite_utils import Database


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


PACKED_KEYS: Final = """
-- All keyframes of a track, as packed_keys.py has them, until one of them is edited:
-- then they are rows of keyframe. They have no pts.
CREATE TABLE packed_keys (
    track_row INTEGER PRIMARY KEY REFERENCES track (row) DEFERRABLE INITIALLY DEFERRED,
    body BLOB NOT NULL CHECK (length(body) > 0 AND length(body) % 41 = 0)
) STRICT;
"""


APPLICATION_ID = 0x414E4E4F  # "ANNO"
MAJOR, MINOR = 2, 4
USER_VERSION = MAJOR << 16 | MINOR

_TABLES = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE person (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL UNIQUE,
    roles TEXT NOT NULL DEFAULT '["rater"]',
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One for each machine and place the file has been edited at; a copied file gets a new one.
CREATE TABLE replica (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    host TEXT NOT NULL,
    place TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (host, place)
) STRICT, WITHOUT ROWID;

-- content_hash is NULL while only an imported file has told of the video.
CREATE TABLE video (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    content_hash TEXT UNIQUE,
    frame_table_hash TEXT,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    n_frames INTEGER NOT NULL,
    frame_rate REAL NOT NULL,
    duration_s REAL NOT NULL,
    time_base_num INTEGER,
    time_base_den INTEGER,
    grid_step INTEGER NOT NULL CHECK (grid_step >= 1),
    findings TEXT NOT NULL DEFAULT '[]',
    extra TEXT NOT NULL DEFAULT '{}',
    added_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- path is relative to the project's folder where that is possible.
CREATE TABLE media_location (
    video_id BLOB NOT NULL REFERENCES video (id),
    replica_id BLOB NOT NULL REFERENCES replica (id),
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    PRIMARY KEY (video_id, replica_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE frame_table (
    content_hash TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT;

CREATE TABLE task (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    video_id BLOB NOT NULL REFERENCES video (id),
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE assignment (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    task_id BLOB NOT NULL REFERENCES task (id),
    stage TEXT NOT NULL,
    round INTEGER NOT NULL,
    person_id BLOB REFERENCES person (id),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'in-progress', 'submitted')),
    lease_until TEXT,
    UNIQUE (task_id, stage, round, person_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE draft (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    assignment_id BLOB NOT NULL UNIQUE REFERENCES assignment (id),
    video_id BLOB NOT NULL REFERENCES video (id),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE track (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    draft_id BLOB NOT NULL REFERENCES draft (id),
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    color INTEGER NOT NULL,
    parent_id BLOB REFERENCES track (id) DEFERRABLE INITIALLY DEFERRED,
    is_locked INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    is_begin_settled INTEGER NOT NULL,
    attributes TEXT NOT NULL,
    extra TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX track_by_draft ON track (draft_id);
CREATE INDEX track_by_parent ON track (parent_id) WHERE parent_id IS NOT NULL;

-- No box means out of view. pts is NULL while the video's frame table is not known.
CREATE TABLE keyframe (
    track_id BLOB NOT NULL REFERENCES track (id) DEFERRABLE INITIALLY DEFERRED,
    frame INTEGER NOT NULL,
    pts INTEGER,
    x1 REAL,
    y1 REAL,
    x2 REAL,
    y2 REAL,
    occluded INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('human', 'accepted', 'imported')),
    PRIMARY KEY (track_id, frame),
    CHECK ((x1 IS NULL) = (y1 IS NULL) AND (x1 IS NULL) = (x2 IS NULL)
        AND (x1 IS NULL) = (y2 IS NULL))
) STRICT, WITHOUT ROWID;

-- Half-open: start_frame <= frame < end_frame; end_pts is NULL at the end of the video.
CREATE TABLE segment (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    draft_id BLOB NOT NULL REFERENCES draft (id),
    lane TEXT NOT NULL,
    label TEXT NOT NULL,
    label_id INTEGER,
    start_frame INTEGER NOT NULL,
    end_frame INTEGER NOT NULL,
    start_pts INTEGER,
    end_pts INTEGER,
    slots TEXT NOT NULL,
    is_visible INTEGER NOT NULL,
    extra TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX segment_by_draft ON segment (draft_id);

-- Suggestions, not annotation. They outlive their track, since deleting it can be undone.
-- boxes: float32 little-endian [n, 4]; confidence: float32 little-endian [n].
CREATE TABLE proposal_run (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    track_id BLOB NOT NULL,
    start_frame INTEGER NOT NULL,
    boxes BLOB NOT NULL,
    confidence BLOB NOT NULL,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    parameters TEXT NOT NULL,
    PRIMARY KEY (draft_id, track_id, start_frame)
) STRICT;

CREATE TABLE submission (
    id BLOB PRIMARY KEY CHECK (length(id) = 32),
    assignment_id BLOB NOT NULL REFERENCES assignment (id),
    draft_id BLOB NOT NULL REFERENCES draft (id),
    person_id BLOB NOT NULL REFERENCES person (id),
    replica_id BLOB NOT NULL REFERENCES replica (id),
    revision INTEGER NOT NULL,
    body BLOB NOT NULL,
    format TEXT NOT NULL,
    media_hash TEXT,
    tool_version TEXT NOT NULL,
    recipe_id TEXT,
    submitted_at TEXT NOT NULL,
    parent_id BLOB REFERENCES submission (id),
    UNIQUE (assignment_id, person_id, revision)
) STRICT;
CREATE TRIGGER submission_stays BEFORE UPDATE ON submission
BEGIN SELECT RAISE(ABORT, 'a submission cannot be changed'); END;
CREATE TRIGGER submission_remains BEFORE DELETE ON submission
BEGIN SELECT RAISE(ABORT, 'a submission cannot be deleted'); END;

-- ref_id: the step that is undone, redone or continued (quick repetitions are one step).
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    at TEXT NOT NULL,
    person_id BLOB NOT NULL REFERENCES person (id),
    replica_id BLOB NOT NULL REFERENCES replica (id),
    draft_id BLOB NOT NULL REFERENCES draft (id),
    op TEXT NOT NULL,
    kind TEXT NOT NULL
        CHECK (kind IN ('do', 'undo', 'redo', 'import', 'accept', 'submit', 'reopen')),
    ref_id BLOB,
    frame INTEGER,
    changes TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_draft ON event (draft_id, seq);
CREATE TRIGGER event_stays BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'the log cannot be changed'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'the log cannot be shortened'); END;

CREATE TABLE view_state (
    replica_id BLOB PRIMARY KEY REFERENCES replica (id),
    state TEXT NOT NULL,
    saved_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_POINTS = """
CREATE TABLE point (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    draft_id BLOB NOT NULL REFERENCES draft (id),
    track_id BLOB REFERENCES track (id) DEFERRABLE INITIALLY DEFERRED,
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    color INTEGER NOT NULL,
    is_locked INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    extra TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX point_by_draft ON point (draft_id);
CREATE INDEX point_by_track ON point (track_id) WHERE track_id IS NOT NULL;

-- Marks of the frames 256 * block to 256 * block + 255, without the unmarked ones at both ends.
-- xy: float64 little-endian [n, 2], NaN where there is no place; flags: one byte for each frame.
CREATE TABLE point_block (
    point_id BLOB NOT NULL REFERENCES point (id) DEFERRABLE INITIALLY DEFERRED,
    block INTEGER NOT NULL CHECK (block >= 0),
    start_frame INTEGER NOT NULL,
    xy BLOB NOT NULL,
    flags BLOB NOT NULL,
    PRIMARY KEY (point_id, block),
    CHECK (start_frame >= 256 * block AND length(flags) >= 1
        AND start_frame + length(flags) <= 256 * block + 256 AND length(xy) = 16 * length(flags))
) STRICT, WITHOUT ROWID;

-- Suggestions, kept as those for tracks are.
-- xy: float32 little-endian [n, 2]; occluded: one byte; confidence: float32 little-endian [n].
CREATE TABLE point_proposal_run (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    point_id BLOB NOT NULL,
    start_frame INTEGER NOT NULL,
    xy BLOB NOT NULL,
    occluded BLOB NOT NULL,
    confidence BLOB NOT NULL,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    parameters TEXT NOT NULL,
    PRIMARY KEY (draft_id, point_id, start_frame),
    CHECK (length(xy) = 8 * length(occluded) AND length(confidence) = 4 * length(occluded))
) STRICT;

-- body is a label set as it would stand in a file; version counts how often it was replaced.
-- renames: [[label id, old text, new text], ...] in their order, for steps undone after them.
CREATE TABLE label_set (
    lane TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    body TEXT NOT NULL,
    renames TEXT NOT NULL DEFAULT '[]',
    saved_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Media time in microseconds, for segments that are not bound to frames.
ALTER TABLE segment ADD COLUMN start_us INTEGER;
ALTER TABLE segment ADD COLUMN end_us INTEGER;
"""

_HIDDEN_PROPOSALS = """
-- uint8 [n], 1 where the object is expected behind something; empty in runs of earlier programs.
ALTER TABLE proposal_run ADD COLUMN occluded BLOB NOT NULL DEFAULT X'';
CREATE INDEX task_for_lead ON task (id) WHERE needs_lead IS NOT NULL;
"""

_FACTS = """
-- Facts about the annotations of a submission, for statistics; follows from its bytes (JSON).
CREATE TABLE submission_facts (
    submission_id BLOB PRIMARY KEY REFERENCES submission (id),
    body BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Decisions on suspicious annotations, by the key under which a detector finds them again.
CREATE TABLE suspicion (
    key TEXT PRIMARY KEY,
    detector TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('confirmed', 'dismissed')),
    reason TEXT NOT NULL,
    by_id BLOB NOT NULL REFERENCES person (id),
    at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_SCANS = """
-- Signs of errors measured in a video, and a fingerprint of its pictures (JSON); ``state`` tells
-- what they were computed from.
CREATE TABLE video_scan (
    video_id BLOB PRIMARY KEY REFERENCES video (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT, WITHOUT ROWID;
"""

_PREDICTIONS = """
-- Predictions of models for a video: the canonical bytes of what they say (JSON). Drafts get them
-- as proposals when their task is opened.
CREATE TABLE prediction (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    video_id BLOB NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    version TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE INDEX prediction_by_video ON prediction (video_id);

CREATE TABLE prediction_offered (
    draft_id BLOB NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
    prediction_id BLOB NOT NULL REFERENCES prediction (id) ON DELETE CASCADE,
    PRIMARY KEY (draft_id, prediction_id)
) STRICT, WITHOUT ROWID;
"""

STEPS = (
    ("0001_first_tables", _TABLES),
    ("0002_points_and_labels", _POINTS),
    ("0003_rows_by_draft", ROWS_BY_DRAFT),
    ("0004_comments", COMMENTS),
    ("0005_work", WORK),
    ("0006_figures", FIGURES),
    ("0007_questions", QUESTIONS),
    ("0008_quality", QUALITY),
    ("0009_merges", MERGES),
    ("0010_studies", STUDIES),
    ("0011_packed_keys", PACKED_KEYS),
    ("0012_hidden_proposals", _HIDDEN_PROPOSALS),
    ("0013_submission_facts", _FACTS),
    ("0014_video_scan", _SCANS),
    ("0015_predictions", _PREDICTIONS),
    ("0016_gold", GOLD),
)
_AFTER = {"0006_figures": write_figures}


def migrate(connection: sqlite3.Connection) -> None:
    """Apply every step the file has not seen yet, each in a transaction of its own."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations("annotator")
    for name, script in STEPS:
        migrations(name=name)(_step(script, _AFTER.get(name)))
    migrations.apply(Database(connection))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {USER_VERSION}")


def _step(
    script: str, after: Callable[[sqlite3.Connection], None] | None
) -> Callable[[Database], None]:
    def step(database: Database) -> None:
        run_statements(database.conn, script)
        if after is not None:
            after(database.conn)

    return step


def run_statements(connection: sqlite3.Connection, script: str) -> None:
    """Run several statements within the current transaction, which `executescript` would end."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
