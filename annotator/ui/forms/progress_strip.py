"""The items of a task as a row of small fields: answered, open, flagged, and the one at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotator.ui.look.theme import ThemeHub

_SIDE: Final = 12
_GAP: Final = 3


@dataclass(frozen=True, slots=True)
class ItemMark:
    """How an item stands."""

    is_done: bool
    is_flagged: bool = False


class ProgressStrip(QWidget):
    """A click on a field goes to its item; more than fit a line go on in the next."""

    chosen = Signal(int)

    def __init__(self, hub: ThemeHub, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hub = hub
        self._marks: tuple[ItemMark, ...] = ()
        self._at = 0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Progress"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        hub.changed.connect(self.update)

    def set_marks(self, marks: Sequence[ItemMark], at: int) -> None:
        """Show how the items stand, and which is at hand."""
        is_longer = len(marks) != len(self._marks)
        self._marks, self._at = tuple(marks), at
        done = sum(1 for mark in self._marks if mark.is_done)
        words = self.tr("{done} of {n} answered").format(done=done, n=len(self._marks))
        self.setAccessibleDescription(words)
        if is_longer:
            self.updateGeometry()
        self.update()

    def rect_of(self, index: int) -> QRectF:
        """Return where the field of an item is."""
        row, column = divmod(index, self._columns(self.width()))
        step = _SIDE + _GAP
        return QRectF(column * step, row * step, _SIDE, _SIDE)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        rows = -(-max(1, len(self._marks)) // self._columns(width))
        return rows * (_SIDE + _GAP)

    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(max(160, self.width())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._hub.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i, mark in enumerate(self._marks):
            rect = self.rect_of(i).adjusted(1, 1, -1, -1)
            if i == self._at:
                painter.setPen(QPen(theme.color("focus"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(rect, 3, 3)
                rect = rect.adjusted(2.5, 2.5, -2.5, -2.5)
            painter.setPen(QPen(theme.color("border_strong"), 1))
            is_filled = mark.is_done and not mark.is_flagged
            painter.setBrush(theme.color("accent" if is_filled else "surface"))
            painter.drawRoundedRect(rect, 2, 2)
            if mark.is_flagged:
                painter.setPen(QPen(theme.color("warning"), 2))
                painter.drawLine(rect.topLeft(), rect.bottomRight())
                painter.drawLine(rect.topRight(), rect.bottomLeft())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._at_place(event.position().x(), event.position().y())
        if index is not None:
            self.chosen.emit(index)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            index = self._at_place(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), self._tip(index), self)
            return True
        return super().event(event)

    def _tip(self, index: int | None) -> str:
        if index is None:
            return ""
        mark = self._marks[index]
        words = self.tr("answered") if mark.is_done else self.tr("open")
        if mark.is_flagged:
            words = self.tr("flagged")
        return f"{index + 1}: {words}"

    def _columns(self, width: int) -> int:
        return max(1, (width + _GAP) // (_SIDE + _GAP))

    def _at_place(self, x: float, y: float) -> int | None:
        for i in range(len(self._marks)):
            if self.rect_of(i).adjusted(-_GAP, -_GAP, 0, 0).contains(x, y):
                return i
        return None
