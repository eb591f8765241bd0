"""What may be answered, what is asked at all, and what is still open."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace

import pytest

from annotator.domain.answer import Answer, AnswerKey, Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.errors import EditError
from annotator.domain.forms.answer_checks import (
    applies_to_item,
    checked,
    counted,
    is_flagged,
    is_shown,
    options_of,
    problems,
)
from annotator.domain.forms.field import (
    OTHER,
    Field,
    FieldCondition,
    FieldKind,
    Form,
    ItemScope,
    Option,
)
from annotator.domain.geometry import Box
from annotator.domain.ids import item_id
from tests.domain.forms.asked import AB, FIELDS, FORM, GIVEN, GOOD, ITEM, answer, document, give


def _field(key: str) -> Field:
    found = FORM.field(key)
    assert found is not None
    return found


@pytest.mark.parametrize("key", GOOD)
def test_what_answers_a_field_is_kept_as_it_is(key: str) -> None:
    assert checked(_field(key), ITEM, GOOD[key], document()) == GOOD[key]


@pytest.mark.parametrize("key", [field.key for field in FIELDS])
def test_a_value_of_another_kind_is_refused(key: str) -> None:
    kept = 0
    for value in (*GOOD.values(), "words", Flagged("a"), None):
        with contextlib.suppress(EditError):
            checked(_field(key), ITEM, value, document())  # type: ignore[arg-type]
            kept += 1
    assert kept == {"all": 2, "many": 2, "words": 2}.get(key, 1)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("side", Picked(("c",)), "” is not an option of “"),
        ("which", Picked(("a",)), "” is not an option of “"),
        ("side", Picked(("a", "b")), "” accepts at most"),
        ("which", Picked(("x",), "a bowl"), "” accepts at most"),
        ("side", Picked((), "a bowl"), "Select one option of “"),
        ("side", Picked(()), r"No option is selected\."),
        ("many", -0.5, "” must be at least"),
        ("many", 10.5, "” must be at most"),
        ("many", math.nan, r"The value is not a number\."),
        ("many", True, "Invalid answer to “"),
        ("sure", 6, "1 to 5"),
        ("sure", 0, "1 to 5"),
        ("sure", 2.0, "1 to 5"),
        ("sure", True, "1 to 5"),
        ("why", "  ", r"The text is empty\."),
        ("why", "x" * 21, r"characters\. The limit is"),
        ("why", "a\x00b", "plain text"),
        ("words", ("a", "b", "c"), "” accepts at most"),
        ("words", (), "empty"),
        ("when", Spans(()), "No time"),
        ("when", Spans(((5, 5),)), r"are not in this video\."),
        ("when", Spans(((5, 21),)), r"are not in this video\."),
        ("when", Spans(((-1, 2),)), r"are not in this video\."),
        ("when", Spans(((1, 6), (5, 9))), "overlap"),
        ("when", Spans(((1, 2), (3, 4), (5, 6))), "” accepts at most"),
        ("place", FrameBox(20, Box(1, 2, 30, 40)), r"does not exist \(valid: 0 to"),
        ("place", FrameBox(2, Box(70, 2, 90, 40)), "at least one pixel"),
        ("what", ("nobody",), r"The track no longer exists\."),
        ("what", (), "No object"),
        ("what", ("own", GIVEN), "” accepts at most"),
        ("flag", Flagged("c"), r"” is not an available reason\."),
    ],
)
def test_what_could_never_be_right_is_refused_in_words(key: str, value: Value, says: str) -> None:
    with pytest.raises(EditError, match=says):
        checked(_field(key), ITEM, value, document())


def test_values_are_kept_in_one_form() -> None:
    at = document()
    assert checked(_field("all"), ITEM, Picked(("b", "a", "b")), at) == Picked(("a", "b"))
    assert checked(_field("which"), ITEM, Picked((), " a bowl "), at) == Picked((), "a bowl")
    assert checked(_field("why"), ITEM, "  dark\n", at) == "dark"
    assert checked(_field("many"), ITEM, 2, at) == 2.0
    assert isinstance(checked(_field("many"), ITEM, 2, at), float)
    assert checked(_field("words"), ITEM, ("red ", "red"), at) == ("red",)
    assert checked(_field("when"), ITEM, Spans(((7, 9), (1, 3))), at) == Spans(((1, 3), (7, 9)))
    assert checked(_field("what"), ITEM, ("own",), at) == ("own",)
    box = checked(_field("place"), ITEM, FrameBox(3, Box(-5, 2, 100, 40)), at)
    assert box == FrameBox(3, Box(0, 2, 64, 40))
    assert checked(_field("flag"), ITEM, Flagged("a", " dark "), at) == Flagged("a", "dark")


def test_options_are_those_of_the_item_and_then_of_the_field() -> None:
    none = (Option("none", "None of these"), Option("x", "Taken"))
    field = Field("q", "Q", FieldKind.CHOICE, none, from_item=True)
    assert [o.text for o in options_of(field, ITEM)] == ["Cup", "Pan", "None of these"]
    assert options_of(_field("side"), ITEM) == AB


def test_a_field_is_asked_only_where_its_condition_holds() -> None:
    at, why = document(), _field("why")
    assert not is_shown(FORM, why, at.answers, ITEM.id)
    give(at, "seen", True)
    assert not is_shown(FORM, why, at.answers, ITEM.id)
    give(at, "seen", False)
    assert is_shown(FORM, why, at.answers, ITEM.id)
    assert not is_shown(FORM, why, at.answers, ITEM.id, entry=1)


@pytest.mark.parametrize(
    ("kind", "value", "any_of", "holds"),
    [
        (FieldKind.CHOICE, Picked(("a",)), ("a",), True),
        (FieldKind.CHOICE, Picked(("b",)), ("a",), False),
        (FieldKind.CHOICES, Picked(("a", "b")), ("b",), True),
        (FieldKind.CHOICE, Picked((), "words"), (OTHER,), True),
        (FieldKind.TRUTH, True, ("yes",), True),
        (FieldKind.TRUTH, True, ("no",), False),
        (FieldKind.FLAG, Flagged("b"), ("b",), True),
        (FieldKind.TEXT, "yes", (), True),
    ],
)
def test_conditions_look_at_options_and_at_yes_and_no(
    kind: FieldKind, value: Value, any_of: tuple[str, ...], holds: bool
) -> None:
    first = Field("first", "1", kind, AB)
    second = Field("second", "2", FieldKind.TRUTH, shown_if=FieldCondition("first", any_of))
    third = Field("third", "3", FieldKind.TRUTH, shown_if=FieldCondition("second"))
    form = Form((first, second, third))
    given = {a.key: a for a in (answer("first", value), answer("second", True))}
    assert is_shown(form, second, given, ITEM.id) is holds
    # What is not asked itself cannot ask for more, whatever was answered once.
    assert is_shown(form, third, given, ITEM.id) is holds


def test_conditions_wait_for_all_that_they_name() -> None:
    first = Field("first", "1", FieldKind.CHOICES, AB)
    second = Field("second", "2", FieldKind.TRUTH, shown_if=FieldCondition("first", (), ("a", "b")))
    form = Form((first, second))
    for ticked, holds in ((("a",), False), (("a", "b"), True), ((), False)):
        given = {(made := answer("first", Picked(ticked))).key: made}
        assert is_shown(form, second, given, ITEM.id) is holds


def test_hidden_answers_do_not_count() -> None:
    at = document()
    for field, value in (("seen", False), ("why", "too dark"), ("seen", True)):
        give(at, field, value)
    stray = answer("gone", True)
    answers = {**at.answers, stray.key: stray}
    assert [key.field for key in counted(FORM, ITEM, answers)] == ["seen"]
    assert at.answers[AnswerKey(ITEM.id, "why", 0)].value == "too dark"


def _all_answered() -> dict[AnswerKey, Answer]:
    return {(made := answer(key, value)).key: made for key, value in GOOD.items()}


def test_problems_are_what_is_still_open() -> None:
    answers = _all_answered()
    assert problems(FORM, ITEM, answers) == ()
    for key, value in (("seen", False), ("all", Picked(("a",)))):
        made = answer(key, value)
        answers[made.key] = made
    del answers[AnswerKey(ITEM.id, "place", 0)]
    found = [(p.field, p.code) for p in problems(FORM, ITEM, answers)]
    assert found == [("all", "too-few"), ("why", "unanswered"), ("place", "unanswered")]
    short = answer("why", "dark")
    answers[short.key] = short
    assert ("why", "too-short") in [(p.field, p.code) for p in problems(FORM, ITEM, answers)]


def test_a_second_entry_has_to_be_whole_once_begun() -> None:
    answers = _all_answered()
    second = answer("seen", True, 1)
    answers[second.key] = second
    open_fields = {p.field for p in problems(FORM, ITEM, answers) if p.entry == 1}
    assert open_fields == set(GOOD) - {"seen"}
    assert problems(Form(FIELDS, (0, 1)), ITEM, {}) == ()


def test_a_flag_settles_an_item() -> None:
    flag = answer("flag", Flagged("a", "cannot be seen"))
    assert is_flagged(FORM, ITEM, {flag.key: flag})
    assert problems(FORM, ITEM, {flag.key: flag}) == ()
    assert len(problems(FORM, ITEM, {})) == len(GOOD)


def test_open_questions_and_such_with_options_share_a_form() -> None:
    words = Field("words", "Words", FieldKind.TEXT, asked_of=ItemScope.WITHOUT_OPTIONS)
    which = Field(
        "which",
        "Which?",
        FieldKind.CHOICE,
        from_item=True,
        asked_of=ItemScope.WITH_OPTIONS,
    )
    form, opened = Form((words, which)), replace(ITEM, id=item_id(), options=())
    assert [applies_to_item(words, each) for each in (ITEM, opened)] == [False, True]
    assert [applies_to_item(which, each) for each in (ITEM, opened)] == [True, False]
    assert [problem.field for problem in problems(form, ITEM, {})] == ["which"]
    assert [problem.field for problem in problems(form, opened, {})] == ["words"]
    with pytest.raises(EditError, match=r"” does not apply to this item\."):
        checked(words, ITEM, "a cup", document())
    given = [
        Answer(AnswerKey(ITEM.id, key, 0), value, 0, 0, (), 1)
        for key, value in (("words", "a cup"), ("which", Picked(("x",))))
    ]
    answers = {each.key: each for each in given}
    assert [key.field for key in counted(form, ITEM, answers)] == ["which"]
