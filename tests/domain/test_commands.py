from __future__ import annotations

import math
from dataclasses import replace

import pytest

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.commands import (
    AcceptProposals,
    CheckFrames,
    CreateSegment,
    CreateTrack,
    DeleteKeyframe,
    DeleteTracks,
    JoinTracks,
    KeepInterpolation,
    OpenGaps,
    SetKeyframe,
    SetOccluded,
    SetOutside,
    SetTrack,
    SetTracks,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
    Together,
)
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.domain.proposals.box_proposals import Proposed, open_gaps
from tests.domain.edits import N_FRAMES, make_document, make_track, run

A = Box(0, 0, 10, 10)
B = Box(20, 40, 40, 80)


def keys(document, track):
    return [(k.frame, k.box, k.occluded) for k in document.track(track.id).keyframes]


def test_a_new_box_is_cut_to_the_picture():
    document = make_document()
    new = track_id()
    run(document, CreateTrack(new, "  mug ", 3, Box(-5, -5, 20, 20)))
    track = document.track(new)
    assert track.label == "mug"
    assert track.keyframes[0].box == Box(0, 0, 20, 20)


@pytest.mark.parametrize("box", [Box(5, 5, 5, 50), Box(400, 5, 500, 50), Box(0, math.nan, 5, 5)])
def test_a_box_without_a_pixel_is_refused(box):
    with pytest.raises(EditError):
        CreateTrack(track_id(), "mug", 0, box).plan(make_document())


@pytest.mark.parametrize("label", ["", "  ", "a\nb", "x" * 201])
def test_a_name_is_one_short_line(label):
    with pytest.raises(EditError):
        CreateTrack(track_id(), label, 0, A).plan(make_document())


def test_amending_keeps_the_flags_that_hold_there():
    track = make_track(Keyframe(0, A, occluded=True), Keyframe(20, B))
    document = make_document(track)
    run(document, SetKeyframe(track.id, 10, B))
    assert keys(document, track)[1] == (10, B, True)


def test_occluding_a_range_leaves_the_path_as_it_was():
    track = make_track(Keyframe(0, A), Keyframe(20, B))
    document = make_document(track)
    path = [track.state_at(f).box for f in range(40)]
    run(document, SetOccluded(track.id, 5, True, end=15))
    after = document.track(track.id)
    assert [f for f in range(40) if after.state_at(f).occluded] == list(range(5, 15))
    for f, box in enumerate(path):
        assert after.state_at(f).box.largest_offset(box) < 1e-9


def test_marking_a_range_of_proposals_fixes_them_at_its_ends():
    track = make_track(Keyframe(0, A))
    shown = (Proposed(5, B, 0.9), Proposed(15, B.moved(9, 9), 0.9, occluded=True))
    document = make_document(track)
    run(document, SetOccluded(track.id, 5, True, 15, shown))
    marked = [(0, A, False), (5, B, True), (15, B.moved(9, 9), True)]
    assert keys(document, track) == marked
    # From there on it is as it was proposed: occluded, out of view, or neither.
    for proposed in (Proposed(15, None, 0.9), Proposed(15, B, 0.9)):
        document = make_document(track)
        run(document, SetOccluded(track.id, 5, True, 15, (shown[0], proposed)))
        assert keys(document, track)[2] == (15, proposed.box, False)
        document = make_document(track)
        run(document, SetOutside(track.id, 5, True, 15, shown=(proposed,)))
        assert keys(document, track)[-1] == (15, proposed.box, False)
        away = document.track(track.id).keyframe_at(15)
        assert away is not None
        assert (away.source is Source.ACCEPTED) is (away.box is None)


def test_an_object_comes_back_where_it_is_proposed():
    track = make_track(Keyframe(0, A), Keyframe(5, None))
    document = make_document(track)
    run(document, SetOutside(track.id, 9, False, shown=(Proposed(9, B, 0.9),)))
    assert keys(document, track)[-1] == (9, B, False)


def test_an_accepted_proposal_outside_the_image_is_out_of_view_and_not_occluded():
    track = make_track(Keyframe(0, A))
    document = make_document(track)
    outside = Proposed(1, A.moved(-10, 0), 0.9, occluded=True)
    run(document, AcceptProposals(track.id, (outside,)))
    assert keys(document, track)[-1] == (1, None, False)


def test_out_of_view_fixes_the_proposal_on_the_frame_before():
    track = make_track(Keyframe(0, A), Keyframe(20, A))
    for before in (Proposed(9, B, 0.9, occluded=True), Proposed(9, B, 0.9)):
        document = make_document(track)
        run(document, SetOutside(track.id, 10, True, shown=(before,)))
        assert keys(document, track)[1:3] == [(9, B, before.occluded), (10, None, False)]
    document = make_document(track)
    run(document, SetOutside(track.id, 10, True, shown=(Proposed(9, None, 0.9),)))
    assert keys(document, track)[1] == (10, None, False)


def test_out_of_view_for_a_range_brings_the_object_back_where_it_was_due():
    track = make_track(Keyframe(0, A), Keyframe(20, B))
    document = make_document(track)
    due = track.state_at(15).box
    run(document, SetOutside(track.id, 5, True, end=15))
    after = document.track(track.id)
    assert [f for f in range(40) if not after.state_at(f).is_present] == list(range(5, 15))
    assert after.state_at(15).box == due
    run(document, SetOutside(track.id, 8, False))
    assert document.track(track.id).state_at(8).box == track.state_at(4).box


def test_the_last_keyframe_of_a_track_stays():
    track = make_track(Keyframe(3, A))
    with pytest.raises(
        EditError, match=r"Cannot delete the last keyframe\. Delete the track instead\."
    ):
        DeleteKeyframe(track.id, 3).plan(make_document(track))


def test_a_locked_track_is_not_edited_but_can_be_unlocked():
    track = make_track(Keyframe(3, A), is_locked=True)
    document = make_document(track)
    with pytest.raises(EditError, match="locked"):
        SetKeyframe(track.id, 5, B).plan(document)
    run(document, SetTrack(track.id, is_locked=False))
    run(document, SetKeyframe(track.id, 5, B))
    assert document.track(track.id).state_at(5).box == B


def test_several_tracks_are_locked_in_one_step():
    tracks = [make_track(Keyframe(3, A), number=n, is_locked=n == 2) for n in (1, 2, 3)]
    document = make_document(*tracks)
    everything = tuple(t.id for t in tracks)
    changes = run(document, SetTracks(everything, is_locked=True, is_hidden=True))
    assert {t.info.is_locked for t in document.tracks} == {True}
    assert {t.info.is_hidden for t in document.tracks} == {True}
    document.apply(ChangeSet("set-track", tuple(changes)).inverse().changes)
    assert [t.info.is_locked for t in document.tracks] == [False, True, False]
    assert not any(t.info.is_hidden for t in document.tracks)
    with pytest.raises(EditError):
        SetTracks(everything, is_hidden=False).plan(document)


def test_splitting_keeps_the_identity_on_the_first_part_and_the_path_of_both():
    track = make_track(Keyframe(0, A), Keyframe(20, B), number=1)
    document = make_document(track)
    new = track_id()
    run(document, SplitTrack(track.id, 8, new))
    head, rest = document.track(track.id), document.track(new)
    assert [f for f in range(40) if head.state_at(f).is_present] == list(range(8))
    assert [f for f in range(40) if rest.state_at(f).is_present] == list(range(8, 40))
    for f in range(40):
        part = head if f < 8 else rest
        assert part.state_at(f).box.largest_offset(track.state_at(f).box) < 1e-9


def test_joining_takes_a_split_back():
    track = make_track(Keyframe(0, A), Keyframe(20, B))
    document = make_document(track)
    new = track_id()
    run(document, SplitTrack(track.id, 8, new))
    run(document, JoinTracks(track.id, new))
    assert document.find_track(new) is None
    for f in range(40):
        joined = document.track(track.id).state_at(f)
        assert joined.box.largest_offset(track.state_at(f).box) < 1e-9


def test_joining_a_parent_into_its_child_leaves_no_lost_parent():
    egg = make_track(Keyframe(0, A), Keyframe(20, B), label="egg")
    document = make_document(egg)
    shells, content = track_id(), track_id()
    run(document, SplitIntoChildren(egg.id, 10, ((shells, "egg-shells"), (content, "egg-content"))))
    run(document, JoinTracks(shells, egg.id))
    assert document.find_track(egg.id) is None
    assert document.track(shells).info.parent_id is None
    assert document.track(content).info.parent_id == shells


def test_tracks_that_claim_the_same_frame_are_not_one_object():
    one, two = make_track(Keyframe(0, A)), make_track(Keyframe(0, B), number=2)
    with pytest.raises(EditError, match="frame 0"):
        JoinTracks(one.id, two.id).plan(make_document(one, two))


def test_a_change_of_state_ends_the_parent_and_starts_its_children():
    egg = make_track(Keyframe(0, A), Keyframe(20, B), label="egg")
    document = make_document(egg)
    shells, content = track_id(), track_id()
    run(document, SplitIntoChildren(egg.id, 10, ((shells, "egg-shells"), (content, "egg-content"))))
    assert not document.track(egg.id).state_at(10).is_present
    assert [t.label for t in document.children_of(egg.id)] == ["egg-shells", "egg-content"]
    assert document.track(shells).keyframes[0].box == egg.state_at(10).box


def test_swapping_exchanges_what_follows():
    one = make_track(Keyframe(0, A), Keyframe(20, A))
    two = make_track(Keyframe(0, B), Keyframe(20, B), number=2)
    document = make_document(one, two)
    run(document, SwapTracks(one.id, two.id, 10))
    assert document.track(one.id).state_at(9).box.largest_offset(one.state_at(9).box) < 1e-9
    assert document.track(one.id).state_at(10).box == B
    assert document.track(two.id).state_at(30).box == A


def test_a_track_never_begins_out_of_view():
    box = Box(10, 10, 50, 50)
    keys = Keyframe(0, box), Keyframe(5, None), Keyframe(8, None), Keyframe(10, box)
    document = make_document(make_track(*keys))
    (track,) = document.tracks
    document.apply(DeleteKeyframe(track.id, 0).plan(document))
    assert [key.frame for key in document.tracks[0].keyframes] == [10]
    document = make_document(make_track(*keys[:2]))
    (track,) = document.tracks
    with pytest.raises(EditError, match="Cannot delete the last keyframe"):
        DeleteKeyframe(track.id, 0).plan(document)


def test_deleting_a_track_frees_children_and_segments():
    parent = make_track(Keyframe(0, A))
    child = make_track(Keyframe(10, A), number=2, parent_id=parent.id)
    document = make_document(parent, child)
    segment = Segment(
        segment_id(), Lane.ACTION, "pouring", 0, 10, slots=(child.id, parent.id, None)
    )
    run(document, CreateSegment(segment))
    run(document, DeleteTracks((parent.id,)))
    assert document.track(child.id).info.parent_id is None
    assert document.segment(segment.id).slots == (child.id, None, None)


def accept(track, frames, box=B):
    return AcceptProposals(track.id, tuple(Proposed(f, box, 0.9) for f in frames))


def test_accepting_a_whole_gap_settles_it_with_few_keyframes():
    track = make_track(Keyframe(0, A), Keyframe(20, B))
    document = make_document(track)
    run(document, accept(track, range(1, 20)))
    after = document.track(track.id)
    assert [k.frame for k in after.keyframes] == [0, 1, 20]
    assert [k.source for k in after.keyframes] == [Source.HUMAN, Source.ACCEPTED, Source.HUMAN]
    assert [(g.start, g.end) for g in open_gaps(after, 40)] == [(21, 40)]


def _linear(frames):
    return tuple(Proposed(f, Box(f, 0, f + 20, 20), 0.9) for f in frames)


def test_keyframes_that_were_accepted_one_by_one_go_where_accepting_the_rest_replaces_them():
    ends = [Keyframe(f, Box(f, 0, f + 20, 20)) for f in (0, 40)]
    mine = Keyframe(30, Box(30, 0, 50, 20))
    taken = [Keyframe(f, Box(f, 0, f + 20, 20), source=Source.ACCEPTED) for f in (10, 20)]
    track = make_track(ends[0], *taken, mine, ends[1])
    document = make_document(track)
    rest = _linear(f for f in range(41) if f % 10)
    run(document, AcceptProposals(track.id, rest))
    after = document.track(track.id)
    # What a person drew stays.
    assert after.frames == (0, 30, 40)
    assert open_gaps(after, 41) == []
    assert [after.state_at(f).box for f in range(41)] == [Box(f, 0, f + 20, 20) for f in range(41)]


def test_out_of_view_keyframes_that_were_accepted_one_by_one_become_one():
    taken = [Keyframe(f, None, source=Source.ACCEPTED) for f in (10, 15, 20)]
    track = make_track(Keyframe(0, A), *taken, Keyframe(30, A))
    document = make_document(track)
    rest = [
        Proposed(f, None if 8 <= f < 25 else A, 0.9) for f in range(1, 30) if f not in (10, 15, 20)
    ]
    run(document, AcceptProposals(track.id, tuple(rest)))
    after = document.track(track.id)
    assert [k.frame for k in after.keyframes if k.box is None] == [8]
    assert open_gaps(after, 31) == []
    assert [after.state_at(f).box for f in range(31)] == [
        None if 8 <= f < 25 else A for f in range(31)
    ]


def test_an_out_of_view_keyframe_of_a_person_stays():
    track = make_track(Keyframe(0, A), Keyframe(10, None), Keyframe(20, A))
    document = make_document(track)
    rest = tuple(Proposed(f, None if f > 7 else A, 0.9) for f in range(1, 10))
    run(document, AcceptProposals(track.id, rest))
    after = document.track(track.id)
    assert Keyframe(10, None) in after.keyframes
    assert after.state_at(9).box is None


def test_an_accepted_keyframe_stays_where_the_path_turns_or_a_side_is_still_open():
    taken = Keyframe(10, Box(30, 0, 50, 20), source=Source.ACCEPTED)
    track = make_track(Keyframe(0, Box(0, 0, 20, 20)), taken, Keyframe(20, Box(0, 0, 20, 20)))
    there = tuple(Proposed(f, Box(3 * f, 0, 3 * f + 20, 20), 0.9) for f in range(1, 10))
    back = tuple(Proposed(f, Box(60 - 3 * f, 0, 80 - 3 * f, 20), 0.9) for f in range(11, 20))
    document = make_document(track)
    run(document, AcceptProposals(track.id, there + back))
    after = document.track(track.id)
    assert len(after.frames) <= 4
    for p in there + back:
        assert after.state_at(p.frame).box.largest_offset(p.box) <= 2.01
    assert after.state_at(10).box.largest_offset(taken.box) <= 2.01
    for part in (there, back, there[:-1] + back, there + back[1:]):
        document = make_document(track)
        run(document, AcceptProposals(track.id, part))
        assert 10 in document.track(track.id).frames


def test_accepting_up_to_a_frame_leaves_the_rest_of_the_gap_open():
    track = make_track(Keyframe(0, A), Keyframe(20, B))
    document = make_document(track)
    run(document, accept(track, range(1, 11)))
    after = document.track(track.id)
    assert [(g.start, g.end) for g in open_gaps(after, 21)] == [(11, 20)]
    assert after.state_at(10).box == B


def test_what_was_accepted_without_being_shown_stays_unchecked():
    track = make_track(Keyframe(0, A), Keyframe(20, B))
    document = make_document(track)
    proposed = accept(track, range(1, 20))
    run(document, replace(proposed, unseen=(5, 10, 25)))
    assert document.track(track.id).unseen == [5, 10]
    run(document, CheckFrames(track.id, (5,)))
    assert document.track(track.id).unseen == [10]
    with pytest.raises(NothingToDoError):
        CheckFrames(track.id, (5,)).plan(document)
    run(document, CheckFrames(track.id, (10,)))
    assert document.track(track.id).info == track.info


def test_a_dismissed_gap_that_was_never_shown_stays_unchecked():
    track = make_track(Keyframe(0, A), Keyframe(20, B))
    document = make_document(track)
    run(document, KeepInterpolation(track.id, 5, unseen=(0, 10, 20, 30)))
    assert document.track(track.id).unseen == [10]
    with pytest.raises(NothingToDoError):
        KeepInterpolation(track.id, 5, unseen=(15,)).plan(document)


def test_unseen_frames_go_with_the_part_of_a_track_that_they_belong_to():
    first = make_track(Keyframe(0, A, settled=True), extra={"unseen": [10, 20]})
    second = make_track(Keyframe(0, B, settled=True), number=2, extra={"unseen": [5, 30]})
    document = make_document(first, second)
    run(document, SwapTracks(first.id, second.id, 15))
    assert document.track(first.id).unseen == [10, 30]
    assert document.track(second.id).unseen == [5, 20]
    rest = track_id()
    run(document, SplitTrack(first.id, 25, rest))
    assert document.track(rest).unseen == [30]


def test_accepted_absence_before_the_beginning_is_no_keyframe():
    track = make_track(Keyframe(20, A))
    document = make_document(track)
    found = [Proposed(f, A if f >= 9 else None, 0.9) for f in range(20)]
    run(document, AcceptProposals(track.id, tuple(found)))
    after = document.track(track.id)
    assert after.frames[0] == 9
    assert after.keyframes[0].box == A


def test_a_track_does_not_begin_out_of_view():
    track = make_track(Keyframe(3, A), Keyframe(9, B))
    with pytest.raises(
        EditError,
        match=r"The track starts on this frame\. To start it later, delete this keyframe\.",
    ):
        SetOutside(track.id, 3, True).plan(make_document(track))


def test_accepted_absence_becomes_out_of_view():
    track = make_track(Keyframe(0, A))
    document = make_document(track)
    gone = [Proposed(f, A if f < 5 or f >= 12 else None, 0.9) for f in range(1, 40)]
    run(document, AcceptProposals(track.id, tuple(gone)))
    after = document.track(track.id)
    assert [f for f in range(40) if not after.state_at(f).is_present] == list(range(5, 12))
    assert open_gaps(after, 40) == []


def test_dismissing_settles_the_gap_and_can_be_taken_back():
    track = make_track(Keyframe(10, A))
    document = make_document(track)
    run(document, KeepInterpolation(track.id, 15))
    run(document, KeepInterpolation(track.id, 5))
    assert open_gaps(document.track(track.id), 40) == []
    run(document, KeepInterpolation(track.id, 15, value=False))
    assert [(g.start, g.end) for g in open_gaps(document.track(track.id), 40)] == [(11, 40)]


def test_stale_proposals_are_refused():
    track = make_track(Keyframe(0, A, settled=True), Keyframe(20, B))
    with pytest.raises(
        EditError,
        match=r"Cannot accept the proposals: the track has changed\. Wait for new proposals\.",
    ):
        accept(track, range(1, 20)).plan(make_document(track))


@pytest.mark.parametrize(("start", "end"), [(5, 5), (7, 3), (-1, 4), (0, 99)])
def test_segments_outside_or_empty_are_refused(start, end):
    segment = Segment(segment_id(), Lane.SOUND, "tap", start, end)
    with pytest.raises(EditError):
        CreateSegment(segment).plan(make_document())


def test_opening_gaps_needs_a_frame_between_keyframes():
    dense = make_track(*(Keyframe(frame, A, settled=True) for frame in range(N_FRAMES)))
    with pytest.raises(EditError, match="every frame here has a keyframe"):
        OpenGaps(dense.id, 7).plan(make_document(dense))


def test_all_gaps_of_an_imported_track_are_opened_but_one_of_another():
    imported = make_track(
        *(Keyframe(frame, A, source=Source.IMPORTED, settled=True) for frame in (0, 1, 20, 30))
    )
    own = make_track(*(Keyframe(frame, A, settled=True) for frame in (0, 10, 20)), number=2)
    document = make_document(imported, own)
    run(document, Together((OpenGaps(imported.id, 5), OpenGaps(own.id, 12))))
    opened = [open_gaps(document.track(key), N_FRAMES) for key in (imported.id, own.id)]
    assert [[(gap.start, gap.end) for gap in gaps] for gaps in opened] == [
        [(2, 20), (21, 30), (31, N_FRAMES)],
        [(11, 20)],
    ]
