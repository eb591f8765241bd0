"""Finding points again after they were hidden: local features around them, matched between frames.

Between two occlusions a point is seen without any path to it. SIFT features near the place where a
person has put it are looked for in the whole image, and where enough of them moved together the
point has moved with them.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.points.patches import Floats, Gray

_MOST_FEATURES: Final = 1500
_CONTRAST: Final = 0.015
_RATIO: Final = 0.82
_AROUND_PX: Final = (32.0, 64.0, 110.0)
_FIT_PX: Final = 3.5
_LEAST_MATCHES: Final = 4
_KEPT_FRAMES: Final = 400


class GrayFrames(Protocol):
    """Gray pictures by frame."""

    def gray(self, frame: int, /) -> Gray: ...


class Features(NamedTuple):
    """Places [n, 2] in array coordinates and descriptors [n, 128] of one frame."""

    xy: Floats
    descriptors: NDArray[np.uint8]


class Region(NamedTuple):
    """Part of a picture, in array coordinates; the ends are not part of it."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, places: Floats, reach_px: float, size: tuple[int, int]) -> Region:
        """Return what lies within ``reach_px`` of places [n, 2] in a picture (width, height)."""
        places = np.clip(places, 0, size)
        low = np.maximum(places.min(axis=0) - reach_px, 0).astype(int)
        high = np.minimum(places.max(axis=0) + reach_px + 1, size).astype(int)
        return cls(*low.tolist(), *high.tolist())


class Finder:
    """Finds places of one frame in others, on any thread; features are computed once."""

    def __init__(self, grays: GrayFrames, region: Region | None = None) -> None:
        """``region`` is where features are computed, which takes a third of all the time.

        None is the whole picture.
        """
        self._grays = grays
        self._region = region
        self._kept: OrderedDict[int, Features] = OrderedDict()
        self._lock = Lock()

    def find(self, home: int, places: Floats, frame: int) -> tuple[Floats, Floats]:
        """Return where places [k, 2] of frame ``home`` are on ``frame``, and the slopes [k, 2, 2].

        NaN where too few features around a place moved together.
        """
        places_found = np.full((len(places), 2), np.nan)
        slopes = np.tile(np.eye(2), (len(places), 1, 1))
        before, after = self._features(home), self._features(frame)
        if len(before.xy) < _LEAST_MATCHES or len(after.xy) < _LEAST_MATCHES:
            return places_found, slopes
        distance = np.linalg.norm(before.xy[:, None] - places, axis=2)
        near = np.flatnonzero(distance.min(axis=1) < _AROUND_PX[-1])
        if len(near) < _LEAST_MATCHES:
            return places_found, slopes
        matched_before, matched_after = _matches(before.descriptors[near], after.descriptors)
        if len(matched_before) < _LEAST_MATCHES:
            return places_found, slopes
        matched_before = near[matched_before]
        start, end = before.xy[matched_before], after.xy[matched_after]
        for k in range(len(places)):
            for radius in _AROUND_PX:
                chosen = distance[matched_before, k] < radius
                if chosen.sum() < _LEAST_MATCHES:
                    continue
                moved = _moved(start[chosen], end[chosen])
                if moved is not None:
                    places_found[k] = moved[:, :2] @ places[k] + moved[:, 2]
                    slopes[k] = moved[:, :2]
                    break
        return places_found, slopes

    def _features(self, frame: int) -> Features:
        with self._lock:
            found = self._kept.get(frame)
        if found is None:
            found = self._features_of(frame)  # without the lock: the other pass works meanwhile
            with self._lock:
                self._kept[frame] = found
                if len(self._kept) > _KEPT_FRAMES:
                    self._kept.popitem(last=False)
        return found

    def _features_of(self, frame: int) -> Features:
        gray, left, top = self._grays.gray(frame), 0, 0
        if self._region is not None:
            left, top, right, bottom = self._region
            gray = np.ascontiguousarray(gray[top:bottom, left:right])
        # At half the size this is four times as fast, and finds a third less.
        sift = cv2.SIFT.create(nfeatures=_MOST_FEATURES, contrastThreshold=_CONTRAST)
        points, descriptors = sift.detectAndCompute(gray, None)
        xy = np.array([p.pt for p in points], np.float64).reshape(-1, 2) + np.array([left, top])
        if descriptors is None:
            descriptors = np.zeros((0, 128), np.float32)
        # SIFT's descriptors are whole numbers up to 255.
        return Features(xy, np.asarray(descriptors).astype(np.uint8))


def _matches(
    one: NDArray[np.uint8], other: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows of ``one`` that are clearly closest to one row of ``other``, and those rows."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * (a @ b.T)
    closest = np.argpartition(squares, 1, axis=1)[:, :2]
    two = np.take_along_axis(squares, closest, axis=1)
    first = two.argmin(axis=1)
    rows = np.arange(len(a))
    is_clear = two[rows, first] < _RATIO**2 * two[rows, 1 - first]
    return np.flatnonzero(is_clear), closest[rows, first][is_clear]


def _moved(start: Floats, end: Floats) -> Floats | None:
    """Return the similarity [2, 3] that moves most of ``start`` to ``end``, None without one."""
    cv2.setRNGSeed(0)
    found, is_in = cv2.estimateAffinePartial2D(
        start, end, method=cv2.RANSAC, ransacReprojThreshold=_FIT_PX, maxIters=200
    )
    if found is None or is_in.sum() < max(_LEAST_MATCHES, 0.4 * len(start)):
        return None
    scale = float(np.hypot(found[0, 0], found[1, 0]))
    return np.asarray(found, np.float64) if 0.4 < scale < 2.5 else None
