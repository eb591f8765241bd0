"""The mouse on the time axis: seek by click and drag, mark a range, select lanes and keyframes."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Track
from annotator.ui.timeline.model.lanes import SegmentLane
from annotator.ui.timeline.model.layout import Zone
from annotator.ui.timeline.model.rows import FOLD_PX

if TYPE_CHECKING:
    from annotator.ui.timeline.view import TimelineView

_EDGE_REACH_PX: Final = 5.0
_BEGIN_PX: Final = 4.0
_SOUND_ZONES: Final = (Zone.WAVEFORM, Zone.SPECTROGRAM)


class _Drag(Enum):
    SEEK = "seek"
    LISTEN = "listen"  # seek by time, on the strips of sound
    RANGE = "range"
    DRAW = "draw"  # a range on the free part of a lane of segments, once the mouse has moved


class Scrubbing:
    """The drag in progress on a time axis, if there is one."""

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self._drag: _Drag | None = None
        self._zone = Zone.LANES
        self._lane: Lane | None = None
        self._fixed = 0
        self._fixed_s = 0.0
        self._press_x = 0.0
        self._range_before: tuple[int, int] | None = None

    @property
    def is_active(self) -> bool:
        return self._drag is not None

    @property
    def is_in_overview(self) -> bool:
        return self._zone is Zone.OVERVIEW

    def press(self, event: QMouseEvent) -> None:
        """Begin what the place and the keys held ask for."""
        view, at = self._view, event.position()
        held = event.modifiers()
        zone = view.viewport.layout.zone_at(at.x(), at.y())
        self._zone, self._lane, self._press_x = zone, None, at.x()
        adds = bool(held & Qt.KeyboardModifier.ControlModifier)
        if zone is Zone.GUTTER:
            row = view.viewport.row_at(at)
            if isinstance(row, Track) and at.x() < FOLD_PX and view.lanes.has_points(row.id):
                view.lanes.toggle_folded(row.id)
            else:
                view.lanes.select_row(row, adds=adds)
        elif (thread := view.lanes.comment_at(at)) is not None:
            self._seek(at, thread[0].pin.first_frame or 0, True)
            view.lanes.select_comment(thread[0])
        elif zone is not Zone.CORNER:
            edge = self._range_edge(at)
            row = view.viewport.row_at(at)
            if held & Qt.KeyboardModifier.ShiftModifier or edge is not None:
                self._begin_range(view.viewport.frame_at(at) if edge is None else edge)
            elif zone in _SOUND_ZONES:
                self._drag = _Drag.LISTEN
                view.timeSeekRequested.emit(self._time_at(at), False)
            elif isinstance(row, SegmentLane):
                self._begin_draw(row.lane, at)
            else:
                self._begin_seek(at, adds=adds)

    def move(self, at: QPointF, _held: Qt.KeyboardModifier) -> None:
        """Go on with the drag."""
        frame = self._frame_of_drag(at)
        if self._drag is _Drag.SEEK:
            self._seek(at, frame, False)
        elif self._drag is _Drag.LISTEN:
            self._view.timeSeekRequested.emit(self._time_at(at), False)
        elif self._drag is _Drag.RANGE:
            self._stretch(frame)
        elif abs(at.x() - self._press_x) >= _BEGIN_PX:
            self._drag = _Drag.RANGE
            self._stretch(frame)

    def release(self, at: QPointF) -> None:
        """End the drag where the button came up."""
        drag, self._drag = self._drag, None
        view = self._view
        if drag is _Drag.SEEK:
            key = view.lanes.key_at(at) if self._zone is Zone.LANES else None
            self._seek(at, key[1] if key else self._frame_of_drag(at), True)
        elif drag is _Drag.LISTEN:
            view.timeSeekRequested.emit(self._time_at(at), True)
        elif drag is _Drag.DRAW:
            view.lanes.selection.set_segment(None)
            self._seek(at, self._frame_of_drag(at), True)
        elif drag is _Drag.RANGE:
            span = view.range
            view.set_range(self._range_before)
            view.select_range(span)
            if self._lane is not None:
                first, last = sorted((self._fixed_s, self._time_at(at)))
                view.rangeDrawn.emit(self._lane, first, last)

    def cancel(self) -> bool:
        """Forget a range in the making; False when nothing was going on."""
        drag, self._drag = self._drag, None
        if drag is _Drag.RANGE:
            self._view.set_range(self._range_before)
        return drag is not None

    def shape_at(self, at: QPointF) -> Qt.CursorShape:
        """Return the cursor that tells what a press would do here."""
        self._zone = self._view.viewport.layout.zone_at(at.x(), at.y())
        if self._range_edge(at) is not None:
            return Qt.CursorShape.SizeHorCursor
        if self._zone is Zone.LANES and self._view.lanes.key_at(at) is not None:
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.ArrowCursor

    def _begin_seek(self, at: QPointF, *, adds: bool) -> None:
        view = self._view
        key = view.lanes.key_at(at) if self._zone is Zone.LANES else None
        if key is not None:
            view.lanes.select_row(key[0], adds=adds)
        self._drag = _Drag.SEEK
        self._seek(at, key[1] if key else view.viewport.frame_at(at), False)

    def _seek(self, at: QPointF, frame: int, exact: bool) -> None:
        """Ask for a frame, or for the moment under the mouse where there are no frames."""
        if self._view.viewport.axis.n_frames:
            self._view.seekRequested.emit(frame, exact)
        else:
            self._view.timeSeekRequested.emit(self._time_at(at), exact)

    def _begin_range(self, fixed: int) -> None:
        self._drag = _Drag.RANGE
        self._fixed = fixed
        self._range_before = self._view.range

    def _begin_draw(self, lane: Lane, at: QPointF) -> None:
        self._begin_range(self._view.viewport.frame_at(at))
        self._drag, self._lane, self._fixed_s = _Drag.DRAW, lane, self._time_at(at)

    def _stretch(self, frame: int) -> None:
        first, last = sorted((self._fixed, frame))
        self._view.set_range((first, last + 1))

    def _range_edge(self, at: QPointF) -> int | None:
        """Return the frame that stays when the other edge of the marked range is dragged."""
        view = self._view
        if self._zone is not Zone.RULER or view.range is None:
            return None
        start, end = view.range
        x = at.x() - view.viewport.layout.axis_left
        if abs(view.viewport.axis.left_of(start) - x) <= _EDGE_REACH_PX:
            return end - 1
        if abs(view.viewport.axis.left_of(end) - x) <= _EDGE_REACH_PX:
            return start
        return None

    def _frame_of_drag(self, at: QPointF) -> int:
        """Return the frame under the mouse on the axis where the drag began."""
        y = 0.0 if self._zone is Zone.OVERVIEW else self._view.height()
        return self._view.viewport.frame_at(QPointF(at.x(), y))

    def _time_at(self, at: QPointF) -> float:
        axis = self._view.viewport.whole if self.is_in_overview else self._view.viewport.axis
        seconds = axis.time_at(at.x() - self._view.viewport.layout.axis_left)
        return min(max(seconds, axis.first_s), axis.last_s)
