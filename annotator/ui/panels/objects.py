"""The objects panel: every track with its name, colour, eye, lock and what is left to check."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSignalBlocker,
    QSortFilterProxyModel,
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
    QLabel,
    QLineEdit,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import TrackId
from annotator.ui.desk import Desk
from annotator.ui.panels.object_rows import SORT_ROLE, TRACK_ROLE, Column, ObjectRows

_WIDTHS: Final = {
    Column.NUMBER: 4,
    Column.VISIBLE: 1,
    Column.LOCKED: 1,
    Column.FRAMES: 7,
    Column.KEYS: 3,
    Column.UNCHECKED: 3,
}


class ObjectsPanel(QWidget):
    """The list of tracks; its selection is the window's."""

    contextMenuAt = Signal(QPoint)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._rows = ObjectRows(desk)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._rows)
        self._sorted.setSortRole(SORT_ROLE)
        self._sorted.setFilterKeyColumn(Column.NAME)
        self._sorted.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter by name"))
        self.filter.setAccessibleName(self.tr("Filter objects by name"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter_changed)
        self.view = self._new_view()
        self._focus_before: QWidget | None = None
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setMargin(16)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.filter)
        layout.addLayout(self._pages, 1)
        desk.selection.changed.connect(self._on_selection_changed)
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
        index = self._sorted.mapFromSource(self._rows.index(row, Column.NAME))
        self.view.setFocus()
        # The view's own way would heed Ctrl, which is still held, and take the row out.
        keep = QItemSelectionModel.SelectionFlag.NoUpdate
        self.view.selectionModel().setCurrentIndex(index, keep)
        self.view.edit(index)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the name: what matters least goes first."""
        letters = event.size().width() / self.fontMetrics().averageCharWidth()
        self.view.setColumnHidden(Column.FRAMES, letters < 40)
        self.view.setColumnHidden(Column.KEYS, letters < 32)
        super().resizeEvent(event)

    def _new_view(self) -> QTreeView:
        view = _ObjectsView()
        view.setModel(self._sorted)
        view.setAccessibleName(self.tr("Objects"))
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setAllColumnsShowFocus(True)
        view.setSortingEnabled(True)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.sortByColumn(Column.NUMBER, Qt.SortOrder.AscendingOrder)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        delegate = _NameDelegate(self._desk, view)
        # The view takes the focus itself after this signal.
        queued = Qt.ConnectionType.QueuedConnection
        delegate.closeEditor.connect(self._on_editor_closed, queued)
        view.setItemDelegateForColumn(Column.NAME, delegate)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
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
        view.customContextMenuRequested.connect(self._on_view_menu_requested)
        return view

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
        if index.column() in (Column.VISIBLE, Column.LOCKED):
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
        wanted = QItemSelection()
        last = QModelIndex()
        for track_id in self._desk.selection.tracks:
            row = self._rows.row_of(track_id)
            if row is None:
                continue
            last = self._sorted.mapFromSource(self._rows.index(row, Column.NAME))
            if last.isValid():
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

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        self._sorted.setFilterFixedString(text)
        self._on_rows_changed()

    @Slot()
    def _on_rows_changed(self) -> None:
        self._on_selection_changed()
        if self._sorted.rowCount():
            self._pages.setCurrentWidget(self.view)
            return
        if self._desk.session is None:
            text = self.tr("Open a task to see its objects.")
        elif self._rows.rowCount():
            text = self.tr("No object has this in its name.")
        else:
            text = self.tr("No objects yet.\nPress B and drag a box round an object.")
        self._empty.setText(text)
        self._pages.setCurrentWidget(self._empty)


class _ObjectsView(QTreeView):
    """A list that leaves letters to the actions instead of searching by them."""

    def keyboardSearch(self, _text: str) -> None:
        return


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
        editor.setAccessibleName(self.tr("Name of the object"))
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
