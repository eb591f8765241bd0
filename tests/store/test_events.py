"""The log's text of changes decodes into the very same changes."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.changes import Change, KeyframeKey, PointKey, VideoExtra
from annotator.domain.annotation.key_table import KeyTable
from annotator.domain.annotation.point_track import (
    ACCEPTED_CODE,
    OCCLUDED_BIT,
    PointInfo,
    PointMark,
    PointRun,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.answer import Answer, AnswerKey, Flagged, FrameBox, Picked, Spans
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import ItemId, VideoId
from annotator.store.annotation.events import decode_changes, encode_changes, encode_creation
from annotator.store.annotation.packed_keys import pack_keys

_coordinate = st.floats(allow_nan=False, allow_infinity=False, width=64)
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
_json = st.dictionaries(
    _text, st.none() | st.booleans() | st.integers(-9, 9) | _text | st.lists(_text, max_size=2)
)
_boxes = st.builds(Box, _coordinate, _coordinate, _coordinate, _coordinate)
_infos = st.builds(
    TrackInfo,
    id=st.just("t"),
    label=_text,
    number=st.integers(0, 9),
    color=st.integers(0, 9),
    parent_id=st.none() | st.just("p"),
    is_locked=st.booleans(),
    attributes=_json,
    extra=_json,
)
_segments = st.builds(
    Segment,
    id=st.just("s"),
    lane=st.sampled_from(Lane),
    label=_text,
    start=st.integers(0, 9),
    end=st.integers(10, 19),
    label_id=st.none() | st.integers(0, 9),
    slots=st.lists(st.none() | st.just("t"), max_size=3).map(tuple),
    is_visible=st.booleans(),
    extra=_json,
    start_us=st.none() | st.integers(-9, 9),
    end_us=st.none() | st.integers(10, 19),
)
_points = st.builds(
    PointInfo,
    id=st.just("p"),
    track_id=st.none() | st.just("t"),
    label=_text,
    number=st.integers(0, 9),
    color=st.integers(0, 9),
    is_locked=st.booleans(),
    is_hidden=st.booleans(),
    extra=_json,
)
_places = st.none() | st.builds(Point, _coordinate, _coordinate)
_marks = st.none() | st.builds(PointMark, _places, st.booleans(), st.sampled_from(Source))


@st.composite
def _mark_changes(draw: st.DrawFn) -> Change:
    start, length = draw(st.integers(0, 99)), draw(st.integers(1, 30))
    runs = st.lists(_marks, min_size=length, max_size=length).map(lambda m: run_of(start, m))
    key = PointKey("p", start, start + length)
    return Change("marks", key, draw(st.none() | runs), draw(st.none() | runs))


_values = st.one_of(
    st.builds(Picked, st.lists(_text, max_size=3).map(tuple), _text),
    st.booleans(),
    _text,
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(1, 5),
    st.lists(_text, max_size=3).map(tuple),
    st.builds(Spans, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))).map(tuple)),
    st.builds(FrameBox, st.integers(0, 9), _boxes),
    st.builds(Flagged, _text, _text),
)


@st.composite
def _answer_changes(draw: st.DrawFn) -> Change:
    key = AnswerKey(ItemId("i"), "which", draw(st.integers(0, 2)))
    orders = st.lists(_text, max_size=3).map(tuple)
    answers = st.none() | st.builds(
        Answer, st.just(key), _values, st.integers(), st.integers(0), orders, st.integers(1, 9)
    )
    return Change("answer", key, draw(answers), draw(answers))


@st.composite
def _changes(draw: st.DrawFn) -> Change:
    kind = draw(st.sampled_from(["track", "keyframe", "point", "segment", "video"]))
    if kind == "video":
        extras = st.builds(VideoExtra, _json)
        return Change(kind, "v", draw(extras), draw(extras))
    frame = draw(st.integers(0, 99))
    keyframes = st.builds(
        Keyframe,
        frame=st.just(frame),
        box=st.none() | _boxes,
        occluded=st.booleans(),
        source=st.sampled_from(Source),
        settled=st.booleans(),
    )
    key, states = {
        "track": ("t", _infos),
        "keyframe": (KeyframeKey("t", frame), keyframes),
        "point": ("p", _points),
        "segment": ("s", _segments),
    }[kind]
    states = st.none() | states
    return Change(kind, key, draw(states), draw(states))


@given(st.lists(_changes() | _mark_changes() | _answer_changes(), max_size=4))
def test_text_decodes_into_the_same_changes(changes: list[Change]) -> None:
    assert decode_changes(encode_changes(changes)) == changes


@given(
    _infos,
    st.lists(
        st.builds(
            Keyframe,
            st.integers(0, 10**6),
            st.none() | _boxes,
            st.booleans(),
            st.sampled_from(Source),
            st.booleans(),
        ),
        max_size=5,
        unique_by=lambda key: key.frame,
    ),
)
def test_what_an_import_made_decodes_into_its_changes(
    info: TrackInfo, keys: list[Keyframe]
) -> None:
    track = Track(info, tuple(sorted(keys, key=lambda key: key.frame)))
    empty = Track(TrackInfo(info.parent_id or info.id, "mug", 1, 1))
    video = Change("video", VideoId("v"), VideoExtra({}), VideoExtra({"script": "s"}))
    expected = [Change("track", info.id, None, info)]
    expected += [
        Change("keyframe", KeyframeKey(info.id, key.frame), None, key) for key in track.keyframes
    ]
    expected += [Change("track", empty.id, None, empty.info), video]
    packed = pack_keys(KeyTable.of([track, empty]))
    text = encode_creation([track, empty], packed, [], [], video).decode()
    assert decode_changes(text) == expected


def test_keyframes_in_words_are_read_as_well() -> None:
    """Logs hold them so that were written before they were packed."""
    text = '[["keyframes","t",[[0,[1,2,3,4],false,"imported",true],[9,null,true,"human",false]]]]'
    keys = (
        Keyframe(0, Box(1, 2, 3, 4), source=Source.IMPORTED, settled=True),
        Keyframe(9, None, occluded=True),
    )
    assert [change.after for change in decode_changes(text)] == list(keys)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "AAAA",
        "!",
        base64.b64encode(bytes(40)).decode(),
        base64.b64encode(bytes(40) + b"\xff").decode(),
    ],
)
def test_packed_keyframes_that_are_damaged_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_changes(f'[["packed","t",1,"{text}"]]')


def test_gesture_takes_few_bytes() -> None:
    key = KeyframeKey("01a1fd20-95b4-7000-927c-03e884f12abb", 1200)
    change = Change("keyframe", key, None, Keyframe(1200, Box(1.25, 2.5, 3.75, 4.125)))
    assert len(encode_changes([change])) < 130


def _followed(n: int) -> PointRun:
    """Return what a follower gives: single precision, here and there hidden."""
    rng = np.random.default_rng(5)
    steps = rng.normal(0, 1.5, (n, 2)).cumsum(axis=0) + 500.0
    xy = steps.astype(np.float32).astype(np.float64)
    flags = np.full(n, ACCEPTED_CODE, dtype=np.uint8)
    flags[n // 2 : n // 2 + 40] |= OCCLUDED_BIT
    return PointRun(100, xy, flags)


def test_a_placed_point_and_a_minute_of_followed_ones_take_few_bytes() -> None:
    point = "01a1fd20-95b4-7000-927c-03e884f12abb"
    placed = run_of(1200, [PointMark(Point(301.25, 148.5))])
    one = Change("marks", PointKey(point, 1200, 1201), None, placed)
    assert len(encode_changes([one])) < 90
    run = _followed(1800)
    dense = Change("marks", PointKey(point, run.start, run.end), None, run)
    text = encode_changes([dense])
    assert len(text) < 1800 * 10
    assert decode_changes(text) == [dense]


@pytest.mark.parametrize(
    "marks",
    [
        "[[1,2.0,3.0]]",
        '[[1,2.0,3.0],[1,"left",3.0]]',
        '"no base64"',
        '"AAAA"',
        f'"{base64.b64encode(zlib.compress(bytes(33))).decode()}"',
        f'"{base64.b64encode(zlib.compress(bytes(40_000_000))).decode()}"',
    ],
)
def test_marks_that_do_not_fit_their_frames_are_refused(marks: str) -> None:
    with pytest.raises(ValueError):
        decode_changes(f'[["marks","p",5,7,null,{marks}]]')


def test_segments_of_the_first_release_are_bound_to_frames() -> None:
    old = (
        '{"id":"s","lane":"sound","label":"tap","start":1,"end":2,"label_id":4,"slots":[],'
        '"is_visible":true,"extra":{}}'
    )
    (change,) = decode_changes(f'[["segment","s",null,{old}]]')
    assert change.after == Segment("s", Lane.SOUND, "tap", 1, 2, 4)


@pytest.mark.parametrize("text", ["", "[", '[["dance","t",null,null]]', '[["track"]]', "[7]"])
def test_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        decode_changes(text)
