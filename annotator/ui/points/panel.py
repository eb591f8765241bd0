"""The points panel: the parts of the selected object, and how much of each is done."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QItemSelection, QModelIndex, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from annotator.domain.ids import PointId
from annotator.domain.recipes.recipe import Tool
from annotator.ui.actions.tool_rules import only_words
from annotator.ui.panels.list_panel import ListPanel, ListView
from annotator.ui.points.rows import POINT_ROLE, PointColumn, PointRows
from annotator.ui.state.desk import Desk

_WIDTHS: Final = {
    PointColumn.NUMBER: 4,
    PointColumn.VISIBLE: 1,
    PointColumn.LOCKED: 1,
    PointColumn.MARKS: 4,
    PointColumn.OCCLUDED: 3,
    PointColumn.LEFT: 3,
}


class PointsPanel(ListPanel):
    """The list of points; its selection is the window's."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        self._desk = desk
        self.rows = PointRows(desk)
        name = QCoreApplication.translate("PointsPanel", "Points")
        super().__init__(ListView(self.rows, name), parent=parent)
        self.view.set_widths(_WIDTHS, stretched=PointColumn.NAME)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.view.selectionModel().selectionChanged.connect(self._on_view_selection_changed)
        self.view.clicked.connect(self._on_view_clicked)
        desk.selection.changed.connect(self._on_selection_changed)
        self.rows.modelReset.connect(self._on_rows_changed)
        self._on_rows_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the name: what matters least goes first."""
        letters = event.size().width() / self.fontMetrics().averageCharWidth()
        self.view.setColumnHidden(PointColumn.OCCLUDED, letters < 36)
        self.view.setColumnHidden(PointColumn.MARKS, letters < 32)
        super().resizeEvent(event)

    @Slot(bool)
    def set_watched(self, is_watched: bool) -> None:
        """Keep the list up to date, or not: behind another one it is read when it comes forth."""
        self.rows.is_watched = is_watched

    @Slot(QModelIndex)
    def _on_view_clicked(self, index: QModelIndex) -> None:
        if index.column() in (PointColumn.VISIBLE, PointColumn.LOCKED):
            self.rows.toggle(index)

    @Slot(QItemSelection, QItemSelection)
    def _on_view_selection_changed(self, chosen: QItemSelection, _gone: QItemSelection) -> None:
        listed = self.view.selectionModel().selectedRows()
        if not listed:
            self._desk.selection.drop_points()
            return
        new = {PointId(i.data(POINT_ROLE)) for i in chosen.indexes()}
        points = sorted((self.rows.point_at(i) for i in listed), key=lambda p: p.id in new)
        # The points selected together belong to one object: that of the one chosen last.
        owner = points[-1].info.track_id
        ids = [p.id for p in points if p.info.track_id == owner]
        self._desk.selection.set_points(owner, ids)

    @Slot()
    def _on_selection_changed(self) -> None:
        rows = (self.rows.row_of(p) for p in self._desk.selection.points)
        self.view.show_selected(self.rows.index(r, PointColumn.NAME) for r in rows if r is not None)

    def _empty_text(self) -> str:
        if self._desk.session is None:
            return self.tr("Open a task to see its points.")
        if not self._desk.session.has_tool(Tool.POINTS):
            return self.tr("This task provides no points.\n") + only_words(self._desk.session.tools)
        if self._desk.selection.primary is None:
            return self.tr("No points yet.\nSelect an object, press P and click one of its parts.")
        return self.tr("No points on this object.\nPress P and click one of its parts.")
