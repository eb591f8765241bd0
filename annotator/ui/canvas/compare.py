"""Comparing with an earlier state: a second view beside the canvas, or a line between the two."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.canvas.model.earlier_annotations import Before
from annotator.ui.canvas.model.layers import paint_state
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.painting.box_painter import draw_hint
from annotator.ui.canvas.painting.name_labels import ChipPictures
from annotator.ui.look.theme import ThemeHub


class SideView(QWidget):
    """Shows the picture of a canvas with the boxes of another state; zoom and place follow."""

    def __init__(self, theme: ThemeHub, canvas: CanvasView) -> None:
        super().__init__()
        self._hub = theme
        self._canvas = canvas
        self._before: Before | None = None
        self._viewport = Viewport()
        self._chips = self._new_chips()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(self.tr("Video canvas, earlier submission"))
        canvas.picturePainted.connect(self.update)
        canvas.zooming.zoomChanged.connect(self.update)
        canvas.board.changed.connect(self.update)
        canvas.board.selection.changed.connect(self.update)
        theme.changed.connect(self._on_theme_changed)

    def show_state(self, before: Before | None) -> None:
        """Show another state, or none."""
        self._before = before
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 540)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._chips = self._new_chips()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme, room = QPainter(self), self._hub.theme, QRectF(self.rect())
        painter.fillRect(room, theme.color("canvas"))
        shown, before = self._canvas.shown_picture, self._before
        if shown is not None:
            viewport = self._placed()
            painter.save()
            painter.scale(1 / viewport.ratio, 1 / viewport.ratio)
            shown.paint(painter, viewport)
            if before is not None:
                paint_state(painter, viewport, theme, self._chips, before, self._canvas.board)
            painter.restore()
        if before is not None:
            draw_hint(painter, theme, before.name, 8, room.bottom(), room)
        painter.end()

    def _placed(self) -> Viewport:
        """Return the view of the canvas in this room: fitted like it, or at its zoom and center."""
        main = self._canvas.board.viewport
        mine = Viewport().with_widget(self.width(), self.height(), self.devicePixelRatioF())
        mine = mine.with_image(main.image_width, main.image_height)
        if main.is_fit:
            return mine.fitted()
        return mine.looking_at(main.zoom, main.center_x, main.center_y)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._chips = self._new_chips()
        self.update()

    def _new_chips(self) -> ChipPictures:
        return ChipPictures(self._hub.theme, self.font(), self.devicePixelRatioF())


_WIDTH_PX: Final = 24
_GRIP_PX: Final = 11.0
_STEP: Final = 0.02


class Divider(QWidget):
    """Movable divider at a share 0..1 of its parent's width; ``moved`` sends changes."""

    moved = Signal(float)

    def __init__(self, theme: ThemeHub, parent: QWidget) -> None:
        super().__init__(parent)
        self._hub = theme
        self._over = parent
        self._share = 0.5
        self._grasped: float | None = None
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Comparison divider"))
        self.setToolTip(self.tr("Drag to compare: earlier submission left, current state right"))
        parent.installEventFilter(self)
        theme.changed.connect(self.update)
        self.hide()

    @property
    def share(self) -> float:
        """Position as a share of the width."""
        return self._share

    def place(self, share: float) -> None:
        """Put it somewhere else."""
        self._share = min(1.0, max(0.0, share))
        self._fit()
        self.moved.emit(self._share)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grasped = event.position().x() - self.width() / 2
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grasped is not None:
            at = self.mapToParent(event.position().toPoint()).x() - self._grasped
            self.place(at / max(1, self._over.width()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grasped = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -_STEP, Qt.Key.Key_Right: _STEP}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.place(self._share + step)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # Held, it moves itself; elsewhere these keys step through the video.
            is_ours = event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            if is_ours and event.modifiers() == Qt.KeyboardModifier.NoModifier:
                event.accept()
                return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._hub.theme
        middle = self.width() / 2
        painter.setPen(QPen(QColor(0, 0, 0, 150), 4))
        painter.drawLine(QPointF(middle, 0), QPointF(middle, self.height()))
        line = theme.color("focus") if self.hasFocus() else QColor("#ffffff")
        painter.setPen(QPen(line, 2))
        painter.drawLine(QPointF(middle, 0), QPointF(middle, self.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        grip = QRectF(0, 0, 2 * _GRIP_PX, 2 * _GRIP_PX)
        grip.moveCenter(QPointF(middle, self.height() / 2))
        painter.setPen(QPen(theme.color("border_strong"), 1))
        painter.setBrush(theme.color("surface"))
        painter.drawEllipse(grip)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text"))
        center = grip.center()
        for side in (-1, 1):
            tip = [QPointF(side * 7.5, 0), QPointF(side * 3, -4), QPointF(side * 3, 4)]
            painter.drawPolygon(QPolygonF([center + corner for corner in tip]))
        painter.end()

    def _fit(self) -> None:
        parent = self._over
        left = round(self._share * parent.width() - _WIDTH_PX / 2)
        left = min(max(left, -_WIDTH_PX // 2), parent.width() - _WIDTH_PX // 2)
        self.setGeometry(left, 0, _WIDTH_PX, parent.height())
        parent.update()
