"""Rows of submissions, stored under the hash of their content."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any, cast

from annotator.domain.annotation.canonical import canonical_bytes, content_id, document_value
from annotator.domain.annotation.document import Document
from annotator.domain.errors import ProjectError
from annotator.domain.ids import AssignmentId, DraftId, PersonId, SubmissionId, TaskId
from annotator.domain.json_type import Json
from annotator.domain.work.codec import verdict_value
from annotator.domain.work.records import Assignment, TaskRecord, Verdict
from annotator.domain.workflow import Submission
from annotator.store.columns import id_bytes, id_text, now_text
from annotator.store.file.project import ProjectFile, tool_version
from annotator.store.file.readable import Readable

FORMAT = "annotator-submission/2"

_COLUMNS = "id, task_id, assignment_id, person_id, revision, submitted_at, draft_id"


def head_of(
    connection: sqlite3.Connection,
    person_id: PersonId,
    record: TaskRecord,
    assignment: Assignment,
    verdict: Verdict,
    *,
    recipe: str,
) -> dict[str, Json]:
    """Return the facts of a submission besides the annotations: author, assignment, verdict, and
    the submission before it."""
    revision, parent = connection.execute(
        "SELECT count(*) + 1, (SELECT id FROM submission WHERE assignment_id = ?1"
        " ORDER BY rowid DESC LIMIT 1) FROM submission WHERE assignment_id = ?1",
        (id_bytes(assignment.id),),
    ).fetchone()
    (media,) = connection.execute(
        "SELECT content_hash FROM video WHERE id = ?", (id_bytes(record.video_id),)
    ).fetchone()
    return {
        "format": FORMAT,
        "task_id": record.id,
        "video_id": record.video_id,
        "kind": record.kind,
        "assignment_id": assignment.id,
        "stage": assignment.stage,
        "round": assignment.round,
        "person_id": person_id,
        "revision": revision,
        "parent_id": parent.hex() if parent is not None else assignment.base_id,
        "verdict": verdict_value(verdict),
        "recipe": recipe,
        "media_hash": media,
    }


def body_of(head: Mapping[str, Json], document: Document) -> bytes:
    """Return the canonical bytes of a submission; slow for large ones.

    Its name is their hash.
    """
    return canonical_bytes({**head, **document_value(document)})


def keep(
    connection: sqlite3.Connection,
    author: tuple[bytes, bytes],
    draft_id: DraftId,
    head: Mapping[str, Json],
    body: bytes,
) -> Submission:
    """Store a submission permanently, within the current transaction.

    ``author`` is the person and the replica.
    """
    header = cast("dict[str, Any]", head)
    submission = Submission(
        SubmissionId(content_id(body)),
        draft_id,
        PersonId(id_text(author[0])),
        header["revision"],
        now_text(),
        body,
        TaskId(header["task_id"]),
        AssignmentId(header["assignment_id"]),
    )
    parent = header["parent_id"]
    connection.execute(
        "INSERT INTO submission VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            bytes.fromhex(submission.id),
            id_bytes(header["task_id"]),
            id_bytes(header["assignment_id"]),
            id_bytes(draft_id),
            *author,
            submission.revision,
            body,
            FORMAT,
            header["media_hash"],
            tool_version(),
            header["recipe"],
            submission.submitted_at,
            bytes.fromhex(parent) if parent is not None else None,
        ),
    )
    return submission


def read_body(file: Readable, submission_id: SubmissionId) -> bytes:
    """Return the canonical bytes of a submission; ProjectError when it is not here."""
    rows = file.rows("SELECT body FROM submission WHERE id = ?", (bytes.fromhex(submission_id),))
    if not rows:
        raise ProjectError("Cannot find this submission in the project.", where=str(file.path))
    return cast(bytes, rows[0][0])


def task_of(file: ProjectFile, submission_id: SubmissionId) -> TaskId:
    """Return the task of a submission; ProjectError if it is not here."""
    rows = file.rows("SELECT task_id FROM submission WHERE id = ?", (bytes.fromhex(submission_id),))
    if not rows:
        raise ProjectError("Cannot find this submission in the project.", where=str(file.path))
    return TaskId(id_text(cast(bytes, rows[0][0])))


def submitted_by(file: ProjectFile, person_id: PersonId, kind: str) -> list[SubmissionId]:
    """Return the last submission of a person to each task of a kind, oldest first."""
    rows = file.rows(
        "SELECT s.id FROM submission s JOIN task t ON t.id = s.task_id"
        " WHERE s.person_id = ?1 AND t.kind = ?2 AND s.rowid = (SELECT max(o.rowid)"
        " FROM submission o WHERE o.task_id = s.task_id AND o.person_id = ?1) ORDER BY s.rowid",
        (id_bytes(person_id), kind),
    )
    return [SubmissionId(cast(bytes, row[0]).hex()) for row in rows]


def list_submissions(file: ProjectFile, task_id: TaskId) -> list[Submission]:
    """Return the submissions of a task, oldest first, with all bytes."""
    rows = file.rows(
        f"SELECT {_COLUMNS}, body FROM submission WHERE task_id = ? ORDER BY rowid",
        (id_bytes(task_id),),
    )
    rows_read = cast("list[tuple[bytes, bytes, bytes, bytes, int, str, bytes | None, bytes]]", rows)
    return [
        Submission(
            SubmissionId(key.hex()),
            DraftId(id_text(draft)) if draft is not None else None,
            PersonId(id_text(person)),
            revision,
            at,
            body,
            TaskId(id_text(task)),
            AssignmentId(id_text(assignment)),
        )
        for key, task, assignment, person, revision, at, draft, body in rows_read
    ]
