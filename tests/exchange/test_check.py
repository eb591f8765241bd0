"""The independent judge accepts what is right and finds each broken rule."""

from __future__ import annotations

import copy

import pytest

from annotator.exchange.perception_test.check import check_entry, check_file
from tests.exchange.files import NAME, example


def errors(entry, name=NAME):
    return [f.where for f in check_entry(name, entry) if f.severity == "error"]


def test_the_example_breaks_no_rule():
    assert list(check_file({NAME: example()})) == []


@pytest.mark.parametrize(
    ("steps", "value", "place"),
    [
        (("object_tracking",), None, ""),
        (("metadata", "split"), "val", ".metadata.split"),
        (("metadata", "video_id"), "video_1", ".metadata.video_id"),
        (("metadata", "num_frames"), 97, ".object_tracking[1].frame_ids[2]"),
        (("metadata", "resolution"), [720], ".metadata.resolution"),
        (("metadata", "is_cup_game"), True, ".metadata.is_cup_game"),
        (("object_tracking", 1, "id"), 2, ".object_tracking[1]"),
        (("object_tracking", 1, "is_masked"), [0, 0], ".object_tracking[1].is_masked"),
        (
            ("object_tracking", 1, "initial_tracking_box"),
            [1, 1, 0],
            ".object_tracking[1].initial_tracking_box",
        ),
        (("object_tracking", 1, "frame_ids"), [0, 30, 30], ".object_tracking[1].frame_ids[2]"),
        (("object_tracking", 1, "timestamps"), [0, 5, 4], ".object_tracking[1].timestamps[2]"),
        (
            ("object_tracking", 1, "bounding_boxes", 0),
            [0.1, 0, 1.1, 1],
            ".object_tracking[1].bounding_boxes[0]",
        ),
        (
            ("object_tracking", 1, "bounding_boxes", 0),
            [0.1, 0, 0.1, 1],
            ".object_tracking[1].bounding_boxes[0]",
        ),
        (
            ("object_tracking", 1, "bounding_boxes", 0, 0),
            float("nan"),
            ".object_tracking[1].bounding_boxes[0][0]",
        ),
        (("point_tracking", 0, "points"), [[0.5], [0.5]], ".point_tracking[0].points[0]"),
        (("point_tracking", 0, "parent_objects"), [2], ".point_tracking[0]"),
        (("action_localisation", 0, "frame_ids"), [30, 131], ".action_localisation[0].frame_ids"),
        (("action_localisation", 0, "label_id"), "21", ".action_localisation[0].label_id"),
        (("sound_localisation", 0, "is_visible"), None, ".sound_localisation[0].is_visible"),
        (("mc_question", 0, "answer_id"), 3, ".mc_question[0].answer_id"),
        (("grounded_question", 0, "answers"), [-1], ".grounded_question[0]"),
        (("grounded_question", 0, "question"), " ", ".grounded_question[0].question"),
        (("mc_question", 0, "question"), None, ".mc_question[0].question"),
    ],
)
def test_a_broken_rule_is_found_at_its_place(steps, value, place):
    entry = copy.deepcopy(example())
    spot = entry
    for step in steps[:-1]:
        spot = spot[step]
    if value is None:
        del spot[steps[-1]]
    else:
        spot[steps[-1]] = value
    assert f"$.{NAME}{place}" in errors(entry)


def test_one_label_number_for_two_labels_is_found():
    first, second = example(), example()
    second["metadata"]["video_id"] = "video_2"
    second["action_localisation"][0]["label"] = "Shuffling objects"
    found = [f for f in check_file({NAME: first, "video_2": second}) if f.severity == "error"]
    assert [f.where for f in found] == ["$"]
    assert "21" in found[0].text


def test_times_far_from_their_frames_are_unusual():
    entry = example()
    entry["object_tracking"][0]["timestamps"] = [0, 1_200_000]
    found = list(check_entry(NAME, entry))
    assert [(f.severity, f.where) for f in found] == [
        ("warning", f"$.{NAME}.object_tracking[0].timestamps[1]")
    ]


def test_areas_and_tags_that_nobody_knows_are_told():
    entry = example()
    entry["mc_question"][0] |= {"area": "physiks", "tag": ["motion", "speed"]}
    entry["grounded_question"][0] |= {"reasoning": "magic"}
    found = [(f.severity, f.where) for f in check_entry(NAME, entry)]
    assert found == [
        ("warning", f"$.{NAME}.mc_question[0].area"),
        ("warning", f"$.{NAME}.mc_question[0].tag"),
        ("warning", f"$.{NAME}.grounded_question[0].reasoning"),
    ]


def test_anything_but_an_object_is_no_file():
    assert [f.where for f in check_file([])] == ["$"]
    assert [f.where for f in check_file({"video_1": 3})] == ["$.video_1"]
