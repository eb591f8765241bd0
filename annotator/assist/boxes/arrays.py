"""Boxes as float64 arrays [..., 4] of (x1, y1, x2, y2): the form in which trackers compute."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annotator.domain.geometry import Box

Box4 = NDArray[np.float64]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOWHERE = np.full(4, np.nan)


def from_box(box: Box | None) -> Box4:
    """Return a box as an array; NaN for an object out of view."""
    return NOWHERE.copy() if box is None else np.array(box.as_tuple(), np.float64)


def to_box(row: Box4) -> Box | None:
    """Return an array as a box; None where it holds NaN."""
    return None if np.isnan(row).any() else Box(*(float(v) for v in row))


def iou(a: Box4, b: Box4) -> Floats:
    """Return intersection over union, elementwise; 0 where either is NaN or empty."""
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    common = np.clip(width, 0, None) * np.clip(height, 0, None)
    union = area(a) + area(b) - common
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nan_to_num(common / union))


def area(boxes: Box4) -> Floats:
    """Return areas in square pixels; 0 for an inverted box."""
    width = np.clip(boxes[..., 2] - boxes[..., 0], 0, None)
    return np.asarray(width * np.clip(boxes[..., 3] - boxes[..., 1], 0, None))


def side(box: Box4) -> float:
    """Return the side of the square of equal area."""
    return float(np.sqrt(area(box)))


def center(boxes: Box4) -> Floats:
    """Return centers [..., 2]."""
    return np.asarray((boxes[..., :2] + boxes[..., 2:]) / 2)


def half_size(boxes: Box4) -> Floats:
    """Return half widths and half heights [..., 2]."""
    return np.asarray((boxes[..., 2:] - boxes[..., :2]) / 2)


def around(middle: Floats, half: Floats) -> Box4:
    """Return boxes from centers and half sizes."""
    return np.concatenate([middle - half, middle + half], axis=-1)


def clip(boxes: Box4, size: tuple[int, int]) -> Box4:
    """Return the parts inside a picture of size (width, height)."""
    limit = np.array([size[0], size[1], size[0], size[1]], np.float64)
    return np.asarray(np.clip(boxes, 0.0, limit))


def inside_share(box: Box4, size: tuple[int, int]) -> float:
    """Return the share of a box's area that lies in the picture; 0 for NaN."""
    whole = float(area(box))
    return float(area(clip(box, size))) / whole if whole > 0 else 0.0


def between(first: Box4, last: Box4, n: int) -> Box4:
    """Return n + 1 boxes in equal steps from the first to the last."""
    share = np.linspace(0.0, 1.0, n + 1)[:, None]
    return np.asarray(first + (last - first) * share)
