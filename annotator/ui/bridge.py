"""The one place where callbacks of services become Qt signals on the main thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot


class Bridge(QObject):
    """Signals in the past participle, each with one frozen payload.

    Services call plain callables; the composition root registers the ``emit`` of these signals
    with them. Everything but ``post`` and ``pictureReady`` is sent on the main thread.
    """

    changed = Signal(object)  # ChangeSet
    runsChanged = Signal(object)  # RunsChanged
    pointRunsChanged = Signal(object)  # PointRunsChanged
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
        self._due: deque[Callable[[], object]] = deque()
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._take_turn)
        self._posted.connect(self._add, Qt.ConnectionType.QueuedConnection)

    def post(self, call: Callable[[], object]) -> None:
        """Run ``call`` on the main thread soon; callable from every thread.

        Each call has a turn of the event loop of its own: work that goes on by posting the rest of
        itself lets keys, mouse and painting in between. (Queued signals do not: Qt delivers all
        there are, and those sent meanwhile, before it looks at anything else.)
        """
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
    def _add(self, call: Callable[[], object]) -> None:
        self._due.append(call)
        self._turns.start(0)

    @Slot()
    def _take_turn(self) -> None:
        call = self._due.popleft()
        if not self._due:
            self._turns.stop()
        if self._is_held:
            self._waiting.append(call)
        else:
            call()
