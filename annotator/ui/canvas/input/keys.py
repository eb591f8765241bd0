"""Keys of the canvas that are not actions of the program, mouse cursors and tooltips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from annotator.ui.canvas.input.box_geometry import Handle, Target
from annotator.ui.canvas.model.point_marks import Dot, DotLook
from annotator.ui.canvas.model.shapes import Shape, ShapeStyle

if TYPE_CHECKING:
    from annotator.ui.canvas.canvas_view import CanvasView

_RESIZE: Final = {
    Handle.TOP_LEFT: Qt.CursorShape.SizeFDiagCursor,
    Handle.BOTTOM_RIGHT: Qt.CursorShape.SizeFDiagCursor,
    Handle.TOP_RIGHT: Qt.CursorShape.SizeBDiagCursor,
    Handle.BOTTOM_LEFT: Qt.CursorShape.SizeBDiagCursor,
    Handle.TOP: Qt.CursorShape.SizeVerCursor,
    Handle.BOTTOM: Qt.CursorShape.SizeVerCursor,
    Handle.LEFT: Qt.CursorShape.SizeHorCursor,
    Handle.RIGHT: Qt.CursorShape.SizeHorCursor,
}


def over(target: Target | None) -> Qt.CursorShape:
    """Return the cursor for the target of the select tool."""
    if target is None:
        return Qt.CursorShape.ArrowCursor
    if target.handle is not None:
        return _RESIZE[target.handle]
    if target.shape.locked:
        return Qt.CursorShape.ForbiddenCursor
    if target.shape.look is ShapeStyle.PROPOSED:
        return Qt.CursorShape.PointingHandCursor
    return Qt.CursorShape.SizeAllCursor


def over_dot(dot: Dot) -> Qt.CursorShape:
    """Return the cursor for a point that would be grasped."""
    if dot.locked:
        return Qt.CursorShape.ForbiddenCursor
    if dot.look is DotLook.PROPOSED:
        return Qt.CursorShape.PointingHandCursor
    return Qt.CursorShape.SizeAllCursor


def dot_tip(dot: Dot) -> str:
    """Return the tooltip of a point: name, author and mouse gestures."""
    tr = QCoreApplication.translate
    words = {
        DotLook.HUMAN: tr("canvas", "Placed manually"),
        DotLook.ACCEPTED: tr("canvas", "Accepted proposal"),
        DotLook.IMPORTED: tr("canvas", "Imported"),
        DotLook.PROPOSED: tr("canvas", "Proposed, confidence {percent}%"),
        DotLook.OUTDATED: tr("canvas", "Outdated proposal; a new one follows"),
    }
    percent = round(100 * (dot.confidence or 0.0))
    lines = [dot.full_name, words[dot.look].format(percent=percent)]
    if dot.occluded:
        lines.append(tr("canvas", "Occluded; the cross marks an estimate"))
    if dot.locked:
        lines.append(tr("canvas", "Locked"))
    elif dot.look is DotLook.PROPOSED:
        lines.append(tr("canvas", "Click: accept · Drag: correct · Right-click: occluded"))
    else:
        lines.append(tr("canvas", "Drag: move (Shift: finer) · Right-click: occluded"))
    return "\n".join(lines)


def tip(shape: Shape) -> str:
    """Return the tooltip of an object: name, state and mouse gestures."""
    tr = QCoreApplication.translate
    lines = [f"{shape.label} {shape.number}"]
    if shape.look is ShapeStyle.PROPOSED:
        if shape.is_outdated:
            lines.append(tr("canvas", "Outdated proposal; a new one follows"))
        else:
            percent = round(100 * (shape.confidence or 0.0))
            lines.append(tr("canvas", "Proposed, confidence {percent}%").format(percent=percent))
        if not shape.locked:
            lines.append(tr("canvas", "Click: accept · Drag: correct"))
    elif shape.look is ShapeStyle.GHOST:
        lines.append(tr("canvas", "Out of view; last known position"))
        if not shape.locked:
            lines.append(tr("canvas", "Drag: back in view from here"))
    elif shape.look is ShapeStyle.FIXED:
        lines.append(tr("canvas", "Keyframe"))
    else:
        lines.append(tr("canvas", "Interpolated"))
    if shape.occluded:
        lines.append(tr("canvas", "Occluded"))
    if shape.locked:
        lines.append(tr("canvas", "Locked"))
    return "\n".join(lines)


_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_FAR_PX: Final = 10


def is_ours(view: CanvasView, event: QKeyEvent) -> bool:
    """Return whether a key must reach the canvas although a shortcut has it."""
    key = event.key()
    if key == Qt.Key.Key_Escape:
        return view.tools.is_busy or view.tools.is_adjusting or view.tools.tool != "select"
    if event.matches(QKeySequence.StandardKey.Undo):
        return view.tools.is_busy
    if view.tools.is_adjusting:
        return key in _ARROWS or _is_enter(event)
    return view.tools.tool != "select" and _is_enter(event)


def press(view: CanvasView, event: QKeyEvent) -> bool:
    """Handle a key; False if it has no meaning here.

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
        modifiers = event.modifiers()
        is_shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        is_ctrl = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        # As outside: Ctrl moves, Ctrl+Shift resizes.
        resize = is_ctrl and is_shift
        far = _FAR_PX if is_shift and not is_ctrl else 1
        dx, dy = _ARROWS[Qt.Key(key)]
        view.tools.nudge(dx * far, dy * far, resize=resize)
        return True
    return False


def press_tab(view: CanvasView, event: QKeyEvent) -> bool:
    """Cycle objects or points with Tab; Ctrl+Tab, or Tab without any, leaves the canvas."""
    others = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    if event.modifiers() & others or not (view.board.shapes or view.board.dots):
        return False
    if event.key() == Qt.Key.Key_Tab:
        view.tools.next_object()
    elif event.key() == Qt.Key.Key_Backtab:
        view.tools.previous_object()
    else:
        return False
    return True


def _is_enter(event: QKeyEvent) -> bool:
    """Handle Enter alone; with a modifier it belongs to an action."""
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
