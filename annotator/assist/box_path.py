"""The most likely path of a box between two anchors: a shortest path through candidate boxes.

Trackers lose an object that something covers, and follow the thing that covers it. Candidates that
do not look at the object (it stands still, it moves with the camera, it moves evenly) are carried
over such frames at a fixed cost, and the trackers win where the object looks like itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.assist import look
from annotator.assist.boxes import Box4, Floats, iou
from annotator.assist.pictures import View

_CARRIED: Final = 0.62
_CARRIED_EXTRA: Final = 0.06
_SWITCH: Final = 0.25
_JUMP: Final = 1.6
_HIDDEN: Final = 0.42
_GROUP_IOU: Final = 0.6
_BIAS, _LIKENESS, _AGREEMENT, _SUPPORT = -2.0, 2.0, 2.0, 2.0


class Chosen(NamedTuple):
    """``path`` [n, 4] in image pixels, ``likeness`` [n] to the anchors, ``is_hidden`` [n]."""

    path: Box4
    likeness: Floats
    is_hidden: NDArray[np.bool_]
    support: Floats


def choose(
    view: View, frames: Sequence[int], seen: Sequence[Box4], carried: Sequence[Box4]
) -> Chosen:
    """Choose a path through candidates ``seen`` and ``carried``, each [n, 4] in image pixels.

    The first and last frames are anchors: there all candidates are replaced by them.
    """
    boxes = np.array([*seen, *carried])
    is_carried = np.arange(len(boxes)) >= len(seen)
    alike = _likenesses(view, frames, boxes)
    smooth = _smoothed(alike)
    cost = 1.0 - smooth
    cost[is_carried] = np.minimum(cost[is_carried], _CARRIED) + _CARRIED_EXTRA
    chosen = _shortest(boxes, cost)
    at = np.arange(len(frames))
    path = _grouped(boxes, smooth, chosen)
    likeness = smooth[chosen, at]
    is_hidden = is_carried[chosen] & (likeness < _HIDDEN)
    near = iou(boxes[~is_carried], path[None])
    return Chosen(path, likeness, is_hidden, near.mean(axis=0))


def confidence(likeness: Floats, agreement: Floats, support: Floats) -> Floats:
    """Return the chance, 0..1, that each box of a path is right.

    ``likeness`` to the anchors, ``agreement`` of forward and backward passes, and ``support``, the
    mean overlap of the path with all trackers. Fitted on scenes with known boxes.
    """
    score = _BIAS + _LIKENESS * likeness + _AGREEMENT * agreement + _SUPPORT * support
    return np.asarray(1.0 / (1.0 + np.exp(-score)))


def _likenesses(view: View, frames: Sequence[int], boxes: Box4) -> Floats:
    """Return how much every candidate [k, n] looks like the nearer of the anchors, -1..1."""
    count, n = boxes.shape[:2]
    first = look.patch(view.colour(frames[0]), view.inward(boxes[0, 0]))
    last = look.patch(view.colour(frames[-1]), view.inward(boxes[0, -1]))
    alike = np.empty((count, n))
    known: dict[bytes, float] = {}
    for i, frame in enumerate(frames):
        image = view.colour(frame)
        known.clear()
        for k in range(count):
            box = view.inward(boxes[k, i])
            if not np.isfinite(box).all():
                alike[k, i] = -1.0
                continue
            key = np.round(box).tobytes()
            if key not in known:
                patch = look.patch(image, box)
                known[key] = max(look.likeness(first, patch), look.likeness(last, patch))
            alike[k, i] = known[key]
    return alike


def _shortest(boxes: Box4, cost: Floats) -> NDArray[np.int64]:
    """Return the candidate to be on, per frame."""
    count, n = cost.shape
    total = cost[:, 0].copy()
    came = np.zeros((n, count), np.int64)
    for t in range(1, n):
        # How far the boxes of two candidates are apart, measured where both are.
        apart = 1.0 - iou(boxes[:, None, t], boxes[None, :, t])
        jump = _SWITCH + _JUMP * apart
        np.fill_diagonal(jump, 0.0)
        through = total[:, None] + jump
        came[t] = through.argmin(axis=0)
        total = through.min(axis=0) + cost[:, t]
    chosen = np.zeros(n, np.int64)
    chosen[-1] = total.argmin()
    for t in range(n - 1, 0, -1):
        chosen[t - 1] = came[t, chosen[t]]
    return chosen


def _grouped(boxes: Box4, alike: Floats, chosen: NDArray[np.int64]) -> Box4:
    """Return the mean of the candidates that agree with the chosen one, by likeness."""
    at = np.arange(boxes.shape[1])
    path = boxes[chosen, at]
    near = iou(boxes, path[None]) >= _GROUP_IOU
    weight = near * np.clip(alike, 0.02, 1.0) ** 4
    weight[chosen, at] += 1e-6
    return np.asarray((boxes * weight[..., None]).sum(axis=0) / weight.sum(axis=0)[:, None])


def _smoothed(alike: Floats) -> Floats:
    padded = np.pad(alike, ((0, 0), (2, 2)), mode="edge")
    n = alike.shape[1]
    return np.asarray(
        sum(w * padded[:, i : i + n] for i, w in enumerate((0.1, 0.2, 0.4, 0.2, 0.1)))
    )
