"""Finished questions as records of a Perception Test file."""

from __future__ import annotations

from dataclasses import replace

from annotator.domain.checks import Finding, Severity
from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, TrackId, VideoId
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.exchange.perception_test.check import check_entry
from annotator.exchange.perception_test.questions import cut_frames, question_records
from tests.exchange.files import example

OPTIONS = (Option("o2", "two "), Option("o0", "none"), Option("x2", "I don't know"))
CHOICE = Item(
    ItemId("c"),
    "final",
    (VideoId("v"),),
    "How many?",
    OPTIONS,
    {"answer": ("o0",)},
    area="abstraction",
    reasoning="descriptive",
    tags=("object counting", "quantity"),
    source={"made": "final"},
)
GROUNDED = Item(
    ItemId("g"),
    "grounded",
    (VideoId("v"),),
    "Track the lifted objects.",
    right={"answer": ("yes",)},
    track_ids=(TrackId("b"), TrackId("a")),
    area="semantics",
    reasoning="descriptive",
    state=ItemState.DECIDED,
    source={"made": "rule"},
)
INDICES = {TrackId("a"): 0, TrackId("b"): 1}


def test_ids_are_places_and_answers_the_ids_of_tracks() -> None:
    made = question_records([GROUNDED, CHOICE, CHOICE], INDICES, "video_1", first=(4, 2))
    assert made.choices == [
        {
            "id": number,
            "question": "How many?",
            "options": ["two ", "none", "I don't know"],
            "answer_id": 1,
            "area": "abstraction",
            "reasoning": "descriptive",
            "tag": ["object counting", "quantity"],
        }
        for number in (4, 5)
    ]
    assert made.grounded == [
        {
            "id": 2,
            "question": "Track the lifted objects.",
            "answers": [0, 1],
            "area": "semantics",
            "reasoning": "descriptive",
        }
    ]
    assert made.findings == []


def test_the_judge_takes_them() -> None:
    made = question_records([GROUNDED, CHOICE], INDICES, "video_900003")
    entry = {**example(), "mc_question": made.choices, "grounded_question": made.grounded}
    found = [f for f in check_entry("video_900003", entry) if "question" in f.where]
    assert found == []
    wrong = {**entry, "mc_question": [{**CHOICE_RECORD, "answer_id": 3}]}
    assert [f for f in check_entry("video_900003", wrong) if "mc_question" in f.where]


CHOICE_RECORD = {"id": 0, "question": "?", "options": ["a", "b", "c"], "answer_id": 0}


def test_only_what_is_settled_and_sound_is_written() -> None:
    left_out = [
        replace(CHOICE, state=ItemState.DISCARDED),
        replace(CHOICE, purpose=Purpose.GOLD),
        replace(CHOICE, source={"made": "bank"}),
        replace(GROUNDED, right={"answer": ("no",)}),
        replace(GROUNDED, right={}),
    ]
    made = question_records(left_out, INDICES, "video_1")
    assert (made.choices, made.grounded, made.findings) == ([], [], [])
    broken = [
        replace(CHOICE, options=OPTIONS[:2]),
        replace(CHOICE, right={"answer": ("o9",)}),
        replace(CHOICE, right={}),
        replace(CHOICE, options=(*OPTIONS[:2], Option("k", "NONE"))),
    ]
    made = question_records(broken, INDICES, "video_1")
    assert made.choices == []
    assert [f.code for f in made.findings] == [
        "few-options",
        "answer-outside",
        "no-right-answer",
        "same-options",
    ]


def test_answers_that_are_not_exported_are_named() -> None:
    made = question_records([GROUNDED], {TrackId("a"): 3}, "video_1")
    assert made.grounded[0]["answers"] == [3]
    assert [(f.code, f.severity) for f in made.findings] == [("lost-answer", Severity.WARNING)]
    none = question_records([GROUNDED], {}, "video_1")
    assert none.grounded == []
    assert [(f.code, f.severity) for f in none.findings] == [("lost-answer", Severity.ERROR)]


def test_cut_frames() -> None:
    notes: list[Finding] = []
    videos = [("video_1", None, 90), ("video_2", 90, 90), ("video_3", 91, 90), ("video_4", 0, 90)]
    assert cut_frames(videos, notes.append) == {
        "video_1": -1,
        "video_2": 90,
        "video_3": -1,
        "video_4": -1,
    }
    assert [(n.code, n.where) for n in notes] == [
        ("cut-outside", "video_3"),
        ("cut-outside", "video_4"),
    ]
