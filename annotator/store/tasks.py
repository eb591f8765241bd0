"""Tasks, the drafts that work on them, and what has been handed in."""

from __future__ import annotations

from typing import cast

from annotator.domain.canonical import canonical_bytes, content_id, document_value
from annotator.domain.document import Document
from annotator.domain.errors import ProjectError
from annotator.domain.ids import DraftId, PersonId, SubmissionId, TaskId, VideoId, new_id
from annotator.domain.workflow import Submission, Task, TaskState
from annotator.store.codes import id_bytes, id_text, now_text
from annotator.store.log import Event, append_event
from annotator.store.project import ProjectFile, tool_version

FORMAT = "annotator-submission/1"

_FIRST_STAGE = "annotate"


def list_tasks(file: ProjectFile) -> list[Task]:
    """Return all tasks in the order they were made, each with its draft once it has one."""
    rows = file.rows(
        "SELECT t.id, t.video_id, t.kind, t.title, a.state, d.id FROM task t"
        " LEFT JOIN assignment a ON a.task_id = t.id AND a.stage = ? AND a.round = 1"
        " LEFT JOIN draft d ON d.assignment_id = a.id ORDER BY t.id",
        (_FIRST_STAGE,),
    )
    found = cast("list[tuple[bytes, bytes, str, str, str | None, bytes | None]]", rows)
    return [
        Task(
            TaskId(id_text(key)),
            VideoId(id_text(video)),
            kind,
            title,
            TaskState(state or TaskState.WAITING),
            DraftId(id_text(draft)) if draft is not None else None,
        )
        for key, video, kind, title, state, draft in found
    ]


def add_task(file: ProjectFile, video_id: VideoId, *, kind: str, title: str) -> TaskId:
    """Add a task that waits for somebody."""
    task_id = TaskId(new_id())
    with file.transaction() as connection:
        connection.execute(
            "INSERT INTO task VALUES (?, ?, ?, ?, ?)",
            (id_bytes(task_id), id_bytes(video_id), kind, title, now_text()),
        )
    return task_id


def begin(file: ProjectFile, task: Task) -> DraftId:
    """Return the task's draft; the first time, give the task to the person at the keyboard."""
    if task.draft_id is not None:
        return task.draft_id
    draft_id, assignment_id = DraftId(new_id()), new_id()
    with file.transaction() as connection:
        connection.execute(
            "INSERT INTO assignment VALUES (?, ?, ?, 1, ?, ?, NULL)",
            (
                id_bytes(assignment_id),
                id_bytes(task.id),
                _FIRST_STAGE,
                file.author()[0],
                TaskState.IN_PROGRESS.value,
            ),
        )
        connection.execute(
            "INSERT INTO draft VALUES (?, ?, ?, ?)",
            (id_bytes(draft_id), id_bytes(assignment_id), id_bytes(task.video_id), now_text()),
        )
    return draft_id


def submit(file: ProjectFile, document: Document) -> Submission:
    """Hand a draft in for good: what was handed in before stays as it is.

    The log gets an entry, which ends the reach of undo. ProjectError when it is handed in already.
    """
    person_id, replica_id = file.author()
    draft = id_bytes(document.draft_id)
    with file.transaction() as connection:
        assignment, state, media_hash = connection.execute(
            "SELECT a.id, a.state, v.content_hash FROM draft d"
            " JOIN assignment a ON a.id = d.assignment_id JOIN video v ON v.id = d.video_id"
            " WHERE d.id = ?",
            (draft,),
        ).fetchone()
        if state == TaskState.SUBMITTED.value:
            raise ProjectError("This task has been submitted already.", where=str(file.path))
        parent, revision = connection.execute(
            "SELECT id, max(revision) FROM submission WHERE assignment_id = ? AND person_id = ?",
            (assignment, person_id),
        ).fetchone()
        revision = (revision or 0) + 1
        body = canonical_bytes(
            {
                "format": FORMAT,
                "draft_id": document.draft_id,
                "person_id": id_text(person_id),
                "revision": revision,
                "media_hash": media_hash,
                **document_value(document),
            }
        )
        name = content_id(body)
        at = now_text()
        recipe = connection.execute("SELECT value FROM meta WHERE key = 'recipe'").fetchone()
        connection.execute(
            "INSERT INTO submission VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                bytes.fromhex(name),
                assignment,
                draft,
                person_id,
                replica_id,
                revision,
                body,
                FORMAT,
                media_hash,
                tool_version(),
                recipe[0] if recipe else None,
                at,
                parent,
            ),
        )
        _set_state(file, document.draft_id, TaskState.SUBMITTED)
        # Suggestions of deleted tracks cannot come back once undo has ended.
        connection.execute(
            "DELETE FROM proposal_run WHERE draft_id = ?"
            " AND track_id NOT IN (SELECT id FROM track WHERE draft_id = ?)",
            (draft, draft),
        )
        connection.execute(
            "DELETE FROM point_proposal_run WHERE draft_id = ?"
            " AND point_id NOT IN (SELECT id FROM point WHERE draft_id = ?)",
            (draft, draft),
        )
    person = PersonId(id_text(person_id))
    return Submission(SubmissionId(name), document.draft_id, person, revision, at, body)


def reopen(file: ProjectFile, task: Task) -> None:
    """Let a submitted task be edited again; its submission stays."""
    if task.state is not TaskState.SUBMITTED or task.draft_id is None:
        raise ProjectError("Only a submitted task can be reopened.", where=str(file.path))
    _set_state(file, task.draft_id, TaskState.IN_PROGRESS)


def list_submissions(file: ProjectFile, draft_id: DraftId) -> list[Submission]:
    """Return what has been handed in from a draft, oldest first."""
    rows = file.rows(
        "SELECT id, person_id, revision, submitted_at, body FROM submission"
        " WHERE draft_id = ? ORDER BY revision",
        (id_bytes(draft_id),),
    )
    found = cast("list[tuple[bytes, bytes, int, str, bytes]]", rows)
    return [
        Submission(SubmissionId(key.hex()), draft_id, PersonId(id_text(person)), revision, at, body)
        for key, person, revision, at, body in found
    ]


def _set_state(file: ProjectFile, draft_id: DraftId, state: TaskState) -> None:
    """Write the state of a draft's assignment and log it."""
    kind = "submit" if state is TaskState.SUBMITTED else "reopen"
    draft = id_bytes(draft_id)
    with file.transaction() as connection:
        connection.execute(
            "UPDATE assignment SET state = ?"
            " WHERE id = (SELECT assignment_id FROM draft WHERE id = ?)",
            (state.value, draft),
        )
        append_event(connection, file.author(), draft, Event(new_id(), kind, kind), "[]")
