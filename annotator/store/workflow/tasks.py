"""Tasks, and the drafts that people work on them with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, cast

from annotator.domain.annotation.document import Document
from annotator.domain.ids import AssignmentId, DraftId, PersonId, TaskId, VideoId, new_id
from annotator.domain.work.events import Created
from annotator.domain.work.records import AssignmentState, TaskStatus
from annotator.domain.workflow import Task, TaskState
from annotator.store.annotation.documents import Times, write_changes
from annotator.store.annotation.events import BEGIN, Event, append_event, encode_changes
from annotator.store.columns import id_bytes, id_text, now_text
from annotator.store.file.project import ProjectFile
from annotator.store.workflow.log import append_events

if TYPE_CHECKING:
    from collections.abc import Sequence

_STATES: Final = {
    TaskStatus.WAITING.value: TaskState.WAITING,
    TaskStatus.IN_PROGRESS.value: TaskState.IN_PROGRESS,
    TaskStatus.RESOLVING.value: TaskState.IN_PROGRESS,
    TaskStatus.COMPLETE.value: TaskState.SUBMITTED,
    TaskStatus.WITHDRAWN.value: TaskState.SUBMITTED,
}
# The newest draft of a task: that of the latest started stage.
_TASKS: Final = (
    "SELECT t.id, t.video_id, t.kind, t.title, t.status, (SELECT d.id FROM assignment a"
    " JOIN draft d ON d.assignment_id = a.id WHERE a.task_id = t.id ORDER BY d.id DESC LIMIT 1)"
    " FROM task t"
)
IS_GOLD: Final = "EXISTS (SELECT 1 FROM gold_task g WHERE g.task_id = t.id)"
"""Condition for gold tasks, where ``t`` is the table of tasks."""


def list_tasks(file: ProjectFile, *, with_gold: bool = False) -> list[Task]:
    """Return all tasks in the order they were made, each with its newest draft, if it has one.

    ``with_gold``: gold tasks too, which are no part of the data set.
    """
    where = "" if with_gold else f" WHERE NOT {IS_GOLD}"
    return [_task(row) for row in file.rows(f"{_TASKS}{where} ORDER BY t.id")]


def count_tasks(file: ProjectFile) -> int:
    """Return how many tasks there are, gold tasks not counted."""
    ((n,),) = file.rows(f"SELECT count(*) FROM task t WHERE NOT {IS_GOLD}")
    return cast("int", n)


def find_task(file: ProjectFile, task_id: TaskId) -> Task | None:
    """Return a task, None when the project has no such task."""
    try:
        key = id_bytes(task_id)
    except ValueError:
        return None
    rows = file.rows(f"{_TASKS} WHERE t.id = ?", (key,))
    return _task(rows[0]) if rows else None


def has_task(file: ProjectFile, video_id: VideoId) -> bool:
    """Return whether a video has a task."""
    return bool(file.rows("SELECT 1 FROM task WHERE video_id = ? LIMIT 1", (id_bytes(video_id),)))


def find_by_kind(connection: sqlite3.Connection, video_id: VideoId, kind: str) -> TaskId | None:
    """Return the task of a kind on a video, the first if there are several; None without any."""
    row = connection.execute(
        "SELECT id FROM task WHERE video_id = ? AND kind = ? ORDER BY id LIMIT 1",
        (id_bytes(video_id), kind),
    ).fetchone()
    return TaskId(id_text(row[0])) if row is not None else None


def kinds_on(connection: sqlite3.Connection, video_id: VideoId) -> list[tuple[TaskId, str]]:
    """Return the tasks about a video with their kinds, in the order they were made."""
    rows = connection.execute(
        "SELECT id, kind FROM task WHERE video_id = ? ORDER BY id", (id_bytes(video_id),)
    )
    return [(TaskId(id_text(key)), str(kind)) for key, kind in rows]


def takers_of(connection: sqlite3.Connection, task_ids: Iterable[TaskId]) -> dict[PersonId, TaskId]:
    """Return everyone who ever claimed one of some tasks, with one of those."""
    found: dict[PersonId, TaskId] = {}
    for task_id in task_ids:
        rows = connection.execute(
            "SELECT DISTINCT person_id FROM assignment"
            " WHERE task_id = ? AND person_id IS NOT NULL ORDER BY person_id",
            (id_bytes(task_id),),
        )
        found |= {PersonId(id_text(key)): task_id for (key,) in rows}
    return found


def tasks_of_kind(connection: sqlite3.Connection, kind: str, status: TaskStatus) -> list[TaskId]:
    """Return the tasks of a kind in a state, in order of creation."""
    rows = connection.execute(
        "SELECT id FROM task WHERE kind = ? AND status = ? ORDER BY id", (kind, status.value)
    )
    return [TaskId(id_text(row[0])) for row in rows.fetchall()]


def with_assignments(
    connection: sqlite3.Connection, kind: str, status: TaskStatus, state: AssignmentState
) -> list[TaskId]:
    """Return the tasks of a kind in a state with an assignment in a state."""
    rows = connection.execute(
        "SELECT id FROM task t WHERE kind = ? AND status = ? AND EXISTS"
        " (SELECT 1 FROM assignment a WHERE a.task_id = t.id AND a.state = ?) ORDER BY id",
        (kind, status.value, state.value),
    )
    return [TaskId(id_text(row[0])) for row in rows.fetchall()]


def videos_without(connection: sqlite3.Connection, kind: str) -> list[VideoId]:
    """Return the videos that have tasks but none of a kind."""
    rows = connection.execute(
        "SELECT video_id FROM task GROUP BY video_id HAVING max(kind = ?) = 0 ORDER BY min(id)",
        (kind,),
    )
    return [VideoId(id_text(row[0])) for row in rows.fetchall()]


def count_open_by_kind(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the number of tasks of each kind that are neither complete nor withdrawn."""
    rows = connection.execute(
        f"SELECT kind, count(*) FROM task t WHERE NOT {IS_GOLD}"
        " AND status NOT IN ('complete', 'withdrawn') GROUP BY kind ORDER BY min(id)"
    )
    return {str(kind): int(n_tasks) for kind, n_tasks in rows}


def complete_without(connection: sqlite3.Connection, kind: str, follower: str) -> list[TaskId]:
    """Return the complete tasks of a kind whose videos have no task of another kind."""
    rows = connection.execute(
        "SELECT id FROM task t WHERE kind = ? AND status = 'complete' AND NOT EXISTS"
        " (SELECT 1 FROM task o WHERE o.video_id = t.video_id AND o.kind = ?) ORDER BY id",
        (kind, follower),
    )
    return [TaskId(id_text(row[0])) for row in rows.fetchall()]


def add_task(connection: sqlite3.Connection, event: Created, title: str) -> None:
    """Add a task and its first event; derived values are written elsewhere."""
    connection.execute(
        "INSERT INTO task (id, video_id, kind, title, created_at) VALUES (?, ?, ?, ?, ?)",
        (id_bytes(event.task_id), id_bytes(event.video_id), event.task_kind, title, now_text()),
    )
    if event.reserved_for is not None:
        reserved = id_bytes(event.task_id), id_bytes(event.reserved_for)
        connection.execute("INSERT INTO task_reserved VALUES (?, ?)", reserved)
    append_events(connection, [event], first=1)


def find_draft(connection: sqlite3.Connection, assignment_id: AssignmentId) -> DraftId | None:
    """Return the draft of an assignment, None when it was never opened."""
    row = connection.execute(
        "SELECT id FROM draft WHERE assignment_id = ?", (id_bytes(assignment_id),)
    ).fetchone()
    return DraftId(id_text(row[0])) if row else None


def holder_of(connection: sqlite3.Connection, draft_id: DraftId) -> PersonId | None:
    """Return the present assignee of a draft, None without one."""
    row = connection.execute(
        "SELECT a.person_id FROM draft d JOIN assignment a ON a.id = d.assignment_id"
        " WHERE d.id = ? AND a.state = 'held'",
        (id_bytes(draft_id),),
    ).fetchone()
    return PersonId(id_text(row[0])) if row else None


def person_of(connection: sqlite3.Connection, draft_id: DraftId) -> PersonId | None:
    """Return the present or last author of a draft; None if it does not exist."""
    row = connection.execute(
        "SELECT a.person_id FROM draft d JOIN assignment a ON a.id = d.assignment_id"
        " WHERE d.id = ?",
        (id_bytes(draft_id),),
    ).fetchone()
    return PersonId(id_text(row[0])) if row else None


def assignment_of(connection: sqlite3.Connection, draft_id: DraftId) -> AssignmentId | None:
    """Return the assignment a draft belongs to, None when there is no such draft."""
    row = connection.execute(
        "SELECT assignment_id FROM draft WHERE id = ?", (id_bytes(draft_id),)
    ).fetchone()
    return AssignmentId(id_text(row[0])) if row else None


def add_draft(
    connection: sqlite3.Connection,
    assignment_id: AssignmentId,
    video_id: VideoId,
    *,
    content: Document | None = None,
    author: tuple[bytes, bytes] | None = None,
    pts: Times | None = None,
) -> DraftId:
    """Begin the draft of an assignment, empty or with all that a document holds, which is logged.

    ``author`` is needed with content; ``pts`` are the presentation times of the video's frames,
    where they are known.
    """
    draft_id = DraftId(new_id())
    key = id_bytes(draft_id)
    connection.execute(
        "INSERT INTO draft VALUES (?, ?, ?, ?)",
        (key, id_bytes(assignment_id), id_bytes(video_id), now_text()),
    )
    if content is not None:
        from annotator.domain.commands.bulk import whole

        changes = whole(content)
        write_changes(connection, key, changes, pts)
        assert author is not None
        event = Event(new_id(), BEGIN, "import")
        append_event(connection, author, key, event, encode_changes(changes))
    return draft_id


def transfer_draft(connection: sqlite3.Connection, draft_id: DraftId, to: AssignmentId) -> None:
    """Move a draft to another assignment."""
    connection.execute(
        "UPDATE draft SET assignment_id = ? WHERE id = ?", (id_bytes(to), id_bytes(draft_id))
    )


def close_draft(
    connection: sqlite3.Connection, author: tuple[bytes, bytes], draft_id: DraftId, kind: str
) -> None:
    """Note in a draft's log that it was submitted ("submit") or reopened ("reopen").

    Undo ends there, so suggestions of deleted tracks and points cannot come back and are dropped.
    """
    draft = id_bytes(draft_id)
    append_event(connection, author, draft, Event(new_id(), kind, kind), "[]")
    for runs, kept in (("proposal_run", "track"), ("point_proposal_run", "point")):
        connection.execute(
            f"DELETE FROM {runs} WHERE draft_id = ?1"
            f" AND {kept}_id NOT IN (SELECT id FROM {kept} WHERE draft_id = ?1)",
            (draft,),
        )


def _task(row: Sequence[object]) -> Task:
    key, video, kind, title, status, draft = cast(
        "tuple[bytes, bytes, str, str, str, bytes | None]", row
    )
    return Task(
        TaskId(id_text(key)),
        VideoId(id_text(video)),
        kind,
        title,
        _STATES[status],
        DraftId(id_text(draft)) if draft is not None else None,
    )
