"""Agreement coefficients that need only the number of votes per category of each item.

A unit with fewer than two votes says nothing about agreement and is left out of all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.sums import PatternSums, chosen, patterns, quotient

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from annotator.domain.agreement.sums import Codes, Columns, Weights

    Numbers: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = Callable[[Numbers], Numbers]
    """Where each answer lies, from how often each was given: [draws, categories] both."""


class Counted:
    """Units with two or more votes, as patterns of votes per category.

    ``pattern`` [units] is the pattern of each such unit. The estimates take weights [draws,
    patterns] and return one column [draws, 1]; NaN where they are not defined.
    """

    def __init__(self, ratings: Ratings) -> None:
        n_codes = max(len(ratings.categories), 1)
        key, count = np.unique(ratings.unit * n_codes + ratings.code, return_counts=True)
        unit, code = np.divmod(key, n_codes)
        size = np.bincount(ratings.unit, minlength=len(ratings.units))
        is_pair = size[unit] >= 2
        units, unit = np.unique(unit[is_pair], return_inverse=True)
        code, count = code[is_pair], count[is_pair]
        self.pattern, first = patterns(unit, code, count, len(units))
        at, self._of = chosen(unit, first, len(units))
        self._code, self._count = code[at], count[at].astype(np.float64)
        self._size = size[units][first].astype(np.float64)
        self.n_patterns, self._n_codes = len(first), n_codes
        squares = np.bincount(self._of, self._count**2, self.n_patterns)
        self.same = (squares - self._size) / (self._size * (self._size - 1))
        """For each pattern, the share of its pairs of raters who said the same."""
        self.width = max(len(at), self._n_codes)
        self._ratings = ratings

    def percent(self) -> Columns:
        """Percent agreement: the share of agreeing pairs of raters, mean over units."""
        same = self.same
        return lambda weights: _over(weights @ same, weights.sum(1))

    def fleiss(self) -> Columns:
        """Fleiss' kappa.

        Units may have different numbers of votes: chance is then the mean over units of the share
        that each answer has in a unit (Gwet 2014). With equal numbers this is Fleiss (1971).
        """
        same = self.same
        shares = self._sums(self._count / self._size[self._of])

        def kappa(weights: Weights) -> Numbers:
            n = weights.sum(1)
            mean = shares(weights) / n[:, None]
            chance = (mean**2).sum(1)
            return _over(weights @ same / n - chance, np.where(_has_two(mean), 1 - chance, 0))

        return kappa

    def alpha_nominal(self) -> Columns:
        """Krippendorff's alpha where answers are the same or not."""
        counts = self._sums(self._count)
        differing = self._size * (1 - self.same)

        def alpha(weights: Weights) -> Numbers:
            n_of = counts(weights)
            n = n_of.sum(1)
            expected = n**2 - (n_of**2).sum(1)
            return 1 - _over((n - 1) * (weights @ differing), expected)

        return alpha

    def alpha_interval(self) -> Columns:
        """Krippendorff's alpha where the distance of answers is the square of their difference."""
        numbers = self._ratings.numbers()
        return self._alpha(lambda n_of: np.broadcast_to(numbers, n_of.shape))

    def alpha_ordinal(self) -> Columns:
        """Krippendorff's alpha where answers have an order.

        The distance is the square of the number of answers given between two, which is that of
        their mean ranks: so ordinal is interval over ranks.
        """
        return self._alpha(lambda n_of: np.cumsum(n_of, axis=1) - n_of / 2)

    def _alpha(self, places: Places) -> Columns:
        counts = self._sums(self._count)
        low, high, coincidences = self._coincidences()

        def alpha(weights: Weights) -> Numbers:
            n_of = counts(weights)
            n = n_of.sum(1)
            at = places(n_of)
            middle = (n_of * at).sum(1) / n
            expected = 2 * n * (n_of * (at - middle[:, None]) ** 2).sum(1)
            observed = (coincidences(weights) * (at[:, low] - at[:, high]) ** 2).sum(1)
            return 1 - _over((n - 1) * observed, np.where(_has_two(n_of), expected, 0))

        return alpha

    def _coincidences(self) -> tuple[Codes, Codes, PatternSums]:
        """Return pairs of different answers, and how often they meet in each pattern.

        Each meeting weighs 2 / (votes of the unit − 1), as it is counted in both directions.
        """
        of, to = pairs_within(self._of, self.n_patterns)
        amount = 2 * self._count[of] * self._count[to] / (self._size[self._of[of]] - 1)
        keys = self._code[of] * self._n_codes + self._code[to]
        known, slot = np.unique(keys, return_inverse=True)
        low, high = np.divmod(known, self._n_codes)
        return low, high, PatternSums(self._of[of], slot, amount, (self.n_patterns, len(known)))

    def _sums(self, amount: Numbers) -> PatternSums:
        return PatternSums(self._of, self._code, amount, (self.n_patterns, self._n_codes))


def by_item(ratings: Ratings) -> dict[str, float]:
    """Return the share of agreeing pairs for each unit with two or more votes."""
    counted = Counted(ratings)
    size = np.bincount(ratings.unit, minlength=len(ratings.units))
    same = counted.same[counted.pattern].tolist()
    return {ratings.units[i]: same[k] for k, i in enumerate(np.flatnonzero(size >= 2).tolist())}


def pairs_within(group: Codes, n_groups: int) -> tuple[Codes, Codes]:
    """Return all pairs of places i < j with the same group; groups ascend and none is empty."""
    starts = np.searchsorted(group, np.arange(n_groups + 1))
    size = np.diff(starts)
    found = []
    for n in np.unique(size).tolist():
        first, second = np.triu_indices(n, 1)
        at = starts[:-1][size == n][:, None]
        found.append(np.stack(((at + first).ravel(), (at + second).ravel())))
    of, to = np.concatenate(found, axis=1) if found else np.zeros((2, 0), np.int64)
    return of, to


def _over(above: Numbers, below: Numbers) -> Numbers:
    """Return the quotients as a column [draws, 1]."""
    return quotient(above, below)[:, None]


def _has_two(amounts: Numbers) -> NDArray[np.bool_]:
    """Return whether there is more than one answer: asked so that rounding has no say in it."""
    found: NDArray[np.bool_] = (amounts > 0).sum(axis=1) > 1
    return found
