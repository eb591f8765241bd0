"""Painting of an earlier state: dashed under the present one, or beside a divider."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.ui.canvas.model.earlier_annotations import FrameShapes
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.painting.box_painter import draw_hint
from annotator.ui.canvas.painting.strokes import Rect, Strokes, outline_of
from annotator.ui.look.theme import Theme

_DASHES: Final = (5, 4)
_HALO_PX: Final = 4
_ARM_PX: Final = 7.0


class BeforePainter:
    """Paints an earlier state in device pixels: dashes on a dark ground."""

    def __init__(self, painter: QPainter, viewport: Viewport, theme: Theme) -> None:
        self._painter = painter
        self._viewport = viewport
        self._theme = theme
        self._unit = viewport.ratio

    def draw(self, moment: FrameShapes) -> None:
        """Draw boxes as dashed frames and points as dashed crosses."""
        halos, lines = Strokes(self._unit), Strokes(self._unit)
        for shape in moment.shapes:
            box = self._viewport.box_to_widget(shape.box)
            x, y = round(box.x1 * self._unit), round(box.y1 * self._unit)
            right, bottom = round(box.x2 * self._unit), round(box.y2 * self._unit)
            rect: Rect = (x, y, max(1, right - x), max(1, bottom - y))
            ink = self._theme.object_color(shape.color).rgba()
            halos.frame(rect, outline_of(ink) & 0xFFFFFF | 0xA0000000, _HALO_PX)
            lines.frame(rect, ink, 2, _DASHES)
        halos.fill(self._painter)
        lines.fill(self._painter)
        for dot in moment.dots:
            place = self._viewport.to_widget(dot.xy)
            self._cross(QPointF(*place) * self._unit, self._theme.object_color(dot.color))

    def _cross(self, at: QPointF, color: QColor) -> None:
        arm = _ARM_PX * self._unit
        for ink, width in ((QColor(outline_of(color.rgba())), 4.0), (color, 2.0)):
            pen = QPen(ink, width * self._unit)
            if width < 3:
                pen.setDashPattern([1.5, 1.2])
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            self._painter.setPen(pen)
            self._painter.drawLine(at - QPointF(arm, arm), at + QPointF(arm, arm))
            self._painter.drawLine(at - QPointF(arm, -arm), at + QPointF(arm, -arm))


def paint_names(
    painter: QPainter, theme: Theme, room: QRectF, divider: float, before: str, now: str
) -> None:
    """Write the titles of both sides of a divider, in logical pixels."""
    metrics = painter.fontMetrics()
    width = metrics.horizontalAdvance(before) + 16
    top = room.bottom() - metrics.height() - 14
    left = QRectF(room.left(), room.top(), max(0.0, divider - room.left()), room.height())
    right = QRectF(divider, room.top(), max(0.0, room.right() - divider), room.height())
    if left.width() > width + 12:
        draw_hint(painter, theme, before, left.right() - width - 16, top, left)
    if right.width() > metrics.horizontalAdvance(now) + 28:
        draw_hint(painter, theme, now, divider + 14, top, right)
