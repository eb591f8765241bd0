"""People of a project: names, roles, PINs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from annotator.domain.ids import PersonId, new_id
from annotator.domain.people import Person, Role
from annotator.domain.questions.quality import QualificationStatus
from annotator.store.columns import id_bytes, id_text, json_text, json_texts, now_text
from annotator.store.questions.quality import latest

_COLUMNS = "id, name, roles, is_active, pin IS NOT NULL"
_PLAIN = "single"
_ALL_WORK = (Role.RATER, Role.REVIEWER, Role.LEAD)


PACKAGE_OF: Final = "package_of"
"""The fact of a project that was made from a work package: which project's, whose and which."""


def person_named(connection: sqlite3.Connection, name: str) -> bytes:
    """Return the person of this name, added if new. In a project that was made from a work
    package it is the person whom that was for, whatever they are called on their machine.

    A newcomer to a project without a lead, or to one of the plain kind, may do all work; to a
    project with stages and roles they are a guest until a lead gives them a role.
    """
    row = connection.execute(
        "SELECT person.id FROM person JOIN meta ON lower(hex(person.id)) ="
        " replace(json_extract(meta.value, '$.person_id'), '-', '') WHERE meta.key = ?",
        (PACKAGE_OF,),
    ).fetchone()
    row = row or connection.execute("SELECT id FROM person WHERE name = ?", (name,)).fetchone()
    if row is None:
        is_free = _is_plain(connection) or not _has_lead(connection)
        add_person(connection, name, _ALL_WORK if is_free else ())
        row = connection.execute("SELECT id FROM person WHERE name = ?", (name,)).fetchone()
    key: bytes = row[0]
    return key


def read_people(connection: sqlite3.Connection) -> list[Person]:
    """Return all people in order of addition, including those who have left."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM person ORDER BY id").fetchall()
    status_of = latest(connection)
    return [
        Person(
            PersonId(id_text(key)),
            name,
            frozenset(Role(r) for r in json_texts(roles) if r in set(Role)),
            is_active == 1,
            has_pin == 1,
            _kinds(status_of, key, QualificationStatus.PASSED),
            _kinds(status_of, key, QualificationStatus.SUSPENDED),
            _kinds(status_of, key, QualificationStatus.HANDED_IN),
            _kinds(status_of, key, QualificationStatus.SPENT),
        )
        for key, name, roles, is_active, has_pin in rows
    ]


def _kinds(
    status: dict[PersonId, dict[str, QualificationStatus]],
    key: bytes,
    wanted: QualificationStatus,
) -> frozenset[str]:
    found = status.get(PersonId(id_text(key)), {})
    return frozenset(kind for kind, state in found.items() if state is wanted)


def add_person(connection: sqlite3.Connection, name: str, roles: Iterable[Role]) -> PersonId:
    """Add a person."""
    person_id = PersonId(new_id())
    connection.execute(
        "INSERT INTO person (id, name, roles, created_at) VALUES (?, ?, ?, ?)",
        (id_bytes(person_id), name, json_text(tuple(sorted(roles))), now_text()),
    )
    return person_id


def write_person(connection: sqlite3.Connection, person: Person) -> None:
    """Write name, roles and activity of a person."""
    connection.execute(
        "UPDATE person SET name = ?, roles = ?, is_active = ? WHERE id = ?",
        (
            person.name,
            json_text(tuple(sorted(person.roles))),
            person.is_active,
            id_bytes(person.id),
        ),
    )


def read_pin(connection: sqlite3.Connection, person_id: PersonId) -> bytes | None:
    """Return salt and hash of a person's PIN, None when they have none."""
    rows = connection.execute("SELECT pin FROM person WHERE id = ?", (id_bytes(person_id),))
    found: bytes | None = rows.fetchone()[0]
    return found


def write_pin(connection: sqlite3.Connection, person_id: PersonId, pin: bytes | None) -> None:
    """Set salt and hash of a person's PIN, or take it away."""
    connection.execute("UPDATE person SET pin = ? WHERE id = ?", (pin, id_bytes(person_id)))


def _is_plain(connection: sqlite3.Connection) -> bool:
    row = connection.execute("SELECT value FROM meta WHERE key = 'recipe'").fetchone()
    return row is None or row[0] == _PLAIN


def _has_lead(connection: sqlite3.Connection) -> bool:
    rows = connection.execute("SELECT roles FROM person WHERE is_active = 1")
    return any(Role.LEAD in json_texts(roles) for (roles,) in rows)
