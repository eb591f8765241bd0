"""The mouse on the timeline: who takes a press, seeking, ranges, scrolling, tooltips."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Track
from annotator.domain.ids import SegmentId
from annotator.ui.timeline.input.segment_editing import SegmentEditing
from annotator.ui.timeline.model import timeline_texts
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.model.layout import RULER_END_PX, Zone
from annotator.ui.timeline.model.rows import FOLD_PX
from annotator.ui.timeline.model.segment_times import SegmentPart

if TYPE_CHECKING:
    from annotator.ui.timeline.timeline_view import TimelineView

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
        modifiers = event.modifiers()
        zone = view.viewport.layout.zone_at(at.x(), at.y())
        self._zone, self._lane, self._press_x = zone, None, at.x()
        adds = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
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
            if modifiers & Qt.KeyboardModifier.ShiftModifier or edge is not None:
                self._begin_range(view.viewport.frame_at(at) if edge is None else edge)
            elif zone in _SOUND_ZONES:
                self._drag = _Drag.LISTEN
                view.timeSeekRequested.emit(self._time_at(at), False)
            elif isinstance(row, SegmentLane):
                self._begin_draw(row.lane, at)
            else:
                self._begin_seek(at, adds=adds)

    def move(self, at: QPointF, _held: Qt.KeyboardModifier) -> None:
        """Continue the drag."""
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
        """Return the cursor shape that fits what a press would do here."""
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


def tip_at(view: TimelineView, at: QPointF) -> str:
    """Return the text for a point of the timeline; empty where there is nothing to say."""
    session, layout = view.lanes.session, view.viewport.layout
    if session is None or layout.zone_at(at.x(), at.y()) is Zone.CORNER:
        return ""
    key = view.lanes.key_at(at)
    if key is not None:
        return timeline_texts.key_tip(*key, view.viewport.axis)
    segment = view.segment_at(at)
    if segment is not None:
        label = view.lanes.labels.of(segment) if view.lanes.labels is not None else None
        return timeline_texts.segment_tip(segment, label, session.document, view.viewport.axis)
    thread = view.lanes.comment_at(at)
    if thread is not None:
        return "\n".join(
            timeline_texts.comment_tip(c, view.lanes.name_of(c.author_id)) for c in thread
        )
    row = view.viewport.row_at(at)
    if at.x() < layout.gutter:
        if isinstance(row, PointTrack):
            return timeline_texts.point_tip(row, session)
        return timeline_texts.track_tip(row, session) if isinstance(row, Track) else ""
    if at.y() < RULER_END_PX:
        return timeline_texts.ruler_tip(view.viewport.frame_at(at), view.viewport.axis)
    frame = view.viewport.frame_at(at)
    if isinstance(row, PointTrack):
        sure = session.pending_point_at(row.id, frame)
        confidence = sure.confidence if sure is not None else None
        return timeline_texts.mark_tip(row, frame, view.viewport.axis, confidence)
    pending = session.pending_at(row.id, frame) if isinstance(row, Track) else None
    return timeline_texts.frame_tip(frame, view.viewport.axis, pending)


class HeaderDrag:
    """The drag of the window in the overview or of a strip's lower edge, if there is one."""

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self._part: SegmentPart | None = None
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
        self._strip = self._view.viewport.layout.divider_at(at.y())
        if self._strip is None:
            self._part = self._part_at(at)
        self._press_x, self._is_moving = at.x(), False
        self._seen = self._view.viewport.view_range()
        return self.is_active

    def move(self, at: QPointF, _held: Qt.KeyboardModifier) -> None:
        view = self._view
        if self._strip is not None:
            view.strips.resize_strip(self._strip, at.y())
            return
        self._is_moving = self._is_moving or abs(at.x() - self._press_x) >= _BEGIN_PX
        if not self._is_moving:
            return
        full_view, (start, end) = view.viewport.whole, self._seen
        shift = (at.x() - self._press_x) / full_view.scale
        if self._part is SegmentPart.START:
            start = min(start + shift, end - view.viewport.axis.shortest_s)
        elif self._part is SegmentPart.END:
            end = max(end + shift, start + view.viewport.axis.shortest_s)
        else:
            start, end = start + shift, end + shift
        view.viewport.set_view_range(start, end)

    def release(self, at: QPointF) -> None:
        """End the drag; a mere click into the window goes to the frame there."""
        view = self._view
        if self._strip is not None:
            view.stripsResized.emit(view.strips.heights.waveform, view.strips.heights.spectrogram)
        elif not self._is_moving:
            view.seekRequested.emit(view.viewport.frame_at(at), True)
        self._part, self._strip = None, None

    def cancel(self) -> bool:
        """Restore the visible range; False if no drag was active."""
        was_active = self.is_active
        if self._part is not None:
            self._view.viewport.set_view_range(*self._seen)
        self._part, self._strip = None, None
        return was_active

    def shape_at(self, at: QPointF) -> Qt.CursorShape | None:
        """Return the cursor shape that fits what a press would do here."""
        if self._view.viewport.layout.divider_at(at.y()) is not None:
            return Qt.CursorShape.SizeVerCursor
        part = self._part_at(at)
        if part is None:
            return None
        is_body = part is SegmentPart.BODY
        return Qt.CursorShape.OpenHandCursor if is_body else Qt.CursorShape.SizeHorCursor

    def _part_at(self, at: QPointF) -> SegmentPart | None:
        """Return what of the window in the overview lies at a point."""
        view = self._view
        layout, axis = view.viewport.layout, view.viewport.axis
        if layout.zone_at(at.x(), at.y()) is not Zone.OVERVIEW or axis.is_whole:
            return None
        x = at.x() - layout.axis_left
        left, right = (
            view.viewport.whole.x_of_time(axis.start_s),
            view.viewport.whole.x_of_time(axis.end_s),
        )
        if abs(x - left) <= _EDGE_REACH_PX and x < (left + right) / 2:
            return SegmentPart.START
        if abs(x - right) <= _EDGE_REACH_PX:
            return SegmentPart.END
        return SegmentPart.BODY if left < x < right else None


class Band:
    """The drag of a rubber band in progress, if any; it adds to the selection."""

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
        is_lane = view.viewport.layout.zone_at(at.x(), at.y()) is Zone.LANES
        is_asked = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not (is_lane and is_asked and isinstance(view.viewport.row_at(at), SegmentLane)):
            return False
        # The band holds on to time, so that it grows while the axis scrolls below it.
        self._start_s, self._start_y, self._at = self._time_at(at), at.y(), at
        self._before = view.lanes.selection.segments
        return True

    def move(self, at: QPointF, _held: Qt.KeyboardModifier) -> None:
        """Select what the band touches by now."""
        if self._start_s is None:
            return
        view, self._at = self._view, at
        first, last = sorted((self._start_s, self._time_at(at)))
        top, bottom = sorted((self._start_y, at.y()))
        layout, found = view.viewport.layout, list(self._before)
        for row in layout.visible_rows():
            lane, y = layout.rows[row], layout.top_of(row)
            if isinstance(lane, SegmentLane) and y <= bottom and y + layout.height_of(row) > top:
                starts, ends = view.lanes.store.segment_times(lane, view.viewport.axis)
                touched = ((starts <= last) & (ends >= first)).nonzero()[0].tolist()
                found += [lane.segments[i].id for i in touched]
        view.lanes.selection.set_segments(found)
        view.update()

    def release(self) -> None:
        """End the drag and keep the selection."""
        self._start_s = None
        self._view.update()

    def cancel(self) -> bool:
        """Restore the earlier selection; False if no drag was active."""
        was_active = self.is_active
        if was_active:
            self._view.lanes.selection.set_segments(self._before)
            self.release()
        return was_active

    def draw(self, painter: QPainter) -> None:
        """Draw the band, if there is one."""
        if self._start_s is None:
            return
        view, layout = self._view, self._view.viewport.layout
        x = layout.axis_left + view.viewport.axis.x_of_time(self._start_s)
        rect = QRectF(QPointF(x, self._start_y), self._at).normalized()
        color = QColor(view.ink("accent"))
        painter.setPen(QPen(color, 1, Qt.PenStyle.DashLine))
        color.setAlpha(36)
        painter.setBrush(color)
        painter.drawRect(rect)

    def _time_at(self, at: QPointF) -> float:
        return self._view.viewport.axis.time_at(at.x() - self._view.viewport.layout.axis_left)


_BORDER_PX: Final = 28.0
_TICK_MS: Final = 16
# Pixels of scrolling per tick for each pixel beyond the inner border.
_SCROLL_SHARE: Final = 0.25
Drag: TypeAlias = HeaderDrag | SegmentEditing | Band | Scrubbing


class Pointing(QObject):
    """Hands presses, moves and releases to the drag they belong to."""

    def __init__(self, view: TimelineView) -> None:
        super().__init__(view)
        self._view = view
        self.header = HeaderDrag(view)
        self.segments = SegmentEditing(view)
        self.band = Band(view)
        self.scrubbing = Scrubbing(view)
        self._at = QPointF()
        self._held = Qt.KeyboardModifier.NoModifier
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_active(self) -> bool:
        return self._active() is not None

    def press(self, event: QMouseEvent) -> None:
        """Begin what the place and the keys held ask for."""
        self._at, self._held = event.position(), event.modifiers()
        if self.header.press(event):
            return
        if not self.segments.press(event) and not self.band.press(event):
            self.scrubbing.press(event)

    def move(self, event: QMouseEvent) -> None:
        """Continue the drag, or show the effect of a press."""
        self._at, self._held = event.position(), event.modifiers()
        drag = self._active()
        if drag is None:
            self._update_cursor(self._at)
            return
        drag.move(self._at, self._held)
        if drag is not self.header and self._beyond() and not self.scrubbing.is_in_overview:
            self._timer.start()
        else:
            self._timer.stop()

    def release(self, event: QMouseEvent) -> None:
        """End the drag where the button came up."""
        self._timer.stop()
        if self.segments.is_active:
            self.segments.release()
        elif self.band.is_active:
            self.band.release()
        elif self.header.is_active:
            self.header.release(event.position())
        else:
            self.scrubbing.release(event.position())
        self._update_cursor(event.position())

    def cancel(self) -> bool:
        """Put back what a drag has done so far; False when nothing was going on."""
        self._timer.stop()
        drag = self._active()
        return drag.cancel() if drag is not None else False

    def _active(self) -> Drag | None:
        drags: tuple[Drag, ...] = (self.header, self.segments, self.band, self.scrubbing)
        return next((drag for drag in drags if drag.is_active), None)

    def _beyond(self) -> float:
        """Return how far the mouse is beyond the inner border, negative at the left."""
        layout = self._view.viewport.layout
        x = self._at.x() - layout.axis_left
        return min(x - _BORDER_PX, 0.0) + max(x - layout.axis_width + _BORDER_PX, 0.0)

    def _on_timer_timeout(self) -> None:
        drag = self._active()
        if drag is None:
            self._timer.stop()
            return
        before = self._view.viewport.view_range()
        self._view.viewport.scroll_time(self._beyond() * _SCROLL_SHARE)
        if self._view.viewport.view_range() != before:
            drag.move(self._at, self._held)

    def _update_cursor(self, at: QPointF) -> None:
        shape = self.header.shape_at(at)
        found = self.segments.part_at(at) if shape is None else None
        if found is not None:
            is_body = found[1] is SegmentPart.BODY
            shape = Qt.CursorShape.PointingHandCursor if is_body else Qt.CursorShape.SizeHorCursor
        if shape is None:
            shape = self.scrubbing.shape_at(at)
        if self._view.cursor().shape() != shape:
            self._view.setCursor(shape)
