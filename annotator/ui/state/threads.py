"""Callbacks of services as Qt signals on the main thread, and garbage collected only there.

Python looks for unreachable cycles in whichever thread happens to allocate. A widget in such a
cycle would be destroyed by the thread that writes to disk or decodes, which Qt does not survive.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import ClassVar, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance, Slot


def send(signal: SignalInstance, *payload: object) -> None:
    """Emit a signal from another thread; do nothing once its sender is deleted.

    When the display is lost, Qt ends the program and a decoder may still be at work.
    """
    with suppress(RuntimeError):
        signal.emit(*payload)


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
    pictureReady = Signal()  # by `send` on the decode thread; connect with a queued connection

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_held = False
        self._waiting: list[Callable[[], object]] = []
        self._posted.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def post(self, call: Callable[[], object]) -> None:
        """Run ``call`` on the main thread soon; callable from every thread."""
        send(self._posted, call)

    @property
    def is_held(self) -> bool:
        return self._is_held

    def hold(self) -> None:
        """Keep posted calls until `release`; on the main thread."""
        self._is_held = True

    def release(self) -> None:
        """Run the kept calls soon, in order."""
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


_LOOK_MS: Final = 250
# Searching so many takes half a frame; one looks often, so that there are not many more.
_NEW_OBJECTS: Final = 8_000
_YOUNG_PER_FULL: Final = 125
# So many at once are what was read or worked out, and searching them takes longer than a frame.
_DATA_OBJECTS: Final = 50_000


class GarbageOnMain(QObject):
    """Takes over from Python's own collector for as long as the application lives.

    Looks four times a second; young objects are collected when enough of them have come, all of
    them now and then.
    """

    _is_put_off: ClassVar[bool] = False

    def __init__(self, application: QObject) -> None:
        super().__init__(application)
        self._young = 0
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._timer.start()

    @classmethod
    @contextmanager
    def put_off(cls) -> Iterator[None]:
        """Run no garbage collection while many objects are created, and exclude them afterwards.

        Searching a hundred thousand new keyframes takes longer than a frame, and they are freed by
        reference counts. Young objects are collected before, while they are few, so that no garbage
        is kept with them.
        """
        if gc.get_count()[0] < _NEW_OBJECTS:
            gc.collect(1)
        cls._is_put_off = True
        try:
            yield
        finally:
            cls._is_put_off = False
            gc.freeze()

    @Slot()
    def _on_timer_timeout(self) -> None:
        new = gc.get_count()[0]
        if self._is_put_off or new < _NEW_OBJECTS:
            return
        if new > _DATA_OBJECTS:
            gc.freeze()
            return
        self._young += 1
        if self._young % _YOUNG_PER_FULL:
            gc.collect(1)
        else:
            gc.collect()
