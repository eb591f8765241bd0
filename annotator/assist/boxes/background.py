"""The still picture behind all that moves, where the camera stands still and little moves."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import cv2
import numpy as np

from annotator.assist.boxes.arrays import Box4, Floats, Ints
from annotator.assist.pictures import Image, LazyImage, Pictures, View
from annotator.assist.protocol import Cancel

_PART_FRAMES: Final = 32  # neighboring frames that share a background
_SPACING: Final = 24  # frames between the five pictures whose median it is, fewer in short videos
_LEAST_SPACING: Final = 8
_BEFORE: Final = 32  # frames of a part's first frame from the first of the five
_MOST_PARTS: Final = 4  # in memory
_LEAST_CONTRAST: Final = 22  # of 255, in any of the three colors
_COARSE: Final = 4  # every so many pixels are looked at to see whether the camera stands still
_CALM_SHARE: Final = 0.05  # of a picture that differs from the background, at most
_LEAST_FILLED: Final = 0.1  # of an object's box that differs from the background
_EMPTY: Final = 0.5  # of that share


class Background:
    """The still picture behind all that moves, where the camera stands still and little moves."""

    def __init__(self, pictures: Pictures, view: View, cancel: Cancel) -> None:
        """Once canceled there is none."""
        self._view, self._n_frames, self._cancel = view, len(pictures), cancel
        self._fits = pictures.can_hold(4 * _SPACING + 1, view.level)
        self._parts: OrderedDict[int, Image | None] = OrderedDict()

    def differing(self, frame: int, low: Floats, high: Floats) -> Image | None:
        """Return which pixels of a frame differ from the background, uint8 [h, w] of 0 and 1.

        ``low`` and ``high`` are corners of the part looked at, whole pixels of the view. None
        where there is no background.
        """
        background = self.at(frame)
        if background is None:
            return None
        mask = _mask(self._view.picture(frame), background, low.astype(int), high.astype(int))
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))

    def at(self, frame: int) -> Image | None:
        """Return the background around a frame, if any.

        It is RGB, uint8 [height, width, 3] of the view.
        """
        part = frame // _PART_FRAMES
        if part not in self._parts:
            self._parts[part] = self._computed(part * _PART_FRAMES, frame) if self._fits else None
            while len(self._parts) > _MOST_PARTS:
                self._parts.popitem(last=False)
        return self._parts[part]

    def _computed(self, start: int, frame: int) -> Image | None:
        """Return the median of five pictures around a part's first frame; None if much differs.

        It is RGB, uint8 [height, width, 3] of the view. ``frame`` is the one that is read next.
        """
        spacing = min(_SPACING, (self._n_frames - 1) // 4)
        if spacing < _LEAST_SPACING:
            return None
        first = min(max(start - _BEFORE, 0), self._n_frames - 1 - 4 * spacing)
        samples = range(first, first + 4 * spacing + 1, spacing)
        # Frames in order are decoded once. Two pictures are enough to notice most camera motion,
        # but light may flash in one of them where the camera stood still before.
        near = samples[2:4] if frame < samples[3] else samples[3:5]
        if not self._holds(range(min(frame, near[0]), near[-1] + 1)):
            return None
        was_still = any(background is not None for background in self._parts.values())
        if not was_still and _changed_share(*map(self._view.color, near)) > _CALM_SHARE:
            return None
        if not self._holds(range(samples[0], samples[-1] + 1)):
            return None
        images = [self._view.color(f) for f in samples]
        background = _median_of_five(images)
        shares = [_changed_share(image, background) for image in images]
        return background if np.median(shares) <= _CALM_SHARE else None

    def _holds(self, frames: range) -> bool:
        """Read frames ahead of their use; False if canceled."""
        for frame in frames:
            if self._cancel():
                return False
            self._view.hold(frame)
        return True


class EmptyPlaces:
    """Places that look as on a frame on which an object was elsewhere: it is not there.

    The background alone would not tell, since an object that rests for long becomes part of it.
    """

    def __init__(self, background: Background, view: View) -> None:
        self._background, self._view = background, view
        self._without: Image | None = None
        self._filled = 0.0

    def start(self, frame: int, box: Box4) -> None:
        """Learn from a box [4] in image pixels how much of it is the object."""
        background = self._background.at(frame)
        if background is None:
            return
        self._without = self._view.color(frame).copy()
        (x1, y1), (x2, y2) = self._corners(box)
        self._without[y1:y2, x1:x2] = background[y1:y2, x1:x2]
        self._filled = self._share(frame, box)

    def include(self, frame: int, box: Box4) -> bool:
        """Whether a box [4] in image pixels shows much less of an object than the first box."""
        return self._filled >= _LEAST_FILLED and self._share(frame, box) < _EMPTY * self._filled

    def _share(self, frame: int, box: Box4) -> float:
        """Return the share of a box [4] that differs from the picture without the object, 0..1."""
        if self._without is None:
            return 0.0
        mask = _mask(self._view.picture(frame), self._without, *self._corners(box))
        return float(mask.mean())

    def _corners(self, box: Box4) -> tuple[Ints, Ints]:
        """Return corners [2] of a box [4] in pixels of the view, at least one pixel apart."""
        inside, size = self._view.inward(box), np.array(self._view.size)
        low = np.clip(np.floor(inside[:2]), 0, size - 1).astype(int)
        return low, np.clip(np.ceil(inside[2:]), low + 1, size).astype(int)


def _mask(image: LazyImage, background: Image, low: Ints, high: Ints) -> Image:
    """Return where an image differs from a background between two corners [2], uint8 [h, w]."""
    (x1, y1), (x2, y2) = low, high
    here, behind = (cv2.blur(each[y1:y2, x1:x2], (3, 3)) for each in (image, background))
    return _differs(np.asarray(here), np.asarray(behind))


def _median_of_five(images: list[Image]) -> Image:
    """Return the median of five images, uint8 [h, w, 3], at every pixel."""
    a, b, c, d, e = images
    low = np.maximum(np.minimum(a, b), np.minimum(c, d))
    high = np.minimum(np.maximum(a, b), np.maximum(c, d))
    return np.asarray(np.maximum(np.minimum(low, high), np.minimum(np.maximum(low, high), e)))


def _differs(one: Image, other: Image) -> Image:
    """Return where two images differ in one of their colors, uint8 [h, w] of 0 and 1."""
    is_alike = cv2.inRange(cv2.absdiff(one, other), (0, 0, 0), (_LEAST_CONTRAST,) * 3)
    return np.asarray(is_alike == 0, np.uint8)


def _changed_share(one: Image, other: Image) -> float:
    """Return the share of the pixels that differ, 0..1, looking at one in sixteen."""
    coarse = (np.ascontiguousarray(image[::_COARSE, ::_COARSE]) for image in (one, other))
    return float(_differs(*coarse).mean())
