"""The open project file: reading, and writing in transactions.

Commits survive a crash of the program immediately. A thread flushes them to the disk right after,
and before the next commit starts. On network file systems a rollback journal replaces the
write-ahead log, and every commit waits for the disk.

Readers never wait: while another thread writes, a reader gets its own connection with the last
written state (see `Readers`).
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from annotator.domain.errors import ProjectError
from annotator.domain.ids import new_id
from annotator.store.catalog import people
from annotator.store.columns import id_bytes, now_text
from annotator.store.file import filesystem
from annotator.store.file.failures import explained
from annotator.store.file.filesystem import network_file_system
from annotator.store.file.lock import LockHolder, ProjectLock, user_name
from annotator.temporary import new_file

_INDEX: Final = "-shm"  # of the write-ahead log; SQLite makes it again
_LOGS: Final = ("-wal", _INDEX, "-journal")
_MOST_KEPT: Final = 4
_PATIENCE_S: Final = 2.0


class Readers:
    """Connections that read the last written state without waiting.

    They are opened as they are needed and kept for the next one. With a write-ahead log only:
    otherwise a writer keeps all others out. All methods may be called from any thread.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._guard = threading.Condition()
        self._idle: list[sqlite3.Connection] = []
        self._n_lent = 0
        self._is_closed = False

    @contextmanager
    def one(self) -> Iterator[sqlite3.Connection]:
        """Return an exclusive connection; sqlite3.Error if there is none."""
        with self._guard:
            connection = self._idle.pop() if self._idle else None
            self._n_lent += 1
        try:
            if connection is None:
                connection = self._connect()
            yield connection
        finally:
            self._take_back(connection)

    def close(self) -> None:
        """Close all of them, those in use as soon as they come back: that is waited for, since who
        closes the file last moves the log into it, and readers cannot.
        """
        with self._guard:
            idle, self._idle, self._is_closed = self._idle, [], True
            for connection in idle:
                connection.close()
            self._guard.wait_for(lambda: self._n_lent == 0, _PATIENCE_S)

    def _take_back(self, connection: sqlite3.Connection | None) -> None:
        with self._guard:
            self._n_lent -= 1
            is_kept = not self._is_closed and len(self._idle) < _MOST_KEPT
            if connection is not None and is_kept:
                self._idle.append(connection)
            elif connection is not None:
                connection.close()
            self._guard.notify_all()


class Flusher:
    """One thread that flushes one file on demand."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._error: OSError | None = None
        self._is_closing = False
        self._wanted = threading.Event()
        self._done = threading.Event()
        self._done.set()
        self._thread = threading.Thread(target=self._run, name="flush", daemon=True)
        self._thread.start()

    def start(self) -> None:
        """Start flushing the written data."""
        self._done.clear()
        self._wanted.set()

    def wait(self) -> None:
        """Return when all is on the disk; ProjectError when the disk refused it."""
        self._done.wait()
        error, self._error = self._error, None
        if error is not None:
            raise ProjectError(
                f"The disk did not confirm the last edit: {error.strerror}.",
                hint="Check the disk or its connection, and save a copy of the project.",
                where=str(self._path),
            ) from error

    def close(self) -> None:
        """End the thread after its last flush."""
        self._is_closing = True
        self._wanted.set()
        self._thread.join()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if not self._done.is_set():
                try:
                    self._flush()
                except OSError as error:
                    self._error = error
                self._done.set()
            if self._is_closing:
                return

    def _flush(self) -> None:
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDWR)
            _sync_folder(self._path.parent)
        _sync(self._file)


if sys.platform == "darwin":
    import fcntl

    def _sync(file: int) -> None:
        # fsync alone leaves the data in the drive's cache there.
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
elif sys.platform == "win32":

    def _sync(file: int) -> None:
        os.fsync(file)
else:

    def _sync(file: int) -> None:
        os.fdatasync(file)


def _sync_folder(folder: Path) -> None:
    """Have the file's name on the disk, too; Windows does that by itself."""
    if sys.platform == "win32":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


_BUSY_TIMEOUT_S = 2.0
_CHECKPOINT_PAGES = 4000  # the pool makes smaller ones earlier, off the main thread


class ProjectFile:
    """An open project file; made by ``annotator.store.file.file_opening``.

    ``holder`` is the writer of the file if it could only be opened for reading; ``remarks`` are
    (text, hint) pairs for the user. All methods may be called from any thread.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        lock: ProjectLock | None,
        *,
        borrowed: TemporaryDirectory[str] | None = None,
    ) -> None:
        """``borrowed`` is a temporary folder that the connection reads; removed in the end."""
        self.path = path
        self.holder: LockHolder | None = None
        self.remarks: list[tuple[str, str | None]] = []
        self.person_id: bytes | None = None
        self.replica_id: bytes | None = None
        self._connection = connection
        self._lock = lock
        self._mutex = threading.RLock()
        self._owner: int | None = None
        """The thread within a transaction: it reads its own writes."""
        self._readers: Readers | None = None
        self._borrowed = borrowed
        self._stat = path.stat()
        self._is_closed = False
        self._flusher: Flusher | None = None

    @property
    def is_read_only(self) -> bool:
        return self._lock is None

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Return all rows of a query; ProjectError when the file fails."""
        with self.reading() as connection:
            return connection.execute(sql, parameters).fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Return a connection for reading; ProjectError if the file fails.

        It is the writer's connection where no other thread uses it: on the main thread, or within a
        transaction of the calling thread.
        """
        readers = self._readers_apart()
        if readers is None:
            with self._mutex, explained(self.path):
                self._check_open()
                yield self._connection
        else:
            with explained(self.path), readers.one() as connection:
                self._check_open()
                yield connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing: whatever raises inside takes everything back.

        Within another transaction it becomes a part of that one. ProjectError when the file is
        open for reading only or the disk refuses.
        """
        flusher = self._flusher
        if flusher:
            flusher.wait()  # before the file is taken: it is not to be held while the disk works
        with self._mutex, explained(self.path):
            self._check_open()
            if self.is_read_only:
                raise read_only_error(self.path)
            connection = self._connection
            if connection.in_transaction:
                yield connection  # part of the transaction further out
                return
            self._check_place()
            if self._flusher:
                self._flusher.wait()
            before, self._owner = self._owner, threading.get_ident()
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._owner = before
            if self._flusher:
                self._flusher.start()

    @contextmanager
    def attached(self, path: Path) -> Iterator[None]:
        """Have the tables of another database at hand, as those of ``part``; no transaction lasts
        longer than that.
        """
        with self._mutex, explained(self.path):
            self._check_open()
            where = f"{path.as_uri()}?mode=ro&immutable=1"
            self._connection.execute("ATTACH DATABASE ? AS part", (where,))
            before, self._owner = self._owner, threading.get_ident()
            try:
                yield
            finally:
                self._owner = before
                self._connection.execute("DETACH DATABASE part")

    def meta(self, key: str) -> str | None:
        """Return a fact about the project ("title", "project_id", "recipe")."""
        rows = self.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def copy_to(self, target: Path) -> None:
        """Copy the whole project into a new file; ProjectError if that fails.

        Also works when the project's own file was deleted. Otherwise it reads through a connection
        of its own, so that editing continues meanwhile; for the job pool.
        """
        try:
            with (
                explained(target),
                new_project_file(target) as place,
                closing(connect(place, "rwc")) as copy,
            ):
                if self.is_read_only or not self.path.exists():
                    with self._mutex:
                        self._connection.backup(copy)
                else:
                    with closing(connect(self.path, "ro")) as source:
                        source.backup(copy)
        except OSError as error:
            raise ProjectError(
                f"Cannot write the copy: {error.strerror}.", where=str(target)
            ) from error

    def flush(self) -> None:
        """Wait until every commit is on the disk."""
        if self._flusher:
            self._flusher.wait()

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file without waiting for anybody; for the job pool."""
        with explained(self.path), closing(connect(self.path, "rw")) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close the file and give the lock back; twice is no error."""
        with self._mutex:
            if self._flusher:
                self._flusher.close()
                self._flusher = None
            if self._readers:
                self._readers.close()
                self._readers = None
            self._connection.close()
            self._is_closed = True
            if self._lock:
                self._lock.release()
                self._lock = None
            if self._borrowed:
                self._borrowed.cleanup()

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
                    f"The project is on a network file system ({kind}): saving is slower.",
                    "Do not open it on two computers at the same time. A local copy is safer.",
                )
            )
        if self._lock and not self._lock.is_effective:
            self.remarks.append(
                (
                    (
                        "The file system does not support file locks: other windows cannot be "
                        "detected."
                    ),
                    "Make sure that no other person has this project open.",
                )
            )
        self._introduce(person or user_name())
        if kind is None:
            self._flusher = Flusher(self.path.with_name(self.path.name + "-wal"))
            self._readers = Readers(partial(connect, self.path, "ro"))

    def find_replica(self) -> None:
        """Look up who and where we are without writing."""
        rows = self.rows(
            "SELECT id FROM replica WHERE host = ? AND place = ?", filesystem.place(self.path)
        )
        self.replica_id = rows[0][0] if rows else None  # type: ignore[assignment]

    def _introduce(self, person: str) -> None:
        host, place = filesystem.place(self.path)
        with self.transaction() as connection:
            self.person_id = people.person_named(connection, person)
            connection.execute(
                "INSERT INTO replica (id, host, place, created_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (id_bytes(new_id()), host, place, now_text()),
            )
            self.replica_id = connection.execute(
                "SELECT id FROM replica WHERE host = ? AND place = ?", (host, place)
            ).fetchone()[0]

    def _readers_apart(self) -> Readers | None:
        """Return whom to ask for a connection, None where that of the writer does."""
        if self._readers is None or self._owner == threading.get_ident():
            return None
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and self._mutex.acquire(blocking=False):
            self._mutex.release()
            return None
        return self._readers if self.path.exists() else None

    def _check_open(self) -> None:
        """Refuse what comes after closing: a job may still be at work then."""
        if self._is_closed:
            raise ProjectError("The project is closed.", where=str(self.path))

    def _check_place(self) -> None:
        """Refuse to write into a file that has been moved, deleted or replaced under us."""
        try:
            is_there = os.path.samestat(self.path.stat(), self._stat)
        except OSError:
            is_there = False
        if not is_there:
            raise ProjectError(
                "Cannot save the edit: the project file was moved, deleted or replaced.",
                hint="Restore the file, or save a copy. Earlier edits are kept in memory.",
                where=str(self.path),
            )

    def author(self) -> tuple[bytes, bytes]:
        """Return the ids of the person and of the replica that write."""
        if self.person_id is None or self.replica_id is None:
            raise read_only_error(self.path)
        return self.person_id, self.replica_id


@cache
def tool_version() -> str:
    """Return the name and version of this program for files."""
    from importlib.metadata import version

    return f"annotator {version('annotator')}"


def read_only_error(path: Path) -> ProjectError:
    """Return the error for an edit in a project that is open for reading only."""
    return ProjectError(
        "Cannot save the edit: the project is open read-only.",
        hint="Close the other window, or save a copy to a writable folder.",
        where=str(path),
    )


@contextmanager
def new_project_file(target: Path) -> Iterator[Path]:
    """Yield a temporary file that becomes the project ``target`` unless an error occurs.

    SQLite would play back a log that lies there since another project of this name was deleted.
    OSError when the file cannot be made or moved.
    """
    with new_file(target) as place:
        yield place
        rename_left_logs(target)


def rename_left_logs(path: Path, beside: Path | None = None) -> None:
    """Rename the logs of SQLite beside a path, as those of ``beside`` or with the time.

    They can hold the last changes of a project that was moved away. OSError when they stay.
    """
    if beside is None:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        beside = path.with_name(f"{path.stem}.left-over-{stamp}{path.suffix}")
    for suffix in _LOGS:
        log = path.with_name(path.name + suffix)
        if suffix == _INDEX or (log.exists() and not log.stat().st_size):
            log.unlink(missing_ok=True)
        elif log.exists():
            log.rename(beside.with_name(beside.name + suffix))


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open the database with an access mode of SQLite's ("ro", "rw", "rwc")."""
    # Guarded by ProjectFile's own lock, so that jobs may add videos from their threads.
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    # The file is untrusted: its schema must call no functions.
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection
