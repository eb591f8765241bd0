"""Step to form 1.2: people with roles, recipes, the log of the work, and what follows from it.

The log of the work is the truth about who does what. The columns of a task, its assignments and
who is barred from it are folded from the log, event by event, for the queue and the board. Instants
are milliseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Final

from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.work.events import Claimed, Completed, Created, Reopened, Submitted, WorkEvent
from annotator.domain.work.records import Verdict, VerdictKind
from annotator.domain.work.step import replay
from annotator.store.columns import id_text
from annotator.store.workflow.log import append_events, project

WORK: Final = """
-- pin: 16 bytes of salt, then scrypt of the PIN.
ALTER TABLE person ADD COLUMN is_active INTEGER NOT NULL DEFAULT 1;
ALTER TABLE person ADD COLUMN pin BLOB CHECK (pin IS NULL OR length(pin) > 16);
-- Whoever worked here before there were roles could do everything.
UPDATE person SET roles = '["lead","rater","reviewer"]';

CREATE TABLE recipe (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    PRIMARY KEY (name, version)
) STRICT, WITHOUT ROWID;

-- Guidelines that a lead wrote for a round, beside those of the recipe.
CREATE TABLE guideline (
    name TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    saved_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE task ADD COLUMN stage TEXT NOT NULL DEFAULT 'annotate';
ALTER TABLE task ADD COLUMN status TEXT NOT NULL DEFAULT 'waiting';
ALTER TABLE task ADD COLUMN round INTEGER NOT NULL DEFAULT 1;
ALTER TABLE task ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN is_returned INTEGER NOT NULL DEFAULT 0;
-- How many more people can take it now, and in which role ('': any; NULL: nobody can).
ALTER TABLE task ADD COLUMN open_slots INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN role TEXT;
ALTER TABLE task ADD COLUMN needs_lead TEXT;
ALTER TABLE task ADD COLUMN flags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE task ADD COLUMN lease_until INTEGER;
ALTER TABLE task ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX task_queue ON task (kind, stage, priority DESC, is_returned DESC, id)
    WHERE open_slots > 0;
CREATE INDEX task_by_lease ON task (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX task_by_video ON task (video_id);

CREATE TABLE task_barred (
    task_id BLOB NOT NULL REFERENCES task (id),
    person_id BLOB NOT NULL REFERENCES person (id),
    PRIMARY KEY (task_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE new_assignment (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    task_id BLOB NOT NULL REFERENCES task (id),
    stage TEXT NOT NULL,
    round INTEGER NOT NULL,
    visit INTEGER NOT NULL,
    person_id BLOB NOT NULL REFERENCES person (id),
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    lease_until INTEGER,
    is_returned INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO new_assignment
    SELECT id, task_id, stage, round, 1, person_id,
        CASE state WHEN 'submitted' THEN 'submitted' ELSE 'held' END, 0, NULL, 0
    FROM assignment WHERE person_id IS NOT NULL;
DROP TABLE assignment;
ALTER TABLE new_assignment RENAME TO assignment;
CREATE INDEX assignment_by_task ON assignment (task_id);
CREATE INDEX assignment_by_person ON assignment (person_id, state);

-- What was handed in without a draft here came from elsewhere.
CREATE TABLE new_submission (
    id BLOB PRIMARY KEY CHECK (length(id) = 32),
    task_id BLOB NOT NULL REFERENCES task (id),
    assignment_id BLOB NOT NULL REFERENCES assignment (id) DEFERRABLE INITIALLY DEFERRED,
    draft_id BLOB REFERENCES draft (id),
    person_id BLOB NOT NULL REFERENCES person (id),
    replica_id BLOB NOT NULL REFERENCES replica (id),
    revision INTEGER NOT NULL,
    body BLOB NOT NULL,
    format TEXT NOT NULL,
    media_hash TEXT,
    tool_version TEXT NOT NULL,
    recipe TEXT,
    submitted_at TEXT NOT NULL,
    parent_id BLOB
) STRICT;
INSERT INTO new_submission
    SELECT s.id, a.task_id, s.assignment_id, s.draft_id, s.person_id, s.replica_id, s.revision,
        s.body, s.format, s.media_hash, s.tool_version, s.recipe_id, s.submitted_at, s.parent_id
    FROM submission s JOIN assignment a ON a.id = s.assignment_id ORDER BY s.rowid;
DROP TABLE submission;
ALTER TABLE new_submission RENAME TO submission;
CREATE INDEX submission_by_task ON submission (task_id);
CREATE INDEX submission_by_assignment ON submission (assignment_id);
CREATE TRIGGER submission_stays BEFORE UPDATE ON submission
BEGIN SELECT RAISE(ABORT, 'a submission cannot be changed'); END;
CREATE TRIGGER submission_remains BEFORE DELETE ON submission
BEGIN SELECT RAISE(ABORT, 'a submission cannot be deleted'); END;

-- number counts the events of a task from 1.
CREATE TABLE work_event (
    seq INTEGER PRIMARY KEY,
    task_id BLOB NOT NULL REFERENCES task (id),
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (task_id, number)
) STRICT;
CREATE INDEX work_event_by_kind ON work_event (kind, at);
CREATE TRIGGER work_event_stays BEFORE UPDATE ON work_event
BEGIN SELECT RAISE(ABORT, 'the log of the work cannot be changed'); END;
CREATE TRIGGER work_event_remains BEFORE DELETE ON work_event
BEGIN SELECT RAISE(ABORT, 'the log of the work cannot be shortened'); END;

-- Submissions that counted, for the figures; judged_id made what was judged.
CREATE TABLE hand_in (
    submission_id BLOB PRIMARY KEY CHECK (length(submission_id) = 32),
    task_id BLOB NOT NULL REFERENCES task (id),
    stage TEXT NOT NULL,
    round INTEGER NOT NULL,
    person_id BLOB NOT NULL REFERENCES person (id),
    at INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    judged_id BLOB REFERENCES person (id),
    codes TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Active time; day is that of the machine, as in 2026-11-21.
CREATE TABLE activity (
    person_id BLOB NOT NULL REFERENCES person (id),
    task_id BLOB NOT NULL REFERENCES task (id),
    stage TEXT NOT NULL,
    day TEXT NOT NULL,
    active_ms INTEGER NOT NULL CHECK (active_ms >= 0),
    PRIMARY KEY (person_id, task_id, stage, day)
) STRICT, WITHOUT ROWID;

-- to_id NULL: for everybody.
CREATE TABLE feedback (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    at INTEGER NOT NULL,
    from_id BLOB NOT NULL REFERENCES person (id),
    to_id BLOB REFERENCES person (id),
    task_id BLOB REFERENCES task (id),
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE feedback_read (
    feedback_id BLOB NOT NULL REFERENCES feedback (id),
    person_id BLOB NOT NULL REFERENCES person (id),
    PRIMARY KEY (feedback_id, person_id)
) STRICT, WITHOUT ROWID;

-- Submissions that the lead looks at; seen_at NULL: not yet.
CREATE TABLE spot_check (
    submission_id BLOB PRIMARY KEY REFERENCES submission (id),
    drawn_at INTEGER NOT NULL,
    seen_at INTEGER,
    note TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
"""


def write_history(connection: sqlite3.Connection) -> None:
    """Tell the log of the work what the tasks of an older file have been through."""
    rows = connection.execute(
        "SELECT id FROM task t WHERE NOT EXISTS"
        " (SELECT 1 FROM work_event e WHERE e.task_id = t.id) ORDER BY id"
    ).fetchall()
    for (key,) in rows:
        events = _history(connection, key)
        append_events(connection, events, first=1)
        project(connection, replay(events), frozenset(), None, events[-1].at)


def _history(connection: sqlite3.Connection, key: bytes) -> list[WorkEvent]:
    video, kind, created_at = connection.execute(
        "SELECT video_id, kind, created_at FROM task WHERE id = ?", (key,)
    ).fetchone()
    task_id, stage = TaskId(id_text(key)), "annotate"
    begun = Created(task_id, _instant(created_at), None, VideoId(id_text(video)), kind, stage)
    events: list[WorkEvent] = [begun]
    rows = connection.execute(
        "SELECT a.id, a.person_id, a.state, d.created_at FROM assignment a"
        " LEFT JOIN draft d ON d.assignment_id = a.id WHERE a.task_id = ? ORDER BY a.id LIMIT 1",
        (key,),
    ).fetchall()
    for assignment_key, person_key, state, at in rows:
        held, person = AssignmentId(id_text(assignment_key)), PersonId(id_text(person_key))
        events.append(Claimed(task_id, _instant(at or created_at), person, held, person))
        given = connection.execute(
            "SELECT id, person_id, submitted_at FROM submission WHERE assignment_id = ?"
            " ORDER BY submitted_at, revision",
            (assignment_key,),
        ).fetchall()
        for i, (submission, by, submitted_at) in enumerate(given):
            name, when = SubmissionId(submission.hex()), _instant(submitted_at)
            who = PersonId(id_text(by))
            done = Verdict(VerdictKind.DONE)
            events.append(Submitted(task_id, when, who, held, name, done))
            events.append(Completed(task_id, when, None, name))
            if i + 1 < len(given) or state != "submitted":
                events.append(Reopened(task_id, when, who, stage, 1, "", assignment_id=held))
    return events


def _instant(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)
