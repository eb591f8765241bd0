"""Forms in recipes: what a good one gives, and the path of every fault in a bad one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from annotator.domain.errors import RecipeError
from annotator.domain.forms.field import FieldCondition, FieldKind, Option
from annotator.domain.forms.restricted_view import Extent, PairLayout, Viewing
from annotator.domain.questions.items.item import Purpose
from annotator.domain.recipes.file import recipe_from
from annotator.domain.recipes.recipe import TaskType

_YES_NO = [{"key": "a", "text": "Left"}, {"key": "b", "text": "Right", "help": "of you"}]
_FIELDS: list[dict[str, Any]] = [
    {"key": "side", "title": "Where?", "kind": "choice", "options": _YES_NO, "shortcut": "s"},
    {
        "key": "which",
        "title": "Which?",
        "kind": "choice",
        "from_item": True,
        "is_shuffled": True,
        "has_other": True,
    },
    {
        "key": "all",
        "title": "Tick what holds",
        "kind": "choices",
        "options": _YES_NO,
        "needed": ["a"],
        "maximum": 2,
    },
    {"key": "seen", "title": "Seen?", "kind": "truth", "shown_if": {"field": "side"}},
    {
        "key": "why",
        "title": "Why?",
        "kind": "text",
        "minimum": 5,
        "maximum": 200,
        "prefill": "answer",
        "is_required": False,
        "is_voted": False,
        "shown_if": {"field": "seen", "any_of": ["no"]},
    },
    {"key": "how-many", "title": "How many?", "kind": "number", "minimum": -2.5},
    {"key": "sure", "title": "Sure?", "kind": "confidence"},
    {"key": "words", "title": "Properties", "kind": "properties", "minimum": 1},
    {"key": "when", "title": "When?", "kind": "spans", "maximum": 3},
    {"key": "place", "title": "Where?", "kind": "box"},
    {"key": "what", "title": "Which objects?", "kind": "tracks"},
    {"key": "flag", "title": "Wrong?", "kind": "flag", "options": _YES_NO, "is_required": False},
]
_GOOD: dict[str, Any] = {
    "name": "asking",
    "version": 1,
    "title": "QuestionSession",
    "task_types": [
        {
            "kind": "test",
            "title": "Test",
            "purpose": "qualification",
            "form": {"fields": [dict(_FIELDS[0])]},
            "stages": [{"key": "answer", "title": "Answer", "act": "annotate"}],
        },
        {
            "kind": "questions",
            "title": "Questions",
            "is_pair": True,
            "requires": ["test"],
            "viewing": {"extent": "before-cut", "is_muted": True, "layout": "apart"},
            "form": {"entries": [0, 2], "fields": _FIELDS},
            "stages": [{"key": "answer", "title": "Answer", "act": "annotate"}],
        },
    ],
}


def _asked(value: dict[str, Any]) -> TaskType:
    found = recipe_from(value).task_type("questions")
    assert found is not None
    return found


def test_a_good_form_gives_what_it_says() -> None:
    asked = _asked(_GOOD)
    form = asked.form
    assert form is not None
    assert form.entries == (0, 2)
    assert [f.kind for f in form.fields] == [
        FieldKind.CHOICE,
        FieldKind.CHOICE,
        FieldKind.CHOICES,
        FieldKind.TRUTH,
        FieldKind.TEXT,
        *list(FieldKind)[4:],
    ]
    side, which, all_, seen, why = form.fields[:5]
    assert side.options == (Option("a", "Left"), Option("b", "Right", "of you"))
    assert (side.is_required, side.is_voted, side.shortcut) == (True, True, "s")
    assert (which.from_item, which.is_shuffled, which.has_other) == (True, True, True)
    assert (all_.needed, all_.minimum, all_.maximum) == (("a",), None, 2)
    assert seen.shown_if == FieldCondition("side")
    assert why.shown_if == FieldCondition("seen", ("no",))
    assert (why.is_required, why.is_voted, why.prefill) == (False, False, "answer")
    assert form.fields[5].minimum == -2.5
    assert form.field("why") is why
    assert form.field("nothing") is None


def test_a_task_type_says_what_is_seen_and_who_may() -> None:
    asked = _asked(_GOOD)
    assert asked.viewing == Viewing(Extent.BEFORE_CUT, is_muted=True, layout=PairLayout.APART)
    assert asked.is_pair
    assert asked.requires == ("test",)
    assert asked.tools == ()
    test = recipe_from(_GOOD).task_types[0]
    assert (test.purpose, test.viewing) == (Purpose.QUALIFICATION, Viewing())


def test_tasks_with_a_form_are_not_made_with_the_video() -> None:
    with_tracks = copy.deepcopy(_GOOD)
    plain = {"kind": "tracks", "title": "Tracks", "tools": ["boxes"]}
    plain["stages"] = _GOOD["task_types"][0]["stages"]
    with_tracks["task_types"].insert(0, plain)
    assert [t.kind for t in recipe_from(with_tracks).followers("")] == ["tracks"]
    assert recipe_from(_GOOD).followers("") == ()


_FORM = "task_types[1].form"
_AT = _FORM + ".fields[{}]"


def _field(i: int, **keys: object) -> Callable[[dict[str, Any]], object]:
    return lambda r: r["task_types"][1]["form"]["fields"][i].update(keys)


def _type(**keys: object) -> Callable[[dict[str, Any]], object]:
    return lambda r: r["task_types"][1].update(keys)


_TWICE = [{"key": "a", "text": "Left"}, {"key": "b", "text": "Left "}]
_FAULTS: list[tuple[str, Callable[[dict[str, Any]], object], str, str]] = [
    ("no fields", _type(form={"fields": []}), _FORM + ".fields", "at least one"),
    ("form no table", _type(form=3), _FORM, "table"),
    ("key twice", _field(1, key="side"), _AT.format(1) + ".key", "Duplicate"),
    ("shortcut twice", _field(1, shortcut="s"), _AT.format(1) + ".shortcut", "Duplicate"),
    ("shortcut a digit", _field(0, shortcut="1"), _AT.format(0) + ".shortcut", "letter"),
    ("unknown kind", _field(0, kind="choise"), _AT.format(0) + ".kind", "“choice”"),
    ("no options", _field(0, options=[]), _AT.format(0) + ".options", "” requires options."),
    ("flag without", _field(11, options=[]), _AT.format(11) + ".options", "” requires options."),
    (
        "options of a text",
        _field(4, options=_YES_NO),
        _AT.format(4) + ".options",
        "Not allowed for a field of kind “",
    ),
    (
        "from item, text",
        _field(4, from_item=True),
        _AT.format(4) + ".from_item",
        "Not allowed for a field of kind “",
    ),
    (
        "shuffled yes",
        _field(3, is_shuffled=True),
        _AT.format(3) + ".is_shuffled",
        "Not allowed for a field of kind “",
    ),
    (
        "other number",
        _field(5, has_other=True),
        _AT.format(5) + ".has_other",
        "Not allowed for a field of kind “",
    ),
    (
        "asked of some",
        _field(9, asked_of="some"),
        _AT.format(9) + ".asked_of",
        "Unknown",
    ),
    (
        "prefilled box",
        _field(9, prefill="x"),
        _AT.format(9) + ".prefill",
        "Not allowed for a field of kind “",
    ),
    ("text twice", _field(0, options=_TWICE), _AT.format(0) + ".options[1].text", "Duplicate"),
    (
        "key of option twice",
        _field(0, options=[{"key": "a", "text": "1"}, {"key": "a", "text": "2"}]),
        _AT.format(0) + ".options[1].key",
        "Duplicate",
    ),
    (
        "other is taken",
        _field(0, has_other=True, options=[{"key": "other", "text": "Other"}]),
        _AT.format(0) + ".options[0].key",
        "This key is reserved for the “other” answer.",
    ),
    ("needed unknown", _field(2, needed=["c"]), _AT.format(2) + ".needed[0]", "Unknown"),
    (
        "needed of one",
        _field(0, needed=["a"]),
        _AT.format(0) + ".needed",
        "Not allowed for a field of kind “",
    ),
    (
        "bound of a choice",
        _field(0, minimum=1),
        _AT.format(0) + ".minimum",
        "Not allowed for a field of kind “",
    ),
    ("upside down", _field(4, minimum=300), _AT.format(4) + ".maximum", "less than"),
    ("half a count", _field(4, minimum=2.5), _AT.format(4) + ".minimum", "Must be an integer ≥ 0."),
    ("at most none", _field(8, maximum=0), _AT.format(8) + ".maximum", "Must be an integer ≥ 0."),
    (
        "more than there are",
        _field(2, minimum=3, maximum=9),
        _AT.format(2) + ".minimum",
        "Must not be greater than the number of options,",
    ),
    ("nan", _field(5, minimum=float("nan")), _AT.format(5) + ".minimum", "number"),
    ("bound as text", _field(5, minimum="2"), _AT.format(5) + ".minimum", "number"),
    (
        "later field",
        _field(0, shown_if={"field": "seen"}),
        _AT.format(0) + ".shown_if.field",
        "earlier field",
    ),
    (
        "unknown answer",
        _field(3, shown_if={"field": "side", "any_of": ["c"]}),
        _AT.format(3) + ".shown_if.any_of[0]",
        "Unknown",
    ),
    (
        "maybe",
        _field(4, shown_if={"field": "seen", "any_of": ["maybe"]}),
        _AT.format(4) + ".shown_if.any_of[0]",
        "Unknown",
    ),
    (
        "one of all unknown",
        _field(3, shown_if={"field": "side", "all_of": ["a", "c"]}),
        _AT.format(3) + ".shown_if.all_of[1]",
        "Unknown",
    ),
    (
        "options of a text",
        _field(6, shown_if={"field": "why", "any_of": ["x"]}),
        _AT.format(6) + ".shown_if.any_of",
        "any answer",
    ),
    ("unknown key", _field(0, titel="x"), _AT.format(0) + ".titel", "“title”"),
    ("required as text", _field(0, is_required="no"), _AT.format(0) + ".is_required", "true"),
    (
        "extent",
        _type(viewing={"extent": "before"}),
        "task_types[1].viewing.extent",
        "“before-cut”",
    ),
    (
        "viewing unknown",
        _type(viewing={"muted": True}),
        "task_types[1].viewing.muted",
        "“is_muted”",
    ),
    ("requires itself", _type(requires=["questions"]), "task_types[1].requires[0]", "earlier"),
    ("purpose", _type(purpose="gould"), "task_types[1].purpose", "“gold”"),
]


@pytest.mark.parametrize(
    ("spoil", "where", "says"), [f[1:] for f in _FAULTS], ids=[f[0] for f in _FAULTS]
)
def test_a_fault_is_named_by_its_path(
    spoil: Callable[[dict[str, Any]], object], where: str, says: str
) -> None:
    bad = copy.deepcopy(_GOOD)
    spoil(bad)
    with pytest.raises(RecipeError) as caught:
        recipe_from(bad)
    assert caught.value.where == where
    assert says in f"{caught.value.text} {caught.value.hint}"


@pytest.mark.parametrize("entries", [[2, 1], [0, 0], [1], [1, 21], [True, 1], "1-2"])
def test_entries_are_the_least_and_the_most(entries: object) -> None:
    bad = copy.deepcopy(_GOOD)
    bad["task_types"][1]["form"]["entries"] = entries
    with pytest.raises(RecipeError) as caught:
        recipe_from(bad)
    assert caught.value.where == _FORM + ".entries"


def test_a_pair_is_asked_about() -> None:
    bad = copy.deepcopy(_GOOD)
    del bad["task_types"][1]["form"]
    with pytest.raises(RecipeError, match="form") as caught:
        recipe_from(bad)
    assert caught.value.where == "task_types[1].is_pair"
