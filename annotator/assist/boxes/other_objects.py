"""Other objects of a video: where they are, an object that looks like them is not.

Trackers that follow one of several equal cups change over to another one that passes in front. The
box of an object that is tracked already tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from annotator.assist.boxes.arrays import Box4, Floats, iou
from annotator.assist.boxes.colors import Palette, coarser, contrasts
from annotator.assist.pictures import View

TAKEN: Final = 0.5
"""IoU with another object from which on a box is that object's."""
SURE: Final = 0.9
"""Confidence from which on an object keeps its box, whatever lies on it."""
MIXED_UP: Final = 0.6
"""Factor of confidence where an object may be another one that looks like it."""
_ALIKE: Final = 0.7  # share of the contrast of an object that another one must have
_LEAST_CONTRAST: Final = 0.2
FREE: Final = 0.3
"""IoU up to which a box is not the other object's at all."""
_ALL_LOST: Final = 0.9  # IoU with another object at which a candidate has no chance


class OtherObjects(NamedTuple):
    """Boxes of other objects: [m, n, 4] in image pixels from a frame on, NaN where unknown."""

    start: int = 0
    boxes: Box4 = np.zeros((0, 0, 4))

    def apart_from(self, anchors: Iterable[tuple[int, Box4]]) -> OtherObjects:
        """Return those that do not lie on the object itself where its box [4] is known."""
        is_apart = np.ones(len(self.boxes), np.bool_)
        for frame, box in anchors:
            is_apart &= iou(self.at(frame), box) < FREE
        return self._replace(boxes=self.boxes[is_apart])

    def that_look_like(self, view: View, frame: int, box: Box4) -> OtherObjects:
        """Return those that have the colors of what is in a box [4], image pixels, of a frame."""
        if not len(self.boxes):
            return self
        coarse = coarser(view, view.inward(box))
        image, boxes = coarse.color(frame), np.concatenate([box[None], self.at(frame)])
        palette = Palette(image, coarse.inward(box))
        own, *others = contrasts([palette], image, coarse.inward(boxes))
        is_alike = np.array(others) >= max(_ALIKE * own, _LEAST_CONTRAST)
        return self._replace(boxes=self.boxes[is_alike])

    def at(self, frame: int) -> Box4:
        """Return the boxes on a frame, [m, 4]."""
        i = frame - self.start
        if not 0 <= i < self.boxes.shape[1]:
            return np.full((len(self.boxes), 4), np.nan)
        return self.boxes[:, i]

    def overlap(self, frame: int, boxes: Box4) -> Floats:
        """Return the greatest IoU of each box [k, 4] with another object on a frame, [k]."""
        if not len(self.boxes):
            return np.zeros(len(boxes))
        return np.asarray(iou(boxes[:, None], self.at(frame)[None]).max(axis=1))

    def overlap_along(self, frames: Sequence[int], boxes: Box4) -> Floats:
        """Return the same for paths [k, n, 4] over frames, [k, n]."""
        if not len(self.boxes):
            return np.zeros(boxes.shape[:2])
        others = np.stack([self.at(frame) for frame in frames], axis=1)
        return np.asarray(iou(boxes[:, None], others[None]).max(axis=1))


NO_OTHERS: Final = OtherObjects()


def penalty(overlap: Floats) -> Floats:
    """Return what a candidate loses of its predicted IoU where it lies on another object, 0..1."""
    return np.clip((overlap - FREE) / (_ALL_LOST - FREE), 0.0, 1.0)
