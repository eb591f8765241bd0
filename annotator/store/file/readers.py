"""Connections of their own for those who read while somebody else is at work on the file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_MOST_KEPT: Final = 4
_PATIENCE_S: Final = 2.0


class Readers:
    """Connections that see what was written last, and wait for nobody.

    They are opened as they are needed and kept for the next one. With a write-ahead log only:
    otherwise whoever writes keeps everybody out. All methods may be called from any thread.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._guard = threading.Condition()
        self._idle: list[sqlite3.Connection] = []
        self._n_lent = 0
        self._is_closed = False

    @contextmanager
    def one(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that nobody else uses meanwhile; sqlite3.Error when there is none."""
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
