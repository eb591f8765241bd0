"""Queries for the next task, the tasks of a person, and expired leases."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, cast

from annotator.domain.ids import AssignmentId, PersonId, TaskId, VideoId
from annotator.domain.people import Role
from annotator.domain.work.records import AssignmentState, Instant
from annotator.store.columns import id_bytes, id_text
from annotator.store.file.project import ProjectFile

MOST_COUNTED: Final = 200
"""Limit of counts: more takes too long for a waiting window."""

_FOR_LEAD: Final = "SELECT count(*) FROM task WHERE needs_lead IS NOT NULL"

_FREE: Final = (
    " FROM task t WHERE t.kind = ?1 AND t.stage = ?2 AND t.open_slots > 0 AND t.needs_lead IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM task_barred b WHERE b.task_id = t.id AND b.person_id = ?4)"
    " AND ifnull((SELECT r.person_id = ?4 FROM task_reserved r WHERE r.task_id = t.id),"
    " t.role IN (SELECT value FROM json_each(?3)))"
)


@dataclass(frozen=True, slots=True)
class Queue:
    """The tasks of one kind that wait at one stage."""

    kind: str
    stage: str


@dataclass(frozen=True, slots=True)
class QueuedTask:
    """The first task of a queue: highest ``priority`` first, then returned tasks."""

    task_id: TaskId
    priority: int
    is_returned: bool


@dataclass(frozen=True, slots=True)
class Free:
    """A waiting task, as a list of choices shows it."""

    task_id: TaskId
    video: str
    is_returned: bool
    priority: int


@dataclass(frozen=True, slots=True)
class Holding:
    """A person's part in a task as their list of work shows it."""

    assignment_id: AssignmentId
    task_id: TaskId
    video_id: VideoId
    video: str
    kind: str
    title: str
    stage: str
    round: int
    state: AssignmentState
    since: Instant
    lease_until: Instant | None
    is_returned: bool


def first_free(
    connection: sqlite3.Connection, person_id: PersonId, roles: Collection[Role], queue: Queue
) -> QueuedTask | None:
    """Return the next task of a queue for a person, None without one."""
    row = connection.execute(
        f"SELECT t.id, t.priority, t.is_returned{_FREE}"
        " ORDER BY t.priority DESC, t.is_returned DESC, t.id LIMIT 1",
        _arguments(person_id, roles, queue),
    ).fetchone()
    return QueuedTask(TaskId(id_text(row[0])), row[1], row[2] == 1) if row else None


def count_free(
    connection: sqlite3.Connection, person_id: PersonId, roles: Collection[Role], queue: Queue
) -> int:
    """Return the number of tasks a person can claim, at most `MOST_COUNTED`."""
    found: int = connection.execute(
        f"SELECT count(*) FROM (SELECT 1{_FREE} LIMIT ?5)",
        (*_arguments(person_id, roles, queue), MOST_COUNTED),
    ).fetchone()[0]
    return found


def list_free(
    connection: sqlite3.Connection,
    person_id: PersonId,
    roles: Collection[Role],
    queue: Queue,
    limit: int,
) -> list[Free]:
    """Return the first tasks of a queue that a person can claim, in queue order."""
    rows = connection.execute(
        "SELECT t.id, (SELECT name FROM video v WHERE v.id = t.video_id), t.is_returned,"
        f" t.priority{_FREE} ORDER BY t.priority DESC, t.is_returned DESC, t.id LIMIT ?5",
        (*_arguments(person_id, roles, queue), limit),
    )
    return [
        Free(TaskId(id_text(key)), name, back == 1, urgency) for key, name, back, urgency in rows
    ]


def overdue(connection: sqlite3.Connection, now: Instant, furthest: Instant) -> list[TaskId]:
    """Return the tasks with a lease that is over, or one that ends after ``furthest``.

    The latter was given by a clock that has been set back since.
    """
    rows = connection.execute(
        "SELECT id FROM task WHERE lease_until <= ? UNION ALL"
        " SELECT id FROM task WHERE lease_until > ?",
        (now, furthest),
    )
    return [TaskId(id_text(key)) for (key,) in rows]


def stale_requests(connection: sqlite3.Connection) -> list[TaskId]:
    """Return the open tasks marked for the lead for lack of raters although there is one, or not
    marked although there is none."""
    rows = connection.execute(
        "SELECT t.id FROM task t WHERE t.open_slots > 0 AND (t.needs_lead IS NULL) != EXISTS"
        " (SELECT 1 FROM person p WHERE p.is_active = 1"
        " AND ifnull((SELECT r.person_id = p.id FROM task_reserved r WHERE r.task_id = t.id),"
        " CASE t.role WHEN '' THEN p.roles != '[\"participant\"]'"
        " ELSE instr(p.roles, '\"' || t.role || '\"') > 0 END)"
        " AND NOT EXISTS (SELECT 1 FROM task_barred b"
        " WHERE b.task_id = t.id AND b.person_id = p.id))"
    )
    return [TaskId(id_text(key)) for (key,) in rows]


def holdings(
    file: ProjectFile,
    person_id: PersonId,
    states: Collection[AssignmentState],
    *,
    limit: int = -1,
) -> list[Holding]:
    """Return the assignments of a person in some states, the latest first; ``limit`` -1: all."""
    marks = ", ".join("?" * len(states))
    rows = file.rows(
        "SELECT a.id, a.task_id, t.video_id, v.name, t.kind, t.title, a.stage, a.round, a.state,"
        " a.since, a.lease_until, a.is_returned FROM assignment a JOIN task t ON t.id = a.task_id"
        f" JOIN video v ON v.id = t.video_id WHERE a.person_id = ? AND a.state IN ({marks})"
        " ORDER BY a.since DESC, a.id DESC LIMIT ?",
        (id_bytes(person_id), *(state.value for state in states), limit),
    )
    rows_read = cast(
        "list[tuple[bytes, bytes, bytes, str, str, str, str, int, str, int, int | None, int]]", rows
    )
    return [
        Holding(
            AssignmentId(id_text(key)),
            TaskId(id_text(task)),
            VideoId(id_text(video)),
            name,
            kind,
            title,
            stage,
            round_,
            AssignmentState(state),
            since,
            lease_until,
            is_returned == 1,
        )
        for (
            key,
            task,
            video,
            name,
            kind,
            title,
            stage,
            round_,
            state,
            since,
            lease_until,
            is_returned,
        ) in rows_read
    ]


def has_same_task(connection: sqlite3.Connection, task_id: TaskId, person_id: PersonId) -> bool:
    """Return whether a person has or had another task of the same kind on the same video."""
    row = connection.execute(
        "SELECT 1 FROM task t JOIN task o ON o.video_id = t.video_id AND o.kind = t.kind"
        " AND o.id != t.id WHERE t.id = ?1"
        " AND (EXISTS (SELECT 1 FROM assignment a WHERE a.task_id = o.id AND a.person_id = ?2)"
        " OR EXISTS (SELECT 1 FROM task_reserved r WHERE r.task_id = o.id AND r.person_id = ?2))",
        (id_bytes(task_id), id_bytes(person_id)),
    ).fetchone()
    return row is not None


def held_tasks(connection: sqlite3.Connection, person_id: PersonId) -> list[TaskId]:
    """Return the tasks in progress of a person."""
    rows = connection.execute(
        "SELECT DISTINCT task_id FROM assignment WHERE person_id = ? AND state = 'held'",
        (id_bytes(person_id),),
    )
    return [TaskId(id_text(key)) for (key,) in rows]


def _arguments(
    person_id: PersonId, roles: Collection[Role], queue: Queue
) -> tuple[str, str, str, bytes]:
    import msgspec

    anybody = [] if set(roles) == {Role.PARTICIPANT} else [""]
    known = msgspec.json.encode([*anybody, *sorted(roles)]).decode()
    return (queue.kind, queue.stage, known, id_bytes(person_id))


def count_for_lead(file: ProjectFile) -> int:
    """Return the number of tasks that wait for a lead."""
    ((count,),) = file.rows(_FOR_LEAD)
    return cast("int", count)


def count_open(file: ProjectFile) -> int:
    """Return the number of tasks that a person can claim now."""
    ((count,),) = file.rows("SELECT count(*) FROM task WHERE open_slots > 0")
    return cast("int", count)


def changed_between(file: ProjectFile, since: Instant, until: Instant) -> list[TaskId]:
    """Return the tasks that changed after an instant, up to another one."""
    rows = file.rows(
        "SELECT id FROM task WHERE changed_at > ? AND changed_at <= ? ORDER BY id", (since, until)
    )
    return [TaskId(id_text(cast("bytes", key))) for (key,) in rows]
