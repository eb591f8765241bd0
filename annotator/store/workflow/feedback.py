"""Rows of messages from leads, and of spot checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from annotator.domain.ids import PersonId, SubmissionId, TaskId, new_id
from annotator.domain.work.records import Instant
from annotator.store.columns import id_bytes, id_text
from annotator.store.file.project import ProjectFile

_DRAWN_TO: Final = "spot_checks_to"


@dataclass(frozen=True, slots=True)
class Feedback:
    """A message to one person, or (``to_id`` None) to all; it can refer to a task."""

    id: str
    at: Instant
    from_id: PersonId
    to_id: PersonId | None
    task_id: TaskId | None
    text: str


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """A sampled submission for the lead; ``seen_at`` None: not reviewed yet."""

    submission_id: SubmissionId
    task_id: TaskId
    stage: str
    person_id: PersonId
    drawn_at: Instant
    seen_at: Instant | None
    note: str


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A submission that might be drawn: how many findings it has, and the least agreement of its
    agreement with the earlier state, if there is any.
    """

    submission_id: SubmissionId
    person_id: PersonId
    findings: int
    agreed: float | None


def add_feedback(file: ProjectFile, message: Feedback) -> None:
    """Keep a message."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT INTO feedback VALUES (?, ?, ?, ?, ?, ?)",
            (
                id_bytes(message.id),
                message.at,
                id_bytes(message.from_id),
                id_bytes(message.to_id) if message.to_id is not None else None,
                id_bytes(message.task_id) if message.task_id is not None else None,
                message.text,
            ),
        )


def unread(file: ProjectFile, person_id: PersonId) -> list[Feedback]:
    """Return the unread messages for a person, newest first."""
    rows = file.rows(
        "SELECT f.id, f.at, f.from_id, f.to_id, f.task_id, f.body FROM feedback f"
        " WHERE (f.to_id = ?1 OR (f.to_id IS NULL AND f.from_id != ?1)) AND NOT EXISTS"
        " (SELECT 1 FROM feedback_read r WHERE r.feedback_id = f.id AND r.person_id = ?1)"
        " ORDER BY f.at DESC, f.id DESC",
        (id_bytes(person_id),),
    )
    rows_read = cast("list[tuple[bytes, int, bytes, bytes | None, bytes | None, str]]", rows)
    return [
        Feedback(
            id_text(key),
            at,
            PersonId(id_text(sender)),
            PersonId(id_text(to)) if to is not None else None,
            TaskId(id_text(task)) if task is not None else None,
            text,
        )
        for key, at, sender, to, task, text in rows_read
    ]


def put_away(file: ProjectFile, feedback_id: str, person_id: PersonId) -> None:
    """Mark a message as read."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR IGNORE INTO feedback_read VALUES (?, ?)",
            (id_bytes(feedback_id), id_bytes(person_id)),
        )


def new_message(
    at: Instant, from_id: PersonId, to_id: PersonId | None, task_id: TaskId | None, text: str
) -> Feedback:
    """Return a message that has not been kept yet."""
    return Feedback(new_id(), at, from_id, to_id, task_id, text)


def has_new_submissions(file: ProjectFile) -> bool:
    """Return whether any submission was counted since the last sample."""
    last = int(file.meta(_DRAWN_TO) or -1)
    return bool(file.rows("SELECT 1 FROM hand_in WHERE seq > ? LIMIT 1", (last,)))


def new_submissions(file: ProjectFile) -> list[NewSubmission]:
    """Return the counted submissions since the last sample, in log order."""
    rows = file.rows(
        "SELECT h.submission_id, h.person_id,"
        " (SELECT coalesce(sum(count), 0) FROM finding WHERE submission_id = h.submission_id),"
        " (SELECT min(value) FROM agreement WHERE last_id = h.submission_id)"
        " FROM hand_in h JOIN submission s ON s.id = h.submission_id"
        " WHERE h.seq > ? AND h.submission_id NOT IN (SELECT submission_id FROM spot_check)"
        " AND h.task_id NOT IN (SELECT task_id FROM gold_task)"
        " ORDER BY h.seq, h.submission_id",
        (int(file.meta(_DRAWN_TO) or -1),),
    )
    rows_read = cast("list[tuple[bytes, bytes, int, float | None]]", rows)
    return [
        NewSubmission(SubmissionId(key.hex()), PersonId(id_text(person)), findings, agreed)
        for key, person, findings, agreed in rows_read
    ]


def add_spot_checks(file: ProjectFile, chosen: Iterable[SubmissionId], at: Instant) -> None:
    """Keep which submissions were drawn, and up to where in the log."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO meta SELECT ?, coalesce(max(seq), -1) || '' FROM hand_in",
            (_DRAWN_TO,),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO spot_check (submission_id, drawn_at) VALUES (?, ?)",
            [(bytes.fromhex(submission), at) for submission in chosen],
        )


def list_spot_checks(file: ProjectFile) -> list[SpotCheck]:
    """Return all spot checks, latest first."""
    rows = file.rows(
        "SELECT c.submission_id, h.task_id, h.stage, h.person_id, c.drawn_at, c.seen_at, c.note"
        # Samples are few, submissions are many.
        " FROM spot_check c CROSS JOIN hand_in h ON h.submission_id = c.submission_id"
        " ORDER BY c.drawn_at DESC, c.submission_id"
    )
    rows_read = cast("list[tuple[bytes, bytes, str, bytes, int, int | None, str]]", rows)
    return [
        SpotCheck(
            SubmissionId(key.hex()),
            TaskId(id_text(task)),
            stage,
            PersonId(id_text(person)),
            drawn_at,
            seen_at,
            note,
        )
        for key, task, stage, person, drawn_at, seen_at, note in rows_read
    ]


def note_spot_check(file: ProjectFile, submission: SubmissionId, at: Instant, note: str) -> None:
    """Store the lead's result of a spot check."""
    with file.transaction() as connection:
        connection.execute(
            "UPDATE spot_check SET seen_at = ?, note = ? WHERE submission_id = ?",
            (at, note, bytes.fromhex(submission)),
        )
