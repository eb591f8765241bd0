"""Fits boxes to the edges of an object, as it looks in boxes that a person drew.

Trackers follow an object, but their boxes become too large, too small, or shifted. A small network
compares the picture around such a box with the one around a box of the person, and predicts how far
each side is off. It was trained on synthetic scenes with known boxes by
``tests/benchmarks/train_box_refinement.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator import paths
from annotator.assist.boxes.arrays import Box4, Floats, center, half_size, iou
from annotator.assist.boxes.colors import Palette
from annotator.assist.boxes.path import Chosen
from annotator.assist.pictures import Image, View
from annotator.assist.protocol import Cancel
from annotator.assist.score_fitting import box_weights, chance

_CROP_PX: Final = 64
_CONTEXT: Final = 2.0  # size of what the network sees, in sizes of the box
_INNER: Final = _CROP_PX / 2 + np.array([-1, -1, 1, 1]) * _CROP_PX / (2 * _CONTEXT)
_MOST_LOOKS: Final = 2
_CONFIDENCES: Final = (0.002, 0.998)
_MOST_ERROR: Final = 1.0
_USABLE_ERROR: Final = 0.08
_SAME_IOU: Final = 0.3
_MOST_GROWTH: Final = 1.03  # from frame to frame
_LEAST_CHANGE_PX: Final = 0.01


class Refined(NamedTuple):
    """A box [4] in image pixels, and how far its sides are expected to be off, in box sizes.

    It is the box of before where the network is not sure.
    """

    box: Box4
    error: float


class Look:
    """An object in a box that a person drew; ``image`` is what the network sees of it.

    Images are [64, 64, 4]: RGB, and how likely each pixel has a color of the object, 0..255.
    """

    def __init__(self, view: View, frame: int, box: Box4) -> None:
        """Take the box [4] of a frame, in image pixels."""
        image = surroundings(view, frame, box)
        self._palette = Palette(image, _INNER)
        self.image = self._with_chances(image)

    def beside(self, view: View, frame: int, box: Box4) -> Image:
        """Return what the network sees around another box [4]."""
        return self._with_chances(surroundings(view, frame, box))

    def _with_chances(self, image: Image) -> Image:
        return np.dstack([image, np.asarray(self._palette.chances(image) * 255, np.uint8)])


class BoxRefiner:
    """Fits boxes to an object that a person drew on some frames."""

    def __init__(self, view: View, looks: Sequence[tuple[int, Box4]]) -> None:
        """Take at least one frame with the box [4] of the object there, in image pixels."""
        self._view = view
        self._looks = [Look(view, *look) for look in looks[:_MOST_LOOKS]]
        self._network = cv2.dnn.readNetFromONNX(_network())

    def refine(self, frame: int, box: Box4) -> Refined:
        """Return a box [4], image pixels, with its sides moved to the edges of the object."""
        if not np.isfinite(box).all():
            return Refined(box, np.inf)
        pairs = [
            np.dstack([look.image, look.beside(self._view, frame, box)]) for look in self._looks
        ]
        self._network.setInput(_input(np.array(pairs)))
        moves, errors = np.split(np.asarray(self._network.forward(), np.float64), 2, axis=1)
        weights = np.exp(-errors)
        moved = (moves * weights).sum(axis=0) / weights.sum(axis=0)
        refined = box + moved * np.tile(2 * half_size(box), 2)
        error = float(np.exp(errors).mean(axis=1).min())
        is_usable = error < _USABLE_ERROR and iou(refined, box) > _SAME_IOU
        return Refined(np.asarray(refined if is_usable else box), error)


def refine_path(view: View, frames: Sequence[int], chosen: Chosen, cancel: Cancel) -> Chosen:
    """Return a path between two boxes of a person with each box fitted to the object.

    Boxes of hidden objects stay, and all that follow once it is canceled.
    """
    before, path, errors = chosen.path, chosen.path.copy(), np.full(len(frames), np.nan)
    refiner = BoxRefiner(view, [(frames[0], path[0]), (frames[-1], path[-1])])
    seen = (np.flatnonzero(~chosen.is_hidden[1:-1]) + 1).tolist()
    for i in seen:
        if cancel():
            break
        refined, errors[i] = refiner.refine(frames[i], path[i])
        path[i] = steadied(refined, before[i], path[i - 1])
    for i in reversed(seen):
        path[i] = steadied(path[i], before[i], path[i + 1])
    is_done = ~np.isnan(errors)
    sure = chosen.confidence.copy()
    sure[is_done] = refined_confidence(
        sure[is_done], errors[is_done], box_weights().refined.between
    )
    return chosen._replace(path=path, confidence=sure)


def steadied(refined: Box4, before: Box4, last: Box4) -> Box4:
    """Return a box [4] that does not change its size much since the last frame.

    What covers a part of an object makes its ``refined`` box smaller at once; a tracker's box,
    ``before``, drifts slowly. The result lies between both.
    """
    size, old, new = (2 * half_size(box) for box in (last, before, refined))
    allowed = np.clip(new, size / _MOST_GROWTH, size * _MOST_GROWTH)
    share = np.ones(2)
    np.divide(allowed - old, new - old, out=share, where=np.abs(new - old) > _LEAST_CHANGE_PX)
    return np.asarray(before + (refined - before) * np.tile(np.clip(share, 0.0, 1.0), 2))


def refined_confidence(before: Floats, errors: Floats, fitted: Sequence[float]) -> Floats:
    """Return the chance [n] of IoU >= 0.7, given the confidence before and expected errors [n]."""
    return chance(refined_rows(before, errors), fitted)


def refined_rows(before: Floats, errors: Floats) -> Floats:
    """Return the features of that chance, [n, 3]: constant, log odds, log of the error."""
    odds = np.clip(before, *_CONFIDENCES)
    rows = [np.ones_like(odds), np.log(odds / (1 - odds)), np.log(np.minimum(errors, _MOST_ERROR))]
    return np.column_stack(rows)


def surroundings(view: View, frame: int, box: Box4) -> Image:
    """Return a box [4], image pixels, and its surroundings as RGB [64, 64, 3]."""
    picture, inward = view.picture(frame), view.inward(box)
    middle, half = center(inward), _CONTEXT * np.maximum(half_size(inward), 2.0)
    limit = np.array(picture.shape[1::-1])
    x1, y1 = low = np.clip(np.floor(middle - half) - 2, 0, limit - 1).astype(int)
    x2, y2 = np.clip(np.ceil(middle + half) + 2, low + 1, limit).astype(int)
    scale = _CROP_PX / (2 * half)
    shift = _CROP_PX / 2 - scale * (middle - low) - 0.5
    placed = np.array([[scale[0], 0.0, shift[0]], [0.0, scale[1], shift[1]]])
    size, border = (_CROP_PX, _CROP_PX), cv2.BORDER_REPLICATE
    image = picture[y1:y2, x1:x2]
    crop = cv2.warpAffine(image, placed, size, flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(crop, np.uint8)


def _input(pairs: Image) -> NDArray[np.float32]:
    """Return pairs of images, [n, 64, 64, 8], as the network was trained: [n, 8, 64, 64].

    First RGB of both, then the chances.
    """
    ordered = pairs[..., [0, 1, 2, 4, 5, 6, 3, 7]].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(ordered / 255 - 0.5, np.float32)


@cache
def _network() -> NDArray[np.uint8]:
    """Return the network that comes with the program, as bytes of an ONNX file."""
    return np.frombuffer(paths.resource("models", "box-refinement.onnx").read_bytes(), np.uint8)
