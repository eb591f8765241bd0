"""A box that is an answer: drawn for whoever asks, and shown on its frame."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from annotator.domain.answers import FrameBox
from annotator.domain.geometry import Box
from annotator.ui.canvas.input import edit
from annotator.ui.canvas.input.pointer import DRAG_PX, Gesture, Pointer, PointerPhase, Tool, inside
from annotator.ui.canvas.model.board import CanvasBoard, Draft
from annotator.ui.look.theme import Theme


def drawing_for(taker: Callable[[Box], object]) -> Tool:
    """Return a tool: a box is dragged open from corner to corner, and handed to ``taker``."""

    def draw(board: CanvasBoard, press: Pointer) -> Gesture:
        start, box, event = inside(board, press.point), None, press
        while event.step is not PointerPhase.RELEASE:
            event = yield
            if event.step is PointerPhase.BACK:
                return
            if box is None and event.distance(press) < DRAG_PX:
                continue
            box = edit.drawn(
                start, event.point, board.size, square=event.shift, from_center=event.ctrl
            )
            board.set_draft(Draft(box))
        if box is not None and min(box.width, box.height) >= edit.MIN_SIDE_PX:
            taker(box)

    return draw


def paint_answer(painter: QPainter, theme: Theme, board: CanvasBoard, answer: FrameBox) -> None:
    """Draw the box of an answer, in logical pixels, while its frame is on the screen."""
    if board.index != answer.frame:
        return
    box = board.viewport.box_to_widget(answer.box)
    rect = QRectF(box.x1, box.y1, box.width, box.height)
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for token, width in (("surface", 4.0), ("accent", 2.0)):
        painter.setPen(QPen(theme.color(token), width))
        painter.drawRect(rect)
    painter.restore()
