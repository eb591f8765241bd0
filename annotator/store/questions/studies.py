"""Rows of studies: settings, assignment plans, assignments."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, cast

import msgspec

from annotator.domain.answer import Value, value_from
from annotator.domain.ids import ItemId, PersonId, StudyId, TaskId, VideoId
from annotator.domain.study.design import StudyAssignment
from annotator.domain.work.records import Instant, TaskStatus
from annotator.store.columns import id_bytes, id_text
from annotator.store.file.readable import Readable

_ABOUT: Final = (
    "v.video_id = ?1 AND v.position = 0 AND (SELECT w.video_id FROM item_video w"
    " WHERE w.item_id = {item} AND w.position = 1) IS ?2"
)


class StudyRow(NamedTuple):
    """A study; ``wish`` is JSON, ``at`` in milliseconds since 1970-01-01 UTC."""

    id: StudyId
    name: str
    kind: str
    wish: str
    by_id: PersonId
    at: Instant


class PlanRow(NamedTuple):
    """One assignment plan of a study; ``body`` is JSON."""

    number: int
    body: str
    by_id: PersonId
    at: Instant


class PartRow(NamedTuple):
    """Assignment of an item to a person; ``asked_id`` is its copy in the task.

    ``is_begun``: the person has taken the task, now or before.
    """

    item_id: ItemId
    person_id: PersonId
    condition: str
    asked_id: ItemId
    task_id: TaskId
    status: TaskStatus = TaskStatus.WAITING
    is_begun: bool = False

    @property
    def part(self) -> StudyAssignment:
        """Assignment as stored in a plan."""
        return StudyAssignment(self.item_id, self.person_id, self.condition)


class StudyAnswerRow(NamedTuple):
    """Answer to a field of an asked item, first entry only."""

    asked_id: ItemId
    field: str
    value: Value
    took_ms: int


def add_study(connection: sqlite3.Connection, row: StudyRow) -> None:
    """Add a study; IntegrityError if the name is taken."""
    connection.execute(
        "INSERT INTO study VALUES (?, ?, ?, ?, ?, ?)",
        (id_bytes(row.id), row.name, row.kind, row.wish, id_bytes(row.by_id), row.at),
    )


def add_stored_plan(connection: sqlite3.Connection, study_id: StudyId, row: PlanRow) -> None:
    """Store an assignment plan of a study."""
    connection.execute(
        "INSERT INTO study_deal VALUES (?, ?, ?, ?, ?)",
        (id_bytes(study_id), row.number, row.body, id_bytes(row.by_id), row.at),
    )


def add_parts(connection: sqlite3.Connection, study_id: StudyId, rows: Iterable[PartRow]) -> None:
    """Store the assignments of existing items and tasks."""
    key = id_bytes(study_id)
    connection.executemany(
        "INSERT INTO study_part VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                key,
                id_bytes(row.item_id),
                id_bytes(row.person_id),
                row.condition,
                id_bytes(row.asked_id),
                id_bytes(row.task_id),
            )
            for row in rows
        ],
    )


def drop_parts(connection: sqlite3.Connection, rows: Iterable[PartRow]) -> None:
    """Remove assignments of people."""
    connection.executemany(
        "DELETE FROM study_part WHERE asked_id = ?", [(id_bytes(row.asked_id),) for row in rows]
    )


def list_studies(file: Readable) -> list[StudyRow]:
    """Return all studies, the oldest first."""
    rows = file.rows("SELECT id, name, kind, wish, by_id, at FROM study ORDER BY id")
    found = cast("list[tuple[bytes, str, str, str, bytes, int]]", rows)
    return [
        StudyRow(StudyId(id_text(key)), name, kind, wish, PersonId(id_text(by)), at)
        for key, name, kind, wish, by, at in found
    ]


def list_stored_plans(file: Readable, study_id: StudyId) -> list[PlanRow]:
    """Return all assignment plans of a study in order."""
    rows = file.rows(
        "SELECT number, body, by_id, at FROM study_deal WHERE study_id = ? ORDER BY number",
        (id_bytes(study_id),),
    )
    found = cast("list[tuple[int, str, bytes, int]]", rows)
    return [PlanRow(number, body, PersonId(id_text(by)), at) for number, body, by, at in found]


def list_parts(file: Readable, study_id: StudyId) -> list[PartRow]:
    """Return the assignments of a study, by item and person, with the state of their tasks."""
    rows = file.rows(
        "SELECT p.item_id, p.person_id, p.condition, p.asked_id, p.task_id, t.status,"
        " EXISTS (SELECT 1 FROM assignment a WHERE a.task_id = p.task_id)"
        " FROM study_part p JOIN task t ON t.id = p.task_id WHERE p.study_id = ?"
        " ORDER BY p.item_id, p.person_id",
        (id_bytes(study_id),),
    )
    rows_read = cast("list[tuple[bytes, bytes, str, bytes, bytes, str, int]]", rows)
    return [
        PartRow(
            ItemId(id_text(item)),
            PersonId(id_text(person)),
            condition,
            ItemId(id_text(asked_id)),
            TaskId(id_text(task)),
            TaskStatus(status),
            begun == 1,
        )
        for item, person, condition, asked_id, task, status, begun in rows_read
    ]


def all_study_assignments(file: Readable) -> list[tuple[StudyId, ItemId, PersonId]]:
    """Return who answers which item in which study."""
    rows = file.rows("SELECT study_id, item_id, person_id FROM study_part")
    found = cast("list[tuple[bytes, bytes, bytes]]", rows)
    return [
        (StudyId(id_text(study)), ItemId(id_text(item)), PersonId(id_text(person)))
        for study, item, person in found
    ]


def takers(file: Readable) -> dict[TaskId, set[PersonId]]:
    """Return everyone who ever claimed each task, without studies."""
    rows = file.rows(
        "SELECT DISTINCT task_id, person_id FROM assignment a WHERE NOT EXISTS"
        " (SELECT 1 FROM study_part p WHERE p.task_id = a.task_id)"
    )
    found: dict[TaskId, set[PersonId]] = {}
    for task, person in cast("list[tuple[bytes, bytes]]", rows):
        found.setdefault(TaskId(id_text(task)), set()).add(PersonId(id_text(person)))
    return found


def tasks_about(connection: sqlite3.Connection, video_ids: Sequence[VideoId]) -> list[TaskId]:
    """Return the tasks on exactly these videos, without studies."""
    rows = connection.execute(
        "SELECT DISTINCT i.task_id FROM item_video v JOIN item i ON i.id = v.item_id"
        f" WHERE {_ABOUT.format(item='i.id')} AND i.task_id IS NOT NULL AND i.purpose != 'study'"
        " ORDER BY i.task_id",
        _videos(video_ids),
    )
    return [TaskId(id_text(key)) for (key,) in rows]


def assigned_about(connection: sqlite3.Connection, video_ids: Sequence[VideoId]) -> list[PersonId]:
    """Return who answers something about these very videos in a study."""
    rows = connection.execute(
        "SELECT DISTINCT p.person_id FROM item_video v JOIN study_part p ON p.asked_id = v.item_id"
        f" WHERE {_ABOUT.format(item='p.asked_id')} ORDER BY p.person_id",
        _videos(video_ids),
    )
    return [PersonId(id_text(key)) for (key,) in rows]


def study_answers(file: Readable, study_id: StudyId) -> list[StudyAnswerRow]:
    """Return the answers in complete tasks of a study, by item and field."""
    rows = file.rows(
        "SELECT v.item_id, v.field, v.value, v.took_ms FROM study_part p"
        " JOIN task t ON t.id = p.task_id AND t.status = ?2"
        " JOIN vote v ON v.item_id = p.asked_id AND v.person_id = p.person_id AND v.entry = 0"
        " WHERE p.study_id = ?1 ORDER BY v.item_id, v.field, v.visit",
        (id_bytes(study_id), TaskStatus.COMPLETE),
    )
    found = cast("list[tuple[bytes, str, str, int]]", rows)
    return [
        StudyAnswerRow(ItemId(id_text(item)), field, value_from(msgspec.json.decode(value)), took)
        for item, field, value, took in found
    ]


def _videos(video_ids: Sequence[VideoId]) -> tuple[bytes, bytes | None]:
    """Return the one video or the two of a pair, as `_ABOUT` asks for them."""
    first, second, *_ = (*map(id_bytes, video_ids), None)
    assert first is not None
    return first, second
