"""Runs one gesture at a time: feeds it pointer events and cleans up when it ends."""

from __future__ import annotations

from annotator.ui.canvas.input.pointer import Gesture, Pointer, Step, Tool
from annotator.ui.canvas.model.board import Board


class GestureDriver:
    """Holds the running gesture of a board, if there is one.

    However a gesture ends (finished, cancelled or by an error), the draft is gone afterwards.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._gesture: Gesture | None = None
        self.is_pressed = False

    @property
    def is_active(self) -> bool:
        return self._gesture is not None

    def start(self, tool: Tool, press: Pointer) -> None:
        """Begin a gesture; one that is still running is cancelled."""
        self.cancel()
        self.is_pressed = True
        self._gesture = tool(self._board, press)
        self._advance(None)

    def send(self, event: Pointer) -> None:
        """Tell the running gesture what happened next."""
        if event.step is Step.PRESS:
            self.is_pressed = True
        elif event.step is Step.RELEASE:
            self.is_pressed = False
        self._advance(event)

    def cancel(self) -> bool:
        """Drop the running gesture; False when there was none."""
        if self._gesture is None:
            return False
        self._gesture.close()
        self._end()
        return True

    def _advance(self, event: Pointer | None) -> None:
        if self._gesture is None:
            return
        is_over = True
        try:
            if event is None:
                next(self._gesture)
            else:
                self._gesture.send(event)
            is_over = False
        except StopIteration:
            pass
        finally:
            if is_over:
                self._end()

    def _end(self) -> None:
        self._gesture = None
        self.is_pressed = False
        if self._board.draft is not None:
            self._board.set_draft(None)
