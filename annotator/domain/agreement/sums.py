"""Sums over many weighted copies of the same votes, for the bootstrap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Weights: TypeAlias = NDArray[np.float64]
    """How often each pattern is there: [draws, patterns]."""
    Codes: TypeAlias = NDArray[np.int64]
    Columns: TypeAlias = Callable[[Weights], NDArray[np.float64]]
    """Computes estimates [draws, estimates] from weights, NaN where one is not defined."""

_DENSE_PER_ENTRY: Final = 8
_DENSE_ANYWAY: Final = 50_000
"""A product of matrices does this many cells in the time that adding one by one takes."""
_STRIP: Final = 128
"""Draws per block, so that a block fits into the processor's cache."""
_FEW_SLOTS: Final = 16
_HASH_BITS: Final = 62


class PatternSums:
    """Adds amounts into slots: entry i says that pattern ``pattern[i]`` adds ``amount[i]`` to
    slot ``slot[i]`` each time it is there."""

    def __init__(
        self, pattern: Codes, slot: Codes, amount: NDArray[np.float64], shape: tuple[int, int]
    ) -> None:
        """``shape`` is (patterns, slots)."""
        self._sums: Callable[[Weights], NDArray[np.float64]]
        if shape[0] * shape[1] <= _DENSE_PER_ENTRY * len(pattern) + _DENSE_ANYWAY:
            matrix = np.zeros(shape)
            np.add.at(matrix, (pattern, slot), amount)
            self._sums = lambda weights: weights @ matrix
        else:
            there = amount != 0
            self._sums = _Rounds(pattern[there], slot[there], amount[there], shape[1])

    def __call__(self, weights: Weights) -> NDArray[np.float64]:
        """Return the sums [draws, slots]."""
        return self._sums(weights)


class _Rounds:
    """Sums with few entries for each slot: in round k all slots get their k-th entry at once.

    Entries of a slot are added one after the other as they came, so that the last digit of a sum
    does not depend on how the work is cut up.
    """

    def __init__(
        self, pattern: Codes, slot: Codes, amount: NDArray[np.float64], n_slots: int
    ) -> None:
        order = np.argsort(slot, kind="stable")
        count = np.bincount(slot, minlength=n_slots)
        fullest = np.argsort(-count, kind="stable")
        self._place = np.argsort(fullest)
        """Where each slot stands among all, those with most entries first."""
        self._n_slots = n_slots
        starts, sizes = (np.cumsum(count) - count)[fullest], count[fullest]
        is_plain = bool((amount == 1).all())
        self._rounds: list[tuple[Codes, NDArray[np.float64] | None]] = []
        # Where few slots are left, each takes all it has left in one go.
        n_rounds = int(sizes[_FEW_SLOTS]) if n_slots > _FEW_SLOTS else 0
        for k in range(n_rounds):
            at = order[starts[: np.searchsorted(-sizes, -k)] + k]
            self._rounds.append((pattern[at], None if is_plain else amount[at][:, None]))
        self._rest = [
            (pattern[at], amount[at][:, None])
            for start, size in zip(starts.tolist(), sizes[:_FEW_SLOTS].tolist(), strict=False)
            if len(at := order[start + n_rounds : start + size])
        ]

    def __call__(self, weights: Weights) -> NDArray[np.float64]:
        found = np.empty((self._n_slots, len(weights)))
        for start in range(0, len(weights), _STRIP):
            # One row for each pattern, so that whole rows are added.
            rows = np.ascontiguousarray(weights[start : start + _STRIP].T)
            found[:, start : start + _STRIP] = self._strip(rows)[self._place]
        return found.T

    def _strip(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros((self._n_slots, rows.shape[1]))
        room = np.empty_like(sums)
        for of, amount in self._rounds:
            taken = room[: len(of)]
            np.take(rows, of, axis=0, out=taken, mode="clip")
            if amount is not None:
                taken *= amount
            sums[: len(of)] += taken
        for i, (of, amount) in enumerate(self._rest):
            # A running sum: `sum` takes another order where there is one draw only.
            sums[i] = np.concatenate((sums[i : i + 1], rows[of] * amount)).cumsum(axis=0)[-1]
        return sums


def quotient(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the quotient of each two numbers, NaN where the divisor is 0."""
    found: NDArray[np.float64] = np.divide(
        above, below, out=np.full_like(above, np.nan), where=below != 0
    )
    return found


def patterns(unit: Codes, slot: Codes, digit: Codes, n_units: int) -> tuple[Codes, Codes]:
    """Group equal units: returns the pattern of each unit, and one unit of each pattern.

    Entry i says that unit ``unit[i]`` (ascending, each unit occurs) has ``digit[i]`` > 0 in
    ``slot[i]``. Units with very many slots are taken for different.
    """
    base = int(digit.max(initial=0)) + 1
    n_slots = int(slot.max(initial=0)) + 1
    every = np.arange(n_units)
    if not n_units or n_slots * np.log2(base) > _HASH_BITS:
        return every, every
    starts = np.searchsorted(unit, every)
    key = np.add.reduceat(digit * np.power(base, slot), starts)
    _, first, pattern = np.unique(key, return_index=True, return_inverse=True)
    return pattern, first


def chosen(unit: Codes, first: Codes, n_units: int) -> tuple[Codes, Codes]:
    """Return the entries of one unit of each pattern, by pattern: (their places, their pattern)."""
    pattern_of = np.full(n_units, -1)
    pattern_of[first] = np.arange(len(first))
    at = np.flatnonzero(pattern_of[unit] >= 0)
    at = at[np.argsort(pattern_of[unit[at]], kind="stable")]
    return at, pattern_of[unit[at]]
