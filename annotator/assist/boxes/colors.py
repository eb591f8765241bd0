"""Color model of an object and its background: a one-way tracker and a score for candidates.

Colors say little about place and nothing about pose, so an object that turns, rolls or bends stays
what it is; the other trackers know its pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, Ints, around, center, half_size, side
from annotator.assist.pictures import Image, Pixels, View

Chances = NDArray[np.float32]

_SHIFT: Final = 4
_BINS: Final = 256 >> _SHIFT
_RARE: Final = 1e-4  # share of an area below which a color says nothing
_INNER: Final = 0.9  # of the ellipse in the box
_OUTER: Final = (1.15, 2.2)  # half box sizes from the center: the ring of the surroundings
_AROUND: Final = 1.3  # size of what the inside of a box is compared with
_REACH: Final = 2.6
_SPREAD: Final = 1.0
_GROWTHS: Final = (0.96, 1.0, 1.04)
_STAY: Final = 0.985  # of a score that another size must beat
_SIZE_SPREAD: Final = 0.4
_INERTIA: Final = 0.8
_LEARNING: Final = 0.05
_COARSER: Final = 2.0


class Palette:
    """Colors of an object and of its surroundings."""

    def __init__(self, image: Pixels, box: Box4) -> None:
        self._inner = _histogram(image, box, is_inner=True)
        self._outer = _histogram(image, box, is_inner=False)

    def learn(self, image: Pixels, box: Box4, sure: float) -> None:
        """Update the color model with the present appearance, weighted by ``sure``, 0..1."""
        seen = _histogram(image, box, is_inner=True)
        self._inner = self._inner + _LEARNING * sure * (seen - self._inner)
        seen = _histogram(image, box, is_inner=False)
        self._outer = self._outer + _LEARNING * (seen - self._outer)

    @property
    def odds(self) -> Chances:
        """How likely a pixel of each color is the object's, [bins], 0..1."""
        return np.asarray(self._inner / (self._inner + self._outer + _RARE))

    def chances(self, image: Image) -> Chances:
        """Return how likely each pixel of an image is the object's, [height, width], 0..1."""
        return np.asarray(self.odds[_codes(image)])


def contrasts(palettes: Sequence[Palette], image: Pixels, boxes: Box4) -> Floats:
    """Return how much more of the object's colors is inside each box [k, 4] than around it, -1..1.

    Boxes are in pixels of the image; 0 for those out of view. Several palettes count equally.
    """
    contrast = np.zeros(len(boxes))
    usable = np.isfinite(boxes).all(axis=1)
    if not usable.any():
        return contrast
    limit = np.array(image.shape[1::-1])
    middle, half = center(boxes[usable]), np.maximum(half_size(boxes[usable]), 1.5)
    low = np.clip(np.floor((middle - half * _AROUND).min(axis=0)), 0, limit).astype(int)
    high = np.clip(np.ceil((middle + half * _AROUND).max(axis=0)), 0, limit).astype(int)
    if (high - low < 3).any():
        return contrast
    part = image[low[1] : high[1], low[0] : high[0]]
    codes = _codes(part)
    odds = sum((palette.odds for palette in palettes[1:]), start=palettes[0].odds) / len(palettes)
    total = np.asarray(cv2.integral(odds[codes]), np.float64)
    inner, n_inner = _box_sums(total, middle - half - low, middle + half - low)
    outer, n_outer = _box_sums(total, middle - half * _AROUND - low, middle + half * _AROUND - low)
    is_seen = (n_inner > 0) & (n_outer > n_inner)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = inner / n_inner - (outer - inner) / (n_outer - n_inner)
    contrast[usable] = np.where(is_seen, values, 0.0)
    return contrast


class Colors:
    """Follows a box by the colors in it, against those of its surroundings."""

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Learn the colors; `box` is in the view's pixels."""
        self._outer, self._view = view, coarser(view, box)
        self._box = self._view.inward(view.outward(box))
        self._first_half = np.maximum(half_size(self._box), 1.0)
        self._speed: Floats = np.zeros(2)
        self._palette = Palette(self._view.picture(frame), self._box)

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighboring frame; return the box and how much its colors stand out."""
        image = self._view.picture(frame)
        half, before = half_size(self._box), center(self._box)
        middle = before + _INERTIA * self._speed
        (x1, y1), (x2, y2) = _cut(image, middle, half * _REACH + 8)
        if x2 - x1 < 8 or y2 - y1 < 8:
            return self._locate(), 0.0
        chances = self._palette.chances(image[y1:y2, x1:x2])
        found, score = self._best(chances, middle - (x1, y1), half)
        self._box = found + np.array([x1, y1, x1, y1])
        self._speed = 0.6 * self._speed + 0.4 * (center(self._box) - before)
        sure = float(np.clip(score, 0.0, 1.0))
        self._palette.learn(image, self._box, sure)
        return self._locate(), sure

    def adjust(self, box: Box4) -> None:
        """Keep to its own view."""

    def _locate(self) -> Box4:
        return self._outer.inward(self._view.outward(self._box))

    def _best(self, chances: Chances, middle: Floats, half: Floats) -> tuple[Box4, float]:
        """Return the box that stands out most, near where it is expected, and how much it does."""
        height, width = chances.shape
        spread = half * _SPREAD + 3
        x = np.exp(-0.5 * ((np.arange(width) - middle[0]) / spread[0]) ** 2)
        y = np.exp(-0.5 * ((np.arange(height) - middle[1]) / spread[1]) ** 2)
        near = (y[:, None] * x).astype(np.float32)
        best, best_place = -np.inf, around(middle, half)
        for growth in _GROWTHS:
            size = half * growth
            inner = np.maximum(np.round(2 * size).astype(int), 3)
            grown = np.log(size.prod() / self._first_half.prod())
            likely = np.exp(-0.5 * (grown / _SIZE_SPREAD) ** 2)
            score = contrast_map(chances, inner) * near
            score *= likely * (1.0 if growth == 1.0 else _STAY)
            at = int(score.argmax())
            if score.flat[at] > best:
                best = float(score.flat[at])
                row, column = divmod(at, width)
                best_place = around(np.array([column, row]) + 0.5 * (inner % 2), size)
        return best_place, best


def contrast_map(chances: Chances, size: Ints) -> Chances:
    """Return how much more of the object's colors is in a window than around it, -1..1.

    It is [height, width] by the center of the window, whose ``size`` is (width, height).
    ``chances`` tell of each pixel how likely it is the object's.
    """
    outer = np.maximum((size * _AROUND).astype(int) | 1, size + 2)
    inside, total = _sums(chances, size), _sums(chances, outer)
    around_it = (total - inside) / (outer.prod() - size.prod())
    return np.asarray(inside / size.prod() - around_it, np.float32)


def coarser(view: View, box: Box4) -> View:
    """Return a view of half the resolution, if the object is large enough: colors need no more."""
    return view.for_object(side(view.outward(box)) * _COARSER)


def _cut(image: Pixels, middle: Floats, half: Floats) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    low = np.maximum(np.floor(middle - half), 0).astype(int)
    high = np.minimum(np.ceil(middle + half), image.shape[1::-1]).astype(int)
    return low, high


def _sums(chances: Chances, size: Ints) -> Chances:
    """Return the sum over a window of ``size`` (width, height) around every pixel."""
    window = int(size[0]), int(size[1])
    border = cv2.BORDER_CONSTANT
    return np.asarray(cv2.boxFilter(chances, -1, window, normalize=False, borderType=border))


def _box_sums(total: NDArray[np.float64], low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return sums and pixel counts [k] of boxes, clipped to an image, from its integral."""
    limit = np.array(total.shape[::-1]) - 1
    x1, y1 = np.clip(np.round(low), 0, limit).astype(int).T
    x2, y2 = np.clip(np.round(high), 0, limit).astype(int).T
    x2, y2 = np.maximum(x1, x2), np.maximum(y1, y2)
    sums = total[y2, x2] - total[y1, x2] - total[y2, x1] + total[y1, x1]
    return np.asarray(sums), np.asarray((x2 - x1) * (y2 - y1), np.float64)


def _codes(image: Image) -> NDArray[np.int32]:
    """Return the bin of each pixel's color, of an image [height, width, 3]."""
    parts = np.asarray(cv2.blur(image, (3, 3))).astype(np.int32) >> _SHIFT
    return np.asarray((parts[..., 0] * _BINS + parts[..., 1]) * _BINS + parts[..., 2])


def _histogram(image: Pixels, box: Box4, *, is_inner: bool) -> Chances:
    """Return the shares of colors, float32 [bins], in a box's ellipse or in the ring around it."""
    middle, half = center(box), np.maximum(half_size(box), 2.0)
    (x1, y1), (x2, y2) = _cut(image, middle, half * (1.0 if is_inner else _OUTER[1]))
    if x2 - x1 < 2 or y2 - y1 < 2:
        return np.full(_BINS**3, 1.0 / _BINS**3, np.float32)
    x = (np.arange(x1, x2) + 0.5 - middle[0]) / half[0]
    y = (np.arange(y1, y2) + 0.5 - middle[1])[:, None] / half[1]
    area = x**2 + y**2 < _INNER if is_inner else np.maximum(abs(x), abs(y)) > _OUTER[0]
    counts = np.bincount(_codes(image[y1:y2, x1:x2])[area], minlength=_BINS**3)
    cube = counts.astype(np.float32).reshape(_BINS, _BINS, _BINS)
    # A color of the object is a little lighter or darker on the next frame.
    lower, upper = [0, *range(_BINS - 1)], [*range(1, _BINS), _BINS - 1]
    for axis in range(3):
        beside = np.take(cube, lower, axis) + np.take(cube, upper, axis)
        cube = 0.5 * cube + 0.25 * beside
    return np.asarray(cube.ravel() / max(float(cube.sum()), 1.0), np.float32)
