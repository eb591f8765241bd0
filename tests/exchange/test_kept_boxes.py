"""Boxes and times that are not kept come back to the bit, and only where nobody moved them."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.commands import JoinTracks, SetKeyframe, SetOccluded, SplitTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.exchange.perception_test import objects, to_domain
from annotator.exchange.perception_test.kept_boxes import BOXES_KEY, name_of, stored_records
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.perception_test.records import EXTRA_KEY, columns_of
from annotator.services.transfer.imports.import_plan import Again, Imported
from tests.exchange.files import NAME, TIMES, example, exported, imported_as, make_document

FRAMES = [0, 30, 60, 77, 120]
SIZES = [(720, 1280), (1080, 1920), (480, 854), (1, 3)]


def entry(boxes: list[list[Any]] | None = None, size: tuple[int, int] = (720, 1280)) -> Any:
    """Return an entry with one track that is kept without its boxes and times."""
    found = copy.deepcopy(example())
    found["metadata"]["resolution"] = list(size)
    boxes = boxes or [[0.1 + i / 37, 0.2, 0.30000000000000004 + i / 37, 0.7] for i in range(5)]
    frames = FRAMES[: len(boxes)]
    found["object_tracking"][0] |= {
        "bounding_boxes": boxes,
        "initial_tracking_box": [1] + [0] * (len(boxes) - 1),
        "frame_ids": frames,
        "timestamps": [TIMES[frame] for frame in frames],
        "is_masked": [0] * len(boxes),
    }
    return found


def opened(told: Any) -> Document:
    return imported_as(NAME, told)


def whole(told: Any) -> Document:
    """Return the document of an entry as if everything were kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            to_domain, "stored_records", lambda items, *_: [{EXTRA_KEY: item.raw} for item in items]
        )
        return opened(told)


def test_neither_boxes_nor_times_are_kept() -> None:
    extra = opened(entry()).tracks[0].info.extra
    assert set(extra) == {EXTRA_KEY, BOXES_KEY}
    kept = extra[EXTRA_KEY]
    assert isinstance(kept, dict)
    assert set(entry()["object_tracking"][0]) - set(kept) == {"bounding_boxes", "timestamps"}
    assert exported(opened(entry())).value == entry()


@pytest.mark.parametrize(
    "boxes",
    [
        [[0, 0.2, 0.3, 0.7]] * 2,
        [[0.1, 0.2, 0.3, 1]] * 2,
        [[-0.1, 0.2, 0.3, 0.7]] * 2,
        [[0.1, 0.2, 1.3, 0.7]] * 2,
        [[0.1, 0.2, 0.3, 0.7], [0.5, 0.5, 0.5, 0.5]],
    ],
)
def test_boxes_that_cannot_be_worked_out_are_kept(boxes: list[list[Any]]) -> None:
    told = entry(boxes)
    extra = opened(told).tracks[0].info.extra
    assert set(extra) == {EXTRA_KEY}
    assert exported(opened(told)).value == exported(whole(told)).value


def test_times_of_another_clock_are_kept() -> None:
    told = entry()
    told["object_tracking"][0]["timestamps"][3] += 1
    extra = opened(told).tracks[0].info.extra
    assert isinstance(extra[BOXES_KEY], dict)
    assert "rate" not in extra[BOXES_KEY]
    assert exported(opened(told)).value == told


def edges(data: st.DataObject) -> list[float]:
    low = data.draw(st.floats(0, 0.9))
    return [low, data.draw(st.floats(low + 0.01, 1))]


@given(st.data(), st.sampled_from(SIZES))
def test_every_bit_comes_back(data: st.DataObject, size: tuple[int, int]) -> None:
    boxes = []
    for _ in range(data.draw(st.sampled_from([1, 2, 3, 5]))):
        (x1, x2), (y1, y2) = edges(data), edges(data)
        boxes.append([x1, y1, x2, y2])
    told = entry(boxes, size)
    document = opened(told)
    assert repr(exported(document).value) == repr(exported(whole(told)).value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objects, "_untouched", lambda *_: {})
        assert repr(exported(document).value["object_tracking"]) == repr(told["object_tracking"])


def edited(document: Document) -> Document:
    first, second = document.tracks
    part = track_id()
    for command in (
        SetOccluded(first.id, 30, True),
        SetKeyframe(first.id, 60, Box(100.5, 100.25, 333.3, 444.4)),
        SetKeyframe(first.id, 90, Box(100.5, 100.25, 333.3, 444.4)),
        SplitTrack(first.id, 77, part),
        JoinTracks(second.id, part),
    ):
        document.apply(command.plan(document))
    return document


def test_edits_change_the_same_as_if_all_were_kept() -> None:
    found = exported(edited(opened(entry()))).value["object_tracking"]
    assert found == exported(edited(whole(entry()))).value["object_tracking"]
    boxes = entry()["object_tracking"][0]["bounding_boxes"]
    assert found[0]["bounding_boxes"][:2] == boxes[:2]
    assert found[0]["is_masked"][:2] == [0, 1]


def test_a_box_that_moved_is_not_taken_for_the_imported_one() -> None:
    document = opened(entry())
    track = document.tracks[0]
    moved = Box(128.0, 72.0, 256.0, 144.0)
    keys = [replace(key, box=moved) if key.frame == 30 else key for key in track.keyframes]
    other = Document(document.draft_id, document.video, [track.with_keyframes(keys)])
    found = exported(other).value["object_tracking"][0]["bounding_boxes"]
    assert found[1] == [0.1, 0.1, 0.2, 0.2]
    assert keys[1] == Keyframe(30, moved, source=Source.IMPORTED, settled=keys[1].settled)


def test_in_a_video_of_another_size_boxes_are_those_shown() -> None:
    document = opened(entry())
    video = replace(document.video, width=1920, height=1080)
    other = Document(document.draft_id, video, document.tracks)
    same = whole(entry())
    expected = exported(Document(same.draft_id, video, same.tracks)).value["object_tracking"]
    assert exported(other).value["object_tracking"] == expected


def test_a_record_is_known_whatever_is_kept_of_it() -> None:
    new = opened(entry()).tracks[0].info.extra
    old = whole(entry()).tracks[0].info.extra
    assert name_of(new) == name_of(old)
    for change in ({"label": "mug"}, {"timestamps": [0, 1, 2, 3, 4]}):
        other = entry()
        other["object_tracking"][0] |= change
        assert name_of(opened(other).tracks[0].info.extra) != name_of(new)
    moved = entry()
    moved["object_tracking"][0]["bounding_boxes"][4][0] += 1e-9
    assert name_of(opened(moved).tracks[0].info.extra) != name_of(new)


@pytest.mark.parametrize("boxes", ["none", [[0.1, "a"]], [[0.1, 0.2, 0.3]], None])
def test_records_that_are_damaged_have_names_as_well(boxes: Any) -> None:
    extra = {EXTRA_KEY: {"label": "cup", "bounding_boxes": boxes}}
    assert name_of(extra) == name_of(copy.deepcopy(extra)) != name_of({EXTRA_KEY: {}})


def test_a_second_import_knows_tracks_of_both_kinds() -> None:
    for first in (opened(entry()), whole(entry())):
        edited(first)
        command = to_domain.import_command(
            read_video(NAME, entry()), Document(first.draft_id, first.video), TIMES
        )[0]
        assert Imported(command, first).n_known >= 2
        rest = Imported(command, first).settled(Again.SKIP)[1]
        assert rest.tracks == ()


@pytest.mark.parametrize(
    "damage",
    [
        {"letters": "ab"},
        {"letters": "ä" * 10},
        {"letters": None},
        {"size": [0, 0]},
        {"size": "large"},
        {"rate": 0.0},
        {"rate": "fast"},
    ],
)
def test_what_is_damaged_counts_as_absent(damage: dict[str, Any]) -> None:
    document = opened(entry())
    track = document.tracks[0]
    kept = track.info.extra[BOXES_KEY]
    assert isinstance(kept, dict)
    info = replace(track.info, extra={**track.info.extra, BOXES_KEY: {**kept, **damage}})
    other = Document(document.draft_id, document.video, [replace(track, info=info)])
    found = exported(other).value["object_tracking"][0]
    told = entry()["object_tracking"][0]
    assert found["frame_ids"] == told["frame_ids"]
    for box, said in zip(found["bounding_boxes"], told["bounding_boxes"], strict=True):
        assert box == pytest.approx(said, abs=1e-9)
    assert found["timestamps"] == pytest.approx(told["timestamps"], abs=1)


def test_nothing_is_worked_out_in_a_video_without_a_picture() -> None:
    video = replace(make_document().video, width=0, height=0)
    record = read_video(NAME, entry())
    assert stored_records(record.objects, columns_of(record.objects), video) == [
        {EXTRA_KEY: item.raw} for item in record.objects
    ]
