"""The signs of keyframes and the strip of proposals, as small pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QPolygonF

from annotator.ui.look.theme import Theme
from annotator.ui.timeline.model.lane_contents import OUTDATED, KeyframeSign

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARK_PX: Final = 13
STRIP_PX: Final = 9
RING_PX: Final = 7
DOUBTFUL_FROM: Final = 0.5


def draw_mark(
    painter: QPainter, mark: KeyframeSign, center: QPointF, ink: QColor, plane: QColor
) -> None:
    """Draw one sign: ◆ by a person, ◇ accepted, ● imported, × out of view from here."""
    x, y = center.x(), center.y()
    painter.setPen(QPen(ink, 1.5))
    if mark is KeyframeSign.OUTSIDE:
        painter.setPen(QPen(plane, 4.5))
        _draw_cross(painter, x, y)
        painter.setPen(QPen(ink, 2.0))
        _draw_cross(painter, x, y)
    elif mark is KeyframeSign.IMPORTED:
        painter.setBrush(ink)
        painter.setPen(QPen(plane, 1))
        painter.drawEllipse(center, 4.2, 4.2)
    else:
        painter.setBrush(ink if mark is KeyframeSign.HUMAN else plane)
        if mark is KeyframeSign.HUMAN:
            painter.setPen(QPen(plane, 1))
        reach = 5.4 if mark is KeyframeSign.HUMAN else 4.8
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(x, y - reach),
                    QPointF(x + reach, y),
                    QPointF(x, y + reach),
                    QPointF(x - reach, y),
                ]
            )
        )


class MarkPictures:
    """Keyframe signs drawn once per theme and scale."""

    def __init__(self, theme: Theme, ratio: float) -> None:
        self._theme = theme
        self._ratio = ratio
        self._kept: dict[tuple[KeyframeSign, bool], QPixmap] = {}
        self._ring: QPixmap | None = None

    def get(self, mark: KeyframeSign, *, selected: bool) -> QPixmap:
        """Return a sign of ``MARK_PX`` logical pixels a side."""
        kept = self._kept.get((mark, selected))
        if kept is None:
            kept = self._kept[(mark, selected)] = self._render(mark, selected)
        return kept

    def ring(self) -> QPixmap:
        """Return the sign of a grid frame without a verdict, ``RING_PX`` a side."""
        if self._ring is None:
            self._ring = self._blank(RING_PX)
            painter = QPainter(self._ring)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("grid_line"), 1.2))
            painter.setBrush(self._theme.color("lane"))
            painter.drawEllipse(QPointF(RING_PX / 2, RING_PX / 2), 2.2, 2.2)
            painter.end()
        return self._ring

    def _blank(self, side_px: int) -> QPixmap:
        side = round(side_px * self._ratio)
        pixmap = QPixmap(side, side)
        pixmap.setDevicePixelRatio(self._ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        return pixmap

    def _render(self, mark: KeyframeSign, selected: bool) -> QPixmap:
        pixmap = self._blank(MARK_PX)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plane = self._theme.color("lane_selected" if selected else "lane")
        middle = QPointF(MARK_PX / 2, MARK_PX / 2)
        draw_mark(painter, mark, middle, self._theme.color("keyframe"), plane)
        painter.end()
        return pixmap


def doubt_columns(
    doubt: NDArray[np.float32], columns: NDArray[np.int64], width: int
) -> NDArray[np.float32]:
    """Return the greatest doubt in each of ``width`` pixel columns, NaN where there is none.

    `OUTDATED` counts as less than any doubt.

    ``columns`` int64 [n + 1] holds the column where each of the n frames begins, and where the last
    one ends; frames narrower than a column share it.
    """
    worst = np.full(width, OUTDATED - 1, dtype=np.float32)
    known_columns = np.flatnonzero(~np.isnan(doubt))
    if len(known_columns):
        first = np.clip(columns[known_columns], 0, width)
        last = np.clip(np.maximum(columns[known_columns + 1], columns[known_columns] + 1), 0, width)
        np.maximum.at(worst, first[first < width], doubt[known_columns][first < width])
        for offset in range(1, int((last - first).max(initial=0))):
            wide = first + offset < last
            np.maximum.at(worst, first[wide] + offset, doubt[known_columns][wide])
    worst[worst < OUTDATED] = np.nan
    return worst


def strip_image(worst: NDArray[np.float32], theme: Theme, height: int) -> QImage:
    """Return a strip that gets higher, and turns to another color, with growing doubt.

    From ``DOUBTFUL_FROM`` on it is striped too, so that it does not depend on color alone. Where
    all is `OUTDATED` it is low and gray.
    """
    width = len(worst)
    is_known = ~np.isnan(worst)
    doubt = np.where(is_known, worst, 0.0)
    sure, unsure, old = (_rgb(theme.color(name)) for name in ("proposed", "doubtful", "gap"))
    is_doubtful = doubt >= DOUBTFUL_FROM
    colors = np.where(is_doubtful[:, None], unsure, sure)
    colors[doubt == OUTDATED] = old
    bars = np.where(is_known, np.maximum(0.34, 0.34 + 0.66 * doubt) * height, 0.0)
    rows = height - np.arange(height)[:, None]
    visible = rows <= np.ceil(bars)[None, :]
    stripes = (np.arange(width)[None, :] + np.arange(height)[:, None]) // max(2, height // 4) % 2
    visible &= ~(is_doubtful[None, :] & (stripes == 1) & (rows > 2))
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    pixels[..., :3] = np.where(visible[..., None], colors[None, :, ::-1], 0)
    pixels[..., 3] = np.where(visible, 255, 0)
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    return image.copy()


def _rgb(color: QColor) -> NDArray[np.uint8]:
    return np.array([color.red(), color.green(), color.blue()], dtype=np.uint8)


def _draw_cross(painter: QPainter, x: float, y: float) -> None:
    reach = 3.4
    painter.drawLine(QPointF(x - reach, y - reach), QPointF(x + reach, y + reach))
    painter.drawLine(QPointF(x - reach, y + reach), QPointF(x + reach, y - reach))
