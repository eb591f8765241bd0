"""Shares with their confidence interval, as text and as a mark in a cell of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QLineF, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotator.ui.look.theme import ThemeHub

Index = QModelIndex | QPersistentModelIndex
INTERVAL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Value, low and high of a cell, 0..1."""
_MARK_PX: Final = 72
_GAP_PX: Final = 12
_DOT_PX: Final = 3.5


def interval_text(shares: Sequence[float] | None) -> str:
    """Return value, low and high (0..1) as in "77.8% (50–92)"; a dash for None."""
    if shares is None:
        return "–"
    value, low, high = shares
    return f"{value:.1%} ({100 * low:.0f}–{100 * high:.0f})"


class IntervalDelegate(QStyledItemDelegate):
    """Draws the text of a cell, and at its right the interval on an axis from 0 to 1."""

    def __init__(self, hub: ThemeHub, parent: QWidget) -> None:
        super().__init__(parent)
        self._hub = hub

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return super().sizeHint(option, index) + QSize(_MARK_PX + 2 * _GAP_PX, 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        own = QStyleOptionViewItem(option)
        super().paint(painter, own, index)
        shares = index.data(INTERVAL_ROLE)
        if not shares or not all(isinstance(share, float) for share in shares):
            return
        theme, rect = self._hub.theme, option.rect
        room = QRect(rect.right() - _MARK_PX - _GAP_PX, rect.top(), _MARK_PX, rect.height())
        value, low, high = (room.left() + share * room.width() for share in shares)
        y = rect.center().y() + 0.5
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(QLineF(room.left(), y, room.right(), y))
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawLine(QLineF(low, y, high, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(QPointF(value, y), _DOT_PX, _DOT_PX)
        painter.restore()
