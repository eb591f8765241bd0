"""Agreement coefficients that need the votes of each rater: pairs, all pairs, single raters."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.sums import PatternSums, chosen, patterns, quotient
from annotator.domain.agreement.vote_counts import pairs_within

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.agreement.sums import Codes, Columns, Weights

    Numbers: TypeAlias = NDArray[np.float64]


LEAST_COMMON: Final = 10
"""Number of common units that two of many raters need for a kappa."""


class Weighting(StrEnum):
    """How much two different answers differ: all the same, or by their places in the order."""

    NONE = "none"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


class Paired:
    """Pairs of votes on each unit with two or more votes, as patterns of rater and category.

    ``pattern`` [units] and the weights are as in `Counted`.
    """

    def __init__(self, ratings: Ratings, least_common: int = LEAST_COMMON) -> None:
        """``least_common`` is for the kappas of more than two raters."""
        n_codes = max(len(ratings.categories), 1)
        size = np.bincount(ratings.unit, minlength=len(ratings.units))
        is_pair = size[ratings.unit] >= 2
        units, unit = np.unique(ratings.unit[is_pair], return_inverse=True)
        rater, code = ratings.rater[is_pair], ratings.code[is_pair]
        self.pattern, first = patterns(unit, rater, code + 1, len(units))
        at, of = chosen(unit, first, len(units))
        one, other = pairs_within(of, len(first))
        self._of = of[one]
        """The pattern of each pair of votes, its raters and categories."""
        self._raters = rater[at][one], rater[at][other]
        self._codes = code[at][one], code[at][other]
        self._size = size[units][first].astype(np.float64)
        self.n_patterns, self._n_codes = len(first), n_codes
        self.n_raters = len(ratings.raters)
        at = self._often(least_common if self.n_raters > 2 else 1)
        self._met = _Met(
            self._of[at],
            (self._raters[0][at], self._raters[1][at]),
            (self._codes[0][at], self._codes[1][at]),
            (self.n_patterns, self.n_raters, n_codes),
        )
        self.width = 2 * len(self._met.pair)

    def has_kappa(self) -> set[int]:
        """Return the raters who answered enough units together with another one."""
        return set(np.concatenate(self._met.raters).tolist())

    def by_rater(self) -> Columns:
        """Return percent agreement of each rater with the others [draws, raters].

        It is the share of the others on a unit who said the same, mean over the rater's units.
        """
        is_same = (self._codes[0] == self._codes[1]).astype(np.float64)
        share = 1 / (self._size[self._of] - 1)
        rater, of = np.concatenate(self._raters), np.tile(self._of, 2)
        shape = (self.n_patterns, self.n_raters)
        same = PatternSums(of, rater, np.tile(is_same * share, 2), shape)
        all_of = PatternSums(of, rater, np.tile(share, 2), shape)
        return lambda weights: quotient(same(weights), all_of(weights))

    def cohen(self, weighting: Weighting = Weighting.NONE) -> Columns:
        """Return Cohen's kappa as the mean over pairs of raters for whom it is defined (Light
        1971), which for two raters is their kappa; then the same of each rater's pairs:
        [draws, 1 + raters].

        Weights go by the place of answers among the categories. Of more than two raters, pairs with
        fewer units in common than there must be are left out: of a single unit kappa is 0 or not
        defined, whatever the two said.
        """
        kappas, one, other = self._kappas(weighting)
        n = self.n_raters
        ends = np.concatenate((np.zeros(len(one), np.int64), one + 1, other + 1))
        pair = np.tile(np.arange(len(one)), 3)
        mean = PatternSums(pair, ends, np.ones(len(pair)), (len(one), 1 + n))

        def means(weights: Weights) -> Numbers:
            kappa = kappas(weights)
            is_there = ~np.isnan(kappa)
            return quotient(mean(np.where(is_there, kappa, 0.0)), mean(is_there.astype(np.float64)))

        return means

    def _often(self, least: int) -> Codes:
        """Return the pairs of votes by raters with enough common units."""
        pattern_count = np.bincount(self.pattern, minlength=self.n_patterns)
        keys = self._raters[0] * self.n_raters + self._raters[1]
        _, pair = np.unique(keys, return_inverse=True)
        common = np.bincount(pair, pattern_count[self._of])
        return np.flatnonzero(common[pair] >= least)

    def _kappas(self, weighting: Weighting) -> tuple[Columns, Codes, Codes]:
        """Return the kappas of pairs of raters [draws, pairs], and who the pairs are."""
        cells = self._met
        pair, codes = cells.pair, cells.codes
        n_pairs, n_cells = len(cells.raters[0]), len(pair)
        # A slot is an answer that one of a pair gave; slots ascend by pair, then by answer.
        places = [pair * self._n_codes + code for code in codes]
        slots, both = np.unique(np.concatenate(places), return_inverse=True)
        of_pair, code = np.divmod(slots, self._n_codes)
        every_cell, ones = np.arange(n_cells), np.ones(n_cells)
        first = PatternSums(every_cell, both[:n_cells], ones, (n_cells, len(slots)))
        second = PatternSums(every_cell, both[n_cells:], ones, (n_cells, len(slots)))
        observed = PatternSums(every_cell, pair, _weight(*codes, weighting), (n_cells, n_pairs))
        expected = _Expected(of_pair, code, n_pairs, weighting)

        def kappas(weights: Weights) -> Numbers:
            met = cells(weights)
            total, below = expected(first(met), second(met))
            return 1 - quotient(total * observed(met), below)

        return kappas, *cells.raters


class _Met:
    """Counts of category pairs for each two raters; caches the last request."""

    def __init__(
        self,
        of: Codes,
        raters: tuple[Codes, Codes],
        codes: tuple[Codes, Codes],
        shape: tuple[int, int, int],
    ) -> None:
        """``shape`` is (patterns, raters, codes)."""
        n_patterns, n_raters, n_codes = shape
        keys = ((raters[0] * n_raters + raters[1]) * n_codes + codes[0]) * n_codes + codes[1]
        unique_keys, cell = np.unique(keys, return_inverse=True)
        both, second = np.divmod(unique_keys, n_codes)
        both, first = np.divmod(both, n_codes)
        pairs, self.pair = np.unique(both, return_inverse=True)
        """Pair of raters and categories of each cell; ``raters`` are those of a pair."""
        self.codes = first, second
        self.raters = np.divmod(pairs, max(n_raters, 1))
        self._sums = PatternSums(of, cell, np.ones(len(of)), (n_patterns, len(unique_keys)))
        self._last: tuple[Weights, Numbers] | None = None

    def __call__(self, weights: Weights) -> Numbers:
        """Return [draws, cells]."""
        if self._last is None or self._last[0] is not weights:
            self._last = weights, self._sums(weights)
        return self._last[1]


class _Expected:
    """Sums the products of what two raters said, times how much the answers differ."""

    def __init__(self, pair: Codes, code: Codes, n_pairs: int, weighting: Weighting) -> None:
        """``pair`` and ``code`` [slots] ascend; each pair has a slot."""
        self._pair, self._weighting = pair, weighting
        self._starts = np.searchsorted(pair, np.arange(n_pairs))
        self._total = PatternSums(
            np.arange(len(pair)), pair, np.ones(len(pair)), (len(pair), n_pairs)
        )
        self._code = code.astype(np.float64)
        is_last = np.append(pair[1:] != pair[:-1], True) if len(pair) else np.zeros(0, bool)
        gap = np.append(np.diff(self._code), 0.0) if len(pair) else self._code
        self._gap = np.where(is_last, 0.0, gap)

    def __call__(self, first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
        """Return how many votes each pair has in common and the sums, both [draws, pairs], from how
        often each of two gave each answer [draws, slots]."""
        n_first, n_second = self._total(first), self._total(second)
        if self._weighting is Weighting.LINEAR:
            return n_first, self._linear(first, second)
        if self._weighting is Weighting.NONE:
            return n_first, n_first * n_second - self._total(first * second)
        code = self._code
        squares = self._total(first * code**2) * n_second + self._total(second * code**2) * n_first
        mixed = self._total(first * code) * self._total(second * code)
        return n_first, squares - 2 * mixed

    def _linear(self, first: Numbers, second: Numbers) -> Numbers:
        """Of each step from an answer to the next, how many pairs of votes go across it."""
        below = [self._running(each) for each in (first, second)]
        above = [
            self._total(each)[:, self._pair] - b
            for each, b in zip((first, second), below, strict=True)
        ]
        return self._total((below[0] * above[1] + below[1] * above[0]) * self._gap)

    def _running(self, amounts: Numbers) -> Numbers:
        running = np.cumsum(amounts, axis=1)
        before = (running - amounts)[:, self._starts]
        found: Numbers = running - before[:, self._pair]
        return found


def _weight(one: Codes, other: Codes, weighting: Weighting) -> Numbers:
    apart: Numbers = np.abs(one - other).astype(np.float64)
    if weighting is Weighting.NONE:
        return np.minimum(apart, 1.0)
    return apart if weighting is Weighting.LINEAR else np.square(apart)


Pairs: TypeAlias = list[tuple[int, int]]
Assign: TypeAlias = Callable[["NDArray[np.float64]"], Pairs]
"""Pairs rows and columns of a table of overlaps so that the sum of their overlaps is greatest."""


def matched(overlap: NDArray[np.float64], assign: Assign) -> Pairs:
    """Return pairs of rows and columns that overlap, none of them twice, the sum greatest.

    ``assign`` is asked only where there is a choice.
    """
    is_some = overlap > 0
    if is_some.size and (is_some.sum(0).max() > 1 or is_some.sum(1).max() > 1):
        return [(i, j) for i, j in assign(overlap) if is_some[i, j]]
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(is_some), strict=True)]
