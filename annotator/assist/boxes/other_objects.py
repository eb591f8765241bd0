"""Other objects in a video, which trackers may switch to.

A tracker that follows one of several equal cups soon follows another one that passes in front. The
known boxes of the other cups show which places are theirs. Those that nobody has drawn are followed
along: all equal things are found in every picture, and motion tells which is which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.appearance import Pattern
from annotator.assist.boxes.arrays import (
    NOWHERE,
    Box4,
    Floats,
    Ints,
    around,
    center,
    half_size,
    iou,
)
from annotator.assist.boxes.colors import Palette, coarser, contrast_map, contrasts
from annotator.assist.pictures import Image, View

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

_BLUR: Final = 1.0  # pixels of the view
_PEAK: Final = 0.15  # sizes around a place in which none fits better
_MOST_PLACES: Final = 30
_LEAST_FIT: Final = 0.8  # of 2
_EQUAL_FIT: Final = 1.6  # of one of those that look like it
_ALIKE_FIT: Final = 1.3  # of all others, if there is such a one
_START_REACH: Final = 8.0  # sizes around the box in which equal things are looked for
_REACH: Final = 1.0  # sizes from where something is expected
_REACH_GROWTH: Final = 0.1  # for each frame without it
_UNSEEN_COST: Final = 0.35  # in sizes, of what was covered: the one in front stays itself
_FIT_COST: Final = 0.7  # of each 1 that a place fits less
_NO_PLACE_COST: Final = 2.0  # of being covered
_PATIENCE: Final = 0.05  # more of that for each frame
_LEARNING: Final = 0.9  # share of the last step in the speed
_SLOWING: Final = 0.92  # of what is covered, per frame
_BACK_SLOWING: Final = 0.5  # of what is found again
_IMPOSSIBLE: Final = 50.0


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


class Place(NamedTuple):
    """The box [4] of one of several equal things in image pixels, and how well it fits, up to 2.

    Where it is covered it is expected there, and its fit is 0.
    """

    box: Box4
    fit: float


class Lookalikes:
    """An object and all that look like it around, followed together.

    Places that fit the colors and the pattern of the object are found in each picture. Each thing
    goes on at its speed, and no two are at the same place: one for which there is none is covered
    and expected on its way. All have the size of the first box.
    """

    def __init__(self, view: View, frame: int, box: Box4) -> None:
        """Find what looks like the object in a box [4] of a frame, image pixels."""
        self._view = coarser(view, view.inward(box))
        inside, self._half = self._view.inward(box), half_size(box)
        limit = np.array(self._view.size)
        low = np.clip(np.round(inside[:2]).astype(int), 0, np.maximum(limit - 3, 0))
        high = np.clip(np.round(inside[2:]).astype(int), np.minimum(low + 3, limit), limit)
        self._pattern, self._size = Pattern(self._blurred(frame, low, high)), high - low
        # Of a box that the border cuts a part is looked for.
        self._offset = center(box) - center(self._view.outward(np.concatenate([low, high])))
        picture = self._view.picture(frame)
        self._palette = Palette(picture, inside)
        own = contrasts([self._palette], picture, inside[None])[0]
        self._own_contrast = max(float(own), _LEAST_CONTRAST)
        places, fits = self._places(frame, center(box)[None], _START_REACH)
        is_other = (fits >= _ALIKE_FIT) & (iou(around(places, self._half), box) < FREE_IOU)
        is_other &= fits[is_other].max(initial=0.0) >= _EQUAL_FIT
        self._middles = np.concatenate([center(box)[None], places[is_other]])
        self._speeds = np.zeros_like(self._middles)
        self._fits = np.full(len(self._middles), 2.0)
        self._n_unseen = np.zeros(len(self._middles), int)

    def __len__(self) -> int:
        """Return how many there are, without the object."""
        return len(self._middles) - 1

    @property
    def own(self) -> Place:
        """Where the object is."""
        return Place(around(self._middles[0], self._half), float(self._fits[0]))

    @property
    def best_fit(self) -> float:
        """How well any of them fits, up to 2."""
        return float(self._fits.max())

    @property
    def other_boxes(self) -> Box4:
        """Boxes [k, 4] of the others in image pixels, NaN of those that are covered."""
        boxes = around(self._middles[1:], self._half)
        return np.where(self._n_unseen[1:, None] == 0, boxes, NOWHERE)

    def step(self, frame: int, taken: Box4 = NOWHERE[None]) -> None:
        """Follow all of them to a neighboring frame.

        The object is at none of the boxes [m, 4] that are ``taken`` there, image pixels.
        """
        from scipy.optimize import linear_sum_assignment

        expected, unseen = self._middles + self._speeds, self._n_unseen
        patience = _NO_PLACE_COST + _PATIENCE * unseen
        places, fits = self._places(frame, expected, patience.max())
        far = np.hypot(*np.moveaxis((places - expected[:, None]) / (2 * self._half), -1, 0))
        cost = far + _UNSEEN_COST * (unseen > 0)[:, None] + _FIT_COST * (2 - fits)
        cost[far > (_REACH + _REACH_GROWTH * unseen)[:, None]] = _IMPOSSIBLE
        boxes = around(places, self._half)[:, None]
        cost[0, iou(boxes, taken).max(axis=1, initial=0.0) >= SAME_IOU] = _IMPOSSIBLE
        nowhere = np.tile(patience[:, None], len(expected))
        rows, columns = linear_sum_assignment(np.concatenate([cost, nowhere], axis=1))
        is_seen = columns < len(places)
        seen, covered = rows[is_seen], rows[~is_seen]
        steps = places[columns[is_seen]] - self._middles[seen]
        was_seen = (unseen[seen] == 0)[:, None]
        before = self._speeds[seen]
        learned = before + _LEARNING * (steps - before)
        self._speeds[seen] = np.where(was_seen, learned, _BACK_SLOWING * before)
        self._middles[seen] += steps
        self._n_unseen[seen] = 0
        self._fits[seen], self._fits[covered] = fits[columns[is_seen]], 0.0
        self._middles[covered] = expected[covered]
        self._speeds[covered] *= _SLOWING
        self._n_unseen[covered] += 1

    def correct(self, box: Box4) -> None:
        """Take over where the object is from trackers that are sure, box [4] in image pixels."""
        self._middles[0], self._n_unseen[0] = center(box), 0

    def _places(self, frame: int, around_them: Floats, reach: float) -> tuple[Floats, Floats]:
        """Return the centers [m, 2] of places that fit, image pixels, and how well, [m], up to 2.

        They are looked for ``reach`` sizes around some centers [k, 2].
        """
        spread = (1 + reach) * 2 * self._half
        corners = [around_them.min(axis=0) - spread, around_them.max(axis=0) + spread]
        region, limit = self._view.inward(np.concatenate(corners)), np.array(self._view.size)
        low = np.clip(np.floor(region[:2]).astype(int), 0, limit)
        high = np.clip(np.ceil(region[2:]).astype(int), low, limit)
        if (high - low < self._size).any():
            return np.zeros((0, 2)), np.zeros(0)
        fit = self._fit_map(frame, low, high)
        window = np.maximum(3, (_PEAK * self._size.min()).astype(int) | 1)
        is_peak = fit >= np.maximum(cv2.dilate(fit, np.ones((window, window))), _LEAST_FIT)
        rows, columns = np.nonzero(is_peak)
        best = np.argsort(-fit[rows, columns], kind="stable")[:_MOST_PLACES]
        corner = np.column_stack([columns, rows])[best] + low
        boxes = self._view.outward(np.concatenate([corner, corner + self._size], axis=1))
        fits = _without_echoes(boxes, fit[rows, columns][best].astype(np.float64))
        is_place = fits >= _LEAST_FIT
        return center(boxes[is_place]) + self._offset, fits[is_place]

    def _fit_map(self, frame: int, low: Ints, high: Ints) -> NDArray[np.float32]:
        """Return how well the object fits at each place between two corners [2], up to 2.

        It is [h, w] by the top-left pixel of the place.
        """
        part = self._blurred(frame, low, high)
        pattern = self._pattern.fit_map(part)
        contrast = contrast_map(self._palette.chances(part), self._size)
        x, y = self._size // 2
        height, width = pattern.shape
        share = contrast[y : y + height, x : x + width] / self._own_contrast
        return np.asarray(np.clip(pattern, 0, 1) + np.clip(share, 0, 1), np.float32)

    def _blurred(self, frame: int, low: Ints, high: Ints) -> Image:
        """Return a picture between two corners [2], pixels of the view, without its noise."""
        (x1, y1), (x2, y2) = low, high
        part = self._view.picture(frame)[y1:y2, x1:x2]
        return np.asarray(cv2.GaussianBlur(part, (0, 0), _BLUR))


def _without_echoes(boxes: Box4, fits: Floats) -> Floats:
    """Return how well places fit, [k], less where they overlap better ones.

    ``boxes`` [k, 4] in image pixels are the best first, ``fits`` [k] up to 2. A pattern resembles
    itself a little farther on: what is nearly as good as the place it overlaps is another thing.
    """
    own = fits.copy()
    for i in range(1, len(boxes)):
        better = boxes[:i][own[:i] >= _LEAST_FIT]
        own[i] *= np.sqrt(1 - iou(better, boxes[i]).max())
    return own
