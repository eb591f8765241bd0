"""Painting of shapes, labels, handles and the draft over the picture.

Everything is drawn in whole device pixels, without smoothing, and in few calls: rectangles and
lines are gathered by pen first. 200 tracks take about 2 ms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from PySide6.QtCore import QLine, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId
from annotator.ui.canvas.board import Draft
from annotator.ui.canvas.chips import ChipPictures, Slot, place_chips
from annotator.ui.canvas.hit import handle_places
from annotator.ui.canvas.shapes import Look, Shape
from annotator.ui.canvas.viewport import Viewport
from annotator.ui.theme import Theme

_HALO: Final = QColor(0, 0, 0, 120)
_THIN_HALO: Final = QColor(0, 0, 0, 70)
_GHOST_ALPHA: Final = 200
_TICK_PX: Final = 9
_DASHED: Final = (5.0, 3.0)
_DOTTED: Final = (1.0, 2.0)
_FAINT: Final = (2.0, 4.0)


class _Pen(NamedTuple):
    """A colour of the object palette, a width in logical pixels and a dash pattern."""

    color: int
    width: float
    dashes: tuple[float, ...] = ()
    is_faint: bool = False


@dataclass(slots=True)
class _Strokes:
    """Rectangles and lines gathered by pen, in device pixels."""

    halos: list[QRect] = field(default_factory=list)
    thin_halos: list[QRect] = field(default_factory=list)
    rects: dict[_Pen, list[QRect]] = field(default_factory=dict)
    ticks: dict[int, list[QLine]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What stands out: selected tracks in order, the one under the cursor, keyboard focus."""

    selected: Sequence[TrackId] = ()
    hovered: TrackId | None = None
    has_focus: bool = False
    is_drawing: bool = False


class OverlayPainter:
    """Draws one frame's shapes with a painter that counts device pixels."""

    def __init__(
        self, painter: QPainter, viewport: Viewport, theme: Theme, chips: ChipPictures
    ) -> None:
        self._painter = painter
        self._viewport = viewport
        self._theme = theme
        self._chips = chips
        self._unit = viewport.ratio
        self._view = QRect(
            0, 0, round(viewport.width * self._unit), round(viewport.height * self._unit)
        )
        x, y = viewport.origin
        self._x, self._y = x * self._unit, y * self._unit

    def draw(self, shapes: Iterable[Shape], emphasis: Emphasis) -> None:
        """Draw shapes in the order given, then their labels; what stands out comes last."""
        seen = [(s, r) for s in shapes if (r := self._rect(s.box)).intersects(self._view)]
        chosen = set(emphasis.selected)
        loud = [(s, r) for s, r in seen if s.track_id in chosen]
        quiet = [(s, r) for s, r in seen if s.track_id not in chosen]
        self._draw_boxes(quiet)
        for shape, rect in quiet:
            if shape.track_id == emphasis.hovered:
                self._tint(shape, rect, 44)
        for shape, rect in loud:
            self._glow(shape, rect, emphasis)
        self._draw_boxes(loud)
        self._draw_chips([*reversed(loud), *quiet], chosen, emphasis.hovered)
        if not emphasis.is_drawing:
            self._draw_handles(loud, emphasis)

    def draw_draft(self, draft: Draft, shape: Shape | None, new_color: int) -> None:
        """Draw the shape in the making, in its track's colour or the next new one's."""
        color = shape.color if shape is not None else new_color
        if draft.box is not None:
            rect = self._rect(draft.box)
            tint = QColor(self._theme.object_color(color))
            tint.setAlpha(36)
            self._painter.fillRect(rect, tint)
            strokes = _Strokes([rect], rects={_Pen(color, 2.0): [rect]})
            self._stroke(strokes)
        for point in draft.points:
            self._draw_point(point, color)

    def draw_crosshair(self, x: float, y: float) -> None:
        """Draw guide lines through the cursor (logical pixels) over the whole canvas."""
        across, down = round(x * self._unit), round(y * self._unit)
        lines = [
            QLine(0, down, self._view.width(), down),
            QLine(across, 0, across, self._view.height()),
        ]
        for color, dashes in ((QColor(0, 0, 0, 130), ()), (QColor(255, 255, 255, 190), (4, 4))):
            pen = QPen(color, max(1, round(self._unit)))
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if dashes:
                pen.setDashPattern(dashes)
            self._painter.setPen(pen)
            self._painter.drawLines(lines)

    def _rect(self, box: Box) -> QRect:
        zoom = self._viewport.zoom
        x1, y1 = round(self._x + box.x1 * zoom), round(self._y + box.y1 * zoom)
        x2, y2 = round(self._x + box.x2 * zoom), round(self._y + box.y2 * zoom)
        return QRect(x1, y1, max(1, x2 - x1), max(1, y2 - y1))

    def _draw_boxes(self, seen: Sequence[tuple[Shape, QRect]]) -> None:
        strokes = _Strokes()
        for shape, rect in seen:
            halos = strokes.thin_halos if shape.look is Look.GHOST else strokes.halos
            halos.append(rect)
            strokes.rects.setdefault(_pen_of(shape), []).append(rect)
            if shape.look is Look.BETWEEN:
                ticks = strokes.ticks.setdefault(shape.color, [])
                ticks.extend(_corner_ticks(rect, round(_TICK_PX * self._unit)))
        self._stroke(strokes)

    def _stroke(self, strokes: _Strokes) -> None:
        painter = self._painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if strokes.halos:
            painter.setPen(self._solid(_HALO, 4.0))
            painter.drawRects(strokes.halos)
        if strokes.thin_halos:
            painter.setPen(self._solid(_THIN_HALO, 1.0))
            painter.drawRects(strokes.thin_halos)
        for pen, rects in strokes.rects.items():
            painter.setPen(self._object_pen(pen))
            painter.drawRects(rects)
        for color, lines in strokes.ticks.items():
            painter.setPen(self._solid(self._theme.object_color(color), 3.0))
            painter.drawLines(lines)

    def _solid(self, color: QColor, width: float) -> QPen:
        pen = QPen(color, max(1, round(width * self._unit)))
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        return pen

    def _object_pen(self, wanted: _Pen) -> QPen:
        color = self._theme.object_color(wanted.color)
        if wanted.is_faint:
            color = QColor(color)
            color.setAlpha(_GHOST_ALPHA)
        pen = self._solid(color, wanted.width)
        if wanted.dashes:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern(wanted.dashes)
        return pen

    def _tint(self, shape: Shape, rect: QRect, alpha: int) -> None:
        color = QColor(self._theme.object_color(shape.color))
        color.setAlpha(alpha)
        self._painter.fillRect(rect, color)

    def _glow(self, shape: Shape, rect: QRect, emphasis: Emphasis) -> None:
        """Mark a selected shape: a light tint and a soft ring outside its line."""
        self._tint(shape, rect, 44 if shape.track_id == emphasis.hovered else 26)
        ring = QColor(self._theme.color("focus") if emphasis.has_focus else QColor("#ffffff"))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for distance, alpha in ((3, 150), (5, 80), (7, 35)):
            ring.setAlpha(alpha)
            self._painter.setPen(self._solid(ring, 2.0))
            grown = round(distance * self._unit)
            self._painter.drawRect(rect.adjusted(-grown, -grown, grown, grown))

    def _draw_handles(self, loud: Sequence[tuple[Shape, QRect]], emphasis: Emphasis) -> None:
        half = round(4 * self._unit)
        self._painter.setBrush(QColor("#ffffff"))
        for shape, _ in loud:
            if shape.locked or shape.look is Look.GHOST:
                continue
            is_primary = shape.track_id == emphasis.selected[-1]
            edge = QColor("#101216") if is_primary else QColor("#70757d")
            self._painter.setPen(self._solid(edge, 1.0))
            logical = self._viewport.box_to_widget(shape.box)
            squares = []
            for x, y in handle_places(logical).values():
                dx, dy = round(x * self._unit), round(y * self._unit)
                squares.append(QRect(dx - half, dy - half, 2 * half, 2 * half))
            self._painter.drawRects(squares)

    def _draw_chips(
        self,
        seen: Sequence[tuple[Shape, QRect]],
        chosen: Collection[TrackId],
        hovered: TrackId | None,
    ) -> None:
        named = [
            (s, r) for s, r in seen if s.look is not Look.GHOST or s.track_id in (*chosen, hovered)
        ]
        height = self._chips.height
        margin = round(2 * self._unit)
        slots, pictures = [], []
        for shape, rect in named:
            strong = shape.track_id in chosen
            name = self._chips.name(shape, strong=strong)
            short = self._chips.name(shape, strong=strong, short=True)
            badge = (
                self._chips.confidence(shape.confidence) if shape.confidence is not None else None
            )
            extra = badge.width() + margin if badge is not None else 0
            out = margin + (round(7 * self._unit) if strong else 0)
            slots.append(
                Slot(
                    rect.left() - round(self._unit),
                    rect.top() - out,
                    rect.right() + out,
                    rect.bottom() + out,
                    name.width() + extra,
                    height,
                    short.width(),
                )
            )
            pictures.append((name, short, badge))
        places = place_chips(slots, self._view.width(), self._view.height(), unit=self._unit)
        for place, (name, short, badge) in zip(reversed(places), reversed(pictures), strict=True):
            self._painter.drawPixmap(place.x, place.y, short if place.is_short else name)
            if badge is not None and not place.is_short:
                self._painter.drawPixmap(place.x + name.width() + margin, place.y, badge)

    def _draw_point(self, point: Point, color: int) -> None:
        x, y = self._viewport.to_widget(point)
        center = QPoint(round(x * self._unit), round(y * self._unit))
        radius = round(4 * self._unit)
        self._painter.setPen(self._solid(QColor("#101216"), 1.0))
        self._painter.setBrush(self._theme.object_color(color))
        self._painter.drawEllipse(center, radius, radius)


def draw_hint(painter: QPainter, theme: Theme, text: str, x: float, y: float, room: QRectF) -> None:
    """Draw a short line of text at a point, inside ``room``, in logical pixels."""
    metrics = painter.fontMetrics()
    width, height = metrics.horizontalAdvance(text) + 16.0, metrics.height() + 8.0
    left = min(max(room.left() + 4, x), room.right() - width - 4)
    top = min(max(room.top() + 4, y), room.bottom() - height - 4)
    rect = QRectF(left, top, width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(QPen(theme.color("border"), 1))
    plane = QColor(theme.color("surface"))
    plane.setAlpha(235)
    painter.setBrush(plane)
    painter.drawRoundedRect(rect, 5, 5)
    painter.setPen(theme.color("text"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _pen_of(shape: Shape) -> _Pen:
    if shape.look is Look.GHOST:
        return _Pen(shape.color, 1.0, _FAINT, is_faint=True)
    if shape.look is Look.PROPOSED:
        return _Pen(shape.color, 2.0, (*_DASHED, *_DOTTED) if shape.occluded else _DASHED)
    if shape.occluded:
        return _Pen(shape.color, 2.0, _DOTTED)
    return _Pen(shape.color, 2.0 if shape.look is Look.FIXED else 1.0)


def _corner_ticks(rect: QRect, length: int) -> list[QLine]:
    """Return the lines that stress the corners of a box between keyframes."""
    x1, y1 = rect.left(), rect.top()
    x2, y2 = x1 + rect.width(), y1 + rect.height()
    dx, dy = min(length, rect.width() // 3), min(length, rect.height() // 3)
    return [
        QLine(x1, y1, x1 + dx, y1),
        QLine(x1, y1, x1, y1 + dy),
        QLine(x2 - dx, y1, x2, y1),
        QLine(x2, y1, x2, y1 + dy),
        QLine(x1, y2, x1 + dx, y2),
        QLine(x1, y2 - dy, x1, y2),
        QLine(x2 - dx, y2, x2, y2),
        QLine(x2, y2 - dy, x2, y2),
    ]
