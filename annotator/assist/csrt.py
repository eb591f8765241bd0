"""One-way tracker: CSRT, a correlation filter that weighs its channels and the object's shape."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from annotator.assist.boxes import Box4
from annotator.assist.pictures import View

_TEMPLATE_PX: Final = 110.0
_SMALLEST_PX: Final = 6


class Csrt:
    """Follows a box by appearance. Robust to change of shape; gives whole pixels of its level."""

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Learn the object; `box` is in the view's pixels."""
        self._view = view
        width, height = view.size
        low = np.clip(np.round(box[:2]), 0, [width - _SMALLEST_PX, height - _SMALLEST_PX])
        high = np.clip(np.round(box[2:]), low + _SMALLEST_PX, [width, height])
        self._offset = box - np.concatenate([low, high])
        self._box = box
        parameters = cv2.TrackerCSRT.Params()
        parameters.template_size = _TEMPLATE_PX
        self._tracker = cv2.TrackerCSRT.create(parameters)
        self._alive = True
        try:
            x, y = (int(v) for v in low)
            w, h = (int(v) for v in high - low)
            self._tracker.init(view.colour(frame), (x, y, w, h))
        except cv2.error:
            self._alive = False

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighbouring frame; return the box and 1, or the last box and 0 if lost."""
        if not self._alive:
            return self._box, 0.0
        try:
            found, (x, y, w, h) = self._tracker.update(self._view.colour(frame))
        except cv2.error:
            self._alive = False
            return self._box, 0.0
        if not found:
            return self._box, 0.0
        self._box = np.array([x, y, x + w, y + h], np.float64) + self._offset
        return self._box, 1.0
