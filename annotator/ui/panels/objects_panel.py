"""The panel Objects: every track with name, color, visibility, lock and open proposals.

After the columns of every track comes one for each attribute that is defined for objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
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
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QResizeEvent
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

from annotator.domain.annotation.attributes import Attribute
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.track import Track, unchecked_grid_frames
from annotator.domain.commands import SetTrack
from annotator.domain.ids import TrackId
from annotator.domain.proposals.model_predictions import model_of, score_of
from annotator.domain.recipes.recipe import Tool
from annotator.ui.actions.conditions import only_words
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.panels.attribute_fields import attribute_text, object_attributes
from annotator.ui.panels.list_panel import ListPanel, ListView, filtered
from annotator.ui.state.workspace import Workspace

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
TRACK_ROLE: Final = Qt.ItemDataRole.UserRole
SORT_ROLE: Final = Qt.ItemDataRole.UserRole + 1


class ObjectColumn(IntEnum):
    """Columns of the panel."""

    NUMBER = 0
    NAME = 1
    VISIBLE = 2
    LOCKED = 3
    FRAMES = 4
    KEYS = 5
    UNCHECKED = 6


_HEADS: Final = {
    ObjectColumn.NUMBER: ("No.", "Number and color"),
    ObjectColumn.NAME: ("Name", "Name; double-click to edit it"),
    ObjectColumn.VISIBLE: ("", "Shown in the video"),
    ObjectColumn.LOCKED: ("", "Locked objects cannot be edited."),
    ObjectColumn.FRAMES: ("Frames", "First and last keyframe"),
    ObjectColumn.KEYS: ("", "Number of keyframes"),
    ObjectColumn.UNCHECKED: ("", "Unchecked grid frames"),
}
_HEAD_ICONS: Final = {
    ObjectColumn.VISIBLE: "eye",
    ObjectColumn.LOCKED: "lock",
    ObjectColumn.KEYS: "key",
    ObjectColumn.UNCHECKED: "grid",
}
_COLUMNS: Final = tuple(ObjectColumn)
_TEXTS: Final = frozenset({Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole})
_TIPS: Final = frozenset({Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole})
_DECORATION: Final = Qt.ItemDataRole.DecorationRole
_FOREGROUND: Final = Qt.ItemDataRole.ForegroundRole
_ALIGNMENT: Final = Qt.ItemDataRole.TextAlignmentRole
_ANSWERED: Final = _TEXTS | _TIPS | {_DECORATION, _FOREGROUND, _ALIGNMENT, TRACK_ROLE, SORT_ROLE}
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class _Row:
    track: Track
    grid_step: int
    n_frames: int

    @cached_property
    def unchecked(self) -> int:
        """Unchecked grid frames; counted for visible rows only."""
        left = unchecked_grid_frames(self.track, step=self.grid_step, n_frames=self.n_frames)
        return len(left)


class ObjectRows(QAbstractTableModel):
    """One row per track; only rows that an edit touched are read again."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._ids: list[TrackId] = []
        self._rows: dict[TrackId, _Row] = {}
        self._swatches: dict[tuple[str, str], QIcon] = {}
        self._attributes: tuple[Attribute, ...] = ()
        workspace.stageChanged.connect(self.reload)
        workspace.edited.connect(self._on_edited)
        workspace.hub.changed.connect(self._on_theme_changed)
        self.reload()

    def row_of(self, track_id: TrackId) -> int | None:
        """Return the row of a track; None where it is not listed."""
        return self._ids.index(track_id) if track_id in self._rows else None

    @Slot()
    def reload(self) -> None:
        """List the tracks again; one that is the same as before needs no counting."""
        self.beginResetModel()
        self._attributes = object_attributes(self._workspace)
        session, old = self._workspace.session, self._rows
        tracks = session.document.tracks if session else ()
        self._ids = [t.id for t in tracks]
        self._rows = {
            t.id: row if (row := old.get(t.id)) is not None and row.track is t else self._read(t)
            for t in tracks
        }
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(ObjectColumn) + len(self._attributes)

    def _attribute(self, column: int) -> Attribute | None:
        """Return the attribute of a column, None for those of every track."""
        at = column - len(ObjectColumn)
        return self._attributes[at] if 0 <= at < len(self._attributes) else None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if (attribute := self._attribute(section)) is not None:
            title_data = {Qt.ItemDataRole.DisplayRole: attribute.title}
            title_data |= dict.fromkeys(_TIPS, plain_tip(attribute.help or attribute.title))
            return title_data.get(Qt.ItemDataRole(role))
        column = ObjectColumn(section)
        text, tip = _HEADS[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.tr(text) if text else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.tr(tip)
        if role == Qt.ItemDataRole.DecorationRole:
            icon = _HEAD_ICONS.get(column)
            return self._workspace.hub.theme.icon(icon, token="text_dim") if icon else None
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        row = self._rows[self._ids[index.row()]]
        may_edit = self._workspace.may_change(Tool.BOXES) and not row.track.info.is_locked
        if index.column() == ObjectColumn.NAME and may_edit:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        # A list asks for a dozen roles of each cell it paints; of most there is nothing to say.
        if role not in _ANSWERED or not index.isValid():
            return None
        row = self._rows[self._ids[index.row()]]
        if (attribute := self._attribute(index.column())) is not None:
            return self._of_attribute(row.track, attribute, role)
        column = _COLUMNS[index.column()]
        if role in _TEXTS:
            return self._text(row, column)
        if role == _DECORATION:
            return self._picture(row, column)
        if role == _FOREGROUND:
            is_faint = (
                row.track.info.is_hidden
                or row.track.is_proposed
                or column not in (ObjectColumn.NAME, ObjectColumn.NUMBER)
            )
            return self._workspace.hub.theme.color("text_dim") if is_faint else None
        if role == _ALIGNMENT:
            return _RIGHT if column in (ObjectColumn.KEYS, ObjectColumn.UNCHECKED) else None
        if role == TRACK_ROLE:
            return row.track.id
        if role == SORT_ROLE:
            return self._sort_key(row, column)
        text = self._tip(row, column)
        return plain_tip(text) if text and role == Qt.ItemDataRole.ToolTipRole else text

    def _of_attribute(self, track: Track, attribute: Attribute, role: int) -> object:
        """Return what a cell of an attribute shows: its values in the order of time."""
        if role == TRACK_ROLE:
            return track.id
        if role == _FOREGROUND:
            return self._workspace.hub.theme.color("text_dim")
        if role not in _TEXTS | _TIPS and role != SORT_ROLE:
            return None
        text = attribute_text(attribute, track.label, track.info.attributes)
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Rename a track together with all other selected ones.

        A refused name is said and leaves the old one.
        """
        if role != Qt.ItemDataRole.EditRole or index.column() != ObjectColumn.NAME:
            return False
        return self._workspace.rename(self._ids[index.row()], str(value))

    def toggle(self, index: AnyIndex) -> None:
        """Switch the eye or the lock of a row."""
        info = self._rows[self._ids[index.row()]].track.info
        if index.column() == ObjectColumn.VISIBLE:
            self._workspace.run(SetTrack(info.id, is_hidden=not info.is_hidden))
        elif index.column() == ObjectColumn.LOCKED:
            self._workspace.run(SetTrack(info.id, is_locked=not info.is_locked))

    def _text(self, row: _Row, column: ObjectColumn) -> str | None:
        track = row.track
        if column is ObjectColumn.NUMBER:
            return str(track.info.number)
        if column is ObjectColumn.NAME:
            return track.label
        if column is ObjectColumn.FRAMES and track.is_proposed:
            return _proposed_text(track)
        if column is ObjectColumn.FRAMES:
            return f"{track.first_frame}–{track.last_frame}" if track.frames else "–"
        if column is ObjectColumn.KEYS:
            return str(len(track.frames))
        if column is ObjectColumn.UNCHECKED and track.is_proposed:
            return "–"
        if column is ObjectColumn.UNCHECKED:
            return str(row.unchecked) if row.unchecked else "✓"
        return None

    def _picture(self, row: _Row, column: ObjectColumn) -> QIcon | None:
        theme = self._workspace.hub.theme
        info = row.track.info
        if column is ObjectColumn.NUMBER:
            return self._swatch(theme.object_color(info.color), theme.color("border_strong"))
        if column is ObjectColumn.VISIBLE:
            token = "text_dim" if info.is_hidden else "text"
            return theme.icon("eye-off" if info.is_hidden else "eye", token=token)
        if column is ObjectColumn.LOCKED:
            # The open lock is faint, because only locked objects matter.
            token = "text" if info.is_locked else "text_disabled"
            return theme.icon("lock" if info.is_locked else "unlock", token=token)
        return None

    def _tip(self, row: _Row, column: ObjectColumn) -> str:
        track = row.track
        if column is ObjectColumn.VISIBLE:
            return self.tr("Hidden") if track.info.is_hidden else self.tr("Shown")
        if column is ObjectColumn.LOCKED:
            return self.tr("Locked") if track.info.is_locked else self.tr("Not locked")
        if column is ObjectColumn.UNCHECKED:
            many = self.tr("{n} unchecked grid frames")
            return counted(row.unchecked, self.tr("1 unchecked grid frame"), many)
        if column is ObjectColumn.KEYS:
            return counted(len(track.frames), self.tr("1 keyframe"), self.tr("{n} keyframes"))
        return self._text(row, column) or ""

    def _sort_key(self, row: _Row, column: ObjectColumn) -> int | str:
        track = row.track
        keys: dict[ObjectColumn, int | str] = {
            ObjectColumn.NUMBER: track.info.number,
            ObjectColumn.NAME: track.label.casefold(),
            ObjectColumn.VISIBLE: int(track.info.is_hidden),
            ObjectColumn.LOCKED: int(track.info.is_locked),
            ObjectColumn.FRAMES: track.first_frame or 0,
            ObjectColumn.KEYS: len(track.frames),
            ObjectColumn.UNCHECKED: row.unchecked,
        }
        return keys[column]

    def _swatch(self, fill: QColor, edge: QColor) -> QIcon:
        key = (fill.name(), edge.name())
        if key not in self._swatches:
            pixmap = QPixmap(32, 32)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(fill)
            painter.setPen(edge)
            painter.drawRoundedRect(3, 3, 26, 26, 5, 5)
            painter.end()
            icon = QIcon(pixmap)
            icon.addPixmap(pixmap, QIcon.Mode.Selected)
            self._swatches[key] = icon
        return self._swatches[key]

    def _read(self, track: Track) -> _Row:
        session = self._workspace.session
        assert session is not None
        video = session.document.video
        return _Row(track, video.grid_step, video.n_frames)

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        session = self._workspace.session
        if session is None or not changes.track_ids:
            return
        for track_id in changes.track_ids:
            track = session.document.find_track(track_id)
            if (track is None) != (track_id not in self._rows):
                self.reload()
                return
        for track_id in changes.track_ids & self._rows.keys():
            self._rows[track_id] = self._read(session.document.track(track_id))
            row = self._ids.index(track_id)
            last = self.columnCount() - 1
            self.dataChanged.emit(self.index(row, 0), self.index(row, last))

    @Slot()
    def _on_theme_changed(self) -> None:
        last = self.columnCount() - 1
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, last))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)


def _proposed_text(track: Track) -> str:
    """Return the model that proposed an object, and its mean score."""
    score, model = score_of(track.info.extra), model_of(track.info.extra)
    return model if score is None else f"{model} · {100 * score:.0f} %"


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

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        self._workspace = workspace
        self._rows = ObjectRows(workspace)
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
        workspace.selection.changed.connect(self._show_selected_soon)
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
        delegate = _NameDelegate(self._workspace, view)
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
        # The last selected object is the primary one.
        ids.sort(key=lambda t: t in new)
        self._workspace.selection.set_tracks(ids)

    @Slot()
    def _on_selection_changed(self) -> None:
        rows = (self._rows.row_of(t) for t in self._workspace.selection.tracks)
        places = (self._rows.index(r, ObjectColumn.NAME) for r in rows if r is not None)
        self.view.show_selected(map(self._sorted.mapFromSource, places))

    def _empty_text(self) -> str:
        if self._workspace.session is None:
            return self.tr("Open a task to see its objects.")
        if self._rows.rowCount():
            return self.tr("No objects match the filter.")
        if not self._workspace.session.has_tool(Tool.BOXES):
            return self.tr("This task provides no objects.\n") + only_words(
                self._workspace.session.tools
            )
        return self.tr("No objects yet.\nPress B and drag a box around an object.")


class _NameDelegate(QStyledItemDelegate):
    """Edits a name with completion from the names in use."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace = workspace

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
        editor.setCompleter(name_completer(self._workspace, editor))
        return editor


def name_completer(workspace: Workspace, parent: QWidget) -> QCompleter:
    """Return a completer over the names in use, most frequent first."""
    names = workspace.session.document.labels() if workspace.session else []
    completer = QCompleter(names, parent)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    return completer
