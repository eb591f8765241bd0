"""A strip above the canvas that tells how the open task stands: a sign, words, perhaps buttons."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from annotator.ui.look.plain import plain
from annotator.ui.state.desk import Desk


class Strip(QFrame):
    """Hidden until there is something to say; ``refresh`` is called when that may be another."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._sign = plain(QLabel())
        self.label = plain(QLabel())
        self.label.setWordWrap(True)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(10, 4, 6, 4)
        self._layout.addWidget(self._sign)
        self._layout.addWidget(self.label, 1)
        self.setAutoFillBackground(True)
        self.hide()
        for signal in (
            desk.stageChanged,
            desk.personChanged,
            desk.bridge.workChanged,
            desk.hub.changed,
        ):
            signal.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Say how things stand, or hide: for each kind of strip to do."""

    def _add(self, button: QToolButton) -> None:
        self._layout.addWidget(button)

    def _look(self, surface: str, icon: str, token: str) -> None:
        """Take colours and sign from the theme."""
        theme = self._desk.hub.theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color(surface))
        self.setPalette(palette)
        self._sign.setPixmap(theme.icon(icon, token=token).pixmap(20, 20))
