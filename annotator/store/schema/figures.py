"""Step to form 1.3: what is worked out from submissions, and quick ways to find tasks by it."""

from __future__ import annotations

import sqlite3
from typing import Final

from annotator.store.schema import work as schema_work
from annotator.store.workflow import log as work_log

FIGURES: Final = """
-- last_id: the submission that counted last. seq: how long the log of the work was by then.
ALTER TABLE task ADD COLUMN last_id BLOB;
ALTER TABLE hand_in ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
UPDATE hand_in SET seq = (SELECT count(*) FROM hand_in o
    WHERE (o.at, o.submission_id) <= (hand_in.at, hand_in.submission_id));
CREATE INDEX hand_in_by_seq ON hand_in (seq);
CREATE INDEX hand_in_by_task ON hand_in (task_id, seq);
CREATE INDEX task_by_last ON task (last_id) WHERE last_id IS NOT NULL;
CREATE INDEX track_by_label ON track (label, draft_id);
CREATE INDEX segment_by_label ON segment (label, draft_id);

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
"""


def write_figures(connection: sqlite3.Connection) -> None:
    """Tell the log of the work what it has not been told, and which submission counted last."""
    told = connection.execute("SELECT DISTINCT task_id FROM work_event").fetchall()
    schema_work.write_history(connection)
    for (key,) in told:
        work_log.project_last(connection, key)
