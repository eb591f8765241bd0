"""Accuracy of point tracks: position, occlusion and average Jaccard, as TAP-Vid defines them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

THRESHOLDS: Final = (1, 2, 4, 8, 16)
"""Distances in pixels of an image stretched to 256 x 256; a point is correct strictly below."""

SIDE: Final = 256
_STRIDE: Final = 5


class Queries(StrEnum):
    """Which frames a point is given on, and which are judged."""

    FIRST = "first"  # given on its first visible frame; the frames after it are judged
    STRIDED = "strided"  # given on each fifth frame on which it is visible; all others are judged
    WHOLE = "whole"  # given on its first visible frame; all others are judged


@dataclass(frozen=True, slots=True)
class PointScores:
    """Scores of the points of one video, 0..1; NaN where nothing was judged.

    ``within`` and ``jaccard`` have one entry for each of `THRESHOLDS`.
    """

    occlusion_accuracy: float
    within: tuple[float, ...]
    jaccard: tuple[float, ...]

    @property
    def position_accuracy(self) -> float:
        """The mean share of visible points that are within the thresholds."""
        return float(np.mean(self.within))

    @property
    def average_jaccard(self) -> float:
        return float(np.mean(self.jaccard))


def score_points(
    truth: NDArray[np.float64],
    is_hidden: NDArray[np.bool_],
    predicted: NDArray[np.float64],
    is_hidden_in: NDArray[np.bool_],
    queries: Queries = Queries.FIRST,
) -> PointScores:
    """Return the scores of predicted tracks, one per reference track.

    Places [tracks, frames, 2] are (x, y) in pixels of `SIDE` x `SIDE`; flags [tracks, frames] say
    where a point is occluded. Source: TAP-Vid metrics.
    """
    counts = _judged(is_hidden, queries)
    is_visible, seen_in = ~is_hidden, ~is_hidden_in
    distance2 = np.square(truth - predicted).sum(axis=2)

    def total(is_counted: NDArray[np.bool_]) -> float:
        return float((is_counted * counts).sum())

    n_visible = total(is_visible)
    within: list[float] = []
    jaccard: list[float] = []
    for threshold in THRESHOLDS:
        is_right = is_visible & (distance2 < threshold**2)
        within.append(_share(total(is_right), n_visible))
        wrong = total(seen_in & ~is_right)
        jaccard.append(_share(total(is_right & seen_in), n_visible + wrong))
    same = _share(total(is_hidden == is_hidden_in), float(counts.sum()))
    return PointScores(same, tuple(within), tuple(jaccard))


def _judged(is_hidden: NDArray[np.bool_], queries: Queries) -> NDArray[np.float64]:
    """Return how often each frame of each track is judged [tracks, frames]."""
    n_frames = is_hidden.shape[1]
    frames = np.arange(n_frames)
    seen = ~is_hidden
    if queries is Queries.STRIDED:
        given = seen & (frames % _STRIDE == 0)
        judged: NDArray[np.float64] = given.sum(axis=1)[:, None] - given.astype(np.float64)
        return judged
    first = np.where(seen.any(axis=1), seen.argmax(axis=1), n_frames)[:, None]
    if queries is Queries.FIRST:
        is_judged = frames > first
    else:
        is_judged = (frames != first) & (first < n_frames)
    return np.where(is_judged, 1.0, 0.0)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
