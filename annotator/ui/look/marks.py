"""Small marks in the colors of a theme: badge, color patch, corners of a pane with the focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QLabel

from annotator.ui.look.plain import plain

_CORNER_PX: Final = 14


class Badge(QLabel):
    """Words on a rounded plane; plain text."""

    def __init__(self) -> None:
        super().__init__()
        plain(self)
        self.setContentsMargins(8, 3, 8, 3)
        # Else those of the tool bar, and no color shows.
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        self._plane = QColor()

    def set_colors(self, plane: QColor, ink: QColor) -> None:
        self._plane = plane
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, ink)
        self.setPalette(palette)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._plane)
            radius = self.height() / 2
            painter.drawRoundedRect(self.rect(), radius, radius)
        super().paintEvent(event)


def draw_focus_corners(painter: QPainter, rect: QRect | QRectF, color: QColor) -> None:
    """Mark a large pane that has the focus, without a frame around what is worked on."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(color, 2))
    inner, reach = QRectF(rect).adjusted(1, 1, -1, -1), _CORNER_PX
    for x, to_x in ((inner.left(), reach), (inner.right(), -reach)):
        for y, to_y in ((inner.top(), reach), (inner.bottom(), -reach)):
            painter.drawLine(QPointF(x, y), QPointF(x + to_x, y))
            painter.drawLine(QPointF(x, y), QPointF(x, y + to_y))
    painter.restore()


def color_swatch(color: QColor) -> QIcon:
    """Return a round patch of a color."""
    pixmap = QPixmap(32, 32)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(color)
    painter.setPen(color.darker(130))
    painter.drawEllipse(3, 3, 26, 26)
    painter.end()
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon
