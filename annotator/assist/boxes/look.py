"""Appearance similarity of two boxes: a small color patch, compared by correlation."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4
from annotator.assist.pictures import Image

Patch = NDArray[np.float32]

_SIDE: Final = 24
_AXIS = np.linspace(-1, 1, _SIDE)
_WINDOW: Final = np.exp(-2 * (_AXIS[:, None] ** 2 + _AXIS[None] ** 2)).astype(np.float32)[..., None]


def patch(image: Image, box: Box4) -> Patch | None:
    """Cut a box out as a patch without mean and of unit length; None when it is out of view."""
    height, width = image.shape[:2]
    x1, y1, x2, y2 = (round(float(v)) for v in box)
    left, top, right, bottom = max(x1, 0), max(y1, 0), min(x2, width), min(y2, height)
    if right - left < 2 or bottom - top < 2:
        return None
    cut = image[top:bottom, left:right]
    if (left, top, right, bottom) != (x1, y1, x2, y2):
        beyond = (top - y1, y2 - bottom, left - x1, x2 - right)
        cut = np.asarray(cv2.copyMakeBorder(cut, *beyond, cv2.BORDER_REPLICATE), np.uint8)
    small = cv2.resize(cut, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= (small * _WINDOW).sum(axis=(0, 1)) / _WINDOW.sum()
    small *= np.sqrt(_WINDOW)
    return np.asarray(small / (np.linalg.norm(small) + 1e-3), np.float32)


def likeness(one: Patch | None, other: Patch | None) -> float:
    """Return the correlation of two patches, -1..1; 0 where one is out of view."""
    return 0.0 if one is None or other is None else float((one * other).sum())
