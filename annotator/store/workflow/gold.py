"""Rows of known results, of the gold tasks made from them, and of their scores."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple, cast

import msgspec

from annotator.domain.agreement.position_errors import Errors
from annotator.domain.ids import PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.work.records import Instant
from annotator.store.columns import id_bytes, id_text, json_text, json_texts
from annotator.store.file.readable import Readable


class GoldResult(NamedTuple):
    """A result that is known to be right: the submission, its task, video and kind of task.

    ``is_active``: gold tasks are made from it. ``n_given`` counts those that were.
    """

    submission_id: SubmissionId
    task_id: TaskId
    video_id: VideoId
    kind: str
    is_active: bool
    n_given: int


class GoldTask(NamedTuple):
    """A task that repeats one with a known result, for one person.

    ``gold_id`` is the submission with the result; None in a work package, which brings ``known``
    (canonical bytes) along.
    """

    task_id: TaskId
    gold_id: SubmissionId | None
    person_id: PersonId
    is_training: bool
    known: bytes | None = None


class Score(NamedTuple):
    """Errors of a submission for a gold task, and the measures out of limits.

    ``at`` in milliseconds since 1970-01-01 UTC. Training tasks are marked, and have no limits.
    """

    submission_id: SubmissionId
    task_id: TaskId
    person_id: PersonId
    kind: str
    at: Instant
    errors: Errors
    beyond: tuple[str, ...]
    is_training: bool = False


def keep_gold(
    connection: sqlite3.Connection,
    submission_id: SubmissionId,
    task_id: TaskId,
    by: PersonId,
    at: Instant,
) -> None:
    """Take the result of a task for known, in the place of an earlier one of that task."""
    key = bytes.fromhex(submission_id)
    drop_gold(connection, task_id)
    connection.execute(
        "INSERT INTO gold VALUES (?1, ?2, ?3, ?4, 1)"
        " ON CONFLICT (submission_id) DO UPDATE SET is_active = 1, by_id = ?3, at = ?4",
        (key, id_bytes(task_id), id_bytes(by), at),
    )


def drop_gold(connection: sqlite3.Connection, task_id: TaskId) -> None:
    """Make no further gold tasks from the result of a task."""
    connection.execute("UPDATE gold SET is_active = 0 WHERE task_id = ?", (id_bytes(task_id),))


def gold_results(file: Readable, kind: str | None = None) -> list[GoldResult]:
    """Return the known results, in the order of their tasks."""
    rows = file.rows(
        "SELECT g.submission_id, g.task_id, t.video_id, t.kind, g.is_active,"
        " (SELECT count(*) FROM gold_task c WHERE c.gold_id = g.submission_id)"
        " FROM gold g JOIN task t ON t.id = g.task_id WHERE ?1 IS NULL OR t.kind = ?1"
        " ORDER BY g.task_id, g.at",
        (kind,),
    )
    rows_read = cast("list[tuple[bytes, bytes, bytes, str, int, int]]", rows)
    return [
        GoldResult(
            SubmissionId(key.hex()),
            TaskId(id_text(task)),
            VideoId(id_text(video)),
            of_kind,
            is_active == 1,
            n_given,
        )
        for key, task, video, of_kind, is_active, n_given in rows_read
    ]


def unseen_gold(
    connection: sqlite3.Connection, kind: str, person_id: PersonId
) -> list[tuple[SubmissionId, TaskId]]:
    """Return the active references of a kind, with their tasks, on videos that the person has had
    no task about; the least assigned come first."""
    rows = connection.execute(
        "SELECT g.submission_id, g.task_id FROM gold g JOIN task t ON t.id = g.task_id"
        " WHERE g.is_active AND t.kind = ?1 AND NOT EXISTS (SELECT 1 FROM task o"
        " JOIN assignment a ON a.task_id = o.id"
        " WHERE o.video_id = t.video_id AND a.person_id = ?2)"
        " ORDER BY (SELECT count(*) FROM gold_task c WHERE c.gold_id = g.submission_id), g.task_id",
        (kind, id_bytes(person_id)),
    )
    return [(SubmissionId(key.hex()), TaskId(id_text(task))) for key, task in rows]


def counts_of(
    connection: sqlite3.Connection, kind: str, stage: str, person_id: PersonId
) -> tuple[int, int, int]:
    """Return how many tasks of a kind a person has had at a stage, how many gold tasks, and how
    many for training."""
    key = id_bytes(person_id)
    (n_tasks,) = connection.execute(
        "SELECT count(DISTINCT a.task_id) FROM assignment a JOIN task t ON t.id = a.task_id"
        " WHERE t.kind = ? AND a.stage = ? AND a.person_id = ?"
        " AND NOT EXISTS (SELECT 1 FROM gold_task g WHERE g.task_id = t.id)",
        (kind, stage, key),
    ).fetchone()
    n_gold, n_training = connection.execute(
        "SELECT count(*) FILTER (WHERE NOT g.is_training), count(*) FILTER (WHERE g.is_training)"
        " FROM gold_task g JOIN task t ON t.id = g.task_id WHERE t.kind = ? AND g.person_id = ?",
        (kind, key),
    ).fetchone()
    return n_tasks, n_gold, n_training


def add_gold_task(connection: sqlite3.Connection, made: GoldTask) -> None:
    """Note that a task repeats one with a known result."""
    connection.execute(
        "INSERT INTO gold_task VALUES (?, ?, ?, ?, ?)",
        (
            id_bytes(made.task_id),
            bytes.fromhex(made.gold_id) if made.gold_id is not None else None,
            id_bytes(made.person_id),
            made.is_training,
            made.known,
        ),
    )


def find_gold_task(file: Readable, task_id: TaskId) -> GoldTask | None:
    """Return the origin of a gold task, None for any other task."""
    rows = file.rows(
        "SELECT gold_id, person_id, is_training, known FROM gold_task WHERE task_id = ?",
        (id_bytes(task_id),),
    )
    if not rows:
        return None
    key, person, is_training, known = cast("tuple[bytes | None, bytes, int, bytes | None]", rows[0])
    gold_id = SubmissionId(key.hex()) if key is not None else None
    return GoldTask(task_id, gold_id, PersonId(id_text(person)), is_training == 1, known)


def gold_task_ids(file: Readable) -> frozenset[TaskId]:
    """Return all gold tasks."""
    rows = file.rows("SELECT task_id FROM gold_task")
    return frozenset(TaskId(id_text(cast("bytes", key))) for (key,) in rows)


def add_score(connection: sqlite3.Connection, score: Score) -> None:
    """Keep the errors of a submission."""
    connection.execute(
        "INSERT OR REPLACE INTO gold_score VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            bytes.fromhex(score.submission_id),
            id_bytes(score.task_id),
            id_bytes(score.person_id),
            score.kind,
            score.at,
            msgspec.json.encode(score.errors).decode(),
            json_text(score.beyond),
        ),
    )


def scores(
    file: Readable, kind: str | None = None, person_id: PersonId | None = None
) -> list[Score]:
    """Return the scores of gold tasks, the oldest first."""
    rows = file.rows(
        "SELECT s.submission_id, s.task_id, s.person_id, s.kind, s.at, s.errors, s.beyond,"
        " g.is_training FROM gold_score s JOIN gold_task g ON g.task_id = s.task_id"
        " WHERE (?1 IS NULL OR s.kind = ?1) AND (?2 IS NULL OR s.person_id = ?2)"
        " ORDER BY s.at, s.submission_id",
        (kind, id_bytes(person_id) if person_id is not None else None),
    )
    rows_read = cast("list[tuple[bytes, bytes, bytes, str, int, str, str, int]]", rows)
    return [
        Score(
            SubmissionId(key.hex()),
            TaskId(id_text(task)),
            PersonId(id_text(person)),
            of_kind,
            at,
            msgspec.json.decode(errors_text, type=Errors),
            json_texts(beyond),
            is_training == 1,
        )
        for key, task, person, of_kind, at, errors_text, beyond, is_training in rows_read
    ]
