"""The points panel: the parts of the selected object, and how much of each is done."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QSignalBlocker,
    Qt,
    Slot,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QStackedLayout,
    QTreeView,
    QWidget,
)

from annotator.domain.ids import PointId
from annotator.ui.desk import Desk
from annotator.ui.points.rows import POINT_ROLE, Column, PointRows

_WIDTHS: Final = {
    Column.NUMBER: 4,
    Column.VISIBLE: 1,
    Column.LOCKED: 1,
    Column.MARKS: 4,
    Column.OCCLUDED: 3,
    Column.LEFT: 3,
}


class PointsPanel(QWidget):
    """The list of points; its selection is the window's."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.rows = PointRows(desk)
        self.view = self._new_view()
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setMargin(16)
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(6, 6, 6, 6)
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._empty)
        desk.selection.changed.connect(self._on_selection_changed)
        self.rows.modelReset.connect(self._on_rows_changed)
        self._on_rows_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the name: what matters least goes first."""
        letters = event.size().width() / self.fontMetrics().averageCharWidth()
        self.view.setColumnHidden(Column.OCCLUDED, letters < 36)
        self.view.setColumnHidden(Column.MARKS, letters < 32)
        super().resizeEvent(event)

    def _new_view(self) -> QTreeView:
        view = _PointsView()
        view.setModel(self.rows)
        view.setAccessibleName(self.tr("Points"))
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setAllColumnsShowFocus(True)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        header = view.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(24)
        letter = view.fontMetrics().averageCharWidth()
        for column, letters in _WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, 20 + letters * letter)
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        view.selectionModel().selectionChanged.connect(self._on_view_selection_changed)
        view.clicked.connect(self._on_view_clicked)
        return view

    @Slot(QModelIndex)
    def _on_view_clicked(self, index: QModelIndex) -> None:
        if index.column() in (Column.VISIBLE, Column.LOCKED):
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
        wanted, last = QItemSelection(), QModelIndex()
        for point_id in self._desk.selection.points:
            row = self.rows.row_of(point_id)
            if row is not None:
                last = self.rows.index(row, Column.NAME)
                wanted.select(last, last)
        model = self.view.selectionModel()
        with QSignalBlocker(model):
            model.select(
                wanted,
                QItemSelectionModel.SelectionFlag.ClearAndSelect
                | QItemSelectionModel.SelectionFlag.Rows,
            )
            if last.isValid():
                model.setCurrentIndex(last, QItemSelectionModel.SelectionFlag.NoUpdate)
        if last.isValid():
            self.view.scrollTo(last)
        # The view did not hear of it: its model was silent.
        self.view.viewport().update()

    @Slot()
    def _on_rows_changed(self) -> None:
        self._on_selection_changed()
        if self.rows.rowCount():
            self._pages.setCurrentWidget(self.view)
            return
        if self._desk.session is None:
            text = self.tr("Open a task to see its points.")
        elif self._desk.selection.primary is None:
            text = self.tr("No points yet.\nSelect an object, press P and click one of its parts.")
        else:
            text = self.tr("No points on this object.\nPress P and click one of its parts.")
        self._empty.setText(text)
        self._pages.setCurrentWidget(self._empty)


class _PointsView(QTreeView):
    """A list that leaves letters to the actions instead of searching by them."""

    def keyboardSearch(self, _text: str) -> None:
        return
