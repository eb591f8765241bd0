"""Figures of agreement against packages by other people, and against definitions in fractions."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from annotator.domain.agreement.estimate import Missing
from annotator.domain.agreement.measures import METHODS, Method, Scale, estimates_by
from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.resampling import Bootstrap

N_TABLES = 1000
EXACT = 1e-12
VALUE_ALONE = Bootstrap(draws=0)
SHARES_MISSING = (0.0, 0.0, 0.1, 0.3, 0.6, 0.9, 1.0)


@pytest.fixture(scope="module")
def reference() -> SimpleNamespace:
    import krippendorff
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return SimpleNamespace(
        alpha=krippendorff.alpha,
        cohen=cohen_kappa_score,
        fleiss=fleiss_kappa,
        counts=aggregate_raters,
    )


def _tables(n_raters: int | None = None, share: float | None = None) -> Iterator[np.ndarray]:
    """Yield tables [units, raters] of few or many answers, with NaN here and there."""
    for seed in range(N_TABLES):
        rng = np.random.default_rng(seed)
        shape = (int(rng.integers(1, 25)), n_raters or int(rng.integers(1, 7)))
        answers = np.sort(rng.choice([-7.5, 0, 1, 2, 3, 4, 10, 1000.25], rng.integers(1, 7), False))
        truth = rng.choice(answers, (shape[0], 1))
        table = np.where(rng.random(shape) < rng.random(), truth, rng.choice(answers, shape))
        missing = rng.choice(SHARES_MISSING) if share is None else share
        yield np.where(rng.random(shape) < missing, np.nan, table)


def _values(table: np.ndarray, *methods: Method) -> list[float | None]:
    found = estimates_by(Ratings.of_table(table), methods, VALUE_ALONE, least_common=1)
    return [estimate.value for estimate in found]


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def test_alpha_is_that_of_krippendorff(reference: SimpleNamespace) -> None:
    worst, defined = 0.0, 0
    for table in _tables():
        ours = _values(table, Method.ALPHA_NOMINAL, Method.ALPHA_ORDINAL, Method.ALPHA_INTERVAL)
        for level, value in zip(("nominal", "ordinal", "interval"), ours, strict=True):
            try:
                with np.errstate(invalid="ignore"):
                    theirs = _or_none(reference.alpha(table.T, level_of_measurement=level))
            except ValueError:
                theirs = None
            assert (value is None) == (theirs is None), table
            if value is not None and theirs is not None:
                worst, defined = max(worst, abs(value - theirs)), defined + 1
    assert worst <= EXACT
    assert defined > N_TABLES


def test_cohen_is_that_of_scikit_learn(reference: SimpleNamespace) -> None:
    worst, defined = 0.0, 0
    weightings = {
        Method.COHEN: None,
        Method.COHEN_LINEAR: "linear",
        Method.COHEN_QUADRATIC: "quadratic",
    }
    for i, table in enumerate(_tables(2)):
        both = table[~np.isnan(table).any(axis=1)]
        # One weighting each: scikit-learn takes a millisecond for a table.
        method = list(weightings)[i % 3]
        (value,) = _values(table, method)
        if not len(both):
            assert value is None
            continue
        labels = Ratings.of_table(table).categories
        place = {label: k for k, label in enumerate(labels)}
        one, other = ([place[answer] for answer in column] for column in both.T)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = _or_none(
                reference.cohen(one, other, labels=range(len(labels)), weights=weightings[method])
            )
        assert (value is None) == (theirs is None), table
        if value is not None and theirs is not None:
            worst, defined = max(worst, abs(value - theirs)), defined + 1
    assert worst <= EXACT
    assert defined > N_TABLES / 4


def test_fleiss_is_that_of_statsmodels(reference: SimpleNamespace) -> None:
    worst, defined = 0.0, 0
    for seed, table in enumerate(_tables(share=0.0)):
        # Of more raters each unit has those that a shuffle gives it: as many votes on each.
        rng = np.random.default_rng(seed)
        spread = np.full((len(table), table.shape[1] + int(rng.integers(0, 3))), np.nan)
        spread[:, : table.shape[1]] = table
        spread = rng.permuted(spread, axis=1)
        (value,) = _values(spread, Method.FLEISS)
        if table.shape[1] < 2:
            assert value is None
            continue
        with np.errstate(invalid="ignore"):
            theirs = _or_none(reference.fleiss(reference.counts(table)[0]))
        assert (value is None) == (theirs is None), table
        if value is not None and theirs is not None:
            worst, defined = max(worst, abs(value - theirs)), defined + 1
    assert worst <= EXACT
    assert defined > N_TABLES / 2


def test_all_follow_from_their_definitions() -> None:
    methods = (
        Method.PERCENT,
        Method.FLEISS,
        Method.COHEN,
        Method.COHEN_LINEAR,
        Method.COHEN_QUADRATIC,
    )
    for i, table in enumerate(_tables()):
        if i % 5:
            continue
        units = [[x for x in row if not math.isnan(x)] for row in table.tolist()]
        expected = [_percent(units), _fleiss(units)]
        expected += [_light(table, weight) for weight in (0, 1, 2)]
        for value, exact in zip(_values(table, *methods), expected, strict=True):
            assert (value is None) == (exact is None)
            if value is not None and exact is not None:
                assert abs(value - float(exact)) <= EXACT


def _percent(units: list[list[float]]) -> Fraction | None:
    shares = [_share(unit) for unit in units if len(unit) > 1]
    return sum(shares, Fraction(0)) / len(shares) if shares else None


def _share(unit: list[float]) -> Fraction:
    pairs = list(combinations(unit, 2))
    return Fraction(sum(a == b for a, b in pairs), len(pairs))


def _fleiss(units: list[list[float]]) -> Fraction | None:
    units = [unit for unit in units if len(unit) > 1]
    seen = _percent(units)
    if seen is None:
        return None
    answers = {answer for unit in units for answer in unit}
    means = [
        sum((Fraction(unit.count(answer), len(unit)) for unit in units), Fraction(0)) / len(units)
        for answer in answers
    ]
    chance = sum((mean**2 for mean in means), Fraction(0))
    return (seen - chance) / (1 - chance) if chance != 1 else None


def _light(table: np.ndarray, power: int) -> Fraction | None:
    """The mean of the kappas of all pairs of raters; weights are differences of places."""
    place = {x: k for k, x in enumerate(np.unique(table[~np.isnan(table)]).tolist())}
    kappas = []
    for one, other in combinations(table.T.tolist(), 2):
        both = [
            (place[a], place[b])
            for a, b in zip(one, other, strict=True)
            if not math.isnan(a) and not math.isnan(b)
        ]
        mine, theirs = Counter(a for a, _ in both), Counter(b for _, b in both)
        expected = sum(
            n * m * _apart(a, b, power) for a, n in mine.items() for b, m in theirs.items()
        )
        if expected:
            observed = len(both) * sum(_apart(a, b, power) for a, b in both)
            kappas.append(1 - Fraction(observed, expected))
    return sum(kappas, Fraction(0)) / len(kappas) if kappas else None


def _apart(a: int, b: int, power: int) -> int:
    return abs(a - b) ** power if power else int(a != b)


NAN = np.nan
DEGENERATE = {
    "nothing": (np.full((3, 3), NAN), Missing.NO_VOTES, Missing.NO_VOTES),
    "one rater": (np.array([[1, NAN], [2, NAN]]), Missing.ONE_RATER, Missing.ONE_RATER),
    "no pair": (np.array([[1, NAN], [NAN, 2]]), Missing.NO_PAIR, Missing.NO_PAIR),
    "one answer": (np.array([[1, 1], [1, 1]]), None, Missing.ONE_VALUE),
    "one answer by two": (np.array([[1, 1], [2, NAN]]), None, Missing.ONE_VALUE),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_what_is_not_defined_says_why(case: str) -> None:
    table, of_percent, of_others = DEGENERATE[case]
    methods = METHODS[Scale.INTERVAL]
    for estimate in estimates_by(Ratings.of_table(table), methods):
        expected = of_percent if estimate.method == Method.PERCENT else of_others
        assert estimate.reason == expected
        assert estimate.value == (1.0 if expected is None else None)
        assert (estimate.low is None) == (estimate.high is None)
        if expected is not None:
            assert estimate.low is None


def test_what_others_do_where_all_say_the_same(reference: SimpleNamespace) -> None:
    same = np.ones((4, 2))
    with pytest.raises(ValueError, match="more than one value"):
        reference.alpha(same.T, level_of_measurement="nominal")
    with pytest.raises(ValueError, match="at least two coders"):
        reference.alpha(np.array([[1, NAN], [NAN, 2]]), level_of_measurement="nominal")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert math.isnan(reference.cohen([1, 1], [1, 1]))
    with np.errstate(invalid="ignore"):
        assert math.isnan(reference.fleiss([[2], [2]]))
