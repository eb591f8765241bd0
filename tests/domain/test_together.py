"""Several commands as one step of undo."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.commands import DeleteKeyframe, SetKeyframe, SetTrack, Together
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TrackId, VideoId

CUP, PLATE = TrackId("cup"), TrackId("plate")
BOX = Box(10, 10, 30, 30)


def document(*, locked: bool = False) -> Document:
    video = VideoInfo(VideoId("v"), "clip.mp4", 100, 100, 50, 25.0, 2.0)
    tracks = [
        Track(TrackInfo(CUP, "cup", 1, 0), (Keyframe(0, BOX), Keyframe(9, BOX))),
        Track(TrackInfo(PLATE, "plate", 2, 1, is_locked=locked), (Keyframe(0, BOX),)),
    ]
    return Document(DraftId("d"), video, tracks)


def test_all_are_changed_and_named_like_the_first() -> None:
    both = Together(tuple(SetKeyframe(t, 5, BOX.moved(3, 0)) for t in (CUP, PLATE)), 5)
    changes = both.plan(document())
    assert {c.track_id for c in changes} == {CUP, PLATE}
    assert (both.op, both.frame) == ("set-keyframe", 5)


def test_what_cannot_be_changed_stays_and_the_rest_goes_on() -> None:
    both = Together(tuple(DeleteKeyframe(t, 9) for t in (PLATE, CUP)))
    changes = both.plan(document(locked=True))
    assert [c.track_id for c in changes] == [CUP]


def test_when_nothing_can_be_changed_the_first_reason_is_given() -> None:
    with pytest.raises(EditError, match="locked"):
        Together((DeleteKeyframe(PLATE, 0), DeleteKeyframe(CUP, 5))).plan(document(locked=True))


def test_nothing_to_do_is_told_apart_from_a_refusal() -> None:
    same = tuple(SetTrack(t, is_hidden=False) for t in (CUP, PLATE))
    with pytest.raises(NothingToDoError):
        Together(same).plan(document())
