"""A draft's rows are its document; the log and the proposals come back as they were."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.annotation.changes import Change, KeyframeKey, PointKey
from annotator.domain.annotation.comment import Comment, Pin
from annotator.domain.annotation.point_track import PointInfo, PointMark, run_of
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.commands import CreateSegment, DeleteTracks, SplitIntoChildren
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import CommentId, PersonId, new_id, point_id, segment_id, track_id
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.store.annotation.drafts import DraftStore
from annotator.store.annotation.proposals import BOXES
from annotator.store.catalog import videos
from annotator.store.catalog.videos import FileFacts, TableFacts
from annotator.store.file.file_opening import open_file
from annotator.store.file.project import ProjectFile
from tests.store.samples import add_draft, begun_draft, bulk, commit, created, empty_file, state


@pytest.fixture
def file(tmp_path: Path) -> ProjectFile:
    return empty_file(tmp_path)


def test_every_field_comes_back(file: ProjectFile) -> None:
    store, info = add_draft(file)
    document = store.load(info)
    extra = {"note": ["é", 1.5, None], "deep": {"x": True}}
    parent = Track(TrackInfo(track_id(), "egg", 1, 0), (Keyframe(0, Box(1, 2, 3, 4)),))
    full = TrackInfo(
        track_id(), "ei „ö“ 🥚", 7, 3, parent.id, True, True, True, {"is_occluder": True}, extra
    )
    keys = (
        Keyframe(0, Box(0.1, 1 / 3, 1e9, 2e-9), True, Source.IMPORTED, True),
        Keyframe(5, None, False, Source.ACCEPTED),
        Keyframe(9, Box(-1, -2, 3.5, 4)),
    )
    segment = Segment(
        segment_id(), Lane.SOUND, "tap", 0, 90, 12, (full.id, None), False, dict(extra)
    )
    changes = [Change("track", t.id, None, t.info) for t in (parent, Track(full, ()))] + [
        Change("keyframe", KeyframeKey(t, k.frame), None, k)
        for t, k in ((parent.id, parent.keyframes[0]), *((full.id, k) for k in keys))
    ]
    changes.append(Change("segment", segment.id, None, segment))
    commit(store, changes)
    document.apply(changes)
    assert state(store.load(info)) == state(document)
    assert store.load(info).track(full.id) == Track(full, keys)
    file.close()


def test_children_before_parents_and_deletion_in_any_order(file: ProjectFile) -> None:
    store, info = add_draft(file)
    document = store.load(info)
    parent, changes = created(document)
    commit(store, changes)
    document.apply(changes)
    children = ((track_id(), "shells"), (track_id(), "content"))
    for command in (SplitIntoChildren(parent, 20, children), DeleteTracks((parent,))):
        changes = command.plan(document)
        commit(store, changes)
        document.apply(changes)
        assert state(store.load(info)) == state(document)
    back = [c.inverse() for c in reversed(changes)]
    commit(store, back)
    document.apply(back)
    assert state(store.load(info)) == state(document)
    file.close()


def test_log_keeps_who_what_when_and_the_step_meant(file: ProjectFile) -> None:
    store, info = add_draft(file)
    changes = created(store.load(info))[1]
    first = store.commit(changes, op="create-track", kind="do", frame=3)
    back = [c.inverse() for c in reversed(changes)]
    second = store.commit(back, op="create-track", kind="undo", ref_id=first.id, frame=3)
    assert store.events() == [first, second]
    assert second.ref_id == first.id
    assert store.changes_of(first.id) == changes
    assert store.changes_of(second.id) == back
    rows = file.rows("SELECT person_id, replica_id, at FROM event")
    assert {r[:2] for r in rows} == {file.author()}
    assert all(str(r[2]).endswith("Z") for r in rows)
    file.close()


def test_drafts_do_not_see_each_other(file: ProjectFile) -> None:
    one, info = add_draft(file)
    other, other_info = add_draft(file)
    commit(one, created(one.load(info))[1])
    assert other.load(other_info).tracks == ()
    assert other.events() == []
    assert len(one.load(info).tracks) == 1
    file.close()


def test_same_identifiers_live_in_several_drafts(file: ProjectFile) -> None:
    one, info = add_draft(file)
    document = one.load(info)
    parent, changes = created(document)
    document.apply(changes)
    parts = SplitIntoChildren(parent, 20, ((track_id(), "lid"),)).plan(document)
    document.apply(parts)
    segment = Segment(segment_id(), Lane.ACTION, "lift", 3, 9, 1, (parent,))
    point = PointInfo(point_id(), parent, "rim", 1, 0)
    run = run_of(250, [PointMark(Point(1, 2))] * 12)
    pin = Pin(3, (3, 9), parent, segment.id, point.id)
    remark = Comment(CommentId(new_id()), PersonId(new_id()), 1, "é", pin, None, True, 2)
    rest = [
        Change("segment", segment.id, None, segment),
        Change("point", point.id, None, point),
        Change("marks", PointKey(point.id, 250, 262), None, run),
        Change("comment", remark.id, None, remark),
    ]
    document.apply(rest)
    everything = [*changes, *parts, *rest]
    commit(one, everything)
    other = DraftStore(file, begun_draft(file, info.id))
    commit(other, everything)
    assert state(other.load(info)) == state(document)
    for change in reversed(everything):
        commit(other, [change.inverse()])
    assert state(other.load(info)) == ((), (), (), {}, (), {})
    assert state(one.load(info)) == state(document)
    file.close()


def test_keyframes_may_be_listed_before_their_track(file: ProjectFile) -> None:
    store, info = add_draft(file)
    document = store.load(info)
    changes = created(document)[1]
    document.apply(changes)
    commit(store, changes[::-1])
    assert state(store.load(info)) == state(document)
    commit(store, [c.inverse() for c in changes])
    assert store.load(info).tracks == ()
    lost = Change("keyframe", KeyframeKey(track_id(), 4), None, Keyframe(4, None))
    with pytest.raises(sqlite3.IntegrityError):
        commit(store, [lost])
    file.close()


def test_bulk_of_20000_keyframes_is_one_event_and_goes_back(file: ProjectFile) -> None:
    store, info = add_draft(file)
    document = store.load(info)
    changes = bulk(10, 2000).plan(document)
    event = store.commit(changes, op="import", kind="import")
    document.apply(changes)
    assert file.rows("SELECT count(*) FROM keyframe") == [(20_000,)]
    assert state(store.load(info)) == state(document)
    back = [c.inverse() for c in reversed(store.changes_of(event.id))]
    store.commit(back, op="import", kind="undo", ref_id=event.id)
    assert store.load(info).tracks == ()
    file.close()


def test_times_are_those_of_the_frame_table(file: ProjectFile) -> None:
    store, info = add_draft(file)
    pts = np.arange(info.n_frames, dtype=np.int64) * 512 + 1024
    timed = DraftStore(file, store.draft_id, pts=pts)
    document = store.load(info)
    track, changes = created(document, frame=3)
    commit(timed, changes)
    document.apply(changes)
    segment = Segment(segment_id(), Lane.ACTION, "pour", 2, info.n_frames)
    commit(timed, CreateSegment(segment).plan(document))
    assert file.rows("SELECT frame, pts FROM keyframe") == [(3, 3 * 512 + 1024)]
    assert file.rows("SELECT start_pts, end_pts FROM segment") == [(2 * 512 + 1024, None)]
    moved = replace(document.track(track).keyframes[0], frame=200)
    commit(timed, [Change("keyframe", KeyframeKey(track, 200), None, moved)])
    assert file.rows("SELECT pts FROM keyframe WHERE frame = 200") == [(None,)]
    file.close()


def test_times_are_filled_in_when_the_video_is_found(file: ProjectFile) -> None:
    store, info = add_draft(file)
    document = store.load(info)
    _, changes = created(document, frame=3)
    commit(store, changes)
    commit(store, CreateSegment(Segment(segment_id(), Lane.ACTION, "pour", 2, 9)).plan(document))
    assert file.rows("SELECT pts FROM keyframe") == [(None,)]
    pts = np.arange(info.n_frames, dtype=np.int64) * 10
    videos.save_facts(
        file, info.id, FileFacts("hash", TableFacts(b"table", "digest", pts, (1, 300)))
    )
    assert file.rows("SELECT pts FROM keyframe") == [(30,)]
    assert file.rows("SELECT start_pts, end_pts FROM segment") == [(20, 90)]
    assert videos.frame_table(file, info.id) == b"table"
    file.close()


def test_proposals_come_back_bit_by_bit(file: ProjectFile) -> None:
    store, _info = add_draft(file)
    track = track_id()
    boxes = np.array([[0.1, 1, 2, 3], [np.nan] * 4], dtype=np.float32)
    confidence = np.array([0.3, np.nan], dtype=np.float32)
    run = ProposalRun(track, 4, boxes, confidence, Origin("fused", "1", {"a": [1]}))
    other = ProposalRun(track, 40, boxes[:1], confidence[:1], Origin("fused", "1"))
    store.replace_runs(BOXES, track, [], [run, other])
    file.close()
    again = open_file(file.path)
    found = DraftStore(again, store.draft_id).runs(BOXES)
    assert [(r.track_id, r.start, r.origin) for r in found] == [
        (track, 4, run.origin),
        (track, 40, other.origin),
    ]
    np.testing.assert_array_equal(found[0].boxes, boxes)
    np.testing.assert_array_equal(found[0].confidence, confidence)
    store = DraftStore(again, store.draft_id)
    store.replace_runs(BOXES, track, [found[0]], [])
    assert [r.start for r in store.runs(BOXES)] == [40]
    again.close()
