"""One-way trackers, and passes of them over the frames between two boxes, forward and backward.

There are CSRT, dense optical flow, and corner points followed by Lucas-Kanade.
The accumulated affine map of corner points carries the ellipse that fills the first box, so that a
turning long object changes its box as it should.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, around, center, half_size, side
from annotator.assist.pictures import Image, LazyImage, View, grayed
from annotator.assist.protocol import Cancel, Stepper

_LEAST_SIDE_PX: Final = 48


class Flow:
    """Follows a box by the motion of all its pixels: good for soft objects and short gaps."""

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Take hold of the object; `box` is in the view's pixels."""
        self._view = view
        self._frame = frame
        self._box = box
        self._dis = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighboring frame; return the box and how well one motion fits."""
        before, after = self._view.picture(self._frame), self._view.picture(frame)
        self._frame = frame
        box = self._box
        middle, half = center(box), np.maximum(half_size(box), 2.0)
        reach = half * 1.0 + 24
        height, width = before.shape[:2]
        x1, y1 = (int(v) for v in np.maximum(middle - half - reach, 0))
        x2 = min(int(middle[0] + half[0] + reach[0]), width)
        y2 = min(int(middle[1] + half[1] + reach[1]), height)
        if x2 - x1 < 24 or y2 - y1 < 24:
            return box, 0.0
        one, two = grayed(before[y1:y2, x1:x2]), grayed(after[y1:y2, x1:x2])
        flow = dense_flow(self._dis, one, two)
        ys, xs = np.mgrid[y1:y2:2, x1:x2:2]
        unit = np.stack([(xs + 0.5 - middle[0]) / half[0], (ys + 0.5 - middle[1]) / half[1]], -1)
        inside = (unit**2).sum(-1) < 0.9
        if inside.sum() < 8:
            return box, 0.0
        moved, grown, share = _motion(unit[inside], flow[::2, ::2][inside].astype(np.float64))
        half_after = np.clip(half + grown, half * 0.9, half * 1.1)
        self._box = around(middle + moved, half_after)
        return self._box, share

    def adjust(self, box: Box4) -> None:
        """Restart from a corrected box: flow measures motion only and drifts alone."""
        self._box = box


def dense_flow(dis: cv2.DISOpticalFlow, one: Image, two: Image) -> NDArray[np.float32]:
    """Return the flow between two gray images of equal size, float32 [height, width, 2] in pixels.

    OpenCV reads outside its buffers where a side is shorter than its patches at the coarsest
    scale (32 pixels) and ends the process, so small images get a border.
    """
    height, width = one.shape
    below, right = max(0, _LEAST_SIDE_PX - height), max(0, _LEAST_SIDE_PX - width)
    if below or right:
        one, two = (
            np.asarray(cv2.copyMakeBorder(each, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
            for each in (one, two)
        )
    one, two = np.ascontiguousarray(one), np.ascontiguousarray(two)
    flow = dis.calc(one, two, np.zeros((*one.shape, 2), np.float32))
    return np.asarray(flow, np.float32)[:height, :width]


def _motion(unit: Floats, flow: Floats) -> tuple[Floats, Floats, float]:
    """Fit shift and growth along x and y: flow = shift + growth * unit, by reweighting."""
    shift, growth = np.median(flow, axis=0), np.zeros(2)
    weight = np.ones(len(flow))
    for _ in range(4):
        gap = flow - shift - growth * unit
        weight = 1.0 / (1.0 + (gap**2).sum(axis=1) / 0.7)
        total = weight.sum() + 1e-9
        mean_u, mean_f = (weight @ unit) / total, (weight @ flow) / total
        spread = weight @ (unit - mean_u) ** 2 + 0.05 * len(flow)
        growth = (weight @ ((unit - mean_u) * (flow - mean_f))) / spread
        shift = mean_f - growth * mean_u
    return shift, growth, float(weight.mean())


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
        self._center = center(box)
        self._trust = np.full((_GRID, _GRID), 0.5)

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighboring frame; return the box and the share of points that agree."""
        box = self.box()
        before, after = self._view.picture(self._frame), self._view.picture(frame)
        self._frame = frame
        start, cells = self._seeds(box)
        window = _window(box, before)
        if window is None:
            return box, 0.0
        measured, end = _flow(before, after, window, start)
        start, end, cells = start[measured], end[measured], cells[measured]
        weights = self._trust[cells[:, 1], cells[:, 0]]
        if len(start) < 6:
            return box, 0.0
        matrix, inliers = _fit(start, end, weights)
        if matrix is None:
            return box, 0.0
        np.add.at(self._trust, (cells[:, 1], cells[:, 0]), 0.15 * (inliers - weights))
        linear = matrix[:, :2]
        self._center = linear @ self._center + matrix[:, 2]
        self._map = linear @ self._map
        share = float((inliers * weights).sum() / max(self._trust.sum(), 1e-6))
        return self.box(), min(1.0, share)

    def adjust(self, box: Box4) -> None:
        """Keep to its own view: its map goes back to the first box."""

    def box(self) -> Box4:
        """Return the present box: the first box's ellipse under the accumulated map."""
        reach = np.sqrt(((self._map * self._half) ** 2).sum(axis=1))
        return around(self._center, np.maximum(reach, 1.0))

    def _seeds(self, box: Box4) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Points on a grid over the object's ellipse, and the cell of each."""
        steps = (np.arange(_GRID) + 0.5) / _GRID * 2 - 1
        gx, gy = np.meshgrid(steps, steps)
        keep = gx**2 + gy**2 <= 1.0
        cells = np.stack([np.nonzero(keep)[1], np.nonzero(keep)[0]], axis=1)
        unit = np.stack([gx[keep], gy[keep]], axis=1) * self._half
        points = unit @ self._map.T + self._center
        return points.astype(np.float32), cells


def _window(box: Box4, image: LazyImage) -> tuple[int, int, int, int] | None:
    """The part of the picture to search: the box and its own size around it."""
    height, width = image.shape[:2]
    reach = np.maximum(half_size(box), 12.0) * 1.4 + 12
    low = np.floor(center(box) - half_size(box) - reach)
    high = np.ceil(center(box) + half_size(box) + reach)
    x1, y1 = (int(v) for v in np.maximum(low, 0))
    x2, y2 = min(int(high[0]), width), min(int(high[1]), height)
    return (x1, y1, x2, y2) if x2 - x1 >= 24 and y2 - y1 >= 24 else None


def _flow(
    before: LazyImage,
    after: LazyImage,
    window: tuple[int, int, int, int],
    start: NDArray[np.float32],
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Follow points there and back again; return which came home, and where they went."""
    x1, y1, x2, y2 = window
    offset = np.array([x1 + 0.5, y1 + 0.5], np.float32)
    one, two = grayed(before[y1:y2, x1:x2]), grayed(after[y1:y2, x1:x2])
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


_TEMPLATE_PX: Final = 110.0
_SCALES: Final = 17
_ROUNDS: Final = 2
_SMALLEST_PX: Final = 6
_REACH: Final = 3.0  # object sizes of surroundings in the region it sees
_CLOSE: Final = 1.0  # object sizes from the region's edge at which it starts over in a new one
_LEAST_SIDE: Final = 24.0
_GOOD_SIDE: Final = 40.0


class Csrt:
    """Follows a box by appearance. Robust to change of shape, coarse in place (whole pixels).

    CSRT converts the whole picture it is given, so it gets a region round the object, enlarged
    for tiny ones.
    """

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Learn the object; `box` is in the view's pixels."""
        self._view = view
        self._box = box
        self._is_alive = True
        self._begin(frame)

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighboring frame; return the box and 1, or the last box and 0 if lost."""
        if not self._is_alive:
            return self._box, 0.0
        try:
            found, (x, y, w, h) = self._tracker.update(self._region(frame))
        except cv2.error:
            self._is_alive = False
            return self._box, 0.0
        if not found:
            return self._box, 0.0
        seen = np.array([x, y, x + w, y + h], np.float64) + self._offset
        self._box = seen / self._zoom + self._corner[[0, 1, 0, 1]]
        if self._is_near_edge():
            self._begin(frame)
        return self._box, 1.0

    def adjust(self, box: Box4) -> None:
        """Keep to its own view: a new start would forget the object."""

    def _begin(self, frame: int) -> None:
        """Choose a region round the present box and learn the object in it."""
        size = np.array(self._view.size, np.float64)
        reach = half_size(self._box) + _REACH * float(np.max(2 * half_size(self._box)))
        self._corner: Floats = np.floor(np.clip(center(self._box) - reach, 0, size - 1))
        self._far: Floats = np.ceil(np.clip(center(self._box) + reach, self._corner + 1, size))
        length = side(self._box)
        self._zoom = 1.0 if length >= _LEAST_SIDE else min(_GOOD_SIDE / max(length, 4.0), 4.0)
        region = self._region(frame)
        limit = np.array(region.shape[1::-1], np.float64)
        inside = (self._box - self._corner[[0, 1, 0, 1]]) * self._zoom
        low = np.clip(np.round(inside[:2]), 0, np.maximum(limit - _SMALLEST_PX, 0))
        high = np.clip(np.round(inside[2:]), low + _SMALLEST_PX, limit)
        self._offset = inside - np.concatenate([low, high])
        parameters = cv2.TrackerCSRT.Params()
        parameters.template_size = _TEMPLATE_PX
        # It takes two fifths of the time, and its mask is mostly discarded.
        parameters.use_segmentation = False
        parameters.number_of_scales = _SCALES
        parameters.admm_iterations = _ROUNDS
        self._tracker = cv2.TrackerCSRT.create(parameters)
        (x, y), (w, h) = (int(v) for v in low), (int(v) for v in high - low)
        try:
            self._tracker.init(region, (x, y, w, h))
        except cv2.error:
            self._is_alive = False

    def _region(self, frame: int) -> Image:
        (x1, y1), (x2, y2) = self._corner.astype(int), self._far.astype(int)
        cut = self._view.picture(frame)[y1:y2, x1:x2]
        if self._zoom == 1.0:
            return np.ascontiguousarray(cut)
        return np.asarray(
            cv2.resize(cut, None, fx=self._zoom, fy=self._zoom, interpolation=cv2.INTER_CUBIC)
        )

    def _is_near_edge(self) -> bool:
        close = _CLOSE * float(np.max(2 * half_size(self._box)))
        low_open, high_open = self._corner > 0, self._far < np.array(self._view.size)
        near_low = (self._box[:2] - self._corner < close) & low_open
        near_high = (self._far - self._box[2:] < close) & high_open
        return bool((near_low | near_high).any())


def following(
    steppers: Sequence[Stepper], view: View, frames: Sequence[int], box: Box4, *, cancel: Cancel
) -> Iterator[list[tuple[Box4, float]]]:
    """Run trackers in step over neighboring frames, the first of which has `box` (image pixels).

    Yield for each frame the box [4] of each tracker in pixels of the view, and its trust, 0..1.
    Ends early if canceled.
    """
    start = view.inward(box)
    for stepper in steppers:
        stepper.start(view, frames[0], start)
    yield [(start, 1.0)] * len(steppers)
    for frame in frames[1:]:
        if cancel():
            return
        yield [stepper.step(frame) for stepper in steppers]


def follow(
    steppers: Sequence[Stepper], view: View, frames: Sequence[int], box: Box4, *, cancel: Cancel
) -> list[Box4] | None:
    """Return the boxes [n, 4] of each tracker (image pixels) in the order of ``frames``.

    Arguments as for `following`; None if canceled.
    """
    return paths_of(view, list(following(steppers, view, frames, box, cancel=cancel)), len(frames))


def paths_of(view: View, steps: Sequence[list[tuple[Box4, float]]], n: int) -> list[Box4] | None:
    """Return the boxes [n, 4] of each tracker (image pixels); None with fewer than ``n`` steps."""
    if len(steps) < n:
        return None
    return [view.outward(np.array([box for box, _ in each])) for each in zip(*steps, strict=True)]


Pair: TypeAlias = tuple[Box4, Box4]
"""Boxes [n, 4] of a tracker in image pixels, forward and backward, in the order of frames."""


def both_ways(
    makes: Sequence[Callable[[], Stepper]],
    view: View,
    frames: range,
    first: Box4,
    last: Box4,
    *,
    cancel: Cancel,
    step: int = 1,
) -> list[Pair] | None:
    """Run trackers between two boxes, forward and backward at the same time.

    With a ``step`` of 2 they see every second frame and the last one; boxes between are
    interpolated. None if canceled.
    """
    seen = [*frames[:-1:step], frames[-1]]
    ahead, back = ([make() for make in makes] for _ in range(2))
    with ThreadPoolExecutor(1) as thread:  # OpenCV releases the interpreter's lock
        later = thread.submit(follow, back, view, seen[::-1], last, cancel=cancel)
        forward = follow(ahead, view, seen, first, cancel=cancel)
        backward = later.result()
    if forward is None or backward is None:
        return None
    return [
        (_filled(one, seen, frames), _filled(other[::-1], seen, frames))
        for one, other in zip(forward, backward, strict=True)
    ]


def _filled(path: Box4, seen: Sequence[int], frames: range) -> Box4:
    """Return a path of some frames, boxes [k, 4], for all of them, [n, 4]."""
    if len(seen) == len(frames):
        return path
    return np.column_stack([np.interp(frames, seen, side) for side in path.T])
