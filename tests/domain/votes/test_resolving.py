"""What votes come to: by hand, and against a second way of counting them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.errors import WorkError
from annotator.domain.votes import (
    Ballot,
    Fault,
    ItemFlag,
    Outcome,
    RuleKind,
    State,
    Value,
    Vote,
    VotingRule,
    resolve,
)

MAJORITY = VotingRule(RuleKind.MAJORITY, raters=3, max_raters=5)
TWO_OF_THREE = VotingRule(RuleKind.K_OF_N, 2, raters=3, max_raters=4)
UNANIMITY = VotingRule(RuleKind.UNANIMITY, raters=3, max_raters=5)


def _votes(*values: Value, item: str = "q") -> list[Vote]:
    return [Vote(item, f"p{i}", value) for i, value in enumerate(values)]


def _one(rule: VotingRule, *values: Value) -> Outcome:
    return resolve(_votes(*values), rule).outcomes["q"]


@pytest.mark.parametrize(
    ("rule", "said", "state", "value", "wanted"),
    [
        (MAJORITY, "aa", State.OPEN, None, 1),
        (MAJORITY, "aab", State.DECIDED, "a", 0),
        (MAJORITY, "abc", State.TIE, None, 1),
        # Two of four are no majority, a third vote for it would be one.
        (MAJORITY, "abca", State.TIE, None, 1),
        (MAJORITY, "abcaa", State.DECIDED, "a", 0),
        (MAJORITY, "abcab", State.ADJUDICATION, None, 0),
        # The fifth vote could not make three of five.
        (MAJORITY, "abcd", State.ADJUDICATION, None, 0),
        (TWO_OF_THREE, "aab", State.DECIDED, "a", 0),
        (TWO_OF_THREE, "abc", State.TIE, None, 1),
        (TWO_OF_THREE, "abca", State.DECIDED, "a", 0),
        (TWO_OF_THREE, "aabb", State.ADJUDICATION, None, 0),
        (UNANIMITY, "aaa", State.DECIDED, "a", 0),
        # Nobody more can make all agree.
        (UNANIMITY, "aab", State.ADJUDICATION, None, 0),
        (UNANIMITY, "ab", State.OPEN, None, 1),
    ],
)
def test_rules_decide(
    rule: VotingRule, said: str, state: State, value: str | None, wanted: int
) -> None:
    found = _one(rule, *said)
    assert (found.state, found.value, found.wanted) == (state, value, wanted)
    count = Counter(said).most_common()
    assert (found.votes_for, found.against) == (count[0][1], len(said) - count[0][1])
    assert dict(found.tally) == dict(count)


def test_numbers_and_yes_and_no_are_answers_too() -> None:
    assert _one(MAJORITY, True, False, True).value is True
    assert _one(MAJORITY, 4, 5, 5).value == 5
    assert _one(MAJORITY, 0.5, 0.5, 1.5).tally == ((0.5, 2), (1.5, 1))


def test_sets_are_resolved_option_by_option() -> None:
    said = (("glass", "metal"), ("metal", "glass", "wood"), ("metal",))
    found = _one(MAJORITY, *said)
    assert (found.state, found.value) == (State.DECIDED, ("glass", "metal"))
    assert dict(found.tally) == {"metal": 3, "glass": 2, "wood": 1}
    assert (found.votes_for, found.against) == (2, 1)
    assert _one(MAJORITY, (), (), ("wood",)).value == ()
    assert _one(MAJORITY, (), (), ()).votes_for == 3
    four = _one(VotingRule(RuleKind.MAJORITY, raters=4, max_raters=5), ("a",), ("a",), (), ("b",))
    assert (four.state, four.value, four.wanted) == (State.TIE, None, 1)
    assert _one(UNANIMITY, ("a", "b"), ("b", "a"), ("a", "b")).value == ("a", "b")
    assert _one(UNANIMITY, ("a", "b"), ("a",), ("a", "b")).state is State.ADJUDICATION
    assert _one(MAJORITY, ("a",)).state is State.OPEN


def test_a_vote_that_is_no_set_does_not_count_among_sets() -> None:
    found = resolve(_votes(("a",), "a", ("a",), ("a", "b")), MAJORITY)
    assert found.outcomes["q"].value == ("a",)
    assert [(a.vote.person_id, a.fault) for a in found.excluded] == [("p1", Fault.NOT_AN_OPTION)]


def test_the_first_answer_counts_and_the_later_is_kept() -> None:
    votes = [*_votes("a", "a", "b"), Vote("q", "p2", "a"), Vote("q", "p0", "b")]
    found = resolve(votes, MAJORITY)
    assert found.outcomes["q"].tally == (("a", 2), ("b", 1))
    assert [(a.vote, a.fault) for a in found.excluded] == [
        (votes[3], Fault.ANSWERED_BEFORE),
        (votes[4], Fault.ANSWERED_BEFORE),
    ]


def test_who_was_asked_anew_is_counted_by_the_last_answer() -> None:
    votes = [*_votes("a", "a", "b"), Vote("q", "p2", "c"), Vote("q", "p2", "a")]
    found = resolve(votes, MAJORITY, Ballot(reopened=[("q", "p2")]))
    assert found.outcomes["q"].tally == (("a", 3),)
    assert [(a.vote, a.fault) for a in found.excluded] == [
        (votes[2], Fault.ANSWERED_ANEW),
        (votes[3], Fault.ANSWERED_ANEW),
    ]


def test_votes_of_strangers_and_stray_answers_are_set_apart() -> None:
    votes = [Vote("q", "who", "a"), *_votes("z", "a", "b", float("nan"))]
    # Who gave a stray answer may still give one that counts.
    votes.append(Vote("q", "p0", "b"))
    ballot = Ballot(options=("a", "b"), people=("p0", "p1", "p2", "p3"))
    found = resolve(votes, MAJORITY, ballot)
    assert found.outcomes["q"].value == "b"
    assert [a.fault for a in found.excluded] == [
        Fault.UNKNOWN_PERSON,
        Fault.NOT_AN_OPTION,
        Fault.NOT_AN_OPTION,
    ]
    ticked = resolve(_votes(("a",), ("a", "z"), ("a",)), MAJORITY, ballot)
    assert (ticked.outcomes["q"].state, len(ticked.excluded)) == (State.OPEN, 1)


def test_each_item_can_have_options_of_its_own() -> None:
    votes = (
        _votes("a", "b", "a") + _votes("a", "b", "b", item="r") + _votes("x", "x", "x", item="s")
    )
    found = resolve(votes, MAJORITY, Ballot(options={"q": ["a"], "r": ["a", "b"]}))
    assert found.outcomes["q"].wanted == 1
    assert found.outcomes["r"].value == "b"
    assert found.outcomes["s"].value == "x"


def test_flags_stay_with_their_reasons_and_can_take_an_item_out() -> None:
    flags = (
        ItemFlag("q", "ann", "blurred"),
        ItemFlag("q", "bob", "no object", discards=True),
        ItemFlag("r", "ann", "music"),
        ItemFlag("s", "ann", "silent", discards=True),
    )
    votes = _votes("a", "a", "b") + _votes("a", "a", "b", item="r")
    found = resolve(votes, MAJORITY, Ballot(flags=flags, items=("t", "q"))).outcomes
    assert (found["q"].state, found["q"].value, found["q"].flags) == (
        State.DISCARDED,
        None,
        flags[:2],
    )
    assert found["q"].tally == (("a", 2), ("b", 1))
    assert (found["r"].state, found["r"].value, found["r"].flags) == (
        State.DECIDED,
        "a",
        flags[2:3],
    )
    assert (found["s"].state, found["s"].wanted) == (State.DISCARDED, 0)
    assert (found["t"].state, found["t"].wanted) == (State.OPEN, 3)


@pytest.mark.parametrize(
    "numbers", [{"raters": 0}, {"raters": 4, "max_raters": 3}, {"k": 0}, {"k": 4, "raters": 3}]
)
def test_rules_that_cannot_be_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(WorkError) as caught:
        VotingRule(RuleKind.K_OF_N, **{"k": 1, "raters": 1, **numbers})
    assert caught.value.code == "rule"


def test_no_votes_come_to_nothing() -> None:
    assert resolve([], MAJORITY).outcomes == {}
    assert VotingRule(RuleKind.MAJORITY, raters=3).max_raters == 3


_RULES = st.builds(
    lambda kind, raters, more, k: VotingRule(kind, min(k, raters + more), raters, raters + more),
    st.sampled_from(RuleKind),
    st.integers(1, 4),
    st.integers(0, 3),
    st.integers(1, 4),
)
_BALLOTS = st.lists(
    st.tuples(st.sampled_from("qrs"), st.integers(0, 6), st.sampled_from("abc")), max_size=30
)


@given(_RULES, _BALLOTS)
def test_many_items_at_once_are_as_each_by_itself(
    rule: VotingRule, said: list[tuple[str, int, str]]
) -> None:
    votes = [Vote(item, f"p{who}", value) for item, who, value in said]
    found = resolve(votes, rule)
    first = {(item, who): value for item, who, value in reversed(said)}
    assert len(found.excluded) == len(said) - len(first)
    for item, outcome in found.outcomes.items():
        values = [value for (of, _), value in first.items() if of == item]
        assert (outcome.state, outcome.value) == _counted(values, rule)
        assert outcome.votes_for + outcome.against == len(values)
    assert set(found.outcomes) == {item for item, _, _ in said}


def _counted(values: list[str], rule: VotingRule) -> tuple[State, str | None]:
    if len(values) < rule.raters:
        return State.OPEN, None
    if (winner := _winner(values, rule)) is not None:
        return State.DECIDED, winner
    left = rule.max_raters - len(values)
    # What if all who may still be asked said the same?
    hopes = [_winner(values + [each] * n, rule) for each in {*values} for n in range(1, left + 1)]
    return (State.TIE if any(hopes) else State.ADJUDICATION), None


def _winner(values: list[str], rule: VotingRule) -> str | None:
    count = Counter(values)
    needed = {
        RuleKind.MAJORITY: len(values) // 2 + 1,
        RuleKind.K_OF_N: rule.k,
        RuleKind.UNANIMITY: len(values),
    }[rule.kind]
    enough = [value for value, n in count.items() if n >= needed]
    return enough[0] if len(enough) == 1 else None


@given(_RULES, st.lists(st.sets(st.sampled_from("abc")), min_size=1, max_size=7))
def test_sets_are_as_many_questions_of_yes_and_no(rule: VotingRule, ticked: list[set[str]]) -> None:
    outcome = _one(rule, *(tuple(each) for each in ticked))
    each = {o: _one(rule, *(o in said for said in ticked)) for o in "abc"}
    states = {one.state for one in each.values()}
    if State.ADJUDICATION in states:
        assert outcome.state is State.ADJUDICATION
    elif State.TIE in states:
        assert outcome.state is State.TIE
    else:
        assert outcome.state in states | {State.ADJUDICATION, State.TIE}
    if outcome.state is State.DECIDED:
        assert outcome.value == tuple(sorted(o for o, one in each.items() if one.value is True))
        assert outcome.votes_for == min(one.votes_for for one in each.values())
