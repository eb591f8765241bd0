"""Answers in a document: given, changed, taken back, and written down."""

from __future__ import annotations

import dataclasses

import pytest

from annotator.domain.annotation.canonical import (
    canonical_bytes,
    content_id,
    document_value,
    read_document,
)
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.answer import AnswerKey, Flagged, Picked, Value, plain_of, value_from
from annotator.domain.commands import ClearAnswer, SetAnswer
from annotator.domain.commands.bulk import whole
from annotator.domain.errors import EditError, ProjectError
from annotator.domain.ids import DraftId
from annotator.domain.questions.items.item import Item
from annotator.domain.recipes.tools import check_tools, tools_used
from tests.domain.forms.asked import FORM, GOOD, ITEM, answer, document, give

_VALUES: list[Value] = [
    *GOOD.values(),
    "words",
    Picked((), "a bowl"),
    Flagged("a"),
    Flagged("a", "b"),
]


def test_an_answer_is_given_changed_and_taken_back() -> None:
    at, key = document(), AnswerKey(ITEM.id, "side")
    first = SetAnswer(answer("side", Picked(("a",))), FORM, ITEM).plan(at)
    at.apply(first)
    assert at.answers[key].value == Picked(("a",))
    assert ChangeSet("set-answer", tuple(first)).answer_keys == {key}
    second = SetAnswer(answer("side", Picked(("b",)), at=9), FORM, ITEM).plan(at)
    at.apply(second)
    assert (at.answers[key].value, at.answers[key].at) == (Picked(("b",)), 9)
    gone = ClearAnswer(key).plan(at)
    at.apply(gone)
    assert dict(at.answers) == {}
    for changes in (gone, second, first):
        at.apply(ChangeSet("", tuple(changes)).inverse().changes)
    assert dict(at.answers) == {}


def test_the_same_answer_again_changes_nothing() -> None:
    at = document()
    give(at, "side", Picked(("a",)))
    with pytest.raises(NothingToDoError):
        SetAnswer(answer("side", Picked(("a",)), at=9), FORM, ITEM).plan(at)
    with pytest.raises(NothingToDoError):
        ClearAnswer(AnswerKey(ITEM.id, "seen")).plan(at)


def test_what_is_not_asked_cannot_be_answered() -> None:
    at = document()
    other = dataclasses.replace(ITEM, id=Item("i", "questions", ()).id)  # type: ignore[arg-type]
    with pytest.raises(
        EditError, match=r"Cannot save the answer: the item does not have this field\."
    ):
        SetAnswer(answer("nothing", True), FORM, ITEM).plan(at)
    with pytest.raises(
        EditError, match=r"Cannot save the answer: the item does not have this field\."
    ):
        SetAnswer(answer("seen", True), FORM, other).plan(at)
    for entry in (-1, 2):
        with pytest.raises(EditError, match="Cannot add another entry: the maximum is"):
            SetAnswer(answer("seen", True, entry), FORM, ITEM).plan(at)


@pytest.mark.parametrize("value", _VALUES, ids=str)
def test_values_read_back_as_they_were(value: Value) -> None:
    back = value_from(plain_of(value))
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    "plain",
    [{}, {"truth": 1}, {"number": True}, {"picked": "a"}, {"list": [1]}, {"spans": [[1]]}, {"x": 1},
     {"confidence": 2.5}, {"frame": 1, "box": [1, 2, 3]}, {"text": None}, {"flag": 1}],
    ids=str,
)  # fmt: skip
def test_what_is_no_value_is_refused(plain: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"answer|text|values|float"):
        value_from(plain)


def test_submissions_say_what_was_answered_and_old_ones_stay_the_same() -> None:
    at = document()
    before = canonical_bytes(document_value(at))
    assert "answers" not in document_value(at)
    for field, value in GOOD.items():
        give(at, field, value)
    give(at, "seen", False, entry=1)
    body = canonical_bytes(document_value(at))
    again = read_document(body, DraftId("d"), at.video)
    assert dict(again.answers) == dict(at.answers)
    assert content_id(canonical_bytes(document_value(again))) == content_id(body)
    for key in sorted(at.answers):
        at.apply(ClearAnswer(key).plan(at))
    assert canonical_bytes(document_value(at)) == before


def test_damaged_answers_are_damage() -> None:
    at = document()
    give(at, "seen", True)
    body = canonical_bytes(document_value(at)).replace(b'{"truth":true}', b'{"truth":"x"}')
    with pytest.raises(ProjectError, match="damaged"):
        read_document(body, DraftId("d"), at.video)


def test_copies_and_whole_documents_hold_the_answers() -> None:
    at = document()
    give(at, "seen", True)
    copy = at.copy()
    give(copy, "sure", 2)
    assert set(copy.answers) - set(at.answers) == {AnswerKey(ITEM.id, "sure")}
    at.become(copy)
    assert dict(at.answers) == dict(copy.answers)
    fresh = Document(at.draft_id, at.video)
    fresh.apply(whole(at))
    assert dict(fresh.answers) == dict(at.answers)


def test_an_answer_takes_no_tool() -> None:
    at = document()
    change_set = ChangeSet("set-answer", tuple(SetAnswer(answer("sure", 1), FORM, ITEM).plan(at)))
    assert tools_used(change_set) == frozenset()
    check_tools(change_set, ())
