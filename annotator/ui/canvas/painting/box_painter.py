"""Painting of shapes, labels, handles and the draft over the picture.

Everything is drawn in whole device pixels, without smoothing, and in few calls: rectangles and
bars are gathered by color first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLine, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId
from annotator.ui.canvas.input.box_geometry import handle_places
from annotator.ui.canvas.model.frame_annotations import Draft
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.model.shapes import Shape, ShapeStyle
from annotator.ui.canvas.painting.name_labels import ChipPictures, LabelRequest, place_chips
from annotator.ui.canvas.painting.strokes import (
    DASHED,
    DASHED_DOTTED,
    DOTTED,
    OUTDATED_INK,
    SOLID,
    Dashes,
    Rect,
    Strokes,
    outline_of,
)
from annotator.ui.look.theme import Theme

_THIN_HALO: Final = 0x50000000
_GHOST_ALPHA: Final = 110
_CORNER_PX: Final = 9


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Emphasized tracks: selected ones in order, the one under the cursor, keyboard focus.

    ``related`` tracks play a role in the selected segment and glow where they are in the picture,
    but show no handles.
    """

    selected: Sequence[TrackId] = ()
    hovered: TrackId | None = None
    has_focus: bool = False
    has_handles: bool = True
    related: Collection[TrackId] = ()


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
        self._view = round(viewport.width * self._unit), round(viewport.height * self._unit)
        x, y = viewport.origin
        self._x, self._y = x * self._unit, y * self._unit

    def draw(self, shapes: Iterable[Shape], emphasis: Emphasis) -> None:
        """Draw shapes in order, then their labels; emphasized ones last."""
        chosen = set(emphasis.selected)
        drawn_shapes = (s for s in shapes if s.is_fresh or s.track_id in chosen)
        visible_shapes = [(s, r) for s in drawn_shapes if self._is_seen(r := self._rect(s.box))]
        loud = [(s, r) for s, r in visible_shapes if s.track_id in chosen]
        quiet = [(s, r) for s, r in visible_shapes if s.track_id not in chosen]
        self._draw_boxes(quiet)
        related = emphasis.related
        self._glow([q for q in quiet if q[0].track_id in related and q[0].is_present], emphasis)
        for shape, rect in quiet:
            if shape.track_id == emphasis.hovered:
                self._tint(shape, rect, 44)
        self._glow(loud, emphasis)
        self._draw_boxes(loud)
        self._draw_chips([*reversed(loud), *quiet], chosen, emphasis.hovered)
        if emphasis.has_handles:
            self._draw_handles(loud, emphasis)

    def draw_draft(self, draft: Draft, shape: Shape | None, new_color: int) -> None:
        """Draw the shape in the making, in its track's color or the next new one's."""
        color = shape.color if shape is not None else new_color
        if draft.box is not None:
            rect = self._rect(draft.box)
            tint = QColor(self._theme.object_color(color))
            tint.setAlpha(36)
            self._painter.fillRect(*rect, tint)
            ink = self._theme.object_color(color).rgba()
            for rgba, width in ((outline_of(ink), 4), (ink, 2)):
                strokes = Strokes(self._unit)
                strokes.frame(rect, rgba, width)
                strokes.fill(self._painter)
        for point in draft.points:
            self._draw_point(point, color)

    def draw_crosshair(self, x: float, y: float, color: int) -> None:
        """Draw guide lines through the cursor (logical pixels) over the whole canvas.

        They have the color of the object that a box drawn now belongs to.
        """
        ink = QColor(self._theme.object_color(color))
        across, down = round(x * self._unit), round(y * self._unit)
        width, height = self._view
        lines = [QLine(0, down, width, down), QLine(across, 0, across, height)]
        for line, dashes in ((QColor(0, 0, 0, 150), ()), (ink, (6, 3))):
            pen = QPen(line, max(1, round(self._unit)))
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if dashes:
                pen.setDashPattern(dashes)
            self._painter.setPen(pen)
            self._painter.drawLines(lines)

    def _rect(self, box: Box) -> Rect:
        zoom, left, top = self._viewport.zoom, self._x, self._y
        x, y = round(left + box.x1 * zoom), round(top + box.y1 * zoom)
        width, height = round(left + box.x2 * zoom) - x, round(top + box.y2 * zoom) - y
        return x, y, width or 1, height or 1

    def _is_seen(self, rect: Rect) -> bool:
        x, y, width, height = rect
        view_width, view_height = self._view
        return x <= view_width and y <= view_height and x + width >= 0 and y + height >= 0

    def _draw_boxes(self, visible_shapes: Sequence[tuple[Shape, Rect]]) -> None:
        halos, lines = Strokes(self._unit), Strokes(self._unit)
        inks = [c.rgba() for c in self._theme.object_colors]
        for shape, rect in visible_shapes:
            ink, look = inks[shape.color % len(inks)], shape.look
            if look is ShapeStyle.GHOST:
                halos.frame(rect, _THIN_HALO, 3)
                lines.frame(rect, _with_alpha(ink, _GHOST_ALPHA), 1)
                continue
            dashes = _dashes(shape)
            if shape.is_outdated:
                lines.frame(rect, OUTDATED_INK, 1, dashes)
                continue
            if shape.given:
                halos.frame(rect, _THIN_HALO, 3)
                lines.frame(rect, ink, 1, dashes)
                continue
            if dashes:
                lines.frame(rect, ink, 2, dashes)
            else:
                halos.frame(rect, outline_of(ink), 2 if look is ShapeStyle.BETWEEN else 4)
                lines.frame(rect, ink, 1 if look is ShapeStyle.BETWEEN else 2)
            if look is ShapeStyle.BETWEEN:
                lines.corners(rect, ink, 3, _CORNER_PX)
        halos.fill(self._painter)
        lines.fill(self._painter)

    def _solid(self, color: QColor, width: float) -> QPen:
        pen = QPen(color, max(1, round(width * self._unit)))
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        return pen

    def _tint(self, shape: Shape, rect: Rect, alpha: int) -> None:
        color = QColor(self._theme.object_color(shape.color))
        color.setAlpha(alpha)
        self._painter.fillRect(*rect, color)

    def _glow(self, chosen: Sequence[tuple[Shape, Rect]], emphasis: Emphasis) -> None:
        """Mark selected shapes: a light tint and a soft ring outside their lines."""
        ring = self._theme.color("focus").rgba() if emphasis.has_focus else 0xFFFFFFFF
        strokes = Strokes(self._unit)
        for shape, (x, y, width, height) in chosen:
            is_hovered = shape.track_id == emphasis.hovered
            self._tint(shape, (x, y, width, height), 44 if is_hovered else 26)
            for distance, alpha in ((3, 150), (5, 80), (7, 35)):
                grown = round(distance * self._unit)
                outer = (x - grown, y - grown, width + 2 * grown, height + 2 * grown)
                strokes.frame(outer, _with_alpha(ring, alpha), 2)
        strokes.fill(self._painter)

    def _draw_handles(self, loud: Sequence[tuple[Shape, Rect]], emphasis: Emphasis) -> None:
        half = round(4 * self._unit)
        self._painter.setBrush(QColor("#ffffff"))
        for shape, _ in loud:
            if shape.locked or shape.look is ShapeStyle.GHOST:
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
        visible_shapes: Sequence[tuple[Shape, Rect]],
        chosen: Collection[TrackId],
        hovered: TrackId | None,
    ) -> None:
        named = [
            (s, r)
            for s, r in visible_shapes
            if s.look is not ShapeStyle.GHOST or s.track_id in (*chosen, hovered)
        ]
        chips, unit = self._chips, self._unit
        margin, ring = round(2 * unit), round(7 * unit)
        slots, pictures = [], []
        for shape, rect in named:
            strong = shape.track_id in chosen
            name = chips.name(shape, strong=strong)
            badge = chips.confidence(shape.confidence) if shape.confidence is not None else None
            width = name.width() + (badge.width() + margin if badge is not None else 0)
            out = margin + ring if strong else margin
            x, y, box_width, box_height = rect
            right, bottom = x + box_width + out, y + box_height + out
            short = chips.short_width(shape)
            slots.append(
                LabelRequest(x - margin, y - out, right, bottom, width, chips.height, short)
            )
            pictures.append((shape, strong, name, badge))
        places = place_chips(slots, *self._view, unit=unit)
        draw = self._painter.drawPixmap
        for place, (shape, strong, name, badge) in zip(
            reversed(places), reversed(pictures), strict=True
        ):
            if place is None:
                continue
            if place.is_short:
                draw(place.x, place.y, chips.name(shape, strong=strong, short=True))
                continue
            draw(place.x, place.y, name)
            if badge is not None:
                draw(place.x + name.width() + margin, place.y, badge)

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


def _dashes(shape: Shape) -> Dashes:
    if shape.look is ShapeStyle.PROPOSED:
        return DASHED_DOTTED if shape.occluded else DASHED
    return DOTTED if shape.occluded else SOLID


def _with_alpha(rgba: int, alpha: int) -> int:
    return (rgba & 0xFFFFFF) | alpha << 24
