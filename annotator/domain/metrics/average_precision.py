"""Accuracy of detected segments: average precision over thresholds of temporal IoU, and recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

TIOUS: Final = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Thresholds of the Perception Test."""

ACTIVITYNET_TIOUS: Final = tuple(n / 100 for n in range(50, 100, 5))
"""Thresholds of ActivityNet."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Segments of one label that were predicted or annotated, over all videos.

    ``videos`` [n] numbers the videos, ``spans`` [n, 2] are start and end, ``scores`` [n] are the
    confidence of predictions.
    """

    videos: NDArray[np.int64]
    spans: NDArray[np.float64]
    scores: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Predictions of one label from the highest score down, each right or wrong by threshold.

    ``is_right`` [thresholds, n]; ``videos`` [n] are those of the predictions; ``n_true`` [videos]
    counts what there was to be found in each video.
    """

    videos: NDArray[np.int64]
    is_right: NDArray[np.bool_]
    n_true: NDArray[np.int64]


def match_detections(
    truth: Detections, predicted: Detections, n_videos: int, tious: Sequence[float] = TIOUS
) -> Matched:
    """Match predictions of one label with annotations, in the order of their scores.

    Each takes the annotated segment of its video with the highest temporal IoU that no other has
    taken, if that reaches the threshold. Source: ActivityNet evaluation.
    """
    order = np.argsort(-predicted.scores, kind="stable")
    sorted_rows = np.argsort(truth.videos, kind="stable")
    names, starts = np.unique(truth.videos[sorted_rows], return_index=True)
    by_video = dict(zip(names.tolist(), np.split(sorted_rows, starts[1:]), strict=False))
    lowest = min(tious)
    is_right = np.zeros((len(tious), len(order)), np.bool_)
    is_matched = np.zeros((len(tious), len(truth.videos)), np.bool_)
    for place, i in enumerate(order.tolist()):
        rows = by_video.get(int(predicted.videos[i]))
        if rows is None:
            continue
        overlaps = temporal_iou(predicted.spans[i], truth.spans[rows])
        near = np.argsort(-overlaps, kind="stable")
        near = near[overlaps[near] >= lowest]
        best = list(zip(rows[near].tolist(), overlaps[near].tolist(), strict=True))
        for level, tiou in enumerate(tious):
            for row, overlap in best:
                if overlap < tiou:
                    break
                if not is_matched[level, row]:
                    is_matched[level, row] = is_right[level, place] = True
                    break
    n_true = np.bincount(truth.videos, minlength=n_videos)
    return Matched(predicted.videos[order], is_right, n_true)


def temporal_iou(span: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the IoU of one segment with others [n, 2]; 0 where both have no length."""
    both = np.minimum(span[1], others[:, 1]) - np.maximum(span[0], others[:, 0])
    both = np.maximum(both, 0.0)
    together = (span[1] - span[0]) + (others[:, 1] - others[:, 0]) - both
    found: NDArray[np.float64] = both / np.where(together > 0, together, 1.0)
    return found


def average_precision(
    matched: Matched, weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the interpolated average precision at each threshold; NaN without annotations.

    ``weights`` [videos] is how often each video counts.
    """
    weights = np.ones(len(matched.n_true)) if weights is None else weights
    n_true = float(matched.n_true @ weights)
    if not n_true:
        return np.full(len(matched.is_right), np.nan)
    counts = weights[matched.videos]
    right = np.cumsum(matched.is_right * counts, axis=1)
    wrong = np.cumsum(~matched.is_right * counts, axis=1)
    precision = right / np.maximum(right + wrong, 1e-300)
    recall = right / n_true
    # The precision of a recall is the best one of any recall from there on.
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    steps = np.diff(recall, axis=1, prepend=0.0)
    mean_precision: NDArray[np.float64] = (steps * best).sum(axis=1)
    return mean_precision


def mean_average_precision(
    matched: Mapping[str, Matched], weights: NDArray[np.float64] | None = None
) -> float:
    """Return the mean over labels, then over thresholds; NaN where nothing was to be found."""
    values = [average_precision(each, weights) for each in matched.values()]
    there = [each for each in values if not np.isnan(each).any()]
    return float(np.mean(there)) if there else float("nan")
