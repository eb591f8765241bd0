"""Painting of points: position marks, names, and the trails they leave."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.model.point_marks import Dot, DotLook
from annotator.ui.canvas.painting.name_labels import ChipPictures
from annotator.ui.canvas.painting.strokes import OUTDATED_INK, outline_of
from annotator.ui.look.theme import Theme

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RADIUS_PX: Final = 5.0
_GAP_PX: Final = 11.0
# How far a mark with its outline reaches, and into how many parts of a pixel its place is told.
_MARK_REACH_PX: Final = 14.0
_PARTS: Final = 4
# Corners of the shapes that tell an object's points apart, by ordinal; 0 is a circle. The turn is
# in degrees, the growth makes all look equally large.
_SHAPES: Final = ((0, 0, 1.0), (4, 45, 1.22), (3, -90, 1.38), (4, 0, 1.3), (3, 90, 1.38), (6, 0, 1))


@dataclass(frozen=True, slots=True)
class Trail:
    """Where a point was and will be: pixels, NaN where it is not seen; ``at`` is now's row."""

    color: int
    xy: NDArray[np.float64]
    at: int


@dataclass(frozen=True, slots=True)
class DotEmphasis:
    """Emphasized points, and the objects whose points show their numbers."""

    selected: Collection[PointId] = ()
    hovered: PointId | None = None
    tracks: Collection[TrackId] = ()
    has_focus: bool = False


class DotPainter:
    """Draws one frame's points with a painter that counts device pixels."""

    def __init__(
        self, painter: QPainter, viewport: Viewport, theme: Theme, chips: ChipPictures
    ) -> None:
        self._painter = painter
        self._viewport = viewport
        self._theme = theme
        self._chips = chips
        self._unit = viewport.ratio

    def draw(self, dots: Iterable[Dot], trails: Iterable[Trail], emphasis: DotEmphasis) -> None:
        """Draw trails, then marks, then names; the selection last."""
        painter = self._painter
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for trail in trails:
            self._draw_trail(trail)
        seen = [(d, at) for d in dots if self._is_seen(at := self._at(d.xy))]
        seen.sort(key=lambda pair: pair[0].point_id in emphasis.selected)
        for dot, at in seen:
            self._draw_mark(dot, at, emphasis)
        for dot, at in seen:
            self._draw_name(dot, at, emphasis)
        painter.restore()

    def _at(self, point: Point) -> QPointF:
        x, y = self._viewport.to_widget(point)
        return QPointF(x * self._unit, y * self._unit)

    def _is_seen(self, at: QPointF) -> bool:
        view, margin = self._viewport, 20 * self._unit
        width, height = view.width * self._unit, view.height * self._unit
        return -margin <= at.x() <= width + margin and -margin <= at.y() <= height + margin

    def _draw_trail(self, trail: Trail) -> None:
        color = self._theme.object_color(trail.color).rgba()
        x, y = self._viewport.origin
        xy = (trail.xy * self._viewport.scale + (x, y)) * self._unit
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for part, is_past in ((xy[: trail.at + 1], True), (xy[trail.at :], False)):
            lines = _polylines(part)
            for pen in _trail_pens(color, self._unit, is_past=is_past):
                self._painter.setPen(pen)
                for line in lines:
                    self._painter.drawPolyline(line)

    def _draw_mark(self, dot: Dot, at: QPointF, emphasis: DotEmphasis) -> None:
        is_chosen = dot.point_id in emphasis.selected
        if not is_chosen and dot.point_id != emphasis.hovered:
            self._draw_quiet_mark(dot, at)
            return
        radius = _RADIUS_PX * 1.25
        painter = self._painter
        painter.save()
        painter.translate(at)
        painter.scale(self._unit, self._unit)
        if is_chosen:
            ring = self._theme.color("focus") if emphasis.has_focus else QColor("#ffffff")
            for grown, alpha, width in ((5.0, 90, 4.0), (4.5, 255, 1.5)):
                glow = QColor(ring)
                glow.setAlpha(alpha)
                painter.setPen(QPen(glow, width))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(QPointF(0, 0), radius + grown, radius + grown)
        draw_dot(painter, self._theme, dot, radius)
        painter.restore()

    def _draw_quiet_mark(self, dot: Dot, at: QPointF) -> None:
        """Draw a mark that does not stand out from its picture, to a quarter of a pixel."""
        x, y = math.floor(at.x()), math.floor(at.y())
        part = int((at.x() - x) * _PARTS), int((at.y() - y) * _PARTS)
        half = math.ceil(_MARK_REACH_PX * self._unit)

        def draw(painter: QPainter) -> None:
            painter.translate(half + (part[0] + 0.5) / _PARTS, half + (part[1] + 0.5) / _PARTS)
            painter.scale(self._unit, self._unit)
            draw_dot(painter, self._theme, dot, _RADIUS_PX)

        is_doubtful = (dot.confidence or 0.0) < 0.5
        shape = dot.ordinal % len(_SHAPES)
        key = (dot.color, shape, dot.look, dot.occluded, is_doubtful, *part)
        self._painter.drawPixmap(x - half, y - half, self._chips.mark(key, 2 * half, draw))

    def _draw_name(self, dot: Dot, at: QPointF, emphasis: DotEmphasis) -> None:
        is_loud = dot.point_id in emphasis.selected or dot.point_id == emphasis.hovered
        if not is_loud and dot.track_id not in emphasis.tracks:
            return
        chips = self._chips
        name = chips.point(dot, strong=dot.point_id in emphasis.selected, short=not is_loud)
        gap = _GAP_PX * self._unit
        x, y = round(at.x() + gap), round(at.y() - gap / 2 - name.height())
        if x + name.width() > self._viewport.width * self._unit:
            x = round(at.x() - gap - name.width())
        y = y if y >= 0 else round(at.y() + gap)
        self._painter.drawPixmap(x, y, name)
        if is_loud and dot.confidence is not None:
            beside = x + name.width() + round(2 * self._unit)
            self._painter.drawPixmap(beside, y, chips.confidence(dot.confidence))


def draw_dot(painter: QPainter, theme: Theme, dot: Dot, radius: float) -> None:
    """Draw a position mark round the origin of a painter that counts logical pixels.

    Filled: placed by a person. A ring: accepted, with a core where it was imported. A broken ring:
    proposed, gray when outdated. A hollow cross: occluded; proposed as occluded, a cross in a
    broken ring.
    """
    color = theme.object_color(dot.color)
    is_proposed = dot.look in (DotLook.PROPOSED, DotLook.OUTDATED)
    if dot.look is DotLook.OUTDATED:
        color = QColor.fromRgba(OUTDATED_INK)
    elif is_proposed and (dot.confidence or 0.0) < 0.5:
        color = theme.color("doubtful")
    halo = QColor.fromRgba(outline_of(color.rgba()))
    shape = _cross() if dot.occluded else dot_shape(dot.ordinal)
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if dot.occluded and is_proposed:
        _draw_hidden_proposal(painter, color, halo, radius + 1.5)
    elif dot.occluded:
        outline = _scaled(shape, radius * 1.25)
        painter.setPen(QPen(halo, 4.0))
        painter.drawPath(outline)
        painter.setPen(QPen(color, 1.7))
        painter.drawPath(outline)
    elif dot.look is DotLook.HUMAN:
        painter.setPen(QPen(halo, 1.6))
        painter.setBrush(color)
        painter.drawPath(_scaled(shape, radius))
        painter.fillRect(QRectF(-0.75, -0.75, 1.5, 1.5), halo)
    else:
        outline = _scaled(shape, radius + 1.5 if is_proposed else radius)
        painter.setPen(QPen(halo, 3.8 if is_proposed else 4.4))
        painter.drawPath(outline)
        painter.setPen(_ring_pen(color, 2.2, is_broken=is_proposed))
        painter.drawPath(outline)
        core = 3.0 if dot.look is DotLook.IMPORTED else 1.5
        painter.fillRect(QRectF(-core / 2, -core / 2, core, core), color)
    painter.restore()


@lru_cache
def dot_shape(ordinal: int) -> QPainterPath:
    """Return the outline of radius 1 that an object's point of this ordinal has."""
    corners, turn, growth = _SHAPES[ordinal % len(_SHAPES)]
    path = QPainterPath()
    if corners == 0:
        path.addEllipse(QPointF(0, 0), 1.0, 1.0)
        return path
    angles = [math.radians(turn + 360 * i / corners) for i in range(corners)]
    places = [QPointF(growth * math.cos(a), growth * math.sin(a)) for a in angles]
    path.addPolygon(QPolygonF(places))
    path.closeSubpath()
    return path


def draw_crosshair(painter: QPainter, at: QPointF, reach: float) -> None:
    """Draw a fine cross that leaves the place itself free."""
    lines = [
        QLineF(at + QPointF(side * dx, side * dy) * 4, at + QPointF(side * dx, side * dy) * reach)
        for dx, dy in ((1, 0), (0, 1))
        for side in (-1, 1)
    ]
    for color, width in ((QColor(0, 0, 0, 170), 3.0), (QColor(255, 255, 255, 240), 1.0)):
        painter.setPen(QPen(color, width))
        painter.drawLines(lines)


@lru_cache
def _cross() -> QPainterPath:
    """Return the outline of a diagonal cross of radius 1."""
    arm, half = 1.0, 0.3
    corners = [
        (-half, -arm),
        (half, -arm),
        (half, -half),
        (arm, -half),
        (arm, half),
        (half, half),
        (half, arm),
        (-half, arm),
        (-half, half),
        (-arm, half),
        (-arm, -half),
        (-half, -half),
    ]
    turn = math.sqrt(0.5)
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF((x - y) * turn, (x + y) * turn) for x, y in corners]))
    path.closeSubpath()
    return path


def _scaled(path: QPainterPath, radius: float) -> QPainterPath:
    return QTransform.fromScale(radius, radius).map(path)


def _draw_hidden_proposal(painter: QPainter, color: QColor, halo: QColor, radius: float) -> None:
    arm = radius * 0.45
    lines = [QLineF(-arm, -arm, arm, arm), QLineF(-arm, arm, arm, -arm)]
    for pen in (QPen(halo, 3.8), _ring_pen(color, 1.8, is_broken=True)):
        painter.setPen(pen)
        painter.drawEllipse(QPointF(0, 0), radius, radius)
        painter.setPen(QPen(pen.color(), pen.widthF()))
        painter.drawLines(lines)


def _ring_pen(color: QColor, width: float, *, is_broken: bool) -> QPen:
    pen = QPen(color, width)
    if is_broken:
        pen.setDashPattern([2.2, 1.5])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


@lru_cache(maxsize=128)
def _trail_pens(rgba: int, unit: float, *, is_past: bool) -> tuple[QPen, QPen]:
    """Return the pens of a halo and of the line on it; that of the future is dotted."""
    pens = []
    for width, ink, alpha in ((3.6, outline_of(rgba), 110), (1.8, rgba, 235 if is_past else 170)):
        tint = QColor.fromRgba(ink)
        tint.setAlpha(alpha)
        pen = QPen(tint, width * unit)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pens.append(pen)
    if not is_past:
        pens[1].setDashPattern([0.2, 2.2])
    return pens[0], pens[1]


def _polylines(xy: NDArray[np.float64]) -> list[list[QPointF]]:
    """Return the unbroken stretches of a path with holes."""
    lines: list[list[QPointF]] = [[]]
    # A few dozen points: faster without numpy.
    for x, y in xy.tolist():
        if not math.isnan(x):
            lines[-1].append(QPointF(x, y))
        elif lines[-1]:
            lines.append([])
    return [line for line in lines if len(line) > 1]
