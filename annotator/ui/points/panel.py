"""The points panel: the points of the selected objects, and how much of each is marked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Slot,
)
from PySide6.QtGui import QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.point_track import NO_MARK, OCCLUDED_BIT, PointTrack
from annotator.domain.commands import SetPointInfo
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId
from annotator.domain.recipes.recipe import Tool
from annotator.ui.actions.conditions import only_words
from annotator.ui.canvas.model.point_marks import Dot, DotLook
from annotator.ui.canvas.painting.point_painter import draw_dot
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.panels.list_panel import ListPanel, ListView
from annotator.ui.state.workspace import Workspace

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
POINT_ROLE: Final = Qt.ItemDataRole.UserRole


class PointColumn(IntEnum):
    """Columns of the panel."""

    NUMBER = 0
    NAME = 1
    VISIBLE = 2
    LOCKED = 3
    MARKS = 4
    OCCLUDED = 5
    LEFT = 6


_HEADS: Final = {
    PointColumn.NUMBER: ("No.", "Number and shape", ""),
    PointColumn.NAME: ("Name", "Part of the object; double-click to edit it", ""),
    PointColumn.VISIBLE: ("", "Shown in the video", "eye"),
    PointColumn.LOCKED: ("", "Locked points cannot be edited.", "lock"),
    PointColumn.MARKS: ("", "Annotated frames", "key"),
    PointColumn.OCCLUDED: ("", "Frames where the point is occluded", "occluded"),
    PointColumn.LEFT: (
        "",
        "Frames without annotation between the first and last annotated frame",
        "grid",
    ),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A point with its counts of frames; ``ordinal`` counts within its object."""

    point: PointTrack
    ordinal: int
    marks: int
    occluded: int
    left: int


class PointRows(QAbstractTableModel):
    """One row per point; read again when an edit touches points or another object is selected.

    While hidden (``is_watched`` False) the rows are not updated.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._rows: list[_Row] = []
        self._counted: dict[PointId, _Row] = {}
        self._is_watched = True
        self._is_stale = False
        workspace.stageChanged.connect(self.reload)
        workspace.selection.changed.connect(self._on_selection_changed)
        workspace.edited.connect(self._on_edited)
        workspace.hub.changed.connect(self.reload)
        self.reload()

    def row_of(self, point_id: PointId) -> int | None:
        """Return the row of a point; None where it is not listed."""
        return next((i for i, r in enumerate(self._rows) if r.point.id == point_id), None)

    def point_at(self, index: AnyIndex) -> PointTrack:
        return self._rows[index.row()].point

    @property
    def is_watched(self) -> bool:
        return self._is_watched

    @is_watched.setter
    def is_watched(self, is_watched: bool) -> None:
        self._is_watched = is_watched
        if is_watched and self._is_stale:
            self.reload()

    @Slot()
    def reload(self) -> None:
        """Read all points again, if the panel is visible."""
        self._is_stale = not self._is_watched
        if self._is_stale:
            return
        self.beginResetModel()
        self._rows = self._read()
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(PointColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        text, tip, icon = _HEADS[PointColumn(section)]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.tr(text) if text else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.tr(tip)
        if role == Qt.ItemDataRole.DecorationRole and icon:
            return self._workspace.hub.theme.icon(icon, token="text_dim")
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        may_edit = (
            self._workspace.may_change(Tool.POINTS) and not self.point_at(index).info.is_locked
        )
        if index.column() == PointColumn.NAME and may_edit:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], PointColumn(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._text(row, column)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._picture(row, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            is_faint = row.point.info.is_hidden or column not in (
                PointColumn.NAME,
                PointColumn.NUMBER,
            )
            return self._workspace.hub.theme.color("text_dim") if is_faint else None
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= PointColumn.MARKS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            text = self._tip(row, column)
            return plain_tip(text) if text and role == Qt.ItemDataRole.ToolTipRole else text
        if role == POINT_ROLE:
            return row.point.id
        return None

    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Rename a point; a refused name is reported and the old one stays."""
        if role != Qt.ItemDataRole.EditRole or index.column() != PointColumn.NAME:
            return False
        point_id = self.point_at(index).id
        return self._workspace.run(
            SetPointInfo(point_id, label=str(value), frame=self._workspace.frame)
        )

    def toggle(self, index: AnyIndex) -> None:
        """Switch the eye or the lock of a row."""
        info = self.point_at(index).info
        if index.column() == PointColumn.VISIBLE:
            self._workspace.run(SetPointInfo(info.id, is_hidden=not info.is_hidden))
        elif index.column() == PointColumn.LOCKED:
            self._workspace.run(SetPointInfo(info.id, is_locked=not info.is_locked))

    def _text(self, row: _Row, column: PointColumn) -> str | None:
        texts = {
            PointColumn.NUMBER: str(row.point.info.number),
            PointColumn.NAME: row.point.label,
            PointColumn.MARKS: str(row.marks),
            PointColumn.OCCLUDED: str(row.occluded) if row.occluded else "–",
            PointColumn.LEFT: str(row.left) if row.left else "✓",
        }
        return texts.get(column)

    def _tip(self, row: _Row, column: PointColumn) -> str:
        info = row.point.info
        tips = {
            PointColumn.VISIBLE: self.tr("Hidden") if info.is_hidden else self.tr("Shown"),
            PointColumn.LOCKED: self.tr("Locked") if info.is_locked else self.tr("Not locked"),
            PointColumn.MARKS: counted(
                row.marks, self.tr("1 annotated frame"), self.tr("{n} annotated frames")
            ),
            PointColumn.OCCLUDED: counted(
                row.occluded, self.tr("Occluded on 1 frame"), self.tr("Occluded on {n} frames")
            ),
            PointColumn.LEFT: counted(
                row.left,
                self.tr("1 frame without annotation"),
                self.tr("{n} frames without annotation"),
            ),
        }
        return tips.get(column) or self._text(row, column) or ""

    def _picture(self, row: _Row, column: PointColumn) -> QIcon | None:
        theme, info = self._workspace.hub.theme, row.point.info
        if column is PointColumn.NUMBER:
            return self._shape(row)
        if column is PointColumn.VISIBLE:
            token = "text_dim" if info.is_hidden else "text"
            return theme.icon("eye-off" if info.is_hidden else "eye", token=token)
        if column is PointColumn.LOCKED:
            token = "text" if info.is_locked else "text_disabled"
            return theme.icon("lock" if info.is_locked else "unlock", token=token)
        return None

    def _shape(self, row: _Row) -> QIcon:
        """Return the mark that the point has on the picture."""
        info = row.point.info
        dot = Dot(
            info.id,
            info.track_id,
            info.label,
            info.number,
            self._color(row.point),
            row.ordinal,
            Point(0, 0),
            DotLook.HUMAN,
        )
        pixmap = QPixmap(32, 32)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(16, 16)
        painter.scale(2, 2)
        draw_dot(painter, self._workspace.hub.theme, dot, 5.0)
        painter.end()
        icon = QIcon(pixmap)
        icon.addPixmap(pixmap, QIcon.Mode.Selected)
        return icon

    def _color(self, point: PointTrack) -> int:
        session, owner = self._workspace.session, point.info.track_id
        track = session.document.find_track(owner) if session and owner else None
        return track.info.color if track is not None else point.info.color

    def _read(self) -> list[_Row]:
        session, chosen = self._workspace.session, set(self._workspace.selection.tracks)
        if session is None:
            return []
        counts: dict[object, int] = {}
        rows = []
        for point in session.document.points:
            owner = point.info.track_id
            ordinal = counts.get(owner, 0)
            counts[owner] = ordinal + 1
            if not chosen or owner in chosen:
                kept = self._counted.get(point.id)
                if kept is None or kept.point is not point or kept.ordinal != ordinal:
                    kept = self._counted[point.id] = _counted(point, ordinal)
                rows.append(kept)
        return rows

    @Slot()
    def _on_selection_changed(self) -> None:
        if not self._is_watched:
            self._is_stale = True
            return
        before = [r.point.id for r in self._rows]
        rows = self._read()
        if [r.point.id for r in rows] != before:
            self.reload()

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        if "track" in changes.topics or not self._is_watched:
            self.reload()
            return
        touched = changes.point_ids
        if not touched:
            return
        rows = self._read()
        if [r.point.id for r in rows] != [r.point.id for r in self._rows]:
            self.reload()
            return
        self._rows = rows
        for i, row in enumerate(rows):
            if row.point.id in touched:
                self.dataChanged.emit(self.index(i, 0), self.index(i, len(PointColumn) - 1))


def _counted(point: PointTrack, ordinal: int) -> _Row:
    blocks = list(point.path.blocks.values())
    flags = np.concatenate([b.flags for b in blocks]) if blocks else np.zeros(0, np.uint8)
    frames = point.path.frames()
    marks = len(frames)
    left = int(frames[-1]) - int(frames[0]) + 1 - marks if marks else 0
    occluded = int(((flags != NO_MARK) & ((flags & OCCLUDED_BIT) > 0)).sum())
    return _Row(point, ordinal, marks, occluded, left)


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

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        self._workspace = workspace
        self.rows = PointRows(workspace)
        name = QCoreApplication.translate("PointsPanel", "Points")
        super().__init__(ListView(self.rows, name), parent=parent)
        self.view.set_widths(_WIDTHS, stretched=PointColumn.NAME)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.view.selectionModel().selectionChanged.connect(self._on_view_selection_changed)
        self.view.clicked.connect(self._on_view_clicked)
        workspace.selection.changed.connect(self._on_selection_changed)
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
            self._workspace.selection.drop_points()
            return
        new = {PointId(i.data(POINT_ROLE)) for i in chosen.indexes()}
        points = sorted((self.rows.point_at(i) for i in listed), key=lambda p: p.id in new)
        # The points selected together belong to one object: that of the one chosen last.
        owner = points[-1].info.track_id
        ids = [p.id for p in points if p.info.track_id == owner]
        self._workspace.selection.set_points(owner, ids)

    @Slot()
    def _on_selection_changed(self) -> None:
        rows = (self.rows.row_of(p) for p in self._workspace.selection.points)
        self.view.show_selected(self.rows.index(r, PointColumn.NAME) for r in rows if r is not None)

    def _empty_text(self) -> str:
        if self._workspace.session is None:
            return self.tr("Open a task to see its points.")
        if not self._workspace.session.has_tool(Tool.POINTS):
            return self.tr("This task provides no points.\n") + only_words(
                self._workspace.session.tools
            )
        if self._workspace.selection.primary is None:
            return self.tr("No points yet.\nSelect an object, press P and click one of its parts.")
        return self.tr("No points on this object.\nPress P and click one of its parts.")
