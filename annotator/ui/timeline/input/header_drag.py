"""The mouse on the header: move and stretch what is in sight, make strips of sound higher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from annotator.ui.timeline.model.layout import Zone
from annotator.ui.timeline.model.segment_times import Part

if TYPE_CHECKING:
    from annotator.ui.timeline.view import TimelineView

_EDGE_REACH_PX: Final = 5.0
_BEGIN_PX: Final = 4.0


class HeaderDrag:
    """The drag of the window in the overview or of a strip's lower edge, if there is one."""

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self._part: Part | None = None
        self._strip: Zone | None = None
        self._press_x = 0.0
        self._seen = (0.0, 0.0)
        self._is_moving = False

    @property
    def is_active(self) -> bool:
        return self._part is not None or self._strip is not None

    def press(self, event: QMouseEvent) -> bool:
        """Take hold of what lies at a point; False when it is none of these."""
        at = event.position()
        self._strip = self._view.geometry_of_lanes.divider_at(at.y())
        if self._strip is None:
            self._part = self._part_at(at)
        self._press_x, self._is_moving = at.x(), False
        self._seen = self._view.view_range()
        return self.is_active

    def move(self, at: QPointF, _held: Qt.KeyboardModifier) -> None:
        view = self._view
        if self._strip is not None:
            view.resize_strip(self._strip, at.y())
            return
        self._is_moving = self._is_moving or abs(at.x() - self._press_x) >= _BEGIN_PX
        if not self._is_moving:
            return
        whole, (start, end) = view.whole, self._seen
        shift = (at.x() - self._press_x) / whole.scale
        if self._part is Part.START:
            start = min(start + shift, end - view.axis.shortest_s)
        elif self._part is Part.END:
            end = max(end + shift, start + view.axis.shortest_s)
        else:
            start, end = start + shift, end + shift
        view.set_view_range(start, end)

    def release(self, at: QPointF) -> None:
        """End the drag; a mere click into the window goes to the frame there."""
        view = self._view
        if self._strip is not None:
            view.stripsResized.emit(view.strips.waveform, view.strips.spectrogram)
        elif not self._is_moving:
            view.seekRequested.emit(view.frame_at(at), True)
        self._part, self._strip = None, None

    def cancel(self) -> bool:
        """Show again what was in sight; False when nothing was going on."""
        was_active = self.is_active
        if self._part is not None:
            self._view.set_view_range(*self._seen)
        self._part, self._strip = None, None
        return was_active

    def shape_at(self, at: QPointF) -> Qt.CursorShape | None:
        """Return the cursor that tells what a press would do here."""
        if self._view.geometry_of_lanes.divider_at(at.y()) is not None:
            return Qt.CursorShape.SizeVerCursor
        part = self._part_at(at)
        if part is None:
            return None
        is_body = part is Part.BODY
        return Qt.CursorShape.OpenHandCursor if is_body else Qt.CursorShape.SizeHorCursor

    def _part_at(self, at: QPointF) -> Part | None:
        """Return what of the window in the overview lies at a point."""
        view = self._view
        layout, axis = view.geometry_of_lanes, view.axis
        if layout.zone_at(at.x(), at.y()) is not Zone.OVERVIEW or axis.is_whole:
            return None
        x = at.x() - layout.axis_left
        left, right = view.whole.x_of_time(axis.start_s), view.whole.x_of_time(axis.end_s)
        if abs(x - left) <= _EDGE_REACH_PX and x < (left + right) / 2:
            return Part.START
        if abs(x - right) <= _EDGE_REACH_PX:
            return Part.END
        return Part.BODY if left < x < right else None
