"""Overlap of boxes: counted in whole pixels, and exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pixel_iou(
    first: NDArray[np.float64], second: NDArray[np.float64], width: int, height: int
) -> NDArray[np.float64]:
    """Return the IoU of boxes row by row, in whole pixels.

    Boxes [n, 4] are fractions of width and height. Left, top, width and height are rounded to
    whole pixels (half to even, from 32-bit floats). Where both boxes together are at most one
    pixel wide or high, the overlap is 1; of two empty boxes it is 0. Source: vot-toolkit, as the
    Perception Test uses it.
    """
    x1, y1, w1, h1 = _pixels(first, width, height)
    x2, y2, w2, h2 = _pixels(second, width, height)
    wide = np.minimum(x1 + w1, x2 + w2) - np.maximum(x1, x2)
    high = np.minimum(y1 + h1, y2 + h2) - np.maximum(y1, y2)
    both = np.maximum(wide, 0) * np.maximum(high, 0)
    areas = np.maximum(w1, 0) * np.maximum(h1, 0) + np.maximum(w2, 0) * np.maximum(h2, 0)
    iou = both / np.maximum(areas - both, 1)
    is_thin = (np.maximum(x1 + w1, x2 + w2) - np.minimum(x1, x2) <= 1) | (
        np.maximum(y1 + h1, y2 + h2) - np.minimum(y1, y2) <= 1
    )
    return np.where(is_thin, 1.0, iou)


def _pixels(boxes: NDArray[np.float64], width: int, height: int) -> NDArray[np.int64]:
    """Return left, top, width and height [4, n] in whole pixels."""
    x1, y1, x2, y2 = boxes.T
    sides = np.array([x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height])
    return np.rint(sides.astype(np.float32)).astype(np.int64)


def iou_matrix(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the exact IoU of each of ``first`` [n, 4] with each of ``second`` [m, 4]: [n, m].

    Two boxes without area have none.
    """
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    both = np.prod(np.maximum(high - low, 0.0), axis=2)
    one = np.prod(np.maximum(first[:, 2:] - first[:, :2], 0.0), axis=1)
    other = np.prod(np.maximum(second[:, 2:] - second[:, :2], 0.0), axis=1)
    together = one[:, None] + other[None, :] - both
    found: NDArray[np.float64] = both / np.where(together > 0, together, 1.0)
    return found


def span_iou(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the IoU of two half-open spans of frames; 0 for two empty ones."""
    both = max(0, min(one[1], other[1]) - max(one[0], other[0]))
    together = one[1] - one[0] + other[1] - other[0] - both
    return both / together if together else 0.0
