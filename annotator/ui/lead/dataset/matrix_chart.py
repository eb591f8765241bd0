"""A matrix of counts as a heat map with names at its sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import tip as plain_tip

if TYPE_CHECKING:
    from annotator.domain.dataset.statistics import Matrix

_CELL_EM: Final = 2.0
_GRID_EM: Final = 1.0
_NAME_SHARE: Final = 0.35
_GAP_PX: Final = 6
_HALF: Final = 0.55
_NAMES_PX: Final = 180


class MatrixChart(QWidget):
    """Darker cells have higher counts; ``clicked`` sends row and column."""

    clicked = Signal(int, int)

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self._matrix: Matrix | None = None
        self._title = ""
        self._chosen: tuple[int, int] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        hub.changed.connect(self.update)

    def show_matrix(self, title: str, matrix: Matrix) -> None:
        """Show another matrix."""
        self._matrix, self._title, self._chosen = matrix, title, None
        self.setAccessibleName(title)
        total = int(matrix.values.sum())
        self.setAccessibleDescription(
            f"{len(matrix.row_names)} x {len(matrix.column_names)}, {total}"
        )
        self.updateGeometry()
        self.update()

    def choose(self, row: int, column: int) -> None:
        """Mark a cell."""
        self._chosen = (row, column)
        self.update()

    def sizeHint(self) -> QSize:
        rows = len(self._matrix.row_names) if self._matrix is not None else 1
        below = 2 * self._cell() if self._matrix is not None and self._matrix.is_grid else 0
        return QSize(480, round(self._top() + max(1, rows) * self._cell() + below + _GAP_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            place = self._cell_at(QPointF(event.pos()))
            if place is None or self._matrix is None:
                QToolTip.hideText()
            else:
                row, column = place
                names = self._matrix.row_names[row], self._matrix.column_names[column]
                text = f"{names[0]}\n{names[1]}\n{self._matrix.values[row, column]:,}"
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._cell_at(event.position())
        if place is not None:
            self.choose(*place)
            self.clicked.emit(*place)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        matrix, theme = self._matrix, self._hub.theme
        if matrix is None:
            return
        painter.setPen(theme.color("text"))
        most = max(1, int(matrix.values.max(initial=0)))
        low, high = theme.color("surface"), theme.color("accent")
        metrics = self.fontMetrics()
        side, left, top, cell = self._width(), self._left(), self._top(), self._cell()
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        painter.drawText(QRectF(0, 0, self.width(), cell), _MIDDLE, self._title)
        font.setBold(False)
        painter.setFont(font)
        if matrix.is_grid:
            self._paint_axes(painter, matrix)
        else:
            self._paint_names(painter, matrix)
        rows, columns = matrix.values.shape
        painter.fillRect(QRectF(left, top, columns * side, rows * cell), low)
        texts: list[tuple[QRectF, str, bool]] = []
        for row, column in np.argwhere(matrix.values).tolist():
            value = int(matrix.values[row, column])
            place = QRectF(left + column * side, top + row * cell, side, cell)
            share = (value / most) ** 0.5
            painter.fillRect(place, _mixed(low, high, share))
            texts.append((place, f"{value:,}", share > _HALF))
        painter.setPen(QPen(theme.color("border"), 1))
        for row in range(rows + 1):
            y = top + row * cell
            painter.drawLine(QPointF(left, y), QPointF(left + columns * side, y))
        for column in range(columns + 1):
            x = left + column * side
            painter.drawLine(QPointF(x, top), QPointF(x, top + rows * cell))
        for place, text, is_dark in texts:
            if metrics.horizontalAdvance(text) < side:
                painter.setPen(theme.color("accent_text" if is_dark else "text"))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        if self._chosen is not None:
            row, column = self._chosen
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(left + column * side, top + row * cell, side, cell))

    def _paint_axes(self, painter: QPainter, matrix: Matrix) -> None:
        """Paint the shares of the image's width below and of its height at the left."""
        rows, columns = matrix.values.shape
        left, top = self._left(), self._top()
        width, height, line = columns * self._width(), rows * self._cell(), self._cell()
        painter.setPen(self._hub.theme.color("text_dim"))
        for part in (0.0, 0.5, 1.0):
            text = f"{part:.0%}"
            x, y = left + part * width, top + part * height
            painter.drawText(QRectF(x - 30, top + height, 60, line), _CENTER, text)
            beside = QRectF(0, y - line / 2, left - _GAP_PX, line)
            painter.drawText(beside, Qt.AlignmentFlag.AlignRight | _MIDDLE, text)
        below = QRectF(left, top + height + 0.8 * line, width, line)
        painter.drawText(below, _CENTER, self.tr("share of the image width"))
        painter.save()
        painter.translate(line / 2, top + height / 2)
        painter.rotate(-90)
        place = QRectF(-height / 2, -line / 2, height, line)
        painter.drawText(place, _CENTER, self.tr("share of the image height"))
        painter.restore()

    def _paint_names(self, painter: QPainter, matrix: Matrix) -> None:
        metrics, left, top = self.fontMetrics(), self._left(), self._top()
        painter.setPen(self._hub.theme.color("text"))
        for row, name in enumerate(matrix.row_names):
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, left - _GAP_PX)
            place = QRectF(0, top + row * self._cell(), left - _GAP_PX, self._cell())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | _MIDDLE, shown)
        for column, name in enumerate(matrix.column_names):
            room = round(top - self._cell() - _GAP_PX)
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
            painter.save()
            painter.translate(left + (column + 0.5) * self._width(), top - _GAP_PX)
            painter.rotate(-90)
            half = metrics.height() / 2
            painter.drawText(QRectF(0, -half, top, 2 * half), Qt.AlignmentFlag.AlignLeft, shown)
            painter.restore()

    def _cell_at(self, place: QPointF) -> tuple[int, int] | None:
        if self._matrix is None:
            return None
        row = int((place.y() - self._top()) // self._cell())
        column = int((place.x() - self._left()) // self._width())
        rows, columns = self._matrix.values.shape
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def _cell(self) -> float:
        is_grid = self._matrix is not None and self._matrix.is_grid
        return self.fontMetrics().height() * (_GRID_EM if is_grid else _CELL_EM / 1.5)

    def _width(self) -> float:
        columns = len(self._matrix.column_names) if self._matrix is not None else 1
        room = (self.width() - self._left() - 2) / max(1, columns)
        return max(4.0, min(room, 3 * self._cell()))

    def _left(self) -> int:
        matrix = self._matrix
        if matrix is not None and matrix.is_grid:
            return round(self._cell() + self.fontMetrics().horizontalAdvance("100%") + _GAP_PX)
        if matrix is None or not matrix.row_names:
            return 1
        widest = max(self.fontMetrics().horizontalAdvance(name) for name in matrix.row_names)
        return min(widest + 2 * _GAP_PX, round(self.width() * _NAME_SHARE))

    def _top(self) -> float:
        matrix = self._matrix
        if matrix is None or matrix.is_grid or not matrix.column_names:
            return self._cell() + _GAP_PX
        widest = max(self.fontMetrics().horizontalAdvance(name) for name in matrix.column_names)
        return self._cell() + min(widest + 2 * _GAP_PX, _NAMES_PX)


_CENTER: Final = Qt.AlignmentFlag.AlignCenter
_MIDDLE: Final = Qt.AlignmentFlag.AlignVCenter


def _mixed(low: QColor, high: QColor, share: float) -> QColor:
    """Return a color between two."""
    parts = zip(low.getRgb()[:3], high.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(a + (b - a) * share) for a, b in parts))
