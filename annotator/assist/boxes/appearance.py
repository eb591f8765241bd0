"""How much two boxes look alike, and places in a picture to compare with an object."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, around, center, half_size
from annotator.assist.pictures import Image, Pixels

Patch = NDArray[np.float32]
"""Part of a picture, [24, 24, 3], without mean and of unit length."""
_SIDE: Final = 24
_LEAST_VARIANCE: Final = 0.05  # of the gray levels of a place, all colors together
_AXIS = np.linspace(-1, 1, _SIDE)
_WINDOW: Final = np.exp(-2 * (_AXIS[:, None] ** 2 + _AXIS[None] ** 2)).astype(np.float32)[..., None]


def patch(image: Pixels, box: Box4) -> Patch | None:
    """Cut a box [4], in pixels of the image, out as a patch; None when it is out of view."""
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


class Pattern:
    """The pattern of an object in color, to look for in pictures at the same scale."""

    def __init__(self, image: Image) -> None:
        """Take what is inside its box, RGB, uint8 [h, w, 3]."""
        self._height, self._width = image.shape[:2]
        pattern = image - image.mean(axis=(0, 1))
        length = np.linalg.norm(pattern)
        self._is_plain = bool(length < 1.0)  # one color all over
        self._channels = [np.asarray(c, np.float32) for c in cv2.split(pattern / max(length, 1.0))]

    def fit_map(self, image: Image) -> NDArray[np.float32]:
        """Return how well it fits at each place of a picture, [h, w] by its top-left pixel, -1..1.

        It is the correlation without the means, as in TM_CCOEFF_NORMED of OpenCV, which takes two
        to four times as long with colors. What is plain fits everywhere.
        """
        height, width = image.shape[0] - self._height + 1, image.shape[1] - self._width + 1
        if self._is_plain:
            return np.ones((height, width), np.float32)
        fit = np.zeros((height, width), np.float32)
        for pixels, pattern in zip(cv2.split(image), self._channels, strict=True):
            fit += cv2.matchTemplate(pixels.astype(np.float32), pattern, cv2.TM_CCORR)
        size, anchor = (self._width, self._height), (0, 0)
        means = cv2.boxFilter(image, cv2.CV_32F, size, anchor=anchor)[:height, :width]
        squares = cv2.sqrBoxFilter(image, cv2.CV_32F, size, anchor=anchor)[:height, :width]
        spread = cv2.subtract(squares, cv2.multiply(means, means))
        variance = cv2.transform(spread, np.ones((1, 3), np.float32))
        n_pixels = self._height * self._width
        return np.asarray(fit / np.sqrt(np.maximum(variance, _LEAST_VARIANCE) * n_pixels))


_BORDER_STEPS: Final = (-2.0, 2.0, 13)  # object sizes around the place where it left


def places_around(
    box: Box4, size: tuple[int, int], reach: float, step: float, growth: float = 1.0
) -> Box4:
    """Return boxes [k, 4] around one, whole in a picture, in image pixels.

    ``size`` is the width and height of the picture. ``reach`` and ``step`` are in sizes of the box,
    ``growth`` is the size of the others by its own.
    """
    steps = np.arange(-reach, reach + step / 2, step)
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) * 2 * half_size(box)
    boxes = around(center(box) + offsets, half_size(box) * growth)
    return boxes[(boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= size).all(axis=1)]


def places_along_borders(left_at: Box4, size: tuple[int, int]) -> Box4:
    """Return boxes [k, 4] of the size of one, whole in the image and near both it and a border."""
    half = half_size(left_at)
    low, high = half, np.array(size) - half
    if not np.isfinite(left_at).all() or (low >= high).any():
        return np.zeros((0, 4))
    steps = np.linspace(*_BORDER_STEPS)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) * 2 * half
    middle = np.unique(np.clip(center(left_at) + grid, low, high), axis=0)
    to_border = np.minimum(middle - low, high - middle) / half
    return around(middle[to_border.min(axis=1) < 1.0], half)
