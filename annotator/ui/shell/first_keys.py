"""The keys that work while there is nothing but the first picture: those that go to another one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence, QWindow

if TYPE_CHECKING:
    from annotator.ui.actions.keymap import Keymap
    from annotator.ui.canvas.painting.first_picture import FirstPicture

# By how many frames; the picture stops at the first and at the last one.
_TO_THE_END: Final = 1 << 62
_MOVES: Final = {
    "go.frame-back": -1,
    "go.frame-forward": 1,
    "go.first": -_TO_THE_END,
    "go.last": _TO_THE_END,
}


class FirstKeys(QObject):
    """Takes the keys of a window of the system that move the first picture, and leaves all others.

    ``keymap`` is called when the first key comes.
    """

    def __init__(self, first: FirstPicture, keymap: Callable[[], Keymap]) -> None:
        super().__init__(first)
        self._first = first
        self._keymap = keymap
        self._window: QWindow | None = None

    def listen(self, window: QWindow) -> None:
        """Begin; whoever listened before hears only of what is left."""
        self.stop()
        self._window = window
        window.installEventFilter(self)

    def stop(self) -> None:
        if self._window is not None:
            self._window.removeEventFilter(self)
            self._window = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() != QEvent.Type.KeyRelease:
            move = self._moves.get(_name(event))
            if move is not None:
                if event.type() == QEvent.Type.KeyPress:
                    self._first.go(self._first.frame + move)
                # Accepted, the question whether it is a shortcut is answered: it is a key.
                event.accept()
                return True
        return super().eventFilter(watched, event)

    @cached_property
    def _moves(self) -> dict[str, int]:
        from annotator.ui.actions.keymap import normal

        keymap = self._keymap()
        return {normal(key): by for action, by in _MOVES.items() for key in keymap.keys(action)}


def _name(event: QKeyEvent) -> str:
    return QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
