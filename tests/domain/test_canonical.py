"""The canonical form is one for each content, and reads back as the same values."""

from __future__ import annotations

import base64
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.canonical import canonical_bytes, content_id, document_value
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointRun,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, PointId, SegmentId, TrackId, VideoId

_plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('aäz\n"'), inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (2.0**53, "9007199254740992.0"),
        (True, "true"),
        (None, "null"),
        ({"b": 1, "a": [1.5, "é\n"]}, '{"a":[1.5,"é\\n"],"b":1}'),
        ((), "[]"),
    ],
)
def test_known_forms_never_change(value, text) -> None:
    assert canonical_bytes(value) == text.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf], {"a": "\ud800"}])
def test_what_json_cannot_say_is_refused(value) -> None:
    with pytest.raises(ValueError):
        canonical_bytes(value)


@pytest.mark.parametrize("value", [b"x", {1: 2}, {"a": object()}])
def test_other_types_are_refused(value) -> None:
    with pytest.raises(TypeError):
        canonical_bytes(value)


@given(_plain)
def test_reads_back_as_the_same_and_is_stable(value) -> None:
    body = canonical_bytes(value)
    again = json.loads(body)
    assert again == value
    assert canonical_bytes(again) == body


@given(st.dictionaries(st.text("abcé", max_size=3), st.integers()))
def test_order_of_keys_does_not_matter(value) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_bytes(turned) == canonical_bytes(value)


def _document(
    *tracks: Track, segments: tuple[Segment, ...] = (), points: tuple[PointTrack, ...] = ()
) -> Document:
    video = VideoInfo(VideoId("v"), "mug.mp4", 640, 480, 90, 30.0, 3.0)
    return Document(DraftId("d"), video, tracks, segments, points)


def test_documents_without_points_and_sample_times_keep_their_name() -> None:
    track = Track(TrackInfo(TrackId("a"), "mug", 1, 0), (Keyframe(0, Box(1, 2, 3, 4)),))
    tap = Segment(SegmentId("s"), Lane.SOUND, "tap", 3, 9, 4)
    body = canonical_bytes(document_value(_document(track, segments=(tap,))))
    assert content_id(body) == ("275f145626a392baf0b92294a11b68866d5bad54debb74628de99f88b4a627bc")
    timed = replace(tap, start_us=100_001, end_us=299_999)
    value = document_value(_document(track, segments=(timed,)))
    assert (value["segments"][0]["start_us"], value["segments"][0]["end_us"]) == (100_001, 299_999)


def _point(*writes: PointRun) -> PointTrack:
    point = PointTrack(PointInfo(PointId("p"), TrackId("a"), "rim", 1, 4))
    for run in writes:
        point = point.with_run(run)
    return point


def test_points_have_one_form_however_they_came_to_be() -> None:
    marks = [PointMark(Point(-0.0, 2.5)), PointMark(None), PointMark(None, occluded=True)]
    once = _point(run_of(254, marks), run_of(300, marks[:1]))
    xy = run_of(254, marks).xy
    xy[np.isnan(xy)] = np.frombuffer(bytes.fromhex("010000000000f0ff"), "<f8")[0]
    other_nan = PointRun(254, xy, run_of(254, marks).flags)
    again = _point(run_of(300, [PointMark(Point(0, 2.5))]), run_of(250, marks * 2))
    again = again.with_run(run_of(250, [None] * 6)).with_run(other_nan)
    bodies = [canonical_bytes(document_value(_document(points=(p,)))) for p in (once, again)]
    assert bodies[0] == bodies[1]
    (point,) = json.loads(bodies[0])["points"]
    assert [run["start"] for run in point["runs"]] == [254, 300]
    assert base64.b64decode(point["runs"][0]["flags"]) == bytes([0b0001, 0b1001, 0b0101])
    assert np.frombuffer(base64.b64decode(point["runs"][1]["xy"]), "<f8").tolist() == [0, 2.5]
    hidden = _point(run_of(254, [replace(marks[0], occluded=True), *marks[1:]]))
    assert canonical_bytes(document_value(_document(points=(hidden,)))) != bodies[0]


def test_same_document_same_name_whatever_the_order_and_number_type() -> None:
    first = Track(TrackInfo(TrackId("a"), "mug", 1, 0), (Keyframe(0, Box(1, 2, 3, 4)),))
    second = Track(TrackInfo(TrackId("b"), "lid", 2, 1), (Keyframe(5, None),))
    as_float = Track(first.info, (Keyframe(0, Box(1.0, 2.0, 3.0, 4.0)),))
    one = canonical_bytes(document_value(_document(first, second)))
    other = canonical_bytes(document_value(_document(second, as_float)))
    assert one == other
    assert content_id(one) == content_id(other)


def test_name_tells_annotation_apart_but_not_the_view() -> None:
    track = Track(TrackInfo(TrackId("a"), "mug", 1, 0), (Keyframe(0, Box(1, 2, 3, 4)),))
    name = content_id(canonical_bytes(document_value(_document(track))))
    hidden = Track(replace(track.info, is_hidden=True), track.keyframes)
    assert content_id(canonical_bytes(document_value(_document(hidden)))) == name
    occluded = Track(track.info, (replace(track.keyframes[0], occluded=True),))
    assert content_id(canonical_bytes(document_value(_document(occluded)))) != name
    judged = Track(track.info, (replace(track.keyframes[0], settled=True),))
    assert content_id(canonical_bytes(document_value(_document(judged)))) != name


def test_name_of_known_bytes() -> None:
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert content_id(b"") == empty
