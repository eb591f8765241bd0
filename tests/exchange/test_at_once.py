"""What is found out for all tracks of a video at once is what is found track by track."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.geometry import Box
from annotator.exchange.perception_test import check, objects
from annotator.exchange.perception_test.from_domain import ExportSettings
from annotator.exchange.perception_test.objects import FrameChoice
from tests.exchange.files import NAME, example, exported, imported

BOXES = [Box(-5, -5, 90.5, 80), Box(0, 0, 1280, 720), Box(1300, 10, 1400, 20), None]


def edited(document: Document, data: st.DataObject) -> Document:
    """Return the document with keyframes changed, added and taken away in some tracks."""
    tracks = []
    for track in document.tracks:
        keys = {key.frame: key for key in track.keyframes}
        for _ in range(data.draw(st.integers(0, 2))):
            frame = data.draw(st.sampled_from([*keys, 0, 1, 29, 30, 60, 129]))
            if data.draw(st.booleans()):
                keys.pop(frame, None)
            else:
                box, source = data.draw(st.sampled_from(BOXES)), data.draw(st.sampled_from(Source))
                keys[frame] = Keyframe(frame, box, data.draw(st.booleans()), source)
        tracks.append(track.with_keyframes(keys.values()))
    return Document(document.draft_id, document.video, tracks, document.segments, document.points)


@given(st.data(), st.sampled_from(FrameChoice))
def test_tracks_as_imported_are_written_as_if_worked_out(data, choice):
    document = edited(imported(example()), data)
    settings = ExportSettings(frames=choice)
    at_once = exported(document, settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objects, "_untouched", lambda *_: {})
        assert exported(document, settings) == at_once


def test_tracks_with_damaged_records_are_worked_out():
    document = imported(example())
    for key, value in (
        ("frame_ids", [0, "30"]),
        ("bounding_boxes", [[0.1, 0.4, 0.2, "0.7"], [0.2, 0.4, 0.3, 0.7]]),
        ("bounding_boxes", [[0.1, 0.4, 0.2], [0.2, 0.4, 0.3, 0.7]]),
        ("timestamps", [5, 1]),
        ("initial_tracking_box", []),
    ):
        track = document.tracks[0]
        raw = {**copy.deepcopy(example()["object_tracking"][0]), key: value}
        info = replace(track.info, extra={"perception_test": raw})
        other = Document(
            document.draft_id, document.video, [replace(track, info=info), *document.tracks[1:]]
        )
        found = exported(other)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(objects, "_untouched", lambda *_: {})
            assert exported(other) == found


CHANGES = {
    "frame_ids": [[], [30, 0], [0, 0], [0, 9999], [-1, 30], [0, True], [0, 30.0], "0", None],
    "timestamps": [[1, 1], [2, 1], ["0", "1"], [0, 9_000_000], [0], [0.0, 1e6], [-1, 0]],
    "bounding_boxes": [
        [[0.1, 0.4, 0.2, 0.7], [0.4, 0.4, 0.3, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, 0.2, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [-0.2, 0.4, 0.3, 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, "0.3", 0.7]],
        [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4]],
        [[0, 0, 1, 1], [0, 0, 1, 1]],
    ],
    "initial_tracking_box": [[1, 1], [0, 0], [True, False], [2, 0], [1]],
    "is_masked": [[0, 2], [False, True], [0]],
}


@pytest.mark.parametrize("key", CHANGES)
def test_the_judge_finds_the_same_at_once_and_track_by_track(key, monkeypatch):
    entries = [example()]
    for value in CHANGES[key]:
        entry = copy.deepcopy(example())
        entry["object_tracking"][0][key] = value
        entries.append(entry)
    for facts in (
        {"num_frames": 31},
        {"frame_rate": 0},
        {"frame_rate": True},
        {"num_frames": None},
    ):
        entry = copy.deepcopy(example())
        entry["metadata"].update(facts)
        entries.append(entry)
    found = [list(check.check_entry(NAME, entry)) for entry in entries]
    monkeypatch.setattr(check, "are_sound", lambda *_: False)
    assert [list(check.check_entry(NAME, entry)) for entry in entries] == found
