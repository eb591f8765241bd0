"""Painting of the lane of comments: a sign on its frame, a bar over its span, dim once resolved."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from annotator.domain.annotation.comment import Comment
from annotator.ui.timeline.model.rows import COMMENT_LANE_PX, CommentLane
from annotator.ui.timeline.painting.scene import Scene

_REACH_PX: Final = 5.5


class CommentPainter:
    """Draws the comments in sight with a painter in logical pixels of the widget."""

    def __init__(self, painter: QPainter, scene: Scene) -> None:
        self._painter = painter
        self._scene = scene
        self._theme = scene.theme

    def draw(self, lane: CommentLane, top: int) -> None:
        """Draw the lane with its name; what waits for an answer lies over what is resolved."""
        painter, layout = self._painter, self._scene.layout
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        visible = max(top, layout.header)
        room = QRect(0, visible, layout.width - layout.bar, top + COMMENT_LANE_PX - visible)
        painter.setClipRect(room)
        self._draw_name(top)
        painter.setClipRect(room.adjusted(layout.gutter, 0, 0, 0))
        for thread in sorted(lane.threads, key=lambda t: not t[0].is_resolved):
            self._draw_comment(thread[0], top)
        painter.restore()

    def _draw_name(self, top: int) -> None:
        painter, theme = self._painter, self._theme
        painter.setPen(theme.color("text_dim"))
        middle = top + (COMMENT_LANE_PX - 1) / 2
        self._draw_sign(15, middle, theme.color("text_dim"))
        room = QRectF(28, top, self._scene.layout.gutter - 36, COMMENT_LANE_PX - 1)
        text = QCoreApplication.translate("timeline", "Comments")
        painter.setPen(theme.color("text_dim"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _draw_comment(self, comment: Comment, top: int) -> None:
        scene, axis = self._scene, self._scene.axis
        color = QColor(self._theme.color("text_disabled" if comment.is_resolved else "warning"))
        left, middle = scene.layout.axis_left, top + (COMMENT_LANE_PX - 1) / 2
        if comment.pin.span is not None:
            start, end = comment.pin.span
            x1, x2 = left + axis.left_of(start), left + axis.left_of(min(end, axis.n_frames))
            bar = QColor(color)
            bar.setAlpha(90)
            self._painter.fillRect(QRectF(x1, middle + 3.5, max(2.0, x2 - x1), 3), bar)
        frame = comment.pin.first_frame
        if frame is not None:
            at = left + axis.middle_of(min(frame, axis.n_frames - 1))
            self._draw_sign(at, middle, color, is_hollow=comment.is_resolved)

    def _draw_sign(self, x: float, y: float, ink: QColor, *, is_hollow: bool = False) -> None:
        painter = self._painter
        painter.setPen(QPen(ink, 1.3))
        painter.setBrush(Qt.BrushStyle.NoBrush if is_hollow else ink)
        corners = [
            QPointF(x, y - _REACH_PX),
            QPointF(x + _REACH_PX, y + _REACH_PX - 1),
            QPointF(x - _REACH_PX, y + _REACH_PX - 1),
        ]
        painter.drawPolygon(QPolygonF(corners))
