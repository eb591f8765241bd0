"""Open answers: what counts as the same text, and what a lead makes the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.votes import (
    Merge,
    RuleKind,
    SpellingGroup,
    Vote,
    VotingRule,
    grouped,
    normalized,
    resolve,
)

SAME = [
    ("The cup", "cup"),
    ("  a  CUP. ", "cup"),
    ("“cup”!", "cup"),
    ("tea-pot", "tea pot"),
    ("don’t know", "dont know"),
    ("ｃｕｐ", "cup"),
    ("Straße", "strasse"),
    ("from 10-20", "from 10 20"),
    ("cup.5", "cup 5"),
    ("ﬁve", "five"),
    ("an apple, the pear", "apple the pear"),
    ("x, y;z", "x y z"),
]
DIFFERENT = [
    ("3.5", "35"),
    (".5", "5"),
    ("-2", "2"),
    ("-.5", ".5"),
    ("−2", "2"),
    ("50%", "50"),
    ("C++", "C"),
    ("1/2", "12"),
    ("cup", "cups"),
    ("a", "the"),
    ("?", "!"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spelling_makes_no_other_answer(one: str, other: str) -> None:
    assert normalized(one) == other == normalized(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_means_something_else_stays_apart(one: str, other: str) -> None:
    assert normalized(one) != normalized(other)
    assert normalized(one)


@given(st.text(max_size=20) | st.text("aA-.,'’5% the", max_size=12))
def test_a_normal_form_is_its_own(text: str) -> None:
    once = normalized(text)
    assert normalized(once) == once
    assert bool(once) == bool(text.split())


def _votes(*texts: str, item: str = "q") -> list[Vote]:
    return [Vote(item, f"p{i}", text) for i, text in enumerate(texts)]


def test_answers_are_grouped_under_their_usual_spelling() -> None:
    votes = _votes("The cup", "cup", "Cup ", "cup", "mug")
    said, groups = grouped(votes)
    assert [vote.value for vote in said] == ["cup"] * 4 + ["mug"]
    assert groups["q"] == (
        SpellingGroup("cup", (("cup", 2), ("Cup", 1), ("The cup", 1))),
        SpellingGroup("mug", (("mug", 1),)),
    )
    assert votes[0].value == "The cup"
    outcome = resolve(said, VotingRule(RuleKind.MAJORITY, raters=5)).outcomes["q"]
    assert (outcome.value, outcome.votes_for) == ("cup", 4)


def test_a_lead_makes_groups_one() -> None:
    votes = _votes("cup", "a mug!", "tumbler", "bowl") + _votes("mug", "cup", item="r")
    merges = [
        Merge(("cup", "Mug"), "cup", by="lead"),
        Merge(("tumbler", "mug"), "drinking vessel", by="lead"),
    ]
    said, groups = grouped(votes, merges)
    assert [vote.value for vote in said] == ["drinking vessel"] * 3 + ["bowl"] + [
        "drinking vessel"
    ] * 2
    assert [group.title for group in groups["q"]] == ["drinking vessel", "bowl"]
    assert [vote.value for vote in grouped(votes, merges[:1])[0]] == [
        "cup",
        "cup",
        "tumbler",
        "bowl",
        "cup",
        "cup",
    ]


def test_a_merge_of_one_item_holds_there_only() -> None:
    votes = _votes("cup", "mug", "bowl") + _votes("cup", "mug", "bowl", item="r")
    merges = [
        Merge(("bowl", "mug"), "mug", by="lead", item_id="q"),
        Merge(("mug", "beaker"), "beaker", by="lead"),
    ]
    said, _ = grouped(votes, merges)
    assert [vote.value for vote in said] == ["cup", "beaker", "beaker", "cup", "beaker", "bowl"]


def test_merges_under_one_title_are_one() -> None:
    merges = [Merge(("b",), "Title", by="x"), Merge(("c",), "the title", by="y")]
    said, _ = grouped(_votes("b", "c", "title"), merges)
    assert [vote.value for vote in said] == ["the title"] * 3
