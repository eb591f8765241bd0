"""Painting of the header: the whole video at a glance, and the ruler with its round numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.model.layout import OVERVIEW_PX, RULER_END_PX, RULER_PX
from annotator.ui.timeline.painting.timeline_scene import TimelineScene

_TIME_STEPS_S: Final = (
    *(0.00001, 0.00002, 0.00005, 0.0001, 0.0002, 0.0005),
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0),
)
_FRAME_STEPS: Final = (1, 2, 5, 10, 20, 50)
_SAMPLE_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
_GRID_FACTORS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class RulerTick:
    """A mark at a pixel, with a label where it is a main one."""

    x: float
    text: str = ""


def format_time(seconds: float, decimals: int = 3) -> str:
    """Return minutes, seconds and a fraction ("02:05.033"), with hours where there are any.

    The last digit is rounded, so that neighboring frames differ.
    """
    sign = "-" if seconds < 0 else ""
    unit = 10**decimals
    total = round(abs(seconds) * unit)
    whole, part = divmod(total, unit)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes:02}"
    tail = f".{part:0{decimals}}" if decimals else ""
    return f"{sign}{head}:{rest:02}{tail}"


def time_step(axis: TimeAxis, least_px: float) -> float:
    """Return the smallest round number of seconds that is at least ``least_px`` wide."""
    wanted = least_px / axis.scale
    return next((s for s in _TIME_STEPS_S if s >= wanted), _TIME_STEPS_S[-1])


def time_ticks(axis: TimeAxis, least_px: float) -> list[RulerTick]:
    """Return labeled marks at round times, and unlabeled ones at fifths between them."""
    step = time_step(axis, least_px)
    decimals = next((d for d in range(5) if step >= 0.999 * 10**-d), 5)
    first = math.floor(axis.start_s / step)
    last = math.ceil(axis.end_s / step)
    ticks = []
    for i in range(first, last + 1):
        for part in range(5):
            seconds = (i + part / 5) * step
            x = axis.x_of_time(seconds)
            if -least_px <= x <= axis.width + least_px:
                ticks.append(RulerTick(x, "" if part else format_time(seconds, decimals)))
    return ticks


def frame_step(axis: TimeAxis, least_px: float, grid_step: int) -> int:
    """Return a round number of frames of at least the given pixels.

    Below the annotation grid 1, 2, 5, …; from there on multiples of the grid.
    """
    wanted = least_px / max(axis.typical_cell_px, 1e-9)
    small = [s for s in _FRAME_STEPS if s < grid_step]
    steps = [*small, *(grid_step * factor for factor in _GRID_FACTORS)]
    return next((s for s in steps if s >= wanted), steps[-1])


def frame_ticks(axis: TimeAxis, least_px: float, grid_step: int) -> list[RulerTick]:
    """Return labeled marks in the middle of every n-th frame in sight."""
    step = frame_step(axis, least_px, grid_step)
    start, end = axis.visible_frames()
    first = start // step * step
    return [RulerTick(axis.middle_of(f), str(f)) for f in range(first, end, step)]


def sample_ticks(axis: TimeAxis, least_px: float) -> list[RulerTick]:
    """Return labeled marks on every n-th sample of the sound, counted from media time 0."""
    rate = axis.sample_rate
    wanted = least_px * rate / axis.scale
    step = next((s for s in _SAMPLE_STEPS if s >= wanted), _SAMPLE_STEPS[-1])
    first, last = math.floor(axis.start_s * rate / step), math.ceil(axis.end_s * rate / step)
    return [
        RulerTick(axis.x_of_time(i * step / rate), f"{i * step:,}") for i in range(first, last + 1)
    ]


def grid_frames(axis: TimeAxis, grid_step: int, least_px: float) -> list[int]:
    """Return the grid frames in sight, every n-th where they would stand too dense."""
    spacing = max(axis.typical_cell_px * grid_step, 1e-9)
    stride = grid_step * max(1, math.ceil(least_px / spacing))
    start, end = axis.visible_frames()
    return list(range(start // stride * stride, end, stride))


_TIME_LABEL_PX: Final = 84.0
_FRAME_LABEL_PX: Final = 64.0
_FILM_PX: Final = 29.0
_WIDE_CELL_PX: Final = 120.0
_ANSWER_PX: Final = 4
_HALF_PX: Final = RULER_PX / 2


class HeaderPainter:
    """Draws overview and ruler with a painter in logical pixels of the widget."""

    def __init__(self, painter: QPainter, scene: TimelineScene) -> None:
        self._painter = painter
        self._scene = scene
        self._theme = scene.theme
        self._left = scene.layout.axis_left
        self._edge = scene.layout.gutter
        self._width = scene.layout.lanes_width

    def draw_overview(self) -> None:
        """Draw the whole video at a glance, and nothing below it."""
        painter, width = self._painter, self._scene.layout.width
        painter.fillRect(QRect(0, 0, width, OVERVIEW_PX), self._theme.color("window"))
        self._draw_overview()
        self.draw_edge(0, OVERVIEW_PX)

    def draw_ruler(self) -> None:
        """Draw the ruler under the overview, with the ranges on it."""
        painter, layout = self._painter, self._scene.layout
        room = QRect(0, OVERVIEW_PX, layout.width, RULER_END_PX - OVERVIEW_PX)
        painter.fillRect(room, self._theme.color("window"))
        self._draw_ruler()
        painter.setPen(QPen(self._theme.color("border"), 1))
        right = layout.width
        painter.drawLine(QLineF(0, RULER_END_PX - 0.5, right, RULER_END_PX - 0.5))
        self.draw_edge(OVERVIEW_PX, RULER_END_PX)
        self.draw_ranges(OVERVIEW_PX, RULER_END_PX)

    def draw_edge(self, top: int, bottom: int) -> None:
        """Draw the line between names and lanes, from one height to another."""
        room = QRectF(self._edge - 1, top, 1, bottom - top)
        self._painter.fillRect(room, self._theme.color("border"))

    def draw_ranges(self, top: int, bottom: int) -> None:
        """Draw the marked range over ruler and lanes, from one height to another."""
        scene = self._scene
        painter = self._painter
        painter.save()
        painter.setClipRect(QRect(self._edge, top, self._width, bottom - top))
        for span in scene.answers:
            x1, x2 = (scene.crisp(x) for x in self._span(span))
            bar = QRectF(x1, RULER_END_PX - _ANSWER_PX - 1, max(2.0, x2 - x1), _ANSWER_PX)
            painter.fillRect(bar, self._theme.color("accent"))
        if scene.range is not None:
            x1, x2 = (scene.crisp(x) for x in self._span(scene.range))
            plane = QColor(self._theme.color("accent"))
            plane.setAlpha(44)
            body = QRectF(x1, OVERVIEW_PX, x2 - x1, scene.layout.height - OVERVIEW_PX)
            painter.fillRect(body, plane)
            painter.setPen(QPen(self._theme.color("accent"), 1))
            painter.drawLine(QLineF(x1, OVERVIEW_PX, x1, scene.layout.height))
            painter.drawLine(QLineF(x2, OVERVIEW_PX, x2, scene.layout.height))
        painter.restore()

    def draw_playhead(self, frame: int) -> None:
        """Draw the line of the frame shown, its number, and its place in the overview."""
        scene, painter = self._scene, self._painter
        if not scene.axis.n_frames:
            return
        color = self._theme.color("playhead")
        at = self._left + scene.whole.middle_of(frame)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, 2))
        painter.drawLine(QLineF(at, 2, at, OVERVIEW_PX - 2))
        painter.setClipRect(QRect(self._edge, OVERVIEW_PX, self._width, scene.layout.height))
        x1 = self._left + scene.axis.left_of(frame)
        x2 = self._left + scene.axis.left_of(frame + 1)
        if x2 < self._edge or x1 > self._edge + self._width:
            painter.restore()
            return
        if x2 - x1 >= 4:
            cell = QColor(color)
            cell.setAlpha(36)
            body = QRectF(x1, RULER_END_PX, x2 - x1, scene.layout.height - RULER_END_PX)
            painter.fillRect(body, cell)
        # In a frame wider than can be overlooked its beginning counts.
        middle = self._scene.crisp(x1 if x2 - x1 > _WIDE_CELL_PX else (x1 + x2) / 2)
        painter.setPen(QPen(color, 1))
        painter.drawLine(QLineF(middle, OVERVIEW_PX + _HALF_PX, middle, scene.layout.height))
        self._draw_flag(middle, str(frame), color)
        painter.restore()

    def draw_moment(self, seconds: float) -> None:
        """Draw the playhead of a sound without pictures, and its place in the overview."""
        scene, painter = self._scene, self._painter
        at = self._left + scene.whole.x_of_time(seconds)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("playhead"), 2))
        painter.drawLine(QLineF(at, 2, at, OVERVIEW_PX - 2))
        painter.setClipRect(QRect(self._edge, OVERVIEW_PX, self._width, scene.layout.height))
        x = scene.crisp(self._left + scene.axis.x_of_time(seconds))
        painter.setPen(QPen(self._theme.color("playhead"), 1))
        painter.drawLine(QLineF(x, OVERVIEW_PX + _HALF_PX, x, scene.layout.height))
        painter.restore()

    def draw_corner(self, seconds: float) -> None:
        """Draw the time at the left of the header; the frame stands in the transport bar."""
        painter = self._painter
        painter.save()
        painter.setClipRect(QRect(0, 0, self._edge - 1, RULER_END_PX - 1))
        font = QFont(painter.font())
        font.setPointSizeF(font.pointSizeF() * 1.35)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(10, 8, self._edge - 14, 30), flags, format_time(seconds))
        painter.restore()

    def _draw_overview(self) -> None:
        scene, painter, theme = self._scene, self._painter, self._theme
        full_view = scene.whole
        groove = QRectF(self._edge, 3, self._width, OVERVIEW_PX - 6)
        painter.fillRect(groove, theme.color("raised"))
        scene.film.draw(
            painter, QRectF(self._edge, 3, self._width, _FILM_PX), self._left, full_view
        )
        for start, end in scene.loaded:
            x1, x2 = full_view.left_of(start), full_view.left_of(end)
            bar = QRectF(self._left + x1, groove.bottom() - 4, max(1.0, x2 - x1), 4)
            painter.fillRect(bar, theme.color("loaded"))
        if scene.loop is not None:
            self._draw_band(full_view, scene.loop, groove, theme.color("loop"))
        if scene.range is not None:
            plane = QColor(theme.color("accent"))
            plane.setAlpha(90)
            self._draw_band(full_view, scene.range, groove, plane)
        for span in scene.answers:
            foot = QRectF(groove.left(), groove.bottom() - 4, groove.width(), 4)
            self._draw_band(full_view, span, foot, theme.color("accent"))
        grid = [] if scene.film.has_pictures else grid_frames(full_view, scene.grid_step, 5.0)
        self._draw_lines(full_view, grid, groove.top(), groove.top() + 3, "grid_line")
        self._draw_lines(
            full_view, scene.primary_keys, groove.top() + _FILM_PX, groove.bottom(), "keyframe"
        )
        if not scene.axis.is_whole:
            self._draw_window(groove)

    def _draw_window(self, groove: QRectF) -> None:
        """Veil the parts out of view and frame the rest, which can be dragged."""
        scene, painter, theme = self._scene, self._painter, self._theme
        x1, x2 = (self._left + scene.whole.x_of_time(t) for t in self._visible_span())
        x2 = max(x2, x1 + 4)
        veil = QColor(theme.color("window"))
        veil.setAlpha(165)
        painter.fillRect(QRectF(self._edge, groove.top(), x1 - self._edge, groove.height()), veil)
        painter.fillRect(QRectF(x2, groove.top(), groove.right() - x2, groove.height()), veil)
        frame = QRectF(x1, groove.top() - 1, x2 - x1, groove.height() + 2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawRoundedRect(frame, 3, 3)
        painter.restore()

    def _visible_span(self) -> tuple[float, float]:
        return self._scene.axis.start_s, self._scene.axis.end_s

    def _draw_ruler(self) -> None:
        scene, painter = self._scene, self._painter
        painter.save()
        room = QRect(self._edge, OVERVIEW_PX, self._width, RULER_PX)
        painter.setClipRect(room)
        self._fill_ruler(QRectF(room))
        painter.setFont(self._ruler_font())
        times = time_ticks(scene.axis, _TIME_LABEL_PX)
        self._draw_ticks(times, OVERVIEW_PX, "text")
        self._draw_ticks(self._lower_ticks(), OVERVIEW_PX + _HALF_PX, "text_dim")
        painter.restore()

    def _fill_ruler(self, room: QRectF) -> None:
        scene, theme = self._scene, self._theme
        self._painter.fillRect(room, theme.color("window"))
        if scene.loop is not None:
            self._draw_band(scene.axis, scene.loop, room, theme.color("loop"))

    def _ruler_font(self) -> QFont:
        font = QFont(self._painter.font())
        font.setPointSizeF(font.pointSizeF() * 0.88)
        return font

    def _lower_ticks(self) -> list[RulerTick]:
        axis = self._scene.axis
        if axis.sample_rate and axis.typical_cell_px > self._width / 2:
            # Frames are narrower than a pixel.
            return sample_ticks(axis, _TIME_LABEL_PX)
        return frame_ticks(axis, _FRAME_LABEL_PX, self._scene.grid_step)

    def _draw_ticks(self, ticks: Iterable[RulerTick], top: float, ink: str) -> None:
        painter, theme = self._painter, self._theme
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        lines = []
        measure, end = painter.fontMetrics(), self._edge + self._width
        painter.setPen(theme.color(ink))
        for tick in ticks:
            x = self._scene.crisp(self._left + tick.x)
            reach = _HALF_PX - 3 if tick.text else 4
            lines.append(QLineF(x, top + _HALF_PX - reach, x, top + _HALF_PX - 1))
            if tick.text and x + 4 + measure.horizontalAdvance(tick.text) <= end:
                room = QRectF(x + 4, top, _TIME_LABEL_PX, _HALF_PX - 1)
                painter.drawText(room, flags, tick.text)
        painter.setPen(QPen(theme.color("grid_line"), 1))
        painter.drawLines(lines)

    def _draw_lines(
        self, axis: TimeAxis, frames: Sequence[int], top: float, bottom: float, ink: str
    ) -> None:
        middles = self._left + axis.middles_of(np.array(frames, np.int64))
        xs = {self._scene.crisp(x) for x in middles.tolist()}
        self._painter.setPen(QPen(self._theme.color(ink), 1))
        self._painter.drawLines([QLineF(x, top, x, bottom) for x in xs])

    def _draw_band(
        self, axis: TimeAxis, span: tuple[int, int], room: QRectF, color: QColor
    ) -> None:
        x1, x2 = axis.left_of(span[0]), axis.left_of(span[1])
        band = QRectF(self._left + x1, room.top(), max(1.0, x2 - x1), room.height())
        self._painter.fillRect(band.intersected(room), color)

    def _clear_labels(self, flag: QRectF, metrics: QFontMetricsF) -> None:
        """Take away the labels of the ruler that would look out from under the flag."""
        for tick in self._lower_ticks():
            x = self._scene.crisp(self._left + tick.x)
            width = metrics.horizontalAdvance(tick.text) + 2
            label = QRectF(x + 3, flag.top() + 1, width, _HALF_PX - 2)
            if tick.text and label.intersects(flag):
                self._fill_ruler(label)

    def _draw_flag(self, x: float, text: str, color: QColor) -> None:
        painter = self._painter
        labels = QFontMetricsF(self._ruler_font())
        font = QFont(painter.font())
        font.setWeight(QFont.Weight.DemiBold)
        font.setPointSizeF(font.pointSizeF() * 0.9)
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(text) + 10.0
        top = OVERVIEW_PX + _HALF_PX - 1
        left = min(max(x - width / 2, self._edge), self._edge + self._width - width)
        flag = QRectF(left, top, width, _HALF_PX - 3)
        self._clear_labels(flag, labels)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(flag, 3, 3)
        foot = top + _HALF_PX - 3.5
        painter.drawPolygon(
            QPolygonF([QPointF(x - 4, foot), QPointF(x + 4, foot), QPointF(x, foot + 4)])
        )
        is_light = color.lightnessF() > 0.55
        painter.setPen(QColor("#101216" if is_light else "#ffffff"))
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, text)

    def _span(self, span: tuple[int, int]) -> tuple[float, float]:
        axis = self._scene.axis
        return self._left + axis.left_of(span[0]), self._left + axis.left_of(span[1])
