"""The rows of the objects panel: every track of the draft, read from the document on demand.

After the columns of every track comes one for each attribute that is defined for objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Slot,
)
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from annotator.domain.annotation.attributes import Attribute
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.track import Track, unchecked_grid_frames
from annotator.domain.commands import SetTrack
from annotator.domain.ids import TrackId
from annotator.domain.proposals.predicted import model_of, score_of
from annotator.domain.recipes.recipe import Tool
from annotator.ui.look.plain import tip as plain_tip
from annotator.ui.look.words import counted
from annotator.ui.panels.attribute_fields import attribute_text, object_attributes
from annotator.ui.state.desk import Desk

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
        """Grid frames left; counted once somebody looks, which is only at the rows in sight."""
        left = unchecked_grid_frames(self.track, step=self.grid_step, n_frames=self.n_frames)
        return len(left)


class ObjectRows(QAbstractTableModel):
    """One row per track; only the rows that an edit touched are told anew."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._ids: list[TrackId] = []
        self._rows: dict[TrackId, _Row] = {}
        self._swatches: dict[tuple[str, str], QIcon] = {}
        self._attributes: tuple[Attribute, ...] = ()
        desk.stageChanged.connect(self.reload)
        desk.edited.connect(self._on_desk_edited)
        desk.hub.changed.connect(self._on_theme_changed)
        self.reload()

    def row_of(self, track_id: TrackId) -> int | None:
        """Return the row of a track; None where it is not listed."""
        return self._ids.index(track_id) if track_id in self._rows else None

    @Slot()
    def reload(self) -> None:
        """List the tracks again; one that is the same as before needs no counting."""
        self.beginResetModel()
        self._attributes = object_attributes(self._desk)
        session, old = self._desk.session, self._rows
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
            shown = {Qt.ItemDataRole.DisplayRole: attribute.title}
            shown |= dict.fromkeys(_TIPS, plain_tip(attribute.help or attribute.title))
            return shown.get(Qt.ItemDataRole(role))
        column = ObjectColumn(section)
        text, tip = _HEADS[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.tr(text) if text else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.tr(tip)
        if role == Qt.ItemDataRole.DecorationRole:
            icon = _HEAD_ICONS.get(column)
            return self._desk.hub.theme.icon(icon, token="text_dim") if icon else None
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        row = self._rows[self._ids[index.row()]]
        may_edit = self._desk.may_change(Tool.BOXES) and not row.track.info.is_locked
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
            return self._desk.hub.theme.color("text_dim") if is_faint else None
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
            return self._desk.hub.theme.color("text_dim")
        if role not in _TEXTS | _TIPS and role != SORT_ROLE:
            return None
        text = attribute_text(attribute, track.label, track.info.attributes)
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Rename a track, with all others that are selected beside it.

        A refused name is said and leaves the old one.
        """
        if role != Qt.ItemDataRole.EditRole or index.column() != ObjectColumn.NAME:
            return False
        return self._desk.rename(self._ids[index.row()], str(value))

    def toggle(self, index: AnyIndex) -> None:
        """Switch the eye or the lock of a row."""
        info = self._rows[self._ids[index.row()]].track.info
        if index.column() == ObjectColumn.VISIBLE:
            self._desk.run(SetTrack(info.id, is_hidden=not info.is_hidden))
        elif index.column() == ObjectColumn.LOCKED:
            self._desk.run(SetTrack(info.id, is_locked=not info.is_locked))

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
        theme = self._desk.hub.theme
        info = row.track.info
        if column is ObjectColumn.NUMBER:
            return self._swatch(theme.object_color(info.color), theme.color("border_strong"))
        if column is ObjectColumn.VISIBLE:
            token = "text_dim" if info.is_hidden else "text"
            return theme.icon("eye-off" if info.is_hidden else "eye", token=token)
        if column is ObjectColumn.LOCKED:
            # The open lock is faint: only what is locked calls for attention.
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
        session = self._desk.session
        assert session is not None
        video = session.document.video
        return _Row(track, video.grid_step, video.n_frames)

    @Slot(object)
    def _on_desk_edited(self, changes: ChangeSet) -> None:
        session = self._desk.session
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
