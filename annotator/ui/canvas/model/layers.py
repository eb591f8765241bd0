"""Layers over the annotation: an earlier submission, the divider, comments, a box as an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen

from annotator.domain.answer import FrameBox
from annotator.domain.geometry import Box
from annotator.ui.canvas.input import box_geometry
from annotator.ui.canvas.input.gestures import DRAG_PX, Gesture, Pointer, PointerPhase, Tool, inside
from annotator.ui.canvas.model.earlier_annotations import Before
from annotator.ui.canvas.model.frame_annotations import CanvasBoard, Draft
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.painting.box_painter import Emphasis, OverlayPainter
from annotator.ui.canvas.painting.comment_painter import (
    CommentMarker,
    paint_signs,
    sign_at,
    signs_on,
)
from annotator.ui.canvas.painting.earlier_painter import BeforePainter, paint_names
from annotator.ui.canvas.painting.point_painter import DotEmphasis, DotPainter
from annotator.ui.look.theme import Theme

if TYPE_CHECKING:
    from annotator.ui.canvas.painting.name_labels import ChipPictures
    from annotator.ui.look.theme import Theme


def drawing_for(taker: Callable[[Box], object]) -> Tool:
    """Return a tool that drags a box from corner to corner and passes it to ``taker``."""

    def draw(board: CanvasBoard, press: Pointer) -> Gesture:
        start, box, event = inside(board, press.point), None, press
        while event.step is not PointerPhase.RELEASE:
            event = yield
            if event.step is PointerPhase.BACK:
                return
            if box is None and event.distance(press) < DRAG_PX:
                continue
            box = box_geometry.dragged_box(
                start, event.point, board.size, square=event.shift, from_center=event.ctrl
            )
            board.set_draft(Draft(box))
        if box is not None and min(box.width, box.height) >= box_geometry.MIN_SIDE_PX:
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


class Layers(QObject):
    """State and painting of these layers; ``changed`` asks the canvas to paint anew."""

    changed = Signal()

    def __init__(self, board: CanvasBoard) -> None:
        super().__init__(board)
        self._board = board
        self._before: Before | None = None
        self._share: float | None = None
        self._answers: dict[QObject, FrameBox] = {}

    @property
    def before(self) -> Before | None:
        """The earlier state that is shown."""
        return self._before

    @property
    def share(self) -> float | None:
        """Position of the divider, as a share of the width; None without one."""
        return self._share

    def show_before(self, before: Before | None, share: float | None = None) -> None:
        """Show an earlier state below the present one, or with ``share`` left of a divider."""
        self._before, self._share = before, share
        self.changed.emit()

    def set_answer(self, field: QObject, answer: FrameBox | None) -> None:
        """Show the box that was given as an answer in a field beside those of others, or none."""
        if answer == self._answers.get(field):
            return
        if answer is None:
            del self._answers[field]
        else:
            self._answers[field] = answer
        self.changed.emit()

    def signs(self) -> list[CommentMarker]:
        """Return the signs of comments on the frame on screen."""
        session = self._board.session
        return signs_on(session.document, self._board) if session is not None else []

    def sign_at(self, x: float, y: float) -> CommentMarker | None:
        """Return the sign under the cursor (logical pixels)."""
        return sign_at(self.signs(), x, y)

    def paint_under(self, painter: QPainter, theme: Theme) -> None:
        """Paint differing earlier annotations below the present ones; in device pixels."""
        board = self._board
        if self._before is not None and self._share is None and board.index is not None:
            moment = self._before.at(board.index).beside(board.shapes, board.dots)
            BeforePainter(painter, board.viewport, theme).draw(moment)

    def part_of_now(self) -> QRectF | None:
        """Return where the present state is painted, in device pixels; None for everywhere."""
        if self._before is None or self._share is None:
            return None
        view = self._board.viewport
        width, height = view.width * view.ratio, view.height * view.ratio
        left = round(self._share * width)
        return QRectF(left, 0, width - left, height)

    def is_past(self, x: float) -> bool:
        """Return whether a place (logical pixels) is on the side of the earlier state."""
        is_split = self._before is not None and self._share is not None
        return is_split and x < (self._share or 0.0) * self._board.viewport.width

    def paint_beside(self, painter: QPainter, theme: Theme, chips: ChipPictures) -> None:
        """Paint the earlier state left of the divider; in device pixels."""
        board, now = self._board, self.part_of_now()
        if now is None or self._before is None or board.index is None:
            return
        painter.save()
        painter.setClipRect(QRectF(0, 0, now.left(), now.height()))
        paint_state(painter, board.viewport, theme, chips, self._before, board)
        painter.restore()

    def paint_over(self, painter: QPainter, theme: Theme, room: QRectF) -> None:
        """Paint names at the divider, and comments; in logical pixels."""
        for answer in self._answers.values():
            paint_answer(painter, theme, self._board, answer)
        paint_signs(painter, theme, self.signs())
        if self._before is not None and self._share is not None:
            now = QCoreApplication.translate("canvas", "Current")
            paint_names(painter, theme, room, self._share * room.width(), self._before.name, now)


def paint_state(
    painter: QPainter,
    viewport: Viewport,
    theme: Theme,
    chips: ChipPictures,
    before: Before,
    board: CanvasBoard,
) -> None:
    """Paint a whole earlier state as the present one is painted, in device pixels."""
    if board.index is None:
        return
    moment, selection = before.at(board.index), board.selection
    OverlayPainter(painter, viewport, theme, chips).draw(
        # Nothing can be grasped there: no handles.
        moment.shapes,
        Emphasis(selection.tracks, has_handles=False),
    )
    emphasis = DotEmphasis(selection.points, None, selection.tracks)
    DotPainter(painter, viewport, theme, chips).draw(moment.dots, (), emphasis)
