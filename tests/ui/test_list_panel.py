"""The shared list view shows a selection made elsewhere, also in lists of two levels."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex
from pytestqt.qtbot import QtBot

from annotator.ui.panels.list_panel import ListView
from annotator.ui.panels.two_levels import NOWHERE, TwoLevels


class _Rows(TwoLevels):
    """Two groups with two members each."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.set_sizes([2, 2])

    def columnCount(self, _parent: QModelIndex | QPersistentModelIndex = NOWHERE) -> int:
        return 1

    def data(self, _index: QModelIndex | QPersistentModelIndex, _role: int = 0) -> object:
        return None


def test_the_same_row_of_another_group_is_another_row(qtbot: QtBot) -> None:
    parent = QObject()
    rows = _Rows(parent)
    view = ListView(rows, "rows")
    qtbot.addWidget(view)
    for group in (0, 1, 0):
        view.show_selected([rows.index(1, 0, rows.index(group, 0))])
        (selected,) = view.selectionModel().selectedRows()
        assert (selected.parent().row(), selected.row()) == (group, 1)
        assert view.currentIndex() == selected
