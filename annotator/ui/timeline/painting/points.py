"""Painting of the lanes of points: a thin bar by state, a person's marks, proposals by doubt."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.domain.annotation.point_track import PointTrack
from annotator.ui.timeline.model.point_lanes import PointLane, PointState
from annotator.ui.timeline.model.rows import POINT_LANE_PX
from annotator.ui.timeline.painting.marks import doubt_columns, strip_image
from annotator.ui.timeline.painting.scene import TimelineScene

_BAR_PX: Final = 3.0
_DOT_PX: Final = 2.6
# Marks closer than this are drawn as one bar.
_CLOSE_PX: Final = 5.0
_DENSE_PX: Final = 5.0
_STRIP_PX: Final = 7


class PointPainter:
    """Draws lanes of points with a painter in logical pixels of the widget."""

    def __init__(self, painter: QPainter, scene: TimelineScene) -> None:
        self._painter = painter
        self._scene = scene
        self._theme = scene.theme
        self._axis = scene.axis
        self._left = scene.layout.axis_left
        self._edge = scene.layout.gutter
        self._top = scene.layout.header
        self._width = scene.layout.lanes_width

    def draw(self, lane: PointLane, top: int) -> None:
        """Draw what a point is over time."""
        painter = self._painter
        painter.save()
        painter.setClipRect(QRect(self._edge, max(top, self._top), self._width, POINT_LANE_PX))
        middle = top + (POINT_LANE_PX - 1) / 2
        self._draw_stretches(lane, middle)
        self._draw_proposals(lane, top)
        self._draw_human(lane, middle)
        painter.restore()

    def draw_name(self, point: PointTrack, color: int, top: int) -> None:
        """Draw a point's name in the gutter, indented below its object's."""
        painter, theme, edge = self._painter, self._theme, self._edge
        painter.save()
        painter.setClipRect(QRect(0, self._top, edge - 1, self._scene.layout.lanes_height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = top + (POINT_LANE_PX - 1) / 2
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(QLineF(15, top, 15, middle))
        painter.drawLine(QLineF(15, middle, 22, middle))
        painter.setPen(QPen(theme.color("border_strong"), 1))
        painter.setBrush(theme.object_color(color))
        painter.drawEllipse(QPointF(30, middle), 4, 4)
        font = painter.font()
        font.setPointSizeF(self._scene.small_pt)
        painter.setFont(font)
        chosen = point.id in self._scene.points
        painter.setPen(theme.color("text" if chosen else "text_dim"))
        room = QRectF(40, top, edge - 48, POINT_LANE_PX - 1)
        text = painter.fontMetrics().elidedText(
            point.label, Qt.TextElideMode.ElideRight, int(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def _draw_stretches(self, lane: PointLane, middle: float) -> None:
        """Draw marked frames: a bar, dotted where occluded, hollow where out of view."""
        start, end = self._axis.visible_frames()
        first = int(np.searchsorted(lane.ends, start, side="right"))
        last = int(np.searchsorted(lane.starts, end))
        lefts = self._left + self._axis.lefts_of(lane.starts[first:last])
        rights = self._left + self._axis.lefts_of(lane.ends[first:last])
        for state in (PointState.VISIBLE, PointState.OCCLUDED, PointState.OUTSIDE):
            here = lane.states[first:last] == state
            self._draw_state(state, lefts[here], rights[here], middle)

    def _draw_state(
        self,
        state: PointState,
        lefts: np.ndarray[tuple[int], np.dtype[np.float64]],
        rights: np.ndarray[tuple[int], np.dtype[np.float64]],
        middle: float,
    ) -> None:
        painter = self._painter
        color = QColor(self._theme.color("gap" if state is PointState.OUTSIDE else "interpolated"))
        lefts = np.maximum(lefts, self._edge - 20)
        rights = np.minimum(np.maximum(rights, lefts + 1), self._edge + self._width + 20)
        spans = zip(lefts.tolist(), rights.tolist(), strict=True)
        pen = QPen(color, 1 if state is PointState.OUTSIDE else _BAR_PX)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if state is PointState.OCCLUDED:
            pen.setDashPattern((1, 1))
        if state is PointState.OUTSIDE:
            pen.setDashPattern((2, 4))
        painter.setPen(pen)
        painter.drawLines([QLineF(x1, middle, x2, middle) for x1, x2 in spans])

    def _draw_human(self, lane: PointLane, middle: float) -> None:
        start, end = self._axis.visible_frames()
        first, last = np.searchsorted(lane.human, (start, end))
        if first >= last:
            return
        painter = self._painter
        xs = self._left + self._axis.middles_of(lane.human[first:last])
        gaps = np.diff(xs, prepend=-np.inf, append=np.inf)
        is_close = (gaps[:-1] < _CLOSE_PX) & (gaps[1:] < _CLOSE_PX)
        ink = self._theme.color("keyframe")
        for x1, x2 in _runs(xs[is_close]):
            painter.fillRect(QRectF(x1 - 1, middle - _DENSE_PX / 2, x2 - x1 + 2, _DENSE_PX), ink)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        for x in xs[~is_close].tolist():
            painter.drawEllipse(QPointF(x, middle), _DOT_PX, _DOT_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _draw_proposals(self, lane: PointLane, top: int) -> None:
        start, end = self._axis.visible_frames()
        first, last = max(start, lane.doubt_start), min(end, lane.doubt_start + len(lane.doubt))
        if first >= last:
            return
        ratio = self._scene.ratio
        lefts = self._axis.lefts_of(np.arange(first, last + 1)) + self._left - self._edge
        doubt = lane.doubt[first - lane.doubt_start : last - lane.doubt_start]
        columns = np.round(lefts * ratio).astype(np.int64)
        worst = doubt_columns(doubt, columns, max(1, round(self._width * ratio)))
        image = strip_image(worst, self._theme, max(1, round(_STRIP_PX * ratio)))
        image.setDevicePixelRatio(ratio)
        self._painter.drawImage(QPointF(self._edge, top + POINT_LANE_PX - 1 - _STRIP_PX), image)


def _runs(xs: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[tuple[float, float]]:
    """Return the first and the last place of each group of marks that stand close together."""
    if not len(xs):
        return []
    breaks = np.flatnonzero(np.diff(xs) >= _CLOSE_PX)
    firsts, lasts = np.append(0, breaks + 1), np.append(breaks, len(xs) - 1)
    return list(zip(xs[firsts].tolist(), xs[lasts].tolist(), strict=True))
