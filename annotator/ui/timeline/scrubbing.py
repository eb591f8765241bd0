"""The mouse on the timeline: seek by click and drag, mark a range, select lanes and keyframes."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from annotator.ui.timeline.layout import Zone

if TYPE_CHECKING:
    from annotator.ui.timeline.view import TimelineView

_EDGE_REACH_PX: Final = 5.0
# Dragging beyond a border scrolls by this share of the distance with each movement.
_DRAG_SCROLL: Final = 0.3


class _Drag(Enum):
    SEEK = "seek"
    RANGE = "range"


class Scrubbing:
    """The drag in progress on a timeline, if there is one."""

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self._drag: _Drag | None = None
        self._zone = Zone.LANES
        self._fixed = 0
        self._range_before: tuple[int, int] | None = None

    @property
    def is_active(self) -> bool:
        return self._drag is not None

    def press(self, event: QMouseEvent) -> None:
        """Begin what the place and the keys held ask for."""
        view, at = self._view, event.position()
        held = event.modifiers()
        zone = view.geometry_of_lanes.zone_at(at.x(), at.y())
        self._zone = zone
        if zone is Zone.GUTTER:
            adds = bool(held & Qt.KeyboardModifier.ControlModifier)
            view.select_row(view.row_at(at), adds=adds)
        elif zone is not Zone.CORNER:
            edge = self._range_edge(at)
            if held & Qt.KeyboardModifier.ShiftModifier or edge is not None:
                self._begin_range(view.frame_at(at) if edge is None else edge)
            else:
                self._begin_seek(at, adds=bool(held & Qt.KeyboardModifier.ControlModifier))

    def move(self, event: QMouseEvent) -> None:
        """Go on with the drag, or show what a press would begin."""
        view, at = self._view, event.position()
        if self._drag is None:
            self._update_cursor(at)
            return
        self._scroll_beyond(at)
        frame = self._frame_of_drag(at)
        if self._drag is _Drag.SEEK:
            view.seekRequested.emit(frame, False)
        else:
            self._stretch(frame)

    def release(self, event: QMouseEvent) -> None:
        """End the drag where the button came up."""
        drag, self._drag = self._drag, None
        if drag is None:
            return
        frame = self._frame_of_drag(event.position())
        if drag is _Drag.SEEK:
            key = self._view.key_at(event.position()) if self._zone is Zone.LANES else None
            self._view.seekRequested.emit(key[1] if key else frame, True)
            return
        span = self._view.range
        self._view.set_range(self._range_before)
        self._view.select_range(span)

    def cancel(self) -> bool:
        """Forget a range in the making; False when nothing was going on."""
        drag, self._drag = self._drag, None
        if drag is _Drag.RANGE:
            self._view.set_range(self._range_before)
        return drag is not None

    def _begin_seek(self, at: QPointF, *, adds: bool) -> None:
        view = self._view
        key = view.key_at(at) if self._zone is Zone.LANES else None
        if key is not None:
            view.select_row(key[0], adds=adds)
        segment = view.segment_at(at)
        if segment is not None:
            view.select_segment(segment)
        self._drag = _Drag.SEEK
        view.seekRequested.emit(key[1] if key else view.frame_at(at), False)

    def _begin_range(self, fixed: int) -> None:
        self._drag = _Drag.RANGE
        self._fixed = fixed
        self._range_before = self._view.range

    def _stretch(self, frame: int) -> None:
        first, last = sorted((self._fixed, frame))
        self._view.set_range((first, last + 1))

    def _range_edge(self, at: QPointF) -> int | None:
        """Return the frame that stays when the other edge of the marked range is dragged."""
        view = self._view
        if self._zone is not Zone.RULER or view.range is None:
            return None
        start, end = view.range
        x = at.x() - view.geometry_of_lanes.axis_left
        if abs(view.axis.left_of(start) - x) <= _EDGE_REACH_PX:
            return end - 1
        if abs(view.axis.left_of(end) - x) <= _EDGE_REACH_PX:
            return start
        return None

    def _frame_of_drag(self, at: QPointF) -> int:
        """Return the frame under the mouse on the axis where the drag began."""
        y = at.y() if self._zone is Zone.OVERVIEW else self._view.height()
        return self._view.frame_at(QPointF(at.x(), 0.0 if self._zone is Zone.OVERVIEW else y))

    def _scroll_beyond(self, at: QPointF) -> None:
        if self._zone is Zone.OVERVIEW:
            return
        layout = self._view.geometry_of_lanes
        x = at.x() - layout.axis_left
        beyond = min(x, 0.0) + max(x - layout.axis_width, 0.0)
        if beyond:
            self._view.scroll_time(beyond * _DRAG_SCROLL)

    def _update_cursor(self, at: QPointF) -> None:
        self._zone = self._view.geometry_of_lanes.zone_at(at.x(), at.y())
        shape = Qt.CursorShape.ArrowCursor
        if self._range_edge(at) is not None:
            shape = Qt.CursorShape.SizeHorCursor
        elif self._zone is Zone.LANES and self._view.key_at(at) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        if self._view.cursor().shape() != shape:
            self._view.setCursor(shape)
