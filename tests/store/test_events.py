"""The log's text of changes decodes into the very same changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.changes import Change, KeyframeKey, VideoExtra
from annotator.domain.geometry import Box
from annotator.domain.segment import Lane, Segment
from annotator.domain.track import Keyframe, Source, TrackInfo
from annotator.store.events import decode_changes, encode_changes

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
)


@st.composite
def _changes(draw: st.DrawFn) -> Change:
    kind = draw(st.sampled_from(["track", "keyframe", "segment", "video"]))
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
    states = st.none() | {"track": _infos, "keyframe": keyframes, "segment": _segments}[kind]
    key = {"track": "t", "keyframe": KeyframeKey("t", frame), "segment": "s"}[kind]
    return Change(kind, key, draw(states), draw(states))


@given(st.lists(_changes(), max_size=4))
def test_text_decodes_into_the_same_changes(changes: list[Change]) -> None:
    assert decode_changes(encode_changes(changes)) == changes


def test_gesture_takes_few_bytes() -> None:
    key = KeyframeKey("01a1fd20-95b4-7000-927c-03e884f12abb", 1200)
    change = Change("keyframe", key, None, Keyframe(1200, Box(1.25, 2.5, 3.75, 4.125)))
    assert len(encode_changes([change])) < 130


@pytest.mark.parametrize("text", ["", "[", '[["dance","t",null,null]]', '[["track"]]', "[7]"])
def test_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        decode_changes(text)
