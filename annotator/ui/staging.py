"""What a window still has to build once its first picture is painted, in slices between events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot


class Staging(QObject):
    """A queue of named steps; `start` runs one after the other, with room for keys and mouse.

    A step holds the main thread for less than a frame (16 ms). Whoever needs the whole window at
    once calls `finish`; ``completed`` tells when all is there, once.
    """

    completed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: deque[tuple[str, Callable[[], object]]] = deque()
        self._is_complete = False
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_complete(self) -> bool:
        return self._is_complete

    @property
    def names(self) -> list[str]:
        """The steps that are still to come, in their order."""
        return [name for name, _ in self._steps]

    def add(self, name: str, step: Callable[[], object]) -> None:
        """Put a step at the end of the queue."""
        self._steps.append((name, step))

    @Slot()
    def start(self) -> None:
        """Begin, or go on; more than once is no error."""
        if not self._is_complete:
            self._timer.start()

    @Slot()
    def finish(self) -> None:
        """Run all that is left now."""
        while not self._is_complete:
            self._go_on()

    @Slot()
    def _go_on(self) -> None:
        if self._steps:
            self._steps.popleft()[1]()
        if not self._steps and not self._is_complete:
            self._is_complete = True
            self._timer.stop()
            self.completed.emit()
