"""One-way tracker: CSRT, a correlation filter that weighs its channels and the object's shape."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from annotator.assist.boxes.arrays import Box4, Floats, centre, half_size, side
from annotator.assist.pictures import Image, View

_TEMPLATE_PX: Final = 110.0
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
        """Follow to a neighbouring frame; return the box and 1, or the last box and 0 if lost."""
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
        self._corner: Floats = np.floor(np.clip(centre(self._box) - reach, 0, size - 1))
        self._far: Floats = np.ceil(np.clip(centre(self._box) + reach, self._corner + 1, size))
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
        self._tracker = cv2.TrackerCSRT.create(parameters)
        (x, y), (w, h) = (int(v) for v in low), (int(v) for v in high - low)
        try:
            self._tracker.init(region, (x, y, w, h))
        except cv2.error:
            self._is_alive = False

    def _region(self, frame: int) -> Image:
        (x1, y1), (x2, y2) = self._corner.astype(int), self._far.astype(int)
        cut = self._view.colour(frame)[y1:y2, x1:x2]
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
