"""Figures of studies on cases that are worked out by hand, and against statsmodels."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest

from annotator.domain.agreement.estimate import Estimate, Missing
from annotator.domain.agreement.resampling import Bootstrap, Watch, drawn_units
from annotator.domain.errors import WorkError
from annotator.domain.study.results import (
    ScoredAnswer,
    baseline,
    graded,
    graded_majority,
    is_right_score,
    robustness,
    wilson,
)
from annotator.domain.votes import Ballot, ItemFlag, RuleKind, Vote, VotingRule, resolve

HOW = Bootstrap(draws=50, seed=5, level=0.9)
ANSWERS = [
    ScoredAnswer("q1", "ann", True, 4.0),
    ScoredAnswer("q1", "bob", True, 6.0),
    ScoredAnswer("q2", "ann", False, 20.0),
    ScoredAnswer("q2", "bob", True, 10.0),
    ScoredAnswer("q3", "ann", False),
    ScoredAnswer("q3", "bob", False, 8.0),
]
TAGS = {
    "area": {"q1": ("physics",), "q2": ("memory",), "q3": ("memory",)},
    "tag": {"q1": ("motion", "contact"), "q2": ("motion",)},
}


def _at(found: tuple[Estimate, ...], method: str, name: str = "", kind: str = "") -> Estimate:
    return next(
        f
        for f in found
        if (f.method, f.name) == (method, name) and kind in str(f.params["interval"])
    )


def test_accuracy_is_told_of_all_and_of_each_tag() -> None:
    found = baseline(ANSWERS, TAGS, HOW)
    shares = {f.name: f.value for f in found if f.method == "accuracy"}
    assert shares == {"": 0.5, "physics": 1.0, "memory": 0.25, "motion": 0.75, "contact": 1.0}
    assert {f.by for f in found} == {"", "area", "tag"}
    inputs = _at(found, "accuracy", "memory").inputs
    assert (inputs.units, inputs.raters, inputs.votes) == (2, 2, 4)
    assert baseline(ANSWERS[::-1], TAGS, HOW) == found
    assert _at(found, "median-seconds").value == 8.0
    assert _at(found, "median-seconds", "physics").value == 5.0


def test_intervals_name_their_method() -> None:
    found = baseline(ANSWERS, TAGS, HOW)
    of_wilson = _at(found, "accuracy", kind="wilson")
    assert (of_wilson.low, of_wilson.high) == wilson(3, 6, 0.9)
    by_items = _at(found, "accuracy", kind="bootstrap")
    shares = np.array([1.0, 0.5, 0.0])
    times = [[4.0, 6.0], [20.0, 10.0], [8.0]]
    drawn = np.concatenate(list(drawn_units(3, HOW)))
    assert (by_items.low, by_items.high) == pytest.approx(
        tuple(np.quantile(shares[drawn].mean(axis=1), [0.05, 0.95]))
    )
    medians = [median([t for i in row for t in times[i]]) for row in drawn.tolist()]
    slow = _at(found, "median-seconds")
    assert (slow.low, slow.high) == pytest.approx(tuple(np.quantile(medians, [0.05, 0.95])))


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_wilson_is_that_of_statsmodels(level: float) -> None:
    from statsmodels.stats.proportion import proportion_confint

    for n in (1, 2, 7, 126):
        for right in {0, 1, n // 3, n}:
            expected = proportion_confint(right, n, alpha=1 - level, method="wilson")
            assert wilson(right, n, level) == pytest.approx(expected, abs=1e-12)


def test_no_answers_have_no_accuracy() -> None:
    found = baseline([], TAGS, HOW)
    assert [(f.value, f.low, f.reason) for f in found] == [(None, None, Missing.NO_VOTES)] * 2
    with pytest.raises(WorkError):
        baseline(ANSWERS, watch=Watch(is_canceled=lambda: True))


def test_answers_are_held_against_references() -> None:
    votes = [
        Vote("q1", "ann", ("b", "a")),
        Vote("q1", "bob", ("a",)),
        Vote("q2", "ann", "yes"),
        Vote("q9", "ann", "yes"),
    ]
    found = graded(votes, {"q1": ("a", "b"), "q2": "yes"}, {("q2", "ann"): 3.5})
    assert found == [
        ScoredAnswer("q1", "ann", True),
        ScoredAnswer("q1", "bob", False),
        ScoredAnswer("q2", "ann", True, 3.5),
    ]


def test_together_people_are_right_where_their_majority_is() -> None:
    said = {"q1": "aab", "q2": "abb", "q3": "abc", "q4": "aa", "q5": "aaa", "q6": "aaa"}
    votes = [Vote(q, f"p{i}", v) for q, values in said.items() for i, v in enumerate(values)]
    outcomes = resolve(
        votes,
        VotingRule(RuleKind.MAJORITY, raters=3),
        Ballot(flags=[ItemFlag("q5", "ann", "silent", discards=True)]),
    ).outcomes
    found = graded_majority(outcomes.values(), dict.fromkeys(["q1", "q2", "q3", "q4", "q5"], "a"))
    assert found == [
        ScoredAnswer("q1", "", True),
        ScoredAnswer("q2", "", False),
        ScoredAnswer("q3", "", False),
    ]


def test_robustness_is_of_those_with_the_primary_right() -> None:
    kinds = ("primary", "paraphrased", "led", "misled", "choice")
    rights = {
        "v1": dict.fromkeys(kinds, True),
        "v2": {**dict.fromkeys(kinds, True), "misled": False},
        "v3": {**dict.fromkeys(kinds, True), "primary": False},
        "v4": dict.fromkeys(kinds, True),
        "v5": {"primary": True},
    }
    found = robustness(rights, "primary", kinds[1:], HOW)
    assert found.value == pytest.approx(2 / 3)
    assert found.params["left_out"] == 1
    assert (found.inputs.units, found.inputs.votes) == (4, 20)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    none = robustness({"v3": rights["v3"]}, "primary", kinds[1:], HOW)
    assert (none.value, none.reason) == (None, Missing.NO_CASE)
    assert robustness({}, "primary", kinds[1:], HOW).reason is Missing.NO_VOTES


def test_scores_from_three_on_are_right() -> None:
    assert [is_right_score(score) for score in (0, 2, 2.9, 3, 5)] == [False] * 3 + [True] * 2
    for score in (-1, 5.1):
        with pytest.raises(ValueError, match="between 0 and 5"):
            is_right_score(score)
