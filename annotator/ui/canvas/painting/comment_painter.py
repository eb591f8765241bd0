"""Comments on the picture: a sign where each is pinned, with how many words there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from annotator.domain.annotation.comment import Comment, Pin, threads
from annotator.domain.annotation.document import Document
from annotator.domain.ids import CommentId
from annotator.ui.canvas.model.frame_annotations import CanvasBoard
from annotator.ui.canvas.model.shapes import find_shape
from annotator.ui.look.theme import Theme

_SIDE_PX: Final = 18.0
_GAP_PX: Final = 4.0


@dataclass(frozen=True, slots=True)
class CommentMarker:
    """A remark and its answers, at a place in logical pixels of the canvas (the top-left corner).

    ``comment_id`` is that of the remark; ``count`` includes it.
    """

    comment_id: CommentId
    x: float
    y: float
    count: int

    @property
    def rect(self) -> QRectF:
        return QRectF(self.x, self.y, _SIDE_PX, _SIDE_PX)


def signs_on(document: Document, board: CanvasBoard) -> list[CommentMarker]:
    """Return the markers of unresolved comments on the shown frame."""
    frame = board.index
    if frame is None or not document.comments:
        return []
    markers: list[CommentMarker] = []
    left, top = board.viewport.origin
    n_free = 0
    for thread in threads(document.comments):
        pin = thread[0].pin
        if thread[0].is_resolved or not _is_here(pin, frame, document):
            continue
        at = _place(pin, board)
        if at is None:
            at = (max(left, 0.0) + 8 + n_free * (_SIDE_PX + _GAP_PX), max(top, 0.0) + 34)
            n_free += 1
        markers.append(CommentMarker(thread[0].id, *_apart(at, markers), len(thread)))
    return markers


def sign_at(signs: Iterable[CommentMarker], x: float, y: float) -> CommentMarker | None:
    """Return the sign under the cursor (logical pixels)."""
    return next((s for s in signs if s.rect.contains(x, y)), None)


def words_of(document: Document, comment_id: CommentId) -> tuple[Comment, ...]:
    """Return a remark with its answers."""
    return (document.comment(comment_id), *document.replies_to(comment_id))


def paint_signs(painter: QPainter, theme: Theme, signs: Sequence[CommentMarker]) -> None:
    """Draw speech bubbles in logical pixels."""
    if not signs:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = painter.font()
    font.setBold(True)
    font.setPixelSize(11)
    painter.setFont(font)
    for sign in signs:
        rect = sign.rect
        body = QRectF(rect.x(), rect.y(), rect.width(), rect.height() - 4)
        path = QPainterPath()
        path.addRoundedRect(body, 4, 4)
        tail = QPainterPath(QPointF(body.left() + 3, body.bottom() - 1))
        tail.lineTo(body.left() + 4, rect.bottom())
        tail.lineTo(body.left() + 9, body.bottom() - 1)
        tail.closeSubpath()
        path = path.united(tail)
        painter.setPen(QPen(theme.color("surface"), 1.2))
        painter.setBrush(theme.color("warning"))
        painter.drawPath(path)
        painter.setPen(theme.color("surface"))
        painter.drawText(body, Qt.AlignmentFlag.AlignCenter, str(sign.count))
    painter.restore()


def _is_here(pin: Pin, frame: int, document: Document) -> bool:
    if pin.frame is not None:
        return pin.frame == frame
    segment = document.find_segment(pin.segment_id)
    span = pin.span or ((segment.start, segment.end) if segment is not None else None)
    if span is not None:
        return span[0] <= frame < span[1]
    return pin.track_id is not None or pin.point_id is not None


def _place(pin: Pin, board: CanvasBoard) -> tuple[float, float] | None:
    """Return where a pinned object or point is, None if it is not in the picture."""
    dot = next((d for d in board.dots if d.point_id == pin.point_id), None)
    if dot is not None:
        x, y = board.viewport.to_widget(dot.xy)
        return x + 8, y - _SIDE_PX - 6
    shape = find_shape(board.shapes, pin.track_id)
    if shape is None or pin.track_id is None:
        return None
    box = board.viewport.box_to_widget(shape.box)
    # Below, out of the way of the name above and of the handles.
    return box.x2 - _SIDE_PX, box.y2 + 6


def _apart(at: tuple[float, float], others: Sequence[CommentMarker]) -> tuple[float, float]:
    x, y = at
    while any(abs(o.x - x) < _SIDE_PX and abs(o.y - y) < _SIDE_PX for o in others):
        x += _SIDE_PX + _GAP_PX
    return x, y
