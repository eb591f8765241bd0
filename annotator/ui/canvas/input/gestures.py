"""Tools as gestures: each is a generator that is sent pointer events in image pixels.

The code before the first ``yield`` is the press, every ``yield`` returns the next pointer event,
and returning ends the gesture. Until then only the draft changes; the document changes once, at
the end. Closing the generator (Esc) leaves nothing behind, because the driver clears the draft.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from PySide6.QtCore import QCoreApplication

from annotator.domain.geometry import Box, Point
from annotator.domain.recipes.recipe import Tool as Drawn
from annotator.ui.actions.conditions import only_words
from annotator.ui.canvas.input import box_geometry
from annotator.ui.canvas.input.box_geometry import Target
from annotator.ui.canvas.model.frame_annotations import CanvasBoard, Draft
from annotator.ui.canvas.model.point_board import point_to_place, set_point, take_over
from annotator.ui.canvas.model.point_marks import Dot, DotLook, find_dot
from annotator.ui.canvas.model.shapes import Shape, ShapeStyle

DRAG_PX: Final = 4.0


class PointerPhase(Enum):
    """Kind of pointer event. ``BACK`` undoes the last click."""

    PRESS = "press"
    MOVE = "move"
    RELEASE = "release"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Pointer:
    """One event: logical widget pixels, the image point there, and the keys held."""

    step: PointerPhase
    x: float
    y: float
    point: Point
    shift: bool = False
    ctrl: bool = False
    alt: bool = False

    def distance(self, other: Pointer) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


Gesture: TypeAlias = Generator[None, Pointer, None]
Tool: TypeAlias = Callable[[CanvasBoard, Pointer], Gesture]


def inside(board: CanvasBoard, point: Point) -> Point:
    """Return the nearest place in the picture."""
    width, height = board.size
    return Point(min(max(point.x, 0.0), width), min(max(point.y, 0.0), height))


def refused(board: CanvasBoard, name: str, tool: Drawn) -> Gesture:
    """Show the reason for a refusal, then wait for the button release."""
    text = QCoreApplication.translate("canvas", "“{name}” is locked. Unlock it to edit it.")
    session = board.session
    # Read-only annotations of a task cannot be unlocked.
    if session is not None and not session.has_tool(tool):
        board.message.emit(only_words(session.tools))
    else:
        board.message.emit(text.format(name=name))
    yield from released()


def released() -> Gesture:
    """Wait for the button release."""
    event = yield
    while event.step is not PointerPhase.RELEASE:
        event = yield


_FINE: Final = 1 / 8


def place_point(board: CanvasBoard, press: Pointer) -> Gesture:
    """Click to place the selected point, or a new one (Alt: always new); drag a point to move it.

    The place is fixed where the button comes up, so it can still be shifted while it is held.
    """
    under = board.dot_at(press.x, press.y)
    # In a loop a click near the point's mark means: here, and on.
    goes_on = board.is_looping and under == find_dot(board.dots, board.selection.primary_point)
    if under is not None and not press.alt and not goes_on:
        yield from move_dot(board, press, under)
        return
    dot = point_to_place(board, press.point, force_new=press.alt)
    if dot is None:
        text = QCoreApplication.translate("canvas", "Select the object that the point belongs to.")
        board.message.emit(text)
        yield from released()
        return
    if dot.locked:
        yield from refused(board, dot.label, Drawn.POINTS)
        return
    if dot.track_id is not None and board.selection.primary != dot.track_id:
        board.selection.set_tracks([dot.track_id])
    place, last, event = inside(board, press.point), press, press
    while event.step is not PointerPhase.RELEASE:
        board.set_draft(Draft(dot=replace(dot, xy=place), hint=_place_text(place)))
        event = yield
        if event.step is PointerPhase.BACK:
            return
        place, last = _moved(board, place, last, event), event
    set_point(board, replace(dot, xy=place))


def move_dot(board: CanvasBoard, press: Pointer, dot: Dot) -> Gesture:
    """Select a point and drag it; a click on a proposal accepts it."""
    board.selection.set_points(dot.track_id, [dot.point_id])
    event, last, place = press, press, dot.xy
    is_moved = False
    while event.step is not PointerPhase.RELEASE:
        event = yield
        if event.step is PointerPhase.BACK:
            return
        if not is_moved and event.distance(press) < (1.0 if event.shift else DRAG_PX):
            continue
        if dot.locked:
            yield from refused(board, dot.label, Drawn.POINTS)
            return
        is_moved = True
        place, last = _moved(board, place, last, event), event
        board.set_draft(Draft(dot=replace(dot, xy=place), hint=_place_text(place)))
    if is_moved:
        set_point(board, replace(dot, xy=place))
    elif dot.look is DotLook.PROPOSED and not dot.locked:
        take_over(board, dot)


def _moved(board: CanvasBoard, place: Point, last: Pointer, event: Pointer) -> Point:
    gain = _FINE if event.shift else 1.0
    dx, dy = event.point.x - last.point.x, event.point.y - last.point.y
    return inside(board, Point(place.x + gain * dx, place.y + gain * dy))


def _place_text(place: Point) -> str:
    return f"{place.x:.2f}, {place.y:.2f}"


_MIN_DRAWN_PX: Final = 3.0


def select(board: CanvasBoard, press: Pointer) -> Gesture:
    """Select, move and resize; a click on a proposal accepts it; drag on nothing pans."""
    dot = board.dot_at(press.x, press.y)
    target = board.hit_at(press.x, press.y)
    if dot is not None:
        yield from move_dot(board, press, dot)
    elif target is None:
        yield from _pan(board, press, clears=not press.ctrl)
    elif press.ctrl and target.handle is None:
        yield from _toggle(board, target)
    else:
        yield from _move(board, press, target)


def pan(board: CanvasBoard, press: Pointer) -> Gesture:
    """Drag the picture."""
    yield from _pan(board, press, clears=False)


def draw_by_drag(board: CanvasBoard, press: Pointer) -> Gesture:
    """Drag a box open from corner to corner (Shift: square, Ctrl: from the center)."""
    start = inside(board, press.point)
    event = press
    box = None
    while event.step is not PointerPhase.RELEASE:
        event = yield
        if event.step is PointerPhase.BACK:
            return
        if box is None and event.distance(press) < DRAG_PX:
            continue
        box = box_geometry.dragged_box(
            start, event.point, board.size, square=event.shift, from_center=event.ctrl
        )
        board.set_draft(_drawing(board, box, event))
    if box is not None:
        _finish(board, box, event)


def draw_by_corners(board: CanvasBoard, press: Pointer) -> Gesture:
    """Click one corner, then the opposite one."""
    yield from _draw_by_clicks(board, press, 2)


def draw_by_extremes(board: CanvasBoard, press: Pointer) -> Gesture:
    """Click the top, left, bottom and right end of the object, in any order."""
    yield from _draw_by_clicks(board, press, 4)


def draw_by_click(board: CanvasBoard, press: Pointer) -> Gesture:
    """Click an object: a model finds its box."""
    event = press
    while event.step is not PointerPhase.RELEASE:
        event = yield
        if event.step is PointerPhase.BACK:
            return
    if event.distance(press) < DRAG_PX:
        board.clicked.emit(inside(board, press.point), event.alt)


TOOLS: Final[dict[str, Tool]] = {
    "select": select,
    "box": draw_by_drag,
    "box-corners": draw_by_corners,
    "box-extremes": draw_by_extremes,
    "box-click": draw_by_click,
    "point": place_point,
}


def _pan(board: CanvasBoard, press: Pointer, *, clears: bool) -> Gesture:
    last, has_moved = press, False
    while True:
        event = yield
        if event.step is PointerPhase.RELEASE:
            break
        if has_moved or event.distance(press) >= DRAG_PX:
            has_moved = True
            board.set_viewport(board.viewport.panned(event.x - last.x, event.y - last.y))
            last = event
    if clears and not has_moved:
        board.selection.clear()


def _toggle(board: CanvasBoard, target: Target) -> Gesture:
    event = yield
    while event.step is not PointerPhase.RELEASE:
        event = yield
    board.selection.toggle(target.track_id)


def _move(board: CanvasBoard, press: Pointer, target: Target) -> Gesture:
    """Move or resize the selection; a press on another shape selects that one alone."""
    shape = target.shape
    if shape.track_id not in board.selection.tracks:
        board.selection.set_tracks([shape.track_id])
    shapes = board.moved_with(shape)
    event, boxes = press, list[Box]()
    while event.step is not PointerPhase.RELEASE:
        event = yield
        if event.step is PointerPhase.BACK:
            return
        if not boxes and event.distance(press) < DRAG_PX:
            continue
        if shape.locked:
            yield from refused(board, shape.label, Drawn.BOXES)
            return
        boxes = _dragged(board, press, event, target, [s.box for s in shapes])
        other_boxes = tuple((s.track_id, b) for s, b in zip(shapes[1:], boxes[1:], strict=True))
        hint = _drag_hint(shape, boxes[0], len(shapes))
        board.set_draft(Draft(boxes[0], shape.track_id, hint=hint, others=other_boxes))
    if boxes:
        board.place(list(zip(shapes, boxes, strict=True)))
        return
    # A click without a drag means this one.
    board.selection.set_tracks([shape.track_id])
    if shape.look is ShapeStyle.PROPOSED and target.handle is None:
        board.accept(shape)


def _dragged(
    board: CanvasBoard, press: Pointer, event: Pointer, target: Target, boxes: Sequence[Box]
) -> list[Box]:
    """Return the boxes as the mouse has them now: all are shifted, or the same edges of all."""
    dx = event.point.x - press.point.x
    dy = event.point.y - press.point.y
    if target.handle is None:
        if event.shift:
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        return box_geometry.moved_together(boxes, dx, dy, board.size)
    return [
        box_geometry.resized(
            box,
            target.handle,
            dx,
            dy,
            board.size,
            keep_aspect=event.shift,
            from_center=event.alt,
        )
        for box in boxes
    ]


def _draw_by_clicks(board: CanvasBoard, press: Pointer, n_clicks: int) -> Gesture:
    points: list[Point] = []
    event = press
    while True:
        if event.step is PointerPhase.PRESS:
            points.append(inside(board, event.point))
        elif event.step is PointerPhase.BACK:
            points.pop()
            if not points:
                return
        elif event.step is PointerPhase.RELEASE and len(points) == n_clicks:
            break
        cursor = () if len(points) == n_clicks else (inside(board, event.point),)
        box = Box.around(*points, *cursor)
        board.set_draft(_drawing(board, box, event, tuple(points), n_clicks - len(points)))
        event = yield
    _finish(board, Box.around(*points), event)


def _drawing(
    board: CanvasBoard,
    box: Box,
    event: Pointer,
    points: tuple[Point, ...] = (),
    clicks_left: int = 0,
) -> Draft:
    owner = board.owner_of(force_new=event.alt)
    hint = board.drawing_hint(force_new=event.alt)
    if clicks_left > 1:
        left = QCoreApplication.translate("canvas", "{count} more clicks")
        hint = f"{left.format(count=clicks_left)} · {hint}"
    else:
        hint = f"{box.width:.0f} × {box.height:.0f} · {hint}"
    return Draft(box, owner, points, hint)


def _finish(board: CanvasBoard, box: Box, event: Pointer) -> None:
    """Take the drawn box, unless it is too small to be meant."""
    scale = board.viewport.scale
    side = min(box.width, box.height)
    if side < box_geometry.MIN_SIDE_PX or side * scale < _MIN_DRAWN_PX:
        board.message.emit(
            QCoreApplication.translate(
                "canvas", "The box is too small. Zoom in or draw a larger box."
            )
        )
        return
    board.add(box, force_new=event.alt)


def _drag_hint(shape: Shape, box: Box, count: int) -> str:
    size = f"{box.width:.0f} × {box.height:.0f}"
    if count > 1:
        text = QCoreApplication.translate("canvas", "{count} objects")
        return f"{size} · {text.format(count=count)}"
    if shape.look is ShapeStyle.PROPOSED:
        return f"{size} · " + QCoreApplication.translate("canvas", "corrects the proposal")
    if shape.look is ShapeStyle.GHOST:
        return f"{size} · " + QCoreApplication.translate("canvas", "back in view from here")
    return size
