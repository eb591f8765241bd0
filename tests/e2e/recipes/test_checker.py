"""The checker finds what is wrong: one that finds nothing would be no checker."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.recipes.checker import (
    answer_faults,
    cut_faults,
    neptune_faults,
    pacs_faults,
    perception_faults,
    video_tt_faults,
)

# The example of the published format, with values of its own.
ENTRY: dict[str, Any] = {
    "metadata": {
        "split": "valid",
        "video_id": "video_900003",
        "frame_rate": 30.0,
        "num_frames": 130,
        "resolution": [720, 1280],
        "audio_samples": 208000,
        "audio_sample_rate": 48000.0,
        "is_cup_game": 1,
        "is_camera_moving": 0,
    },
    "object_tracking": [
        {
            "id": 0,
            "label": "cup",
            "is_occluder": 1,
            "bounding_boxes": [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, 0.3, 0.7]],
            "initial_tracking_box": [1, 0],
            "frame_ids": [0, 30],
            "timestamps": [0, 1000000],
            "is_masked": [0, 0],
        }
    ],
    "point_tracking": [
        {
            "id": 0,
            "label": "cup",
            "parent_objects": [0],
            "frame_ids": [0, 1, 5],
            "points": [[0.5, 0.5, 0.52], [0.15, 0.151, 0.16]],
        }
    ],
    "action_localisation": [
        {
            "id": 0,
            "label_id": 21,
            "label": "Lifting something and placing it back down",
            "parent_objects": [0],
            "timestamps": [1000000, 2500000],
            "frame_ids": [30, 75],
        }
    ],
    "sound_localisation": [
        {
            "id": 0,
            "label_id": 7,
            "label": "Interaction:hitting",
            "parent_objects": [0, -1],
            "timestamps": [2333333, 2533333],
            "frame_ids": [70, 76],
            "is_visible": 1,
        }
    ],
    "mc_question": [
        {
            "id": 0,
            "question": "Is the camera moving or static?",
            "options": ["I don't know", "moving", "static or shaking"],
            "answer_id": 2,
            "area": "physics",
            "reasoning": "descriptive",
            "tag": ["motion"],
        }
    ],
    "grounded_question": [
        {
            "id": 0,
            "question": "Track the objects that were lifted.",
            "answers": [0],
            "area": "semantics",
            "reasoning": "descriptive",
        }
    ],
}
CHANGES: list[Callable[[dict[str, Any]], object]] = [
    lambda e: e.pop("point_tracking"),
    lambda e: e["metadata"].update(resolution=[720]),
    lambda e: e["metadata"].update(frame_rate=30),
    lambda e: e["metadata"].update(is_cup_game=True),
    lambda e: e["object_tracking"][0].update(id=1),
    lambda e: e["object_tracking"][0].update(initial_tracking_box=[1, 1]),
    lambda e: e["object_tracking"][0].update(frame_ids=[30, 0]),
    lambda e: e["object_tracking"][0].update(bounding_boxes=[[0.2, 0.4, 0.1, 0.7]] * 2),
    lambda e: e["object_tracking"][0].update(timestamps=[0, 2000000]),
    lambda e: e["point_tracking"][0].update(points=[[0.5, 0.1], [0.5, 0.1], [0.5, 0.1]]),
    lambda e: e["action_localisation"][0].update(parent_objects=[1]),
    lambda e: e["sound_localisation"][0].pop("is_visible"),
    lambda e: e["mc_question"][0]["options"].pop(),
    lambda e: e["mc_question"][0].update(options=["moving", "Moving ", "static"]),
    lambda e: e["mc_question"][0].update(answer_id=3),
    lambda e: e["mc_question"][0].update(votes={}),
    lambda e: e["grounded_question"][0].update(answers=[]),
]


def _write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_the_published_example_is_right(tmp_path: Path) -> None:
    path = _write(tmp_path / "all.json", {"video_900003": ENTRY})
    assert list(perception_faults(path)) == []
    assert len(list(perception_faults(path, is_test=True))) > 3


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_wrong_in_it_is_found(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    entry = copy.deepcopy(ENTRY)
    change(entry)
    path = _write(tmp_path / "all.json", {"video_900003": entry})
    assert list(perception_faults(path)) != []


def test_cuts_and_answers_are_judged_too(tmp_path: Path) -> None:
    cuts = _write(tmp_path / "cuts.json", {"a": -1, "b": 5})
    assert list(cut_faults(cuts, {"a": 9, "b": 9})) == []
    assert len(list(cut_faults(cuts, {"a": 9, "b": 4}))) == 1
    assert len(list(cut_faults(cuts, {"a": 9, "b": 9, "c": 9}))) == 1
    asked = _write(tmp_path / "all.json", {"video_900003": ENTRY})
    answer = {"id": 0, "answer_id": 2, "answer": "static or shaking"}
    given = _write(tmp_path / "a.json", {"video_900003": [answer]})
    assert list(answer_faults(given, asked, is_wrapped=False)) == []
    given = _write(tmp_path / "b.json", {"video_900003": [{**answer, "answer_id": 1}]})
    assert len(list(answer_faults(given, asked, is_wrapped=False))) == 1


def test_sets_of_neptune_are_judged_too(tmp_path: Path) -> None:
    each = {
        "key": "abcDEF12345/1",
        "video_id": "abcDEF12345",
        "question": "Why does the cook stir twice?",
        "answer": "It had separated.",
        **{f"answer_choice_{i}": f"choice {i}" for i in range(5)},
        "answer_choice_1": "It had separated.",
        "answer_id": 1,
        "question type": "Cause And Effect",
    }
    assert list(neptune_faults(_write(tmp_path / "n.json", [each]))) == []
    bad = [{**each, "answer_id": 2}, {**each, "question type": "Why"}]
    assert len(list(neptune_faults(_write(tmp_path / "n.json", bad)))) == 3


def test_rows_of_video_tt_are_judged_too() -> None:
    kinds = ["Primary", "Paraphrased", "Correctly-led", "Wrongly-led"]
    types = [f"{kind} Open-ended Question" for kind in kinds]
    types.append("Multiple-choice Question with a Single Correct Answer")
    rows = [
        {
            "qid": str(i),
            "video_id": "v",
            "question_type": each,
            "capability": "Event Counting",
            "question": "How often?",
            "duration": "12",
            "question_prompt": "",
            "answer": "A" if each.startswith("Multiple") else "Twice",
            "youtube_url": "",
        }
        for i, each in enumerate(types)
    ]
    assert list(video_tt_faults(rows)) == []
    assert len(list(video_tt_faults(rows[:4]))) == 1
    assert len(list(video_tt_faults([*rows[:4], {**rows[4], "answer": "Twice"}]))) == 1


def test_files_of_pacs_are_judged_too(tmp_path: Path) -> None:
    thing = {"duration": 6.5, "bounding_box": [1, 2, 3, 4], "materials": ["wood"], "fps": 30}
    asked = {"properties": ["weight"], "question": "Which is heavier?", "statement": ""}
    point = {"label": 1, "text": "Which is heavier?"}
    files = {
        "objects": {"object0001": thing, "object0002": thing, "object0003": thing},
        "questions": {"question0001": asked},
        "train_data": {"object0001_object0002": {"question0001": point}},
        "val_data": {},
        "test_data": {},
        "mat_questions": {"q0000": "Which object is made of wood?"},
        **{f"{split}_mat": {} for split in ("train", "val", "test")},
        "youtube_info": {"clip": {"object0001": [10, 20, 15]}},
    }
    for name, value in files.items():
        _write(tmp_path / f"{name}.json", value)
    assert list(pacs_faults(tmp_path)) == []
    _write(tmp_path / "test_data.json", {"object0003_object0002": {"question0002": point}})
    assert len(list(pacs_faults(tmp_path))) == 3
