"""Background reads for the lead dashboard; only the latest result is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from annotator.services.background.jobs import Job, JobToken
from annotator.services.project.projects import OpenProject
from annotator.ui.state.workspace import Workspace

T = TypeVar("T")

_SOON_MS: Final = 250


class Latest(QObject):
    """Reads in the background; only the result of the last request is delivered.

    Nothing is delivered once the parent is deleted, such as a dialog that was closed meanwhile.
    """

    def __init__(self, workspace: Workspace, title: str, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._title = title
        # Each question has an answer of its own kind.
        self._job: Job[Any] | None = None

    def ask(self, work: Callable[[JobToken], T], done: Callable[[T], object]) -> None:
        """Run ``work`` in a job and call ``done`` with its result."""
        self.forget()
        self._job = self._workspace.jobs.submit(
            self._title,
            work,
            partial(self._deliver, done),
            failed=self._workspace.failed.emit,
            is_quiet=True,
        )

    def forget(self) -> None:
        """Do not wait for an answer any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _deliver(self, done: Callable[[T], object], result: T) -> None:
        if isValid(self):
            done(result)


class Page(QWidget):
    """A page that follows the work: read again soon after a change, while it is in sight."""

    def __init__(self, workspace: Workspace, project: OpenProject, title: str) -> None:
        super().__init__()
        self.title = title
        self._workspace = workspace
        self._project = project
        self._latest = Latest(workspace, title, self)
        self._is_stale = True
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._on_time)
        workspace.bridge.workChanged.connect(self.read_soon)
        workspace.bridge.peopleChanged.connect(self.read_soon)

    @Slot()
    @Slot(object)
    def read_soon(self, _news: object = None) -> None:
        """Read again once for many changes; a page out of sight waits until it is shown."""
        self._is_stale = True
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def read_now(self) -> None:
        """Read what the page shows."""
        self._soon.stop()
        self._is_stale = False
        self._read()

    def leave(self) -> None:
        """Read no more: the project is about to be closed."""
        self._soon.stop()
        self._latest.forget()
        self._workspace.bridge.workChanged.disconnect(self.read_soon)
        self._workspace.bridge.peopleChanged.disconnect(self.read_soon)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.read_now()

    @Slot()
    def _on_time(self) -> None:
        if self.isVisible():
            self.read_now()

    # For those who add to this

    def _read(self) -> None:
        """Request the data to show."""
