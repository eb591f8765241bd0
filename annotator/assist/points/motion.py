"""Motion between two neighbouring pictures, found once and shared by all points."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.flow import dense_flow
from annotator.assist.points.patches import Floats, Grey

_FINE_PX: Final = 13
_COARSE_PX: Final = 30
_AROUND_PX: Final = 44
_WINDOW: Final = (13, 13)
_LEVELS: Final = 3
_STOP: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 10, 0.03)
_WORST_RETURN_PX: Final = 1.0
_NEIGHBOURS: Final = 40
_NEAR_PX: Final = 26.0
_VOTE_PX: Final = 1.2


class Motion:
    """How pixels move from one grey picture to the next; `places` [m, 2] are where points are."""

    def __init__(self, before: Grey, after: Grey, places: Floats, flow: cv2.DISOpticalFlow) -> None:
        self._size = before.shape[1], before.shape[0]
        seeds = np.concatenate([_grid(self._size, places), places]).astype(np.float32)
        moved, is_sound = _there_and_back(before, after, seeds)
        self.of_places = moved[-len(places) :]
        self.is_sound = is_sound[-len(places) :]
        grid = slice(0, len(seeds) - len(places))
        self._from = seeds[grid][is_sound[grid]].astype(np.float64)
        self._shift = moved[grid][is_sound[grid]] - self._from
        self._flow = dense_flow(flow, before, after)
        self._whole = self._homography()

    def flow(self, xy: Floats) -> Floats:
        """Return where dense flow carries places."""
        at = np.clip(xy, 0, np.array(self._size) - 1).astype(np.float32)
        moved = cv2.remap(self._flow, at[:, :1], at[:, 1:], cv2.INTER_LINEAR)
        return np.asarray(xy + moved.reshape(-1, 2))

    def whole(self, xy: Floats) -> tuple[Floats, Floats]:
        """Return where the camera's motion carries places, and its slope there [m, 2, 2]."""
        h = self._whole
        lifted = np.column_stack([xy, np.ones(len(xy))]) @ h.T
        depth = lifted[:, 2:]
        moved = lifted[:, :2] / depth
        slope = (h[None, :2, :2] - moved[:, :, None] * h[None, 2:, :2]) / depth[..., None]
        return moved, slope

    def near(self, xy: Floats) -> tuple[Floats, Floats]:
        """Return where most neighbours carry places, and the slope of their motion [m, 2, 2]."""
        slopes = np.tile(np.eye(2), (len(xy), 1, 1))
        if len(self._from) < 6:
            return xy.copy(), slopes
        distance = np.linalg.norm(xy[:, None] - self._from, axis=2)
        count = min(_NEIGHBOURS, len(self._from))
        which = np.argpartition(distance, count - 1, axis=1)[:, :count]
        apart = np.take_along_axis(distance, which, axis=1)
        weight = np.exp(-0.5 * (apart / _NEAR_PX) ** 2) + 1e-9
        shift = self._shift[which]
        # The largest array of all: single precision is enough for a vote.
        x, y = (shift / _VOTE_PX).astype(np.float32).transpose(2, 0, 1)
        unlike = (x[:, :, None] - x[:, None]) ** 2 + (y[:, :, None] - y[:, None]) ** 2
        support = np.einsum("mij,mj->mi", np.exp(unlike * np.float32(-0.5)), weight)
        chosen = (support * weight**0.3).argmax(axis=1)
        middle = shift[np.arange(len(xy)), chosen]
        agree = weight * np.exp(-((shift - middle[:, None]) ** 2).sum(axis=2) / 8.0)
        return self._fit(xy, which, shift, agree)

    def _fit(
        self, xy: Floats, which: NDArray[np.int64], shift: Floats, weight: Floats
    ) -> tuple[Floats, Floats]:
        """Weighted affine fit of the neighbours' motion, held towards a plain shift."""
        side = (self._from[which] - xy[:, None]) / _NEAR_PX
        x = np.concatenate([side, np.ones((*side.shape[:2], 1))], axis=2)
        total = weight.sum(axis=1)
        left = np.einsum("mk,mki,mkj->mij", weight, x, x)
        left += total[:, None, None] * np.diag([0.05, 0.05, 1e-6])
        left += np.eye(3) * 1e-9
        right = np.einsum("mk,mki,mkj->mij", weight, x, shift)
        solved = np.linalg.solve(left, right)
        slopes = np.eye(2) + solved[:, :2].transpose(0, 2, 1) / _NEAR_PX
        return xy + solved[:, 2], slopes

    def _homography(self) -> Floats:
        if len(self._from) < 12:
            return np.eye(3)
        # Evenly over the picture, so that the fine grid on the object does not outvote the rest.
        cells = np.floor(self._from / _COARSE_PX).astype(np.int64)
        _, first = np.unique(cells[:, 0] * 4096 + cells[:, 1], return_index=True)
        start, end = self._from[first], (self._from + self._shift)[first]
        if len(start) < 8:
            return np.eye(3)
        found, _ = cv2.findHomography(start, end, cv2.RANSAC, 1.5, maxIters=300)
        return np.eye(3) if found is None else np.asarray(found, np.float64)


def _grid(size: tuple[int, int], places: Floats) -> Floats:
    """Seeds: close together around the places, wide apart elsewhere."""
    low = np.maximum(places.min(axis=0) - _AROUND_PX, 4)
    high = np.minimum(places.max(axis=0) + _AROUND_PX, np.array(size) - 4)
    fine = _lattice(low, high, _FINE_PX)
    coarse = _lattice(np.full(2, 6.0), np.array(size) - 6.0, _COARSE_PX)
    near = np.linalg.norm(fine[:, None] - places, axis=2).min(axis=1, initial=np.inf)
    return np.concatenate([fine[near < _AROUND_PX], coarse])


def _lattice(low: Floats, high: Floats, step: int) -> Floats:
    xs, ys = (np.arange(a, b, step) for a, b in zip(low, high, strict=True))
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float64)


def _there_and_back(
    before: Grey, after: Grey, seeds: NDArray[np.float32]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Follow seeds there and back; return where they went and which came home."""
    there, ok = _lucas_kanade(before, after, seeds)
    back, ok_back = _lucas_kanade(after, before, there)
    missed = np.abs(back - seeds).max(axis=1)
    inside = ((there > -2) & (there < [before.shape[1] + 2, before.shape[0] + 2])).all(axis=1)
    return there.astype(np.float64), ok & ok_back & inside & (missed < _WORST_RETURN_PX)


def _lucas_kanade(
    one: Grey, two: Grey, seeds: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    start = np.ascontiguousarray(seeds[:, None])
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one, two, start, start.copy(), winSize=_WINDOW, maxLevel=_LEVELS, criteria=_STOP
    )
    return np.asarray(there, np.float32)[:, 0], np.asarray(found)[:, 0] == 1
