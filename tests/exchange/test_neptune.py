"""Sets of question, answer and decoys: read from strangers, written as the benchmark has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.benchmarks.neptune.question_sets import bare_id, read_sets, records_of
from annotator.domain.errors import ExchangeError
from annotator.domain.questions.items.answer_sets import AnswerSet
from annotator.exchange.json_value import encode_value

RECORD = {
    "key": "abcDEF12345/1",
    "video_id": "abcDEF12345",
    "question": "Why does the cook stir twice?",
    "answer": "The sauce had separated.",
    "answer_choice_0": "The pan was too hot.",
    "answer_choice_1": "The sauce had separated.",
    "answer_choice_2": "A guest asked.",
    "answer_choice_3": "The spoon broke.",
    "answer_choice_4": "The lid fell in.",
    "answer_id": 1,
    "question type": "Cause And Effect",
}
PROPOSED = {
    "video_id": "https://www.youtube.com/watch?v=abcDEF12345&t=3",
    "question": "How many bowls?",
    "answer": "Three",
    "decoys": ["One", "Two", "Four", "Five"],
    "question_type": "Counting",
    "split": "cooking",
}


def faults(content: Any) -> Iterator[str]:
    """Judge a finished list from the rules of the format alone."""
    keys: set[str] = set()
    for i, each in enumerate(content):
        wanted = {"key", "video_id", "question", "answer", "answer_id", "question type"}
        wanted |= {f"answer_choice_{n}" for n in range(5)}
        if not wanted <= set(each):
            yield f"{i}: keys"
            continue
        if type(each["answer_id"]) is not int or not 0 <= each["answer_id"] <= 4:
            yield f"{i}: answer_id"
        elif each[f"answer_choice_{each['answer_id']}"] != each["answer"]:
            yield f"{i}: answer"
        if len({each[f"answer_choice_{n}"] for n in range(5)}) != 5:
            yield f"{i}: choices"
        if not all(isinstance(each[key], str) and each[key] for key in wanted - {"answer_id"}):
            yield f"{i}: texts"
        if each["key"] in keys or "/" in each["video_id"]:
            yield f"{i}: key"
        keys.add(each["key"])


def _written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "sets.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_sets_are_read_in_both_forms(tmp_path: Path) -> None:
    first, second = read_sets(_written(tmp_path, [RECORD, PROPOSED]))
    assert first == AnswerSet(
        "abcDEF12345/1",
        "abcDEF12345",
        "Why does the cook stir twice?",
        "The sauce had separated.",
        ("The pan was too hot.", "A guest asked.", "The spoon broke.", "The lid fell in."),
        "Cause And Effect",
    )
    assert second == AnswerSet(
        "abcDEF12345/2",
        "abcDEF12345",
        "How many bowls?",
        "Three",
        ("One", "Two", "Four", "Five"),
        "Counting",
        {"split": "cooking"},
    )


def test_what_is_written_keeps_the_rules_and_is_read_again(tmp_path: Path) -> None:
    sets = read_sets(_written(tmp_path, [RECORD, PROPOSED]))
    records, findings = records_of(sets, seed=2)
    assert findings == ()
    path = tmp_path / "out.json"
    path.write_bytes(b"".join(encode_value(list(records))))
    content = json.loads(path.read_text(encoding="utf-8"))
    assert list(faults(content)) == []
    assert list(content[0])[:4] == ["key", "video_id", "question", "answer"]
    assert content[1]["split"] == "cooking"
    assert {s.key: (s.answer, sorted(s.decoys)) for s in read_sets(path)} == {
        s.key: (s.answer, sorted(s.decoys)) for s in sets
    }
    assert records_of(sets, seed=2)[0] == records


def test_a_judge_that_finds_nothing_would_be_no_judge() -> None:
    assert list(
        faults([{**RECORD, "answer_id": 2}, {**RECORD, "answer_choice_0": "A guest asked."}])
    )


def test_a_set_with_too_few_choices_is_left_out_and_named() -> None:
    short = AnswerSet("k/1", "k", "Q?", "A", ("B", "C", "D"), "Other")
    same = AnswerSet("k/2", "k", "Q?", "A", ("B", "C", "D", "a "), "Other")
    records, findings = records_of([short, same], 1)
    assert records == []
    assert [(f.code, f.where) for f in findings] == [
        ("few-choices", "k, k/1"),
        ("few-choices", "k, k/2"),
    ]


@pytest.mark.parametrize(
    ("content", "where", "words"),
    [
        ({}, "sets.json", "list"),
        ([7], "sets.json[0]", "object"),
        ([{**RECORD, "question": " "}], "sets.json[0].question", "empty"),
        ([{**RECORD, "answer_id": 5}], "sets.json[0].answer_id", "0 to 4"),
        ([{**RECORD, "answer_id": 0}], "sets.json[0].answer_id", "is not the correct answer."),
        ([{**RECORD, "answer_id": "1"}], "sets.json[0].answer_id", "an integer"),
        (
            [{**RECORD, "answer_choice_0": "a  guest ASKED."}],
            "sets.json[0]",
            "Two choices are equal.",
        ),
        (
            [{**PROPOSED, "decoys": ["One", "three", "2", "5"]}],
            "sets.json[0].decoys[1]",
            "The decoy is equal to the correct answer.",
        ),
        (
            [{**PROPOSED, "decoys": ["One", "one", "2", "5"]}],
            "sets.json[0]",
            "Two choices are equal.",
        ),
        ([{**PROPOSED, "decoys": ["One", "2", "5"]}], "sets.json[0].decoys", "decoys, found"),
        (
            [{**PROPOSED, "decoys": ["One", "2", "5", "6", "7"]}],
            "sets.json[0].decoys",
            "decoys, found",
        ),
        ([RECORD, RECORD], "sets.json[1].key", "sets.json[0]"),
        ([{**RECORD, "judgement": {}}], "sets.json[0].judgement", "The set has no known keys."),
        ([{**RECORD, "judgement": {"type": 7}}], "sets.json[0].judgement.type", "text"),
        ([{k: v for k, v in RECORD.items() if k != "video_id"}], "sets.json[0]", "video_id"),
    ],
)
def test_a_bad_set_is_refused_with_its_path(
    tmp_path: Path, content: Any, where: str, words: str
) -> None:
    with pytest.raises(ExchangeError) as caught:
        read_sets(_written(tmp_path, content))
    assert caught.value.where == where
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "abcDEF12345",
        "https://www.youtube.com/watch?v=abcDEF12345",
        "https://youtu.be/abcDEF12345?t=5",
        "https://www.youtube.com/shorts/abcDEF12345",
    ],
)
def test_an_address_names_its_video(address: str) -> None:
    assert bare_id(address) == "abcDEF12345"
