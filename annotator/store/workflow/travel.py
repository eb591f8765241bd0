"""Rows exchanged between copies of a project, with their IDs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.people import Person
from annotator.store.catalog.people import PACKAGE_OF
from annotator.store.columns import id_bytes, id_text, json_text, now_text
from annotator.store.file.project import ProjectFile, tool_version

ORIGIN: Final = PACKAGE_OF
KEYS: Final = "signing-keys"
"""Accepted fingerprints of the keys of people, by person (JSON)."""
"""The fact of a project that was made from a work package: which project's, whose and which."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A checked submission from another copy; ``parent_id`` is its predecessor."""

    id: SubmissionId
    task_id: TaskId
    assignment_id: AssignmentId
    person_id: PersonId
    revision: int
    body: bytes
    format: str
    media_hash: str | None
    recipe: str
    submitted_at: str
    parent_id: SubmissionId | None


@dataclass(frozen=True, slots=True)
class ActiveTime:
    """Active time of a person on a task at a stage on one day (of their machine)."""

    task_id: TaskId
    stage: str
    day: str
    active_ms: int


def meta_with(file: ProjectFile, prefix: str) -> dict[str, str]:
    """Return the project facts with a key prefix, by the rest of the key."""
    rows = file.rows(
        "SELECT key, value FROM meta WHERE key >= ? AND key < ?", (prefix, prefix + "~")
    )
    return {str(key)[len(prefix) :]: str(value) for key, value in rows}


def set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Note a fact about the project."""
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def replace_people(connection: sqlite3.Connection, people: Iterable[Person]) -> None:
    """Put people of another copy in the place of those a new project has."""
    connection.execute("DELETE FROM person")
    connection.executemany(
        "INSERT INTO person (id, name, roles, is_active, created_at) VALUES (?, ?, ?, ?, ?)",
        [
            (id_bytes(p.id), p.name, json_text(tuple(sorted(p.roles))), p.is_active, now_text())
            for p in people
        ],
    )


def write_people(connection: sqlite3.Connection, people: Iterable[Person]) -> None:
    """Store people of another copy; people here with the same IDs are updated, and other people of
    the same name get another name."""
    for person in people:
        connection.execute(
            "UPDATE person SET name = name || ' (' || hex(substr(id, 13)) || ')'"
            " WHERE name = ? AND id != ?",
            (person.name, id_bytes(person.id)),
        )
        connection.execute(
            "INSERT INTO person (id, name, roles, is_active, created_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name, roles = excluded.roles,"
            " is_active = excluded.is_active",
            (
                id_bytes(person.id),
                person.name,
                json_text(tuple(sorted(person.roles))),
                person.is_active,
                now_text(),
            ),
        )


def expect_content(connection: sqlite3.Connection, video_id: VideoId, content: str) -> None:
    """Store the content hash of a video before its file is read here."""
    connection.execute(
        "UPDATE video SET content_hash = ? WHERE id = ?", (content, id_bytes(video_id))
    )


def write_guideline(connection: sqlite3.Connection, name: str, title: str, text: str) -> None:
    """Keep guidelines under a name."""
    row = (name, title, text, now_text())
    connection.execute("INSERT OR REPLACE INTO guideline VALUES (?, ?, ?, ?)", row)


def has_submission(connection: sqlite3.Connection, submission_id: SubmissionId) -> bool:
    """Return whether a submission is here already."""
    key = (bytes.fromhex(submission_id),)
    return connection.execute("SELECT 1 FROM submission WHERE id = ?", key).fetchone() is not None


def take_in(connection: sqlite3.Connection, replica_id: bytes, arrival: Arrival) -> None:
    """Store a submission from another copy; its assignment must exist at the end."""
    parent = bytes.fromhex(arrival.parent_id) if arrival.parent_id is not None else None
    connection.execute(
        "INSERT INTO submission VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            bytes.fromhex(arrival.id),
            id_bytes(arrival.task_id),
            id_bytes(arrival.assignment_id),
            id_bytes(arrival.person_id),
            replica_id,
            arrival.revision,
            arrival.body,
            arrival.format,
            arrival.media_hash,
            tool_version(),
            arrival.recipe,
            arrival.submitted_at,
            parent,
        ),
    )


def local_submissions(file: ProjectFile) -> list[tuple[SubmissionId, str, bytes]]:
    """Return the submissions from drafts of this copy: id, time and bytes, oldest first."""
    rows = file.rows(
        "SELECT id, submitted_at, body FROM submission WHERE draft_id IS NOT NULL ORDER BY rowid"
    )
    found = cast("list[tuple[bytes, str, bytes]]", rows)
    return [(SubmissionId(key.hex()), at, body) for key, at, body in found]


def submissions_with_assignments(file: ProjectFile) -> list[tuple[SubmissionId, AssignmentId]]:
    """Return the submissions made from drafts of this copy with their assignments, oldest first."""
    rows = file.rows(
        "SELECT id, assignment_id FROM submission WHERE draft_id IS NOT NULL ORDER BY rowid"
    )
    found = cast("list[tuple[bytes, bytes]]", rows)
    return [(SubmissionId(key.hex()), AssignmentId(id_text(held))) for key, held in found]


def made_assignments(file: ProjectFile) -> list[AssignmentId]:
    """Return the assignments with drafts that were submitted in this copy."""
    rows = file.rows("SELECT DISTINCT assignment_id FROM submission WHERE draft_id IS NOT NULL")
    return [AssignmentId(id_text(cast("bytes", key))) for (key,) in rows]


def active_times(file: ProjectFile, person_id: PersonId) -> list[ActiveTime]:
    """Return a person's active time, by task, stage and day."""
    rows = file.rows(
        "SELECT task_id, stage, day, active_ms FROM activity WHERE person_id = ?"
        " ORDER BY task_id, stage, day",
        (id_bytes(person_id),),
    )
    found = cast("list[tuple[bytes, str, str, int]]", rows)
    return [ActiveTime(TaskId(id_text(key)), stage, day, ms) for key, stage, day, ms in found]


def merge_active_times(
    connection: sqlite3.Connection, person_id: PersonId, times: Iterable[ActiveTime]
) -> None:
    """Take over active times; the same ones again, or older ones, change nothing."""
    connection.executemany(
        "INSERT INTO activity VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET active_ms = max(active_ms, excluded.active_ms)",
        [(id_bytes(person_id), id_bytes(t.task_id), t.stage, t.day, t.active_ms) for t in times],
    )
