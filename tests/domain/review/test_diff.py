"""Differences of two documents: complete, countable, and followed edit by edit."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.canonical import document_value
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import with_unseen
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.commands import (
    CreatePoint,
    CreateTrack,
    DeleteKeyframe,
    DeleteTracks,
    MarkPoints,
    SetKeyframe,
    SetPoint,
    SetSegment,
    SetTrack,
)
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, segment_id, track_id
from annotator.domain.review import (
    DifferenceKind,
    Differences,
    RevertDifferences,
    Subject,
    diff,
    updated,
)
from tests.domain.edits import commands, make_document, make_track, run

BOX, OTHER = Box(0, 0, 10, 10), Box(5, 5, 20, 20)
ADDED, REMOVED, CHANGED = DifferenceKind


def copy_of(document: Document) -> Document:
    """Return a document with the same content."""
    return Document(
        document.draft_id, document.video, document.tracks, document.segments, document.points
    )


def keys(*frames: int, box: Box = BOX) -> list[Keyframe]:
    return [Keyframe(f, box) for f in frames]


def said(document: Document) -> object:
    """Return what a submission says, apart from what people said to each other and have judged."""
    tracks = [
        Track(
            replace(with_unseen(t.info, ()), is_begin_settled=False),
            tuple(replace(k, settled=False) for k in t.keyframes),
        )
        for t in document.tracks
    ]
    bare = Document(document.draft_id, document.video, tracks, document.segments, document.points)
    return document_value(bare)


def edited(document: Document, data: st.DataObject, count: int) -> None:
    """Let random edits happen, as far as they are legal."""
    for _ in range(count):
        try:
            document.apply(data.draw(commands(document)).plan(document))
        except EditError:
            continue


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_differences_lead_from_one_state_to_the_other_and_back(data) -> None:
    before = make_document()
    edited(before, data, 6)
    after = copy_of(before)
    edited(after, data, 8)
    found = diff(before, after)
    assert (len(found) == 0) == (said(before) == said(after))
    assert _facts(found) == _facts(diff(after, before), is_inverse=True)
    if not found.items or _has_locked(before) or _has_locked(after):
        return
    there, back = copy_of(before), copy_of(after)
    run(there, RevertDifferences(tuple(d.inverse() for d in found.items)))
    assert said(there) == said(after)
    run(back, RevertDifferences(found.items))
    assert said(back) == said(before)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_following_edits_gives_what_a_new_look_gives(data) -> None:
    before = make_document()
    edited(before, data, 4)
    after = copy_of(before)
    found = diff(before, after)
    for _ in range(8):
        try:
            changes = data.draw(commands(after)).plan(after)
        except EditError:
            continue
        after.apply(changes)
        found = updated(found, before, after, changes)
        assert found == diff(before, after)


def _facts(found: Differences, *, is_inverse: bool = False) -> set[object]:
    items = [d.inverse() if is_inverse else d for d in found.items]
    return {(d.subject, d.kind, d.id, d.frames, d.fields) for d in items}


def _has_locked(document: Document) -> bool:
    infos = [e.info for e in (*document.tracks, *document.points)]
    return any(info.is_locked for info in infos)


def test_the_same_content_is_no_difference() -> None:
    before = make_document(make_track(*keys(0, 10)))
    after = Document(before.draft_id, before.video, [make_twin(t) for t in before.tracks])
    assert len(diff(before, before)) == len(diff(before, after)) == 0


def make_twin(track):
    """Return an equal track made of other objects."""
    twins = [replace(k, box=Box(*k.box.as_tuple())) for k in track.keyframes]
    return track.with_keyframes(twins)


def test_what_belongs_to_the_view_is_no_difference() -> None:
    before = make_document(make_track(*keys(0, 10)))
    after = copy_of(before)
    track = after.tracks[0]
    run(after, SetTrack(track.id, is_locked=True, is_hidden=True))
    settled = [replace(k, settled=True) for k in track.keyframes]
    after = Document(after.draft_id, after.video, [after.tracks[0].with_keyframes(settled)])
    assert len(diff(before, after)) == 0


def test_a_moved_keyframe_tells_its_frame_and_how_far_it_is_seen() -> None:
    before = make_document(make_track(*keys(0, 10, 20, 30)))
    after = copy_of(before)
    run(after, SetKeyframe(before.tracks[0].id, 20, OTHER))
    (item,) = diff(before, after).items
    assert (item.subject, item.kind, item.frames) == (Subject.KEYFRAMES, CHANGED, (20,))
    assert (item.start, item.end) == (11, 30)
    assert item.moved_fields() == ("box",)
    assert item.before == tuple(keys(20))
    assert item.after == tuple(keys(20, box=OTHER))


def test_neighboring_keyframes_are_one_item_and_distant_ones_two() -> None:
    before = make_document(make_track(*keys(0, 10, 20, 38)))
    after = copy_of(before)
    track = before.tracks[0].id
    run(after, SetKeyframe(track, 0, OTHER))
    run(after, SetKeyframe(track, 10, OTHER))
    run(after, DeleteKeyframe(track, 38))
    first, second = diff(before, after).items
    assert first.frames == (0, 10)
    assert (first.start, first.end) == (0, 20)
    assert (second.kind, second.frames, second.end) == (REMOVED, (38,), 40)
    assert second.moved_fields() == ("frame",)


def test_whole_objects_are_one_item_each() -> None:
    before = make_document(make_track(*keys(0, 10)))
    after = copy_of(before)
    new = track_id()
    run(after, DeleteTracks((before.tracks[0].id,)))
    run(after, CreateTrack(new, "kettle", 5, BOX))
    found = diff(before, after)
    assert found.counts() == {(Subject.TRACK, REMOVED): 1, (Subject.TRACK, ADDED): 1}
    assert [item.frame for item in found.items] == [0, 5]
    assert found.of_entity[new] == (found.items[1],)
    assert found.at(3) == (found.items[0],)


def test_names_and_links_are_items_of_their_own() -> None:
    track = make_track(*keys(0))
    segment = Segment(segment_id(), Lane.ACTION, "Pouring", 3, 9, 2, (track.id,))
    before = make_document(track)
    before.apply([])
    before = Document(before.draft_id, before.video, [track], [segment])
    after = copy_of(before)
    run(after, SetTrack(track.id, label="pot"))
    run(after, SetSegment(replace(segment, end=12, slots=(None,))))
    found = {(d.subject, d.fields) for d in diff(before, after).items}
    assert found == {
        (Subject.TRACK, ("label",)),
        (Subject.SEGMENT, ("end",)),
        (Subject.LINK, ("slots",)),
    }


def test_marks_of_a_point_are_told_frame_by_frame() -> None:
    track = make_track(*keys(0))
    before = make_document(track)
    point = point_id()
    run(before, CreatePoint(point, track.id, "rim", 0, Point(1, 1)))
    run(before, MarkPoints(point, 1, 12, "occluded"))
    after = copy_of(before)
    run(after, SetPoint(point, 3, Point(4, 4)))
    run(after, SetPoint(point, 5, Point(4, 4)))
    run(after, SetPoint(point, 30, Point(4, 4)))
    first, second = diff(before, after).items
    assert (first.subject, first.kind, first.frames) == (Subject.MARKS, CHANGED, (3, 5))
    assert (second.kind, second.frames) == (ADDED, (30,))
