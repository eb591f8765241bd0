"""Painting of lanes: names at the left, spans, proposals, keyframes and marks of points."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.track import Track
from annotator.ui.timeline.model.lane_contents import (
    IntervalState,
    KeyframeSign,
    LaneSpans,
    PointLane,
    PointState,
    TrackLane,
)
from annotator.ui.timeline.model.rows import LANE_PX, POINT_LANE_PX
from annotator.ui.timeline.model.segment_times import distinct
from annotator.ui.timeline.painting import header_painter
from annotator.ui.timeline.painting.mark_painter import (
    MARK_PX,
    RING_PX,
    STRIP_PX,
    doubt_columns,
    strip_image,
)
from annotator.ui.timeline.painting.timeline_scene import TimelineScene

_POINT_BAR_PX: Final = 3.0
_DOT_PX: Final = 2.6
_INDENT_PX: Final = 16  # of a point below its object
# Marks closer than this are drawn as one bar.
_MARKS_CLOSE_PX: Final = 5.0
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
        self._top = scene.layout.border
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
        """Draw a point's name in the gutter, indented below that of its object if it has one."""
        painter, theme, edge = self._painter, self._theme, self._edge
        painter.save()
        painter.setClipRect(QRect(0, self._top, edge - 1, self._scene.layout.lanes_height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = top + (POINT_LANE_PX - 1) / 2
        indent = 0 if point.info.track_id is None else _INDENT_PX
        if indent:
            painter.setPen(QPen(theme.color("border"), 1))
            painter.drawLine(QLineF(15, top, 15, middle))
            painter.drawLine(QLineF(15, middle, 22, middle))
        painter.setPen(QPen(theme.color("border_strong"), 1))
        painter.setBrush(theme.object_color(color))
        painter.drawEllipse(QPointF(14 + indent, middle), 4, 4)
        font = painter.font()
        font.setPointSizeF(self._scene.small_pt)
        painter.setFont(font)
        chosen = point.id in self._scene.points
        painter.setPen(theme.color("text" if chosen else "text_dim"))
        room = QRectF(24 + indent, top, edge - 32 - indent, POINT_LANE_PX - 1)
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
        pen = QPen(color, 1 if state is PointState.OUTSIDE else _POINT_BAR_PX)
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
        is_close = (gaps[:-1] < _MARKS_CLOSE_PX) & (gaps[1:] < _MARKS_CLOSE_PX)
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
    breaks = np.flatnonzero(np.diff(xs) >= _MARKS_CLOSE_PX)
    firsts, lasts = np.append(0, breaks + 1), np.append(breaks, len(xs) - 1)
    return list(zip(xs[firsts].tolist(), xs[lasts].tolist(), strict=True))


_TRACK_BAR_PX: Final = 3
_SETTLED_PX: Final = 7
# Keyframes closer than this are drawn as a comb of lines.
_KEYS_CLOSE_PX: Final = 9.0
_GRID_PX: Final = 7.0
_GRID_SHARE: Final = 0.27


class LanePainter:
    """Draws the lanes in sight with a painter in logical pixels of the widget."""

    def __init__(self, painter: QPainter, scene: TimelineScene) -> None:
        self._painter = painter
        self._scene = scene
        self._theme = scene.theme
        self._axis = scene.axis
        self._left = scene.layout.axis_left
        self._edge = scene.layout.gutter
        self._top = scene.layout.border
        self._right = self._edge + scene.layout.lanes_width

    def draw_plane(self, rows: Iterable[int]) -> None:
        """Draw the background of rows, and the annotation grid over it."""
        scene, painter = self._scene, self._painter
        layout, glowing = scene.layout, scene.glowing
        painter.fillRect(
            QRect(0, layout.header, layout.width, layout.lanes_height),
            self._theme.color("timeline"),
        )
        for row in rows:
            top = layout.top_of(row)
            item = layout.rows[row]
            chosen = item.id in scene.selected if isinstance(item, Track) else False
            if isinstance(item, PointTrack):
                chosen = item.id in scene.points
            color = self._theme.color("lane_selected" if chosen else "lane")
            visible = max(top, layout.border_of(row))
            height = top + layout.height_of(row) - 1 - visible
            painter.fillRect(QRect(0, visible, layout.width, height), color)
            if isinstance(item, Track) and item.id in glowing:
                self._draw_glow(item, visible, height)
        self._draw_grid()

    def _draw_glow(self, track: Track, top: int, height: int) -> None:
        """Light up the lane of an object that plays a role in the selected segment."""
        color = QColor(self._theme.object_color(track.info.color))
        self._painter.fillRect(QRect(0, top, 4, height), color)
        color.setAlpha(38)
        self._painter.fillRect(QRect(0, top, self._scene.layout.width, height), color)

    def draw_track(self, lane: TrackLane, top: int) -> None:
        """Draw what a track is over time."""
        painter = self._painter
        painter.save()
        painter.setClipRect(QRect(self._edge, max(top, self._top), self._width, LANE_PX))
        middle = top + (LANE_PX - 1) / 2
        self._draw_spans(lane.spans, middle)
        self._draw_proposals(lane, top)
        self._draw_unchecked(lane, top)
        self._draw_keys(lane, middle)
        if lane.track_id in self._scene.selected:
            self._draw_changes(lane, top)
        painter.restore()

    def draw_name(self, track: Track, top: int) -> None:
        """Draw a track's name in the gutter."""
        painter = self._painter
        painter.save()
        painter.setClipRect(QRect(0, self._top, self._edge - 1, self._scene.layout.lanes_height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_track_name(track, top)
        painter.restore()

    @property
    def _width(self) -> int:
        return self._scene.layout.lanes_width

    def _draw_grid(self) -> None:
        layout = self._scene.layout
        bottom = min(layout.height, layout.top_of(len(layout.rows)))
        # Mixed beforehand: painting through would take longer than all the rest.
        color = _mixed(self._theme.color("grid_line"), self._theme.color("lane"), _GRID_SHARE)
        width = 1 / self._scene.ratio
        for frame in header_painter.grid_frames(self._axis, self._scene.grid_step, _GRID_PX):
            at = self._axis.middle_of(frame)
            if 0 <= at <= self._axis.width:
                left = self._scene.crisp(self._left + at) - width / 2
                line = QRectF(left, layout.header, width, bottom - layout.header)
                self._painter.fillRect(line, color)

    def _draw_spans(self, spans: LaneSpans, middle: float) -> None:
        start, end = self._axis.visible_frames()
        first = max(0, int(np.searchsorted(spans.starts, start, side="right")) - 1)
        last = int(np.searchsorted(spans.starts, end, side="left"))
        lefts = self._left + self._axis.lefts_of(spans.starts[first:last])
        rights = self._left + self._axis.lefts_of(spans.ends[first:last])
        for i, (x1, x2) in enumerate(zip(lefts.tolist(), rights.tolist(), strict=True), first):
            x1, x2 = max(x1, self._edge - 20.0), min(x2, self._right + 20.0)
            if x2 > x1:
                kind = IntervalState(int(spans.kinds[i]))
                self._draw_span(kind, bool(spans.occluded[i]), x1, x2, middle)

    def _draw_span(
        self, kind: IntervalState, occluded: bool, x1: float, x2: float, middle: float
    ) -> None:
        painter, color = self._painter, self._theme.color("interpolated")
        if kind is IntervalState.OUTSIDE:
            hatch = QColor(self._theme.color("gap"))
            hatch.setAlpha(120)
            painter.fillRect(
                QRectF(x1, middle - 4, x2 - x1, 8), QBrush(hatch, Qt.BrushStyle.BDiagPattern)
            )
            return
        height = _SETTLED_PX if kind is IntervalState.SETTLED else _TRACK_BAR_PX
        if occluded:
            pen = QPen(color, height)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern((3 / height, 3 / height))
            painter.setPen(pen)
            painter.drawLine(QPointF(x1, middle), QPointF(x2, middle))
        elif kind is IntervalState.HELD:
            painter.setPen(QPen(color, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(x1, math.floor(middle) - 1.5, x2 - x1, _TRACK_BAR_PX))
        else:
            painter.fillRect(QRectF(x1, middle - height / 2, x2 - x1, height), color)

    def _draw_proposals(self, lane: TrackLane, top: int) -> None:
        if not len(lane.doubt):
            return
        start, end = self._axis.visible_frames()
        first = max(start, lane.doubt_start)
        last = min(end, lane.doubt_start + len(lane.doubt))
        if first >= last:
            return
        ratio = self._scene.ratio
        width = max(1, round(self._width * ratio))
        lefts = self._axis.lefts_of(np.arange(first, last + 1)) + self._left - self._edge
        edges = lefts * ratio
        doubt = lane.doubt[first - lane.doubt_start : last - lane.doubt_start]
        worst = doubt_columns(doubt, np.round(edges).astype(np.int64), width)
        image = strip_image(worst, self._theme, max(1, round(STRIP_PX * ratio)))
        image.setDevicePixelRatio(ratio)
        self._painter.drawImage(QPointF(self._edge, top + LANE_PX - 1 - STRIP_PX), image)

    def _draw_unchecked(self, lane: TrackLane, top: int) -> None:
        start, end = self._axis.visible_frames()
        first, last = np.searchsorted(lane.unchecked, (start, end))
        spacing = self._axis.typical_cell_px * self._scene.grid_step
        if first >= last or spacing < _GRID_PX:
            return
        xs = self._left + self._axis.middles_of(lane.unchecked[first:last])
        ring, ratio = self._scene.marks.ring(), self._scene.ratio
        for x in xs.tolist():
            left = round((x - RING_PX / 2) * ratio) / ratio
            self._painter.drawPixmap(QPointF(left, top + 4.5 - RING_PX / 2), ring)

    def _draw_changes(self, lane: TrackLane, top: int) -> None:
        """Draw a small triangle where an attribute of a selected track gets another value."""
        start, end = self._axis.visible_frames()
        first, last = np.searchsorted(lane.changes, (start, end))
        if first >= last:
            return
        base = top + LANE_PX - 2
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._theme.color("link"))
        for x in (self._left + self._axis.middles_of(lane.changes[first:last])).tolist():
            corners = ((x - 4, base), (x + 4, base), (x, base - 6))
            self._painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    def _draw_keys(self, lane: TrackLane, middle: float) -> None:
        start, end = self._axis.visible_frames()
        first, last = np.searchsorted(lane.frames, (start, end))
        if first >= last:
            return
        xs = self._left + self._axis.middles_of(lane.frames[first:last])
        marks = lane.marks[first:last]
        gaps = np.diff(xs, prepend=-np.inf, append=np.inf)
        is_close = (gaps[:-1] < _KEYS_CLOSE_PX) | (gaps[1:] < _KEYS_CLOSE_PX)
        self._draw_comb(xs[is_close], middle)
        selected = lane.track_id in self._scene.selected
        half = MARK_PX / 2
        ratio = self._scene.ratio
        for x, mark in zip(xs[~is_close].tolist(), marks[~is_close].tolist(), strict=True):
            left = round((x - half) * ratio) / ratio
            top = round((middle - half) * ratio) / ratio
            pixmap = self._scene.marks.get(KeyframeSign(mark), selected=selected)
            self._painter.drawPixmap(QPointF(left, top), pixmap)

    def _draw_comb(self, xs: np.ndarray[tuple[int], np.dtype[np.float64]], middle: float) -> None:
        if not len(xs):
            return
        columns = distinct(np.round(xs / 2) * 2)
        self._painter.setPen(QPen(self._theme.color("keyframe"), 1))
        self._painter.drawLines(
            [QLineF(x + 0.5, middle - 4, x + 0.5, middle + 4) for x in columns.tolist()]
        )

    def _draw_track_name(self, track: Track, top: int) -> None:
        painter, theme = self._painter, self._theme
        info = track.info
        if self._scene.has_points(track.id):
            self._draw_fold(track.id in self._scene.folded, top + (LANE_PX - 1) / 2)
        swatch = QRectF(12, top + (LANE_PX - 1) / 2 - 5, 10, 10)
        painter.setPen(QPen(theme.color("border_strong"), 1))
        painter.setBrush(theme.object_color(info.color))
        painter.drawRoundedRect(swatch, 3, 3)
        right = self._edge - 8.0
        for icon, is_on in (("lock", info.is_locked), ("eye-off", info.is_hidden)):
            if is_on:
                right -= 16
                size = QSize(14, 14)
                pixmap = theme.icon(icon, token="text_dim").pixmap(size, self._scene.ratio)
                painter.drawPixmap(QPointF(right, top + (LANE_PX - 1) / 2 - 7), pixmap)
        number = str(info.number)
        number_width = self._number_width()
        painter.setPen(theme.color("text_dim"))
        column = QRectF(26, top, number_width + 2, LANE_PX - 1)
        painter.drawText(
            column, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, number
        )
        left = 28 + number_width + 8
        painter.setPen(theme.color("text_disabled" if info.is_hidden else "text"))
        self._draw_text(info.label, QRectF(left, top, right - left - 4, LANE_PX - 1))

    def _number_width(self) -> float:
        """Return how wide the greatest number is: names stand below each other."""
        session = self._scene.session
        most = session.document.next_number() - 1 if session is not None else 0
        widest = "0" * max(2, len(str(most)))
        return QFontMetricsF(self._painter.font()).horizontalAdvance(widest)

    def _draw_fold(self, is_folded: bool, middle: float) -> None:
        """Draw the sign that folds the points' lanes away: it points to them while they show."""
        reach = 3.5
        corners = [QPointF(2.5, middle - reach), QPointF(2.5, middle + reach), QPointF(8, middle)]
        if not is_folded:
            corners = [QPointF(1.5, middle - 2), QPointF(9, middle - 2), QPointF(5.25, middle + 3)]
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._theme.color("text_dim"))
        self._painter.drawPolygon(QPolygonF(corners))

    def _draw_text(self, text: str, room: QRectF) -> None:
        metrics = self._painter.fontMetrics()
        short = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        self._painter.drawText(room, flags, short)


def _mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """Return what a color looks like that lets the ground shine through."""
    inks, grounds = (_channels(c) for c in (color, ground))
    return QColor(*(round(c * share + g * (1 - share)) for c, g in zip(inks, grounds, strict=True)))


def _channels(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()
