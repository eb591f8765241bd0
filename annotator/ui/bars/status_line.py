"""The status bar: what is on the screen in words, and what the program is busy with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QLabel, QStatusBar

from annotator.ui.bars.jobs import JobBar, WorkBar
from annotator.ui.look.plain import plain
from annotator.ui.state.desk import Desk

if TYPE_CHECKING:
    from annotator.services.assist.proposing import ProposingStatus


class StatusLine(QObject):
    """Fills a status bar and keeps it up to date."""

    def __init__(self, desk: Desk, bar: QStatusBar) -> None:
        super().__init__(bar)
        self._desk = desk
        self._words = plain(QLabel())
        self.tracking = JobBar(desk.hub, self._stop_tracking, self.tr("Tracking"))
        self.work = WorkBar(desk)
        bar.addWidget(self._words, 1)
        bar.addPermanentWidget(self.tracking)
        bar.addPermanentWidget(self.work)
        desk.stageChanged.connect(self.watch_tracking)
        self.watch_tracking()

    def say(self, text: str) -> None:
        """Say what is on the screen."""
        if text != self._words.text():
            self._words.setText(text)

    @Slot()
    def watch_tracking(self) -> None:
        """Tell of the proposals of the stage that is open."""
        self.tracking.hide()
        stage = self._desk.stage
        if stage is not None and stage.proposing is not None:
            stage.proposing.progressed.add(self._on_tracking_progressed)

    def _on_tracking_progressed(self, status: ProposingStatus) -> None:
        session = self._desk.session
        if not status.is_busy or status.track_id is None or session is None:
            self.tracking.hide()
            return
        track = session.document.find_track(status.track_id)
        name = track.label if track else ""
        text = self.tr("Tracking {name}").format(name=name)
        if status.n_waiting:
            text += self.tr(" ({n} more)").format(n=status.n_waiting)
        self.tracking.show_work(text, status.done_frames / max(1, status.total_frames))

    def _stop_tracking(self) -> None:
        stage = self._desk.stage
        if stage is not None and stage.proposing is not None:
            stage.proposing.cancel()
