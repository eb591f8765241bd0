"""Search for an object in the whole picture, where trackers have lost it.

The place whose colors stand out most is compared with how the object looked when it was last seen
well. A score that is fitted to synthetic scenes with known boxes by
``tests/benchmarks/train_box_paths.py`` predicts whether the object is there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from annotator.assist.boxes.appearance import Patch, likeness, patch, places_around
from annotator.assist.boxes.arrays import (
    NOWHERE,
    Box4,
    Floats,
    around,
    center,
    half_size,
    iou,
    side,
)
from annotator.assist.boxes.colors import Palette, coarser, contrasts
from annotator.assist.pictures import LazyImage, View
from annotator.assist.score_fitting import box_weights, chance

FOUND: Final = 0.8
"""Chance from which on an object counts as found, if it was found there before."""
_SAME_PLACE_IOU: Final = 0.3
_TOUCHING_IOU: Final = 0.2
_CLEARLY: Final = 0.3  # difference of chances
_SEPARATE_IOU: Final = 0.1
_STEP: Final = 0.25  # object sizes between places
_MOST_PLACES: Final = 20_000
_GROWTHS: Final = (0.85, 1.0, 1.18)
SEARCH_STEP: Final = 3
"""Frames between two searches."""
_LOOK_FRAMES: Final = 6  # sure frames in a row, of which the first one is learned
_MOST_LOOKS: Final = 8
_LEAST_CONTRAST: Final = 0.1
_FAR_FRAMES: Final = 30.0
_MOST_FRAMES: Final = 90
_SPREAD_PER_FRAME: Final = 0.05


class Match(NamedTuple):
    """A box [4] in image pixels, the chance that the object is there, 0..1, and its likeness
    to earlier looks, -1..1.
    """

    box: Box4
    chance: float
    alike: float


class ObjectSearch:
    """Learns how an object looks while it is tracked, and finds it again after it was hidden."""

    def __init__(
        self,
        view: View,
        size: tuple[int, int],
        frame: int,
        box: Box4,
        looks: Sequence[tuple[int, Box4]] = (),
    ) -> None:
        """Start with a box [4] of a frame, in image pixels; ``size`` is that of the picture.

        ``looks`` are more frames with the box of the object there.
        """
        self._view, self._size = view, size
        self.hold = view.hold
        self._coarse = coarser(view, view.inward(box))
        self._first_palette = self._palette(frame, box)
        self._first_patches = [self._patch(*look) for look in ((frame, box), *looks)]
        self._learned = deque([self._first_patches[0]], maxlen=_MOST_LOOKS)
        self._sure: list[tuple[int, Box4]] = []
        self._hits: list[Box4] = []
        self._elsewhere: float | None = None
        self._last = frame, box
        self._last_image = self._coarse.picture(frame)
        self._own = self._distraction = self._gone = 0.0
        self._palettes: list[Palette] = []

    def learn(self, frame: int, box: Box4) -> None:
        """Take in a box [4] that is surely right.

        It counts as seen well once some more of these follow: before an object is hidden a part of
        it is already.
        """
        self._hits.clear()
        self._sure.append((frame, box))
        if len(self._sure) < _LOOK_FRAMES:
            return
        self._last = frame, box = self._sure[0]
        self._last_image = self._coarse.picture(frame)
        self._learned.append(self._patch(frame, box))
        self._palettes = []
        self._sure.clear()

    def leave(self, frame: int) -> None:
        """Take in a picture without the object: what stands out there is something else."""
        self._prepare()
        self._gone = self._most_elsewhere(self._coarse.picture(frame))

    def find(self, frame: int, instead_of: Box4 | None = None) -> Match | None:
        """Return where the object is; None if it is not found.

        It must have been found at the same place at the call before. With a box [4] that trackers
        believe in, ``instead_of``, the place must be apart from it and clearly likelier.
        """
        self._sure.clear()
        match = self.likeliest(frame)
        hits, self._hits = self._hits, []
        if match is None or match.chance < FOUND:
            return None
        if instead_of is not None:
            is_clear = match.chance >= self._rated(frame, instead_of).chance + _CLEARLY
            if not is_clear or iou(match.box, instead_of) > _TOUCHING_IOU:
                return None
        self._hits = [match.box]
        return match if hits and iou(hits[0], match.box) >= _SAME_PLACE_IOU else None

    def likeliest(self, frame: int) -> Match | None:
        """Return the place in a picture whose colors stand out most; None if there is no room."""
        self._prepare()
        image, places = self._coarse.picture(frame), self._everywhere()
        if not len(places):
            return None
        best = places[int(self._contrasts(image, places).argmax())]
        near = [places_around(best, self._size, _STEP, _STEP / 2, g) for g in _GROWTHS]
        places = np.concatenate([best[None], *near])
        return self._rated(frame, places[int(self._contrasts(image, places).argmax())])

    def values(self, frame: int, box: Box4) -> Floats:
        """Return the features [8] of a box [4], image pixels, on a frame.

        A constant; contrast of colors beside the object's, as such, and beyond that of other
        places; likeness to the last look and to any; time and distance since the last look.
        """
        self._prepare()
        contrast = float(self._contrasts(self._coarse.picture(frame), box[None])[0])
        here, (last_frame, last) = self._patch(frame, box), self._last
        alike = likeness(self._learned[-1], here)
        patches = *self._first_patches, *self._learned
        n_frames = abs(frame - last_frame)
        sizes = float(np.hypot(*(center(box) - center(last)))) / side(last)
        return np.array(
            [
                1.0,
                contrast / max(self._own, _LEAST_CONTRAST),
                contrast,
                contrast - max(self._distraction, self._gone),
                alike,
                max(likeness(known_patch, here) for known_patch in patches),
                min(n_frames, _MOST_FRAMES) / _FAR_FRAMES,
                sizes / (1.0 + _SPREAD_PER_FRAME * n_frames),
            ]
        )

    def _rated(self, frame: int, box: Box4) -> Match:
        values = self.values(frame, box)
        alike = float(values[4:6].max())
        return Match(box, float(chance(values[None], box_weights().search)[0]), alike)

    def _prepare(self) -> None:
        """Measure on the frame on which it was last seen well how far its colors stand out."""
        if self._palettes:
            return
        image, box = self._last_image, self._last[1]
        self._palettes = [self._first_palette]
        if self._elsewhere is None:
            self._elsewhere = self._most_elsewhere(image, box)
        self._palettes = [self._first_palette, Palette(image, self._coarse.inward(box))]
        self._own = float(self._contrasts(image, box[None])[0])
        self._distraction = max(self._elsewhere, self._most_elsewhere(image, box))

    def _most_elsewhere(self, image: LazyImage, box: Box4 = NOWHERE) -> float:
        """Return the greatest contrast of a place in a picture that is apart from a box [4]."""
        places = self._everywhere()
        places = places[iou(places, box) < _SEPARATE_IOU]
        return float(self._contrasts(image, places).max(initial=0.0)) if len(places) else 0.0

    def _everywhere(self) -> Box4:
        """Return boxes [k, 4] of the last size all over the picture."""
        half, size = half_size(self._last[1]), np.array(self._size, np.float64)
        if (2 * half >= size).any():
            return np.empty((0, 4))
        share = max(_STEP, float(np.sqrt(size.prod() / (4 * half.prod() * _MOST_PLACES))))
        axes = [np.arange(h, s - h, 2 * h * share) for h, s in zip(half, size, strict=True)]
        return around(np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2), half)

    def _contrasts(self, image: LazyImage, boxes: Box4) -> Floats:
        return contrasts(self._palettes, image, self._coarse.inward(boxes))

    def _palette(self, frame: int, box: Box4) -> Palette:
        return Palette(self._coarse.picture(frame), self._coarse.inward(box))

    def _patch(self, frame: int, box: Box4) -> Patch | None:
        return patch(self._view.picture(frame), self._view.inward(box))
