"""The panel Objects: a list of the objects with their points; its selection is the window's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
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

from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.track import Track
from annotator.domain.ids import PointId, TrackId
from annotator.domain.recipes.recipe import Tool
from annotator.ui.actions.conditions import only_words
from annotator.ui.panels.list_panel import ListPanel, ListView, filtered
from annotator.ui.panels.object_rows import SORT_ROLE, ObjectColumn, ObjectRows
from annotator.ui.panels.two_levels import AnyIndex
from annotator.ui.state.workspace import Workspace

_WIDTHS: Final = {
    ObjectColumn.NUMBER: 4,
    ObjectColumn.VISIBLE: 1,
    ObjectColumn.LOCKED: 1,
    ObjectColumn.FRAMES: 7,
    ObjectColumn.KEYS: 3,
    ObjectColumn.OCCLUDED: 3,
    ObjectColumn.UNCHECKED: 3,
}
_ATTRIBUTE_LETTERS: Final = 10
# From which widths on frames, keyframes, occluded frames and attributes are shown.
_LETTERS: Final = (40, 32, 0, 50)
_LETTERS_WITH_POINTS: Final = (68, 42, 60, 78)
_INDENT_PX: Final = 14


class ObjectsPanel(ListPanel):
    """The list. An object that is selected shows its points, unless the person closed it."""

    contextMenuAt = Signal(QPoint)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        self._workspace = workspace
        self._rows = ObjectRows(workspace)
        self._sorted = filtered(self._rows, ObjectColumn.NAME)
        self._sorted.setSortRole(SORT_ROLE)
        self._sorted.setRecursiveFilteringEnabled(True)
        self._sorted.setAutoAcceptChildRows(True)
        tr = QCoreApplication.translate
        super().__init__(
            ListView(self._sorted, tr("ObjectsPanel", "Objects")),
            self._sorted,
            filter_hint=tr("ObjectsPanel", "Filter by name"),
            filter_name=tr("ObjectsPanel", "Filter objects by name"),
            parent=parent,
        )
        self._focus_before: QWidget | None = None
        self._typed: tuple[TrackId | PointId, str | None, int] | None = None
        self._opened: set[TrackId] = set()
        self._closed: set[TrackId] = set()
        self._set_up_view()
        self._rows.modelAboutToBeReset.connect(self._note_typing)
        self._rows.modelReset.connect(self._fit_columns)
        workspace.selection.changed.connect(self._show_selected_soon)
        for signal in (self._rows.modelReset, self._sorted.rowsInserted, self._sorted.rowsRemoved):
            signal.connect(self._on_rows_changed)
        self._rows.modelReset.connect(self._resume_typing)
        self._fit_columns()
        self._on_rows_changed()

    def rename(self, track_id: TrackId) -> bool:
        """Let the person type a name for a track, in its row."""
        row = self._rows.index_of(track_id)
        if not row.isValid():
            return False
        dock = self.parentWidget()
        if isinstance(dock, QDockWidget):
            # The list may lie behind another one.
            dock.show()
            dock.raise_()
        self._focus_before = QApplication.focusWidget()
        self.filter.clear()
        index = self._sorted.mapFromSource(row)
        self.view.setFocus()
        self._edit(index)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the name: what matters least goes first."""
        self._hide_columns(event.size().width() / self.fontMetrics().averageCharWidth())
        super().resizeEvent(event)

    @Slot()
    def _fit_columns(self) -> None:
        """Make room for points, and for attributes, which differ from project to project."""
        letter = self.fontMetrics().averageCharWidth()
        header = self.view.header()
        for column in range(len(ObjectColumn), self._rows.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, _ATTRIBUTE_LETTERS * letter)
        if self.view.rootIsDecorated() != self._rows.has_points:
            self.view.setRootIsDecorated(self._rows.has_points)
            indent = 2 * _INDENT_PX * (1 if self._rows.has_points else -1)
            number = header.sectionSize(ObjectColumn.NUMBER)
            header.resizeSection(ObjectColumn.NUMBER, number + indent)
        self._hide_columns(self.width() / letter)

    def _hide_columns(self, letters: float) -> None:
        """Keep room for the name: what matters least goes first."""
        has_points = self._rows.has_points
        frames, keys, occluded, attributes = _LETTERS_WITH_POINTS if has_points else _LETTERS
        self.view.setColumnHidden(ObjectColumn.FRAMES, letters < frames)
        self.view.setColumnHidden(ObjectColumn.KEYS, letters < keys)
        self.view.setColumnHidden(ObjectColumn.OCCLUDED, not has_points or letters < occluded)
        for i, column in enumerate(range(len(ObjectColumn), self._rows.columnCount()), 1):
            self.view.setColumnHidden(column, letters < attributes + i * _ATTRIBUTE_LETTERS)

    def _set_up_view(self) -> None:
        view = self.view
        view.set_widths(_WIDTHS, stretched=ObjectColumn.NAME)
        view.setIndentation(_INDENT_PX)
        view.setSortingEnabled(True)
        view.sortByColumn(ObjectColumn.NUMBER, Qt.SortOrder.AscendingOrder)
        view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        delegate = _NameDelegate(self._workspace, self._is_object, view)
        # The view takes the focus itself after this signal.
        queued = Qt.ConnectionType.QueuedConnection
        delegate.closeEditor.connect(self._on_editor_closed, queued)
        view.setItemDelegateForColumn(ObjectColumn.NAME, delegate)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.selectionModel().selectionChanged.connect(self._on_view_selection_changed)
        view.clicked.connect(self._on_view_clicked)
        view.expanded.connect(self._on_expanded)
        view.collapsed.connect(self._on_collapsed)
        view.customContextMenuRequested.connect(self._on_view_menu_requested)

    @Slot()
    def _on_editor_closed(self) -> None:
        """Give the focus back to where the name was asked for."""
        before, self._focus_before = self._focus_before, None
        if before is not None and before is not self.view:
            before.setFocus()

    def _editor(self) -> QLineEdit | None:
        """Return the field in which a name is being typed."""
        fields = self.view.viewport().findChildren(QLineEdit)
        return next((field for field in fields if field.isVisible()), None)

    @Slot()
    def _note_typing(self) -> None:
        """Close the field before rows are listed anew, and note what has been typed."""
        editor, self._typed = self._editor(), None
        if editor is not None:
            tracks, points = self._items([self.view.currentIndex()])
            ids = [track.id for track in tracks] + [point.id for point in points]
            if ids:
                text = editor.text() if editor.isModified() else None
                self._typed = ids[0], text, editor.cursorPosition()
            self.view.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)

    @Slot()
    def _resume_typing(self) -> None:
        """Open the field again, with what has been typed."""
        if self._typed is None:
            return
        (item_id, text, position), self._typed = self._typed, None
        index = self._sorted.mapFromSource(self._rows.index_of(item_id))
        if not index.isValid():
            self._on_editor_closed()
            return
        self._edit(index)
        if text is not None and (editor := self._editor()) is not None:
            editor.setText(text)
            editor.setModified(True)
            editor.setCursorPosition(position)

    def _edit(self, index: QModelIndex) -> None:
        # The view's own way would heed Ctrl, which is still held, and take the row out.
        keep = QItemSelectionModel.SelectionFlag.NoUpdate
        self.view.selectionModel().setCurrentIndex(index, keep)
        self.view.edit(index)

    @Slot(QPoint)
    def _on_view_menu_requested(self, at: QPoint) -> None:
        self.contextMenuAt.emit(self.view.viewport().mapToGlobal(at))

    @Slot(QModelIndex)
    def _on_view_clicked(self, index: QModelIndex) -> None:
        if index.column() in (ObjectColumn.VISIBLE, ObjectColumn.LOCKED):
            self._rows.toggle(self._sorted.mapToSource(index))

    @Slot(QItemSelection, QItemSelection)
    def _on_view_selection_changed(self, chosen: QItemSelection, _gone: QItemSelection) -> None:
        tracks, points = self._items(self.view.selectionModel().selectedRows(ObjectColumn.NAME))
        new_tracks, new_points = (
            {item.id for item in items} for items in self._items(chosen.indexes())
        )
        # The one selected last is the primary one, and says whether objects or points are selected.
        if points and not new_tracks and (new_points or not tracks):
            points.sort(key=lambda point: point.id in new_points)
            owner = points[-1].info.track_id
            # The points selected together belong to one object.
            ids = [point.id for point in points if point.info.track_id == owner]
            self._workspace.selection.set_points(owner, ids)
            return
        tracks.sort(key=lambda track: track.id in new_tracks)
        self._workspace.selection.set_tracks(track.id for track in tracks)

    def _is_object(self, index: AnyIndex) -> bool:
        return self._rows.track_at(self._sorted.mapToSource(index)) is not None

    def _items(self, indexes: Iterable[QModelIndex]) -> tuple[list[Track], list[PointTrack]]:
        """Return the objects and the points of cells of the list, each once."""
        rows = [self._sorted.mapToSource(i) for i in indexes if i.column() == ObjectColumn.NAME]
        tracks = [track for row in rows if (track := self._rows.track_at(row)) is not None]
        points = [point for row in rows if (point := self._rows.point_at(row)) is not None]
        return tracks, points

    @Slot()
    def _on_selection_changed(self) -> None:
        selection = self._workspace.selection
        primary = selection.primary
        if primary is not None and primary not in self._closed:
            self._opened.add(primary)
            self._expand(primary)
        items = selection.points or selection.tracks
        places = (self._sorted.mapFromSource(self._rows.index_of(item)) for item in items)
        self.view.show_selected(places)

    @Slot()
    def _on_rows_changed(self) -> None:
        for track_id in self._opened:
            self._expand(track_id)
        super()._on_rows_changed()

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        # What matches may be a point. This does not count as opened by the person.
        with QSignalBlocker(self.view):
            self.view.collapseAll()
            super()._on_filter_changed(text)
            if text:
                self.view.expandAll()

    def _expand(self, track_id: TrackId) -> None:
        index = self._sorted.mapFromSource(self._rows.index_of(track_id, ObjectColumn.NUMBER))
        if index.isValid() and not self.view.isExpanded(index) and self._sorted.hasChildren(index):
            self.view.expand(index)

    @Slot(QModelIndex)
    def _on_expanded(self, index: QModelIndex) -> None:
        self._keep(index, self._opened, self._closed)

    @Slot(QModelIndex)
    def _on_collapsed(self, index: QModelIndex) -> None:
        self._keep(index, self._closed, self._opened)

    def _keep(self, index: QModelIndex, now: set[TrackId], before: set[TrackId]) -> None:
        """Remember what the person opened and closed, also when rows are listed again."""
        track = self._rows.track_at(self._sorted.mapToSource(index))
        if track is not None:
            now.add(track.id)
            before.discard(track.id)

    def _empty_text(self) -> str:
        if self._workspace.session is None:
            return self.tr("Open a task to see its objects.")
        if self._rows.rowCount():
            return self.tr("No objects match the filter.")
        if not self._workspace.session.has_tool(Tool.BOXES):
            if self._workspace.session.has_tool(Tool.POINTS):
                return self.tr("No points yet.\nPress P and click a part of an object.")
            return self.tr("This task provides no objects.\n") + only_words(
                self._workspace.session.tools
            )
        return self.tr("No objects yet.\nPress B and drag a box around an object.")


class _NameDelegate(QStyledItemDelegate):
    """Edits a name; that of an object with completion from the names in use."""

    def __init__(
        self, workspace: Workspace, is_object: Callable[[AnyIndex], bool], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._is_object = is_object

    def createEditor(
        self,
        parent: QWidget,
        _option: QStyleOptionViewItem,
        index: AnyIndex,
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFrame(False)
        editor.setAutoFillBackground(True)
        is_object = self._is_object(index)
        editor.setAccessibleName(self.tr("Object name") if is_object else self.tr("Point name"))
        if is_object:
            editor.setCompleter(name_completer(self._workspace, editor))
        return editor

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        """Show the name, but not over one that is being typed when its row changes."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)


def name_completer(workspace: Workspace, parent: QWidget) -> QCompleter:
    """Return a completer over the names in use, most frequent first."""
    names = workspace.session.document.labels() if workspace.session else []
    completer = QCompleter(names, parent)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    return completer
