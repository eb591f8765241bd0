"""Small charts for the lead's numbers: bars that can be read without telling colours apart.

Each bar says its value in words beside it; parts of a bar differ by pattern as well as by colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotator.ui.look.plain import tip as plain_tip
from annotator.ui.look.theme import Theme, ThemeHub

_ROW_EM: Final = 1.9
_GAP_PX: Final = 8
_PATTERNS: Final = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.Dense5Pattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.DiagCrossPattern,
)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: what it is of, its parts from the left, and how its value is said."""

    title: str
    parts: tuple[float, ...]
    text: str

    @property
    def total(self) -> float:
        return sum(self.parts)


class BarChart(QWidget):
    """Horizontal bars under each other, their titles at the left and their values at the right.

    ``legend`` names the parts; without it bars have one part. Empty: says so with ``empty``.
    ``clicked`` tells which bar was clicked, from 0.
    """

    clicked = Signal(int)

    def __init__(self, hub: ThemeHub, title: str, empty: str) -> None:
        super().__init__()
        self._hub = hub
        self._title = title
        self._empty = empty
        self._bars: tuple[Bar, ...] = ()
        self._legend: tuple[str, ...] = ()
        self._most = 0.0
        self._chosen = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        hub.changed.connect(self.update)
        self.set_bars(())

    def set_bars(
        self, bars: Sequence[Bar], *, legend: Sequence[str] = (), most: float | None = None
    ) -> None:
        """Show bars; ``most`` is the value of a full bar, by default that of the longest."""
        self._bars, self._legend, self._chosen = tuple(bars), tuple(legend), -1
        self._most = most if most is not None else max((b.total for b in bars), default=0.0)
        words = [f"{bar.title} {bar.text}" for bar in self._bars] or [self._empty]
        self.setAccessibleName(self._title)
        self.setAccessibleDescription("; ".join(words))
        self.updateGeometry()
        self.update()

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._title = title
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        bar = self._bar_at(round(event.position().y()))
        if bar is not None:
            self._chosen = self._bars.index(bar)
            self.update()
            self.clicked.emit(self._chosen)

    def sizeHint(self) -> QSize:
        rows = 1 + max(1, len(self._bars)) + bool(self._legend)
        return QSize(320, round(rows * self._row_px() + _GAP_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            bar = self._bar_at(event.pos().y())
            if bar is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), plain_tip(self._told(bar)), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._hub.theme
        row = self._row_px()
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(QRectF(0, 0, self.width(), row), _LEFT, self._title)
        font.setBold(False)
        painter.setFont(font)
        if not self._bars:
            painter.setPen(theme.color("text_dim"))
            painter.drawText(QRectF(0, row, self.width(), row), _LEFT, self._empty)
            return
        if self._legend:
            self._paint_legend(painter, theme, row)
        self._paint_bars(painter, theme, row * (2 if self._legend else 1))

    def _paint_bars(self, painter: QPainter, theme: Theme, top: float) -> None:
        metrics, row = self.fontMetrics(), self._row_px()
        titles = max(metrics.horizontalAdvance(bar.title) for bar in self._bars)
        titles = min(titles + 2, round(self.width() * 0.4))
        values = max(metrics.horizontalAdvance(bar.text) for bar in self._bars)
        left = titles + _GAP_PX
        room = max(10.0, self.width() - left - values - _GAP_PX)
        for number, bar in enumerate(self._bars):
            y = top + number * row
            if number == self._chosen:
                painter.fillRect(QRectF(0, y, self.width(), row), theme.color("selection"))
            painter.setPen(theme.color("text"))
            name = metrics.elidedText(bar.title, Qt.TextElideMode.ElideMiddle, titles)
            painter.drawText(QRectF(0, y, titles, row), _LEFT, name)
            x = float(left)
            for part, value in enumerate(bar.parts):
                width = room * value / self._most if self._most else 0.0
                if width > 0:
                    _paint_part(painter, theme, part, QRectF(x, y + row * 0.2, width, row * 0.6))
                x += width
            painter.setPen(theme.color("text"))
            painter.drawText(QRectF(x + _GAP_PX / 2, y, values + 4, row), _LEFT, bar.text)
        painter.setPen(QPen(theme.color("border_strong"), 1))
        bottom = top + len(self._bars) * row
        painter.drawLine(QPointF(left - 0.5, top), QPointF(left - 0.5, bottom))

    def _paint_legend(self, painter: QPainter, theme: Theme, top: float) -> None:
        metrics, row = self.fontMetrics(), self._row_px()
        side, x = row * 0.5, 0.0
        for part, name in enumerate(self._legend):
            _paint_part(painter, theme, part, QRectF(x, top + row * 0.25, side, side))
            width = metrics.horizontalAdvance(name)
            painter.setPen(theme.color("text_dim"))
            painter.drawText(QRectF(x + side + 4, top, width + 4, row), _LEFT, name)
            x += side + width + 3 * _GAP_PX

    def _bar_at(self, y: int) -> Bar | None:
        number = int(y / self._row_px()) - (2 if self._legend else 1)
        return self._bars[number] if 0 <= number < len(self._bars) else None

    def _told(self, bar: Bar) -> str:
        lines = [f"{bar.title}: {bar.text}"]
        lines += [f"{name}: {part:g}" for name, part in zip(self._legend, bar.parts, strict=False)]
        return "\n".join(lines)

    def _row_px(self) -> float:
        return self.fontMetrics().height() * _ROW_EM / 1.5


_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _paint_part(painter: QPainter, theme: Theme, part: int, place: QRectF) -> None:
    color = part_color(theme, part)
    painter.fillRect(place, theme.color("surface"))
    painter.fillRect(place, QBrush(color, _PATTERNS[part % len(_PATTERNS)]))
    painter.setPen(QPen(color, 1))
    painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))


def part_color(theme: Theme, part: int) -> QColor:
    """Return the colour of a part of a bar: the first is the accent, the others the objects'."""
    return theme.color("accent") if part == 0 else theme.object_color(part - 1)
