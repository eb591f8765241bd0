"""The project file: create it, open it, write to it in transactions.

Commits survive the death of the program at once; they are flushed to the disk right after, by a
thread, and before the next commit begins (see ``annotator.store.flush``). On network file systems
a rollback journal takes the place of the write-ahead log and every commit waits for the disk.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, new_id
from annotator.store import checking, schema
from annotator.store.backups import make_backup
from annotator.store.codes import id_bytes, id_text, now_text
from annotator.store.failures import explained
from annotator.store.filesystem import network_file_system
from annotator.store.flush import Flusher
from annotator.store.lock import Holder, LockedError, ProjectLock, user_name

SUFFIX = ".annot"

_BUSY_TIMEOUT_S = 2.0
_CHECKPOINT_PAGES = 4000  # the pool makes smaller ones earlier, off the main thread


class ProjectFile:
    """An open project file; made by `create_file` and `open_file`.

    ``holder`` tells who writes the file when it could only be opened for reading; ``remarks`` are
    (text, hint) pairs for the user. All methods may be called from any thread.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: ProjectLock | None
    ) -> None:
        self.path = path
        self.holder: Holder | None = None
        self.remarks: list[tuple[str, str | None]] = []
        self.person_id: bytes | None = None
        self.replica_id: bytes | None = None
        self._connection = connection
        self._lock = lock
        self._mutex = threading.RLock()
        self._flusher: Flusher | None = None

    @property
    def is_read_only(self) -> bool:
        return self._lock is None

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Return all rows of a query; ProjectError when the file fails."""
        with self._mutex, explained(self.path):
            return self._connection.execute(sql, parameters).fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for reading; ProjectError when the file fails."""
        with self._mutex, explained(self.path):
            yield self._connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing: whatever raises inside takes everything back.

        Within another transaction it becomes a part of that one. ProjectError when the file is
        open for reading only or the disk refuses.
        """
        if self.is_read_only:
            raise read_only_error(self.path)
        with self._mutex, explained(self.path):
            connection = self._connection
            if connection.in_transaction:
                yield connection  # part of the transaction further out
                return
            if self._flusher:
                self._flusher.wait()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            if self._flusher:
                self._flusher.start()

    def meta(self, key: str) -> str | None:
        """Return a fact about the project ("title", "project_id", "recipe")."""
        rows = self.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def flush(self) -> None:
        """Wait until every commit is on the disk."""
        if self._flusher:
            self._flusher.wait()

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file without waiting for anybody; for the job pool."""
        with explained(self.path):
            connection = _connect(self.path, "rw")
            try:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            finally:
                connection.close()

    def close(self) -> None:
        """Close the file and give the lock back; twice is no error."""
        with self._mutex:
            if self._flusher:
                self._flusher.close()
                self._flusher = None
            self._connection.close()
            if self._lock:
                self._lock.release()
                self._lock = None

    def start_writing(self, person: str | None) -> None:
        """Set the journal, find out who and where we are; called once, by the openers."""
        connection = self._connection
        kind = network_file_system(self.path)
        if kind is None:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        else:
            connection.execute("PRAGMA journal_mode = TRUNCATE")
            connection.execute("PRAGMA synchronous = FULL")
            self.remarks.append(
                (
                    f"The project lies on a network file system ({kind}): edits are saved more"
                    " slowly.",
                    "Do not open it on two machines at once; a local copy is safer.",
                )
            )
        if self._lock and not self._lock.is_effective:
            self.remarks.append(
                (
                    "This file system cannot lock files: another window would not be noticed.",
                    "Make sure that nobody else has this project open.",
                )
            )
        self._introduce(person or user_name())
        if kind is None:
            self._flusher = Flusher(self.path.with_name(self.path.name + "-wal"))

    def find_replica(self) -> None:
        """Look up who and where we are without writing."""
        rows = self.rows("SELECT id FROM replica WHERE host = ? AND place = ?", _place(self.path))
        self.replica_id = rows[0][0] if rows else None  # type: ignore[assignment]

    def _introduce(self, person: str) -> None:
        host, place = _place(self.path)
        with self.transaction() as connection:
            for table, given in (
                ("person (id, name, created_at)", (person, now_text())),
                ("replica (id, host, place, created_at)", (host, place, now_text())),
            ):
                marks = ", ".join("?" * (len(given) + 1))
                connection.execute(
                    f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO NOTHING",
                    (id_bytes(new_id()), *given),
                )
            self.person_id = connection.execute(
                "SELECT id FROM person WHERE name = ?", (person,)
            ).fetchone()[0]
            self.replica_id = connection.execute(
                "SELECT id FROM replica WHERE host = ? AND place = ?", (host, place)
            ).fetchone()[0]

    def author(self) -> tuple[bytes, bytes]:
        """Return the ids of the person and of the replica that write."""
        if self.person_id is None or self.replica_id is None:
            raise read_only_error(self.path)
        return self.person_id, self.replica_id

    def person(self) -> PersonId:
        """Return who writes."""
        return PersonId(id_text(self.author()[0]))


def create_file(
    path: Path, *, title: str, recipe: str | None = None, person: str | None = None
) -> ProjectFile:
    """Create a project file and open it; ProjectError when there is one, or none can be written.

    The file appears under its name only when it is complete.
    """
    path = Path(path).absolute()
    if path.exists():
        raise ProjectError(
            "There is already a file of this name.",
            hint="Open it, or choose another name.",
            where=str(path),
        )
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with explained(path):
            connection = _connect(temporary, "rwc")
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
        temporary.replace(path)
    except OSError as error:
        raise ProjectError(
            f"The project cannot be created here ({error.strerror}).",
            hint="Choose a folder you may write to.",
            where=str(path),
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
    return open_file(path, person=person)


def open_file(path: Path, *, read_only: bool = False, person: str | None = None) -> ProjectFile:
    """Open a project file, for reading only when it cannot be written or somebody else has it.

    ProjectError when it is missing, damaged (then DamagedError), or newer than this program.
    """
    path = Path(path).absolute()
    checking.check_file(path)
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
            connection = _connect(path, "rw")
            try:
                if checking.check_database(path, connection) < schema.USER_VERSION:
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


def tool_version() -> str:
    """Return what this program calls itself in the files it writes."""
    return f"annotator {version('annotator')}"


def read_only_error(path: Path) -> ProjectError:
    """Return the error for an edit in a project that is open for reading only."""
    return ProjectError(
        "This project is open for reading only: the edit was not made.",
        hint="Close the other window, or save a copy where you may write.",
        where=str(path),
    )


def _locked(
    path: Path,
) -> tuple[ProjectLock | None, Holder | None, tuple[str, str | None] | None]:
    """Return the lock, or who has it and what to tell the user."""
    reason = None
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        reason = "The file or its folder cannot be written"
    else:
        try:
            return ProjectLock(path), None, None
        except LockedError as error:
            who = str(error.holder) if error.holder else "another window"
            text = f"The project is open for reading only: {who} is editing it."
            return None, error.holder, (text, "Close it there, then open it here again.")
        except OSError as error:
            reason = f"No lock file can be made ({error.strerror})"
    text = f"{reason}: the project is open for reading only."
    return None, None, (text, "Check the permissions, or save a copy where you may write.")


def _open_for_reading(path: Path) -> ProjectFile:
    with explained(path):
        connection = _reader(path)
        try:
            version = checking.check_database(path, connection)
            if version < schema.USER_VERSION:
                raise ProjectError(
                    "The project was made by an older version and must be upgraded, but it cannot"
                    " be written here.",
                    hint="Copy it to a folder you may write to, and open the copy.",
                    where=str(path),
                )
        except BaseException:
            connection.close()
            raise
    file = ProjectFile(path, connection, None)
    file.find_replica()
    return file


def _reader(path: Path) -> sqlite3.Connection:
    """Connect for reading, also where SQLite cannot make the files it shares with a writer."""
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    if os.access(path.parent, os.W_OK) or has_log:
        return _connect(path, "ro")
    return _connect(path, "ro&immutable=1")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Guarded by ProjectFile's own lock, so that jobs may add videos from their threads.
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _place(path: Path) -> tuple[str, str]:
    """Return the machine and a token of the path there, which tells copies apart."""
    token = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
    return socket.gethostname(), token
