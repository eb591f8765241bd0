"""Tables with room in their cells, heads over their columns, and list items with room for them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOption,
    QTableView,
    QWidget,
)

CELL_PX: Final = 10  # between the edge of a cell and its text
_ROW_PX: Final = 28
_ITEM_ROOM_PX: Final = 8
_WIDEST_PX: Final = 340
_FIRST_PX: Final = 140  # of the column with the names
_TO_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def calm(table: QTableView) -> None:
    """Give a table rows of one height that are chosen as a whole, and no lines but its head's."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setShowGrid(False)
    rows = table.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(max(_ROW_PX, table.fontMetrics().height() + 12))
    columns = table.horizontalHeader()
    columns.setHighlightSections(False)
    columns.setDefaultAlignment(_TO_LEFT)


def fit_columns(table: QTableView) -> None:
    """Make columns as wide as what is in them, within bounds; what is left stays free."""
    table.resizeColumnsToContents()
    columns = table.horizontalHeader()
    for column in range(columns.count()):
        least = 0 if column else _FIRST_PX
        columns.resizeSection(column, min(_WIDEST_PX, max(least, columns.sectionSize(column))))


def column_alignment(widget: QWidget | None, section: int) -> Qt.AlignmentFlag | None:
    """Return how the first cell under a head is aligned; None where there is no cell."""
    if not isinstance(widget, QHeaderView) or widget.model() is None:
        return None
    if widget.orientation() != Qt.Orientation.Horizontal:
        return None
    index = widget.model().index(0, section, widget.rootIndex())
    found = index.data(Qt.ItemDataRole.TextAlignmentRole) if index.isValid() else None
    return None if found is None else Qt.AlignmentFlag(int(found))


def item_height(height: int, option: QStyleOption) -> int:
    """Return the height of an item: several lines get the room that a single one has."""
    line = option.fontMetrics.height()
    return height + _ITEM_ROOM_PX if height >= 2 * line else max(height, line + _ITEM_ROOM_PX)
