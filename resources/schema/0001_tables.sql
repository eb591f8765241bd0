-- The tables of a project file.
--
-- Every entity has a UUIDv7 of the client as 16 bytes. Times are UTC: text is ISO 8601 with
-- milliseconds, integers are milliseconds since 1970-01-01. Coordinates are image pixels. What can
-- be edited belongs to a draft and is identified within it; submissions and logs can only grow.

-- =============================================================================
-- The project: people, computers, videos, label sets and recipes.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- pin: 16 bytes of salt, then scrypt of the PIN.
CREATE TABLE person (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL UNIQUE,
    roles TEXT NOT NULL DEFAULT '["rater"]',
    created_at TEXT NOT NULL,
    is_active INTEGER NOT NULL DEFAULT 1,
    pin BLOB CHECK (pin IS NULL OR length(pin) > 16)
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

CREATE TABLE view_state (
    replica_id BLOB PRIMARY KEY REFERENCES replica (id),
    state TEXT NOT NULL,
    saved_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- =============================================================================
-- Tasks, assignments and submissions. The log of the work is the truth about who does what. The
-- columns of a task, its assignments and who is barred from it are computed from the log.

-- open_slots: how many more people can take it now. role: in which role ('': any, NULL: nobody).
-- last_id: the submission that counted last.
CREATE TABLE task (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    video_id BLOB NOT NULL REFERENCES video (id),
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    created_at TEXT NOT NULL,
    stage TEXT NOT NULL DEFAULT 'annotate',
    status TEXT NOT NULL DEFAULT 'waiting',
    round INTEGER NOT NULL DEFAULT 1,
    priority INTEGER NOT NULL DEFAULT 0,
    is_returned INTEGER NOT NULL DEFAULT 0,
    open_slots INTEGER NOT NULL DEFAULT 0,
    role TEXT,
    needs_lead TEXT,
    flags TEXT NOT NULL DEFAULT '[]',
    lease_until INTEGER,
    seq INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL DEFAULT 0,
    last_id BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX task_queue ON task (kind, stage, priority DESC, is_returned DESC, id)
    WHERE open_slots > 0;
CREATE INDEX task_by_lease ON task (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX task_by_video ON task (video_id);
CREATE INDEX task_by_last ON task (last_id) WHERE last_id IS NOT NULL;
CREATE INDEX task_for_lead ON task (id) WHERE needs_lead IS NOT NULL;

CREATE TABLE task_barred (
    task_id BLOB NOT NULL REFERENCES task (id),
    person_id BLOB NOT NULL REFERENCES person (id),
    PRIMARY KEY (task_id, person_id)
) STRICT, WITHOUT ROWID;

-- Tasks that one person alone may take, as their making said.
CREATE TABLE task_reserved (
    task_id BLOB PRIMARY KEY REFERENCES task (id),
    person_id BLOB NOT NULL REFERENCES person (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE assignment (
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
CREATE INDEX assignment_by_task ON assignment (task_id);
CREATE INDEX assignment_by_person ON assignment (person_id, state);

-- A submission without a draft came from another copy of the project.
CREATE TABLE submission (
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

-- Submissions that counted, for the figures; judged_id made what was judged. seq: how long the log
-- of the work was by then.
CREATE TABLE hand_in (
    submission_id BLOB PRIMARY KEY CHECK (length(submission_id) = 32),
    task_id BLOB NOT NULL REFERENCES task (id),
    stage TEXT NOT NULL,
    round INTEGER NOT NULL,
    person_id BLOB NOT NULL REFERENCES person (id),
    at INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    judged_id BLOB REFERENCES person (id),
    codes TEXT NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX hand_in_by_seq ON hand_in (seq);
CREATE INDEX hand_in_by_task ON hand_in (task_id, seq);

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

-- =============================================================================
-- Drafts. A later stage begins with the last submission and keeps the identifiers, so that an
-- identifier is unique within its draft only. The column "row" means nothing outside this file.

CREATE TABLE draft (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    assignment_id BLOB NOT NULL UNIQUE REFERENCES assignment (id),
    video_id BLOB NOT NULL REFERENCES video (id),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE track (
    row INTEGER PRIMARY KEY,
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    color INTEGER NOT NULL,
    parent_id BLOB,
    is_locked INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    is_begin_settled INTEGER NOT NULL,
    attributes TEXT NOT NULL,
    extra TEXT NOT NULL,
    UNIQUE (draft_id, id),
    FOREIGN KEY (draft_id, parent_id) REFERENCES track (draft_id, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX track_by_parent ON track (draft_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX track_by_label ON track (label, draft_id);

-- No box means out of view. pts is NULL while the video's frame table is not known.
CREATE TABLE keyframe (
    track_row INTEGER NOT NULL REFERENCES track (row) DEFERRABLE INITIALLY DEFERRED,
    frame INTEGER NOT NULL,
    pts INTEGER,
    x1 REAL,
    y1 REAL,
    x2 REAL,
    y2 REAL,
    occluded INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('human', 'accepted', 'imported')),
    PRIMARY KEY (track_row, frame),
    CHECK ((x1 IS NULL) = (y1 IS NULL) AND (x1 IS NULL) = (x2 IS NULL)
        AND (x1 IS NULL) = (y2 IS NULL))
) STRICT, WITHOUT ROWID;

-- All keyframes of a track, packed by `store.annotation.packed_keys`, until one of them is edited:
-- then they are rows of keyframe. They have no pts.
CREATE TABLE packed_keys (
    track_row INTEGER PRIMARY KEY REFERENCES track (row) DEFERRABLE INITIALLY DEFERRED,
    body BLOB NOT NULL CHECK (length(body) > 0 AND length(body) % 41 = 0)
) STRICT;

-- Half-open: start_frame <= frame < end_frame; end_pts is NULL at the end of the video.
-- start_us and end_us: media time in microseconds, for segments that are not bound to frames.
CREATE TABLE segment (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    lane TEXT NOT NULL,
    label TEXT NOT NULL,
    label_id INTEGER,
    start_frame INTEGER NOT NULL,
    end_frame INTEGER NOT NULL,
    start_pts INTEGER,
    end_pts INTEGER,
    start_us INTEGER,
    end_us INTEGER,
    slots TEXT NOT NULL,
    is_visible INTEGER NOT NULL,
    extra TEXT NOT NULL,
    PRIMARY KEY (draft_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX segment_by_label ON segment (label, draft_id);

CREATE TABLE point (
    row INTEGER PRIMARY KEY,
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    track_id BLOB,
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    color INTEGER NOT NULL,
    is_locked INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    extra TEXT NOT NULL,
    UNIQUE (draft_id, id),
    FOREIGN KEY (draft_id, track_id) REFERENCES track (draft_id, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX point_by_track ON point (draft_id, track_id) WHERE track_id IS NOT NULL;

-- Marks of the frames 256 * block to 256 * block + 255, without the unmarked ones at both ends.
-- xy: float64 little-endian [n, 2], NaN where there is no place; flags: one byte for each frame.
CREATE TABLE point_block (
    point_row INTEGER NOT NULL REFERENCES point (row) DEFERRABLE INITIALLY DEFERRED,
    block INTEGER NOT NULL CHECK (block >= 0),
    start_frame INTEGER NOT NULL,
    xy BLOB NOT NULL,
    flags BLOB NOT NULL,
    PRIMARY KEY (point_row, block),
    CHECK (start_frame >= 256 * block AND length(flags) >= 1
        AND start_frame + length(flags) <= 256 * block + 256 AND length(xy) = 16 * length(flags))
) STRICT, WITHOUT ROWID;

-- at and edited_at: milliseconds since 1970-01-01 UTC. pin: what it names, {} for the whole task.
-- What is named may be gone: a remark about a deleted track stays.
CREATE TABLE comment (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    author_id BLOB NOT NULL CHECK (length(author_id) = 16),
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    pin TEXT NOT NULL,
    parent_id BLOB,
    is_resolved INTEGER NOT NULL,
    edited_at INTEGER,
    PRIMARY KEY (draft_id, id)
) STRICT, WITHOUT ROWID;

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

-- Suggestions for the boxes of a track, not in the log, replaced as they are computed again.
-- boxes: float32 little-endian [n, 4]; confidence: float32 little-endian [n]; occluded: uint8 [n],
-- 1 where the object is expected behind something.
CREATE TABLE proposal_run (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    track_id BLOB NOT NULL,
    start_frame INTEGER NOT NULL,
    boxes BLOB NOT NULL,
    confidence BLOB NOT NULL,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    parameters TEXT NOT NULL,
    occluded BLOB NOT NULL DEFAULT X'',
    PRIMARY KEY (draft_id, track_id, start_frame)
) STRICT;

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

-- =============================================================================
-- Questions, votes, tests and studies.

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

-- =============================================================================
-- Values computed from submissions and videos. They can be computed again.

-- What follows from the bytes of a submission and can be worked out again: version is that of the
-- reckoning. Nothing here is ever edited.
CREATE TABLE looked_over (
    submission_id BLOB PRIMARY KEY REFERENCES submission (id),
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How often the checks found what, by the code of the finding.
CREATE TABLE finding (
    code TEXT NOT NULL,
    submission_id BLOB NOT NULL REFERENCES submission (id),
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (code, submission_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX finding_by_submission ON finding (submission_id);

CREATE TABLE submitted_label (
    label TEXT NOT NULL,
    submission_id BLOB NOT NULL REFERENCES submission (id),
    PRIMARY KEY (label, submission_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX submitted_label_by_submission ON submitted_label (submission_id);

-- How far submissions say the same: inputs are their ids, last_id the latest of them.
CREATE TABLE agreement (
    last_id BLOB NOT NULL REFERENCES submission (id),
    method TEXT NOT NULL,
    params TEXT NOT NULL,
    inputs TEXT NOT NULL,
    value REAL NOT NULL CHECK (value BETWEEN 0 AND 1),
    PRIMARY KEY (last_id, method, params, inputs)
) STRICT, WITHOUT ROWID;
CREATE INDEX agreement_by_value ON agreement (value);

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

-- Signs of errors measured in a video, and a fingerprint of its pictures (JSON); ``state`` tells
-- what they were computed from.
CREATE TABLE video_scan (
    video_id BLOB PRIMARY KEY REFERENCES video (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- =============================================================================
-- Predictions of models.

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

-- =============================================================================
-- Gold tasks.

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
