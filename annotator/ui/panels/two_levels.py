"""Rows of two levels for Qt's tree views: groups at the top, their members below."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex

AnyIndex = QModelIndex | QPersistentModelIndex
NOWHERE: Final = QModelIndex()


class TwoLevels(QAbstractItemModel):
    """A group has the internal id 0, a member the row of its group and one more."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._sizes: list[int] = []

    def set_sizes(self, sizes: Iterable[int]) -> None:
        """Set the number of members of each group; called during a model reset."""
        self._sizes = list(sizes)

    def index(self, row: int, column: int, parent: AnyIndex = NOWHERE) -> QModelIndex:
        # Asked for every cell that is sorted or painted: faster than `hasIndex`.
        if not (0 <= row < self.rowCount(parent) and 0 <= column < self.columnCount(parent)):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: AnyIndex = NOWHERE) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        if not parent.isValid():
            return len(self._sizes)
        return self._sizes[parent.row()] if parent.internalId() == 0 else 0
