"""Small patches around points: affine sampling, comparison and alignment.

Everything works on many points at once. Places are float64 [m, 2] in array coordinates (the center
of the top-left pixel is (0, 0)), maps float64 [m, 2, 2] take patch offsets to picture offsets.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Gray = NDArray[np.uint8]

RADIUS: Final = 9
PIXELS: Final = (2 * RADIUS + 1) ** 2
_SIDE: Final = 2 * RADIUS + 1
_STEPS: Final = 5
_HOPELESS: Final = 0.1  # correlation below which nothing like the patch is a few pixels away
_RIDGE: Final = 0.02
_ROWS: Final = 8192

_ys, _xs = np.mgrid[-RADIUS : RADIUS + 1, -RADIUS : RADIUS + 1]
_OFFSETS: Final = np.stack([_xs.ravel(), _ys.ravel()], axis=1).astype(np.float64)
_EVERY_SECOND: Final = np.flatnonzero((_ys % 2 == RADIUS % 2) & (_xs % 2 == RADIUS % 2))
_FLAT: Final = 8.0 / np.sqrt(PIXELS)  # gray levels within which a patch counts as flat


def _spread(offsets: Floats) -> Floats32:
    """Return what turns maps and places [m, 6] into places [m, 2 n] of n patch offsets [n, 2]."""
    spread = np.zeros((6, len(offsets), 2), np.float32)
    spread[0:2, :, 0] = spread[2:4, :, 1] = offsets.T
    spread[4, :, 0] = spread[5, :, 1] = 1.0
    return spread.reshape(6, -1)


_WHOLE: Final = _spread(_OFFSETS)
_THINNED: Final = _spread(_OFFSETS[_EVERY_SECOND])


def sample(image: Gray, xy: Floats, maps: Floats, spread: Floats32 = _WHOLE) -> Floats32:
    """Return patches [m, n] with mean 0 and length 1; a flat patch is all 0."""
    places = np.concatenate([maps.reshape(-1, 4), np.clip(xy, -1e4, 1e4)], axis=1)
    at = (places.astype(np.float32) @ spread).reshape(len(xy), spread.shape[1] // 2, 2)
    count = at.shape[1]
    patches = np.empty((len(xy), count), np.float32)
    how = (cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
    for i in range(0, len(xy), _ROWS):
        rows = slice(i, i + _ROWS)
        # The stubs of OpenCV do not know that one map may hold both coordinates.
        patches[rows] = cv2.remap(image, at[rows], None, *how)  # type: ignore[call-overload]
    patches -= (patches @ np.full(count, 1.0 / count, np.float32))[:, None]
    length = np.sqrt(np.einsum("mn,mn->m", patches, patches))
    patches /= np.maximum(length, _FLAT * np.sqrt(count))[:, None]
    return patches


def correlation(patches: Floats32, others: Floats32) -> Floats:
    """Return how alike patches [m, n] of `sample` are, row by row, -1..1."""
    return np.asarray(np.einsum("mn,mn->m", patches, others), np.float64)


class Templates:
    """How points look where a person has placed them."""

    def __init__(self, patches: Floats) -> None:
        """`patches` [k, n] as `sample` makes them."""
        self.patches = patches.astype(np.float32)
        self._solve = np.stack([_solver(patch) for patch in patches]).astype(np.float32)
        coarse = self.patches[:, _EVERY_SECOND]
        coarse = coarse - coarse.mean(axis=1, keepdims=True)
        self._coarse = coarse / np.maximum(np.linalg.norm(coarse, axis=1, keepdims=True), 1e-6)

    def likeness(self, image: Gray, xy: Floats, maps: Floats, rows: NDArray[np.int64]) -> Floats:
        """Return the normalized correlation, -1..1, of places with the templates `rows`."""
        return correlation(sample(image, xy, maps), self.patches[rows])

    def align(
        self, image: Gray, xy: Floats, maps: Floats, rows: NDArray[np.int64]
    ) -> tuple[Floats, Floats, Floats]:
        """Move and warp patches until they fit the templates `rows` best.

        Return places, maps and correlation; the input where no better fit is found.
        """
        best_xy, best_maps = xy.copy(), maps.copy()
        targets = self.patches[rows]
        patches = sample(image, xy, maps)
        best = correlation(patches, targets)
        near = np.flatnonzero(best > _HOPELESS)
        xy, maps, patches, targets = xy[near], maps[near], patches[near], targets[near]
        solve = self._solve[rows[near]]
        for step in range(_STEPS):
            delta = (solve @ (patches - targets)[..., None])[..., 0]
            if step < 2:
                delta[:, :4] = 0.0
            delta[:, :4] = np.clip(delta[:, :4], -0.1, 0.1)
            delta[:, 4:] = np.clip(delta[:, 4:], -3.0, 3.0)
            grown = np.eye(2) + delta[:, :4].reshape(-1, 2, 2)
            maps = maps @ np.linalg.inv(grown)
            xy = xy - np.einsum("mij,mj->mi", maps, delta[:, 4:])
            patches = sample(image, xy, maps)
        alike = correlation(patches, targets)
        better = (alike > best[near]) & _is_sane(maps)
        fitted = near[better]
        best_xy[fitted], best_maps[fitted], best[fitted] = xy[better], maps[better], alike[better]
        return best_xy, best_maps, best

    def search(
        self, image: Gray, xy: Floats, maps: Floats, rows: NDArray[np.int64], *, reach: int
    ) -> Floats:
        """Return the most alike of the places on a grid of 3 pixels around each place.

        Compared is every second pixel in both directions.
        """
        if not len(xy):
            return xy
        steps = np.arange(-reach, reach + 1, 3, dtype=np.float64)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        places = (xy[:, None] + shifts).reshape(-1, 2)
        repeat = len(shifts)
        patches = sample(image, places, np.repeat(maps, repeat, axis=0), _THINNED)
        by_place = patches.reshape(len(xy), repeat, -1)
        alike = np.einsum("mrn,mn->mr", by_place, self._coarse[rows]).astype(np.float64)
        # Nearer is likelier.
        alike -= 0.004 * np.hypot(*shifts.T)
        return np.asarray(xy + shifts[alike.argmax(axis=1)])


def _solver(patch: Floats) -> Floats:
    """Matrix from the error of a patch to its six parameters: least squares, [6, n]."""
    square = patch.reshape(_SIDE, _SIDE)
    gy, gx = (g.ravel() for g in np.gradient(square))
    x, y = _OFFSETS.T
    slopes = np.stack([gx * x, gx * y, gy * x, gy * y, gx, gy], axis=1)
    # Brightness and contrast are normalized, so their derivatives are projected out, too.
    slopes = slopes - slopes.mean(axis=0) - np.outer(patch, patch @ slopes)
    weights = np.array([60.0, 60.0, 60.0, 60.0, 1.0, 1.0]) * _RIDGE * 0.02
    return np.asarray(np.linalg.solve(slopes.T @ slopes + np.diag(weights), slopes.T))


def _is_sane(maps: Floats) -> NDArray[np.bool_]:
    """Whether maps neither flip nor stretch beyond belief."""
    area = np.linalg.det(maps)
    longest = np.abs(maps).sum(axis=2).max(axis=1)
    return np.asarray((area > 0.12) & (area < 8.0) & (longest < 4.0))
