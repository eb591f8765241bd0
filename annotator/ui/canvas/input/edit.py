"""Geometry of moving and resizing boxes: pure functions on image pixels."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.geometry import Box, Point
from annotator.ui.canvas.input.hit import Handle

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


def drawn(
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
