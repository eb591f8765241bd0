"""Mouse cursors and tooltips of the canvas."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, Qt

from annotator.ui.canvas.input.hit import Handle, Target
from annotator.ui.canvas.model.dots import Dot, DotLook
from annotator.ui.canvas.model.shapes import Shape, ShapeStyle

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
    """Return the cursor for what the select tool would grasp."""
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
    """Return the tooltip of a point: its name, who placed it and what the mouse does to it."""
    tr = QCoreApplication.translate
    words = {
        DotLook.HUMAN: tr("canvas", "Placed manually"),
        DotLook.ACCEPTED: tr("canvas", "Accepted proposal"),
        DotLook.IMPORTED: tr("canvas", "Imported"),
        DotLook.PROPOSED: tr("canvas", "Proposed, confidence {percent} %"),
    }
    percent = round(100 * (dot.confidence or 0.0))
    lines = [f"{dot.label} {dot.number}", words[dot.look].format(percent=percent)]
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
    """Return the tooltip: the name, what state it is in and what the mouse does to it."""
    tr = QCoreApplication.translate
    lines = [f"{shape.label} {shape.number}"]
    if shape.look is ShapeStyle.PROPOSED:
        if shape.is_outdated:
            lines.append(tr("canvas", "Outdated proposal; a new one follows"))
        else:
            percent = round(100 * (shape.confidence or 0.0))
            lines.append(tr("canvas", "Proposed, confidence {percent} %").format(percent=percent))
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
