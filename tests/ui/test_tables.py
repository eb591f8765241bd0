"""Tables: heads stand over their columns."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem
from pytestqt.qtbot import QtBot

from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import CELL_PX, calm, fit_columns

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _ink(image: QImage, rows: range) -> tuple[int, int]:
    """Return the first and the last column of pixels that are not background."""
    plain = image.pixel(1, rows.start)
    found = [
        x for x in range(4, image.width() - 4) if any(image.pixel(x, y) != plain for y in rows)
    ]
    return found[0], found[-1]


@pytest.mark.parametrize("is_number", [False, True])
def test_a_head_stands_over_its_column(qtbot: QtBot, is_number: bool) -> None:
    ThemeHub("light").apply()
    table = QTableWidget(1, 1)
    qtbot.addWidget(table)
    calm(table)
    table.setHorizontalHeaderLabels(["HHH"])
    item = QTableWidgetItem("H")
    if is_number:
        item.setTextAlignment(_RIGHT)
    table.setItem(0, 0, item)
    table.resize(300, 120)
    table.show()
    table.setCurrentItem(None)
    head = table.horizontalHeader().grab().toImage()
    cell = table.viewport().grab().toImage()
    width = table.columnWidth(0)
    head, cell = (image.copy(0, 0, width, image.height()) for image in (head, cell))
    side = 1 if is_number else 0
    assert abs(_ink(head, range(4, 22))[side] - _ink(cell, range(4, 24))[side]) <= 1


@pytest.mark.parametrize("theme", ["light", "dark", "high-contrast"])
def test_heads_of_rows_have_no_lines_that_end_at_the_cells(qtbot: QtBot, theme: str) -> None:
    ThemeHub(theme).apply()
    table = QTableWidget(3, 1)
    qtbot.addWidget(table)
    calm(table)
    table.verticalHeader().show()
    table.resize(300, 200)
    table.show()
    head = table.verticalHeader().grab().toImage()
    height = table.verticalHeader().length()
    assert height > 60
    assert len({head.pixel(1, y) for y in range(height)}) == 1


def test_a_head_that_is_wider_than_its_cells_has_room(qtbot: QtBot) -> None:
    ThemeHub("light").apply()
    table = QTableWidget(1, 2)
    qtbot.addWidget(table)
    calm(table)
    table.setHorizontalHeaderLabels(["Task type", "open"])
    table.setItem(0, 1, QTableWidgetItem("4"))
    fit_columns(table)
    table.show()
    text = table.horizontalHeader().fontMetrics().horizontalAdvance("open")
    assert table.columnWidth(1) >= text + 2 * CELL_PX
