"""Sums over draws: those of many slots with few entries are what adding one by one gives."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.domain.agreement.sums import PatternSums


def _plainly(
    pattern: np.ndarray, slot: np.ndarray, amount: np.ndarray, n_slots: int, weights: np.ndarray
) -> np.ndarray:
    rows = [np.bincount(slot, row[pattern] * amount, n_slots) for row in weights]
    return np.array(rows).reshape(len(weights), n_slots)


@pytest.mark.parametrize("n_draws", [0, 1, 7, 128, 300])
@pytest.mark.parametrize("is_skewed", [False, True])
@pytest.mark.parametrize("amounts", ["ones", "some are nothing", "fractions"])
def test_sums_of_many_slots_are_those_of_one_entry_after_the_other(
    n_draws: int, is_skewed: bool, amounts: str
) -> None:
    rng = np.random.default_rng(n_draws)
    n_patterns, n_slots, n = 400, 700, 1500
    pattern, slot = rng.integers(0, n_patterns, n), rng.integers(0, n_slots - 9, n)
    if is_skewed:
        slot[rng.random(n) < 0.4] = 3
        slot[rng.random(n) < 0.2] = 698
    amount = {
        "ones": np.ones(n),
        "some are nothing": rng.integers(0, 3, n).astype(np.float64),
        "fractions": rng.random(n),
    }[amounts]
    weights = rng.integers(0, 5, (n_draws, n_patterns)).astype(np.float64)
    found = PatternSums(pattern, slot, amount, (n_patterns, n_slots))(weights)
    assert np.array_equal(found, _plainly(pattern, slot, amount, n_slots, weights))


def test_few_slots_come_to_the_same_but_for_rounding() -> None:
    rng = np.random.default_rng(0)
    pattern, slot, amount = rng.integers(0, 30, 90), rng.integers(0, 5, 90), rng.random(90)
    weights = rng.integers(0, 5, (12, 30)).astype(np.float64)
    found = PatternSums(pattern, slot, amount, (30, 5))(weights)
    assert found == pytest.approx(_plainly(pattern, slot, amount, 5, weights), rel=1e-12)


def test_where_nothing_is_added_all_sums_are_nothing() -> None:
    none = np.zeros(0, np.int64)
    found = PatternSums(none, none, np.zeros(0), (1000, 1000))(np.ones((3, 1000)))
    assert np.array_equal(found, np.zeros((3, 1000)))
