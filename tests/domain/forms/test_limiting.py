"""What was drawn on a video, for somebody who may see only some of its frames."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.comment import Comment, Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import OPEN_ROLE, Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.answer import Answer, AnswerKey, FrameBox, Spans, Value
from annotator.domain.errors import EditError
from annotator.domain.forms.answer_checks import checked
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.forms.frames import frame_of
from annotator.domain.forms.restricted_view import (
    Extent,
    Viewing,
    drawn_within,
    limited_document,
    limited_video,
)
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, DraftId, ItemId, PersonId, SegmentId, track_id
from tests.domain.forms.asked import ITEM
from tests.store.samples import video_info

N, MIDDLE = 90, 45
INFO = video_info(n_frames=N)
ONE = limited_video(INFO, Viewing(Extent.MIDDLE_FRAME), None)


def _track(label: str, *keys: tuple[int, Box | None]) -> Track:
    made = tuple(Keyframe(frame, box) for frame, box in keys)
    return Track(TrackInfo(track_id(), label, 1, 0, extra={"frame_ids": [0, 80]}), made)


def _document(*tracks: Track, **parts: object) -> Document:
    return Document(DraftId("d"), INFO, tracks, **parts)  # type: ignore[arg-type]


LEFT, RIGHT = Box(0, 0, 10, 10), Box(80, 0, 90, 10)


def test_one_frame_has_what_is_on_it_and_nothing_of_before_or_after() -> None:
    limited = limited_document(
        _document(
            _track("moves", (10, LEFT), (80, RIGHT)),
            _track("stays", (3, LEFT)),
            _track("fixed", (0, LEFT), (MIDDLE, RIGHT), (70, LEFT)),
            _track("gone by then", (0, LEFT), (40, None)),
            _track("comes back", (0, LEFT), (40, None), (50, LEFT)),
            _track("later", (60, LEFT)),
        ),
        ONE,
    )
    assert ONE.first_seen == MIDDLE
    assert {t.label: [(k.frame, k.box) for k in t.keyframes] for t in limited.tracks} == {
        "moves": [(MIDDLE, LEFT.lerp(RIGHT, 0.5))],
        "stays": [(MIDDLE, LEFT)],
        "fixed": [(MIDDLE, RIGHT)],
    }
    assert all(t.info.extra == {} for t in limited.tracks)


def test_frames_apart_from_each_other_have_what_is_on_them() -> None:
    moving = _track("moves", (10, LEFT), (30, RIGHT), (80, LEFT))
    seen = [(0, 20), (MIDDLE, MIDDLE + 1)]
    (track,) = drawn_within(_document(moving), INFO, seen).tracks
    assert track.frames == (10, 19, MIDDLE)
    for start, end in seen:
        for frame in range(start, end):
            assert track.state_at(frame).box == moving.state_at(frame).box


@pytest.mark.parametrize(
    ("span", "is_kept"), [((45, 46), True), ((40, 46), False), ((45, 50), False), ((0, 9), False)]
)
def test_actions_and_answers_that_reach_beyond_are_left_out(
    span: tuple[int, int], is_kept: bool
) -> None:
    cup, later = _track("cup", (0, LEFT)), _track("later", (60, LEFT))
    roles = (cup.id, later.id, OPEN_ROLE)
    segment = Segment(SegmentId("s"), Lane.ACTION, "pours", *span, slots=roles, extra={"ends": 99})
    item_id = ItemId("i")
    values: list[Value] = [Spans((span,)), FrameBox(span[0], LEFT)]
    given = [Answer(AnswerKey(item_id, f"f{i}"), v, 0, 0, (), 1) for i, v in enumerate(values)]
    said = Comment(CommentId("c"), PersonId("p"), 0, "Here", Pin(span=span))
    whole = _document(cup, later, segments=[segment], answers=given, comments=[said])
    limited = limited_document(whole, ONE)
    told = [(s.slots, s.extra) for s in limited.segments]
    assert told == [((cup.id, None, OPEN_ROLE), {})] * is_kept
    assert len(limited.comments) == is_kept
    spans, box = (AnswerKey(item_id, f"f{i}") in limited.answers for i in range(2))
    assert (spans, box) == (is_kept, span[0] == MIDDLE)


def test_where_all_is_seen_nothing_is_taken_away() -> None:
    whole = _document(_track("mug", (0, LEFT)))
    assert limited_document(whole, INFO) is whole


@pytest.mark.parametrize("frame", ["first", "middle", "cut", "7", "80"])
def test_the_one_frame_is_where_boxes_belong(frame: str) -> None:
    where = Field("where", "Where?", FieldKind.BOX, frame=frame)
    assert frame_of(where, ITEM, ONE) == MIDDLE


@pytest.mark.parametrize(
    ("kind", "value", "is_seen"),
    [
        (FieldKind.BOX, FrameBox(MIDDLE, LEFT), True),
        (FieldKind.BOX, FrameBox(MIDDLE - 1, LEFT), False),
        (FieldKind.BOX, FrameBox(MIDDLE + 1, LEFT), False),
        (FieldKind.SPANS, Spans(((MIDDLE, MIDDLE + 1),)), True),
        (FieldKind.SPANS, Spans(((MIDDLE - 1, MIDDLE + 1),)), False),
        (FieldKind.SPANS, Spans(((MIDDLE, MIDDLE + 2),)), False),
    ],
)
def test_answers_are_about_what_is_seen(kind: FieldKind, value: Value, is_seen: bool) -> None:
    asked, document = Field("where", "Where?", kind), Document(DraftId("d"), ONE)
    if is_seen:
        assert checked(asked, ITEM, value, document) == value
    else:
        with pytest.raises(EditError, match="Frame"):
            checked(asked, ITEM, value, document)
