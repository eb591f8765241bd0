"""The history of a video's tasks as a timeline: a dot for each event, its time above its text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QLineF, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from annotator.ui.lead.board.history import HistoryLine
from annotator.ui.lead.lead_texts import instant_text, utc_text
from annotator.ui.look.theme import ThemeHub

Index = QModelIndex | QPersistentModelIndex
_PARTS: Final = Qt.ItemDataRole.UserRole
_GUTTER_PX: Final = 24
_DOT_PX: Final = 4.0
_ROOM_PX: Final = 6
_SMALL: Final = 0.88


class HistoryList(QListWidget):
    """Events under the titles of their tasks; ``hint`` is shown while there are none."""

    def __init__(self, hub: ThemeHub, hint: str) -> None:
        super().__init__()
        self._hint = hint
        self.setAccessibleName(self.tr("History"))
        self.setWordWrap(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(_EventDelegate(hub, self))
        self.show_tasks(())

    def show_tasks(self, tasks: Iterable[tuple[str, Iterable[HistoryLine]]]) -> None:
        """Show the events of each task, oldest first, under its title."""
        self.clear()
        for title, lines in tasks:
            head = QListWidgetItem(title)
            font = head.font()
            font.setBold(True)
            head.setFont(font)
            self.addItem(head)
            for line in lines:
                time = instant_text(line.at)
                item = QListWidgetItem(f"{time}  {line.text}")
                item.setData(_PARTS, (time, line.text))
                item.setToolTip(utc_text(line.at))
                self.addItem(item)
        if not self.count():
            item = QListWidgetItem(self._hint)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class _EventDelegate(QStyledItemDelegate):
    def __init__(self, hub: ThemeHub, view: QListWidget) -> None:
        super().__init__(view)
        self._hub, self._view = hub, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        parts = index.data(_PARTS)
        if parts is None:
            return super().sizeHint(option, index)
        width = self._view.viewport().width()
        room = QRect(0, 0, max(1, width - _GUTTER_PX - _ROOM_PX), 10_000)
        text = QFontMetrics(option.font).boundingRect(room, _wrapped(), parts[1])
        time = QFontMetrics(_small(option.font)).height()
        return QSize(width, time + text.height() + 2 * _ROOM_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        parts = index.data(_PARTS)
        if parts is None:
            super().paint(painter, option, index)
            return
        theme, rect = self._hub.theme, option.rect
        small = _small(option.font)
        height = QFontMetrics(small).height()
        x, y = rect.left() + _GUTTER_PX / 2, rect.top() + _ROOM_PX + height / 2
        is_first, is_last = (
            index.sibling(index.row() + step, 0).data(_PARTS) is None for step in (-1, 1)
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("border_strong"), 1))
        top = y if is_first else rect.top()
        painter.drawLine(QLineF(x, top, x, y if is_last else rect.bottom() + 1))
        painter.setPen(QPen(theme.color("surface"), 2))
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(QPointF(x, y), _DOT_PX + 1, _DOT_PX + 1)
        inner = rect.adjusted(_GUTTER_PX, _ROOM_PX, -_ROOM_PX, 0)
        painter.setFont(small)
        painter.setPen(theme.color("text_dim"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignTop, parts[0])
        painter.setFont(option.font)
        painter.setPen(theme.color("text"))
        painter.drawText(inner.adjusted(0, height, 0, 0), _wrapped(), parts[1])
        painter.restore()


def _wrapped() -> int:
    return int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop)


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _SMALL)
    return small
