"""Agreement measures by name, with their intervals.

An undefined measure has no value but a reason. Other programs differ: if all votes are equal,
``krippendorff`` raises ValueError, scikit-learn returns NaN with a warning and statsmodels divides
by zero; without any unit with two votes, ``krippendorff`` raises ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from annotator.domain.agreement.estimate import Estimate, Inputs, Missing, Parameter
from annotator.domain.agreement.rater_pairs import LEAST_COMMON, Paired, Weighting
from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.resampling import Bootstrap, Resampled, Watch, intervals
from annotator.domain.agreement.vote_counts import Counted


class Method(StrEnum):
    """Measures of agreement; the name of each is stored with its values."""

    PERCENT = "percent-agreement"
    COHEN = "cohen-kappa"
    COHEN_LINEAR = "cohen-kappa-linear"
    COHEN_QUADRATIC = "cohen-kappa-quadratic"
    FLEISS = "fleiss-kappa"
    ALPHA_NOMINAL = "alpha-nominal"
    ALPHA_ORDINAL = "alpha-ordinal"
    ALPHA_INTERVAL = "alpha-interval"


class Scale(StrEnum):
    """Scale of the answers: nominal, ordinal or interval."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


_WEIGHTINGS: Final = {
    Method.COHEN: Weighting.NONE,
    Method.COHEN_LINEAR: Weighting.LINEAR,
    Method.COHEN_QUADRATIC: Weighting.QUADRATIC,
}
_NOMINAL: Final = (Method.PERCENT, Method.COHEN, Method.FLEISS, Method.ALPHA_NOMINAL)
_WEIGHTED: Final = (Method.COHEN_LINEAR, Method.COHEN_QUADRATIC, Method.ALPHA_ORDINAL)
METHODS: Final[dict[Scale, tuple[Method, ...]]] = {
    Scale.NOMINAL: _NOMINAL,
    Scale.ORDINAL: (*_NOMINAL, *_WEIGHTED),
    Scale.INTERVAL: (*_NOMINAL, *_WEIGHTED, Method.ALPHA_INTERVAL),
}


def estimates_by(
    ratings: Ratings,
    methods: Sequence[Method],
    how: Bootstrap | None = None,
    *,
    by_rater: bool = False,
    least_common: int = LEAST_COMMON,
    watch: Watch | None = None,
) -> tuple[Estimate, ...]:
    """Return estimates by these methods, each with its bootstrap interval over units.

    Percent agreement is the mean over units of the share of pairs with equal answers; Cohen's kappa
    is the mean over the pairs of raters for whom it is defined and who (of more than two) have
    enough units in common. ``by_rater`` adds for each rater percent agreement with the others and
    the mean of their kappas. Raises ValueError for an interval scale of answers that are no
    numbers.
    """
    how = how or Bootstrap()
    of_pairs = _of_pairs(ratings, methods, by_rater, least_common)
    measures = [*_of_counts(ratings, methods), *of_pairs]
    ranges_of = intervals([measure.resampled for measure in measures], how, watch)
    inputs = ratings.inputs()
    estimates = []
    for measure, ranges in zip(measures, ranges_of, strict=True):
        columns = zip(measure.names, measure.resampled.values().tolist(), ranges, strict=False)
        for name, value, low_high in columns:
            is_there = not math.isnan(value)
            low, high = (low_high if is_there else None) or (None, None)
            estimates.append(
                Estimate(
                    measure.method.value,
                    value if is_there else None,
                    low,
                    high,
                    inputs,
                    {**measure.params, **how.params()},
                    None if is_there else _reason(ratings, name, inputs, measure),
                    by="rater" if name else "",
                    name=name,
                )
            )
    return tuple(estimates)


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """A method and its columns: the name of a rater for each, "" for all of them together.

    ``few`` are the names of those without another who answered enough of the same units.
    """

    method: Method
    resampled: Resampled
    names: tuple[str, ...] = ("",)
    params: Mapping[str, Parameter] = field(default_factory=dict)
    few: frozenset[str] = frozenset()


def _of_counts(ratings: Ratings, methods: Sequence[Method]) -> Iterator[_Request]:
    counted = Counted(ratings)
    makers = {
        Method.PERCENT: counted.percent,
        Method.FLEISS: counted.fleiss,
        Method.ALPHA_NOMINAL: counted.alpha_nominal,
        Method.ALPHA_ORDINAL: counted.alpha_ordinal,
        Method.ALPHA_INTERVAL: counted.alpha_interval,
    }
    for method in methods:
        if method in makers:
            columns = makers[method]()
            yield _Request(
                method,
                Resampled(counted.pattern, counted.n_patterns, columns, width=counted.width),
            )


def _of_pairs(
    ratings: Ratings, methods: Sequence[Method], by_rater: bool, least_common: int
) -> Iterator[_Request]:
    weightings = [(method, _WEIGHTINGS[method]) for method in methods if method in _WEIGHTINGS]
    is_percent = by_rater and Method.PERCENT in methods
    if not weightings and not is_percent:
        return
    paired = Paired(ratings, least_common)
    names = ("", *ratings.raters) if by_rater else ("",)
    has_kappa = paired.has_kappa()
    raters_without_kappa = {name for i, name in enumerate(ratings.raters) if i not in has_kappa}
    params: dict[str, Parameter] = {"over": "pairs", "least_common": least_common}
    for method, weighting in weightings:
        columns = paired.cohen(weighting)
        yield _Request(
            method,
            Resampled(
                paired.pattern, paired.n_patterns, columns, 1 + len(ratings.raters), paired.width
            ),
            names,
            params,
            frozenset(raters_without_kappa if has_kappa else {"", *raters_without_kappa}),
        )
    if is_percent:
        resampled = Resampled(
            paired.pattern, paired.n_patterns, paired.by_rater(), len(ratings.raters), paired.width
        )
        yield _Request(Method.PERCENT, resampled, ratings.raters)


def _reason(ratings: Ratings, rater: str, inputs: Inputs, wanted: _Request) -> Missing:
    """Return why an estimate is not defined, of one rater or ("") of all."""
    if not inputs.votes:
        return Missing.NO_VOTES
    if inputs.raters == 1:
        return Missing.ONE_RATER
    has_pair = np.bincount(ratings.unit)[ratings.unit] >= 2
    if rater:
        has_pair = has_pair[ratings.rater == ratings.raters.index(rater)]
    if not has_pair.any():
        return Missing.NO_PAIR
    return Missing.FEW_COMMON if rater in wanted.few else Missing.ONE_VALUE
