"""Measures how much the main thread does at a stretch: in its own processor time, or in calls."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QAbstractEventDispatcher, QEventLoop, QObject, QTimer

FRAME_S: Final = 0.016
"""A frame of 60 a second: what nothing should hold the main thread for longer than."""

_LOOPS: Final = 20_000
_LOOP_S: Final = 0.0011
"""What `_LOOPS` turns take on a quiet core of the machine for which the promise was measured."""


class Watch(QObject):
    """Watches the turns of the event loop: from waking up until it waits again.

    ``meter`` returns what the main thread has done so far, in a unit of its own.
    """

    def __init__(self, meter: Callable[[], float]) -> None:
        super().__init__()
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        dispatcher.awake.connect(self._turn)
        dispatcher.aboutToBlock.connect(self._turn)
        self._meter = meter
        self._at = meter()
        self._longest = 0.0

    def longest(self, act: Callable[[], object], is_done: Callable[[], bool]) -> float:
        """Do something in a turn of its own and watch until it is done and shown."""
        loop = QEventLoop()
        poll = QTimer()
        poll.timeout.connect(lambda: is_done() and QTimer.singleShot(300, loop.quit))
        QTimer.singleShot(0, act)
        QTimer.singleShot(20, lambda: poll.start(50))
        self._at, self._longest = self._meter(), 0.0
        loop.exec()
        poll.stop()
        return self._longest

    def _turn(self) -> None:
        now = self._meter()
        self._longest = max(self._longest, now - self._at)
        self._at = now


class TimeWatch(Watch):
    """Watches in seconds of processor time.

    A machine with other work to do is slower also in processor time (shared caches and cores), and
    machines differ. So a fixed loop is timed before and after each act, and the longest turn is
    divided by how much slower than on the reference machine that ran; never multiplied.
    """

    def __init__(self) -> None:
        super().__init__(time.thread_time)

    def longest(self, act: Callable[[], object], is_done: Callable[[], bool]) -> float:
        before = _slowness()
        found = super().longest(act, is_done)
        return found / max(1.0, before, _slowness())


def _slowness() -> float:
    """Return how many times longer than on the reference machine a fixed loop takes."""
    times = []
    for _ in range(5):
        start = time.thread_time()
        total = 0
        for i in range(_LOOPS):
            total += i & 7
        times.append(time.thread_time() - start)
    return sorted(times)[2] / _LOOP_S
