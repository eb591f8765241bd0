"""Lets Tab stop once at a group of options: the arrows lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton

# Left and right step through the frames, here as everywhere.
_STEPS: Final[dict[int, int]] = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class OneStop(QObject):
    """Watches over the options of a field; ``owner`` keeps it."""

    def __init__(self, owner: QObject, buttons: Sequence[QAbstractButton]) -> None:
        super().__init__(owner)
        self._buttons: list[QAbstractButton] = []
        for button in buttons:
            self.add(button)

    def add(self, button: QAbstractButton) -> None:
        """Watch over one more, which comes last."""
        self._buttons.append(button)
        button.installEventFilter(self)
        self.settle()

    def settle(self) -> None:
        """Let Tab stop at what is picked, else at the first, unless somebody is here already."""
        if self._buttons and not any(button.hasFocus() for button in self._buttons):
            self._stop_at(self.best)

    @property
    def best(self) -> QAbstractButton | None:
        """The option that is picked, else the first."""
        picked = (button for button in self._buttons if button.isChecked())
        return next(picked, next(iter(self._buttons), None))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self._stop_at(watched)
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = _STEPS.get(event.key(), 0)
            if step and isinstance(watched, QAbstractButton):
                at = self._buttons.index(watched) + step
                if 0 <= at < len(self._buttons):
                    self._buttons[at].setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return super().eventFilter(watched, event)

    def _stop_at(self, stop: QObject | None) -> None:
        policy = Qt.FocusPolicy
        for button in self._buttons:
            button.setFocusPolicy(policy.TabFocus if button is stop else policy.NoFocus)
