"""The rubber band: Ctrl and a drag on a free place of the lanes select the segments it touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from annotator.domain.ids import SegmentId
from annotator.ui.timeline.model.lanes import SegmentLane
from annotator.ui.timeline.model.layout import Zone

if TYPE_CHECKING:
    from annotator.ui.timeline.view import TimelineView


class Band:
    """The drag of a rubber band in progress, if there is one; it adds to what was selected."""

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self._start_s: float | None = None
        self._start_y = 0.0
        self._at = QPointF()
        self._before: tuple[SegmentId, ...] = ()

    @property
    def is_active(self) -> bool:
        return self._start_s is not None

    def press(self, event: QMouseEvent) -> bool:
        """Begin on a lane of segments with Ctrl held; False elsewhere."""
        view, at = self._view, event.position()
        is_lane = view.geometry_of_lanes.zone_at(at.x(), at.y()) is Zone.LANES
        is_asked = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not (is_lane and is_asked and isinstance(view.row_at(at), SegmentLane)):
            return False
        # The band holds on to time, so that it grows while the axis scrolls below it.
        self._start_s, self._start_y, self._at = self._time_at(at), at.y(), at
        self._before = view.selection.segments
        return True

    def move(self, at: QPointF, _held: Qt.KeyboardModifier) -> None:
        """Select what the band touches by now."""
        if self._start_s is None:
            return
        view, self._at = self._view, at
        first, last = sorted((self._start_s, self._time_at(at)))
        top, bottom = sorted((self._start_y, at.y()))
        layout, found = view.geometry_of_lanes, list(self._before)
        for row in layout.visible_rows():
            lane, y = layout.rows[row], layout.top_of(row)
            if isinstance(lane, SegmentLane) and y <= bottom and y + layout.height_of(row) > top:
                starts, ends = view.lanes.segment_times(lane, view.axis)
                touched = ((starts <= last) & (ends >= first)).nonzero()[0].tolist()
                found += [lane.segments[i].id for i in touched]
        view.selection.set_segments(found)
        view.update()

    def release(self) -> None:
        """Leave what is selected."""
        self._start_s = None
        self._view.update()

    def cancel(self) -> bool:
        """Select again what was selected before; False when nothing was going on."""
        was_active = self.is_active
        if was_active:
            self._view.selection.set_segments(self._before)
            self.release()
        return was_active

    def draw(self, painter: QPainter) -> None:
        """Draw the band, if there is one."""
        if self._start_s is None:
            return
        view, layout = self._view, self._view.geometry_of_lanes
        x = layout.axis_left + view.axis.x_of_time(self._start_s)
        rect = QRectF(QPointF(x, self._start_y), self._at).normalized()
        color = QColor(view.ink("accent"))
        painter.setPen(QPen(color, 1, Qt.PenStyle.DashLine))
        color.setAlpha(36)
        painter.setBrush(color)
        painter.drawRect(rect)

    def _time_at(self, at: QPointF) -> float:
        return self._view.axis.time_at(at.x() - self._view.geometry_of_lanes.axis_left)
