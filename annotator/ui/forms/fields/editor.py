"""Protocol of the editors of form fields, and groups of options at which Tab stops once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from annotator.domain.answer import Value
from annotator.domain.forms.field import Field, Option
from annotator.ui.look.theme import ThemeHub

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
        """Move the Tab stop to the selected option, else to the first."""
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


class FieldEditor(QWidget):
    """Editor of the answer to one field; it stores no answer itself.

    ``answered`` carries the new value, None to clear the answer. After a refused value `show_value`
    restores the stored one. ``left`` asks for the next field: +1 with Enter, -1 with Shift+Enter.
    """

    answered = Signal(object)  # Value or None
    left = Signal(int)
    wanted = Signal()  # a key was pressed that only a field of this kind has a use for

    def __init__(self, hub: ThemeHub, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hub = hub
        self.field = field
        self.setAccessibleName(field.title)

    def show_value(self, value: Value | None) -> None:
        """Show the present answer without sending a signal."""

    def press_digit(self, digit: int) -> bool:
        """Answer by the option of that number, counted from 1; False where there is none."""
        del digit
        return False

    def set_initial_text(self, text: str) -> None:
        """Set an initial text that becomes the answer on continuing."""

    def accept(self) -> None:
        """Use the initial text as the answer."""

    def commit(self) -> None:
        """Send unfinished typing as the answer."""

    @property
    def is_taken(self) -> bool:
        """Whether the typed text has become the answer."""
        return True

    @property
    def wants_typing(self) -> bool:
        """Whether the keys belong to a field of it as soon as it is its turn."""
        return False

    def take_focus(self) -> None:
        """Take the keys, where that is of use."""


def digit_of(index: int) -> str:
    """Return the key of the option at a place, counted from 0; empty beyond the twentieth."""
    digit = str((index + 1) % 10)
    return digit if index < 10 else f"Alt+{digit}" if index < 20 else ""


def ordered(options: Sequence[Option], order: Sequence[str]) -> list[Option]:
    """Return the options in the order of their keys; those it does not name follow."""
    known = {option.key: option for option in options}
    first = [known[key] for key in order if key in known]
    return [*first, *(option for option in options if option.key not in order)]
