"""What figures say of themselves: intervals, inputs, groups, and that they can be had again."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.domain.agreement.estimate import COLUMNS, Estimate, Missing, table
from annotator.domain.agreement.measures import METHODS, Method, Scale, estimates_by
from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.report import TASK_TYPE, FieldVotes, report
from annotator.domain.agreement.resampling import Bootstrap, Watch, drawn_units
from annotator.domain.agreement.vote_counts import by_item
from annotator.domain.errors import WorkError

HOW = Bootstrap(draws=60, seed=7)
VOTES = [("q1", "ann", "a"), ("q1", "bob", "a"), ("q1", "eve", "b"), ("q2", "ann", "b")]


def _ratings(seed: int = 1, units: int = 30, raters: int = 4, answers: int = 3) -> Ratings:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, answers, (units, 1))
    said = np.where(
        rng.random((units, raters)) < 0.6, truth, rng.integers(0, answers, (units, raters))
    )
    said = np.where(rng.random(said.shape) < 0.2, np.nan, said)
    return Ratings.of(
        (f"{u:04}", str(r), said[u, r].item()) for u in range(units) for r in range(raters)
    )


def _triples(ratings: Ratings) -> list[tuple[str, str, object]]:
    return [
        (ratings.units[u], ratings.raters[r], ratings.categories[c])
        for u, r, c in zip(ratings.unit, ratings.rater, ratings.code, strict=True)
    ]


def test_ratings_are_a_table_of_codes() -> None:
    ratings = Ratings.of([*VOTES, ("q1", "ann", "b"), ("q3", "ann", None)])
    assert (ratings.units, ratings.raters) == (("q1", "q2"), ("ann", "bob", "eve"))
    assert ratings.categories == ("a", "b")
    assert ratings.table().tolist() == [[0, 0, 1], [1, -1, -1]]
    assert len(ratings) == 4
    assert Ratings.of(reversed(VOTES)).inputs() == ratings.inputs()
    assert Ratings.of(VOTES[:3]).inputs() != ratings.inputs()
    assert Ratings.of(VOTES, ("b", "a")).table()[0].tolist() == [1, 1, 0]
    with pytest.raises(ValueError, match="not among the options: 'b'"):
        Ratings.of(VOTES, ("a",))
    with pytest.raises(ValueError, match="no numbers"):
        estimates_by(ratings, [Method.ALPHA_INTERVAL])


def test_numbers_that_are_none_are_no_votes() -> None:
    odd = [("q", "ann", 1.0), ("q", "bob", float("nan")), ("q", "eve", float("inf"))]
    assert _triples(Ratings.of(odd)) == [("q", "ann", 1.0)]


@pytest.mark.parametrize("raters", [2, 4, 70])
def test_intervals_are_those_of_units_drawn_again(raters: int) -> None:
    ratings = _ratings(raters=raters, units=12)
    methods = METHODS[Scale.INTERVAL]
    drawn: dict[str, list[float]] = {}
    whole = ratings.table().astype(float)
    whole = whole[(whole >= 0).sum(axis=1) >= 2]
    for units in np.concatenate(list(drawn_units(len(whole), HOW))):
        again = Ratings.of_table(np.where(whole[units] < 0, np.nan, whole[units]))
        # What does not occur in a draw still has its place in the order.
        again = Ratings.of(_triples(again), tuple(float(i) for i in range(3)))
        for estimate in estimates_by(again, methods, Bootstrap(draws=0), least_common=1):
            if estimate.value is not None:
                drawn.setdefault(estimate.method, []).append(estimate.value)
    for estimate in estimates_by(ratings, methods, HOW, least_common=1):
        expected = np.quantile(drawn[estimate.method], [0.025, 0.975])
        assert (estimate.low, estimate.high) == pytest.approx(tuple(expected), abs=1e-12)
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.value is not None
        assert estimate.low <= estimate.value <= estimate.high


def test_a_figure_can_be_worked_out_again_from_what_it_says() -> None:
    ratings = _ratings()
    again = Ratings.of(reversed(_triples(ratings)))  # type: ignore[arg-type]
    for estimate in estimates_by(ratings, METHODS[Scale.ORDINAL], HOW, by_rater=True):
        p = estimate.params
        how = Bootstrap(int(p["draws"]), int(p["seed"]), float(p["level"]))
        assert estimate.inputs.digest == again.inputs().digest
        assert estimate in estimates_by(again, [Method(estimate.method)], how, by_rater=True)
    other = estimates_by(ratings, [Method.FLEISS], Bootstrap(60, 8))[0]
    assert other.low != estimates_by(ratings, [Method.FLEISS], HOW)[0].low


def test_a_rater_agrees_with_the_others_as_pairs_of_two_do() -> None:
    ratings = Ratings.of(
        [*VOTES, ("q2", "bob", "b"), ("q3", "ann", "a"), ("q3", "eve", "a"), ("q4", "joe", "a")]
    )
    found = {
        (f.name, f.method): f
        for f in estimates_by(
            ratings, [Method.PERCENT, Method.COHEN], HOW, by_rater=True, least_common=1
        )
    }
    # ann: half of the others on q1, all on q2 and q3.
    assert found["ann", "percent-agreement"].value == pytest.approx(2.5 / 3)
    assert found["eve", "percent-agreement"].value == pytest.approx(0.5)
    assert found["", "percent-agreement"].value == pytest.approx((1 / 3 + 1 + 1) / 3)
    # ann and bob always agree on two answers; bob and eve met once, on different ones.
    assert found["ann", "cohen-kappa"].value == pytest.approx((1 + 0) / 2)
    assert found["bob", "cohen-kappa"].value == pytest.approx((1 + 0) / 2)
    assert found["joe", "cohen-kappa"].reason is Missing.NO_PAIR
    assert by_item(ratings) == pytest.approx({"q1": 1 / 3, "q2": 1.0, "q3": 1.0})


def test_raters_who_hardly_met_have_no_kappa() -> None:
    # ann and bob have 12 units in common, eve two with each of them.
    votes = [(f"q{i}", who, "ab"[i % 2]) for i in range(12) for who in ("ann", "bob")]
    votes += [("q1", "eve", "a"), ("q2", "eve", "b")]
    found = {f.name: f for f in estimates_by(Ratings.of(votes), [Method.COHEN], HOW, by_rater=True)}
    assert (found[""].value, found["ann"].value) == (1.0, 1.0)
    assert (found["eve"].value, found["eve"].reason) == (None, Missing.FEW_COMMON)
    assert found[""].params["least_common"] == 10
    few = Ratings.of([vote for vote in votes if vote[0] in ("q1", "q2", "q3")])
    assert estimates_by(few, [Method.COHEN], HOW)[0].reason is Missing.FEW_COMMON
    two = Ratings.of([vote for vote in votes if vote[0] in ("q3", "q4")])
    assert estimates_by(two, [Method.COHEN], HOW)[0].value == 1.0


def test_it_stops_when_told_and_says_how_far_it_is() -> None:
    ratings, seen = _ratings(units=2000), list[float]()
    estimates_by(ratings, METHODS[Scale.NOMINAL], Bootstrap(draws=4000), watch=Watch(seen.append))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    assert len(seen) > 3
    calls = iter([False, True])
    with pytest.raises(WorkError) as caught:
        estimates_by(
            ratings,
            METHODS[Scale.NOMINAL],
            Bootstrap(draws=4000),
            watch=Watch(is_canceled=lambda: next(calls)),
        )
    assert caught.value.code == "canceled"


def test_texts_are_one_answer_whatever_their_spelling() -> None:
    votes = [("q", "ann", "The cup."), ("q", "bob", "cup"), ("r", "ann", "1"), ("r", "bob", "2")]
    found = report({"what": FieldVotes(votes, is_text=True)}, how=HOW)
    assert found[0].value == 0.5
    assert report({"what": FieldVotes(votes)}, how=HOW)[0].value == 0.0


def test_a_report_has_every_field_group_rater_and_option() -> None:
    ratings = _ratings(units=20)
    numbers = tuple((u, r, int(v)) for u, r, v in _triples(ratings))  # type: ignore[call-overload]
    ticked = [(u, r, ("glass", "wood")[: v + 1]) for u, r, v in numbers]
    group_of = {u: "easy" if int(u) < 10 else "hard" for u in ratings.units if u != "3"}
    found = report(
        {"sure": FieldVotes(numbers, Scale.INTERVAL), "material": FieldVotes(ticked)},
        {"question": group_of},
        HOW,
    )
    at = {(f.field, f.by, f.name, f.method): f for f in found}
    assert len(at) == len(found)
    assert {(f.by, f.name) for f in found if f.field == "sure"} == {
        ("", ""),
        *(("rater", str(i)) for i in range(4)),
        ("question", "easy"),
        ("question", "hard"),
    }
    assert {f.name for f in found if f.by == "option"} == {"glass", "wood"}
    easy = [each for each in numbers if group_of.get(each[0]) == "easy"]
    alone = estimates_by(Ratings.of(easy, (0, 1, 2)), [Method.ALPHA_INTERVAL], HOW)[0]
    grouped = at["sure", "question", "easy", "alpha-interval"]
    assert (grouped.value, grouped.low, grouped.inputs.votes) == (alone.value, alone.low, len(easy))
    assert at["material", "option", "glass", "percent-agreement"].value == 1.0
    wood = [(u, r, "wood" in v) for u, r, v in ticked]
    expected = estimates_by(Ratings.of(wood), [Method.ALPHA_NOMINAL], HOW)[0].value
    assert at["material", "option", "wood", "alpha-nominal"].value == expected
    assert report({}) == ()


def test_a_table_of_figures_reads_back() -> None:
    found = report({"a": FieldVotes(VOTES), "b": FieldVotes(())}, how=HOW)
    rows = list(table(found))
    assert all(len(row) == len(COLUMNS) for row in rows)
    by_name = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    for estimate, row in zip(found, by_name, strict=True):
        assert isinstance(estimate, Estimate)
        assert (float(row["value"]) if row["value"] else None) == estimate.value
        assert row["digest"] == estimate.inputs.digest
    assert by_name[0]["parameters"].startswith("draws=60 generator=PCG64")
    assert {row["reason"] for row in by_name if row["field"] == "b"} == {"no-votes"}


def test_an_item_may_be_in_several_groups_and_has_a_figure_of_its_own() -> None:
    asked = {"which": FieldVotes(VOTES)}
    groups = {"tag": {"q1": ("fast", "dark", "fast"), "q2": ("dark",)}}
    found = report(asked, groups, Bootstrap(draws=0), by_item=True)
    shares = {(f.by, f.name): f for f in found if f.method == "percent-agreement"}
    assert shares["tag", "fast"].inputs.votes == 3
    assert shares["tag", "dark"].inputs.votes == len(VOTES)
    assert shares["tag", "fast"].value == pytest.approx(1 / 3)
    item = shares["item", "q1"]
    assert (item.value, item.inputs.units, item.inputs.raters) == (pytest.approx(1 / 3), 1, 3)
    assert ("item", "q2") not in shares
    again = report({"which": FieldVotes(VOTES[:3])}, None, Bootstrap(draws=0), by_item=True)
    assert item in again


def test_over_several_fields_each_answer_to_each_item_is_a_unit() -> None:
    sure = [("q1", "ann", 3), ("q1", "bob", 3), ("q2", "ann", 5), ("q2", "bob", 4)]
    asked = {"which": FieldVotes(VOTES), "sure": FieldVotes(sure, Scale.ORDINAL)}
    (whole,) = (f for f in report(asked, None, HOW) if f.by == TASK_TYPE)
    assert (whole.method, whole.field, whole.inputs.units) == ("percent-agreement", "", 4)
    assert whole.value == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert not [f for f in report({"which": FieldVotes(VOTES)}, None, HOW) if f.by == TASK_TYPE]
