"""What a record means in the picture: layouts, gaps, what leaves the view."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.track import Phase
from annotator.domain.geometry import Box
from annotator.exchange.perception_test.read import read_video
from tests.exchange.files import NAME, example, exported, imported


def track_of(frames, boxes, **more):
    entry = {
        "metadata": {"num_frames": 130, "resolution": [100, 200]},
        "object_tracking": [
            {"id": 0, "label": "cup", "frame_ids": frames, "bounding_boxes": boxes, **more}
        ],
    }
    return read_video(NAME, entry)


def test_boxes_become_pixels_and_flags_become_states():
    document = imported(example())
    cup, coin = document.tracks
    assert cup.keyframes[0].box.largest_offset(Box(128, 288, 256, 504)) < 1e-9
    assert cup.info.attributes == {"is_occluder": True}
    assert [k.occluded for k in coin.keyframes if k.box] == [False, True, False]
    assert coin.label == " coin"
    assert {k.source for k in coin.keyframes} == {"imported"}


def test_an_object_that_a_grid_frame_does_not_show_has_left():
    _, coin = imported(example()).tracks
    assert [(k.frame, k.box is None) for k in coin.keyframes] == [
        (0, False),
        (30, False),
        (60, True),
        (97, False),
        (120, True),
    ]
    assert coin.state_at(59).phase is Phase.HELD
    assert not coin.state_at(60).is_present


def test_entries_closer_than_the_grid_are_one_presence():
    entry = example()
    record = entry["object_tracking"][0]
    frames = [0, 30, 32, 37, 60]
    record.update(
        frame_ids=frames,
        bounding_boxes=[[0.1, 0.1, 0.2, 0.2]] * 5,
        initial_tracking_box=[1, 0, 0, 0, 0],
        timestamps=[f * 33333 for f in frames],
        is_masked=[0] * 5,
    )
    cup = imported(entry).tracks[0]
    assert [k.frame for k in cup.keyframes] == [0, 30, 32, 37, 60, 90]


def test_no_grid_frame_after_the_last_entry_means_nothing_is_known_of_leaving():
    entry = example()
    entry["object_tracking"][0]["frame_ids"] = [90, 120]
    assert imported(entry).tracks[0].keyframes[-1].box is not None


def test_the_old_layout_is_turned():
    rows = [[0.4, 0.5, 0.6], [0.3, 0.4, 0.5], [0.2, 0.3, 0.4], [0.1, 0.2, 0.3]]
    record = track_of([0, 30, 60], rows)
    assert record.objects[0].boxes[0] == [0.1, 0.2, 0.3, 0.4]
    assert [f.code for f in record.findings] == ["legacy-layout"]


def test_one_box_in_the_old_layout_is_turned():
    record = track_of([0], [[0.4], [0.3], [0.2], [0.1]])
    assert record.objects[0].boxes == [[0.1, 0.2, 0.3, 0.4]]


# A box that moves right and down; as four rows of the old layout it is the transposed matrix.
_MOVING = [[0.1 + s, 0.2 + s, 0.3 + s, 0.4 + s] for s in (0.0, 0.02, 0.04, 0.06)]


def _as_legacy(boxes):
    x1, y1, x2, y2 = zip(*boxes, strict=True)
    return [list(y2), list(x2), list(y1), list(x1)]


@pytest.mark.parametrize("boxes", [_MOVING, _MOVING[::-1]])
@pytest.mark.parametrize("is_legacy", [False, True])
def test_four_boxes_are_read_as_what_moves_smoothly(boxes, is_legacy):
    record = track_of([0, 30, 60, 90], _as_legacy(boxes) if is_legacy else boxes)
    assert [list(box) for box in record.objects[0].boxes] == boxes
    # Moving left and up in the current layout, or right and down in the old, both readings fit.
    is_ambiguous = (boxes is _MOVING) == is_legacy
    codes = {f.code for f in record.findings}
    assert ("ambiguous-layout" in codes) == is_ambiguous


def test_points_as_pairs_are_turned_into_rows():
    entry = example()
    point = entry["point_tracking"][0]
    y, x = point["points"]
    point["points"] = [list(pair) for pair in zip(y, x, strict=True)]
    document = imported(entry)
    assert exported(document).value["point_tracking"] == example()["point_tracking"]


def test_true_and_false_are_written_as_numbers():
    entry = example()
    entry["metadata"]["is_cup_game"] = True
    entry["object_tracking"][0]["is_occluder"] = True
    entry["object_tracking"][1]["is_masked"] = [False, True, False]
    entry["sound_localisation"][0]["is_visible"] = False
    assert str(exported(imported(entry)).value) == str(example())


def test_boxes_beyond_the_picture_are_cut_and_those_without_area_left_out():
    record = track_of([0, 30, 60], [[-0.1, 0, 0.5, 0.5], [0.5, 0.5, 0.5, 0.7], [0, 0, 1, 1.5]])
    codes = [f.code for f in record.findings]
    assert codes == ["box-outside", "empty-box", "box-outside"]
    entry = {
        "metadata": {"num_frames": 130, "resolution": [720, 1280]},
        "object_tracking": [dict(record.objects[0].raw)],
    }
    value = exported(imported(entry)).value["object_tracking"][0]
    assert value["frame_ids"] == [0, 60]
    assert value["bounding_boxes"] == [[0.0, 0.0, 0.5, 0.5], [0.0, 0.0, 1.0, 1.0]]
