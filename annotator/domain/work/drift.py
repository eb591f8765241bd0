"""Change of a measure over weeks: means by week, and the trend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import mean, median
from typing import Final, NamedTuple

from annotator.domain.work.records import Instant

WEEK_MS: Final = 7 * 24 * 3_600_000
LEAST: Final = 4
"""Fewer values have no trend."""

_MONDAY_MS: Final = 4 * 24 * 3_600_000
"""1970-01-01 was a Thursday: the first Monday (UTC)."""


class Week(NamedTuple):
    """Mean of the ``n`` values of a week that began at ``start`` (Monday 0:00 UTC)."""

    start: Instant
    mean: float
    n: int


def weekly(values: Iterable[tuple[Instant, float]]) -> tuple[Week, ...]:
    """Return the mean of each week that has values, the first week first."""
    found: dict[Instant, list[float]] = {}
    for at, value in values:
        start = (at - _MONDAY_MS) // WEEK_MS * WEEK_MS + _MONDAY_MS
        found.setdefault(start, []).append(value)
    return tuple(Week(start, mean(each), len(each)) for start, each in sorted(found.items()))


def trend(values: Sequence[tuple[Instant, float]]) -> float | None:
    """Return the change per week: the median of the slopes between all pairs of values.

    Single outliers do not move it. None with fewer than `LEAST` values or within less than a week.
    Source: Sen (1968).
    """
    if len(values) < LEAST or max(values)[0] - min(values)[0] < WEEK_MS:
        return None
    slopes = [
        (other - one) / (later - at) * WEEK_MS
        for (at, one), (later, other) in combinations(sorted(values), 2)
        if later > at
    ]
    return median(slopes) if slopes else None
