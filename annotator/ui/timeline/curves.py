"""The curves of the selected point under the timeline, on its axis: x, y, and speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.point_track import (
    OCCLUDED_BIT,
    OUTSIDE_BIT,
    SOURCE_BITS,
    PointTrack,
)
from annotator.ui.canvas.model.point_marks import places
from annotator.ui.state.workspace import Workspace
from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.timeline_view import TimelineView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.services.session import RunsChanged, Session


HUMAN_CODE: Final = 1
# A step is a jump if it is this many times its neighbors, and longer than this.
_JUMP_TIMES: Final = 4.0
_JUMP_PX: Final = 4.0
_AROUND_FRAMES: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """A point on the frames from ``start`` on.

    ``xy`` is float64 [n, 2] in pixels, NaN where it is not seen; ``speed`` is float64 [n], pixels
    from the frame before, NaN where one of the two is not known; the rest are bool [n].
    """

    start: int
    xy: NDArray[np.float64]
    speed: NDArray[np.float64]
    is_human: NDArray[np.bool_]
    is_marked: NDArray[np.bool_]
    is_occluded: NDArray[np.bool_]
    is_outside: NDArray[np.bool_]

    @property
    def end(self) -> int:
        """The frame after the last."""
        return self.start + len(self.speed)

    def jumps(self) -> NDArray[np.int64]:
        """Return the frames that the point jumps to, int64 [n], ascending."""
        fast = np.flatnonzero(np.nan_to_num(self.speed) > _JUMP_PX)
        if not len(fast):
            return fast
        padded = np.pad(self.speed, _AROUND_FRAMES, constant_values=np.nan)
        around = np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND_FRAMES + 1)[fast]
        usual = np.nanmedian(around, axis=1)
        return fast[self.speed[fast] > _JUMP_TIMES * usual] + self.start


def curves(session: Session, point: PointTrack, start: int, end: int) -> Curves:
    """Return the curves of ``start <= frame < end``."""
    before = max(0, start - 1)
    xy = places(session, point, before, end)
    steps = np.hypot(*np.diff(xy, axis=0).T) if len(xy) > 1 else np.zeros(0)
    if before == start:
        steps = np.concatenate([[np.nan], steps])[: max(0, end - start)]
    else:
        xy = xy[1:]
    flags = point.path.run(start, end).flags
    source = flags & SOURCE_BITS
    return Curves(
        start,
        xy,
        steps,
        source == HUMAN_CODE,
        source > 0,
        (flags & OCCLUDED_BIT) > 0,
        (flags & OUTSIDE_BIT) > 0,
    )


def columns(
    x: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the pixels that hold known values, with the least and the greatest value in each.

    ``x`` is ascending; so a curve of any length is drawn with a stroke per pixel, and no spike is
    lost.
    """
    known = ~np.isnan(values)
    pixels = np.floor(x[known]).astype(np.int64)
    if not len(pixels):
        empty = np.zeros(0)
        return pixels, empty, empty
    firsts = np.flatnonzero(np.diff(pixels, prepend=pixels[0] - 1))
    kept = values[known]
    return pixels[firsts], np.minimum.reduceat(kept, firsts), np.maximum.reduceat(kept, firsts)


_PAD_PX: Final = 5.0
# From this width of a frame on, every frame wears its mark.
_MARKS_FROM_PX: Final = 5.0
_BANDS: Final = (("x", "keyframe"), ("y", "interpolated"), ("speed", "playhead"))


class CurvesPanel(QWidget):
    """Coordinates of the selected point over time; jumps stand out, a click seeks."""

    seekRequested = Signal(int, bool)  # frame; False while dragging

    def __init__(
        self, workspace: Workspace, timeline: TimelineView, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._timeline = timeline
        self._static: QPixmap | None = None
        self._seen: Curves | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumHeight(84)
        self.setAccessibleName(self.tr("Motion curves"))
        timeline.viewport.axisChanged.connect(self._redraw)
        workspace.selection.changed.connect(self._redraw)
        workspace.stageChanged.connect(self._redraw)
        workspace.hub.changed.connect(self._redraw)
        workspace.frameChanged.connect(self._on_frame_changed)
        workspace.edited.connect(self._on_edited)
        workspace.bridge.pointRunsChanged.connect(self._on_point_runs_changed)

    @property
    def shown(self) -> Curves | None:
        """The visible curves; None without a selected point."""
        if self._static is None:
            self._draw_static()
        return self._seen

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(600, 132)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._redraw()
        super().resizeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._static is None:
            self._draw_static()
        painter = QPainter(self)
        assert self._static is not None
        painter.drawPixmap(0, 0, self._static)
        axis = self._axis
        if self._seen is not None and axis.n_frames:
            x = self._left + axis.middle_of(self._workspace.frame)
            if self._left <= x <= self.width():
                painter.setPen(QPen(self._workspace.hub.theme.color("playhead"), 1.5))
                painter.drawLine(QLineF(x, 0, x, self.height()))
            self._draw_values(painter)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._seek(event, is_exact=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._seek(event, is_exact=False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._seek(event, is_exact=True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom and scroll as over the timeline."""
        self._timeline.wheelEvent(event)

    # Drawing

    @property
    def _axis(self) -> TimeAxis:
        return self._timeline.viewport.axis

    @property
    def _left(self) -> int:
        return self._timeline.viewport.layout.axis_left

    def _draw_static(self) -> None:
        """Draw everything that does not move with the playhead."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        theme = self._workspace.hub.theme
        pixmap.fill(theme.color("timeline"))
        painter = QPainter(pixmap)
        painter.setPen(theme.color("border"))
        painter.drawLine(0, 0, self.width(), 0)
        point, session, axis = self._workspace.point, self._workspace.session, self._axis
        self._seen = None
        if point is None or session is None or not axis.n_frames:
            painter.setPen(theme.color("text_dim"))
            text = self.tr("Select a point to see its motion.")
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)
        else:
            plotted = curves(session, point, *axis.visible_frames())
            self._seen = plotted
            self._draw_plot(painter, plotted)
            self._draw_head(painter, point)
        painter.end()
        self._static = pixmap

    def _draw_plot(self, painter: QPainter, plotted: Curves) -> None:
        theme, axis = self._workspace.hub.theme, self._axis
        frames = np.arange(plotted.start, plotted.end)
        middles = axis.middles_of(frames) + self._left
        painter.save()
        painter.setClipRect(QRectF(self._left - 6, 0, self.width(), self.height()))
        for mask, token in ((plotted.is_occluded, "raised"), (plotted.is_outside, "gap")):
            tint = QColor(theme.color(token))
            tint.setAlpha(190 if token == "raised" else 90)
            for first, last in _stretches(mask):
                left_px = self._left + axis.left_of(plotted.start + first)
                right = self._left + axis.left_of(plotted.start + last)
                painter.fillRect(QRectF(left_px, 1, right - left_px, self.height()), tint)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        values = (plotted.xy[:, 0], plotted.xy[:, 1], plotted.speed)
        for band, (series, (_, token)) in enumerate(zip(values, _BANDS, strict=True)):
            self._draw_band(painter, band, middles, series, theme.color(token))
        self._draw_marks(painter, plotted, middles)
        painter.restore()

    def _band(self, number: int) -> QRectF:
        height = self.height() / len(_BANDS)
        return QRectF(self._left, number * height, self.width() - self._left, height)

    def _draw_band(
        self,
        painter: QPainter,
        number: int,
        x: NDArray[np.float64],
        values: NDArray[np.float64],
        color: QColor,
    ) -> None:
        room, theme = self._band(number), self._workspace.hub.theme
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(QLineF(room.left(), room.bottom(), room.right(), room.bottom()))
        scaled = self._scaled(values, number)
        painter.setPen(QPen(color, 1.5))
        if len(x) > 2 * self.width():
            pixels, low, high = columns(x, scaled)
            rows = zip(pixels.tolist(), low.tolist(), high.tolist(), strict=True)
            painter.drawLines([QLineF(p + 0.5, a, p + 0.5, b + 0.5) for p, a, b in rows])
            return
        for first, last in _stretches(~np.isnan(scaled)):
            places = zip(x[first:last].tolist(), scaled[first:last].tolist(), strict=True)
            painter.drawPolyline(QPolygonF([QPointF(px, py) for px, py in places]))

    def _scaled(self, values: NDArray[np.float64], number: int) -> NDArray[np.float64]:
        """Return the heights in the widget: the curve fills its band, speed starts at 0."""
        known = values[~np.isnan(values)]
        room = self._band(number)
        if not len(known):
            return values
        low = 0.0 if number == 2 else float(known.min())
        span = max(float(known.max()) - low, 2.0)
        inner = room.height() - 2 * _PAD_PX
        scaled: NDArray[np.float64] = room.bottom() - _PAD_PX - (values - low) / span * inner
        return scaled

    def _draw_marks(self, painter: QPainter, plotted: Curves, x: NDArray[np.float64]) -> None:
        """Draw the manual keyframes, accepted points where there is room, and the jumps."""
        theme = self._workspace.hub.theme
        is_wide = self._axis.typical_cell_px >= _MARKS_FROM_PX
        heights = self._scaled(plotted.xy[:, 0], 0), self._scaled(plotted.xy[:, 1], 1)
        drawn_marks = plotted.is_marked if is_wide else plotted.is_human
        for scaled in heights:
            for i in np.flatnonzero(drawn_marks & ~np.isnan(scaled))[: 4 * self.width()].tolist():
                fill = theme.color("keyframe" if plotted.is_human[i] else "timeline")
                painter.setPen(QPen(theme.color("keyframe"), 1))
                painter.setBrush(fill)
                painter.drawEllipse(QPointF(x[i], scaled[i]), 2.3, 2.3)
        room = self._band(2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("error"))
        jumps = plotted.jumps()[: 2 * self.width()]
        for px in (self._axis.middles_of(jumps) + self._left).tolist():
            top = room.top() + 1
            corners = ((px - 4, top), (px + 4, top), (px, top + 6))
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    def _draw_head(self, painter: QPainter, point: PointTrack) -> None:
        theme = self._workspace.hub.theme
        painter.setPen(theme.color("text_dim"))
        height = painter.fontMetrics().height()
        texts = (self.tr("x"), self.tr("y"), self.tr("speed"))
        for number, text in enumerate(texts):
            room = self._band(number)
            painter.setPen(QPen(theme.color(_BANDS[number][1]), 3))
            painter.drawLine(QLineF(10, room.center().y(), 22, room.center().y()))
            painter.setPen(theme.color("text_dim"))
            at = QPointF(28, room.center().y() + height / 3)
            painter.drawText(at, text if number else f"{text} · {point.label}")

    def _draw_values(self, painter: QPainter) -> None:
        """Write the numbers of the frame on the screen into the names' column."""
        seen, frame = self._seen, self._workspace.frame
        if seen is None or not seen.start <= frame < seen.end:
            return
        i = frame - seen.start
        numbers = (seen.xy[i, 0], seen.xy[i, 1], seen.speed[i])
        painter.setPen(self._workspace.hub.theme.color("text"))
        for band, number in enumerate(numbers):
            room = self._band(band)
            column = QRectF(0, room.top(), self._left - 16, room.height())
            text = "–" if np.isnan(number) else f"{number:.1f}"
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(column, flags, text)

    # What happens

    def _seek(self, event: QMouseEvent, *, is_exact: bool) -> None:
        x = event.position().x() - self._left
        is_left = Qt.MouseButton.LeftButton in (event.button(), event.buttons())
        if is_left and self._axis.n_frames and x >= -8:
            self.seekRequested.emit(self._axis.frame_at(x), is_exact)

    @Slot()
    def _redraw(self) -> None:
        self._static = None
        self.update()

    @Slot(int)
    def _on_frame_changed(self, _frame: int) -> None:
        self.update()

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        if self._workspace.selection.primary_point in changes.point_ids:
            self._redraw()

    @Slot(object)
    def _on_point_runs_changed(self, news: RunsChanged) -> None:
        if news.owner_id == self._workspace.selection.primary_point:
            self._redraw()


def _stretches(mask: NDArray[np.bool_]) -> Sequence[tuple[int, int]]:
    """Return the half-open stretches of rows that are True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
