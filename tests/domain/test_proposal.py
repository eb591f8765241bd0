from __future__ import annotations

import numpy as np
import pytest

from annotator.domain.annotation.segment import DISMISSED
from annotator.domain.annotation.track import Keyframe, Source, ranges_in
from annotator.domain.commands import (
    AcceptMarked,
    AcceptProposals,
    AddImported,
    DismissRange,
    SetOccluded,
    Together,
)
from annotator.domain.commands.bulk import weight
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import (
    AHEAD_FRAMES,
    ProposalRun,
    Proposed,
    open_gaps,
    pending,
    pending_at,
    suggestion_at,
)
from annotator.domain.proposals.runs import Origin, most_doubtful
from tests.domain.edits import make_document, make_track, run

A = Box(0, 0, 10, 10)


def make_run(track, start, boxes, confidence=0.5, anchors=None):
    rows = np.array([b.as_tuple() if b else (np.nan,) * 4 for b in boxes], dtype=np.float32)
    values = np.broadcast_to(np.float32(confidence), len(boxes)).copy()
    told = {} if anchors is None else {"anchors": anchors}
    return ProposalRun(track.id, start, rows, values, Origin("test", "1", told))


def test_gaps_lie_between_before_and_after_keyframes():
    track = make_track(Keyframe(10, A), Keyframe(20, A), Keyframe(21, A))
    assert [(g.start, g.end) for g in open_gaps(track, 40)] == [(0, 10), (11, 20), (22, 40)]


def test_settled_gaps_and_absence_want_no_proposals():
    track = make_track(Keyframe(0, A, settled=True), Keyframe(10, A), Keyframe(20, None))
    gaps = open_gaps(track, 31)
    assert [(g.start, g.end, g.is_after_leaving) for g in gaps] == [
        (11, 20, False),
        (21, 31, True),
    ]
    assert gaps[0].upper is not None
    assert gaps[0].upper.box is None
    twice = make_track(Keyframe(0, A, settled=True), Keyframe(10, None), Keyframe(20, None))
    assert [(g.start, g.end) for g in open_gaps(twice, 31)] == [(21, 31)]
    at_once = make_track(Keyframe(0, A, settled=True), Keyframe(10, None, settled=True))
    assert open_gaps(at_once, 31) == []
    begin = make_track(Keyframe(10, A, settled=True), is_begin_settled=True)
    assert open_gaps(begin, 40) == []


def occluded_frames(track, run):
    """Return the frames proposed as occluded; all ways to read proposals agree on them."""
    found = {p.frame: p for p in pending(track, [run], 40)}
    assert {f: pending_at(track, [run], f, 40) for f in found} == found
    outdated = {f: suggestion_at(track, [run], f, 40) for f in found}
    assert {f: suggestion[0] for f, suggestion in outdated.items()} == found
    doubtful = pending(track, [run], 40, below=0.9)
    assert {p.frame: p for p in doubtful} == found
    return [f for f, proposed in found.items() if proposed.occluded]


def test_proposals_after_a_keyframe_marked_occluded_are_occluded() -> None:
    hidden = Keyframe(10, A, occluded=True)
    track = make_track(Keyframe(0, A), hidden, Keyframe(20, A), Keyframe(39, A))
    assert occluded_frames(track, make_run(track, 1, [A] * 38)) == list(range(11, 20))
    # Where the object leaves the mark ends, since nobody said how it returns.
    away = make_run(track, 11, [A, A, None, None, A, A, A, A, A])
    assert occluded_frames(track, away) == [11, 12]
    # Frames that have not been tracked yet say nothing of that.
    away.confidence[2:4] = np.nan
    assert occluded_frames(track, away) == [11, 12, *range(15, 20)]


def test_an_accepted_proposal_passes_a_mark_on_and_sets_none_itself() -> None:
    accepted = Keyframe(15, A, occluded=True, source=Source.ACCEPTED)
    for first, last in ((Keyframe(10, A, occluded=True), 20), (Keyframe(10, A), 11)):
        track = make_track(Keyframe(0, A), first, accepted, Keyframe(20, A), Keyframe(39, A))
        marked = [f for f in range(11, last) if f != 15]
        assert occluded_frames(track, make_run(track, 11, [A] * 9)) == marked
    track = make_track(accepted, Keyframe(39, A))
    assert occluded_frames(track, make_run(track, 16, [A] * 9)) == []


def accepted_as_visible(track, start: int, end: int, run) -> AcceptMarked:
    """Return the command that accepts a range of proposals as visible."""
    marking = SetOccluded(track.id, start, False, end, tuple(pending(track, [run], 40)))
    return AcceptMarked(marking, AcceptProposals(track.id, tuple(pending(track, [run], 40))))


def hidden_run(track, start: int, boxes):
    """Return a run that has the object occluded on all its frames."""
    run = make_run(track, start, boxes)
    run.occluded[:] = 1
    return run


def test_proposals_of_a_range_are_accepted_as_visible_and_no_others() -> None:
    track = make_track(Keyframe(0, A), Keyframe(10, A), Keyframe(39, A))
    document = make_document(track)
    # Out of view within the range is nothing that a person sees there.
    boxes = [A.moved(f, 0) if f != 14 else None for f in range(11, 39)]
    command = accepted_as_visible(track, 10, 20, hidden_run(track, 11, boxes))
    assert weight(command, document) >= 28
    run(document, command)
    after = document.track(track.id)
    assert [f for f in range(11, 20) if f != 14 and after.state_at(f).box != boxes[f - 11]] == []
    assert not any(after.state_at(f).occluded for f in range(20))
    assert after.state_at(20).occluded  # the border is as it was shown
    assert [(gap.start, gap.end) for gap in open_gaps(after, 40)] == [(1, 10), (14, 15), (21, 39)]


def test_of_two_objects_one_may_be_visible_at_the_start_of_the_range_already() -> None:
    first = make_track(Keyframe(0, A))
    other = make_track(Keyframe(0, A), Keyframe(9, A), number=2)  # nothing to mark here
    document = make_document(first, other)
    run(document, SetOccluded(first.id, 0, True))
    commands = (
        accepted_as_visible(document.track(first.id), 0, 9, hidden_run(first, 1, [A] * 9)),
        accepted_as_visible(other, 0, 9, hidden_run(other, 1, [A] * 9)),
    )
    run(document, Together(commands))
    for track in (document.track(each.id) for each in (first, other)):
        assert not any(track.state_at(f).occluded for f in range(9))
        assert [gap.start for gap in open_gaps(track, 40)] == [10]


def accepted_before(first: int, *proposed: Proposed):
    """Accept proposals before the first keyframe of an object; return the object."""
    track = make_track(Keyframe(first, A))
    document = make_document(track, n_frames=first + 9)
    run(document, AcceptProposals(track.id, proposed))
    return document.track(track.id)


def test_an_object_that_is_accepted_as_absent_before_its_first_box_begins_there() -> None:
    absent, seen = [Proposed(f, None, 0.9) for f in range(6)], Proposed(6, A, 0.9)
    rest = [Proposed(f, A, 0.9) for f in range(7, 12)]
    for first, early in ((12, [*absent, seen, *rest]), (6, absent)):
        track = accepted_before(first, *early)
        assert track.frames[0] == 6
        assert track.info.is_begin_settled
        assert [gap.start for gap in open_gaps(track, 20)] == [first + 1]
    known = make_track(Keyframe(12, A), is_begin_settled=True)
    document = make_document(known)
    run(document, AcceptProposals(known.id, (Proposed(13, A, 0.9),)))
    assert document.track(known.id).info.is_begin_settled
    # As long as earlier frames are not known it may have been there.
    assert not accepted_before(12, *absent[1:], seen, *rest).info.is_begin_settled
    assert not accepted_before(12, *absent[:5], seen, *rest).info.is_begin_settled
    assert not accepted_before(12, Proposed(0, A, 0.9), *absent[1:], seen).info.is_begin_settled


def test_absent_on_all_frames_that_are_tracked_before_the_first_box_is_enough() -> None:
    first = AHEAD_FRAMES + 50
    absent = [Proposed(f, None, 0.9) for f in range(50, first)]
    assert accepted_before(first, *absent).info.is_begin_settled
    with pytest.raises(EditError, match="the track has changed"):
        accepted_before(first, *absent[1:])


def test_an_object_that_was_drawn_again_returned_somewhere_before() -> None:
    track = make_track(Keyframe(0, A, settled=True), Keyframe(10, None), Keyframe(20, A))
    gap = next(g for g in open_gaps(track, 20) if g.end == 20)
    assert (gap.start, gap.lower.box, gap.upper.box) == (11, None, A)
    run = make_run(track, 11, [None] * 5 + [A] * 4)
    # That it is out of view is what the person said: only where it is back is a suggestion.
    assert [p.frame for p in pending(track, [run], 20)] == [16, 17, 18, 19]
    assert pending_at(track, [run], 12, 20) is None
    assert pending_at(track, [run], 16, 20).box == A


def test_an_object_that_left_is_proposed_from_where_it_was_found() -> None:
    track = make_track(Keyframe(0, A, settled=True), Keyframe(10, None))
    searched = make_run(track, 11, [None] * 4 + [A, None, A], 0.7, anchors=[[10]])
    assert [p.frame for p in pending(track, [searched], 40)] == [15, 17]
    proposals = [(f, pending_at(track, [searched], f, 40)) for f in range(40)]
    assert [f for f, proposed in proposals if proposed is not None] == [15, 17]
    # What was tracked before the person marked it says nothing, nor does a model.
    for anchors in ([[0, *A.as_tuple()]], None):
        run = make_run(track, 1, [A] * 30, anchors=anchors)
        assert pending(track, [run], 40) == []
        assert all(suggestion_at(track, [run], f, 40) is None for f in range(40))
    # A tracker that had it out of view there, and found it again, is right so far.
    tracked = make_run(track, 1, [A] * 6 + [None] * 8 + [A] * 3, anchors=[[0, *A.as_tuple()]])
    assert [p.frame for p in pending(track, [tracked], 40)] == [15, 16, 17]
    nowhere = make_run(track, 11, [None] * 7, 1.0, anchors=[[10]])
    assert pending(track, [nowhere], 40) == []


def test_an_object_marked_as_out_of_view_returns_where_the_tracker_is_sure_of_it() -> None:
    track = make_track(Keyframe(0, A, settled=True), Keyframe(10, None), Keyframe(20, A))
    sure = np.array([0.9, 0.1, 0.05, 0.6, 0.1, 0.3, 0.5, 0.7, 0.9], np.float32)
    run = make_run(track, 11, [A] * 9, confidence=sure)
    assert [p.frame for p in pending(track, [run], 20)] == [16, 17, 18, 19]
    shown = [f for f in range(20) if pending_at(track, [run], f, 20) is not None]
    assert shown == [16, 17, 18, 19]
    # Nobody said so: a tracker or an accepted proposal may be doubted frame by frame.
    seen = make_track(Keyframe(0, A, settled=True), Keyframe(10, A), Keyframe(20, A))
    assert len(pending(seen, [run], 20)) == 9
    accepted = make_track(Keyframe(10, None, source=Source.ACCEPTED), Keyframe(20, A))
    assert [p.frame for p in pending(accepted, [run], 20)] == list(range(11, 20))


def test_a_run_outlives_its_gap_but_only_open_frames_are_pending():
    track = make_track(Keyframe(0, A), Keyframe(4, A, settled=True), Keyframe(8, A))
    run = make_run(track, 1, [A] * 9)
    assert [p.frame for p in pending(track, [run], 10)] == [1, 2, 3, 9]
    assert pending_at(track, [run], 4, 10) is None
    assert pending_at(track, [run], 5, 10) is None
    found = pending_at(track, [run], 2, 10)
    assert found is not None
    assert found.box == A


def test_what_was_made_from_other_anchors_does_not_wait():
    before = make_track(Keyframe(2, A), Keyframe(6, A))
    lower, upper = [2, *A.as_tuple()], [6, *A.as_tuple()]
    made_from_items = {(0, 2): [lower], (3, 6): [lower, upper], (7, 10): [upper]}
    runs = [
        make_run(before, start, [A] * (end - start), anchors=held)
        for (start, end), held in made_from_items.items()
    ]

    def waiting(*keys):
        track = make_track(*keys)
        found = [p.frame for p in pending(track, runs, 10)]
        assert found == [f for f in range(10) if pending_at(track, runs, f, 10) is not None]
        return found

    low, high, moved = Keyframe(2, A), Keyframe(6, A), A.moved(1, 0)
    assert waiting(low, high) == [0, 1, 3, 4, 5, 7, 8, 9]
    assert waiting(low, Keyframe(6, moved)) == [0, 1]
    assert waiting(Keyframe(2, moved), high) == [7, 8, 9]
    assert waiting(low) == [0, 1]
    assert waiting(high) == [7, 8, 9]
    assert waiting(low, Keyframe(4, A), high) == [0, 1, 3, 5, 7, 8, 9]
    assert waiting(low, Keyframe(4, moved), high) == [0, 1, 7, 8, 9]
    accepted = Keyframe(4, moved, source=Source.ACCEPTED)
    assert waiting(low, accepted, high) == [0, 1, 3, 5, 7, 8, 9]
    assert waiting(low, Keyframe(4, None), high) == [0, 1, 7, 8, 9]
    assert waiting(low, Keyframe(6, None)) == [0, 1]


def test_a_later_piece_waits_with_the_anchor_of_the_first():
    track = make_track(Keyframe(0, A))
    held = [[0, *A.as_tuple()], [3, *A.as_tuple()]]
    piece = make_run(track, 4, [A] * 3, anchors=held)
    assert [p.frame for p in pending(track, [piece], 10)] == [4, 5, 6]


def test_frames_not_computed_yet_are_not_suggested_and_absence_is():
    track = make_track(Keyframe(0, A))
    run = make_run(track, 1, [A, None, A], confidence=[0.9, 0.4, np.nan])
    assert [(p.frame, p.box) for p in run.items()] == [(1, A), (2, None)]


def test_the_most_doubtful_is_the_least_certain_one_not_seen_yet():
    track = make_track(Keyframe(0, A))
    items = list(make_run(track, 1, [A] * 3, confidence=[0.9, 0.2, 0.4]).items())
    worst = most_doubtful(items)
    assert worst is not None
    assert worst.frame == 2
    second = most_doubtful(items, skip=[2])
    assert second is not None
    assert second.frame == 3
    assert most_doubtful(items, skip=[1, 2, 3]) is None


def test_a_run_needs_as_many_boxes_as_confidences():
    with pytest.raises(ValueError, match="one place"):
        ProposalRun(
            make_track().id,
            0,
            np.zeros((2, 4), np.float32),
            np.zeros(3, np.float32),
            Origin("t", "1"),
        )


def test_what_is_dismissed_in_a_range_waits_no_more_until_it_is_offered_again():
    document = make_document()
    track = make_track(Keyframe(0, A))
    document.apply(AddImported((track,)).plan(document))
    run = make_run(track, 1, [A] * 9)

    def waiting():
        found = document.track(track.id)
        frames = [p.frame for p in pending(found, [run], 10)]
        assert frames == [f for f in range(10) if pending_at(found, [run], f, 10)]
        return frames

    first = DismissRange((track.id,), (2, 4)).plan(document)
    document.apply(first)
    assert waiting() == [1, 4, 5, 6, 7, 8, 9]
    document.apply(DismissRange((track.id,), (6, 8)).plan(document))
    document.apply(DismissRange((track.id,), (4, 6)).plan(document))
    assert document.track(track.id).info.extra[DISMISSED] == [[2, 8]]
    assert waiting() == [1, 8, 9]
    document.apply(DismissRange((track.id,), None).plan(document))
    assert waiting() == list(range(1, 10))
    with pytest.raises(EditError):
        DismissRange((track.id,), (4, 4)).plan(document)


@pytest.mark.parametrize("told", [None, "x", [1], [[1]], [["a", 2]], [[1, 2, 3]], {"a": 1}])
def test_ranges_from_a_damaged_file_dismiss_nothing(told):
    assert ranges_in(told) == []
