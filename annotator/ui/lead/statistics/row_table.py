"""A table of any length: cells are worded when they come into sight, sorted and searched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTableView

from annotator.ui.look.widgets import CELL_PX, EmptyHint, calm
from annotator.ui.look.widgets import tip as plain_tip

Index = QModelIndex | QPersistentModelIndex
T = TypeVar("T")

_ROWS_MEASURED: Final = 30
_SPARE_PX: Final = 6
_ICON_PX: Final = 26
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class RowColumns(Generic[T]):
    """Columns of a table: headings, text of a cell, and sort key.

    ``numbers`` are the columns that stand to the right.
    """

    def __init__(
        self,
        heads: Sequence[str],
        text: Callable[[T, int], str],
        key: Callable[[T, int], Any],
        numbers: Sequence[int] = (),
    ) -> None:
        self.heads, self.text, self.key, self.numbers = heads, text, key, frozenset(numbers)


class RowModel(QAbstractTableModel, Generic[T]):
    """Rows of which some are shown: those that a test lets through, in a sorted order."""

    def __init__(self, columns: RowColumns[T]) -> None:
        super().__init__()
        self._columns = columns
        self._all: Sequence[T] = ()
        self._lets: Callable[[T], bool] = lambda _: True
        self._order: tuple[int, Qt.SortOrder] | None = None
        self.rows: list[T] = []

    @property
    def n_all(self) -> int:
        return len(self._all)

    def set_rows(self, rows: Sequence[T]) -> None:
        """Show other rows."""
        self._all = rows
        self._choose()

    def show_only(self, lets: Callable[[T], bool]) -> None:
        """Show the rows that a test lets through."""
        self._lets = lets
        self._choose()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1: in the order that was given."""
        self._order = (column, order) if column >= 0 else None
        self._choose()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns.heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = self._columns.text(self.rows[index.row()], index.column())
            return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in self._columns.numbers:
            return _RIGHT
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns.heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in self._columns.numbers:
            return _RIGHT
        return None

    def _choose(self) -> None:
        self.beginResetModel()
        self.rows = [row for row in self._all if self._lets(row)]
        if self._order is not None:
            column, order = self._order
            is_down = order == Qt.SortOrder.DescendingOrder
            self.rows.sort(key=lambda row: self._columns.key(row, column), reverse=is_down)
        self.endResetModel()


def pick_apart(table: QTableView) -> None:
    """Do not highlight the column headers of selected cells.

    They do not show it, but would ask of each column whether all its rows are chosen each time they
    are painted: of tens of thousands that takes half a second.
    """
    model = table.model()
    table.horizontalHeader().setSelectionModel(QItemSelectionModel(model, table))


class FittedColumns:
    """Widths of the columns of a table by its head and its first rows, up to a limit each.

    They only grow, so that sorting moves no column, and only by what new rows need, so that a
    column keeps the width that a person gave it.
    """

    def __init__(
        self, table: QTableView, widest: Sequence[int], icons: Collection[int] = ()
    ) -> None:
        """``widest`` are the limits in letters, ``icons`` the columns with an icon."""
        self._table, self._icons = table, icons
        letter = table.fontMetrics().averageCharWidth()
        self._widest = [width * letter + 2 * CELL_PX for width in widest]
        self.reset()

    def reset(self) -> None:
        """Set all columns to the width of their heading, before rows of another kind."""
        columns = self._table.horizontalHeader()
        self.widths = [columns.sectionSizeHint(i) for i in range(len(self._widest))]
        for i, width in enumerate(self.widths):
            columns.resizeSection(i, width)

    def fit(self) -> None:
        """Widen columns whose first rows need it."""
        model, metrics = self._table.model(), self._table.fontMetrics()
        n_rows = min(_ROWS_MEASURED, model.rowCount())
        for i, limit in enumerate(self._widest):
            texts = (str(model.index(row, i).data() or "") for row in range(n_rows))
            needed = max(map(metrics.horizontalAdvance, texts), default=0) + 2 * CELL_PX + _SPARE_PX
            needed += _ICON_PX if i in self._icons else 0
            if (width := min(limit, needed)) > self.widths[i]:
                self.widths[i] = width
                self._table.horizontalHeader().resizeSection(i, width)


class RowTable(QTableView):
    """Table of whole rows whose columns are as wide as their contents.

    ``widest`` are the limits of the columns in letters; the first column that is not hidden also
    takes the rest of the room. ``empty`` is shown while there are no rows.
    """

    def __init__(
        self, model: QAbstractTableModel, name: str, widest: Sequence[int], empty: str = ""
    ) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        calm(self)
        pick_apart(self)
        columns = self.horizontalHeader()
        # No column until one is clicked: rows come in an order that means something.
        columns.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        columns.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        self.columns = FittedColumns(self, widest)
        self._filling = 0
        self.hint = EmptyHint(self, empty)
        model.modelReset.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fill()

    def _fit(self) -> None:
        self.columns.fit()
        self._fill()

    def _fill(self) -> None:
        columns, widths = self.horizontalHeader(), self.columns.widths
        first = next((i for i in range(len(widths)) if not columns.isSectionHidden(i)), 0)
        if first != self._filling:
            columns.resizeSection(self._filling, widths[self._filling])
            self._filling = first
        others = columns.length() - columns.sectionSize(first)
        columns.resizeSection(first, max(widths[first], self.viewport().width() - others))
