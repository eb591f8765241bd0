"""The log of the work, and the tables derived from it for queue and board."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, TaskId
from annotator.domain.people import Role
from annotator.domain.work.codec import event_from, event_value
from annotator.domain.work.event_replay import replay
from annotator.domain.work.events import WorkEvent
from annotator.domain.work.records import Assignment, Instant, TaskRecord
from annotator.domain.work.work_statistics import counted_rows
from annotator.store.columns import id_bytes, id_text, json_object, json_text

_encoder = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Folded:
    """Last derived state of a task: its record, excluded people, and required role."""

    record: TaskRecord
    excluded: frozenset[PersonId]
    role: Role | None


def read_events(connection: sqlite3.Connection, task_id: TaskId) -> list[WorkEvent]:
    """Return the events of a task, in order; ProjectError if the log is damaged."""
    rows = connection.execute(
        "SELECT body FROM work_event WHERE task_id = ? ORDER BY number", (id_bytes(task_id),)
    )
    return [event_from(json_object(body)) for (body,) in rows]


def read_record(connection: sqlite3.Connection, task_id: TaskId) -> TaskRecord:
    """Return the record of a task; ProjectError if there is none, or its log is damaged."""
    events = read_events(connection, task_id)
    if not events:
        raise ProjectError("Cannot find the task in the project.")
    try:
        return replay(events)
    except ValueError as error:
        raise ProjectError(
            f"Cannot read the history of a task: it is damaged ({error}).", hint="Restore a backup."
        ) from error


def append_events(
    connection: sqlite3.Connection, events: Sequence[WorkEvent], *, first: int
) -> None:
    """Write events of one task within the current transaction; ``first`` is the first's number."""
    connection.executemany(
        "INSERT INTO work_event (task_id, number, at, kind, body) VALUES (?, ?, ?, ?, ?)",
        [
            (
                id_bytes(event.task_id),
                first + i,
                event.at,
                event.kind,
                _encoder.encode(event_value(event)).decode(),
            )
            for i, event in enumerate(events)
        ],
    )


def lengths(connection: sqlite3.Connection) -> dict[TaskId, int]:
    """Return how many events every task has."""
    return {TaskId(id_text(key)): n for key, n in connection.execute("SELECT id, seq FROM task")}


def project(
    connection: sqlite3.Connection,
    record: TaskRecord,
    excluded: Collection[PersonId],
    role: Role | None,
    at: Instant,
    *,
    before: Folded | None = None,
) -> None:
    """Update the values derived from a task's log: columns, assignments, exclusions.

    ``excluded`` and ``role`` say who may take it next; both follow from the recipe. With the
    previous state ``before``, only changes are written.
    """
    key = id_bytes(record.id)
    new = _columns(record, role)
    old = _columns(before.record, before.role) if before is not None else {}
    changed: dict[str, object] = {"seq": record.seq, "changed_at": at}
    changed |= {name: value for name, value in new.items() if name not in old or old[name] != value}
    connection.execute(
        f"UPDATE task SET {', '.join(f'{name} = ?' for name in changed)} WHERE id = ?",
        (*changed.values(), key),
    )
    was_for = before.record.reserved_for if before is not None else None
    if record.reserved_for is not None and record.reserved_for != was_for:
        connection.execute(
            "INSERT OR REPLACE INTO task_reserved VALUES (?, ?)",
            (key, id_bytes(record.reserved_for)),
        )
    _write_assignments(connection, key, record, before.record if before is not None else None)
    _write_hand_ins(connection, key, record, before.record if before is not None else None)
    if before is None:
        connection.execute("DELETE FROM task_barred WHERE task_id = ?", (key,))
    excluded_before = frozenset(before.excluded) if before is not None else frozenset()
    excluded_now = frozenset(excluded)
    for person in excluded_before - excluded_now:
        connection.execute(
            "DELETE FROM task_barred WHERE task_id = ? AND person_id = ?", (key, id_bytes(person))
        )
    for person in excluded_now - excluded_before:
        # A project from a work package knows only the people of its tasks.
        connection.execute(
            "INSERT INTO task_barred SELECT ?, id FROM person WHERE id = ?",
            (key, id_bytes(person)),
        )


def _columns(record: TaskRecord, role: Role | None) -> dict[str, object]:
    """Return the columns of a task that follow from its log, but for those of each event."""
    leases = [a.lease_until for a in record.holders if a.lease_until is not None]
    return {
        "stage": record.stage,
        "status": record.status.value,
        "round": record.round,
        "priority": record.priority,
        "is_returned": record.is_returned,
        "open_slots": record.open_slots,
        "role": role.value if role is not None else "",
        "needs_lead": record.needs_lead.value if record.needs_lead is not None else None,
        "flags": json_text(tuple(sorted(record.flags))) if record.flags else "[]",
        "lease_until": min(leases) if leases else None,
        "last_id": bytes.fromhex(record.counted[-1]) if record.counted else None,
    }


def _write_assignments(
    connection: sqlite3.Connection, key: bytes, record: TaskRecord, before: TaskRecord | None
) -> None:
    known = {a.id: _assignment_row(a, before) for a in before.assignments} if before else {}
    for a in record.assignments:
        row = _assignment_row(a, record)
        if known.get(a.id) != row:
            connection.execute(_SAVE_ASSIGNMENT, (id_bytes(a.id), key, *row))


def _assignment_row(a: Assignment, record: TaskRecord | None) -> tuple[object, ...]:
    is_returned = record is not None and bool(record.reasons) and a.visit == record.visit
    return (
        a.stage,
        a.round,
        a.visit,
        id_bytes(a.person_id),
        a.state.value,
        a.since,
        a.lease_until,
        is_returned,
    )


def _write_hand_ins(
    connection: sqlite3.Connection, key: bytes, record: TaskRecord, before: TaskRecord | None
) -> None:
    """Write the submissions that count now; each is numbered by the length of the whole log."""
    new = record.counted[len(before.counted) if before is not None else 0 :]
    if not new:
        return
    rows = {row.submission_id: row for row in counted_rows(record)}
    for submission_id in new:
        row = rows[submission_id]
        connection.execute(
            "INSERT OR IGNORE INTO hand_in VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?,"
            " (SELECT max(seq) FROM work_event))",
            (
                bytes.fromhex(submission_id),
                key,
                row.stage,
                row.round,
                id_bytes(row.person_id),
                row.at,
                row.verdict.value,
                id_bytes(row.judged) if row.judged is not None else None,
                json_text(row.codes),
            ),
        )


_SAVE_ASSIGNMENT: Final = (
    "INSERT INTO assignment (id, task_id, stage, round, visit, person_id, state, since,"
    " lease_until, is_returned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET visit = excluded.visit, state = excluded.state,"
    " since = excluded.since, lease_until = excluded.lease_until,"
    " is_returned = excluded.is_returned"
)
