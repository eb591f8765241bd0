"""Record of sent work packages in the lead's project.

What comes back is held against it: whose the package was, which assignments were in it, and what
each of them was asked.
"""

from __future__ import annotations

from typing import Final

import msgspec

from annotator.domain.ids import AssignmentId, ItemId, PersonId
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import travel

_NOTE: Final = "package:{}"
"""The fact of a project that tells of one package."""


class PackageNote(msgspec.Struct):
    """For whom a package is, and what has to be answered in it, by assignment and in its order.

    Items have the names here that they have in the package.
    """

    person_id: PersonId
    asked: dict[AssignmentId, list[ItemId]]


def note_package(file: ProjectFile, package_id: str, note: PackageNote) -> None:
    """Remember a package that goes out."""
    with file.transaction() as connection:
        text = msgspec.json.encode(note).decode()
        travel.set_meta(connection, _NOTE.format(package_id), text)


def noted_package(file: ProjectFile, package_id: str) -> PackageNote | None:
    """Return what is remembered of a package, None where none of that name went out."""
    text = file.meta(_NOTE.format(package_id))
    return msgspec.json.decode(text, type=PackageNote) if text is not None else None


def went_out(file: ProjectFile, item_id: ItemId) -> bool:
    """Tell whether something was ever asked in a package: whoever has that may answer it yet."""
    rows = file.rows(
        "SELECT 1 FROM meta WHERE key GLOB ? AND instr(value, ?) LIMIT 1",
        (_NOTE.format("*"), item_id),
    )
    return bool(rows)
