"""The short way through records finds what the long way finds, or nothing."""

from __future__ import annotations

import copy

import pytest

from annotator.domain.checks import Finding
from annotator.exchange.perception_test import read
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.perception_test.records import VideoRecord
from tests.exchange.files import NAME, example

OBJECT_CHANGES = {
    "id": [7, -1, True, 0.0, None],
    "label": [5, None],
    "is_occluder": [True, 2, "1"],
    "frame_ids": [[], [30, 0], [0, 0], [0, 1000], [-1, 30], [0, True], [0, 30.0], "0"],
    "bounding_boxes": [
        [[0.1, 0.4, 0.2, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.4, 0.4, 0.3, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, 0.2, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [-0.2, 0.4, 0.3, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, 1.3, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, "0.3", 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, 0.3]],
        [[0, 0, 1, 1], [0, 0, 1, 1]],
    ],
    "timestamps": [[0], [1, 1], [2, 1], ["0", "1"], [0, 1000000.5], None],
    "initial_tracking_box": [[1, 1], [0, 0], [True, False], [1], [2, 0]],
    "is_masked": [[0, 2], [False, True], [0]],
}
SEGMENT_CHANGES = {
    "id": [None, 1.0],
    "label": ["", 3],
    "label_id": [-1, True, 2**31],
    "timestamps": [[5, 1], [-1, 5], [1], [0, 10**15], [0.5, 7], ["0", "1"]],
    "frame_ids": [[5, 1], [0, 130], [130, 130], [0, 131], [-1, 2], [0, 1.0]],
    "parent_objects": [[99], 0, [-1], [True], [], None],
    "is_visible": [True, 2],
}


def changed(task: str, changes: dict[str, list[object]]) -> list[object]:
    """Return entries in which a record lacks a key, or has another value under it."""
    entries = [example()]
    for key, values in changes.items():
        for index in range(len(example()[task])):
            for value in values:
                entry = copy.deepcopy(example())
                entry[task][index][key] = value
                entries.append(entry)
            entry = copy.deepcopy(example())
            entry[task][index].pop(key, None)
            entries.append(entry)
    return entries


def told(entry: object) -> tuple[VideoRecord, tuple[Finding, ...], str]:
    record = read_video(NAME, entry)
    return record, record.findings, repr(record)


@pytest.mark.parametrize(
    ("task", "changes"),
    [
        ("object_tracking", OBJECT_CHANGES),
        ("action_localisation", SEGMENT_CHANGES),
        ("sound_localisation", SEGMENT_CHANGES),
    ],
)
def test_both_ways_find_the_same(task, changes, monkeypatch):
    entries = changed(task, changes)
    found = [told(copy.deepcopy(entry)) for entry in entries]
    monkeypatch.setattr(read, "usual_objects", lambda *_, **__: None)
    monkeypatch.setattr(read, "usual_segment", lambda *_: None)
    assert [told(entry) for entry in entries] == found


def test_an_entry_in_which_nothing_is_odd_goes_the_short_way(monkeypatch):
    entry = example()
    for record in entry["object_tracking"]:
        record["id"] = entry["object_tracking"].index(record)

    def never(*_: object) -> object:
        raise AssertionError

    monkeypatch.setattr(read._VideoReader, "_object", never)
    assert len(read_video(NAME, entry).objects) == len(entry["object_tracking"])
