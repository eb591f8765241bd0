"""The rows of the panel Changes: differences grouped by object, each with how it was judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QColor, QFont, QIcon

from annotator.domain.review import Difference, DifferenceKind
from annotator.ui.look.plain import tip as plain_tip
from annotator.ui.review.reviewing import Reviewing, owner_of
from annotator.ui.review.two_levels import NOWHERE, AnyIndex, TwoLevels
from annotator.ui.review.words import difference_text, group_text
from annotator.ui.state.desk import Desk

_SIGNS: Final = {
    DifferenceKind.ADDED: ("plus", "success"),
    DifferenceKind.REMOVED: ("delete", "error"),
    DifferenceKind.CHANGED: ("rename", "accent"),
}


class ChangeColumn(IntEnum):
    """Columns of the panel."""

    WHAT = 0
    FRAME = 1
    JUDGED = 2


_HEADS: Final = {ChangeColumn.WHAT: "Change", ChangeColumn.FRAME: "Frame", ChangeColumn.JUDGED: ""}


@dataclass(slots=True)
class _Group:
    """An object or a lane, with what differs of it."""

    title: str
    color: int | None
    items: list[Difference] = field(default_factory=list)


class ChangeRows(TwoLevels):
    """Groups at the top level, differences below them."""

    def __init__(self, desk: Desk, reviewing: Reviewing) -> None:
        super().__init__(reviewing)
        self._desk = desk
        self._reviewing = reviewing
        self._groups: list[_Group] = []
        self._shown: tuple[Difference, ...] | None = None
        reviewing.changed.connect(self.reload)
        desk.hub.changed.connect(self._on_looks_changed)
        desk.labels.setChanged.connect(self._on_looks_changed)
        self.reload()

    def item(self, index: AnyIndex) -> Difference | None:
        """Return the difference of a row; None for a group."""
        if not index.isValid() or index.internalId() == 0:
            return None
        return self._groups[index.internalId() - 1].items[index.row()]

    def items_below(self, index: AnyIndex) -> tuple[Difference, ...]:
        """Return what a row stands for: one difference, or all of a group."""
        item = self.item(index)
        if item is not None:
            return (item,)
        return tuple(self._groups[index.row()].items) if index.isValid() else ()

    def index_of(self, item: Difference | None) -> QModelIndex:
        """Return the row of a difference; nowhere where it is not listed."""
        for row, group in enumerate(self._groups if item is not None else ()):
            for place, each in enumerate(group.items):
                if each is item or (item is not None and each.key == item.key):
                    return self.index(place, 0, self.index(row, 0))
        return QModelIndex()

    @Slot()
    def reload(self) -> None:
        """Show the differences there are now; rows stay where only judgements are others."""
        items = self._reviewing.items
        if items is self._shown:
            self._on_looks_changed()
            return
        self.beginResetModel()
        self._shown = items
        self._groups = self._grouped(items)
        self.set_sizes(len(group.items) for group in self._groups)
        self.endResetModel()

    def columnCount(self, _parent: AnyIndex = NOWHERE) -> int:
        return len(ChangeColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        is_shown = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole and is_shown and _HEADS[ChangeColumn(section)]:
            return self.tr(_HEADS[ChangeColumn(section)])
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item, column = self.item(index), ChangeColumn(index.column())
        if item is None:
            return self._group_data(self._groups[index.row()], column, role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            is_tip = role == Qt.ItemDataRole.ToolTipRole
            text = self._text(item, column, is_tip=is_tip)
            return plain_tip(text) if is_tip else text
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(item, column)
        if role == Qt.ItemDataRole.ForegroundRole and self._is_accepted(item):
            return self._desk.hub.theme.color("text_dim")
        return None

    def _text(self, item: Difference, column: ChangeColumn, *, is_tip: bool) -> str:
        review, session = self._reviewing.review, self._desk.session
        if review is None or session is None:
            return ""
        reason = review.reason_for(item)
        if column is ChangeColumn.JUDGED:
            if not is_tip:
                return ""
            accepted = self.tr("Accepted") if review.is_accepted(item) else self.tr("Not reviewed")
            return self.tr("Rejected: {why}").format(why=reason.text) if reason else accepted
        if column is ChangeColumn.FRAME:
            last = item.frames[-1] if item.frames else item.frame
            return str(item.frame) if last == item.frame else f"{item.frame}–{last}"
        return difference_text(item, review.before, session.document, self._desk.labels)

    def _icon(self, item: Difference, column: ChangeColumn) -> QIcon | None:
        theme, review = self._desk.hub.theme, self._reviewing.review
        if column is ChangeColumn.WHAT:
            name, token = _SIGNS[item.kind]
            return theme.icon(name, token=token)
        if column is ChangeColumn.FRAME or review is None or review.is_open(item):
            return None
        if review.is_accepted(item):
            return theme.icon("accept", token="success")
        return theme.icon("undo", token="warning")

    def _group_data(self, group: _Group, column: ChangeColumn, role: int) -> object:
        if column is ChangeColumn.WHAT and role == Qt.ItemDataRole.DisplayRole:
            return group.title
        if column is ChangeColumn.FRAME and role == Qt.ItemDataRole.DisplayRole:
            return str(len(group.items))
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(True)
            return font
        if column is ChangeColumn.WHAT and role == Qt.ItemDataRole.DecorationRole:
            color = group.color
            return QColor(self._desk.hub.theme.object_color(color)) if color is not None else None
        return None

    def _is_accepted(self, item: Difference) -> bool:
        review = self._reviewing.review
        return review is not None and review.is_accepted(item)

    def _grouped(self, items: tuple[Difference, ...]) -> list[_Group]:
        review, session = self._reviewing.review, self._desk.session
        if review is None or session is None:
            return []
        groups: dict[str, _Group] = {}
        for item in items:
            owner = owner_of(item, review.before, session.document)
            key = owner.id if owner is not None else group_text(item, None)
            if key not in groups:
                color = owner.info.color if owner is not None else None
                groups[key] = _Group(group_text(item, owner), color)
            groups[key].items.append(item)
        return list(groups.values())

    @Slot()
    def _on_looks_changed(self) -> None:
        self.layoutAboutToBeChanged.emit()
        self.layoutChanged.emit()
