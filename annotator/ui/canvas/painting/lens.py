"""The magnifier at the cursor: enough of the picture to place a point finer than a pixel."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from annotator.domain.geometry import Point
from annotator.ui.canvas.model.viewport import Viewport
from annotator.ui.canvas.painting.picture import ShownPicture
from annotator.ui.canvas.painting.points import draw_crosshair
from annotator.ui.look.theme import Theme

_RADIUS_PX: Final = 66.0
_AWAY_PX: Final = 26.0
_RIM_PX: Final = 4.0
_TIMES: Final = 6.0
# Logical pixels per image pixel in the lens, at least and at most.
_LEAST, _MOST = 4.0, 48.0


def draw_lens(
    painter: QPainter, shown: ShownPicture, viewport: Viewport, theme: Theme, at: Point
) -> None:
    """Draw the surroundings of an image point, magnified, beside it (logical pixels)."""
    scale = min(max(viewport.scale * _TIMES, _LEAST), _MOST)
    center = _beside(viewport, at)
    round_room = QRectF(
        center.x() - _RADIUS_PX, center.y() - _RADIUS_PX, 2 * _RADIUS_PX, 2 * _RADIUS_PX
    )
    edge = QPainterPath()
    edge.addEllipse(round_room)
    reach = _RADIUS_PX / scale
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipPath(edge)
    painter.fillRect(round_room, theme.color("canvas"))
    shown.paint_part(painter, round_room, QRectF(at.x - reach, at.y - reach, 2 * reach, 2 * reach))
    painter.setClipping(False)
    draw_crosshair(painter, center, _RADIUS_PX - 8)
    painter.setPen(QPen(QColor(0, 0, 0, 200), 3.0))
    painter.drawPoint(center)
    painter.setPen(QPen(QColor("#ffffff"), 1.4))
    painter.drawPoint(center)
    rim = _rim(painter.device().devicePixelRatio())
    painter.drawImage(round_room.topLeft() - QPointF(_RIM_PX, _RIM_PX), rim)
    painter.restore()


@lru_cache(maxsize=4)
def _rim(ratio: float) -> QImage:
    """Return the rim of the lens: drawing it takes longer than all that is in it."""
    side = math.ceil(2 * (_RADIUS_PX + _RIM_PX) * ratio)
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = QPointF(_RADIUS_PX + _RIM_PX, _RADIUS_PX + _RIM_PX)
    for color, width in ((QColor(0, 0, 0, 150), 5.0), (QColor("#f4f5f7"), 2.0)):
        painter.setPen(QPen(color, width))
        painter.drawEllipse(middle, _RADIUS_PX, _RADIUS_PX)
    painter.end()
    return image


def _beside(viewport: Viewport, at: Point) -> QPointF:
    """Return the middle of the lens: up and right of the place, else where there is room.

    Down and right stand the words at the cursor.
    """
    x, y = viewport.to_widget(at)
    away = _RADIUS_PX + _AWAY_PX
    has_room_above = y - away - _RADIUS_PX >= 0
    has_room_right = x + away + _RADIUS_PX <= viewport.width
    is_left = not (has_room_above and has_room_right) and x - away - _RADIUS_PX >= 0
    top = max(y - away, _RADIUS_PX + 4)
    return QPointF(x - away if is_left else x + away, top)
