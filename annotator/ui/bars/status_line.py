"""The status bar: state of the picture in words, and progress of background work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotator.services.assist.proposal_updates import ProposingStatus
    from annotator.services.background.jobs import JobStatus
    from annotator.ui.state.workspace import Workspace

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
        """Show running work, at most ten times a second; without a fraction the bar only moves."""
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

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.hub, workspace.cancel_jobs, "")
        self._workspace = workspace
        self._bar.setAccessibleName(self.tr("Background jobs"))
        workspace.bridge.jobChanged.connect(self._on_job_changed)
        workspace.background.lasting.connect(self._on_lasting)

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
        active = [job for job in self._workspace.jobs.active if not job.is_quiet]
        if not active:
            self.hide()
            return
        first = active[0]
        more = f" (+{len(active) - 1})" if len(active) > 1 else ""
        detail = f": {first.text}" if first.text else ""
        self.show_work(f"{first.title}{detail}{more}", first.fraction)


class StatusLine(QObject):
    """Fills a status bar and keeps it up to date."""

    def __init__(self, workspace: Workspace, bar: QStatusBar) -> None:
        super().__init__(bar)
        self._workspace = workspace
        self._words = plain(QLabel())
        self.tracking = JobBar(workspace.hub, self._stop_tracking, self.tr("Tracking"))
        self.work = WorkBar(workspace)
        bar.addWidget(self._words, 1)
        bar.addPermanentWidget(self.tracking)
        bar.addPermanentWidget(self.work)
        workspace.stageChanged.connect(self.watch_tracking)
        self.watch_tracking()

    def say(self, text: str) -> None:
        """Show a description of the screen."""
        if text != self._words.text():
            self._words.setText(text)

    @Slot()
    def watch_tracking(self) -> None:
        """Show the progress of proposals of the open task."""
        self.tracking.hide()
        stage = self._workspace.stage
        if stage is not None and stage.proposing is not None:
            stage.proposing.progressed.add(self._on_tracking_progressed)

    def _on_tracking_progressed(self, status: ProposingStatus) -> None:
        session = self._workspace.session
        if not status.is_busy or session is None:
            self.tracking.hide()
            return
        track = session.document.find_track(status.track_id) if status.track_id else None
        text = self.tr("Tracking points")
        if track is not None:
            text = self.tr("Tracking {name}").format(name=track.label)
        if status.n_waiting:
            text += self.tr(" ({n} more)").format(n=status.n_waiting)
        self.tracking.show_work(text, tracked_share(status))

    def _stop_tracking(self) -> None:
        stage = self._workspace.stage
        if stage is not None and stage.proposing is not None:
            stage.proposing.cancel()


def tracked_share(status: ProposingStatus) -> float | None:
    """Return the share of a gap that has proposals, 0..1; None while better ones replace them."""
    if status.done_frames >= status.total_frames:
        return None
    return status.done_frames / status.total_frames
