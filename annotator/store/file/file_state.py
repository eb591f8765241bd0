"""A consistent state of the project file, for readers that take long.

Edits meanwhile do not reach it. Several processes can read the same moment.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, Self, cast

from annotator.domain.errors import ProjectError
from annotator.store.file.failures import explained
from annotator.store.file.project import ProjectFile, connect

if TYPE_CHECKING:
    from types import TracebackType


class FilePosition(NamedTuple):
    """A file and the position of its logs, so that another process reads the same state."""

    path: Path
    last_edit: int
    last_act: int


class FileState:
    """Contents of a project file at one moment; close it after reading.

    ``moment`` is None where other processes cannot open it.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection | None,
        file: ProjectFile | None = None,
        *,
        folder: TemporaryDirectory[str] | None = None,
    ) -> None:
        """Reads a connection of its own, or that of a ``file``; ``folder`` goes in the end."""
        self.path = path
        self._connection = connection
        self._file = file
        self._folder = folder
        self.moment = self._moment() if connection is not None else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Return all rows of a query; ProjectError when the file fails."""
        with self.reading() as connection:
            return connection.execute(sql, parameters).fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for reading; ProjectError when the file fails."""
        if self._file is not None:
            with self._file.reading() as connection:
                yield connection
            return
        if self._connection is None:
            raise ProjectError("The project is closed.", where=str(self.path))
        with explained(self.path):
            yield self._connection

    def close(self) -> None:
        """Release the state; may be called twice."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _moment(self) -> FilePosition:
        ((edit, act),) = cast(
            "list[tuple[int, int]]",
            self.rows(
                "SELECT (SELECT ifnull(max(seq), 0) FROM event),"
                " (SELECT ifnull(max(seq), 0) FROM work_event)"
            ),
        )
        where = Path(self._folder.name, self.path.name) if self._folder is not None else self.path
        return FilePosition(where, edit, act)


def state_of(file: ProjectFile) -> FileState:
    """Return the project as it is now; ProjectError when that cannot be read."""
    if not file.path.exists():
        return FileState(file.path, None, file)
    if not file.is_read_only and file.rows("PRAGMA journal_mode") != [("wal",)]:
        # A long read would block writers.
        folder = TemporaryDirectory(prefix="annotator-", ignore_cleanup_errors=True)
        copy = Path(folder.name, file.path.name)
        file.copy_to(copy)
        return FileState(file.path, _snapshot(copy), folder=folder)
    try:
        return FileState(file.path, _snapshot(file.path))
    except sqlite3.OperationalError:
        # A read-only folder allows no second connection, and has no writers.
        return FileState(file.path, None, file)


def same_state(moment: FilePosition) -> FileState | None:
    """Return the project as another process sees it; None when it has changed since."""
    with explained(moment.path):
        state = FileState(moment.path, _snapshot(moment.path))
    if state.moment == moment:
        return state
    state.close()
    return None


def _snapshot(path: Path) -> sqlite3.Connection:
    """Return a connection whose reads all see the file as it is now."""
    connection = connect(path, "ro")
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM meta").fetchone()
    except BaseException:
        with suppress(sqlite3.Error):
            connection.close()
        raise
    return connection
