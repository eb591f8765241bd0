"""The objects panel: every track with its name, colour, eye, lock and what is left to check."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCompleter,
    QDockWidget,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from annotator.domain.ids import TrackId
from annotator.domain.recipes.recipe import Tool
from annotator.ui.actions.tool_rules import only_words
from annotator.ui.panels.list_panel import ListPanel, ListView, filtered
from annotator.ui.panels.object_rows import SORT_ROLE, TRACK_ROLE, ObjectColumn, ObjectRows
from annotator.ui.state.desk import Desk

_WIDTHS: Final = {
    ObjectColumn.NUMBER: 4,
    ObjectColumn.VISIBLE: 1,
    ObjectColumn.LOCKED: 1,
    ObjectColumn.FRAMES: 7,
    ObjectColumn.KEYS: 3,
    ObjectColumn.UNCHECKED: 3,
}


_ATTRIBUTE_LETTERS: Final = 10
_LETTERS_WITHOUT: Final = 50


class ObjectsPanel(ListPanel):
    """The list of tracks; its selection is the window's."""

    contextMenuAt = Signal(QPoint)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        self._desk = desk
        self._rows = ObjectRows(desk)
        self._sorted = filtered(self._rows, ObjectColumn.NAME)
        self._sorted.setSortRole(SORT_ROLE)
        tr = QCoreApplication.translate
        super().__init__(
            ListView(self._sorted, tr("ObjectsPanel", "Objects")),
            self._sorted,
            filter_hint=tr("ObjectsPanel", "Filter by name"),
            filter_name=tr("ObjectsPanel", "Filter objects by name"),
            parent=parent,
        )
        self._focus_before: QWidget | None = None
        self._set_up_view()
        self._rows.modelReset.connect(self._fit_attributes)
        desk.selection.changed.connect(self._show_selected_soon)
        for signal in (self._rows.modelReset, self._sorted.rowsInserted, self._sorted.rowsRemoved):
            signal.connect(self._on_rows_changed)
        self._on_rows_changed()

    def rename(self, track_id: TrackId) -> bool:
        """Let the person type a name for a track, in its row."""
        row = self._rows.row_of(track_id)
        if row is None:
            return False
        dock = self.parentWidget()
        if isinstance(dock, QDockWidget):
            # The list may lie behind another one.
            dock.show()
            dock.raise_()
        self._focus_before = QApplication.focusWidget()
        self.filter.clear()
        index = self._sorted.mapFromSource(self._rows.index(row, ObjectColumn.NAME))
        self.view.setFocus()
        # The view's own way would heed Ctrl, which is still held, and take the row out.
        keep = QItemSelectionModel.SelectionFlag.NoUpdate
        self.view.selectionModel().setCurrentIndex(index, keep)
        self.view.edit(index)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the name: what matters least goes first."""
        letters = event.size().width() / self.fontMetrics().averageCharWidth()
        self.view.setColumnHidden(ObjectColumn.FRAMES, letters < 40)
        self.view.setColumnHidden(ObjectColumn.KEYS, letters < 32)
        self._hide_attributes(letters)
        super().resizeEvent(event)

    @Slot()
    def _fit_attributes(self) -> None:
        """Give the columns of attributes, which differ from project to project, room."""
        letter = self.fontMetrics().averageCharWidth()
        header = self.view.header()
        for column in range(len(ObjectColumn), self._rows.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, _ATTRIBUTE_LETTERS * letter)
        self._hide_attributes(self.width() / letter)

    def _hide_attributes(self, letters: float) -> None:
        """Show as many attributes as leave room for the name."""
        for i, column in enumerate(range(len(ObjectColumn), self._rows.columnCount()), 1):
            room = _LETTERS_WITHOUT + i * _ATTRIBUTE_LETTERS
            self.view.setColumnHidden(column, letters < room)

    def _set_up_view(self) -> None:
        view = self.view
        view.set_widths(_WIDTHS, stretched=ObjectColumn.NAME)
        view.setSortingEnabled(True)
        view.sortByColumn(ObjectColumn.NUMBER, Qt.SortOrder.AscendingOrder)
        view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        delegate = _NameDelegate(self._desk, view)
        # The view takes the focus itself after this signal.
        queued = Qt.ConnectionType.QueuedConnection
        delegate.closeEditor.connect(self._on_editor_closed, queued)
        view.setItemDelegateForColumn(ObjectColumn.NAME, delegate)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.selectionModel().selectionChanged.connect(self._on_view_selection_changed)
        view.clicked.connect(self._on_view_clicked)
        view.customContextMenuRequested.connect(self._on_view_menu_requested)

    @Slot()
    def _on_editor_closed(self) -> None:
        """Give the focus back to where the name was asked for."""
        before, self._focus_before = self._focus_before, None
        if before is not None and before is not self.view:
            before.setFocus()

    @Slot(QPoint)
    def _on_view_menu_requested(self, at: QPoint) -> None:
        self.contextMenuAt.emit(self.view.viewport().mapToGlobal(at))

    @Slot(QModelIndex)
    def _on_view_clicked(self, index: QModelIndex) -> None:
        if index.column() in (ObjectColumn.VISIBLE, ObjectColumn.LOCKED):
            self._rows.toggle(self._sorted.mapToSource(index))

    @Slot(QItemSelection, QItemSelection)
    def _on_view_selection_changed(self, chosen: QItemSelection, _gone: QItemSelection) -> None:
        rows = self.view.selectionModel().selectedRows()
        ids = [TrackId(i.data(TRACK_ROLE)) for i in rows]
        new = {TrackId(i.data(TRACK_ROLE)) for i in chosen.indexes()}
        # What was chosen last is the primary.
        ids.sort(key=lambda t: t in new)
        self._desk.selection.set_tracks(ids)

    @Slot()
    def _on_selection_changed(self) -> None:
        rows = (self._rows.row_of(t) for t in self._desk.selection.tracks)
        places = (self._rows.index(r, ObjectColumn.NAME) for r in rows if r is not None)
        self.view.show_selected(map(self._sorted.mapFromSource, places))

    def _empty_text(self) -> str:
        if self._desk.session is None:
            return self.tr("Open a task to see its objects.")
        if self._rows.rowCount():
            return self.tr("No objects match the filter.")
        if not self._desk.session.has_tool(Tool.BOXES):
            return self.tr("This task provides no objects.\n") + only_words(
                self._desk.session.tools
            )
        return self.tr("No objects yet.\nPress B and drag a box around an object.")


class _NameDelegate(QStyledItemDelegate):
    """Edits a name with completion from the names in use."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk = desk

    def createEditor(
        self,
        parent: QWidget,
        _option: QStyleOptionViewItem,
        _index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFrame(False)
        editor.setAutoFillBackground(True)
        editor.setAccessibleName(self.tr("Object name"))
        editor.setCompleter(name_completer(self._desk, editor))
        return editor


def name_completer(desk: Desk, parent: QWidget) -> QCompleter:
    """Return a completer over the names in use, most frequent first."""
    names = desk.session.document.labels() if desk.session else []
    completer = QCompleter(names, parent)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    return completer
