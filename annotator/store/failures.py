"""What SQLite's errors mean to the person at the keyboard."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator.domain.errors import ProjectError

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_LACKING = ("no such table", "no such column")
_TEXTS = {
    sqlite3.SQLITE_FULL: (
        "The disk is full: the edit was not saved.",
        "Free some space, then do it again; everything before is safe.",
    ),
    sqlite3.SQLITE_IOERR: (
        "The disk reported an error: the edit was not saved.",
        "Check the disk or the connection to it, then do it again.",
    ),
    sqlite3.SQLITE_READONLY: (
        "The project file cannot be written: the edit was not saved.",
        "Check the permissions of the file and its folder.",
    ),
    sqlite3.SQLITE_PERM: (
        "The project file cannot be written: the edit was not saved.",
        "Check the permissions of the file and its folder.",
    ),
    sqlite3.SQLITE_BUSY: (
        "Another program is writing the project file: the edit was not saved.",
        "Close that program, or wait a moment and do it again.",
    ),
    sqlite3.SQLITE_LOCKED: (
        "Another program is writing the project file: the edit was not saved.",
        "Close that program, or wait a moment and do it again.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "The project file cannot be opened.",
        "Check that it is there and that you may read it.",
    ),
}


class DamagedError(ProjectError):
    """The file is not a sound project; a backup may be."""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the environment does to the database into ProjectError; let bugs through."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        if code in _DAMAGED or str(error).startswith(_LACKING):
            raise damaged(path, str(error)) from error
        if code not in _TEXTS:
            raise
        text, hint = _TEXTS[code]
        raise ProjectError(text, hint=hint, where=str(path)) from error


def damaged(path: Path, reason: str) -> DamagedError:
    """Return the error for a file that is no sound project."""
    return DamagedError(
        f"The project file is damaged or is not a project ({reason}).",
        hint="Nothing was changed in it. Open a backup instead.",
        where=str(path),
    )
