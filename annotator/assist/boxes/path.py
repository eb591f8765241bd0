"""The most likely path of a box between two anchors: a shortest path through candidate boxes.

Trackers lose an object that something covers, and follow the thing that covers it. On every frame
each candidate is scored: how much it looks like the object at the anchors, how far the trackers
agree with it, and how plausible its size is. Candidates that do not look at the image at all (it
moves evenly, it moves with the camera) take part, too. The score predicts the overlap with the true
box; its weights are fitted to synthetic scenes with known boxes by
``tests/benchmarks/train_box_paths.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator import paths
from annotator.assist.boxes import look
from annotator.assist.boxes.arrays import Box4, Floats, area, iou
from annotator.assist.pictures import View
from annotator.assist.scoring import chance, expanded, shortest_path

_SWITCH: Final = 0.1
_JUMP: Final = 0.6
_GROUP_IOU: Final = 0.4
_SHARPNESS: Final = 10
_HIDDEN: Final = 0.6
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
        """How many of the paths look at the image; they come first."""
        return 1 + 2 * len(self.pairs)


class Chosen(NamedTuple):
    """``path`` [n, 4]; ``confidence`` [n], the chance of IoU >= 0.7; ``is_hidden`` [n]."""

    path: Box4
    confidence: Floats
    is_hidden: NDArray[np.bool_]


class Weights(msgspec.Struct, frozen=True):
    """Fitted numbers: of the overlap (features and their products), confidence, occlusion."""

    overlap: list[float]
    confidence: list[float]
    hidden: list[float]


@lru_cache
def weights() -> Weights:
    """Return the fitted weights that come with the program."""
    body = paths.resource("models", "box-paths.json").read_bytes()
    return msgspec.json.decode(body, type=Weights)


def choose(view: View, frames: Sequence[int], candidates: Candidates) -> Chosen:
    """Return the best path through candidates for ``frames``, the anchors' frames included."""
    alike = likenesses(view, frames, candidates.boxes)
    return choose_scored(candidates, alike, weights())


def choose_scored(candidates: Candidates, alike: Floats, fitted: Weights) -> Chosen:
    """Return the best path, given how much every candidate looks like the anchors [k, n]."""
    boxes = candidates.boxes
    values = features(candidates, alike)
    overlap = predicted_overlap(values, np.array(fitted.overlap))
    chosen = _shortest(boxes, 1.0 - overlap)
    path = _grouped(boxes, overlap, chosen)
    summary = summarized(values, overlap, chosen)
    return Chosen(
        path,
        chance(summary, fitted.confidence),
        chance(summary, fitted.hidden) > _HIDDEN,
    )


def likenesses(view: View, frames: Sequence[int], boxes: Box4) -> Floats:
    """Return how much every candidate [k, n, 4] looks like the nearer of the anchors, -1..1."""
    count, n = boxes.shape[:2]
    first = look.patch(view.colour(frames[0]), view.inward(boxes[0, 0]))
    last = look.patch(view.colour(frames[-1]), view.inward(boxes[0, -1]))
    alike = np.full((count, n), -1.0)
    for i, frame in enumerate(frames):
        image = view.colour(frame)
        known: dict[bytes, float] = {}
        for k in range(count):
            box = view.inward(boxes[k, i])
            if not np.isfinite(box).all():
                continue
            key = np.round(box).tobytes()
            if key not in known:
                patch = look.patch(image, box)
                known[key] = max(look.likeness(first, patch), look.likeness(last, patch))
            alike[k, i] = known[key]
    return _smoothed(alike)


def features(candidates: Candidates, alike: Floats) -> Floats:
    """Return what is known of every candidate on every frame, [k, n, 13].

    ``alike`` [k, n] as from `likenesses`.
    """
    boxes, n_seen = candidates.boxes, candidates.n_seen
    count, n = alike.shape
    each, frames = np.arange(count)[:, None], np.arange(n)
    passes = boxes[1:n_seen]
    overlaps = iou(boxes[:, None], passes[None])
    others = np.ones((count, len(passes)), np.bool_)
    others[np.arange(1, n_seen), np.arange(len(passes))] = False
    support = (overlaps * others[..., None]).sum(axis=1) / others.sum(axis=1)[:, None]
    best_support = np.where(others[..., None], overlaps, 0.0).max(axis=1)
    with_fused = iou(boxes, boxes[:1])
    partner = np.where(each < n_seen, each + np.where(each % 2 == 1, 1, -1), 0)[:, 0]
    own = iou(boxes, boxes[partner])
    own[0] = candidates.agreement
    far = np.minimum(np.minimum(frames, n - 1 - frames) / _FAR_FRAMES, 2.0)
    growth = np.log(np.maximum(area(boxes), 1) / np.maximum(area(boxes[n_seen]), 1))
    is_pass = (each > 0) & (each < n_seen)
    # A pass is best near the anchor that it starts from.
    fresh = is_pass * np.where(each % 2 == 1, 1.0, -1.0) * (1 - 2 * frames / (n - 1))
    best_alike = np.broadcast_to(alike.max(axis=0), alike.shape)
    flags = [np.broadcast_to(flag, alike.shape) for flag in (each >= n_seen, each == 0)]
    is_third = np.broadcast_to((each >= 5) & (each < n_seen), alike.shape)
    values = [alike, alike - best_alike, support, best_support, own, with_fused, *flags]
    values += [np.broadcast_to(far, alike.shape), np.minimum(np.abs(growth), 1.0)]
    values += [best_alike, is_third, fresh]
    return np.stack(values, axis=-1).astype(np.float64)


def predicted_overlap(values: Floats, fitted: Floats) -> Floats:
    """Return the overlap [k, n] that features [k, n, m] predict."""
    return np.asarray((expanded(values) @ fitted).reshape(values.shape[:2]))


def summarized(values: Floats, overlap: Floats, chosen: NDArray[np.int64]) -> Floats:
    """Return the features of confidence and occlusion, [n, 6]."""
    at = np.arange(overlap.shape[1])
    best, here = overlap[chosen, at], values[chosen, at]
    columns = [np.ones(len(at)), best, best**2, here[:, 0], here[:, 2], here[:, 10]]
    return np.column_stack(columns)


def shortest(candidates: Candidates, overlap: Floats) -> NDArray[np.int64]:
    """Return the candidate to be on, per frame, given predicted overlaps [k, n]."""
    return _shortest(candidates.boxes, 1.0 - overlap)


def _shortest(boxes: Box4, cost: Floats) -> NDArray[np.int64]:
    def jump(t: int) -> Floats:
        return np.asarray(_SWITCH + _JUMP * (1.0 - iou(boxes[:, None, t], boxes[None, :, t])))

    return shortest_path(cost, jump)


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
