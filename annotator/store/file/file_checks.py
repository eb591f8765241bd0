"""Checks that a file is a project that this program can read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from annotator.domain.errors import ProjectError
from annotator.store import schema
from annotator.store.file.failures import damaged, explained
from annotator.store.file.project import connect

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_FULL_CHECK_BYTES = 64 << 20  # a larger file is checked by `annotator check`, not at every start


def check_file(path: Path) -> None:
    """Check the first bytes of a file; ProjectError if it cannot be a project."""
    try:
        with path.open("rb") as stream:
            header = stream.read(_HEADER_BYTES)
    except FileNotFoundError:
        raise ProjectError(
            "Cannot open the project: the file does not exist.",
            hint="Check the path.",
            where=str(path),
        ) from None
    except OSError as error:
        raise ProjectError(
            f"Cannot read the project: {error.strerror}.",
            hint="Check the permissions of the file.",
            where=str(path),
        ) from error
    if not header:
        raise damaged(path, "the file is empty")
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise damaged(path, "the file layout is invalid")
    if int.from_bytes(header[68:72], "big") != schema.APPLICATION_ID:
        raise ProjectError(
            "Cannot open the file: it is a database of another program.",
            hint="Select a file with the extension .annot.",
            where=str(path),
        )


def check_database(path: Path, connection: sqlite3.Connection) -> int:
    """Return the file's schema version; ProjectError when it is damaged, too new, or from a
    build before the first version of the file format."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version >> 16 < schema.MAJOR:
        raise ProjectError(
            f"Cannot open the project: its schema version {version >> 16}.{version & 65535} was "
            "used by test builds only.",
            hint="Export the annotations with the build that created the project, and import them "
            "into a new one.",
            where=str(path),
        )
    if version >> 16 > schema.MAJOR:
        raise ProjectError(
            f"Cannot open the project: its schema version {version >> 16}.{version & 65535} is "
            f"newer than the supported version {schema.MAJOR}.",
            hint="Install a newer version of annotator.",
            where=str(path),
        )
    foreign = schema.foreign_object(connection)
    if foreign:
        raise damaged(path, foreign)
    pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
    page_size: int = connection.execute("PRAGMA page_size").fetchone()[0]
    if pages * page_size <= _FULL_CHECK_BYTES:
        findings = integrity_findings(connection)
        if findings:
            raise damaged(path, findings[0])
    return version


def remade(path: Path) -> list[str]:
    """Rebuild the indexes of a file and return the remaining faults.

    ProjectError where nothing can be read of it. For a caller that holds the lock.
    """
    check_file(path)
    with explained(path), closing(connect(path, "rw")) as connection:
        connection.execute("REINDEX")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        foreign = schema.foreign_object(connection)
        return [*([foreign] if foreign else []), *integrity_findings(connection, is_thorough=True)]


def integrity_findings(connection: sqlite3.Connection, *, is_thorough: bool = False) -> list[str]:
    """Return faults of the file's structure and references, nothing if it is valid.

    A thorough check looks at the indexes and unique columns, too, which takes much longer.
    """
    check = "integrity_check" if is_thorough else "quick_check"
    problems = [str(row[0]) for row in connection.execute(f"PRAGMA {check}(10)")]
    if problems != ["ok"]:
        return [line.replace("\n", " ") for line in problems]
    try:
        rows = connection.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.OperationalError as error:
        return [f"the tables do not fit together: {error}"]
    missing = (
        f"a row of {table} references a missing row of {parent}" for table, _, parent, _ in rows
    )
    return list(missing)[:10]
