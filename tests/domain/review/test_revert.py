"""Taking single differences back, in a document that has gone on since."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.domain.annotation.canonical import document_value
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe
from annotator.domain.commands import (
    CreatePoint,
    CreateTrack,
    DeleteKeyframe,
    DeleteSegment,
    DeleteTracks,
    SetKeyframe,
    SetOutside,
    SetPoint,
    SetTrack,
)
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, segment_id, track_id
from annotator.domain.review import RevertDifferences, Subject, diff
from tests.domain.edits import make_document, make_track, run

BOX, OTHER = Box(0, 0, 10, 10), Box(5, 5, 20, 20)


def worked_on() -> Document:
    """A mug with two keyframes and a point, and the action that holds it."""
    track = make_track(Keyframe(0, BOX), Keyframe(20, BOX))
    segment = Segment(segment_id(), Lane.ACTION, "Lifting", 3, 9, 2, (track.id,))
    base = make_document(track)
    document = Document(base.draft_id, base.video, [track], [segment])
    run(document, CreatePoint(point_id(), track.id, "rim", 0, Point(1, 1)))
    return document


def copy_of(document: Document) -> Document:
    return Document(
        document.draft_id, document.video, document.tracks, document.segments, document.points
    )


def test_one_item_goes_back_and_the_rest_stays() -> None:
    before = worked_on()
    after = copy_of(before)
    mug = before.tracks[0].id
    run(after, SetKeyframe(mug, 20, OTHER))
    run(after, SetPoint(after.points[0].id, 7, Point(3, 3)))
    moved = next(d for d in diff(before, after).items if d.subject is Subject.KEYFRAMES)
    command = RevertDifferences((moved,))
    done = ChangeSet(command.op, tuple(command.plan(after)), command.frame)
    state = document_value(after)
    after.apply(done.changes)
    assert done.frame == 20
    assert after.track(mug).keyframe_at(20).box == BOX
    assert [d.subject for d in diff(before, after).items] == [Subject.MARKS]
    after.apply(done.inverse().changes)
    assert document_value(after) == state


def test_a_track_never_begins_out_of_view() -> None:
    """The first box goes back, and with it what said that the object left after it."""
    track = make_track(Keyframe(20, BOX))
    base = make_document(track)
    before = Document(base.draft_id, base.video, [track])
    after = copy_of(before)
    run(after, SetKeyframe(track.id, 0, OTHER))
    run(after, SetOutside(track.id, 10, True))
    (item,) = (d for d in diff(before, after).items if d.subject is Subject.KEYFRAMES)
    assert item.frames == (0, 9, 10)
    first = replace(item, frames=(0, 9))
    run(after, RevertDifferences((first,)))
    assert [k.frame for k in after.track(track.id).keyframes] == [20]
    assert after.track(track.id).keyframes[0].box == BOX


def test_the_last_box_of_an_object_cannot_go_back_alone() -> None:
    track = make_track(Keyframe(20, BOX))
    base = make_document(track)
    before = Document(base.draft_id, base.video, [track])
    after = copy_of(before)
    run(after, SetKeyframe(track.id, 0, OTHER))
    run(after, SetOutside(track.id, 10, True))
    run(after, DeleteKeyframe(track.id, 20))
    (item, *_) = (d for d in diff(before, after).items if d.subject is Subject.KEYFRAMES)
    first = replace(item, frames=(0, 9))
    with pytest.raises(EditError, match="Cannot delete the last keyframe"):
        RevertDifferences((first,)).plan(after)


def test_a_deleted_object_comes_back_with_its_points_and_roles() -> None:
    before = worked_on()
    after = copy_of(before)
    run(after, DeleteTracks((before.tracks[0].id,)))
    found = diff(before, after)
    assert {d.subject for d in found.items} == {Subject.TRACK, Subject.POINT, Subject.LINK}
    run(after, RevertDifferences(found.items))
    assert document_value(after) == document_value(before)


def test_a_segment_that_comes_back_without_its_object_leaves_the_role_open() -> None:
    before = worked_on()
    after = copy_of(before)
    run(after, DeleteSegment(before.segments[0].id))
    run(after, DeleteTracks((before.tracks[0].id,)))
    gone = next(d for d in diff(before, after).items if d.subject is Subject.SEGMENT)
    run(after, RevertDifferences((gone,)))
    assert after.segments[0].slots == (None,)
    assert Subject.LINK in {d.subject for d in diff(before, after).items}


def test_a_role_cannot_go_back_to_an_object_that_is_gone() -> None:
    before = worked_on()
    after = copy_of(before)
    run(after, DeleteTracks((before.tracks[0].id,)))
    link = next(d for d in diff(before, after).items if d.subject is Subject.LINK)
    with pytest.raises(
        EditError,
        match=r"Cannot revert the change: its object was deleted\. Restore the object first\.",
    ):
        RevertDifferences((link,)).plan(after)


def test_what_is_as_before_already_is_nothing_to_do() -> None:
    before = worked_on()
    after = copy_of(before)
    run(after, CreateTrack(track_id(), "spoon", 4, BOX))
    found = diff(before, after).items
    run(after, RevertDifferences(found))
    with pytest.raises(NothingToDoError):
        RevertDifferences(found).plan(after)
    with pytest.raises(NothingToDoError):
        RevertDifferences(()).plan(after)


def test_an_item_of_an_object_deleted_meanwhile_is_refused() -> None:
    before = worked_on()
    after = copy_of(before)
    mug = before.tracks[0].id
    run(after, SetKeyframe(mug, 20, OTHER))
    moved = diff(before, after).items[0]
    run(after, DeleteTracks((mug,)))
    with pytest.raises(EditError, match=r"The track no longer exists\."):
        RevertDifferences((moved,)).plan(after)


def test_a_locked_object_is_left_alone() -> None:
    before = worked_on()
    after = copy_of(before)
    mug = before.tracks[0].id
    run(after, SetKeyframe(mug, 20, OTHER))
    run(after, SetTrack(mug, is_locked=True))
    with pytest.raises(EditError, match="locked"):
        RevertDifferences((diff(before, after).items[0],)).plan(after)


def test_an_object_keeps_a_keyframe() -> None:
    before = make_document(replace(make_track(Keyframe(0, BOX))))
    after = copy_of(before)
    mug = before.tracks[0].id
    run(after, SetKeyframe(mug, 20, OTHER))
    added = diff(before, after).items[0]
    run(after, DeleteKeyframe(mug, 0))
    with pytest.raises(
        EditError, match=r"Cannot delete the last keyframe\. Delete the object instead\."
    ):
        RevertDifferences((added,)).plan(after)
