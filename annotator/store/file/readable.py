"""Protocol of everything a project can be read from."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol


class Readable(Protocol):
    """The open project file, or its state at one moment."""

    @property
    def path(self) -> Path: ...

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Return all rows of a query; ProjectError when the file fails."""
        ...

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Give the connection for reading; ProjectError when the file fails."""
        ...
