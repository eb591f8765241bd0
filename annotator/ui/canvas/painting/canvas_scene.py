"""Everything on the canvas in painting order: plane, picture, boxes, draft, hints, focus ring."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from annotator.domain.geometry import Point
from annotator.domain.ids import TrackId
from annotator.ui.canvas.model.frame_annotations import CanvasBoard, Draft
from annotator.ui.canvas.model.layers import Layers
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.model.point_board import placing_hint
from annotator.ui.canvas.painting.box_painter import Emphasis, OverlayPainter, draw_hint
from annotator.ui.canvas.painting.name_labels import ChipPictures
from annotator.ui.canvas.painting.point_painter import (
    DotEmphasis,
    DotPainter,
    Trail,
    draw_crosshair,
)
from annotator.ui.canvas.painting.shown_picture import ShownPicture
from annotator.ui.look.theme import Theme
from annotator.ui.look.widgets import draw_focus_corners

_RADIUS_PX: Final = 66.0
_AWAY_PX: Final = 26.0
_RIM_PX: Final = 4.0
_TIMES: Final = 6.0
# Logical pixels per image pixel in the lens, at least and at most.
_LEAST, _MOST = 4.0, 48.0


def draw_lens(
    painter: QPainter, shown_picture: ShownPicture, viewport: Viewport, theme: Theme, at: Point
) -> None:
    """Draw the surroundings of an image point, magnified, beside it (logical pixels)."""
    scale = min(max(viewport.scale * _TIMES, _LEAST), _MOST)
    center = _beside(viewport, at)
    round_room = QRectF(
        center.x() - _RADIUS_PX, center.y() - _RADIUS_PX, 2 * _RADIUS_PX, 2 * _RADIUS_PX
    )
    edge = QPainterPath()
    edge.addEllipse(round_room)
    reach = _RADIUS_PX / scale
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipPath(edge)
    painter.fillRect(round_room, theme.color("canvas"))
    shown_picture.paint_part(
        painter, round_room, QRectF(at.x - reach, at.y - reach, 2 * reach, 2 * reach)
    )
    painter.setClipping(False)
    draw_crosshair(painter, center, _RADIUS_PX - 8)
    painter.setPen(QPen(QColor(0, 0, 0, 200), 3.0))
    painter.drawPoint(center)
    painter.setPen(QPen(QColor("#ffffff"), 1.4))
    painter.drawPoint(center)
    rim = _rim(painter.device().devicePixelRatio())
    painter.drawImage(round_room.topLeft() - QPointF(_RIM_PX, _RIM_PX), rim)
    painter.restore()


@lru_cache(maxsize=4)
def _rim(ratio: float) -> QImage:
    """Return the rim of the lens: drawing it takes longer than all that is in it."""
    side = math.ceil(2 * (_RADIUS_PX + _RIM_PX) * ratio)
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = QPointF(_RADIUS_PX + _RIM_PX, _RADIUS_PX + _RIM_PX)
    for color, width in ((QColor(0, 0, 0, 150), 5.0), (QColor("#f4f5f7"), 2.0)):
        painter.setPen(QPen(color, width))
        painter.drawEllipse(middle, _RADIUS_PX, _RADIUS_PX)
    painter.end()
    return image


def _beside(viewport: Viewport, at: Point) -> QPointF:
    """Return the middle of the lens: up and right of the place, else where there is room.

    Down and right stand the words at the cursor.
    """
    x, y = viewport.to_widget(at)
    away = _RADIUS_PX + _AWAY_PX
    has_room_above = y - away - _RADIUS_PX >= 0
    has_room_right = x + away + _RADIUS_PX <= viewport.width
    is_left = not (has_room_above and has_room_right) and x - away - _RADIUS_PX >= 0
    top = max(y - away, _RADIUS_PX + 4)
    return QPointF(x - away if is_left else x + away, top)


# Beyond every edge: the hint is pushed back to the border it lies behind.
_FAR = 1e6


@dataclass(frozen=True, slots=True)
class CanvasScene:
    """Everything to paint; ``cursor`` is None while the mouse is elsewhere."""

    board: CanvasBoard
    shown: ShownPicture | None
    theme: Theme
    chips: ChipPictures
    cursor: QPointF | None = None
    tool: str = "select"
    is_adjusting: bool = False
    has_focus: bool = False
    is_naming: bool = False
    trails: Sequence[Trail] = ()
    layers: Layers | None = None

    @property
    def is_drawing(self) -> bool:
        """True while a box is drawn, or would be."""
        return self.tool not in ("select", "point")

    @property
    def has_hint(self) -> bool:
        """True while a text at the cursor describes the mouse gesture."""
        is_asked = self.board.draft is not None or self.tool != "select"
        return is_asked and self.board.can_edit and not self.is_naming

    @property
    def aimed_at(self) -> Point | None:
        """The image point under the lens: one that is being placed, or about to be."""
        board = self.board
        if board.draft is not None:
            return board.draft.dot.xy if board.draft.dot is not None else None
        at = self.cursor
        if self.tool != "point" or at is None or self.is_naming or not board.can_edit:
            return None
        return board.viewport.to_image(at.x(), at.y())


def paint_scene(painter: QPainter, scene: CanvasScene, room: QRectF) -> None:
    """Paint the canvas into ``room`` (logical pixels, at the origin)."""
    theme, viewport = scene.theme, scene.board.viewport
    painter.fillRect(room, theme.color("canvas"))
    if scene.shown is not None:
        painter.save()
        painter.scale(1 / viewport.ratio, 1 / viewport.ratio)
        scene.shown.paint(painter, viewport)
        if scene.layers is not None:
            scene.layers.paint_under(painter, theme)
            scene.layers.paint_beside(painter, theme, scene.chips)
            if (part := scene.layers.part_of_now()) is not None:
                painter.setClipRect(part)
        _paint_overlay(OverlayPainter(painter, viewport, theme, scene.chips), scene)
        _paint_dots(DotPainter(painter, viewport, theme, scene.chips), scene)
        painter.restore()
        if scene.layers is not None:
            scene.layers.paint_over(painter, theme, room)
        aimed_at = scene.aimed_at
        if aimed_at is not None:
            draw_lens(painter, scene.shown, viewport, theme, aimed_at)
    else:
        painter.setPen(theme.color("text_dim"))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _empty_text(scene.board))
    _paint_hints(painter, scene, room)
    if scene.has_focus:
        draw_focus_corners(painter, room, theme.color("focus"))


def _paint_overlay(overlay: OverlayPainter, scene: CanvasScene) -> None:
    board, draft = scene.board, scene.board.draft
    shapes = board.shapes
    if draft is not None and draft.track_ids:
        shapes = [s for s in shapes if s.track_id not in draft.track_ids]
    overlay.draw(
        shapes,
        Emphasis(
            board.selection.tracks,
            board.hovered,
            has_focus=scene.has_focus,
            has_handles=board.has_handles and draft is None and not scene.is_drawing,
            related=_playing_a_role(board),
        ),
    )
    if scene.is_drawing and scene.cursor is not None:
        owner = board.shape_of(board.owner_of(force_new=False))
        color = owner.color if owner is not None else board.next_color
        overlay.draw_crosshair(scene.cursor.x(), scene.cursor.y(), color)
    if draft is not None:
        for track_id, box in draft.others:
            overlay.draw_draft(Draft(box, track_id), board.shape_of(track_id), board.next_color)
        overlay.draw_draft(draft, board.shape_of(draft.track_id), board.next_color)


def _playing_a_role(board: CanvasBoard) -> frozenset[TrackId]:
    """Return the tracks that play a role in the selected segment."""
    session, chosen = board.session, board.selection.segment
    segment = session.document.find_segment(chosen) if session is not None else None
    return frozenset(segment.objects) if segment else frozenset()


def _paint_dots(painter: DotPainter, scene: CanvasScene) -> None:
    board, dots = scene.board, scene.board.dots
    moved = board.draft.dot if board.draft is not None else None
    if moved is not None:
        dots = [*(d for d in dots if d.point_id != moved.point_id), moved]
    selection = board.selection
    chosen = selection.points if moved is None else (*selection.points, moved.point_id)
    emphasis = DotEmphasis(chosen, board.hovered_dot, selection.tracks, scene.has_focus)
    painter.draw(dots, scene.trails, emphasis)


def _paint_hints(painter: QPainter, scene: CanvasScene, room: QRectF) -> None:
    tr = QCoreApplication.translate
    board, theme, at = scene.board, scene.theme, scene.cursor
    if scene.shown is not None and not scene.shown.picture.is_exact:
        text = tr("canvas", "Showing frame {shown} instead of {wanted}").format(
            shown=scene.shown.index, wanted=scene.shown.picture.requested
        )
        draw_hint(painter, theme, text, _FAR, 0, room)
    if scene.is_adjusting:
        text = tr("canvas", "Arrows: move · Shift: by 10 · Ctrl: resize · Enter: done")
        if board.selection.primary_point is not None:
            text = tr("canvas", "Arrows: move · Shift: by 10 · Ctrl: by 0.1 · Enter: done")
        width = painter.fontMetrics().horizontalAdvance(text)
        draw_hint(painter, theme, text, (room.width() - width) / 2, _FAR, room)
    elif at is not None and scene.has_hint:
        if board.draft is not None:
            text = board.draft.hint
        elif scene.tool == "point":
            text = placing_hint(board, board.viewport.to_image(at.x(), at.y()))
        else:
            text = board.drawing_hint(force_new=False)
        if text:
            draw_hint(painter, theme, text, at.x() + 16, at.y() + 18, room)


def _empty_text(board: CanvasBoard) -> str:
    if board.session is None:
        return QCoreApplication.translate("canvas", "No video is open")
    if not board.viewport.has_image:
        return QCoreApplication.translate("canvas", "This file has audio but no video.")
    return ""
