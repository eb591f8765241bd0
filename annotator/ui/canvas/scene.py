"""Everything on the canvas in painting order: plane, picture, boxes, draft, hints, focus ring."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from annotator.ui.canvas.board import Board
from annotator.ui.canvas.chips import ChipPictures
from annotator.ui.canvas.paint import Emphasis, OverlayPainter, draw_hint
from annotator.ui.canvas.picture import ShownPicture
from annotator.ui.theme import Theme

# Beyond every edge: the hint is pushed back to the border it lies behind.
_FAR = 1e6


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be painted; ``cursor`` is None while the mouse is elsewhere."""

    board: Board
    shown: ShownPicture | None
    theme: Theme
    chips: ChipPictures
    cursor: QPointF | None = None
    is_drawing: bool = False
    is_adjusting: bool = False
    has_focus: bool = False


def paint_scene(painter: QPainter, scene: Scene, room: QRectF) -> None:
    """Paint the canvas into ``room`` (logical pixels, at the origin)."""
    theme, viewport = scene.theme, scene.board.viewport
    painter.fillRect(room, theme.color("canvas"))
    if scene.shown is not None:
        painter.save()
        painter.scale(1 / viewport.ratio, 1 / viewport.ratio)
        scene.shown.paint(painter, viewport)
        _paint_overlay(OverlayPainter(painter, viewport, theme, scene.chips), scene)
        painter.restore()
    else:
        painter.setPen(theme.color("text_dim"))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _empty_text(scene.board))
    _paint_hints(painter, scene, room)
    if scene.has_focus:
        painter.setPen(QPen(theme.color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(room.adjusted(1, 1, -1, -1))


def _paint_overlay(overlay: OverlayPainter, scene: Scene) -> None:
    board, draft = scene.board, scene.board.draft
    shapes = board.shapes
    if draft is not None and draft.track_id is not None:
        shapes = [s for s in shapes if s.track_id != draft.track_id]
    overlay.draw(
        shapes,
        Emphasis(
            board.selection.tracks,
            board.hovered,
            has_focus=scene.has_focus,
            is_drawing=draft is not None or scene.is_drawing,
        ),
    )
    if scene.is_drawing and scene.cursor is not None:
        overlay.draw_crosshair(scene.cursor.x(), scene.cursor.y())
    if draft is not None:
        overlay.draw_draft(draft, board.shape_of(draft.track_id), board.next_color)


def _paint_hints(painter: QPainter, scene: Scene, room: QRectF) -> None:
    tr = QCoreApplication.translate
    board, theme, at = scene.board, scene.theme, scene.cursor
    if scene.shown is not None and not scene.shown.picture.is_exact:
        text = tr("canvas", "Frame {shown} in place of {wanted}").format(
            shown=scene.shown.index, wanted=scene.shown.picture.requested
        )
        draw_hint(painter, theme, text, _FAR, 0, room)
    if scene.is_adjusting:
        text = tr("canvas", "Arrows: move · Shift: by 10 · Ctrl: resize · Enter: done")
        width = painter.fontMetrics().horizontalAdvance(text)
        draw_hint(painter, theme, text, (room.width() - width) / 2, _FAR, room)
    elif at is not None and board.can_edit and (board.draft is not None or scene.is_drawing):
        text = board.draft.hint if board.draft else board.drawing_hint(None, force_new=False)
        if text:
            draw_hint(painter, theme, text, at.x() + 16, at.y() + 18, room)


def _empty_text(board: Board) -> str:
    if board.session is None:
        return QCoreApplication.translate("canvas", "No video is open")
    if not board.viewport.has_image:
        return QCoreApplication.translate("canvas", "This file has sound but no picture.")
    return ""
