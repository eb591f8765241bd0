"""Hit testing: pure functions on logical pixels of the widget."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId
from annotator.ui.canvas.model.shapes import Shape
from annotator.ui.canvas.model.viewport import Viewport

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
    """Return the centres of the handles of a box given in widget pixels."""
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
    """Return what the cursor points at: a handle, else the smallest object, else a ghost.

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
    """Tell whether a point lies in a box grown by ``reach`` (shrunk, where that is negative)."""
    return (
        box.x1 - reach <= point.x <= box.x2 + reach and box.y1 - reach <= point.y <= box.y2 + reach
    )
