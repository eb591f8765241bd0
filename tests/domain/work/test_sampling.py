"""Spot checks: as many as asked for, the same for the same seed, and by risk if wanted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.ids import SubmissionId
from annotator.domain.recipes.recipe import SampleBy
from annotator.domain.work.spot_check_sampling import (
    DAY_MS,
    ReviewCandidate,
    is_due,
    risk,
    spot_check,
)
from annotator.domain.work.work_statistics import ReturnRate

_MANY = [ReviewCandidate(SubmissionId(f"s{i}"), 0.9 if i < 50 else 0.0) for i in range(500)]


def test_the_choice_follows_from_the_seed_and_not_from_the_order() -> None:
    first = spot_check(_MANY, 0.1, by=SampleBy.RANDOM, seed="project 1")
    assert len(first) == 50
    assert spot_check(_MANY[::-1], 0.1, by=SampleBy.RANDOM, seed="project 1") == first
    assert spot_check([*_MANY, *_MANY], 0.1, by=SampleBy.RANDOM, seed="project 1") == first
    assert spot_check(_MANY, 0.1, by=SampleBy.RANDOM, seed="project 2") != first


def test_risk_draws_more_of_the_risky_but_not_them_alone() -> None:
    risky = {c.submission_id for c in _MANY if c.risk > 0}

    def share_of_risky(by: SampleBy) -> float:
        found = [s for i in range(40) for s in spot_check(_MANY, 0.1, by=by, seed=str(i))]
        return sum(s in risky for s in found) / len(found)

    assert 0.07 < share_of_risky(SampleBy.RANDOM) < 0.13
    assert 0.5 < share_of_risky(SampleBy.RISK) < 0.75


@given(st.integers(0, 40), st.floats(0, 1))
def test_a_share_is_rounded_up(n: int, share: float) -> None:
    found = spot_check(_MANY[:n], share, by=SampleBy.RISK, seed="x")
    assert len(set(found)) == len(found)
    assert share * n - 1e-6 <= len(found) < share * n + 1


def test_when_it_is_due() -> None:
    assert is_due(None, 0, 3)
    assert not is_due(0, 3 * DAY_MS - 1, 3)
    assert is_due(0, 3 * DAY_MS, 3)
    assert is_due(10 * DAY_MS, 0, 3)


def test_each_reason_alone_makes_a_risk() -> None:
    assert risk(None) == 0.0
    assert risk(ReturnRate(4, 1, {})) == pytest.approx(0.25)
    assert risk(None, 10) == pytest.approx(0.5)
    assert risk(None, 0, 0.2) == pytest.approx(0.8)
    assert risk(ReturnRate(4, 1, {}), 10, 0.2) == pytest.approx(1 - 0.75 * 0.5 * 0.2)
