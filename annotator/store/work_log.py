"""The log of the work, and what is folded from it for the queue and the board."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec

from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, TaskId
from annotator.domain.people import Role
from annotator.domain.work.codec import event_from, event_value
from annotator.domain.work.events import WorkEvent
from annotator.domain.work.numbers import hand_ins
from annotator.domain.work.records import Instant, TaskRecord
from annotator.domain.work.step import replay
from annotator.store.codes import id_bytes, json_object, json_text

_encoder = msgspec.json.Encoder()


def read_events(connection: sqlite3.Connection, task_id: TaskId) -> list[WorkEvent]:
    """Return what happened to a task, in order; ProjectError when the log is damaged."""
    rows = connection.execute(
        "SELECT body FROM work_event WHERE task_id = ? ORDER BY number", (id_bytes(task_id),)
    )
    return [event_from(json_object(body)) for (body,) in rows]


def read_record(connection: sqlite3.Connection, task_id: TaskId) -> TaskRecord:
    """Return where a task stands; ProjectError when there is none, or its log is damaged."""
    events = read_events(connection, task_id)
    if not events:
        raise ProjectError("The project has no such task.")
    try:
        return replay(events)
    except ValueError as error:
        raise ProjectError(
            f"The history of a task is damaged ({error}).", hint="Restore a backup."
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


def project(
    connection: sqlite3.Connection,
    record: TaskRecord,
    barred: Iterable[PersonId],
    role: Role | None,
    at: Instant,
) -> None:
    """Bring what is folded from a task's log up to date: its columns, assignments and the barred.

    ``barred`` and ``role`` say who may take it next; both follow from the recipe.
    """
    key = id_bytes(record.id)
    leases = [a.lease_until for a in record.holders if a.lease_until is not None]
    connection.execute(
        "UPDATE task SET stage = ?, status = ?, round = ?, priority = ?, is_returned = ?,"
        " open_slots = ?, role = ?, needs_lead = ?, flags = ?, lease_until = ?, seq = ?,"
        " changed_at = ? WHERE id = ?",
        (
            record.stage,
            record.status.value,
            record.round,
            record.priority,
            record.is_returned,
            record.open_slots,
            role.value if role is not None else "",
            record.needs_lead.value if record.needs_lead is not None else None,
            json_text(tuple(sorted(record.flags))),
            min(leases) if leases else None,
            record.seq,
            at,
            key,
        ),
    )
    connection.executemany(
        "INSERT INTO assignment (id, task_id, stage, round, visit, person_id, state, since,"
        " lease_until, is_returned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET visit = excluded.visit, state = excluded.state,"
        " since = excluded.since, lease_until = excluded.lease_until,"
        " is_returned = excluded.is_returned",
        [
            (
                id_bytes(a.id),
                key,
                a.stage,
                a.round,
                a.visit,
                id_bytes(a.person_id),
                a.state.value,
                a.since,
                a.lease_until,
                bool(record.reasons) and a.visit == record.visit,
            )
            for a in record.assignments
        ],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO hand_in VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                bytes.fromhex(row.submission_id),
                key,
                row.stage,
                row.round,
                id_bytes(row.person_id),
                row.at,
                row.verdict.value,
                id_bytes(row.judged) if row.judged is not None else None,
                json_text(row.codes),
            )
            for row in hand_ins(record)
        ],
    )
    connection.execute("DELETE FROM task_barred WHERE task_id = ?", (key,))
    connection.executemany(
        "INSERT INTO task_barred VALUES (?, ?)", [(key, id_bytes(person)) for person in barred]
    )
