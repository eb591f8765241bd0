"""Result files: what each task's scorer reads, from an entry that has all six."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from annotator.domain.checks import Finding
from annotator.domain.json_type import Json
from annotator.exchange.perception_test.write import answers_of, encode_answers
from tests.exchange.files import NAME, example

ENTRY: dict[str, Any] = {
    "object_tracking": [
        {"id": 0, "label": "cup", "bounding_boxes": [[0.1, 0.4, 0.2, 0.7]], "frame_ids": [0]},
        {"id": 1, "label": "coin", "bounding_boxes": [[0.5, 0.5, 0.6, 0.6]], "frame_ids": [0]},
    ],
    "point_tracking": [
        {"id": 0, "label": "rim", "parent_objects": [0], "frame_ids": [3], "points": [[0.5], [0.1]]}
    ],
    "sound_localisation": [
        {"id": 0, "label_id": 7, "label": "x", "timestamps": [2333333, 2533333], "is_visible": 1}
    ],
    "mc_question": [
        {"id": 0, "question": "Does it move?", "options": ["yes", "no", "x"], "answer_id": 1}
    ],
    "grounded_question": [{"id": 0, "question": "Which?", "answers": [1]}],
}
CHOSEN = [{"id": 0, "answer_id": 1, "answer": "no"}]
ANSWERS: dict[str, Json] = {
    "object_tracking": [
        {"id": 0, "bounding_boxes": [[0.1, 0.4, 0.2, 0.7]], "frame_ids": [0]},
        {"id": 1, "bounding_boxes": [[0.5, 0.5, 0.6, 0.6]], "frame_ids": [0]},
    ],
    "point_tracking": {"point_tracking": [{"id": 0, "points": [[0.5], [0.1]], "frame_ids": [3]}]},
    "action_localisation": {"action_localisation": []},
    "sound_localisation": {
        "sound_localisation": [{"label": "7", "score": "1.0", "timestamps": [2.333333, 2.533333]}]
    },
    "mc_question": list(CHOSEN),
    "grounded_question": {
        "grounded_question": {
            "0": [
                {
                    "id": 1,
                    "score": 1.0,
                    "bounding_boxes": [[0.5, 0.5, 0.6, 0.6]],
                    "frame_ids": [0],
                }
            ]
        }
    },
}


@pytest.mark.parametrize("task", ANSWERS)
def test_each_task_is_told_as_its_scorer_reads_it(task: str) -> None:
    found: list[Finding] = []
    made = answers_of("video_1", ENTRY, task, found.append)
    assert made == ANSWERS[task]
    assert found == []
    body = encode_answers("video_1", made)
    assert msgspec.json.decode(b"{%b}" % body) == {"video_1": ANSWERS[task]}


def test_multiple_choice_may_have_its_key_round_it() -> None:
    made = answers_of("video_1", ENTRY, "mc_question", [].append, is_wrapped=True)
    assert made == {"mc_question": CHOSEN}


@pytest.mark.parametrize("answer", [None, 3, -1, "1"])
def test_a_question_without_an_answer_is_left_out_and_said(answer: Json) -> None:
    found: list[Finding] = []
    question = {**ENTRY["mc_question"][0], "answer_id": answer}
    entry = {"mc_question": [question, *ENTRY["mc_question"]]}
    assert answers_of("video_1", entry, "mc_question", found.append) == CHOSEN
    assert [(f.code, f.where) for f in found] == [("unanswered", "video_1, “Does it move?”")]


def test_nothing_else_of_the_example_is_told() -> None:
    texts = {task: str(answers_of(NAME, example(), task, [].append)) for task in ANSWERS}
    assert not any("metadata" in text or "area" in text for text in texts.values())
    assert encode_answers(NAME, []) == b'"%b":[]' % NAME.encode()
