"""Overlays of the canvas: frame badge, hint, short messages."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from annotator.ui.look.theme import ThemeHub

_MARGIN_PX = 10
_MESSAGE_MS = 5000


class _Plate(QLabel):
    """A rounded plate with text over another widget; the mouse goes through it."""

    def __init__(self, hub: ThemeHub, over: QWidget) -> None:
        super().__init__(over)
        self._hub = hub
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setContentsMargins(9, 5, 9, 5)
        self.setTextFormat(Qt.TextFormat.PlainText)
        over.installEventFilter(self)
        hub.changed.connect(self._dress)
        self._dress()
        self.hide()

    def say(self, text: str) -> None:
        """Show a text; an empty one hides the plate."""
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)
            self._place()
        self.setVisible(bool(text))

    def place_at(self) -> QPoint:
        """Return the place of the plate's top-left corner."""
        return QPoint(_MARGIN_PX, _MARGIN_PX)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plane = QColor(self._hub.theme.color("surface"))
        plane.setAlphaF(0.9)
        painter.setBrush(plane)
        painter.setPen(self._hub.theme.color("border"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 6, 6)
        painter.end()
        super().paintEvent(event)

    @Slot()
    def _dress(self) -> None:
        palette = self.palette()
        palette.setColor(self.foregroundRole(), self._hub.theme.color("text"))
        self.setPalette(palette)

    def _place(self) -> None:
        room = self._over.width() - 2 * _MARGIN_PX
        self.setWordWrap(self.fontMetrics().horizontalAdvance(self.text()) > room)
        self.setMaximumWidth(max(room, 80))
        self.adjustSize()
        self.move(self.place_at())


class FrameBadge(_Plate):
    """What is unusual about the video, and its name in a pair, at the top left of the picture."""


class Hint(_Plate):
    """Next step for the user, in the lower middle of the image."""

    def place_at(self) -> QPoint:
        room = self._over.size() - self.size()
        return QPoint(room.width() // 2, room.height() - 4 * _MARGIN_PX)


class Toast(_Plate):
    """A message that goes by itself and never takes the focus.

    ``top`` returns the height of what is above the picture and stays readable.
    """

    def __init__(self, hub: ThemeHub, over: QWidget, top: Callable[[], int] = int) -> None:
        self._top = top
        super().__init__(hub, over)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_MESSAGE_MS)
        self._timer.timeout.connect(self.hide)

    @Slot(str)
    def show_message(self, text: str) -> None:
        """Show a message for some seconds, longer for a longer one."""
        self.say(text)
        self._place()
        self.raise_()
        self._timer.start(_MESSAGE_MS + 30 * len(text))

    def place_at(self) -> QPoint:
        return QPoint((self._over.width() - self.width()) // 2, self._top() + _MARGIN_PX)
