"""Record of sent work packages in the lead's project.

What comes back is held against it: whose the package was, which assignments were in it, and what
each of them was asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.ids import AssignmentId, ItemId, PersonId
from annotator.services.entry_values import Header
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import travel

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

_CAME_IN: Final = "came_in:{}"
_NOTE: Final = "package:{}"
"""Project fact: one package."""


class PackageNote(msgspec.Struct):
    """Recipient of a package, and its items by assignment, in order.

    Items have the names here that they have in the package.
    """

    person_id: PersonId
    asked: dict[AssignmentId, list[ItemId]]


def note_package(file: ProjectFile, package_id: str, note: PackageNote) -> None:
    """Remember a package that goes out."""
    with file.transaction() as connection:
        text = msgspec.json.encode(note).decode()
        travel.set_meta(connection, _NOTE.format(package_id), text)


def was_noted(file: ProjectFile, package_id: str) -> bool:
    """Return whether a package of that name went out; claims at a hub are named like packages."""
    return file.meta(_NOTE.format(package_id)) is not None


def items_in_package(
    file: ProjectFile, package_id: str, person_id: PersonId, assignment_id: AssignmentId
) -> list[ItemId] | None:
    """Return the items to answer in an assignment, None when the package did not assign it to the
    person. Only the recipient knows the name of a package."""
    text = file.meta(_NOTE.format(package_id))
    note = msgspec.json.decode(text, type=PackageNote) if text is not None else None
    return note.asked.get(assignment_id) if note and note.person_id == person_id else None


def remember_package(file: ProjectFile, assignment_id: AssignmentId, package_id: str) -> None:
    """Store in a person's project the package of an assignment."""
    with file.transaction() as connection:
        travel.set_meta(connection, _CAME_IN.format(assignment_id), package_id)


def package_of(file: ProjectFile, assignment_id: AssignmentId) -> str | None:
    """Return the package of an assignment in this project, None if unknown."""
    return file.meta(_CAME_IN.format(assignment_id))


def origin_of(project: OpenProject) -> Header | None:
    """Return which package a project was made of; None for one that was made otherwise."""
    text = project.file.meta(travel.ORIGIN)
    return msgspec.json.decode(text, type=Header) if text is not None else None


def went_out(file: ProjectFile, item_id: ItemId) -> bool:
    """Return whether an item was ever sent in a package, so that answers can still arrive."""
    rows = file.rows(
        "SELECT 1 FROM meta WHERE key GLOB ? AND instr(value, ?) LIMIT 1",
        (_NOTE.format("*"), item_id),
    )
    return bool(rows)
