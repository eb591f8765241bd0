"""What the panel Objects lists: every object, and below it its points.

Points that belong to no object stand at the top level. After the columns of every row comes one
for each attribute that is defined for objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QIcon, QPainter, QPixmap

from annotator.domain.annotation.attributes import Attribute
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import NO_MARK, OCCLUDED_BIT, PointTrack
from annotator.domain.annotation.track import Track, unchecked_grid_frames
from annotator.domain.commands import SetPointInfo, SetTrack
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.model_predictions import model_of, score_of
from annotator.domain.recipes.recipe import Tool
from annotator.ui.canvas.model.point_marks import Dot, DotLook
from annotator.ui.canvas.painting.point_painter import draw_dot
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.panels.attribute_fields import attribute_text, object_attributes
from annotator.ui.panels.two_levels import NOWHERE, AnyIndex, TwoLevels
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from numpy.typing import NDArray

SORT_ROLE: Final = Qt.ItemDataRole.UserRole + 1


class ObjectColumn(IntEnum):
    """Columns of the panel."""

    NUMBER = 0
    NAME = 1
    VISIBLE = 2
    LOCKED = 3
    FRAMES = 4
    KEYS = 5
    OCCLUDED = 6
    UNCHECKED = 7


_HEADS: Final = {
    ObjectColumn.NUMBER: ("No.", "Number and color"),
    ObjectColumn.NAME: ("Name", "Name; double-click to edit it"),
    ObjectColumn.VISIBLE: ("", "Shown in the video"),
    ObjectColumn.LOCKED: ("", "Locked objects and points cannot be edited."),
    ObjectColumn.FRAMES: ("Frames", "First and last keyframe; of a point, annotated frame"),
    ObjectColumn.KEYS: ("", "Number of keyframes; of a point, annotated frames"),
    ObjectColumn.OCCLUDED: ("", "Frames where the point is occluded"),
    ObjectColumn.UNCHECKED: (
        "",
        "Unchecked grid frames; of a point, frames without annotation between the first and the "
        "last annotated frame",
    ),
}
_HEAD_ICONS: Final = {
    ObjectColumn.VISIBLE: "eye",
    ObjectColumn.LOCKED: "lock",
    ObjectColumn.KEYS: "key",
    ObjectColumn.OCCLUDED: "occluded",
    ObjectColumn.UNCHECKED: "grid",
}
_COLUMNS: Final = tuple(ObjectColumn)
_TEXTS: Final = frozenset({Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole})
_TIPS: Final = frozenset({Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole})
_DECORATION: Final = Qt.ItemDataRole.DecorationRole
_FOREGROUND: Final = Qt.ItemDataRole.ForegroundRole
_ALIGNMENT: Final = Qt.ItemDataRole.TextAlignmentRole
_ANSWERED: Final = _TEXTS | _TIPS | {_DECORATION, _FOREGROUND, _ALIGNMENT, SORT_ROLE}
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_AFTER_OBJECTS: Final = 1_000_000


@dataclass(frozen=True)
class _ObjectRow:
    """A track; what takes counting is counted for visible rows only."""

    track: Track
    grid_step: int
    n_frames: int

    n_occluded = 0

    @property
    def id(self) -> TrackId:
        return self.track.id

    @property
    def span(self) -> tuple[int | None, int | None]:
        return self.track.first_frame, self.track.last_frame

    @property
    def n_annotated(self) -> int:
        return len(self.track.frames)

    @cached_property
    def n_left(self) -> int:
        """Unchecked grid frames."""
        left = unchecked_grid_frames(self.track, step=self.grid_step, n_frames=self.n_frames)
        return len(left)


@dataclass(frozen=True)
class _PointRow:
    """A point; ``ordinal`` counts within its object, so that each gets its own shape."""

    track: PointTrack
    ordinal: int

    @property
    def id(self) -> PointId:
        return self.track.id

    @cached_property
    def _frames(self) -> NDArray[np.int64]:
        return self.track.path.frames()

    @property
    def span(self) -> tuple[int | None, int | None]:
        frames = self._frames
        return (int(frames[0]), int(frames[-1])) if len(frames) else (None, None)

    @property
    def n_annotated(self) -> int:
        return len(self._frames)

    @cached_property
    def n_occluded(self) -> int:
        blocks = self.track.path.blocks.values()
        flags = (
            np.concatenate([block.flags for block in blocks]) if blocks else np.zeros(0, np.uint8)
        )
        return int(np.count_nonzero((flags != NO_MARK) & ((flags & OCCLUDED_BIT) > 0)))

    @property
    def n_left(self) -> int:
        """Frames between the first and the last annotated one that are not annotated."""
        first, last = self.span
        return 0 if first is None or last is None else last - first + 1 - self.n_annotated


_Row: TypeAlias = _ObjectRow | _PointRow


class ObjectRows(TwoLevels):
    """Objects and free points at the top level, the points of an object below it.

    Only rows that an edit touched are read again.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._tops: list[_Row] = []
        self._below: list[list[_PointRow]] = []
        self._places: dict[TrackId | PointId, tuple[int, int | None]] = {}
        self._icons: dict[tuple[int, int | None], QIcon] = {}
        self._attributes: tuple[Attribute, ...] = ()
        self._changed: set[TrackId | PointId] = set()
        # After the picture and the lanes, which a person looks at.
        self._shower = QTimer(self)
        self._shower.setSingleShot(True)
        self._shower.setInterval(0)
        self._shower.timeout.connect(self._show_changed)
        workspace.stageChanged.connect(self.reload)
        workspace.edited.connect(self._on_edited)
        workspace.hub.changed.connect(self._on_theme_changed)
        self.reload()

    @property
    def has_points(self) -> bool:
        """Whether any point is listed; those without an object come last."""
        return any(self._below) or any(isinstance(row, _PointRow) for row in self._tops[-1:])

    def index_of(self, item: TrackId | PointId, column: int = ObjectColumn.NAME) -> QModelIndex:
        """Return the row of an object or a point; an invalid index where it is not listed."""
        if item not in self._places:
            return QModelIndex()
        top, below = self._places[item]
        above = self.index(top, 0)
        return above.siblingAtColumn(column) if below is None else self.index(below, column, above)

    def track_at(self, index: AnyIndex) -> Track | None:
        """Return the object of a row; None for a point."""
        row = self._row(index)
        return row.track if isinstance(row, _ObjectRow) else None

    def point_at(self, index: AnyIndex) -> PointTrack | None:
        """Return the point of a row; None for an object."""
        row = self._row(index)
        return row.track if isinstance(row, _PointRow) else None

    def _row(self, index: AnyIndex) -> _Row:
        group = index.internalId()
        return self._below[group - 1][index.row()] if group else self._tops[index.row()]

    @Slot()
    def reload(self) -> None:
        """List everything again; what is the same as before needs no counting."""
        self.beginResetModel()
        self._attributes = object_attributes(self._workspace)
        session = self._workspace.session
        before = {id(row.track): row for row in [*self._tops, *chain(*self._below)]}
        self._tops, self._below, self._places = [], [], {}
        if session is not None:
            self._list(session.document, before)
        self.set_sizes(len(points) for points in self._below)
        self.endResetModel()

    def _list(self, document: Document, before: dict[int, _Row]) -> None:
        """Make the rows of a document; those of ``before``, by track, keep what was counted."""
        points: dict[TrackId | None, list[_PointRow]] = {}
        for point in document.points:
            beside = points.setdefault(point.info.track_id, [])
            row = before.get(id(point))
            if not (isinstance(row, _PointRow) and row.ordinal == len(beside)):
                row = _PointRow(point, len(beside))
            beside.append(row)
        for track in document.tracks:
            self._tops.append(before.get(id(track)) or _object_row(document, track))
            self._below.append(points.pop(track.id, []))
        for free in points.values():
            self._tops += free
            self._below += [[] for _ in free]
        for top, top_row in enumerate(self._tops):
            self._places[top_row.id] = (top, None)
            for below, point_row in enumerate(self._below[top]):
                self._places[point_row.id] = (top, below)

    def columnCount(self, _parent: AnyIndex = NOWHERE) -> int:
        return len(ObjectColumn) + len(self._attributes)

    def _attribute(self, column: int) -> Attribute | None:
        """Return the attribute of a column, None for those of every row."""
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
        if role in _TIPS:
            return self.tr(tip)
        if role == _DECORATION:
            icon = _HEAD_ICONS.get(column)
            return self._workspace.hub.theme.icon(icon, token="text_dim") if icon else None
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() != ObjectColumn.NAME:
            return flags
        row = self._row(index)
        tool = Tool.BOXES if isinstance(row, _ObjectRow) else Tool.POINTS
        if self._workspace.may_change(tool) and not row.track.info.is_locked:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        # A list asks for a dozen roles of each cell it paints; of most there is nothing to say.
        if role not in _ANSWERED or not index.isValid():
            return None
        row = self._row(index)
        if (attribute := self._attribute(index.column())) is not None:
            return self._of_attribute(row, attribute, role)
        column = _COLUMNS[index.column()]
        if role in _TEXTS:
            return self._text(row, column)
        if role == _DECORATION:
            return self._picture(row, column)
        if role == _FOREGROUND:
            is_faint = (
                row.track.info.is_hidden
                or (isinstance(row, _ObjectRow) and row.track.is_proposed)
                or column not in (ObjectColumn.NAME, ObjectColumn.NUMBER)
            )
            return self._workspace.hub.theme.color("text_dim") if is_faint else None
        if role == _ALIGNMENT:
            return _RIGHT if column >= ObjectColumn.KEYS else None
        if role == SORT_ROLE:
            return self._sort_key(row, column)
        text = self._tip(row, column)
        return plain_tip(text) if text and role == Qt.ItemDataRole.ToolTipRole else text

    def _of_attribute(self, row: _Row, attribute: Attribute, role: int) -> object:
        """Return what a cell of an attribute shows: its values in the order of time."""
        if role == _FOREGROUND:
            return self._workspace.hub.theme.color("text_dim")
        if role not in _TEXTS | _TIPS and role != SORT_ROLE:
            return None
        if isinstance(row, _PointRow):
            return "" if role == SORT_ROLE else None
        text = attribute_text(attribute, row.track.label, row.track.info.attributes)
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Rename a point, or an object together with all other selected ones.

        A refused name is reported and leaves the old one.
        """
        if role != Qt.ItemDataRole.EditRole or index.column() != ObjectColumn.NAME:
            return False
        row, workspace = self._row(index), self._workspace
        if isinstance(row, _ObjectRow):
            return workspace.rename(row.id, str(value))
        return workspace.run(SetPointInfo(row.id, label=str(value), frame=workspace.frame))

    def toggle(self, index: AnyIndex) -> None:
        """Switch the eye or the lock of a row."""
        row, column = self._row(index), index.column()
        info = row.track.info
        is_hidden = not info.is_hidden if column == ObjectColumn.VISIBLE else None
        is_locked = not info.is_locked if column == ObjectColumn.LOCKED else None
        if isinstance(row, _ObjectRow):
            self._workspace.run(SetTrack(row.id, is_hidden=is_hidden, is_locked=is_locked))
        else:
            self._workspace.run(SetPointInfo(row.id, is_hidden=is_hidden, is_locked=is_locked))

    def _text(self, row: _Row, column: ObjectColumn) -> str | None:
        if column is ObjectColumn.NUMBER:
            return str(row.track.info.number)
        if column is ObjectColumn.NAME:
            return row.track.label
        if isinstance(row, _ObjectRow) and row.track.is_proposed:
            if column is ObjectColumn.FRAMES:
                return _proposed_text(row.track)
            if column is ObjectColumn.UNCHECKED:
                return "–"
        if column is ObjectColumn.FRAMES:
            first, last = row.span
            return "–" if first is None else f"{first}–{last}"
        if column is ObjectColumn.KEYS:
            return str(row.n_annotated)
        if column is ObjectColumn.OCCLUDED:
            return str(row.n_occluded) if row.n_occluded else None
        if column is ObjectColumn.UNCHECKED:
            return str(row.n_left) if row.n_left else "✓"
        return None

    def _picture(self, row: _Row, column: ObjectColumn) -> QIcon | None:
        theme = self._workspace.hub.theme
        info = row.track.info
        if column is ObjectColumn.NUMBER:
            return self._icon(row)
        if column is ObjectColumn.VISIBLE:
            token = "text_dim" if info.is_hidden else "text"
            return theme.icon("eye-off" if info.is_hidden else "eye", token=token)
        if column is ObjectColumn.LOCKED:
            # The open lock is faint, because only locked rows matter.
            token = "text" if info.is_locked else "text_disabled"
            return theme.icon("lock" if info.is_locked else "unlock", token=token)
        return None

    def _tip(self, row: _Row, column: ObjectColumn) -> str:
        info = row.track.info
        if column is ObjectColumn.VISIBLE:
            return self.tr("Hidden") if info.is_hidden else self.tr("Shown")
        if column is ObjectColumn.LOCKED:
            return self.tr("Locked") if info.is_locked else self.tr("Not locked")
        if column is ObjectColumn.OCCLUDED and row.n_occluded:
            many = self.tr("Occluded on {n} frames")
            return counted(row.n_occluded, self.tr("Occluded on 1 frame"), many)
        is_object = isinstance(row, _ObjectRow)
        if column is ObjectColumn.UNCHECKED and is_object:
            many = self.tr("{n} unchecked grid frames")
            return counted(row.n_left, self.tr("1 unchecked grid frame"), many)
        if column is ObjectColumn.UNCHECKED:
            many = self.tr("{n} frames without annotation")
            return counted(row.n_left, self.tr("1 frame without annotation"), many)
        if column is ObjectColumn.KEYS and is_object:
            return counted(row.n_annotated, self.tr("1 keyframe"), self.tr("{n} keyframes"))
        if column is ObjectColumn.KEYS:
            many = self.tr("{n} annotated frames")
            return counted(row.n_annotated, self.tr("1 annotated frame"), many)
        return self._text(row, column) or ""

    def _sort_key(self, row: _Row, column: ObjectColumn) -> int | str:
        info = row.track.info
        if column is ObjectColumn.NUMBER:
            # Points without an object are numbered on their own.
            return info.number + (0 if isinstance(row, _ObjectRow) else _AFTER_OBJECTS)
        if column is ObjectColumn.NAME:
            return row.track.label.casefold()
        if column is ObjectColumn.VISIBLE:
            return int(info.is_hidden)
        if column is ObjectColumn.LOCKED:
            return int(info.is_locked)
        if column is ObjectColumn.FRAMES:
            return row.span[0] or 0
        if column is ObjectColumn.KEYS:
            return row.n_annotated
        return row.n_occluded if column is ObjectColumn.OCCLUDED else row.n_left

    def _icon(self, row: _Row) -> QIcon:
        """Return the color of an object, or the mark that a point has on the picture."""
        info, ordinal, theme = row.track.info, None, self._workspace.hub.theme
        color = info.color
        if isinstance(row, _PointRow):
            ordinal, color = row.ordinal, self._color_of(row.track)
        key = (color, ordinal)
        if key not in self._icons:
            pixmap = QPixmap(32, 32)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if isinstance(row, _PointRow):
                dot = Dot(row.id, None, "", 0, color, row.ordinal, Point(0, 0), DotLook.HUMAN)
                painter.translate(16, 16)
                painter.scale(2, 2)
                draw_dot(painter, theme, dot, 5.0)
            else:
                painter.setBrush(theme.object_color(color))
                painter.setPen(theme.color("border_strong"))
                painter.drawRoundedRect(3, 3, 26, 26, 5, 5)
            painter.end()
            icon = QIcon(pixmap)
            icon.addPixmap(pixmap, QIcon.Mode.Selected)
            self._icons[key] = icon
        return self._icons[key]

    def _color_of(self, point: PointTrack) -> int:
        """Return the color of the object of a point, or else its own."""
        session, owner = self._workspace.session, point.info.track_id
        track = session.document.find_track(owner) if session and owner else None
        return point.info.color if track is None else track.info.color

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        session = self._workspace.session
        if session is None or not (changes.track_ids or changes.point_ids):
            return
        document = session.document
        if self._is_listed_otherwise(document, changes):
            self.reload()
            return
        for track_id in changes.track_ids & self._places.keys():
            top, _ = self._places[track_id]
            self._tops[top] = _object_row(document, document.track(track_id))
        for point_id in changes.point_ids & self._places.keys():
            self._read_point(document.point(point_id))
        self._changed |= changes.track_ids | changes.point_ids
        self._shower.start()

    def _read_point(self, point: PointTrack) -> None:
        top, below = self._places[point.id]
        row = self._tops[top] if below is None else self._below[top][below]
        assert isinstance(row, _PointRow)
        row = _PointRow(point, row.ordinal)
        if below is None:
            self._tops[top] = row
        else:
            self._below[top][below] = row

    @Slot()
    def _show_changed(self) -> None:
        """Let the views read again what edits changed."""
        changed, self._changed = self._changed & self._places.keys(), set()
        for item in changed:
            top, below = self._places[item]
            if below is not None:
                self._show_again(top, range(below, below + 1))
                continue
            self._show_again(top)
            if self._below[top]:
                # They have the color of their object.
                self._show_again(top, range(len(self._below[top])))

    def _is_listed_otherwise(self, document: Document, changes: ChangeSet) -> bool:
        """Whether an edit made or removed rows, or gave a point to another object."""
        if any((document.find_track(t) is None) == (t in self._places) for t in changes.track_ids):
            return True
        for point_id in changes.point_ids:
            point = document.find_point(point_id)
            if (point is None) == (point_id in self._places):
                return True
            if point is not None and self._owner(point_id) != point.info.track_id:
                return True
        return False

    def _owner(self, point_id: PointId) -> TrackId | None:
        """Return the object below which a point is listed."""
        top, below = self._places[point_id]
        row = self._tops[top]
        return row.id if below is not None and isinstance(row, _ObjectRow) else None

    def _show_again(self, top: int, below: range | None = None) -> None:
        """Let the views read a row again, or rows below it."""
        last, above = self.columnCount() - 1, NOWHERE
        if below is not None:
            above = self.index(top, 0)
        rows = range(top, top + 1) if below is None else below
        self.dataChanged.emit(self.index(rows[0], 0, above), self.index(rows[-1], last, above))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._icons.clear()
        for top, points in enumerate(self._below):
            self._show_again(top)
            if points:
                self._show_again(top, range(len(points)))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)


def _object_row(document: Document, track: Track) -> _ObjectRow:
    return _ObjectRow(track, document.video.grid_step, document.video.n_frames)


def _proposed_text(track: Track) -> str:
    """Return the model that proposed an object, and its mean score."""
    score, model = score_of(track.info.extra), model_of(track.info.extra)
    return model if score is None else f"{model} · {100 * score:.0f}%"
