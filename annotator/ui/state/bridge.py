"""The one place where callbacks of services become Qt signals on the main thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot


class Bridge(QObject):
    """Signals in the past participle, each with one frozen payload.

    Services call plain callables; the composition root registers the ``emit`` of these signals
    with them. Everything but ``post`` and ``pictureReady`` is sent on the main thread.
    """

    changed = Signal(object)  # ChangeSet
    runsChanged = Signal(object)  # RunsChanged
    pointRunsChanged = Signal(object)  # RunsChanged
    playerMoved = Signal(object)  # PlayerState
    jobChanged = Signal(object)  # JobStatus
    noticed = Signal(object)  # Notice
    workChanged = Signal(object)  # WorkChanged
    peopleChanged = Signal()
    pictureReady = Signal()  # sent by the decode thread; connect with a queued connection

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_held = False
        self._waiting: list[Callable[[], object]] = []
        self._posted.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def post(self, call: Callable[[], object]) -> None:
        """Run ``call`` on the main thread soon; callable from every thread."""
        self._posted.emit(call)

    @property
    def is_held(self) -> bool:
        return self._is_held

    def hold(self) -> None:
        """Keep what is posted until `release`; on the main thread."""
        self._is_held = True

    def release(self) -> None:
        """Run what was kept, soon and in its order."""
        self._is_held = False
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            self.post(call)

    @Slot(object)
    def _run(self, call: Callable[[], object]) -> None:
        if self._is_held:
            self._waiting.append(call)
        else:
            call()
