"""Pictures that show an object of focus: cut out round its box, or whole with the box drawn in."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.domain.geometry import Box

MARGIN: Final = 1.25
"""The side of a cut-out, in longer sides of the box."""

RED: Final = (255, 0, 0)
LINE_PX: Final = 2


def cut_out(rgb: NDArray[np.uint8], box: Box, margin: float = MARGIN) -> NDArray[np.uint8]:
    """Return a square round the centre of a box, ``margin`` x its longer side wide.

    ``rgb`` is uint8 (height, width, 3). What lies beyond the picture is black, so that the object
    stays in the middle.
    """
    height, width = rgb.shape[:2]
    side = max(1, round(margin * max(box.width, box.height)))
    left = math.floor(box.center.x - side / 2 + 0.5)
    top = math.floor(box.center.y - side / 2 + 0.5)
    made = np.zeros((side, side, 3), np.uint8)
    x1, y1 = max(0, left), max(0, top)
    x2, y2 = min(width, left + side), min(height, top + side)
    if x1 < x2 and y1 < y2:
        made[y1 - top : y2 - top, x1 - left : x2 - left] = rgb[y1:y2, x1:x2]
    return made


def outlined(
    rgb: NDArray[np.uint8],
    box: Box,
    colour: tuple[int, int, int] = RED,
    line_px: int = LINE_PX,
) -> NDArray[np.uint8]:
    """Return the picture with a box drawn in; the line lies inside the box and the picture."""
    height, width = rgb.shape[:2]
    x1, y1 = min(max(0, round(box.x1)), width), min(max(0, round(box.y1)), height)
    x2, y2 = min(max(0, round(box.x2)), width), min(max(0, round(box.y2)), height)
    made = rgb.copy()
    made[y1:y2, x1:x2] = colour
    inner = slice(y1 + line_px, max(y1, y2 - line_px)), slice(x1 + line_px, max(x1, x2 - line_px))
    made[inner] = rgb[inner]
    return made
