"""Creating and opening project files: one writer, everybody else reads."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TypeAlias

from annotator.domain.errors import ProjectError
from annotator.domain.ids import new_id
from annotator.store import schema
from annotator.store.columns import now_text
from annotator.store.file import file_checks
from annotator.store.file.backups import make_backup
from annotator.store.file.failures import explained
from annotator.store.file.lock import LockedError, LockHolder, ProjectLock
from annotator.store.file.project import ProjectFile, connect, new_project_file, tool_version

_Remark: TypeAlias = tuple[str, str | None]


def create_file(
    path: Path, *, title: str, recipe: str | None = None, person: str | None = None
) -> ProjectFile:
    """Create a project file and open it; ProjectError when there is one, or none can be written.

    The file appears under its name only when it is complete.
    """
    path = Path(path).absolute()
    if path.exists():
        raise ProjectError(
            "Cannot create the project: a file of this name exists.",
            hint="Open the existing project, or use another name.",
            where=str(path),
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with explained(path), new_project_file(path) as place:
            connection = connect(place, "rwc")
            try:
                schema.migrate(connection)
                facts = {
                    "project_id": new_id(),
                    "title": title,
                    "recipe": recipe,
                    "created_at": now_text(),
                    "created_by": tool_version(),
                }
                connection.executemany(
                    "INSERT INTO meta VALUES (?, ?)",
                    [(key, value) for key, value in facts.items() if value is not None],
                )
            finally:
                connection.close()
    except OSError as error:
        raise ProjectError(
            f"Cannot create the project: {error.strerror}.",
            hint="Select a folder with write permission.",
            where=str(path),
        ) from error
    return open_file(path, person=person)


def open_file(path: Path, *, read_only: bool = False, person: str | None = None) -> ProjectFile:
    """Open a project file, read-only if it cannot be written or another process has it.

    ProjectError when it is missing, damaged (then DamagedError), or newer than this program.
    """
    # SQLite follows links: so must the lock and the log that is flushed, or there are two writers.
    path = Path(os.path.realpath(path))
    file_checks.check_file(path)
    remark, holder, lock = None, None, None
    if not read_only:
        lock, holder, remark = _locked(path)
    if lock is None:
        file = _open_for_reading(path)
        file.holder = holder
        file.remarks += [remark] if remark else []
        return file
    try:
        with explained(path):
            connection = connect(path, "rw")
            try:
                if file_checks.check_database(path, connection) < schema.USER_VERSION:
                    make_backup(path)
                    schema.migrate(connection)
                connection.execute("PRAGMA foreign_keys = ON")
                file = ProjectFile(path, connection, lock)
                file.start_writing(person)
            except BaseException:
                connection.close()
                raise
    except BaseException:
        lock.release()
        raise
    return file


def _locked(
    path: Path,
) -> tuple[ProjectLock | None, LockHolder | None, _Remark | None]:
    """Return the lock, or its holder and a message for the user."""
    reason = None
    if not _may_write(path) or not _may_write(path.parent):
        reason = "The file or its folder is not writable"
    else:
        try:
            return ProjectLock(path), None, None
        except LockedError as error:
            holder = str(error.holder) if error.holder else "another window"
            text = f"The project is open read-only: {holder} is editing it."
            return (
                None,
                error.holder,
                (text, "Close it in the other program, and then open it again."),
            )
        except OSError as error:
            reason = f"Cannot create a lock file ({error.strerror})"
    text = f"{reason}: the project is open read-only."
    return None, None, (text, "Check the permissions, or save a copy to a writable folder.")


def _open_for_reading(path: Path) -> ProjectFile:
    with explained(path):
        connection, folder = _reader(path)
        try:
            version = file_checks.check_database(path, connection)
            if version < schema.USER_VERSION:
                raise ProjectError(
                    "Cannot upgrade the project: it was created by an older version, and the "
                    "file is not writable.",
                    hint="Copy it to a writable folder and open the copy.",
                    where=str(path),
                )
        except BaseException:
            connection.close()
            raise
    file = ProjectFile(path, connection, None, borrowed=folder)
    file.find_replica()
    return file


def _reader(path: Path) -> tuple[sqlite3.Connection, tempfile.TemporaryDirectory[str] | None]:
    """Connect for reading, also where SQLite cannot make the files it shares with a writer.

    There a log that was left behind is read from a copy, in a folder that the caller removes.
    """
    log = path.with_name(path.name + "-wal")
    if _may_write(path.parent):
        return connect(path, "ro"), None
    if not log.exists() or log.stat().st_size == 0:
        return connect(path, "ro&immutable=1"), None
    connection = connect(path, "ro")
    try:
        connection.execute("PRAGMA user_version")
    except sqlite3.OperationalError:
        connection.close()
    else:
        return connection, None
    folder = tempfile.TemporaryDirectory(prefix="annotator-", ignore_cleanup_errors=True)
    copy = Path(folder.name, path.name)
    for source in (path, log):
        shutil.copyfile(source, copy.with_name(source.name))
    return connect(copy, "rw"), folder


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
