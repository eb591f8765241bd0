"""Banners above the picture for conditions that last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain

if TYPE_CHECKING:
    from annotator.services.notices import Level, Notice

_ICONS = {"info": "info", "warning": "warning", "error": "error"}
_TEXT_TOKENS = {"info": "text", "warning": "warning", "error": "error"}
_PLANE_TOKENS = {"info": "raised", "warning": "warning_surface", "error": "error_surface"}


class Banners(QWidget):
    """A stack of closable notices without duplicates.

    What has been closed does not come back before ``clear``, unless it is an error.
    """

    def __init__(self, hub: ThemeHub, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hub = hub
        self._banners: dict[str, _Banner] = {}
        self._closed: set[str] = set()
        self._of_video: set[str] = set()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(1)
        self.setVisible(False)

    def texts(self) -> list[str]:
        """Return the texts of the banners."""
        return list(self._banners)

    def clear(self) -> None:
        self._closed.clear()
        for text in self.texts():
            self.remove(text)

    def leave_video(self) -> None:
        """Remove the notices about the video that was open."""
        for text in self._of_video:
            self._closed.discard(text)
            self.remove(text)
        self._of_video.clear()

    def add(
        self,
        level: Level,
        text: str,
        *,
        action: QToolButton | None = None,
        is_of_video: bool = False,
    ) -> None:
        """Show a notice, with a button beside it where there is something to do.

        One that ``is_of_video`` stays until another video is open.
        """
        if is_of_video:
            self._of_video.add(text)
        if text in self._banners or (text in self._closed and level != "error"):
            return
        banner = _Banner(self._hub, level, text, action)
        banner.closed.connect(self._on_banner_closed)
        self._banners[text] = banner
        self._layout.addWidget(banner)
        self.setVisible(True)

    @Slot(object)
    def add_notice(self, notice: Notice) -> None:
        text = f"{notice.text} {notice.hint}" if notice.hint else notice.text
        self.add(notice.level, text)

    def remove(self, text: str) -> None:
        banner = self._banners.pop(text, None)
        if banner is not None:
            self._layout.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
        self.setVisible(bool(self._banners))

    @Slot(str)
    def _on_banner_closed(self, text: str) -> None:
        self._closed.add(text)
        self.remove(text)


class _Banner(QFrame):
    closed = Signal(str)

    def __init__(self, hub: ThemeHub, level: Level, text: str, action: QToolButton | None) -> None:
        super().__init__()
        self._hub = hub
        self._level = level
        self._said = text
        self._sign = plain(QLabel())
        self._label = plain(QLabel(text))
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = QToolButton()
        close.setAutoRaise(True)
        close.setToolTip(self.tr("Close this message"))
        close.setAccessibleName(close.toolTip())
        close.clicked.connect(self._on_close_clicked)
        self._close = close
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 4, 6, 4)
        layout.addWidget(self._sign)
        layout.addWidget(self._label, 1)
        if action is not None:
            layout.addWidget(action)
        layout.addWidget(close)
        self.setAutoFillBackground(True)
        hub.changed.connect(self._dress)
        self._dress()

    @Slot()
    def _dress(self) -> None:
        theme = self._hub.theme
        token = _TEXT_TOKENS[self._level]
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color(_PLANE_TOKENS[self._level]))
        palette.setColor(QPalette.ColorRole.WindowText, theme.color("text"))
        self.setPalette(palette)
        self._sign.setPixmap(theme.icon(_ICONS[self._level], token=token).pixmap(20, 20))
        self._close.setIcon(theme.icon("close"))

    @Slot()
    def _on_close_clicked(self) -> None:
        self.closed.emit(self._said)
