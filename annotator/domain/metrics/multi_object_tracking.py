"""Accuracy of several tracked objects at once: HOTA, CLEAR MOT and identity measures.

Boxes of one sequence are compared frame by frame. Source of the definitions: TrackEval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float64]

Assign: TypeAlias = "Callable[[Numbers], list[tuple[int, int]]]"
"""Returns the pairs of rows and columns with the greatest sum."""

ALPHAS: Final = tuple(n / 100 for n in range(5, 100, 5))
"""Least overlaps at which HOTA is computed; the result is the mean over them."""

_IOU: Final = 0.5
_EPS: Final = float(np.finfo("float").eps)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One frame: identities of true and predicted objects, and their overlap [true, predicted].

    Identities are counted from 0.
    """

    true: NDArray[np.int64]
    predicted: NDArray[np.int64]
    overlap: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Hota:
    """Sums behind HOTA at each of `ALPHAS`.

    ``association`` is the sum of the association accuracy of matches.
    """

    right: Numbers
    missed: Numbers
    false: Numbers
    association: Numbers
    location: Numbers

    @property
    def det_a(self) -> float:
        return float(self._detection.mean())

    @property
    def ass_a(self) -> float:
        return float(self._association.mean())

    @property
    def loc_a(self) -> float:
        return float((np.maximum(1e-10, self.location) / np.maximum(1e-10, self.right)).mean())

    @property
    def hota(self) -> float:
        return float(np.sqrt(self._detection * self._association).mean())

    @property
    def _detection(self) -> Numbers:
        found: Numbers = self.right / np.maximum(1.0, self.right + self.missed + self.false)
        return found

    @property
    def _association(self) -> Numbers:
        found: Numbers = self.association / np.maximum(1.0, self.right)
        return found


@dataclass(frozen=True, slots=True)
class Clear:
    """Counts behind MOTA and IDF1."""

    right: int = 0
    missed: int = 0
    false: int = 0
    switches: int = 0
    overlap: float = 0.0
    same: int = 0
    n_true: int = 0
    n_predicted: int = 0

    @property
    def mota(self) -> float:
        return (self.right - self.false - self.switches) / max(1, self.right + self.missed)

    @property
    def motp(self) -> float:
        return self.overlap / max(1, self.right)

    @property
    def idf1(self) -> float:
        return self.same / max(1.0, 0.5 * (self.n_true + self.n_predicted))


def hota(frames: Sequence[Frame], assign: Assign) -> Hota:
    """Return the sums behind HOTA of one sequence."""
    n_true, n_predicted = _sizes(frames)
    zeros = np.zeros(len(ALPHAS))
    true_counts, predicted_counts = _counts(frames, n_true, n_predicted)
    if not true_counts.sum() or not predicted_counts.sum():
        missed, false = zeros + true_counts.sum(), zeros + predicted_counts.sum()
        # Nothing to be located is located perfectly, as the reference code has it.
        return Hota(zeros, missed, false, zeros, zeros)
    potential = np.zeros((n_true, n_predicted))
    for frame in frames:
        overlap = frame.overlap
        either = overlap.sum(0)[None, :] + overlap.sum(1)[:, None] - overlap
        share = np.divide(overlap, either, out=np.zeros_like(overlap), where=either > _EPS)
        potential[frame.true[:, None], frame.predicted[None, :]] += share
    alignment = potential / (true_counts[:, None] + predicted_counts[None, :] - potential)
    right, missed, false, location = (zeros.copy() for _ in range(4))
    matches = np.zeros((len(ALPHAS), n_true, n_predicted))
    least = np.array(ALPHAS)[:, None] - _EPS
    for frame in frames:
        n, m = len(frame.true), len(frame.predicted)
        if not n or not m:
            missed += n
            false += m
            continue
        score = alignment[frame.true[:, None], frame.predicted[None, :]] * frame.overlap
        pairs = np.array(assign(score)).reshape(-1, 2)
        overlaps = frame.overlap[pairs[:, 0], pairs[:, 1]]
        is_match = overlaps[None, :] >= least
        n_matches = is_match.sum(axis=1)
        right += n_matches
        missed += n - n_matches
        false += m - n_matches
        location += is_match @ overlaps
        # No pair occurs twice in a frame.
        matches[:, frame.true[pairs[:, 0]], frame.predicted[pairs[:, 1]]] += is_match
    either = np.maximum(1.0, true_counts[None, :, None] + predicted_counts[None, None, :] - matches)
    association = (matches * matches / either).sum(axis=(1, 2))
    return Hota(right, missed, false, association, location)


def clear(frames: Sequence[Frame], assign: Assign) -> Clear:
    """Return the counts behind MOTA and IDF1 of one sequence, at an overlap of at least 0.5."""
    n_true, n_predicted = _sizes(frames)
    true_counts, predicted_counts = _counts(frames, n_true, n_predicted)
    same = _same_identity(frames, true_counts, predicted_counts, assign)
    totals = int(true_counts.sum()), int(predicted_counts.sum())
    right = missed = false = switches = 0
    overlap = 0.0
    last = np.full(n_true, -1)  # the prediction that each true object had last
    before = np.full(n_true, -1)  # … on the frame just before
    for frame in frames:
        n, m = len(frame.true), len(frame.predicted)
        if not n or not m:
            missed += n
            false += m
            continue
        # Whom an object had on the frame before comes first, then the overlap.
        score = (frame.predicted[None, :] == before[frame.true[:, None]]) * 1000.0 + frame.overlap
        score[frame.overlap < _IOU - _EPS] = 0
        pairs = [(i, j) for i, j in assign(score) if score[i, j] > _EPS]
        before[:] = -1
        for i, j in pairs:
            true, predicted = int(frame.true[i]), int(frame.predicted[j])
            switches += last[true] >= 0 and last[true] != predicted
            last[true] = before[true] = predicted
            overlap += float(frame.overlap[i, j])
        right += len(pairs)
        missed += n - len(pairs)
        false += m - len(pairs)
    return Clear(right, missed, false, int(switches), overlap, same, *totals)


def _same_identity(
    frames: Sequence[Frame], true_counts: Numbers, predicted_counts: Numbers, assign: Assign
) -> int:
    """Return on how many boxes identities agree, by the best pairing of whole tracks."""
    n, m = len(true_counts), len(predicted_counts)
    if not n or not m:
        return 0
    common = np.zeros((n, m))
    for frame in frames:
        i, j = np.nonzero(frame.overlap >= _IOU)
        common[frame.true[i], frame.predicted[j]] += 1
    return int(sum(common[i, j] for i, j in assign(common)))


def _sizes(frames: Sequence[Frame]) -> tuple[int, int]:
    return (
        1 + max((int(f.true.max()) for f in frames if len(f.true)), default=-1),
        1 + max((int(f.predicted.max()) for f in frames if len(f.predicted)), default=-1),
    )


def _counts(frames: Sequence[Frame], n_true: int, n_predicted: int) -> tuple[Numbers, Numbers]:
    """Return on how many frames each object is."""
    true, predicted = np.zeros(n_true), np.zeros(n_predicted)
    for frame in frames:
        true[frame.true] += 1
        predicted[frame.predicted] += 1
    return true, predicted


class TrackingSums:
    """Sums of several sequences, ready to be added with weights."""

    def __init__(self, parts: Sequence[tuple[Hota, Clear]]) -> None:
        self._hota = [
            np.array([getattr(found, each.name) for found, _ in parts]) for each in fields(Hota)
        ]
        self._clear = np.array(
            [[getattr(counted, each.name) for each in fields(Clear)] for _, counted in parts],
            np.float64,
        )

    def weighted(self, weights: Numbers) -> tuple[Hota, Clear]:
        """Return the sums of sequences [n] with the given weights."""
        return Hota(*(weights @ each for each in self._hota)), Clear(*(weights @ self._clear))
