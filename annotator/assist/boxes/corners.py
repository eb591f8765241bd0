"""One-way tracker: corner points inside the box, followed by Lucas-Kanade, moved by an affine fit.

The accumulated affine map carries the ellipse that fills the first box, so that a turning long
object changes its box as it should.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, around, centre, half_size
from annotator.assist.pictures import Image, View

_GRID: Final = 9
_WINDOW: Final = (15, 15)
_LEVELS: Final = 3
_STOP: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 12, 0.03)
_WORST_RETURN_PX: Final = 1.0


class Points:
    """Follows a box by the points on it."""

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Take hold of the object; `box` is in the view's pixels."""
        self._view = view
        self._frame = frame
        self._half = half_size(box)
        self._map = np.eye(2)
        self._centre = centre(box)
        self._trust = np.full((_GRID, _GRID), 0.5)

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighbouring frame; return the box and the share of points that agree."""
        box = self.box()
        before, after = self._view.grey(self._frame), self._view.grey(frame)
        self._frame = frame
        start, cells = self._seeds(box)
        window = _window(box, before)
        if window is None:
            return box, 0.0
        seen, end = _flow(before, after, window, start)
        start, end, cells = start[seen], end[seen], cells[seen]
        weights = self._trust[cells[:, 1], cells[:, 0]]
        if len(start) < 6:
            return box, 0.0
        matrix, inliers = _fit(start, end, weights)
        if matrix is None:
            return box, 0.0
        np.add.at(self._trust, (cells[:, 1], cells[:, 0]), 0.15 * (inliers - weights))
        linear = matrix[:, :2]
        self._centre = linear @ self._centre + matrix[:, 2]
        self._map = linear @ self._map
        share = float((inliers * weights).sum() / max(self._trust.sum(), 1e-6))
        return self.box(), min(1.0, share)

    def adjust(self, box: Box4) -> None:
        """Keep to its own view: its map goes back to the first box."""

    def box(self) -> Box4:
        """Return the present box: what the accumulated map makes of the first box's ellipse."""
        reach = np.sqrt(((self._map * self._half) ** 2).sum(axis=1))
        return around(self._centre, np.maximum(reach, 1.0))

    def _seeds(self, box: Box4) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Points on a grid over the object's ellipse, and the cell of each."""
        steps = (np.arange(_GRID) + 0.5) / _GRID * 2 - 1
        gx, gy = np.meshgrid(steps, steps)
        keep = gx**2 + gy**2 <= 1.0
        cells = np.stack([np.nonzero(keep)[1], np.nonzero(keep)[0]], axis=1)
        unit = np.stack([gx[keep], gy[keep]], axis=1) * self._half
        points = unit @ self._map.T + self._centre
        return points.astype(np.float32), cells


def _window(box: Box4, image: Image) -> tuple[int, int, int, int] | None:
    """The part of the picture to search: the box and its own size around it."""
    height, width = image.shape[:2]
    reach = np.maximum(half_size(box), 12.0) * 1.4 + 12
    low = np.floor(centre(box) - half_size(box) - reach)
    high = np.ceil(centre(box) + half_size(box) + reach)
    x1, y1 = (int(v) for v in np.maximum(low, 0))
    x2, y2 = min(int(high[0]), width), min(int(high[1]), height)
    return (x1, y1, x2, y2) if x2 - x1 >= 24 and y2 - y1 >= 24 else None


def _flow(
    before: Image, after: Image, window: tuple[int, int, int, int], start: NDArray[np.float32]
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Follow points there and back again; return which came home, and where they went."""
    x1, y1, x2, y2 = window
    offset = np.array([x1 + 0.5, y1 + 0.5], np.float32)
    one, two = before[y1:y2, x1:x2], after[y1:y2, x1:x2]
    local = (start - offset)[:, None]
    there, ok = _lucas_kanade(one, two, local)
    back, ok_back = _lucas_kanade(two, one, there)
    missed = np.abs(back - local).max(axis=(1, 2))
    seen = ok & ok_back & (missed < _WORST_RETURN_PX)
    return seen, there[:, 0] + offset


def _lucas_kanade(
    one: Image, two: Image, points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one, two, points, points.copy(), winSize=_WINDOW, maxLevel=_LEVELS, criteria=_STOP
    )
    return np.asarray(there, np.float32), np.asarray(found)[:, 0] == 1


def _fit(
    start: NDArray[np.float32], end: NDArray[np.float32], weights: Floats
) -> tuple[Floats | None, Floats]:
    """Fit an affine map robustly: consensus on a similarity, then weighted least squares."""
    rough, inlier = cv2.estimateAffinePartial2D(
        start, end, method=cv2.RANSAC, ransacReprojThreshold=1.5, maxIters=200, confidence=0.99
    )
    if rough is None:
        return None, np.zeros(len(start))
    middle = start.mean(axis=0)
    x = np.column_stack([start - middle, np.ones(len(start))]).astype(np.float64)
    y = (end - middle).astype(np.float64)
    use = inlier[:, 0].astype(np.float64)
    matrix = rough.astype(np.float64)
    matrix[:, 2] += matrix[:, :2] @ middle - middle
    for _ in range(3):
        w = use * (0.2 + weights)
        ridge = np.diag([1.0, 1.0, 1e-6]) * float(w.sum()) * 2.0
        prior = np.vstack([np.eye(2), np.zeros((1, 2))])
        solved = np.linalg.solve(
            (x * w[:, None]).T @ x + ridge, (x * w[:, None]).T @ y + ridge @ prior
        )
        matrix = solved.T
        gap = np.hypot(*(x @ solved - y).T)
        use = (gap < 2.0).astype(np.float64)
        if use.sum() < 4:
            return None, use
    matrix = matrix.copy()
    matrix[:, 2] += middle - matrix[:, :2] @ middle
    return matrix, use
