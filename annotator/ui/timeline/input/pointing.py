"""The mouse on the timeline: who takes a press, and scrolling while dragging near a border."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent

from annotator.ui.timeline.input.band import Band
from annotator.ui.timeline.input.header_drag import HeaderDrag
from annotator.ui.timeline.input.scrubbing import Scrubbing
from annotator.ui.timeline.input.segment_editing import SegmentEditing
from annotator.ui.timeline.model.segment_times import Part

if TYPE_CHECKING:
    from annotator.ui.timeline.view import TimelineView

    Drag: TypeAlias = HeaderDrag | SegmentEditing | Band | Scrubbing

_BORDER_PX: Final = 28.0
_TICK_MS: Final = 16
# Pixels of scrolling per tick for each pixel beyond the inner border.
_SCROLL_SHARE: Final = 0.25


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
        """Go on with the drag, or show what a press would begin."""
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
        layout = self._view.geometry_of_lanes
        x = self._at.x() - layout.axis_left
        return min(x - _BORDER_PX, 0.0) + max(x - layout.axis_width + _BORDER_PX, 0.0)

    def _on_timer_timeout(self) -> None:
        drag = self._active()
        if drag is None:
            self._timer.stop()
            return
        before = self._view.view_range()
        self._view.scroll_time(self._beyond() * _SCROLL_SHARE)
        if self._view.view_range() != before:
            drag.move(self._at, self._held)

    def _update_cursor(self, at: QPointF) -> None:
        shape = self.header.shape_at(at)
        found = self.segments.part_at(at) if shape is None else None
        if found is not None:
            is_body = found[1] is Part.BODY
            shape = Qt.CursorShape.PointingHandCursor if is_body else Qt.CursorShape.SizeHorCursor
        if shape is None:
            shape = self.scrubbing.shape_at(at)
        if self._view.cursor().shape() != shape:
            self._view.setCursor(shape)
