"""Error messages for SQLite errors."""

from __future__ import annotations

import lzma
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator.domain.errors import ProjectError, UserError

UNSOUND: tuple[type[Exception], ...] = (
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    EOFError,
    RuntimeError,
    struct.error,
    lzma.LZMAError,
    zlib.error,
)
"""Errors that reading a foreign or damaged file can raise."""

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_LACKING = ("no such table", "no such column")
_TEXTS = {
    sqlite3.SQLITE_FULL: (
        "Cannot save the edit: the disk is full.",
        "Free disk space and repeat the edit. Earlier edits are saved.",
    ),
    sqlite3.SQLITE_IOERR: (
        "Cannot save the edit: the disk reported an error.",
        "Check the disk or its connection, and repeat the edit.",
    ),
    sqlite3.SQLITE_READONLY: (
        "Cannot save the edit: the project file is not writable.",
        "Check the permissions of the file and its folder.",
    ),
    sqlite3.SQLITE_PERM: (
        "Cannot save the edit: the project file is not writable.",
        "Check the permissions of the file and its folder.",
    ),
    sqlite3.SQLITE_BUSY: (
        "Cannot save the edit: another program is writing to the project file.",
        "Close the other program, or wait and repeat the edit.",
    ),
    sqlite3.SQLITE_LOCKED: (
        "Cannot save the edit: another program is writing to the project file.",
        "Close the other program, or wait and repeat the edit.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "Cannot open the project file.",
        "Check that the file exists and that you have read permission.",
    ),
}


class DamagedError(ProjectError):
    """The file is not a sound project; a backup may be."""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Convert database errors from the environment to ProjectError; others pass through."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise damaged(path, "a text is not UTF-8") from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        if code in _DAMAGED or str(error).startswith(_LACKING):
            raise damaged(path, str(error)) from error
        if code not in _TEXTS:
            raise
        text, hint = _TEXTS[code]
        raise ProjectError(text, hint=hint, where=str(path)) from error


@contextmanager
def soundly(path: Path) -> Iterator[None]:
    """Convert errors from invalid values to DamagedError: the file can be untrusted."""
    try:
        yield
    except UserError:
        raise
    except UNSOUND as error:
        raise damaged(path, f"a value is invalid: {type(error).__name__}") from error


def damaged(path: Path, reason: str) -> DamagedError:
    """Return the error for a file that is no sound project."""
    return DamagedError(
        f"Cannot open the file: it is damaged or is not a project ({reason}).",
        hint="The file was not changed. Open a backup instead.",
        where=str(path),
    )
