"""Construction of the window in steps after its first image, between events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QWindow

# What the rest of a window must not miss. A key asks for shortcuts before it is pressed.
_INPUT: Final = frozenset(
    (
        QEvent.Type.ShortcutOverride,
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TabletPress,
        QEvent.Type.DragEnter,
    )
)


class Staging(QObject):
    """A queue of named steps; input is handled between them.

    Most steps hold the main thread for less than a frame (16 ms); a step may add others. `finish`
    runs all steps at once; keys and the mouse need those that `guard` names. ``completed`` is sent
    once, at the end.
    """

    completed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: deque[tuple[str, Callable[[], object]]] = deque()
        self._needed = ""
        self._is_complete = False
        self._is_in_step = False
        self._guarded: QWindow | None = None
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
        """Start or continue; repeated calls are no error."""
        if not self._is_complete:
            self._timer.start()

    @Slot()
    def finish(self) -> None:
        """Run all remaining steps now; not from within a step."""
        self.run_until(lambda: self._is_complete)

    def run_until(self, is_enough: Callable[[], bool]) -> None:
        """Run steps now until there are enough; nothing from within a step."""
        while not self._is_complete and not self._is_in_step and not is_enough():
            self._go_on()

    def guard(self, window: QWindow, needed: str) -> None:
        """Run the step ``needed`` and all before it as soon as there is input.

        A key, wheel or press of the mouse that gets to a window of the system is delivered after
        that, to whatever stands at its place by then: nothing is lost.
        """
        if not self._is_complete and self._guarded is None:
            self._guarded, self._needed = window, needed
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self.run_until(lambda: self._guarded is None)
        return super().eventFilter(watched, event)

    @Slot()
    def _go_on(self) -> None:
        if self._is_in_step:
            # A step that asks something has an event loop of its own.
            return
        if self._steps:
            self._is_in_step = True
            name, step = self._steps.popleft()
            try:
                step()
            finally:
                self._is_in_step = False
            if name == self._needed:
                self._unguard()
        if not self._steps and not self._is_complete:
            self._is_complete = True
            self._timer.stop()
            self._unguard()
            self.completed.emit()

    def _unguard(self) -> None:
        if self._guarded is not None:
            self._guarded.removeEventFilter(self)
            self._guarded = None
