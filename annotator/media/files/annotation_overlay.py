"""Boxes, points and captions drawn into pictures, for videos that show annotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_COLORS: Final = (
    *((230, 159, 0), (86, 180, 233), (0, 158, 115), (240, 228, 66)),
    *((0, 114, 178), (213, 94, 0), (204, 121, 167), (255, 255, 255)),
)
"""Colors of Okabe and Ito, which color-blind people can distinguish."""

_DASH_PX: Final = 6
_BLACK: Final = (0, 0, 0)


class DrawnShape(NamedTuple):
    """A box (x1, y1, x2, y2) or a point (x, y) in pixels; hidden ones are dashed or hollow."""

    place: tuple[float, ...]
    color: int
    caption: str
    is_hidden: bool = False


def draw(image: NDArray[np.uint8], marks: Iterable[DrawnShape], head: str = "") -> None:
    """Draw marks into a picture (uint8 RGB [height, width, 3]), and a line of text at its top."""
    import cv2

    scale = max(0.4, image.shape[0] / 1000)
    width = max(1, round(image.shape[0] / 360))
    for mark in marks:
        color = _COLORS[mark.color % len(_COLORS)]
        if len(mark.place) == 2:
            center = (round(mark.place[0]), round(mark.place[1]))
            cv2.circle(image, center, 3 * width + 1, _BLACK, -1 if not mark.is_hidden else width)
            cv2.circle(image, center, 3 * width, color, -1 if not mark.is_hidden else width)
            _write(image, mark.caption, (center[0] + 5 * width, center[1]), color, scale)
            continue
        x1, y1, x2, y2 = (round(side) for side in mark.place)
        if mark.is_hidden:
            _dashed(image, (x1, y1, x2, y2), color, width)
        else:
            cv2.rectangle(image, (x1, y1), (x2, y2), _BLACK, width + 2)
            cv2.rectangle(image, (x1, y1), (x2, y2), color, width)
        _write(image, mark.caption, (x1, max(y1 - 4, round(24 * scale))), color, scale)
    if head:
        _write(image, head, (8, round(30 * scale)), _COLORS[-1], scale)


def _dashed(
    image: NDArray[np.uint8], box: tuple[int, int, int, int], color: tuple[int, ...], width: int
) -> None:
    import cv2

    x1, y1, x2, y2 = box
    step = _DASH_PX * width
    for x in range(x1, x2, 2 * step):
        for y in (y1, y2):
            cv2.line(image, (x, y), (min(x + step, x2), y), color, width)
    for y in range(y1, y2, 2 * step):
        for x in (x1, x2):
            cv2.line(image, (x, y), (x, min(y + step, y2)), color, width)


def can_write(text: str) -> bool:
    """Return whether a text can be drawn: before version 5 OpenCV has the letters of ASCII only."""
    import cv2

    return text.isascii() or int(cv2.__version__.partition(".")[0]) >= 5


def _write(
    image: NDArray[np.uint8],
    text: str,
    at: tuple[int, int],
    color: tuple[int, ...],
    scale: float,
) -> None:
    """Write a text on a dark plate; letters that the font does not have become question marks."""
    import cv2

    plain = text if can_write(text) else text.encode("ascii", "replace").decode()
    font, weight = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(scale))
    (width, height), below = cv2.getTextSize(plain, font, scale, weight)
    x, y = min(at[0], max(0, image.shape[1] - width - 4)), at[1]
    plate = image[max(0, y - height - 3) : y + below, max(0, x - 3) : x + width + 4]
    plate[:] = plate // 4
    cv2.putText(image, plain, (x, y), font, scale, color, weight, cv2.LINE_AA)
