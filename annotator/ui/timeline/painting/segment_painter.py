"""Painting of segments: their bars on the lanes, dragged segments, and snap targets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.ids import TrackId
from annotator.domain.proposals.model_predictions import score_of
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.model.layout import RULER_END_PX
from annotator.ui.timeline.model.rows import LANE_PX
from annotator.ui.timeline.model.segment_times import distinct, span_s
from annotator.ui.timeline.painting.header_painter import format_time
from annotator.ui.timeline.painting.timeline_scene import TimelineScene

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Narrower segments are drawn as plain bars.
_PLAIN_PX: Final = 5.0
_CHIP_PX: Final = 8.0
_HANDLE_PX: Final = 4.0
_ROLE_PX: Final = 4.0
_BAND_PX: Final = 5.0
# So little that text of the theme stays readable on the tint of any label.
_PLANE_ALPHA: Final = 46


class InSight(NamedTuple):
    """Where the segments of a row lie, float64 [n] logical pixels, and which can be seen."""

    lefts: NDArray[np.float64]
    rights: NDArray[np.float64]
    seen: NDArray[np.bool_]


def in_sight(scene: TimelineScene, lane: SegmentLane) -> InSight:
    """Return the places of a row's segments."""
    axis, layout = scene.axis, scene.layout
    starts, ends = scene.lanes.segment_times(lane, axis)
    lefts = layout.axis_left + (starts - axis.start_s) * axis.scale
    rights = layout.axis_left + (ends - axis.start_s) * axis.scale
    seen = (rights >= layout.gutter) & (lefts <= layout.gutter + layout.lanes_width)
    return InSight(lefts, rights, seen)


class SegmentPainter:
    """Draws segments with a painter in logical pixels of the widget."""

    def __init__(self, painter: QPainter, scene: TimelineScene) -> None:
        self._painter = painter
        self._scene = scene
        self._theme = scene.theme
        self._axis = scene.axis
        self._left = scene.layout.axis_left
        self._edge = scene.layout.gutter
        self._width = scene.layout.lanes_width
        self._top = scene.layout.header

    def draw_row(self, lane: SegmentLane, top: int) -> None:
        """Draw one row of segments with their names, without those that are being dragged."""
        painter, scene = self._painter, self._scene
        painter.save()
        painter.setClipRect(QRect(self._edge, max(top, self._top), self._width, LANE_PX))
        lefts, rights, visible_rows = in_sight(scene, lane)
        is_plain = rights - lefts < _PLAIN_PX
        self._draw_plain(
            lane.lane, lefts[visible_rows & is_plain], rights[visible_rows & is_plain], top
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i in np.flatnonzero(visible_rows & ~is_plain).tolist():
            if lane.segments[i].id not in scene.dragged:
                self._draw_segment(lane.segments[i], float(lefts[i]), float(rights[i]), top)
        for i in np.flatnonzero(visible_rows & is_plain).tolist():
            segment = lane.segments[i]
            if segment.id in scene.segments and segment.id not in scene.dragged:
                self._draw_segment(segment, float(lefts[i]), float(rights[i]), top)
        painter.restore()

    def draw_drafts(self, drafts: Iterable[Segment], magnet_s: float | None) -> None:
        """Draw segments where the mouse has dragged them, with times, and what holds them."""
        painter, scene = self._painter, self._scene
        tops = {
            segment.id: scene.layout.top_of(row)
            for row in scene.layout.visible_rows()
            if isinstance(lane := scene.layout.rows[row], SegmentLane)
            for segment in lane.segments
            if segment.id in scene.dragged
        }
        painter.save()
        painter.setClipRect(QRect(self._edge, RULER_END_PX, self._width, scene.layout.height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if magnet_s is not None:
            x = scene.crisp(self._left + self._axis.x_of_time(magnet_s))
            pen = QPen(self._theme.color("accent"), 1)
            pen.setDashPattern((4, 3))
            painter.setPen(pen)
            painter.drawLine(QLineF(x, RULER_END_PX, x, scene.layout.height))
        last = None
        for segment in drafts:
            top = tops.get(segment.id)
            if top is not None:
                start, end = (self._left + self._axis.x_of_time(t) for t in self._span(segment))
                self._draw_segment(segment, start, end, top)
                last = (segment, start, end, top)
        if last is not None:
            self._draw_times(*last)
        painter.restore()

    def draw_name(self, lane: SegmentLane, top: int) -> None:
        """Draw the name of a lane in the gutter, beside its first row."""
        if lane.row:
            return
        painter, theme = self._painter, self._theme
        painter.save()
        painter.setClipRect(QRect(0, self._top, self._edge - 1, self._scene.layout.lanes_height))
        is_sound = lane.lane is Lane.SOUND
        icon = theme.icon("sound" if is_sound else "segment", token="text_dim")
        pixmap = icon.pixmap(QSize(14, 14), self._scene.ratio)
        painter.drawPixmap(QPointF(8, top + (LANE_PX - 1) / 2 - 7), pixmap)
        painter.setPen(theme.color("text_dim"))
        self._draw_text(_lane_title(lane.lane), QRectF(28, top, self._edge - 36, LANE_PX - 1))
        painter.restore()

    def _span(self, segment: Segment) -> tuple[float, float]:
        return span_s(segment, self._axis)

    def _draw_plain(
        self,
        lane: Lane,
        lefts: np.ndarray[tuple[int], np.dtype[np.float64]],
        rights: np.ndarray[tuple[int], np.dtype[np.float64]],
        top: int,
    ) -> None:
        """Draw many narrow segments at once, those of one pixel column as one."""
        columns = distinct(np.round(lefts) + 1j * np.round(np.maximum(rights, lefts + 1.5)))
        color = QColor(self._ink(lane))
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(color)
        self._painter.drawRects(
            [
                QRectF(x.real, top + 4, max(1.5, x.imag - x.real), LANE_PX - 9)
                for x in columns.tolist()
            ]
        )

    def _draw_segment(self, segment: Segment, left: float, right: float, top: int) -> None:
        painter, theme, scene = self._painter, self._theme, self._scene
        rect = QRectF(left, top + 3, max(3.0, right - left), LANE_PX - 7)
        ink = self._label_ink(segment)
        chosen = segment.id in scene.segments
        plane = QColor(theme.color("selection") if chosen else ink)
        if not chosen:
            plane.setAlpha(0 if segment.is_proposed else _PLANE_ALPHA)
        pen = QPen(theme.color("accent") if chosen else ink, 2 if chosen else 1)
        if segment.is_proposed:
            pen = QPen(theme.color("accent" if chosen else "proposed"), 2 if chosen else 1)
            pen.setDashPattern((4, 3))
        elif segment.lane is Lane.SOUND and not segment.is_visible:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(plane)
        painter.drawRoundedRect(rect, 3, 3)
        if rect.width() > 3 * _BAND_PX:
            # Color alone at full strength, to stand out from the tinted plane.
            painter.fillRect(QRectF(rect.left(), rect.top(), _BAND_PX, rect.height()), ink)
        role = next((t for t in reversed(scene.selected) if t in segment.slots), None)
        if role is not None:
            self._draw_role_bar(rect, self._object_ink(role))
        if chosen and scene.segments[-1] == segment.id:
            self._draw_handles(rect)
        view = QRectF(self._edge, rect.top(), self._width, rect.height())
        room = rect.intersected(view).adjusted(9, 0, -6, 0)
        room = self._draw_chips(segment, room)
        if room.width() > 16:
            painter.setPen(theme.color("selection_text" if chosen else "text"))
            self._draw_text(_label_text(segment), room)

    def _draw_role_bar(self, rect: QRectF, color: QColor) -> None:
        """Draw a bar in the color of the selected object below a segment it plays a role in."""
        bar = QRectF(rect.left(), rect.bottom() - _ROLE_PX + 1, rect.width(), _ROLE_PX)
        self._painter.fillRect(bar, color)

    def _draw_handles(self, rect: QRectF) -> None:
        """Draw the ends to take hold of; the one that keys move stands out."""
        painter, theme = self._painter, self._theme
        painter.setPen(Qt.PenStyle.NoPen)
        width = min(_HANDLE_PX, rect.width() / 3)
        for edge, x in (("start", rect.left()), ("end", rect.right() - width)):
            is_chosen = self._scene.edge == edge
            painter.setBrush(theme.color("playhead" if is_chosen else "accent"))
            painter.drawRect(QRectF(x, rect.top(), width, rect.height()))

    def _draw_chips(self, segment: Segment, room: QRectF) -> QRectF:
        """Draw the objects in the roles as dots at the right; return the room that is left."""
        n = len(segment.slots)
        if not n or room.width() < 40 + n * (_CHIP_PX + 3):
            return room
        painter, x = self._painter, room.right() - n * (_CHIP_PX + 3)
        for i, track_id in enumerate(segment.slots):
            dot = QRectF(
                x + i * (_CHIP_PX + 3), room.center().y() - _CHIP_PX / 2, _CHIP_PX, _CHIP_PX
            )
            is_open = segment.is_open(i)
            color = self._theme.color("warning" if is_open else "border_strong")
            painter.setPen(QPen(color, 1.5 if is_open else 1))
            painter.setBrush(self._object_ink(track_id) if track_id else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(dot)
            if track_id is None:
                painter.drawLine(QLineF(dot.bottomLeft(), dot.topRight()))
        return room.adjusted(0, 0, x - room.right() - 4, 0)

    def _draw_times(self, segment: Segment, left: float, right: float, top: int) -> None:
        """Write beginning, end and length beside a segment that is being dragged."""
        painter, theme = self._painter, self._theme
        start, end = self._span(segment)
        text = f"{format_time(start)} – {format_time(end)}  ({end - start:.3f} s)"
        width = painter.fontMetrics().horizontalAdvance(text) + 16.0
        middle = min(max((left + right) / 2, self._edge), self._edge + self._width)
        x = min(max(middle - width / 2, self._edge + 4), self._edge + self._width - width - 4)
        below = top + LANE_PX + 2
        y = below if below + 22 <= self._scene.layout.height else top - 24
        painter.setPen(QPen(theme.color("border_strong"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(QRectF(x, y, width, 21), 4, 4)
        painter.setPen(theme.color("text"))
        painter.drawText(QRectF(x, y, width, 21), Qt.AlignmentFlag.AlignCenter, text)

    def _object_ink(self, track_id: TrackId) -> QColor:
        session = self._scene.session
        track = session.document.find_track(track_id) if session is not None else None
        return self._theme.object_color(track.info.color if track is not None else 0)

    def _ink(self, lane: Lane) -> QColor:
        return self._theme.color("waveform" if lane is Lane.SOUND else "accent")

    def _label_ink(self, segment: Segment) -> QColor:
        """Return the color of a segment's label; that of its lane where the set has no such."""
        labels = self._scene.labels
        label = labels.of(segment) if labels is not None else None
        return self._ink(segment.lane) if label is None else self._theme.label_color(label)

    def _draw_text(self, text: str, room: QRectF) -> None:
        short = self._painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, int(room.width())
        )
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        self._painter.drawText(room, flags, short)


def _label_text(segment: Segment) -> str:
    score = score_of(segment.extra) if segment.is_proposed else None
    return segment.label if score is None else f"{segment.label} · {100 * score:.0f}%"


def _lane_title(lane: Lane) -> str:
    if lane is Lane.SOUND:
        return QCoreApplication.translate("timeline", "Sounds")
    return QCoreApplication.translate("timeline", "Actions")
