"""The divider of the swipe compare: a line over the picture that the mouse drags."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from annotator.ui.look.theme import ThemeHub

_WIDTH_PX: Final = 24
_GRIP_PX: Final = 11.0
_STEP: Final = 0.02


class Divider(QWidget):
    """Stands at a share of the width of its parent, 0..1; ``moved`` tells when that is another."""

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
        """Where it stands, as a share of the width."""
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
        centre = grip.center()
        for side in (-1, 1):
            tip = [QPointF(side * 7.5, 0), QPointF(side * 3, -4), QPointF(side * 3, 4)]
            painter.drawPolygon(QPolygonF([centre + corner for corner in tip]))
        painter.end()

    def _fit(self) -> None:
        parent = self._over
        left = round(self._share * parent.width() - _WIDTH_PX / 2)
        left = min(max(left, -_WIDTH_PX // 2), parent.width() - _WIDTH_PX // 2)
        self.setGeometry(left, 0, _WIDTH_PX, parent.height())
        parent.update()
