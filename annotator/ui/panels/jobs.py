"""Background work in the status bar: what runs, how far it is, and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from annotator.ui.theme import ThemeHub

if TYPE_CHECKING:
    from collections.abc import Callable


class JobBar(QWidget):
    """One line for one piece of work; hidden while there is none."""

    def __init__(self, hub: ThemeHub, cancel: Callable[[], object], name: str) -> None:
        super().__init__()
        self._hub = hub
        self._cancel = cancel
        self._label = QLabel()
        self._bar = QProgressBar()
        self._bar.setMaximumWidth(140)
        self._bar.setTextVisible(False)
        self._bar.setMaximumHeight(12)
        self._bar.setAccessibleName(name)
        self._stop = QToolButton()
        self._stop.setAutoRaise(True)
        self._stop.setToolTip(self.tr("Stop this"))
        self._stop.setAccessibleName(self._stop.toolTip())
        self._stop.clicked.connect(self._on_stop_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 0)
        layout.addWidget(self._label)
        layout.addWidget(self._bar)
        layout.addWidget(self._stop)
        hub.changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_work(self, text: str, fraction: float | None) -> None:
        """Say what runs; without a fraction the bar only moves."""
        self._label.setText(text)
        if fraction is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(1000 * fraction))
        self.show()

    @Slot()
    def _on_stop_clicked(self) -> None:
        self._cancel()

    @Slot()
    def _dress(self) -> None:
        self._stop.setIcon(self._hub.theme.icon("close"))
