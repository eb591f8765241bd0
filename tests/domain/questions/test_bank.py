"""The bank: from the table of a recipe to the questions about a video."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from annotator.domain.errors import RecipeError
from annotator.domain.ids import VideoId
from annotator.domain.questions.items.bank import (
    Bank,
    VideoFacts,
    bank_from,
    offered,
    questions_for,
)
from annotator.domain.toml import TomlTable

_BANK = """
kind = "questions"
open_kind = "open-answers"
final_kind = "final-questions"
seed = 7

[[templates]]
key = "hidden"
text = "Where is the hidden {thing} at the {moment} of the game?"
area = "memory"
reasoning = "descriptive"
tags = ["object permanence", "event recall"]
options = ["left", "middle", "right"]
scripts = ["cups-game"]

[[templates.slots]]
name = "moment"
values = ["beginning", "end"]

[[templates.slots]]
name = "thing"
metadata = "hidden_object"

[[templates]]
key = "moving"
text = "Is the camera moving?"
area = "physics"
reasoning = "descriptive"
tags = ["motion"]
options = ["moving", "static or shaking"]
is_binary = true

[[templates]]
key = "why"
text = "Why was it poured?"
area = "semantics"
reasoning = "explanatory"
tags = []
"""


def _bank(change: dict[str, Any] | None = None) -> Bank:
    return bank_from(TomlTable({**tomllib.loads(_BANK), **(change or {})}, "bank"))


def _video(script: str = "cups-game", **metadata: Any) -> VideoFacts:
    return VideoFacts(VideoId("v1"), "video_1", script, metadata)


def test_slots_make_one_question_for_each_value() -> None:
    items, findings = questions_for(_bank(), _video(hidden_object="coin"))
    assert [i.text for i in items] == [
        "Where is the hidden coin at the beginning of the game?",
        "Where is the hidden coin at the end of the game?",
        "Is the camera moving?",
        "Why was it poured?",
    ]
    assert findings == ()
    first = items[0]
    assert first.kind == "questions"
    assert [o.text for o in first.options] == ["left", "middle", "right"]
    assert (first.area, first.reasoning) == ("memory", "descriptive")
    assert first.tags == ("object permanence", "event recall")
    assert first.source == {"made": "bank", "template": "hidden", "script": "cups-game"}
    assert len({i.id for i in items}) == 4


def test_a_template_is_asked_of_its_scripts_only() -> None:
    items, _ = questions_for(_bank(), _video("pouring"))
    assert [i.source["template"] for i in items] == ["moving", "why"]


def test_what_the_metadata_lack_is_reported_and_not_asked() -> None:
    items, findings = questions_for(_bank(), _video())
    assert [i.source["template"] for i in items] == ["moving", "why"]
    assert [(f.code, f.where) for f in findings] == [("no-slot-value", "video_1")]


def test_open_answers_become_the_options_of_the_next_question() -> None:
    bank, question = _bank(), "Why was it poured?"
    before, _ = questions_for(bank, _video("pouring"))
    assert (before[1].kind, before[1].options) == ("open-answers", ())
    heard = {question: ["To drink", "to  drink", "To wash"]}
    early, findings = questions_for(bank, _video("pouring"), heard)
    assert [i.source["template"] for i in early] == ["moving"]
    assert [f.code for f in findings] == ["few-answers"]
    heard[question].append("To show off")
    after, _ = questions_for(bank, _video("pouring"), heard)
    assert after[1].kind == "questions"
    assert [o.text for o in after[1].options] == ["To drink", "To wash", "To show off"]


def test_the_own_answer_and_the_most_frequent_ones_are_offered() -> None:
    others = {f"answer {n}": n for n in range(20)}
    assert offered(["answer 0"], others) == (
        "answer 0", *(f"answer {n}" for n in range(19, 11, -1)),
    )  # fmt: skip
    assert offered(["b"], {"a": 1, "b": 1}) == ("b", "a")


@pytest.mark.parametrize(
    ("template", "where", "words"),
    [
        ({"options": ["a", "A "]}, "bank.templates[0].options", "Duplicate option."),
        ({"text": "What {else}?"}, "bank.templates[0].text", "Unknown"),
        ({"options": ["a"], "is_binary": True}, "bank.templates[0].options", "two options"),
        (
            {"slots": [{"name": "n", "values": ["1"]}]},
            "bank.templates[0].slots[0].name",
            "The text does not contain",
        ),
        ({"color": "red"}, "bank.templates[0].color", "Unknown key."),
        ({"reasoning": 3}, "bank.templates[0].reasoning", "text"),
    ],
)
def test_a_fault_is_named_with_its_path(template: dict[str, Any], where: str, words: str) -> None:
    whole = {"key": "k", "text": "T?", "area": "a", "reasoning": "r", "options": ["a", "b"]}
    with pytest.raises(RecipeError) as caught:
        _bank({"templates": [{**whole, **template}]})
    assert caught.value.where == where
    assert words in str(caught.value)


def test_a_question_without_options_needs_somebody_to_type_them() -> None:
    tables = tomllib.loads(_BANK)
    del tables["open_kind"]
    with pytest.raises(RecipeError) as caught:
        bank_from(TomlTable(tables, "bank"))
    assert caught.value.where == "bank.templates[2].options"
