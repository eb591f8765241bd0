"""Means by week and trends of measures."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from annotator.domain.work.work_statistics import WEEK_MS, trend, weekly


def _at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def test_weeks_begin_on_monday() -> None:
    found = weekly(
        [
            (_at("2026-11-22T23:59"), 4.0),  # Sunday
            (_at("2026-11-23T00:00"), 1.0),  # Monday
            (_at("2026-11-25T12:00"), 2.0),
        ]
    )
    assert [(w.start, w.mean, w.n) for w in found] == [
        (_at("2026-11-16T00:00"), 4.0, 1),
        (_at("2026-11-23T00:00"), 1.5, 2),
    ]


def test_the_trend_is_that_of_most_values() -> None:
    start, drawn = _at("2026-01-05T00:00"), random.Random(7)
    values = [(start + i * WEEK_MS // 3, 2 + 0.5 * i / 3 + drawn.gauss(0, 0.02)) for i in range(30)]
    values[11] = (values[11][0], 900.0)
    found = trend(values)
    assert found is not None
    assert found == pytest.approx(0.5, abs=0.02)


def test_few_values_or_few_days_have_no_trend() -> None:
    start = _at("2026-01-05T00:00")
    assert trend([(start + i * WEEK_MS, 1.0) for i in range(3)]) is None
    assert trend([(start + i * 1000, float(i)) for i in range(20)]) is None
    assert trend([]) is None
