"""Objects as silhouettes: what moves in front of a background that stands still.

Animals in a tank, players, cars and people seen from a camera that does not move look different on
every frame, and like each other. But all that differs from the background is one of them, and as
long as nothing touches it its silhouette is a patch of its own, from which its box can be read.
Where two of them meet they are one patch for some frames: the silhouette of before is then laid
into that patch, near where the object is expected. A box drawn there cuts the silhouette out of it.
What was lost is followed again where it is alone: where trackers see it, or near where it was lost.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, Ints, center, half_size, iou
from annotator.assist.boxes.background import Background
from annotator.assist.boxes.path import Chosen
from annotator.assist.pictures import Image, Pictures, View
from annotator.assist.protocol import Cancel

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
_LOST_REACH: Final = 1.0  # sizes from where it was lost that it is looked for
_FOUND_GROWTH: Final = (0.6, 1.5)  # of the area, against its mean so far
_CLEARLY_NEARER: Final = 2.0  # than any other one of that size
_FOUND_IOU: Final = 0.3  # with the box of trackers
_FOUND_CONFIDENCE: Final = 0.4
_EXCHANGE: Final = 0.02  # chance per frame of a meeting to go on with the other one

SAME_PLACE_IOU: Final = 0.7
ONE_WAY_CONFIDENCE: Final = 0.92
SURE_OTHERWISE: Final = 0.9  # confidence of trackers that a silhouette of one pass does not outdo
_BOTH_WAYS_CONFIDENCE: Final = 0.95


class _Patch(NamedTuple):
    """A silhouette in pixels of the view.

    ``box`` [4], ``area`` in square pixels, ``middle``: center of gravity [2], ``shape``: its pixels
    in the box, uint8 [height, width] of 0 and 1. One at the border of the picture may be leaving.
    """

    box: Box4
    area: float
    middle: Floats
    shape: Image
    is_at_border: bool = False


class Sighting(NamedTuple):
    """The box [4] of a silhouette in image pixels, and the chance that it is the object's, 0..1."""

    box: Box4
    confidence: float


class Silhouette:
    """Follows the silhouette of one object, also through meetings with others.

    ``is_part``: it is what the first box cut out of a patch, and was never alone since.
    """

    def __init__(self, background: Background, view: View) -> None:
        self._background, self._view = background, view
        self.is_part = False
        self._last: _Patch | None = None
        self._lost: _Patch | None = None

    def start(self, frame: int, box: Box4) -> None:
        """Take hold of the object with a box [4] in image pixels.

        Its silhouette is what fits the box: patches of its own, or else the part of a patch that
        the box cuts out, where it touches others.
        """
        inside = self._view.inward(box)
        pad = _PADDING * 2 * half_size(inside)
        low, high = inside[:2] - pad, inside[2:] + pad
        near = self._patches(frame, inside, _length(inside))
        on_it = [p for p in _whole(near) if (p.middle >= low).all() and (p.middle <= high).all()]
        most = max((p.area for p in on_it), default=0.0)
        patch, is_part = _union([p for p in on_it if p.area >= _LEAST_SHARE * most]), False
        margin = self._margin_around(patch, box)
        if margin is None:
            patch, is_part = _cut_by(inside, near), True
            margin = self._margin_around(patch, box)
        self._last = None
        if patch is not None and margin is not None:
            self._margin = margin
            self._follow(patch, near, ONE_WAY_CONFIDENCE, is_part=is_part)

    def step(self, frame: int) -> Sighting | None:
        """Return the box on a neighboring frame; None from where it is lost on.

        It is lost where it leaves the picture, is covered, or rests for long, alone or with others.
        """
        last = self._last
        if last is None:
            return None
        self._lost = last
        length, speed = _length(last.box), float(np.hypot(*self._velocity))
        patches = self._patches(frame, last.box + np.tile(self._velocity, 2), length + 2 * speed)
        patch, confidence = self._alone(_whole(patches), last), self._confidence
        if patch is not None:
            self._advance(last, patch)
            confidence = self._confidence
        elif self._n_joined < _MOST_JOINED:
            patch = self._inside(patches, last)
            if patch is not None and self.is_part:
                moved = patch.middle - last.middle
                self._velocity += _PART_LEARNING * (moved - self._velocity)
            self._n_joined += 1
            limit = _PART_CONFIDENCE if self.is_part else _JOINED_CONFIDENCE
            confidence = min(confidence, limit)
        self._last = patch
        if patch is None:
            return None
        self._note_others(patches, patch)
        return Sighting(self._outward(patch), confidence)

    def find_at(self, frame: int, box: Box4, confidence: float) -> Sighting | None:
        """Return the box of what is alone where trackers see a lost object, and follow it.

        ``box`` [4] is theirs in image pixels, and ``confidence`` how sure they are, 0..1.
        """
        if self._lost is None:
            return None
        inside = self._view.inward(box)
        near, alone = self._of_its_size(frame, inside, _length(inside))
        overlaps = iou(np.array([p.box for p in alone]).reshape(-1, 4), inside)
        if not alone or overlaps.max() < _FOUND_IOU:
            return None
        return self._follow(alone[int(overlaps.argmax())], near, confidence)

    def find_near(self, frame: int) -> Sighting | None:
        """Return the box of what is alone near where the object was lost, and follow it.

        None if there are two of about its size, or if the object was about to leave the picture.
        """
        lost = self._lost
        if lost is None or self._is_leaving(lost):
            return None
        reach = _LOST_REACH * _length(lost.box)
        near, alone = self._of_its_size(frame, lost.box, reach)
        distances = [_distance(p.middle, lost.middle) for p in alone]
        farthest = min([reach, *(d / _CLEARLY_NEARER for d in sorted(distances)[1:])])
        if not alone or min(distances) > farthest:
            return None
        return self._follow(alone[int(np.argmin(distances))], near, _FOUND_CONFIDENCE)

    def _follow(
        self, patch: _Patch, near: list[_Patch], confidence: float, *, is_part: bool = False
    ) -> Sighting:
        """Begin with a patch whose motion is not known; ``near`` are patches around it."""
        self._last, self.is_part, self._confidence = patch, is_part, confidence
        self._area, self._velocity, self._is_first = patch.area, np.zeros(2), True
        self._n_joined = int(is_part)
        self._note_others(near, patch)
        return Sighting(self._outward(patch), confidence)

    def _outward(self, patch: _Patch) -> Box4:
        """Return the box [4] in image pixels as far around a patch as it was drawn."""
        box = self._view.outward(patch.box)
        least_margin = np.tile(half_size(box), 2) * -_MOST_SHRUNK
        return np.asarray(box + np.maximum(self._margin, least_margin) * _OUTWARD)

    def _margin_around(self, patch: _Patch | None, box: Box4) -> Floats | None:
        """Return how far each side [4] of a box is outside of a patch; None if they do not fit."""
        return None if patch is None else _margin(self._view.outward(patch.box), box)

    def _alone(self, patches: list[_Patch], last: _Patch) -> _Patch | None:
        """Return the patch of the object; None where it touches something or is not to be seen."""
        least, most = _GROWTH[0] * self._area, self._most()
        expected = last.box + np.tile(self._velocity, 2)
        parts = [p for p in patches if p.area < least and _is_within(p.middle, expected)]
        likely = [p for p in (*patches, _union(parts)) if p and least <= p.area <= most]
        place = last.middle + self._velocity
        farthest = _REACH * _length(last.box) + _TURN * float(np.hypot(*self._velocity))
        best, best_distance = None, farthest
        for patch in likely:
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
            p.middle
            for p in _whole(patches)
            if p.area <= most and not _is_within(p.middle, own.box)
        ]

    def _advance(self, last: _Patch, patch: _Patch) -> None:
        """Learn from the patch of the object how fast it moves and how large it is."""
        moved = patch.middle - last.middle
        self._velocity = moved if self._is_first else (self._velocity + moved) / 2
        self._area = _MEMORY * self._area + (1 - _MEMORY) * patch.area
        self._confidence *= 1 - _EXCHANGE * self._n_joined
        self._n_joined, self._is_first, self.is_part = 0, False, False

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

    def _of_its_size(
        self, frame: int, around: Box4, reach: float
    ) -> tuple[list[_Patch], list[_Patch]]:
        """Return all patches within a distance of a box [4], and those that may be the object."""
        near = self._patches(frame, around, reach)
        least, most = (factor * self._area for factor in _FOUND_GROWTH)
        return near, [p for p in _whole(near) if least <= p.area <= most]

    def _is_leaving(self, lost: _Patch) -> bool:
        box = lost.box + np.tile(self._velocity, 2)
        return bool((box[:2] <= 0).any() or (box[2:] >= np.array(self._view.size)).any())

    def _patches(self, frame: int, around: Box4, reach: float) -> list[_Patch]:
        """Return what differs from the background within a distance of a box [4]."""
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
            if n_px >= _LEAST_PX:
                is_at_border = bool((box[:2] <= 0).any() or (box[2:] >= size).any())
                shape = (labels[y : y + height, x : x + width] == i).astype(np.uint8)
                middle = middles[i] + low + 0.5
                patches.append(_Patch(box, float(n_px), middle, shape, is_at_border))
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


def _whole(patches: list[_Patch]) -> list[_Patch]:
    return [p for p in patches if not p.is_at_border]


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
