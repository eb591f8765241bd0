"""Page with a heading, a sentence and actions, shown while there is nothing to annotate."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from annotator.ui.look.plain import plain
from annotator.ui.look.theme import ThemeHub

_TEXT_WIDTH_PX = 360


class EmptyPage(QWidget):
    """A sign, a heading, a sentence and a few actions."""

    def __init__(
        self, hub: ThemeHub, icon: str, heading: str, text: str, actions: Sequence[QAction]
    ) -> None:
        super().__init__()
        self._hub = hub
        self._icon = icon
        self._sign = plain(QLabel())
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.heading = plain(QLabel(heading))
        font = self.heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        self.heading.setFont(font)
        self.heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = plain(QLabel())
        # Names of files are shown as they are written, also when they look like markup.
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setFixedWidth(_TEXT_WIDTH_PX)
        self.say(text)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setMinimumHeight(34)
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch(2)
        layout.addWidget(self._sign)
        layout.addWidget(self.heading)
        layout.addWidget(self.text, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addLayout(buttons)
        self._column = layout
        layout.addStretch(3)
        hub.changed.connect(self._dress)
        self._dress()

    def say(self, text: str) -> None:
        """Show another text below the heading."""
        self.text.setText(text)
        # A layout asks a wrapped text for its height before it knows the width.
        self.text.setMinimumHeight(max(0, self.text.heightForWidth(_TEXT_WIDTH_PX)))

    def add_below(self, widget: QWidget) -> None:
        """Put something below the buttons."""
        at = self._column.count() - 1
        self._column.insertWidget(at, widget, 0, Qt.AlignmentFlag.AlignHCenter)

    @Slot()
    def _dress(self) -> None:
        icon = self._hub.theme.icon(self._icon, token="text_dim", size=64)
        self._sign.setPixmap(icon.pixmap(64, 64))
