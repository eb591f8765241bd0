"""The first picture of a window, and the keys that work while there is nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence, QWindow
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from annotator.ui.shell import window_places

if TYPE_CHECKING:
    from annotator.ui.actions.keymap import Keymap
    from annotator.ui.canvas.painting.first_picture import FirstPicture
    from annotator.ui.shell.context import Context

# By how many frames; the picture stops at the first and at the last one.
_TO_THE_END: Final = 1 << 62
_MOVES: Final = {
    "go.frame-back": -1,
    "go.frame-forward": 1,
    "go.first": -_TO_THE_END,
    "go.last": _TO_THE_END,
}


class Opening(QObject):
    """Shows a picture where the canvas will be, until the canvas has one; ``first`` is it.

    Other parts of the window are built behind it, by steps.
    """

    def __init__(self, frame: QMainWindow) -> None:
        super().__init__(frame)
        self._frame = frame
        self.first: FirstPicture | None = None
        self.keys: FirstKeys | None = None

    def show_first(
        self, first: FirstPicture, keymap: Callable[[], Keymap], settled: Callable[[], None]
    ) -> bool:
        """Show a picture; False if the place of the canvas is not known.

        ``settled`` is called when it is painted.
        """
        margins = window_places.canvas_margins()
        if margins is None:
            return False
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(*margins)
        column.addWidget(first)
        self._frame.setCentralWidget(holder)
        self.first, self.keys = first, FirstKeys(first, keymap)
        first.settled.connect(settled)
        return True

    def listen(self, window: QWindow) -> None:
        """Let keys that reach a native window step through the video."""
        if self.keys is not None:
            self.keys.listen(window)

    def prepare(self, canvas: QWidget) -> None:
        """Give the canvas the size it will have, so that it asks for pictures of that size."""
        if self.first is not None:
            canvas.resize(self.first.size())

    def follow(self, context: Context) -> None:
        """Go to the frame that the person reached with the first picture."""
        first, stage = self.first, context.workspace.stage
        if first is None or stage is None or stage.pictures is not first.pictures:
            return
        self._stop_keys()
        if first.has_moved:
            context.playback.seek(first.frame)

    def hand_over(self, context: Context) -> None:
        """Keep the picture on screen until the canvas has its own."""
        first, self.first = self.first, None
        if first is None:
            return
        self._stop_keys()
        if first.picture is not None and context.workspace.stage is not None:
            context.canvas.show_picture(first.picture)

    def _stop_keys(self) -> None:
        if self.keys is not None:
            self.keys.stop()


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
        """Begin listening; event filters installed before get only what this one leaves."""
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
