"""Small charts of the lead's pages: bars, lines and intervals, readable without color.

Each bar says its value in words beside it; parts of a bar differ by pattern as well as by color.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from annotator.ui.look.theme import Theme, ThemeHub
from annotator.ui.look.widgets import tip as plain_tip

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
    """One bar: its title, its parts from the left, and its value as text."""

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

    def __init__(self, hub: ThemeHub, title: str, empty: str, *, shows_title: bool = True) -> None:
        super().__init__()
        self._hub = hub
        self._title = title
        self._title_rows = int(shows_title)
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
        rows = self._title_rows + max(1, len(self._bars)) + bool(self._legend)
        return QSize(320, round(rows * self._row_px() + _GAP_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            bar = self._bar_at(event.pos().y())
            if bar is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), plain_tip(self._tooltip_of(bar)), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._hub.theme
        row = self._row_px()
        top = row * self._title_rows
        if top:
            font = painter.font()
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(theme.color("text"))
            painter.drawText(QRectF(0, 0, self.width(), row), _LEFT, self._title)
            font.setBold(False)
            painter.setFont(font)
        if not self._bars:
            painter.setPen(theme.color("text_dim"))
            painter.drawText(QRectF(0, top, self.width(), row), _LEFT, self._empty)
            return
        if self._legend:
            self._paint_legend(painter, theme, top)
            top += row
        self._paint_bars(painter, theme, top)

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
        number = int(y / self._row_px()) - self._title_rows - bool(self._legend)
        return self._bars[number] if 0 <= number < len(self._bars) else None

    def _tooltip_of(self, bar: Bar) -> str:
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


_PART_TOKENS: Final = ("accent", "warning", "interpolated", "success", "proposed", "error")


def part_color(theme: Theme, part: int) -> QColor:
    """Return the color of a part of a bar: all reach a contrast of 3:1 with the surface."""
    return theme.color(_PART_TOKENS[part % len(_PART_TOKENS)])


_NEAR_PX: Final = 10.0
_MARK_PX: Final = 4.5
_N_TICKS: Final = 5
_CORNERS: Final = (
    ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)),
    ((0.0, -1.2), (1.2, 1.0), (-1.2, 1.0)),
    ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
)
"""Square, triangle and diamond, in sizes of a mark."""
_CENTER: Final = Qt.AlignmentFlag.AlignCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A value at a place on the time axis, with the words of its tool tip."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line, from left to right. ``color`` counts into the object palette."""

    title: str
    color: int
    marks: tuple[ChartMark, ...]


@dataclass(frozen=True, slots=True)
class Axes:
    """Title of the values, labels of the time axis by place, and a limit drawn across.

    ``most`` is the top of the axis, None: by the values. The axis begins at 0.
    """

    title: str
    labels: tuple[tuple[float, str], ...] = ()
    limit: float | None = None
    limit_text: str = ""
    most: float | None = None


class LineChart(QWidget):
    """Lines over time with axes, a legend at the right, and values as tool tips."""

    def __init__(self, hub: ThemeHub, title: str, empty: str) -> None:
        super().__init__()
        self._hub = hub
        self._empty = empty
        self.lines: tuple[ChartLine, ...] = ()
        self._axes = Axes("")
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        hub.changed.connect(self.update)

    def show_lines(self, lines: Sequence[ChartLine], axes: Axes) -> None:
        """Show other lines."""
        self.lines, self._axes = tuple(lines), axes
        told = [f"{line.title}: {', '.join(m.text for m in line.marks)}" for line in self.lines]
        self.setAccessibleDescription("; ".join(told) or self._empty)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(520, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 140)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            found = self._mark_at(QPointF(event.pos()))
            if found is None:
                QToolTip.hideText()
            else:
                line, mark = found
                text = f"{line.title}\n{mark.text}"
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._hub.theme
        if not any(line.marks for line in self.lines):
            painter.setPen(theme.color("text_dim"))
            painter.drawText(self.rect(), _CENTER, self._empty)
            return
        area, most = self._area(), self._most()
        self._paint_axes(painter, area, most)
        for number, line in enumerate(self.lines):
            color = part_color(theme, line.color)
            places = [self._place(area, most, mark) for mark in line.marks]
            painter.setPen(QPen(color, 1.6))
            painter.drawPolyline(QPolygonF(places))
            for place in places:
                _paint_mark(painter, color, number, place)
        self._paint_legend(painter, area)

    def _paint_axes(self, painter: QPainter, area: QRectF, most: float) -> None:
        theme, height = self._hub.theme, self.fontMetrics().height()
        painter.setPen(theme.color("text_dim"))
        painter.drawText(QRectF(0, 0, area.right(), height), _LEFT, self._axes.title)
        step = _step(most)
        for number in range(math.floor(most / step + 1e-9) + 1):
            value = number * step
            y = area.bottom() - value / most * area.height()
            painter.setPen(QPen(theme.color("border"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(theme.color("text_dim"))
            place = QRectF(0, y - height / 2, area.left() - _GAP_PX, height)
            painter.drawText(place, _RIGHT, f"{value:g}")
        last = -math.inf
        for x, text in self._axes.labels:
            width = self.fontMetrics().horizontalAdvance(text) + 2
            left = area.left() + self._share(x) * area.width() - width / 2
            if left > last + _GAP_PX:
                painter.drawText(QRectF(left, area.bottom() + 4, width, height), _CENTER, text)
                last = left + width
        limit = self._axes.limit
        if limit is not None and limit <= most:
            y = area.bottom() - limit / most * area.height()
            painter.setPen(QPen(theme.color("warning"), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            place = QRectF(area.left() + 4, y - height - 1, area.width(), height)
            painter.drawText(place, _LEFT, self._axes.limit_text)

    def _paint_legend(self, painter: QPainter, area: QRectF) -> None:
        theme, height = self._hub.theme, self.fontMetrics().height()
        x, room = area.right() + 2 * _GAP_PX, self.width() - area.right() - 4 * _GAP_PX
        for number, line in enumerate(self.lines):
            y = area.top() + number * height * 1.4
            if y + height > self.height():
                break
            color = part_color(theme, line.color)
            _paint_mark(painter, color, number, QPointF(x, y + height / 2))
            painter.setPen(theme.color("text"))
            name = self.fontMetrics().elidedText(
                line.title, Qt.TextElideMode.ElideRight, round(room)
            )
            painter.drawText(QRectF(x + _GAP_PX + 2, y, room, height), _LEFT, name)

    def _area(self) -> QRectF:
        height, metrics = self.fontMetrics().height(), self.fontMetrics()
        names = [metrics.horizontalAdvance(line.title) for line in self.lines]
        legend = min(max(names, default=0) + 6 * _GAP_PX, self.width() // 3)
        step = _step(self._most())
        ticks = max(metrics.horizontalAdvance(f"{n * step:g}") for n in range(2 * _N_TICKS))
        left = ticks + 1.5 * _GAP_PX
        return QRectF(left, height * 1.5, self.width() - left - legend, self.height() - 3 * height)

    def _most(self) -> float:
        if self._axes.most is not None:
            return self._axes.most
        values = [mark.y for line in self.lines for mark in line.marks]
        if self._axes.limit is not None:
            values.append(self._axes.limit)
        return max(max(values, default=0.0) * 1.1, 1e-6)

    def _share(self, x: float) -> float:
        places = [mark.x for line in self.lines for mark in line.marks]
        low, high = min(places), max(places)
        return 0.5 if high == low else 0.03 + 0.94 * (x - low) / (high - low)

    def _place(self, area: QRectF, most: float, mark: ChartMark) -> QPointF:
        x = area.left() + self._share(mark.x) * area.width()
        return QPointF(x, area.bottom() - min(mark.y / most, 1.0) * area.height())

    def _mark_at(self, place: QPointF) -> tuple[ChartLine, ChartMark] | None:
        """Return the nearest mark to a place of the widget, None when none is near."""
        area, most = self._area(), self._most()
        found = [
            ((self._place(area, most, mark) - place).manhattanLength(), number, line, mark)
            for number, line in enumerate(self.lines)
            for mark in line.marks
        ]
        if not found:
            return None
        distance, _, line, mark = min(found, key=lambda each: each[:2])
        return (line, mark) if distance <= _NEAR_PX else None


def _step(most: float) -> float:
    """Return a round distance of ticks for an axis from 0."""
    raw = most / _N_TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)


def _paint_mark(painter: QPainter, color: QColor, number: int, at: QPointF) -> None:
    """Paint a filled circle, square, triangle or diamond."""
    painter.setPen(QPen(color, 1))
    painter.setBrush(color)
    size, x, y = _MARK_PX, at.x(), at.y()
    shape = number % 4
    if shape == 0:
        painter.drawEllipse(at, size, size)
    else:
        corners = [QPointF(x + a * size, y + b * size) for a, b in _CORNERS[shape - 1]]
        painter.drawPolygon(QPolygonF(corners))
    painter.setBrush(Qt.BrushStyle.NoBrush)


Index = QModelIndex | QPersistentModelIndex
INTERVAL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Value, low and high of a cell, 0..1."""
_INTERVAL_PX: Final = 72
_INTERVAL_GAP_PX: Final = 12
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
        return super().sizeHint(option, index) + QSize(_INTERVAL_PX + 2 * _INTERVAL_GAP_PX, 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        shares = index.data(INTERVAL_ROLE)
        if not shares or not all(isinstance(share, float) for share in shares):
            return
        theme, rect = self._hub.theme, option.rect
        room = QRect(
            rect.right() - _INTERVAL_PX - _INTERVAL_GAP_PX, rect.top(), _INTERVAL_PX, rect.height()
        )
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
