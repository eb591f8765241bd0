"""Statements that must all be ticked: the vote is on keeping, the reasons are of who discards."""

from __future__ import annotations

import pytest

from annotator.domain.answer import Answer, AnswerKey, Picked
from annotator.domain.forms.field import Field, FieldKind, Form, Option
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.answer_resolution import PersonAnswers, ResolvedItem, settle
from annotator.domain.questions.items.item import ItemState
from annotator.domain.recipes.recipe import Act, Resolution, StageSpec

ITEM = ItemId("00000000-0000-7000-8000-000000000001")
WORTH = Field(
    "worth",
    "Worth it?",
    FieldKind.CHOICES,
    tuple(Option(key, key) for key in "abcx"),
    needed=("a", "b", "c"),
)
NOTE = Field("note", "Note", FieldKind.TEXT, is_required=False, is_voted=False)
FORM = Form((WORTH, NOTE))


def _settled(*ticked: str, raters: int = 3, most: int = 5) -> ResolvedItem:
    stage = StageSpec(
        "judge", "Judge", Act.ANNOTATE, None, raters, most, resolution=Resolution.MAJORITY
    )
    given: list[PersonAnswers] = []
    for n, keys in enumerate(ticked):
        person = PersonId(f"00000000-0000-7000-8000-0000000001{n:02}")
        given.append(
            PersonAnswers(
                person, Answer(AnswerKey(ITEM, "worth", 0), Picked(tuple(keys)), n, 0, (), 1)
            )
        )
        note = Answer(AnswerKey(ITEM, "note", 0), f"by {n}", n, 0, (), 1)
        given.append(PersonAnswers(person, note))
    return settle(FORM, [ITEM], given, stage)[ITEM]


@pytest.mark.parametrize(
    ("ticked", "decided"),
    [
        (("abc", "abc", "ab"), "abc"),
        # Optional ones go by the majority of those who keep it.
        (("abcx", "abcx", "abc"), "abcx"),
        (("abcx", "abc", "bx"), "abc"),
        # Those who discard it agree on a reason, or each has one: then all of them count.
        (("ab", "ab", "abc"), "ab"),
        (("ab", "a", "abc"), "a"),
        (("ab", "ac", "abc"), "a"),
        (("ab", "ac", "bc"), ""),
        (("ab", "abx", "bc"), "ab"),
        (("x", "x", "abc"), "x"),
    ],
)
def test_what_most_people_would_do_is_done(ticked: tuple[str, ...], decided: str) -> None:
    found = _settled(*ticked)
    assert found.state is ItemState.DECIDED
    assert found.answers[0].value == Picked(tuple(decided))


def test_notes_are_of_the_first_on_the_side_that_won() -> None:
    assert _settled("ab", "abcx", "abc").answers[1].value == "by 1"
    assert _settled("abc", "ab", "ac").answers[1].value == "by 1"


def _three(*people: tuple[str, str, str]) -> ResolvedItem:
    """Settle what three people say of two more things."""
    a, b = (Field(key, key, FieldKind.TEXT) for key in ("one", "two"))
    form = Form((WORTH, a, b, NOTE))
    stage = StageSpec("s", "S", Act.ANNOTATE, None, 3, 3, resolution=Resolution.MAJORITY)
    given: list[PersonAnswers] = []
    for n, (ticked, one, two) in enumerate(people):
        person = PersonId(f"00000000-0000-7000-8000-0000000001{n:02}")
        values = {"worth": Picked(tuple(ticked)), "one": one, "two": two, "note": f"by {n}"}
        for key, value in values.items():
            answer = Answer(AnswerKey(ITEM, key, 0), value, n, 0, (), 1)
            given.append(PersonAnswers(person, answer))
    return settle(form, [ITEM], given, stage)[ITEM]


def test_notes_are_not_lost_where_nobody_agrees_with_all() -> None:
    # The first agrees with two of three, as the second does; the third would discard it.
    found = _three(("abc", "x", "no"), ("abc", "no", "y"), ("ab", "x", "y"))
    assert [a.value for a in found.answers] == [Picked(("a", "b", "c")), "x", "y", "by 0"]


def test_as_many_for_as_against_is_a_tie() -> None:
    assert _settled("abc", "ab", "abc", "ac", raters=4).state is ItemState.OPEN
    assert _settled("abc", "ab", raters=3).state is ItemState.OPEN
