"""Hit testing, moving and resizing of boxes: pure functions."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.model.shapes import Shape

HANDLE_REACH_PX: Final = 8.0
_EDGE_REACH_PX: Final = 4.0
# Boxes smaller than this on the screen wear their handles outside, so that they can be grasped.
_SMALL_PX: Final = 36.0


class Handle(Enum):
    """One of the eight places to resize a box: which edges it moves (-1 first, +1 second)."""

    TOP_LEFT = (-1, -1)
    TOP = (0, -1)
    TOP_RIGHT = (1, -1)
    RIGHT = (1, 0)
    BOTTOM_RIGHT = (1, 1)
    BOTTOM = (0, 1)
    BOTTOM_LEFT = (-1, 1)
    LEFT = (-1, 0)


@dataclass(frozen=True, slots=True)
class Target:
    """A shape under the cursor, and the handle of it if one is hit."""

    shape: Shape
    handle: Handle | None = None

    @property
    def track_id(self) -> TrackId:
        return self.shape.track_id


def handle_places(box: Box) -> dict[Handle, tuple[float, float]]:
    """Return the centers of the handles of a box given in widget pixels."""
    out_x = max(0.0, (_SMALL_PX - box.width) / 2)
    out_y = max(0.0, (_SMALL_PX - box.height) / 2)
    center = box.center
    xs = {-1: box.x1 - out_x, 0: center.x, 1: box.x2 + out_x}
    ys = {-1: box.y1 - out_y, 0: center.y, 1: box.y2 + out_y}
    return {handle: (xs[handle.value[0]], ys[handle.value[1]]) for handle in Handle}


def hit(
    shapes: Sequence[Shape],
    viewport: Viewport,
    x: float,
    y: float,
    *,
    selected: Collection[TrackId] = (),
) -> Target | None:
    """Return the target at the cursor: a handle, else the smallest object, else a ghost.

    Handles exist on selected shapes only. The body of a selected ghost counts, of others only
    their outline, so that they do not cover the picture.
    """
    grasped = _nearest_handle((s for s in shapes if s.track_id in selected), viewport, x, y)
    if grasped is not None:
        return grasped
    point, reach = viewport.to_image(x, y), _EDGE_REACH_PX / viewport.scale
    under = [s for s in shapes if _is_inside(s.box, point, reach)]
    present = [s for s in under if s.is_present]
    if present:
        return Target(min(present, key=lambda s: (s.box.area, s.track_id not in selected)))
    ghosts = [
        s
        for s in under
        if s.track_id in selected or (s.is_fresh and not _is_inside(s.box, point, -reach))
    ]
    if not ghosts:
        return None
    return Target(min(ghosts, key=lambda s: (s.track_id not in selected, s.box.area)))


def _nearest_handle(
    shapes: Iterable[Shape], viewport: Viewport, x: float, y: float
) -> Target | None:
    best: tuple[float, Target] | None = None
    for shape in shapes:
        if shape.locked or not shape.is_present:
            continue
        box = viewport.box_to_widget(shape.box)
        for handle, (hx, hy) in handle_places(box).items():
            distance = math.hypot(hx - x, hy - y)
            if distance <= HANDLE_REACH_PX and (best is None or distance < best[0]):
                best = (distance, Target(shape, handle))
    return best[1] if best else None


def _is_inside(box: Box, point: Point, reach: float) -> bool:
    """Return whether a point lies in a box grown by ``reach`` (shrunk, where that is negative)."""
    return (
        box.x1 - reach <= point.x <= box.x2 + reach and box.y1 - reach <= point.y <= box.y2 + reach
    )


MIN_SIDE_PX = 1.0


def moved(box: Box, dx: float, dy: float, size: tuple[int, int]) -> Box:
    """Return the box shifted, kept inside a picture of ``size`` (width, height)."""
    return box.moved(dx, dy).pushed_inside(*size)


def moved_together(boxes: Sequence[Box], dx: float, dy: float, size: tuple[int, int]) -> list[Box]:
    """Return the boxes shifted by the same, as far as all of them stay in the picture."""
    if len(boxes) == 1:
        return [moved(boxes[0], dx, dy, size)]
    around = Box(
        min(b.x1 for b in boxes),
        min(b.y1 for b in boxes),
        max(b.x2 for b in boxes),
        max(b.y2 for b in boxes),
    )
    kept = moved(around, dx, dy, size)
    return [b.moved(kept.x1 - around.x1, kept.y1 - around.y1) for b in boxes]


def resized(
    box: Box,
    handle: Handle,
    dx: float,
    dy: float,
    size: tuple[int, int],
    *,
    keep_aspect: bool = False,
    from_center: bool = False,
) -> Box:
    """Return the box with the handle's edges shifted by (dx, dy), clipped to the picture.

    Edges stop one pixel before the opposite ones instead of turning the box inside out.
    ``keep_aspect`` keeps width : height, ``from_center`` moves the opposite edges as much.
    """
    sx, sy = handle.value
    gain = 2.0 if from_center else 1.0
    width = max(MIN_SIDE_PX, box.width + gain * sx * dx)
    height = max(MIN_SIDE_PX, box.height + gain * sy * dy)
    if keep_aspect:
        factor = _common_factor(box, handle, width / box.width, height / box.height)
        width, height = box.width * factor, box.height * factor
    x1, x2 = _span(box.x1, box.x2, width, 0 if from_center else sx)
    y1, y2 = _span(box.y1, box.y2, height, 0 if from_center else sy)
    return Box(x1, y1, x2, y2).clipped(*size)


def dragged_box(
    start: Point,
    end: Point,
    size: tuple[int, int],
    *,
    square: bool = False,
    from_center: bool = False,
) -> Box:
    """Return the box dragged open from one point to another, clipped to the picture."""
    dx, dy = end.x - start.x, end.y - start.y
    if square:
        side = max(abs(dx), abs(dy))
        dx, dy = (side if dx >= 0 else -side), (side if dy >= 0 else -side)
    other = Point(start.x + dx, start.y + dy)
    first = Point(start.x - dx, start.y - dy) if from_center else start
    return Box.around(first, other).clipped(*size)


def nudged(
    boxes: Sequence[Box], dx: float, dy: float, size: tuple[int, int], *, resize: bool = False
) -> list[Box]:
    """Return the boxes moved by (dx, dy), or with their right and bottom edges moved by that."""
    if resize:
        return [resized(box, Handle.BOTTOM_RIGHT, dx, dy, size) for box in boxes]
    return moved_together(boxes, dx, dy, size)


def default_box(view: Box, size: tuple[int, int]) -> Box:
    """Return a box of a quarter of the visible part of the picture, in its middle."""
    seen = view.clipped(*size)
    center = seen.center
    half_width = max(MIN_SIDE_PX, seen.width / 8)
    half_height = max(MIN_SIDE_PX, seen.height / 8)
    return Box(
        center.x - half_width, center.y - half_height, center.x + half_width, center.y + half_height
    ).pushed_inside(*size)


def _common_factor(box: Box, handle: Handle, by_width: float, by_height: float) -> float:
    """Return the one scale for both sides: the handle's own side, at corners the larger change."""
    sx, sy = handle.value
    factor = max(by_width, by_height) if sx and sy else by_width if sx else by_height
    return max(factor, MIN_SIDE_PX / min(box.width, box.height))


def _span(low: float, high: float, length: float, side: int) -> tuple[float, float]:
    """Return the edge pair of a new length that keeps the edge opposite to ``side``."""
    if side > 0:
        return low, low + length
    if side < 0:
        return high - length, high
    middle = (low + high) / 2
    return middle - length / 2, middle + length / 2
