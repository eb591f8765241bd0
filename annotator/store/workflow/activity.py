"""Active time of people, by task, stage and day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from annotator.domain.ids import PersonId
from annotator.domain.work.activity import Workplace
from annotator.store.columns import id_bytes
from annotator.store.file.project import ProjectFile


def add_activity(file: ProjectFile, counted: Mapping[Workplace, int], day: str) -> None:
    """Add active milliseconds to those of a day, as in "2026-11-21"."""
    with file.transaction() as connection:
        connection.executemany(
            "INSERT INTO activity VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET active_ms = active_ms + excluded.active_ms",
            [
                (id_bytes(place.person_id), id_bytes(place.task_id), place.stage, day, active_ms)
                for place, active_ms in counted.items()
            ],
        )


def active_ms_of_days(file: ProjectFile, person_id: PersonId, first: str, last: str) -> int:
    """Return how long somebody was active from one day to another, both included."""
    rows = file.rows(
        "SELECT coalesce(sum(active_ms), 0) FROM activity WHERE person_id = ?"
        " AND day BETWEEN ? AND ?",
        (id_bytes(person_id), first, last),
    )
    return cast(int, rows[0][0])


def active_ms_of_place(file: ProjectFile, place: Workplace) -> int:
    """Return how long somebody was active on a task at a stage."""
    rows = file.rows(
        "SELECT coalesce(sum(active_ms), 0) FROM activity"
        " WHERE person_id = ? AND task_id = ? AND stage = ?",
        (id_bytes(place.person_id), id_bytes(place.task_id), place.stage),
    )
    return cast(int, rows[0][0])
