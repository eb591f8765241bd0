"""Points as records: to the bit where nobody edited, marks for marks where somebody drew."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.point_track import PointMark, run_of
from annotator.domain.annotation.track import Source
from annotator.domain.commands import (
    AcceptPoints,
    ClearPoints,
    CreatePoint,
    CreateTrack,
    DeleteTracks,
    JoinTracks,
    MarkPoints,
    SetPoint,
    SetPointInfo,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, track_id
from annotator.exchange.fractions import kept_steps, to_fractions, to_pixels
from annotator.exchange.perception_test import to_domain
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.perception_test.to_domain import import_command
from tests.exchange.files import NAME, TIMES, canonical, example, exported, imported, make_document


def with_point(**changes):
    entry = example()
    entry["point_tracking"][0].update(changes)
    return entry


def test_frames_left_out_within_its_life_are_occluded():
    document = imported(example())
    (point,) = document.points
    assert point.label == "rim"
    assert point.info.track_id == document.tracks[1].id
    marks = [point.mark(frame) for frame in range(7)]
    assert [None if m is None else m.is_visible for m in marks] == [
        *(True, True, True, False, False, True),
        None,
    ]
    assert marks[3] == PointMark(None, occluded=True, source=Source.IMPORTED)
    assert marks[0].xy.x == pytest.approx(0.15 * 1280)
    assert marks[0].xy.y == pytest.approx(0.5 * 720)


def test_two_points_are_read_as_two_rows():
    entry = with_point(frame_ids=[3, 9], points=[[0.1, 0.2], [0.3, 0.4]])
    (point,) = imported(entry).points
    assert point.mark(3).xy == Point(0.3 * 1280, 0.1 * 720)
    assert exported(imported(entry)).value == entry


@pytest.mark.parametrize(
    "parents", [1, -1, [], [-1], [1, 0], [-1, 1], [0], [1, 1, -1]], ids=lambda p: str(p)
)
def test_owners_come_back_in_the_form_they_had(parents):
    entry = with_point(parent_objects=parents)
    assert exported(imported(entry)).value == entry
    twice = exported(imported(entry, imported(entry))).value["point_tracking"]
    moved = [p if p == -1 else p + 2 for p in (parents if isinstance(parents, list) else [parents])]
    assert twice[1]["parent_objects"] == (moved if isinstance(parents, list) else moved[0])


def test_whole_numbers_and_unknown_keys_come_back():
    points = [[0, 1, 0.5, 0.0], [1.0, 0, -0.0, 1.25]]
    entry = with_point(points=points, rater={"id": 5})
    document = imported(entry)
    assert canonical((NAME, exported(document).value)) == canonical((NAME, entry))


def test_only_what_the_marks_do_not_say_is_kept():
    clicked = [[100.5 / 720, 3.25 / 720, 7 / 720, 719 / 720], [4.125 / 1280, 0.0, 1.0, 640 / 1280]]
    (point,) = imported(with_point(points=clicked)).points
    assert point.info.extra == {}


_sizes = st.tuples(st.integers(1, 8000), st.integers(1, 8000))
_values = st.lists(st.tuples(st.floats(-99, 99), st.floats(0, 1)), min_size=1, max_size=40)


@settings(max_examples=200)
@given(_values, _sizes)
def test_every_number_returns_from_pixels_to_the_bit(values, size):
    numbers = np.array(values)
    frames = np.arange(len(numbers)) * 3
    steps = kept_steps(numbers, size, frames)
    back = to_fractions(to_pixels(numbers, size), size, frames, steps)
    assert back.tobytes() == numbers.tobytes()


@st.composite
def _records(draw, number):
    frames = sorted(draw(st.sets(st.integers(0, 129), min_size=1, max_size=12)))
    value = st.one_of(
        st.floats(0, 1), st.integers(0, 1), st.floats(0, 1).map(lambda v: round(v, 4))
    )
    rows = st.lists(value, min_size=len(frames), max_size=len(frames))
    return {
        "id": number,
        "label": draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=8)),
        "parent_objects": draw(
            st.one_of(st.integers(-1, 1), st.lists(st.integers(-1, 1), max_size=3))
        ),
        "frame_ids": frames,
        "points": [draw(rows), draw(rows)],
    }


@settings(max_examples=60)
@given(st.data())
def test_import_then_export_is_the_identity_on_points(data):
    entry = example()
    count = data.draw(st.integers(1, 4))
    entry["point_tracking"] = [data.draw(_records(i)) for i in range(count)]
    document = imported(entry)
    assert canonical((NAME, exported(document).value)) == canonical((NAME, entry))


def drawn():
    document = make_document()
    owner, point = track_id(), point_id()
    run(document, CreateTrack(owner, "cup", 0, Box(10, 10, 500, 500)))
    run(document, CreatePoint(point, owner, "rim", 4, Point(100.5, 200.25)))
    return document, point


def run(document, command):
    document.apply(command.plan(document))


_places = st.builds(Point, st.floats(0, 1280), st.floats(0, 720))
_marks = st.one_of(
    st.builds(PointMark, _places, st.just(False), st.sampled_from([Source.HUMAN, Source.ACCEPTED])),
    st.builds(PointMark, st.one_of(st.none(), _places), st.just(True)),
    st.just(PointMark(None)),
    st.none(),
)


@settings(max_examples=80)
@given(st.integers(0, 60), st.lists(_marks, min_size=1, max_size=60))
def test_what_was_drawn_comes_back_with_the_same_marks(start, marks):
    document, point = drawn()
    whole = document.point(point).with_run(run_of(start, marks))
    document = make_document()
    track = CreateTrack(whole.info.track_id, "cup", 0, Box(10, 10, 500, 500))
    run(document, track)
    run(document, to_domain.AddImported((), points=(whole,)))
    value = exported(document).value
    if not any(mark is not None and mark.is_visible for mark in map(whole.mark, range(130))):
        assert value["point_tracking"] == []  # what is never visible is not exported
        return
    (back,) = imported(value).points
    for frame in range(130):
        before, after = whole.mark(frame), back.mark(frame)
        if before is not None and before.is_visible:
            assert after.is_visible
            assert math.dist((before.xy.x, before.xy.y), (after.xy.x, after.xy.y)) < 1e-5
        else:
            assert after is None or not after.is_visible
    assert exported(imported(value)).value["point_tracking"] == value["point_tracking"]


def test_occluded_unfinished_and_absent_frames_are_not_written():
    document, point = drawn()
    run(document, SetPoint(point, 5, Point(64, 72)))
    run(document, SetPoint(point, 9, Point(128, 144)))
    run(document, MarkPoints(point, 5, 6, "occluded"))
    run(document, MarkPoints(point, 6, 7, "outside"))
    record = exported(document).value["point_tracking"][0]
    assert record["frame_ids"] == [4, 9]
    assert record["points"] == [[200.25 / 720, 0.2], [round(100.5 / 1280, 9), 0.1]]
    run(document, AcceptPoints(point, run_of(7, [PointMark(Point(1, 1), source=Source.ACCEPTED)])))
    assert exported(document).value["point_tracking"][0]["frame_ids"] == [4, 7, 9]


def test_an_accepted_place_beyond_the_picture_is_left_out_and_told():
    document, point = drawn()
    away = PointMark(Point(-3, 10), source=Source.ACCEPTED)
    run(document, AcceptPoints(point, run_of(7, [away])))
    entry = exported(document)
    assert entry.value["point_tracking"][0]["frame_ids"] == [4]
    assert [f.code for f in entry.findings] == ["sound-unknown", "point-outside"]


def test_a_point_that_is_nowhere_visible_is_left_out_and_told():
    document, point = drawn()
    run(document, MarkPoints(point, 4, 5, "occluded"))
    entry = exported(document)
    assert entry.value["point_tracking"] == []
    assert [f.code for f in entry.findings] == ["sound-unknown", "not-exported"]


def test_an_edit_leaves_the_other_frames_as_they_stood():
    document = imported(example())
    (point,) = document.points
    run(document, SetPoint(point.id, 1, Point(128, 72)))
    run(document, ClearPoints(point.id, 2, 3))
    record = exported(document).value["point_tracking"][0]
    assert record["frame_ids"] == [0, 1, 5]
    assert record["points"] == [[0.5, 0.1, 0.52], [0.15, 0.1, 0.16]]


def test_points_go_with_their_object():
    document = imported(example())
    cup, coin = document.tracks
    (point,) = document.points
    run(document, SetPointInfo(point.id, track_id=cup.id))
    assert exported(document).value["point_tracking"][0]["parent_objects"] == [0]
    run(document, DeleteTracks((cup.id,)))
    assert exported(document).value["point_tracking"] == []
    document = imported(with_point(parent_objects=[0, 1]))
    cup, coin = document.tracks
    run(document, DeleteTracks((coin.id,)))
    assert exported(document).value["point_tracking"][0]["parent_objects"] == [0, -1]


def test_points_of_joined_objects_lie_on_the_joint_one():
    entry = example()
    entry["object_tracking"][1].update(frame_ids=[60, 90, 97], timestamps=[0, 1, 2])
    document = imported(entry)
    first, second = document.tracks
    run(document, JoinTracks(first.id, second.id))
    assert exported(document).value["point_tracking"][0]["parent_objects"] == [0]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"frame_ids": [], "points": [[], []]}, "point_tracking[0].frame_ids"),
        ({"points": [[1e9] * 4, [0.1] * 4]}, "point_tracking[0].points"),
        ({"points": [[0.1] * 4, [0.1] * 3]}, "point_tracking[0].points"),
        ({"points": [[0.1, 0.1, 0.1], [0.1] * 3]}, "point_tracking[0].points"),
        ({"points": [[0.1, "a", 0.1, 0.1], [0.1] * 4]}, "point_tracking[0].points[0][1]"),
        ({"frame_ids": [0, 1, 2, 130]}, "point_tracking[0].frame_ids[3]"),
    ],
)
def test_a_record_that_cannot_be_is_refused_by_its_path(changes, place):
    record = read_video(NAME, with_point(**changes))
    errors = [f for f in record.findings if f.severity == "error"]
    assert [f.where for f in errors] == [f"$.{NAME}.{place}"]
    assert record.points == ()


def test_places_beyond_the_picture_are_told_and_kept():
    entry = with_point(points=[[0.5, 0.5, 0.51, 1.02], [-0.25, 0.1, 0.1, 0.1]])
    assert [f.code for f in read_video(NAME, entry).findings] == ["point-outside"]
    assert exported(imported(entry)).value == entry


def test_a_few_numbers_cannot_ask_for_endless_memory(monkeypatch):
    monkeypatch.setattr(to_domain, "MAX_MARKS", 8)
    entry = example()
    entry["point_tracking"] = [entry["point_tracking"][0] | {"id": i} for i in range(3)]
    command, findings = import_command(read_video(NAME, entry), make_document(), TIMES)
    assert len(command.points) == 1
    assert [f.where for f in findings] == [f"$.{NAME}.point_tracking[{i}]" for i in (1, 2)]
    silent = make_document(size=(0, 0))
    command, findings = import_command(read_video(NAME, example()), silent, TIMES)
    assert command.points == ()
    assert any("no image size" in f.text for f in findings)
