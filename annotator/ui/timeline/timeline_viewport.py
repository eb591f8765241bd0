"""The part of the timeline in sight: zoom, scroll, and what lies at a point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.model.layout import OVERVIEW_PX, Strips, TimelineLayout
from annotator.ui.timeline.model.rows import LANE_PX, Row

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ZOOM_STEP: Final = 1.25
_WHEEL_NOTCH: Final = 120


class TimelineViewport(QObject):
    """Holds axis, layout and playhead; ``is_stale`` says that all has to be painted anew."""

    axisChanged = Signal()  # another stretch of time, or another room for it

    def __init__(self, widget: QWidget, wanted_strips: Callable[[int], Strips]) -> None:
        """``wanted_strips`` returns the heights of the sound strips."""
        super().__init__(widget)
        self.frame = 0
        """The frame the playhead stands on."""
        self.moment_s = 0.0
        """The media time the playhead stands on where there are no frames."""
        self.is_stale = True
        self._widget = widget
        self._wanted_strips = wanted_strips
        self._axis = TimeAxis()
        self._whole = TimeAxis()
        self._layout = TimelineLayout()
        self._bar = QScrollBar(Qt.Orientation.Vertical, widget)
        self._bar.hide()
        self._bar.setSingleStep(LANE_PX)
        self._bar.valueChanged.connect(self._on_bar_moved)

    def set_times(self, times: NDArray[np.float64], end_s: float) -> None:
        """Take the times of the frames (float64 [n], seconds), and when the last one ends."""
        whole = TimeAxis.whole(times, end_s, self._layout.axis_width)
        before = self._axis
        self._axis = whole.with_sound(before.sample_rate, before.before_s, before.after_s)
        self._whole = self._axis
        self.repaint_all()
        self.axisChanged.emit()

    @property
    def axis(self) -> TimeAxis:
        """The stretch of time in sight, in pixels from ``axis_left`` of the layout."""
        return self._axis

    @property
    def whole(self) -> TimeAxis:
        """The axis of the overview: all of the video."""
        return self._whole

    @property
    def layout(self) -> TimelineLayout:
        """Where header, gutter and rows lie."""
        return self._layout

    def view_range(self) -> tuple[float, float]:
        """Return the seconds at the left and right border."""
        return (self._axis.start_s, self._axis.end_s)

    def set_view_range(self, start_s: float, end_s: float) -> None:
        """Restore what ``view_range`` gave."""
        if end_s > start_s:
            self.look(self._axis.showing(start_s, end_s))

    def zoom_in(self) -> None:
        self._zoom(_ZOOM_STEP, self._zoom_anchor())

    def zoom_out(self) -> None:
        self._zoom(1 / _ZOOM_STEP, self._zoom_anchor())

    def zoom_fit(self) -> None:
        """Show the whole video."""
        self.look(self._axis.fitted())

    def scroll_time(self, pixels: float) -> None:
        """Show later (or earlier) frames."""
        self.look(self._axis.scrolled(pixels))

    def row_at(self, at: QPointF) -> Row | None:
        """Return the lane at a point of the widget."""
        row = self._layout.row_at(at.y())
        return self._layout.rows[row] if row is not None else None

    def frame_at(self, at: QPointF) -> int:
        """Return the frame at a point; in the overview that of the whole video."""
        x = at.x() - self._layout.axis_left
        return (self._whole if at.y() < OVERVIEW_PX else self._axis).frame_at(x)

    def overview_time(self, x: float) -> float:
        """Return the time at a place of the overview."""
        return self._whole.time_at(x - self._layout.axis_left)

    # Events of the widget

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom at the mouse with Ctrl or over the header; else scroll time or lanes."""
        delta = event.angleDelta()
        held, at = event.modifiers(), event.position()
        amount = delta.y() or delta.x()
        zooms = bool(held & Qt.KeyboardModifier.ControlModifier)
        has_lanes = self._bar.isVisible() and at.y() >= self._layout.header
        if not zooms and (
            held & Qt.KeyboardModifier.ShiftModifier or abs(delta.x()) > abs(delta.y())
        ):
            self.scroll_time(-amount * 0.6)
        elif not zooms and has_lanes:
            self._bar.setValue(self._bar.value() - round(amount / _WHEEL_NOTCH * LANE_PX * 2))
        else:
            self._zoom(_ZOOM_STEP ** (amount / _WHEEL_NOTCH), at.x() - self._layout.axis_left)
        event.accept()

    # For the widget and its other parts

    def arrange(self, rows: Sequence[Row] | None = None) -> None:
        """Fit layout, scroll bar and axis to the rows and to the size of the widget."""
        rows, widget = self._layout.rows if rows is None else rows, self._widget
        layout = TimelineLayout(widget.width(), widget.height(), rows)
        layout = replace(layout, strips=self._wanted_strips(layout.offsets[-1]))
        bar = self._bar.sizeHint().width() if layout.max_scroll else 0
        layout = replace(layout, bar=bar)
        self._layout = layout.scrolled(self._layout.scroll)
        self._bar.setVisible(bool(bar))
        self._bar.setGeometry(self._widget.width() - bar, layout.header, bar, layout.lanes_height)
        self._bar.setRange(0, layout.max_scroll)
        self._bar.setPageStep(max(1, layout.lanes_height))
        self._bar.setValue(self._layout.scroll)
        self._axis = self._axis.with_width(layout.axis_width)
        self._whole = self._whole.with_width(layout.axis_width)
        self.look(self._axis.showing(self._axis.start_s, self._axis.end_s))
        self.repaint_all()
        self.axisChanged.emit()

    def take_rows(self, rows: Sequence[Row]) -> bool:
        """Show other rows in the place of as many; False where all has been arranged anew."""
        layout = self._layout.with_rows(rows)
        if layout is None:
            self.arrange(rows)
            return False
        self._layout = layout
        self._widget.update()
        return True

    def take_sound(self, rate: int, before_s: float, after_s: float) -> None:
        """Let the axis reach as far and as fine as the sound does."""
        self._whole = self._whole.with_sound(rate, before_s, after_s)
        self.look(self._axis.with_sound(rate, before_s, after_s))

    def rewind(self) -> None:
        """Put the playhead at the beginning, for another video."""
        self.frame, self.moment_s = 0, 0.0

    def show_row(self, row: int) -> None:
        """Scroll as little as needed to have a row in sight."""
        self._layout = self._layout.showing(row)
        self._bar.setValue(self._layout.scroll)

    def _on_bar_moved(self, value: int) -> None:
        self._layout = self._layout.scrolled(value)
        self._widget.update()

    def look(self, axis: TimeAxis) -> None:
        """Show another stretch of time."""
        if axis is not self._axis:
            self._axis = axis
            self.repaint_all()
            self.axisChanged.emit()

    def _zoom(self, factor: float, x: float) -> None:
        self.look(self._axis.zoomed(factor, min(max(x, 0.0), self._axis.width)))

    def _zoom_anchor(self) -> float:
        """Zoom by keys keeps the playhead where it is, if it is in sight."""
        axis = self._axis
        x = axis.middle_of(self.frame) if axis.n_frames else axis.x_of_time(self.moment_s)
        return x if 0 <= x <= self._axis.width else self._axis.width / 2

    def repaint_all(self) -> None:
        """Have everything painted anew."""
        self.is_stale = True
        self._widget.update()
