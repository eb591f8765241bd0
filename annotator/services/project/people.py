"""People of a project, sign-in, and people lists for new projects.

A PIN keeps colleagues from working under each other's names by mistake. It guards no secret: the
project is one file, and anyone with the file can read it.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError, WorkError
from annotator.domain.ids import PersonId
from annotator.domain.people import Crew, Person, Role
from annotator.services.background.jobs import Listeners
from annotator.store.catalog import people as store
from annotator.store.columns import id_bytes, id_text
from annotator.store.file.project import ProjectFile, read_only_error
from annotator.store.workflow.travel import ORIGIN

MAX_NAME: Final = 100
MIN_PIN, MAX_PIN = 4, 64

_SALT_BYTES: Final = 16


class People:
    """The people of a project; ``changed`` is sent after additions, leaves and edits."""

    def __init__(self, file: ProjectFile) -> None:
        self.changed: Listeners[None] = Listeners()
        self._file = file
        self._all: list[Person] | None = None
        self._crew: Crew | None = None
        self._has_proved = False

    def all(self) -> list[Person]:
        """Return all people in order of addition, including those who have left."""
        if self._all is None:
            with self._file.reading() as connection:
                self._all, self._crew = store.read_people(connection), None
        return self._all

    def crew(self) -> Crew:
        """Return all people as the rules of the workflow need them."""
        if self._crew is None or self._all is None:
            self._crew = Crew.of(self.all())
        return self._crew

    def find(self, person_id: PersonId) -> Person | None:
        """Return a person, None if the project does not know them."""
        return next((p for p in self.all() if p.id == person_id), None)

    def person(self, person_id: PersonId) -> Person:
        """Return a person; WorkError if the project does not know them."""
        found = self.find(person_id)
        if found is None:
            raise WorkError(
                "The person is not in the project.",
                code="unknown-person",
                hint="Ask a lead to add the person.",
            )
        return found

    @property
    def me(self) -> Person | None:
        """The signed-in person; None in a read-only project."""
        key = self._file.person_id
        return self.find(PersonId(id_text(key))) if key is not None else None

    @property
    def able(self) -> list[Person]:
        """Who may be at the keyboard: everybody with a role, but in a project that was made of a
        work package the one whom it was for.
        """
        me = self.me
        if me is not None and self._file.meta(ORIGIN) is not None:
            return [me]
        return [p for p in self.all() if p.is_active and p.roles]

    @property
    def needs_sign_in(self) -> bool:
        """Whether sign-in is required: the last person has a PIN, has left, or is new.

        New is who has no role in a project that has roles.
        """
        me = self.me
        if me is None:
            return False
        return (me.has_pin and not self._has_proved) or not me.is_active or not me.roles

    def signed_in(self) -> Person:
        """Return the signed-in person; WorkError without sign-in."""
        me = self.me
        if self._file.is_read_only:
            raise read_only_error(self._file.path)
        if me is None or (me.has_pin and not self._has_proved):
            raise WorkError("You are not signed in.", code="sign-in", hint="Sign in first.")
        return me

    def sign_in(self, person_id: PersonId, pin: str | None = None) -> Person:
        """Sign a person in; WorkError if the PIN is wrong or they have left."""
        person, me = self.person(person_id), self.me
        if me is not None and me.id != person_id and self._file.meta(ORIGIN) is not None:
            raise WorkError(
                f"Cannot sign in: this project was created from a work package for {me.name}.",
                code="not-yours",
                hint="Ask the project lead for your own work package.",
            )
        if not person.is_active:
            raise WorkError(
                (
                    f"Cannot sign in: {person.name} is inactive. Ask "
                    "a lead to reactivate this person."
                ),
                code="inactive",
            )
        with self._file.reading() as connection:
            stored_pin = store.read_pin(connection, person_id)
        if stored_pin is not None and not _fits(pin or "", stored_pin):
            raise WorkError(
                "The PIN is incorrect.",
                code="wrong-pin",
                hint="Try again, or ask a lead to set a new PIN.",
            )
        self._file.person_id = id_bytes(person_id)
        self._has_proved = True
        self.changed.notify(None)
        return person

    def add(self, name: str, roles: Iterable[Role], pin: str | None = None) -> Person:
        """Add a person; leads only. WorkError if the name is invalid or taken."""
        self.check_lead()
        known = self._checked_name(name)
        kept = _hashed(pin) if pin else None
        with self._file.transaction() as connection:
            person_id = store.add_person(connection, known, roles)
            if kept is not None:
                store.write_pin(connection, person_id, kept)
        self._forget()
        return self.person(person_id)

    def rename(self, person_id: PersonId, name: str) -> None:
        """Rename a person; leads only."""
        self.check_lead()
        old = self.person(person_id)
        self._write(replace(old, name=self._checked_name(name, of=person_id)))

    def set_roles(self, person_id: PersonId, roles: Iterable[Role]) -> None:
        """Set the roles of a person; leads only, and the last lead stays one."""
        self.check_lead()
        new = replace(self.person(person_id), roles=frozenset(roles))
        self._check_lead_remains(new)
        self._write(new)

    def set_active(self, person_id: PersonId, is_active: bool) -> None:
        """Deactivate or reactivate a person; their claims are not changed here."""
        self.check_lead()
        new = replace(self.person(person_id), is_active=is_active)
        self._check_lead_remains(new)
        self._write(new)

    def set_pin(self, person_id: PersonId, pin: str | None) -> None:
        """Set or, with None, take away a PIN: one's own, or as a lead anybody's."""
        if self.signed_in().id != person_id:
            self.check_lead()
        self.person(person_id)
        kept = _hashed(pin) if pin is not None else None
        with self._file.transaction() as connection:
            store.write_pin(connection, person_id, kept)
        if self.signed_in().id == person_id:
            self._has_proved = True
        self._forget()

    def check_lead(self) -> Person:
        """Return who is at the keyboard; WorkError unless that is a lead."""
        me = self.signed_in()
        if not me.has(Role.LEAD):
            raise WorkError("Not permitted: only a lead can do this.", code="lead-only")
        return me

    def read_again(self) -> None:
        """Drop cached values after a rollback."""
        self._all = None

    def _write(self, person: Person) -> None:
        with self._file.transaction() as connection:
            store.write_person(connection, person)
        self._forget()

    def _forget(self) -> None:
        self._all = None
        self.changed.notify(None)

    def _check_lead_remains(self, new: Person) -> None:
        others = (p for p in self.all() if p.id != new.id)
        if not any(p.has(Role.LEAD) for p in (*others, new)):
            raise WorkError(
                "Cannot remove the last lead of the project.",
                code="last-lead",
                hint="Give another person the role lead first.",
            )

    def _checked_name(self, name: str, of: PersonId | None = None) -> str:
        text = " ".join(name.split())
        if not text or len(text) > MAX_NAME or not text.isprintable():
            raise WorkError(f"The name must have 1 to {MAX_NAME} characters.", code="bad-name")
        if any(p.name == text and p.id != of for p in self.all()):
            raise WorkError(f"The name “{text}” is already in use.", code="name-taken")
        return text


def _hashed(pin: str) -> bytes:
    if not MIN_PIN <= len(pin) <= MAX_PIN or not pin.isprintable():
        raise WorkError(f"The PIN must have {MIN_PIN} to {MAX_PIN} characters.", code="bad-pin")
    salt = os.urandom(_SALT_BYTES)
    return salt + _scrypt(pin, salt)


def _fits(pin: str, kept: bytes) -> bool:
    return hmac.compare_digest(_scrypt(pin, kept[:_SALT_BYTES]), kept[_SALT_BYTES:])


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)


_MAX_BYTES: Final = 1 << 20
_DELIMITERS: Final = ",;\t"
_NAMES: Final = ("name", "person")
_ROLES: Final = ("role", "roles")


@dataclass(frozen=True, slots=True)
class NewPerson:
    """Person to add; ``pin`` "" for none."""

    name: str
    roles: frozenset[Role] = frozenset((Role.RATER,))
    pin: str = ""


def read_people(path: Path) -> list[NewPerson]:
    """Read a CSV table with the columns name, roles "rater, reviewer" and pin; names suffice.

    ExchangeError, naming the line, when it cannot be used; nothing is half read.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ExchangeError("Cannot read the people table: it is too large.", where=str(path))
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ExchangeError(
            f"Cannot read the people table: {error.strerror}.", where=str(path)
        ) from error
    except UnicodeDecodeError as error:
        raise ExchangeError(
            "Cannot read the people table: it is not UTF-8 text.",
            hint="Save it as UTF-8.",
            where=str(path),
        ) from error
    head = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    columns = {(name or "").strip().casefold(): name for name in reader.fieldnames or ()}
    name_column = next((columns[n] for n in _NAMES if n in columns), None)
    if name_column is None:
        raise ExchangeError(
            "Cannot read the people table: the column “name” is missing.",
            hint="Write the column names name, roles and pin in the first line.",
            where=str(path),
        )
    roles_column = next((columns[n] for n in _ROLES if n in columns), None)
    people: dict[str, NewPerson] = {}
    for cells in reader:
        where = f"{path}, line {reader.line_num}"
        name = " ".join((cells[name_column] or "").split())
        if not name:
            continue
        if name in people:
            raise ExchangeError(f"Duplicate name “{name}” in the people table.", where=where)
        roles = _roles((cells[roles_column] or "") if roles_column else "", where)
        pin = (cells[columns["pin"]] or "").strip() if "pin" in columns else ""
        people[name] = NewPerson(name, roles, pin)
    return list(people.values())


def add_people(people: People, newcomers: Iterable[NewPerson]) -> list[tuple[NewPerson, str]]:
    """Add people; returns those that could not be added, with the reason."""
    from annotator.domain.errors import WorkError

    refused: list[tuple[NewPerson, str]] = []
    for each in newcomers:
        try:
            people.add(each.name, each.roles, each.pin or None)
        except WorkError as error:
            refused.append((each, str(error)))
    return refused


def _roles(text: str, where: str) -> frozenset[Role]:
    words = text.replace(",", " ").replace(";", " ").replace("/", " ").casefold().split()
    unknown = [word for word in words if word not in set(Role)]
    if unknown:
        raise ExchangeError(
            f"Unknown role “{unknown[0]}”.", hint="Use rater, reviewer or lead.", where=where
        )
    return frozenset(map(Role, words)) or frozenset((Role.RATER,))
