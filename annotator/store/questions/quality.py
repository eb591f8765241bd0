"""Rows of judged answers and of the resulting qualification status."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple, cast

from annotator.domain.ids import ItemId, PersonId, SubmissionId
from annotator.domain.questions.items.item import Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.work.records import Instant
from annotator.store.columns import id_bytes, id_text
from annotator.store.file.readable import Readable


class CheckOutcome(NamedTuple):
    """Whether a gold answer was given; ``at`` in milliseconds since 1970-01-01 UTC."""

    person_id: PersonId
    item_id: ItemId
    submission_id: SubmissionId
    kind: str
    purpose: Purpose
    is_right: bool
    at: Instant


class StatusChange(NamedTuple):
    """Result of a test or of checks; ``by_id`` None: computed by the program."""

    person_id: PersonId
    kind: str
    state: QualificationStatus
    score: float | None
    submission_id: SubmissionId | None
    by_id: PersonId | None
    note: str
    at: Instant


def add_judgements(connection: sqlite3.Connection, judged: Iterable[CheckOutcome]) -> None:
    """Store judged answers."""
    connection.executemany(
        "INSERT OR REPLACE INTO judgement VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                id_bytes(judgement.person_id),
                id_bytes(judgement.item_id),
                bytes.fromhex(judgement.submission_id),
                judgement.kind,
                judgement.purpose,
                judgement.is_right,
                judgement.at,
            )
            for judgement in judged
        ],
    )


def judgements(
    file: Readable,
    kind: str,
    purpose: Purpose | None = None,
    *,
    person_id: PersonId | None = None,
    submission_id: SubmissionId | None = None,
) -> list[CheckOutcome]:
    """Return the judged answers of a task type, oldest first."""
    rows = file.rows(
        "SELECT * FROM judgement WHERE kind = ?1 AND (?2 IS NULL OR purpose = ?2)"
        " AND (?3 IS NULL OR person_id = ?3) AND (?4 IS NULL OR submission_id = ?4) ORDER BY at",
        (
            kind,
            purpose,
            id_bytes(person_id) if person_id is not None else None,
            bytes.fromhex(submission_id) if submission_id is not None else None,
        ),
    )
    rows_read = cast("list[tuple[bytes, bytes, bytes, str, str, int, int]]", rows)
    return [
        CheckOutcome(
            PersonId(id_text(person)),
            ItemId(id_text(item)),
            SubmissionId(submission.hex()),
            of_kind,
            Purpose(why),
            is_right == 1,
            at,
        )
        for person, item, submission, of_kind, why, is_right, at in rows_read
    ]


def add_status(connection: sqlite3.Connection, change: StatusChange) -> None:
    """Store the result of a test or of checks."""
    connection.execute(
        "INSERT INTO standing (person_id, kind, state, score, submission_id, by_id, note, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            id_bytes(change.person_id),
            change.kind,
            change.state,
            change.score,
            bytes.fromhex(change.submission_id) if change.submission_id is not None else None,
            id_bytes(change.by_id) if change.by_id is not None else None,
            change.note,
            change.at,
        ),
    )


def status_history(file: Readable, person_id: PersonId | None = None) -> list[StatusChange]:
    """Return all results of tests and checks, oldest first."""
    rows = file.rows(
        "SELECT person_id, kind, state, score, submission_id, by_id, note, at FROM standing"
        " WHERE ?1 IS NULL OR person_id = ?1 ORDER BY seq",
        (id_bytes(person_id) if person_id is not None else None,),
    )
    rows_read = cast(
        "list[tuple[bytes, str, str, float | None, bytes | None, bytes | None, str, int]]", rows
    )
    return [
        StatusChange(
            PersonId(id_text(person)),
            kind,
            QualificationStatus(state),
            score,
            SubmissionId(submission.hex()) if submission is not None else None,
            PersonId(id_text(by)) if by is not None else None,
            note,
            at,
        )
        for person, kind, state, score, submission, by, note, at in rows_read
    ]


def write_grade(
    connection: sqlite3.Connection,
    submission_id: SubmissionId,
    item_id: ItemId,
    grade: int,
    by_id: PersonId,
    at: Instant,
) -> None:
    """Store the grade of an answer, replacing an earlier one."""
    connection.execute(
        "INSERT OR REPLACE INTO grade VALUES (?, ?, ?, ?, ?)",
        (bytes.fromhex(submission_id), id_bytes(item_id), grade, id_bytes(by_id), at),
    )


def grades(file: Readable, submission_id: SubmissionId) -> dict[ItemId, int]:
    """Return the grades given for a submission."""
    rows = file.rows(
        "SELECT item_id, grade FROM grade WHERE submission_id = ?",
        (bytes.fromhex(submission_id),),
    )
    return {ItemId(id_text(cast(bytes, item))): cast(int, grade) for item, grade in rows}


def latest(connection: sqlite3.Connection) -> dict[PersonId, dict[str, QualificationStatus]]:
    """Return the present qualification status of all people by task type."""
    rows = connection.execute("SELECT person_id, kind, state FROM standing ORDER BY seq")
    found: dict[PersonId, dict[str, QualificationStatus]] = {}
    for person, kind, state in rows:
        found.setdefault(PersonId(id_text(person)), {})[kind] = QualificationStatus(state)
    return found
