"""The most likely path of a box between two anchors, by appearance and motion.

Trackers lose an object that something covers, and follow the thing that covers it. On every frame
each candidate is scored: how much it looks like the object at the anchors, how far the trackers
agree with it, and how plausible its size is. Candidates that do not look at the image at all (it
moves evenly, it moves with the camera) take part, too. The score predicts the overlap with the true
box; its weights are fitted to synthetic scenes with known boxes by
``tests/benchmarks/train_box_paths.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.appearance import likeness, patch
from annotator.assist.boxes.arrays import Box4, Floats, area, iou
from annotator.assist.boxes.colors import Palette, coarser, contrasts
from annotator.assist.boxes.other_objects import (
    NO_OTHERS,
    SURE_CONFIDENCE,
    OtherObjects,
    penalty,
)
from annotator.assist.pictures import View
from annotator.assist.protocol import Cancel
from annotator.assist.score_fitting import Weights, box_weights, chance, expanded, shortest_path

_SWITCH: Final = 0.1
_JUMP: Final = 0.6
_GROUP_IOU: Final = 0.4
_SHARPNESS: Final = 10
_HIDDEN: Final = 0.6
_UNLIKE: Final = (0.25, 0.2)  # likeness and contrast of colors where the object is not to be seen
_EXPECTED: Final = 0.6  # confidence of a place that nothing confirms
_FAR_FRAMES: Final = 15.0


class Candidates(NamedTuple):
    """Paths [n, 4] in image pixels between two anchors, which they all have at their ends.

    ``fused`` with the ``agreement`` [n] of its passes; ``pairs`` of a forward and a backward pass;
    ``carried`` ones, of which the first is plain interpolation.
    """

    fused: Box4
    agreement: Floats
    pairs: Sequence[tuple[Box4, Box4]]
    carried: Sequence[Box4]

    @property
    def boxes(self) -> Box4:
        """All paths, [k, n, 4]: the fused one, the passes, those that are carried."""
        return np.array([self.fused, *(way for pair in self.pairs for way in pair), *self.carried])

    @property
    def n_seen(self) -> int:
        """Number of paths with image evidence; they come first."""
        return 1 + 2 * len(self.pairs)


class Chosen(NamedTuple):
    """``path`` [n, 4]; ``confidence`` [n], the chance of IoU >= 0.7; ``is_hidden`` [n]."""

    path: Box4
    confidence: Floats
    is_hidden: NDArray[np.bool_]


class BoxEvidence(NamedTuple):
    """Likeness of every candidate [k, n] to the boxes at the anchors.

    ``alike``: correlation of patterns, -1..1. ``stands_out``: contrast of colors, -1..1.
    """

    alike: Floats
    stands_out: Floats


def choose(
    candidates: Candidates, matcher: AppearanceMatcher, lookalikes: OtherObjects = NO_OTHERS
) -> Chosen:
    """Return the best path through candidates; ``matcher`` is that of their gap.

    Where the path is not sure it avoids look-alikes.
    """
    boxes = candidates.boxes
    seen, fitted = matcher.evidence(boxes), box_weights().between
    chosen = choose_scored(candidates, seen, fitted)
    penalties = penalty(lookalikes.overlap_along(matcher.frames, boxes))
    penalties *= chosen.confidence < SURE_CONFIDENCE
    if penalties.any():
        chosen = choose_scored(candidates, seen, fitted, penalties)
    return chosen


def doubted(chosen: Chosen, frames: Sequence[int], lookalikes: OtherObjects) -> Chosen:
    """Return a path whose confidence is multiplied by 0.6 where it has the box of a look-alike."""
    factors = map(lookalikes.doubt, frames, chosen.path)
    return chosen._replace(confidence=chosen.confidence * np.array(list(factors)))


def choose_scored(
    candidates: Candidates, seen: BoxEvidence, fitted: Weights, penalties: Floats | float = 0.0
) -> Chosen:
    """Return the best path, given the scores of every candidate.

    ``penalties`` [k, n] are subtracted from the predicted overlaps of the candidates.
    """
    boxes = candidates.boxes
    values = features(candidates, seen)
    overlap = predicted_overlap(values, np.array(fitted.overlap)) - penalties
    chosen = _shortest(boxes, 1.0 - overlap)
    path = _grouped(boxes, overlap, chosen)
    summary = summarized(values, overlap, chosen)
    confidence = chance(summary, fitted.confidence)
    is_hidden = chance(summary, fitted.hidden) > _HIDDEN
    is_covered = (seen.alike.max(axis=0) < _UNLIKE[0]) & (seen.stands_out.max(axis=0) < _UNLIKE[1])
    if is_covered.any():
        # What the trackers agree on is the thing that covers it.
        path[is_covered] = candidates.carried[1][is_covered]
        confidence[is_covered] = np.minimum(confidence[is_covered], _EXPECTED)
    return Chosen(path, confidence, is_hidden | is_covered)


class AppearanceMatcher:
    """Compares paths between two boxes with how the object looks there; each path once."""

    def __init__(
        self, view: View, frames: Sequence[int], first: Box4, last: Box4, cancel: Cancel
    ) -> None:
        """Take the frames of the gap and the boxes [4], image pixels, at its ends.

        Once canceled no further frame is looked at: its evidence is 0.
        """
        self._view, self.frames, self._cancel = view, frames, cancel
        ends = ((frames[0], first), (frames[-1], last))
        self._patches = [patch(view.picture(frame), view.inward(box)) for frame, box in ends]
        self._coarse = coarse = coarser(view, view.inward(first))
        self._palettes = [Palette(coarse.picture(frame), coarse.inward(box)) for frame, box in ends]
        self._known: dict[bytes, tuple[Floats, Floats]] = {}

    def evidence(self, boxes: Box4) -> BoxEvidence:
        """Compare every path [k, n, 4], in image pixels, with the boxes at both ends."""
        keys = [path.tobytes() for path in boxes]
        new = {key: path for key, path in zip(keys, boxes, strict=True) if key not in self._known}
        if new:
            seen = self._compared(np.array(list(new.values())))
            self._known |= zip(new, zip(*map(_smoothed, seen), strict=True), strict=True)
        alike, stands_out = zip(*(self._known[key] for key in keys), strict=True)
        return BoxEvidence(np.array(alike), np.array(stands_out))

    def _compared(self, boxes: Box4) -> tuple[Floats, Floats]:
        """Return likeness and contrast, [k, n] each."""
        seen = map(self._compare, self.frames, boxes.swapaxes(0, 1))
        alike, stands_out = zip(*seen, strict=True)
        return np.array(alike).T, np.array(stands_out).T

    def _compare(self, frame: int, boxes: Box4) -> tuple[Floats, Floats]:
        """Return likeness and contrast [k] of boxes [k, 4] on one frame."""
        if self._cancel():
            return np.zeros(len(boxes)), np.zeros(len(boxes))
        view, coarse = self._view, self._coarse
        image = view.picture(frame)
        alike = np.full(len(boxes), -1.0)
        likeness_by_patch: dict[bytes, float] = {}
        for k, box in enumerate(view.inward(boxes)):
            if not np.isfinite(box).all():
                continue
            key = np.round(box).tobytes()
            if key not in likeness_by_patch:
                here = patch(image, box)
                likeness_by_patch[key] = max(likeness(end, here) for end in self._patches)
            alike[k] = likeness_by_patch[key]
        return alike, contrasts(self._palettes, coarse.picture(frame), coarse.inward(boxes))


def features(candidates: Candidates, box_evidence: BoxEvidence) -> Floats:
    """Return the features of every candidate on every frame, [k, n, 18]."""
    boxes, n_seen = candidates.boxes, candidates.n_seen
    alike, stands_out = box_evidence
    count, n = alike.shape
    rows, frames = np.arange(count)[:, None], np.arange(n)
    passes = boxes[1:n_seen]
    overlaps = iou(boxes[:, None], passes[None])
    other_passes = np.ones((count, len(passes)), np.bool_)
    other_passes[np.arange(1, n_seen), np.arange(len(passes))] = False
    support = (overlaps * other_passes[..., None]).sum(axis=1) / other_passes.sum(axis=1)[:, None]
    best_support = np.where(other_passes[..., None], overlaps, 0.0).max(axis=1)
    with_fused = iou(boxes, boxes[:1])
    partner = np.where(rows < n_seen, rows + np.where(rows % 2 == 1, 1, -1), 0)[:, 0]
    own = iou(boxes, boxes[partner])
    own[0] = candidates.agreement
    far = np.minimum(np.minimum(frames, n - 1 - frames) / _FAR_FRAMES, 2.0)
    growth = np.log(np.maximum(area(boxes), 1) / np.maximum(area(boxes[n_seen]), 1))
    is_pass = (rows > 0) & (rows < n_seen)
    # A pass is best near the anchor that it starts from.
    fresh = is_pass * np.where(rows % 2 == 1, 1.0, -1.0) * (1 - 2 * frames / (n - 1))
    flags = (rows >= n_seen, rows == 0, is_pass & (rows < 3), is_pass & (rows > 6))
    values = [alike, alike - alike.max(axis=0), support, best_support, own, with_fused]
    values += [stands_out, stands_out - stands_out.max(axis=0), fresh]
    values += [far, np.minimum(np.abs(growth), 1.0), alike.max(axis=0), *flags]
    # Where the camera leads from one anchor to the other the object has not moved by itself.
    values += [stands_out.max(axis=0), iou(boxes[n_seen + 2], boxes[n_seen + 3])]
    spread = [np.broadcast_to(value, alike.shape) for value in values]
    return np.stack(spread, axis=-1).astype(np.float64)


def predicted_overlap(values: Floats, fitted: Floats) -> Floats:
    """Return the overlap [k, n] that features [k, n, m] predict."""
    return np.asarray((expanded(values) @ fitted).reshape(values.shape[:2]))


def summarized(values: Floats, overlap: Floats, chosen: NDArray[np.int64]) -> Floats:
    """Return the features of confidence and occlusion, [n, 8]."""
    at = np.arange(overlap.shape[1])
    best, here = overlap[chosen, at], values[chosen, at]
    columns = [np.ones(len(at)), best, best**2, here[:, 0], here[:, 2], here[:, 6]]
    columns += [here[:, 11], here[:, 16]]
    return np.column_stack(columns)


def shortest(candidates: Candidates, overlap: Floats) -> NDArray[np.int64]:
    """Return the candidate to be on, per frame, given predicted overlaps [k, n]."""
    return _shortest(candidates.boxes, 1.0 - overlap)


def _shortest(boxes: Box4, cost: Floats) -> NDArray[np.int64]:
    by_frame = boxes[:, 1:].swapaxes(0, 1)
    overlap = iou(by_frame[:, :, None], by_frame[:, None])
    return shortest_path(cost, _SWITCH + _JUMP * (1.0 - overlap))


def _grouped(boxes: Box4, overlap: Floats, chosen: NDArray[np.int64]) -> Box4:
    """Return the mean of the candidates near the chosen one, by predicted overlap."""
    at = np.arange(boxes.shape[1])
    path = boxes[chosen, at]
    near = iou(boxes, path[None]) >= _GROUP_IOU
    weight = near * np.clip(overlap, 0.02, 1.0) ** _SHARPNESS
    weight[chosen, at] += 1e-6
    return np.asarray((boxes * weight[..., None]).sum(axis=0) / weight.sum(axis=0)[:, None])


def _smoothed(alike: Floats) -> Floats:
    n = alike.shape[1]
    padded = np.pad(alike, ((0, 0), (2, 2)), mode="edge")
    shares = (0.1, 0.2, 0.4, 0.2, 0.1)
    return np.asarray(sum(share * padded[:, i : i + n] for i, share in enumerate(shares)))
