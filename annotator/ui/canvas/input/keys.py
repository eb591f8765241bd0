"""Keys of the canvas that are not actions of the program: they act on what is going on in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

if TYPE_CHECKING:
    from annotator.ui.canvas.view import CanvasView

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_FAR_PX: Final = 10


def is_ours(view: CanvasView, event: QKeyEvent) -> bool:
    """Tell whether a key must reach the canvas although a shortcut has it."""
    key = event.key()
    if key == Qt.Key.Key_Escape:
        return view.tools.is_busy or view.tools.is_adjusting or view.tools.tool != "select"
    if event.matches(QKeySequence.StandardKey.Undo):
        return view.tools.is_busy
    if view.tools.is_adjusting:
        return key in _ARROWS or _is_enter(event)
    return view.tools.tool != "select" and _is_enter(event)


def press(view: CanvasView, event: QKeyEvent) -> bool:
    """Do what a key means here; False when it means nothing.

    Esc leaves gesture, adjusting or drawing tool. Undo takes the last click back while drawing.
    Enter places a box with a drawing tool, else starts and ends adjusting by arrows.
    """
    key = event.key()
    if key == Qt.Key.Key_Escape:
        return view.tools.cancel()
    if view.tools.is_busy and event.matches(QKeySequence.StandardKey.Undo):
        view.undo_step()
        return True
    if _is_enter(event):
        _enter(view)
        return True
    if view.tools.is_adjusting and key in _ARROWS:
        held = event.modifiers()
        is_shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        is_ctrl = bool(held & Qt.KeyboardModifier.ControlModifier)
        # As outside: Ctrl moves, Ctrl+Shift resizes.
        resize = is_ctrl and is_shift
        far = _FAR_PX if is_shift and not is_ctrl else 1
        dx, dy = _ARROWS[Qt.Key(key)]
        view.tools.nudge(dx * far, dy * far, resize=resize)
        return True
    return False


def press_tab(view: CanvasView, event: QKeyEvent) -> bool:
    """Cycle the objects with Tab while there are any; Ctrl+Tab and an empty picture let go."""
    others = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    if event.modifiers() & others or not view.board.shapes:
        return False
    if event.key() == Qt.Key.Key_Tab:
        view.tools.next_object()
    elif event.key() == Qt.Key.Key_Backtab:
        view.tools.previous_object()
    else:
        return False
    return True


def _is_enter(event: QKeyEvent) -> bool:
    """Tell Enter alone; with another key held it belongs to an action, even to one that rests."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in _ENTER and held == Qt.KeyboardModifier.NoModifier


def _enter(view: CanvasView) -> None:
    if view.tools.is_busy:
        return
    if view.tools.is_adjusting:
        view.tools.cancel()
    elif view.tools.tool != "select":
        view.tools.place_default_box()
    else:
        view.tools.start_adjusting()
