"""Background work in the status bar: what runs, how far it is, and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from annotator.ui.look.plain import plain
from annotator.ui.look.theme import ThemeHub

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotator.services.background.jobs import JobStatus
    from annotator.ui.state.desk import Desk


_SHOW_EVERY_MS: Final = 100  # setting a progress bar's value paints it at once


class JobBar(QWidget):
    """One line for one piece of work; hidden while there is none."""

    def __init__(self, hub: ThemeHub, cancel: Callable[[], object], name: str) -> None:
        super().__init__()
        self._hub = hub
        self._cancel = cancel
        self._label = plain(QLabel())
        self._bar = QProgressBar()
        self._bar.setMaximumWidth(140)
        self._bar.setTextVisible(False)
        self._bar.setMaximumHeight(12)
        self._bar.setAccessibleName(name)
        self._stop = QToolButton()
        self._stop.setAutoRaise(True)
        self._stop.setToolTip(self.tr("Stop this job"))
        self._stop.setAccessibleName(self._stop.toolTip())
        self._stop.clicked.connect(self._on_stop_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 0)
        layout.addWidget(self._label)
        layout.addWidget(self._bar)
        layout.addWidget(self._stop)
        self._newest: tuple[str, float | None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOW_EVERY_MS)
        self._timer.timeout.connect(self._show_newest)
        hub.changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_work(self, text: str, fraction: float | None) -> None:
        """Say what runs, at most ten times a second; without a fraction the bar only moves."""
        self._newest = (text, fraction)
        if not self._timer.isActive():
            self._show_newest()
        self.show()

    @Slot()
    def _show_newest(self) -> None:
        if self._newest is None:
            return
        text, fraction = self._newest
        self._newest = None
        self._timer.start()
        self._label.setText(text)
        if fraction is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(1000 * fraction))

    @Slot()
    def _on_stop_clicked(self) -> None:
        self._cancel()

    @Slot()
    def _dress(self) -> None:
        self._stop.setIcon(self._hub.theme.icon("close"))


class WorkBar(JobBar):
    """Progress of the background jobs of all windows, with a way to stop them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.hub, desk.cancel_jobs, "")
        self._desk = desk
        self._bar.setAccessibleName(self.tr("Background jobs"))
        desk.bridge.jobChanged.connect(self._on_job_changed)
        desk.aside.lasting.connect(self._on_lasting)

    @Slot(bool)
    def _on_lasting(self, is_lasting: bool) -> None:
        if is_lasting:
            self.show_work(self.tr("Working…"), None)
        else:
            self._show_jobs()

    @Slot(object)
    def _on_job_changed(self, _status: JobStatus) -> None:
        self._show_jobs()

    def _show_jobs(self) -> None:
        active = [job for job in self._desk.jobs.active if not job.is_quiet]
        if not active:
            self.hide()
            return
        first = active[0]
        more = f" (+{len(active) - 1})" if len(active) > 1 else ""
        detail = f": {first.text}" if first.text else ""
        self.show_work(f"{first.title}{detail}{more}", first.fraction)
