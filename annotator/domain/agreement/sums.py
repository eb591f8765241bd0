"""Sums over many weighted copies of the same votes, as a bootstrap wants them."""

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
    """Works out figures [draws, figures] from weights, NaN where one is not defined."""

_DENSE_PER_ENTRY: Final = 8
_DENSE_ANYWAY: Final = 50_000
"""A product of matrices does this many cells in the time that adding one by one takes."""
_HASH_BITS: Final = 62


class Sums:
    """Adds amounts into slots: entry i says that pattern ``pattern[i]`` adds ``amount[i]`` to
    slot ``slot[i]`` each time it is there."""

    def __init__(
        self, pattern: Codes, slot: Codes, amount: NDArray[np.float64], shape: tuple[int, int]
    ) -> None:
        """``shape`` is (patterns, slots)."""
        self._pattern, self._slot, self._amount, self._shape = pattern, slot, amount, shape
        self._matrix: NDArray[np.float64] | None = None
        if shape[0] * shape[1] <= _DENSE_PER_ENTRY * len(pattern) + _DENSE_ANYWAY:
            self._matrix = np.zeros(shape)
            np.add.at(self._matrix, (pattern, slot), amount)

    def __call__(self, weights: Weights) -> NDArray[np.float64]:
        """Return the sums [draws, slots]."""
        if self._matrix is not None:
            found: NDArray[np.float64] = weights @ self._matrix
            return found
        return np.array(
            [
                np.bincount(self._slot, row[self._pattern] * self._amount, self._shape[1])
                for row in weights
            ]
        )


def quotient(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the quotient of each two numbers, NaN where the divisor is 0."""
    found: NDArray[np.float64] = np.divide(
        above, below, out=np.full(above.shape, np.nan), where=below != 0
    )
    return found


def patterns(unit: Codes, slot: Codes, digit: Codes, n_units: int) -> tuple[Codes, Codes]:
    """Find units that are alike: returns the pattern of each unit, and a unit of each pattern.

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
