"""What came of a study, on a case that is worked out by hand."""

from __future__ import annotations

import pytest

from annotator.domain.agreement.estimate import Estimate
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.errors import WorkError
from annotator.domain.study.results import MAJORITY, StudyEstimate, StudyResponse, results, wilson

HOW = Bootstrap(draws=40, seed=3, level=0.9)
TAGS = {"area": {"a": ("physics",), "b": ("memory",)}}


def _answers(item: str, key: str, rights: str, first: int, seconds: float) -> list[StudyResponse]:
    return [
        StudyResponse(item, f"p{first + i}", key, mark == "y", f"option {mark}", seconds + i)
        for i, mark in enumerate(rights)
    ]


GIVEN = [
    *_answers("a", "sound", "yyy", 0, 4.0),
    *_answers("b", "sound", "yyn", 0, 6.0),
    *_answers("a", "muted", "ynm", 3, 10.0),
    *_answers("b", "muted", "nny", 3, 12.0),
]


def _value(found: tuple[StudyEstimate, ...], key: str, method: str, name: str = "") -> Estimate:
    return next(
        r.estimate
        for r in found
        if (r.condition, r.estimate.method, r.estimate.name) == (key, method, name)
    )


def test_each_condition_has_its_figures_and_all_together_too() -> None:
    found = results(GIVEN, ["sound", "muted"], 3, TAGS, HOW)
    shares = {key: _value(found, key, "accuracy").value for key in ("", "sound", "muted")}
    assert shares == {"": 7 / 12, "sound": 5 / 6, "muted": 2 / 6}
    assert _value(found, "muted", "accuracy", "memory").value == 1 / 3
    of_sound = _value(found, "sound", "accuracy")
    assert (of_sound.low, of_sound.high) == wilson(5, 6, 0.9)
    assert of_sound.params["condition"] == "sound"
    assert "condition" not in _value(found, "", "accuracy").params
    assert _value(found, "sound", "median-seconds").value == 6.0
    assert results(GIVEN[::-1], ["sound", "muted"], 3, TAGS, HOW) == found


def test_a_majority_needs_more_than_half_for_one_answer() -> None:
    found = results(GIVEN, ["sound", "muted"], 3, TAGS, HOW)
    assert _value(found, "sound", MAJORITY).value == 1.0
    # Of the first item one says what is right, one this and one that; of the second most are wrong.
    muted = _value(found, "muted", MAJORITY)
    assert muted.value == 0.0
    assert (muted.inputs.units, muted.inputs.raters, muted.inputs.votes) == (2, 3, 6)
    physics = _value(found, "sound", MAJORITY, "physics")
    assert (physics.inputs.units, physics.inputs.raters, physics.inputs.votes) == (1, 3, 3)
    assert not any(r.estimate.method == MAJORITY for r in found if not r.condition)


def test_an_item_that_waits_for_answers_has_no_majority_yet() -> None:
    one = [each._replace(condition="") for each in GIVEN[:5]]
    found = results(one, [""], 3, {}, HOW)
    assert {r.condition for r in found} == {""}
    assert _value(found, "", MAJORITY).inputs.units == 1
    assert _value(found, "", "accuracy").inputs.votes == 5


def test_nothing_given_is_told_as_such() -> None:
    found = results([], ["sound", "muted"], 3, TAGS, HOW)
    assert {(r.condition, r.estimate.value) for r in found} == {
        ("", None),
        ("sound", None),
        ("muted", None),
    }


def test_it_can_be_stopped_and_tells_how_far_it_is() -> None:
    told: list[float] = []
    results(GIVEN, ["sound", "muted"], 3, TAGS, HOW, Watch(told.append))
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(WorkError, match=r"The computation was canceled\."):
        results(GIVEN, [""], 3, TAGS, HOW, Watch(is_canceled=lambda: True))
