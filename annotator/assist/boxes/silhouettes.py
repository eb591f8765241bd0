"""Objects as silhouettes: what moves in front of a background that stands still.

Animals in a tank, players, cars and people seen from a camera that does not move look different on
every frame, and like each other. But all that differs from the background is one of them, and as
long as nothing touches it its silhouette is a patch of its own, from which its box can be read.
Where two of them meet they are one patch for some frames: the silhouette of before is then laid
into that patch, near where the object is expected. A box drawn there cuts the silhouette out of it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, Ints, center, half_size, iou
from annotator.assist.boxes.path import Chosen
from annotator.assist.pictures import Image, Pictures, View
from annotator.assist.protocol import Cancel

_PART_FRAMES: Final = 32  # neighboring frames that share a background
_SPACING: Final = 24  # frames between the five pictures whose median it is, fewer in short videos
_LEAST_SPACING: Final = 8
_BEFORE: Final = 32  # frames of a part's first frame from the first of the five
_MOST_PARTS: Final = 4  # in memory
_LEAST_CONTRAST: Final = 22  # of 255, in any of the three colors
_COARSE: Final = 4  # every so many pixels are looked at to see whether the camera stands still
_CALM_SHARE: Final = 0.05  # of a picture that differs from the background, at most
_LEAST_PX: Final = 6  # square pixels of a patch
_LEAST_SHARE: Final = 0.1  # of the largest patch of an object
_PADDING: Final = 0.15  # box sizes that patches of an object may lie outside of its box
_FITTING_IOU: Final = 0.8  # of a silhouette and the box it belongs to
_FITTING_SHARE: Final = 0.2  # or no side is farther off than this share of its longest side,
_FITTING_PX: Final = (4.0, 12.0)  # at least and at most so many pixels of the image
_OUTWARD: Final = np.array([-1.0, -1.0, 1.0, 1.0])
_MOST_SHRUNK: Final = 0.5  # of half a silhouette's size, by a box that was drawn smaller
_GROWTH: Final = (0.7, 1.35)  # of the area, against its mean so far
_MEMORY: Final = 0.9  # share of the mean of before
_REACH: Final = 0.6  # sizes that an object may be from where it is expected
_TURN: Final = 0.7  # and its last steps
_MOST_JOINED: Final = 25  # frames of a meeting
_JOINED_GROWTH: Final = 1.2  # of the area of before, at most, of what has parted from the others
_JOINED_REACH: Final = 0.2  # sizes from where it is expected that it is looked for in a meeting
_JOINED_TURN: Final = 10.0  # degrees per frame
_JOINED_COST: Final = 0.5  # of a distance of one size, in shares of the silhouette
_JOINED_TURN_COST: Final = 0.05  # of a turn
_JOINED_CONFIDENCE: Final = 0.5
_PART_LEARNING: Final = 0.3  # share of a new step in the speed of what was never alone
_PART_CONFIDENCE: Final = 0.3  # of what was never alone, since it may be part of a body
_EXCHANGE: Final = 0.02  # chance per frame of a meeting to go on with the other one

SAME_PLACE_IOU: Final = 0.7
ONE_WAY_CONFIDENCE: Final = 0.92
SURE_OTHERWISE: Final = 0.9  # confidence of trackers that a silhouette of one pass does not outdo
_BOTH_WAYS_CONFIDENCE: Final = 0.95


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
        background = self._of(frame)
        if background is None:
            return None
        (x1, y1), (x2, y2) = low.astype(int), high.astype(int)
        here, behind = (
            cv2.blur(image[y1:y2, x1:x2], (3, 3))
            for image in (self._view.picture(frame), background)
        )
        mask = _differs(np.asarray(here), np.asarray(behind))
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))

    def _of(self, frame: int) -> Image | None:
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
        # Frames in order are decoded once. Two pictures are enough to notice most camera motion.
        near = samples[2:4] if frame < samples[3] else samples[3:5]
        if not self._holds(range(min(frame, near[0]), near[-1] + 1)):
            return None
        if _changed_share(*(self._view.color(f) for f in near)) > _CALM_SHARE:
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


class _Patch(NamedTuple):
    """A silhouette in pixels of the view.

    ``box`` [4], ``area`` in square pixels, ``middle``: center of gravity [2], ``shape``: its pixels
    in the box, uint8 [height, width] of 0 and 1.
    """

    box: Box4
    area: float
    middle: Floats
    shape: Image


class Sighting(NamedTuple):
    """The box [4] of a silhouette in image pixels, and the chance that it is the object's, 0..1."""

    box: Box4
    confidence: float


class Silhouette:
    """Follows the silhouette of one object, also through meetings with others."""

    def __init__(self, background: Background, view: View) -> None:
        self._background, self._view = background, view
        self._last: _Patch | None = None

    def start(self, frame: int, box: Box4) -> None:
        """Take hold of the object with a box [4] in image pixels.

        Its silhouette is what fits the box: patches of its own, or else the part of a patch that
        the box cuts out, where it touches others.
        """
        inside = self._view.inward(box)
        pad = _PADDING * 2 * half_size(inside)
        low, high = inside[:2] - pad, inside[2:] + pad
        near = self._patches(frame, inside, _length(inside))
        on_it = [p for p in near if (p.middle >= low).all() and (p.middle <= high).all()]
        most = max((p.area for p in on_it), default=0.0)
        patch, is_part = _union([p for p in on_it if p.area >= _LEAST_SHARE * most]), False
        margin = self._margin_around(patch, box)
        if margin is None:
            patch, is_part = _cut_by(inside, near), True
            margin = self._margin_around(patch, box)
        self._last = None
        if patch is not None and margin is not None:
            self._last, self._margin, self._is_part = patch, margin, is_part
            self._area, self._velocity = patch.area, np.zeros(2)
            self._is_first = True
            self._n_joined, self._confidence = int(is_part), ONE_WAY_CONFIDENCE
            self._note_others(near, patch)

    def step(self, frame: int) -> Sighting | None:
        """Return the box on a neighboring frame; None from where it is lost on.

        It is lost where it leaves the picture, is covered, or rests for long, alone or with others.
        """
        last = self._last
        if last is None:
            return None
        length, speed = _length(last.box), float(np.hypot(*self._velocity))
        patches = self._patches(frame, last.box + np.tile(self._velocity, 2), length + 2 * speed)
        patch, confidence = self._alone(patches, last), self._confidence
        if patch is not None:
            self._advance(last, patch)
            confidence = self._confidence
        elif self._n_joined < _MOST_JOINED:
            patch = self._inside(patches, last)
            if patch is not None and self._is_part:
                moved = patch.middle - last.middle
                self._velocity += _PART_LEARNING * (moved - self._velocity)
            self._n_joined += 1
            limit = _PART_CONFIDENCE if self._is_part else _JOINED_CONFIDENCE
            confidence = min(confidence, limit)
        self._last = patch
        if patch is None:
            return None
        self._note_others(patches, patch)
        box = self._view.outward(patch.box)
        least_margin = np.tile(half_size(box), 2) * -_MOST_SHRUNK
        box = np.asarray(box + np.maximum(self._margin, least_margin) * _OUTWARD)
        return Sighting(box, confidence)

    def _margin_around(self, patch: _Patch | None, box: Box4) -> Floats | None:
        """Return how far each side [4] of a box is outside of a patch; None if they do not fit."""
        return None if patch is None else _margin(self._view.outward(patch.box), box)

    def _alone(self, patches: list[_Patch], last: _Patch) -> _Patch | None:
        """Return the patch of the object; None where it touches something or is not to be seen."""
        least, most = _GROWTH[0] * self._area, self._most()
        expected = last.box + np.tile(self._velocity, 2)
        parts = [p for p in patches if p.area < least and _is_within(p.middle, expected)]
        whole = [p for p in (*patches, _union(parts)) if p and least <= p.area <= most]
        place = last.middle + self._velocity
        farthest = _REACH * _length(last.box) + _TURN * float(np.hypot(*self._velocity))
        best, best_distance = None, farthest
        for patch in whole:
            distance = _distance(patch.middle, place)
            to_others = [_distance(patch.middle, other) for other in self._others]
            if distance <= min([best_distance, *to_others]):
                best, best_distance = patch, distance
        return best

    def _most(self) -> float:
        """Return from which area on a patch is more than the object, in square pixels."""
        return (_JOINED_GROWTH if self._n_joined else _GROWTH[1]) * self._area

    def _note_others(self, patches: list[_Patch], own: _Patch) -> None:
        """Remember where others are alone: what is nearer to one of them later is that one."""
        most = _GROWTH[1] * self._area
        self._others = [
            p.middle for p in patches if p.area <= most and not _is_within(p.middle, own.box)
        ]

    def _advance(self, last: _Patch, patch: _Patch) -> None:
        """Learn from the patch of the object how fast it moves and how large it is."""
        moved = patch.middle - last.middle
        self._velocity = moved if self._is_first else (self._velocity + moved) / 2
        self._area = _MEMORY * self._area + (1 - _MEMORY) * patch.area
        self._confidence *= 1 - _EXCHANGE * self._n_joined
        self._n_joined, self._is_first, self._is_part = 0, False, False

    def _inside(self, patches: list[_Patch], last: _Patch) -> _Patch | None:
        """Return the silhouette of before within the patch of a meeting; None where there is none.

        It moves on as fast as before, and turns a little, as far as it then fits into the patch.
        """
        place = last.middle + self._velocity
        least = self._most()
        joint = [p for p in patches if p.area > least and _is_within(place, p.box)]
        if not joint:
            return None
        length = _length(last.box)
        reach = int(np.ceil(_JOINED_REACH * length)) + 1
        steps = np.arange(-reach, reach + 1)
        cost = _JOINED_COST * np.hypot(steps[:, None], steps) / length
        best_value, best = -np.inf, None
        for degrees in (0.0, -_JOINED_TURN, _JOINED_TURN):
            shape = _turned(last.shape, degrees)
            low = np.round(place - _centroid(shape)).astype(int)
            size = np.array(shape.shape[::-1])
            part = _cut_out(joint[0], low - reach, low + size + reach)
            share = cv2.matchTemplate(part, shape.astype(np.float32), cv2.TM_CCORR) / shape.sum()
            value = share - cost - (_JOINED_TURN_COST if degrees else 0.0)
            y, x = np.unravel_index(value.argmax(), value.shape)
            if value[y, x] > best_value:
                moved = np.array([x, y]) - reach
                box = np.concatenate([low + moved, low + moved + size]).astype(np.float64)
                best_value, best = value[y, x], _Patch(box, last.area, place + moved, shape)
        return best

    def _patches(self, frame: int, around: Box4, reach: float) -> list[_Patch]:
        """Return what differs from the background within a distance of a box [4].

        What the border of the picture cuts off is left out: it may be leaving.
        """
        size = np.array(self._view.size)
        low = np.clip(np.floor(around[:2] - reach), 0, size)
        high = np.clip(np.ceil(around[2:] + reach), 0, size)
        mask = self._background.differing(frame, low, high) if (high - low >= 3).all() else None
        if mask is None:
            return []
        n, labels, rows, middles = cv2.connectedComponentsWithStats(mask)
        patches = []
        for i in range(1, n):
            x, y, width, height, n_px = rows[i]
            box = np.array([x, y, x + width, y + height]) + np.tile(low, 2)
            is_whole = (box[:2] > 0).all() and (box[2:] < size).all()
            if is_whole and n_px >= _LEAST_PX:
                shape = labels[y : y + height, x : x + width] == i
                middle = middles[i] + low + 0.5
                patches.append(_Patch(box, float(n_px), middle, shape.astype(np.uint8)))
        return patches


class Outline(NamedTuple):
    """Boxes [n, 4] from silhouettes in image pixels, and their confidence; NaN where none is."""

    path: Box4
    confidence: Floats

    def over(self, chosen: Chosen) -> Chosen:
        """Return a path with the boxes of silhouettes where they are surer than unsure trackers."""
        is_agreed = self.confidence >= _BOTH_WAYS_CONFIDENCE
        is_surer = self.confidence > chosen.confidence
        takes = is_agreed | (is_surer & (chosen.confidence < SURE_OTHERWISE))
        return Chosen(
            np.where(takes[:, None], self.path, chosen.path),
            np.where(takes, np.fmax(self.confidence, chosen.confidence), chosen.confidence),
            chosen.is_hidden & ~takes,
        )


def no_outline(n_frames: int) -> Outline:
    """Return what changes no path."""
    return Outline(np.full((n_frames, 4), np.nan), np.full(n_frames, np.nan))


def outline_between(
    pictures: Pictures, view: View, frames: range, first: Box4, last: Box4, cancel: Cancel
) -> Outline:
    """Follow a silhouette between two boxes [4], in image pixels, forward and backward."""
    background = Background(pictures, view, cancel)
    ways = []
    for order, start, end in ((frames, first, last), (frames[::-1], last, first)):
        silhouette = Silhouette(background, view)
        silhouette.start(order[0], start)
        path, confidence = np.full((len(frames), 4), np.nan), np.full(len(frames), np.nan)
        for i, frame in enumerate(order[1:], start=1):
            sighting = None if cancel() else silhouette.step(frame)
            if sighting is None:
                break
            path[i], confidence[i] = sighting
        if iou(path[-1], end) < SAME_PLACE_IOU:  # lost, or now something else
            path[confidence < ONE_WAY_CONFIDENCE] = np.nan
        ways.append(Outline(path, np.where(np.isnan(path[:, 0]), np.nan, confidence)))
    ahead, back = ways[0], Outline(*(values[::-1] for values in ways[1]))
    is_same = iou(ahead.path, back.path) >= SAME_PLACE_IOU
    is_open = ~is_same & (ahead.confidence == back.confidence)  # two places, equally likely
    is_ahead = np.isnan(back.confidence) | (ahead.confidence > back.confidence)
    path = np.where(is_ahead[:, None], ahead.path, back.path)
    path = np.where(is_same[:, None], (ahead.path + back.path) / 2, path)
    path[is_open] = np.nan
    confidence = np.fmax(ahead.confidence, back.confidence)
    confidence = np.where(is_same, _BOTH_WAYS_CONFIDENCE, confidence)
    return Outline(path, np.where(is_open, np.nan, confidence))


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


def _union(patches: list[_Patch]) -> _Patch | None:
    """Return patches as one; None if there are none."""
    if len(patches) < 2:
        return patches[0] if patches else None
    boxes = np.array([p.box for p in patches])
    areas = np.array([p.area for p in patches])
    middles = np.array([p.middle for p in patches])
    box = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
    low, high = box[:2].astype(int), box[2:].astype(int)
    shape = np.max([_cut_out(p, low, high) for p in patches], axis=0).astype(np.uint8)
    middle = (middles * areas[:, None]).sum(axis=0) / areas.sum()
    return _Patch(box, float(areas.sum()), middle, shape)


def _cut_by(box: Box4, patches: list[_Patch]) -> _Patch | None:
    """Return what a box [4] of the view cuts out of the patch with most pixels in it, if any."""
    low, high = np.floor(box[:2]).astype(int), np.ceil(box[2:]).astype(int)
    cut = max((_cut_out(p, low, high) for p in patches), key=np.sum, default=None)
    if cut is None or not cut.any():
        return None
    shape, first = _trimmed(cut > 0)
    corner = low + first
    edges = np.concatenate([corner, corner + shape.shape[::-1]]).astype(np.float64)
    return _Patch(edges, float(shape.sum()), corner + _centroid(shape), shape)


def _distance(one: Floats, other: Floats) -> float:
    return float(np.hypot(*(one - other)))


def _turned(shape: Image, degrees: float) -> Image:
    """Return a silhouette, uint8 [h, w] of 0 and 1, turned and cut to its new size."""
    if not degrees:
        return shape
    reach = int(np.ceil(np.hypot(*shape.shape)))
    pivot = _centroid(shape) - 0.5
    turn = cv2.getRotationMatrix2D(tuple(pivot), degrees, 1.0)
    turn[:, 2] = turn[:, 2] + reach - pivot
    # Without blending: thin parts would vanish when they are turned again and again.
    canvas = cv2.warpAffine(shape, turn, (2 * reach + 1,) * 2, flags=cv2.INTER_NEAREST) > 0
    if not canvas.any():  # single pixels beside an empty middle may vanish
        return shape
    return _trimmed(canvas)[0]


def _trimmed(mask: NDArray[np.bool_]) -> tuple[Image, Ints]:
    """Return a mask [h, w] without empty rows and columns at its sides, and its first pixel [2].

    The mask is uint8 of 0 and 1 then; the pixel is x and y in the mask of before.
    """
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return cut.astype(np.uint8), np.array([columns[0], rows[0]])


def _centroid(shape: Image) -> Floats:
    """Return the center of gravity [2] of a silhouette in its own pixels."""
    rows, columns = np.nonzero(shape)
    return np.array([columns.mean(), rows.mean()]) + 0.5


def _cut_out(patch: _Patch, low: Ints, high: Ints) -> Floats:
    """Return the pixels of a patch between two corners [2] of the view, float32 [h, w]."""
    part = np.zeros((high - low)[::-1], np.float32)
    at = patch.box[:2].astype(np.int64) - low
    first, last = np.maximum(at, 0), np.minimum(at + patch.shape.shape[::-1], high - low)
    if (first < last).all():
        (x1, y1), (x2, y2) = first - at, last - at
        part[first[1] : last[1], first[0] : last[0]] = patch.shape[y1:y2, x1:x2]
    return part


def _length(box: Box4) -> float:
    return float(np.max(2 * half_size(box)))


def _margin(silhouette: Box4, box: Box4) -> Floats | None:
    """Return how far each side of a box is outside of a silhouette [4]; None if they do not fit.

    Both boxes [4] are in image pixels. A box that fits badly, since the object is small, was drawn
    in haste: then all sides have the mean margin.
    """
    margin: Floats = (box - silhouette) * _OUTWARD
    if iou(silhouette, box) >= _FITTING_IOU:
        return margin
    tolerance = np.clip(_FITTING_SHARE * _length(box), *_FITTING_PX)
    return np.full(4, margin.mean()) if np.abs(margin).max() <= tolerance else None


def _is_within(place: Floats, box: Box4) -> bool:
    return bool((np.abs(place - center(box)) <= half_size(box)).all())
