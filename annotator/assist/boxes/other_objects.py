"""Boxes of other objects in a video, which prevent identity switches.

A tracker that follows one of several equal cups may switch to another one that passes in front. The
known boxes of the other cups show which places are theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, iou
from annotator.assist.boxes.colors import Palette, coarser, contrasts
from annotator.assist.pictures import View

SAME_IOU: Final = 0.5
"""IoU from which on two boxes show the same thing."""
SURE_CONFIDENCE: Final = 0.9
"""Confidence from which on an object does not avoid look-alikes."""
SWITCH_FACTOR: Final = 0.6
"""Factor of confidence after a possible identity switch."""
_ALIKE: Final = 0.7  # share of the contrast of an object that another one must have
_LEAST_CONTRAST: Final = 0.2
FREE_IOU: Final = 0.3
"""IoU up to which two boxes count as separate."""
_ALL_LOST: Final = 0.9  # IoU with a look-alike at which a candidate loses all of its predicted IoU


class OtherObjects(NamedTuple):
    """Boxes of other objects: [m, n, 4] in image pixels from a frame on, NaN where unknown."""

    start: int = 0
    boxes: Box4 = np.zeros((0, 0, 4))

    def not_overlapping(self, anchors: Iterable[tuple[int, Box4]]) -> OtherObjects:
        """Return those that do not overlap the object on frames where its box [4] is known."""
        is_clear = np.ones(len(self.boxes), np.bool_)
        for frame, box in anchors:
            is_clear &= iou(self.at(frame), box) < FREE_IOU
        return self._replace(boxes=self.boxes[is_clear])

    def lookalikes(self, view: View, frame: int, box: Box4) -> OtherObjects:
        """Return those with the colors of the object in a box [4] of a frame, image pixels."""
        if not len(self.boxes):
            return self
        coarse = coarser(view, view.inward(box))
        image, boxes = coarse.picture(frame), np.concatenate([box[None], self.at(frame)])
        palette = Palette(image, coarse.inward(box))
        contrast = contrasts([palette], image, coarse.inward(boxes))
        return self._replace(boxes=self.boxes[stands_out_alike(contrast[0], contrast[1:])])

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

    def doubt(self, frame: int, box: Box4) -> float:
        """Return by what to multiply the confidence of a box [4]: 0.6 if it is that of another."""
        return SWITCH_FACTOR if self.overlap(frame, box[None])[0] >= SAME_IOU else 1.0

    def overlap_along(self, frames: Sequence[int], boxes: Box4) -> Floats:
        """Return the same for paths [k, n, 4] over frames, [k, n]."""
        if not len(self.boxes):
            return np.zeros(boxes.shape[:2])
        others = np.stack([self.at(frame) for frame in frames], axis=1)
        return np.asarray(iou(boxes[:, None], others[None]).max(axis=1))


NO_OTHERS: Final = OtherObjects()


def stands_out_alike(own: float, others: Floats) -> NDArray[np.bool_]:
    """Return which places [k] have nearly the contrast in the colors of an object that it has."""
    return others >= max(_ALIKE * own, _LEAST_CONTRAST)


def penalty(overlap: Floats) -> Floats:
    """Return what to subtract from predicted IoU, 0..1, for IoU with a look-alike; any shape."""
    return np.clip((overlap - FREE_IOU) / (_ALL_LOST - FREE_IOU), 0.0, 1.0)
