"""People to begin a project with: typed in, or from a table of names and roles."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import ExchangeError
from annotator.domain.people import Role

if TYPE_CHECKING:
    from annotator.services.project.people import People

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
