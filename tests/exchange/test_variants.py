"""Parts of an entry: some tasks, or what test files tell."""

from __future__ import annotations

import copy

import pytest

from annotator.exchange.perception_test.check import check_entry
from annotator.exchange.perception_test.records import TASK_KEYS
from annotator.exchange.perception_test.write import Variant, exported_part
from tests.exchange.files import NAME, example


def test_all_is_told_unless_less_is_wanted() -> None:
    entry = example()
    assert exported_part(copy.deepcopy(entry)) == entry


@pytest.mark.parametrize(
    ("tasks", "filled"),
    [
        (("mc_question",), {"mc_question"}),
        (("grounded_question",), {"object_tracking", "grounded_question"}),
        (("sound_localisation", "mc_question"),
         {"object_tracking", "sound_localisation", "mc_question"}),
    ],
)  # fmt: skip
def test_tasks_bring_along_what_they_refer_to(tasks: tuple[str, ...], filled: set[str]) -> None:
    entry = example()
    made = exported_part(entry, tasks=tasks)
    assert list(made) == list(entry)
    assert {task for task in TASK_KEYS if made[task]} == filled
    assert all(made[task] == entry[task] for task in filled)
    assert [f for f in check_entry(NAME, made) if f.severity == "error"] == []


def test_a_test_file_gives_nothing_away() -> None:
    entry = example()
    before = copy.deepcopy(entry)
    made = exported_part(entry, Variant.TEST)
    assert entry == before
    for old, new in zip(entry["object_tracking"], made["object_tracking"], strict=True):
        start = old["initial_tracking_box"].index(1)
        assert new["frame_ids"] == [old["frame_ids"][start]]
        assert new["bounding_boxes"] == [old["bounding_boxes"][start]]
        assert new["initial_tracking_box"] == [1]
        assert (new["label"], new["is_occluder"]) == (old["label"], old["is_occluder"])
    for old, new in zip(entry["point_tracking"], made["point_tracking"], strict=True):
        assert new["frame_ids"] == old["frame_ids"][:1]
        assert new["points"] == [row[:1] for row in old["points"]]
    assert made["action_localisation"] == made["sound_localisation"] == []
    assert entry["mc_question"]
    assert all(set(q) == {"id", "question", "options"} for q in made["mc_question"])
    assert all("answers" not in q for q in made["grounded_question"])
    assert [f for f in check_entry(NAME, made) if f.severity == "error"] == []
