"""Corrections of accepted frames: what around them is opened for new proposals, and what stays."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import with_unseen
from annotator.domain.annotation.track import Keyframe, Source, Track
from annotator.domain.commands import AcceptProposals, SetKeyframe, SetOutside
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Proposed, open_gaps
from tests.domain.edits import make_document, make_track, make_video, run

N_FRAMES = 50  # the grid of these documents: 0, 10, 20, …
BOX = Box(10, 10, 60, 60)
ELSEWHERE = BOX.moved(200, 0)
ACCEPTED = Source.ACCEPTED


def accepted(*frames: int, box: Box | None = BOX) -> list[Keyframe]:
    """Return keyframes of accepted proposals; the gaps after them are accepted, too."""
    return [Keyframe(f, box, source=ACCEPTED, settled=True) for f in frames]


def document_of(*keys: Keyframe, unseen: range = range(0, N_FRAMES, 10)) -> tuple[Document, Track]:
    """Return a document with one object; by default none of its grid frames was seen."""
    track = make_track(*keys)
    track = Track(with_unseen(track.info, unseen), track.keyframes)
    return make_document(track, n_frames=N_FRAMES), track


def gaps_of(document: Document, track: Track) -> list[tuple[int, int]]:
    return [(gap.start, gap.end) for gap in open_gaps(document.track(track.id), N_FRAMES)]


def test_a_correction_opens_what_was_accepted_up_to_what_a_person_set() -> None:
    ends = Keyframe(0, BOX, settled=True), Keyframe(40, BOX, settled=True)
    document, track = document_of(ends[0], *accepted(*range(5, 40, 5)), ends[1], *accepted(45))
    run(document, SetKeyframe(track.id, 23, ELSEWHERE, reopens=True))
    assert document.track(track.id).frames == (0, 23, 40, 45)
    assert gaps_of(document, track) == [(1, 23), (24, 40)]
    assert document.track(track.id).keyframe_at(23) == Keyframe(23, ELSEWHERE)


def test_opened_frames_count_as_seen_once_they_are_accepted_again() -> None:
    document, track = document_of(Keyframe(0, BOX, settled=True), *accepted(10, 20, 30, 40))
    run(document, SetKeyframe(track.id, 25, ELSEWHERE, reopens=True))
    again = tuple(Proposed(f, BOX, 0.9) for f in range(1, 25))
    run(document, AcceptProposals(track.id, again, unseen=(20,)))
    assert document.track(track.id).unseen == [0, 20, 30, 40]


@pytest.mark.parametrize("frame", [20, 23])
def test_a_correction_on_a_keyframe_or_between_two_opens_the_same(frame: int) -> None:
    document, track = document_of(Keyframe(0, BOX, settled=True), *accepted(10, 20, 30, 40))
    changes = SetKeyframe(track.id, frame, ELSEWHERE, reopens=True).plan(document)
    assert len({change.id for change in changes}) == len(changes)
    document.apply(changes)
    assert document.track(track.id).frames == (0, frame)
    assert gaps_of(document, track) == [(1, frame), (frame + 1, N_FRAMES)]


@pytest.mark.parametrize("grid_step", [10, 0])
def test_what_is_more_than_three_grid_steps_away_stays(grid_step: int) -> None:
    reach = 3 * (grid_step or 30)
    frame, n_frames = 2 * reach, 4 * reach
    keys = Keyframe(0, BOX, settled=True), *accepted(*range(4, n_frames, 4))
    document, track = document_of(*keys, unseen=range(0, n_frames, 10))
    document = Document(document.draft_id, make_video(n_frames, grid_step), document.tracks)
    run(document, SetKeyframe(track.id, frame, ELSEWHERE, reopens=True))
    gaps = [(gap.start, gap.end) for gap in open_gaps(document.track(track.id), n_frames)]
    assert gaps == [(reach + 1, frame), (frame + 1, 3 * reach)]


def test_grid_frames_that_were_seen_stay_as_they_were_accepted() -> None:
    keys = Keyframe(0, BOX, settled=True), *accepted(15, 25, box=BOX.moved(35, 0)), *accepted(49)
    document, track = document_of(*keys, unseen=range(20, 40, 10))
    before = document.track(track.id).state_at(10).box
    run(document, SetKeyframe(track.id, 22, ELSEWHERE, reopens=True))
    after = document.track(track.id)
    assert after.frames == (0, 10, 22, 40, 49)
    assert after.keyframe_at(10) == Keyframe(10, before, source=ACCEPTED)
    assert gaps_of(document, track) == [(11, 22), (23, 40)]


def test_a_correction_that_agrees_changes_its_own_frame_only() -> None:
    document, track = document_of(Keyframe(0, BOX, settled=True), *accepted(10, 20, 30, 40))
    run(document, SetKeyframe(track.id, 23, BOX.moved(5, 0), reopens=True))
    assert document.track(track.id).frames == (0, 10, 20, 23, 30, 40)
    assert gaps_of(document, track) == []
    document, track = document_of(Keyframe(0, BOX, settled=True), *accepted(10, 20, box=None))
    run(document, SetOutside(track.id, 15, True, reopens=True))
    assert document.track(track.id).frames == (0, 10, 15, 20)


@pytest.mark.parametrize("source", [Source.HUMAN, Source.IMPORTED])
def test_nothing_opens_around_what_a_person_or_an_import_set(source: Source) -> None:
    keys = [Keyframe(f, BOX, source=source, settled=True) for f in (0, 20, 40)]
    document, track = document_of(*keys)
    run(document, SetKeyframe(track.id, 20, ELSEWHERE, reopens=True))
    run(document, SetKeyframe(track.id, 30, ELSEWHERE, reopens=True))
    assert gaps_of(document, track) == []
    document, track = document_of(keys[0], *accepted(10), keys[1], *accepted(30, 35))
    run(document, SetKeyframe(track.id, 20, ELSEWHERE, reopens=True))
    assert document.track(track.id).frames == (0, 10, 20, 30, 35)
    run(document, SetKeyframe(track.id, 33, ELSEWHERE, reopens=True))
    assert document.track(track.id).frames == (0, 10, 20, 33)
    assert gaps_of(document, track) == [(21, 33), (34, N_FRAMES)]


def test_an_open_gap_beside_accepted_frames_stays_as_it_is() -> None:
    keys = (
        Keyframe(0, BOX),
        *accepted(10, 15),
        Keyframe(20, BOX, source=ACCEPTED),
        *accepted(30, 49),
    )
    document, track = document_of(*keys)
    run(document, SetKeyframe(track.id, 18, ELSEWHERE, reopens=True))
    assert document.track(track.id).frames == (0, 10, 18, 30, 49)
    assert gaps_of(document, track) == [(1, 10), (11, 18), (19, 30)]
    document, track = document_of(*keys)
    run(document, SetKeyframe(track.id, 5, ELSEWHERE, reopens=True))
    assert document.track(track.id).frames == (0, 5, 10, 15, 20, 30, 49)


def test_an_object_marked_out_of_view_is_searched_for_on_both_sides() -> None:
    keys = Keyframe(0, BOX, settled=True), *accepted(10, 20, 30, 40)
    document, track = document_of(*keys)
    run(document, SetOutside(track.id, 25, True, reopens=True))
    assert document.track(track.id).frames == (0, 25)
    assert gaps_of(document, track) == [(1, 25), (26, N_FRAMES)]
    # With a range a person says how long the object is out of view: the rest stays.
    document, track = document_of(*keys)
    run(document, SetOutside(track.id, 25, True, end=35, reopens=True))
    assert document.track(track.id).frames == (0, 10, 20, 24, 25, 35, 40)


@pytest.mark.parametrize("is_drawn", [True, False])
def test_an_object_that_is_back_opens_its_accepted_absence(is_drawn: bool) -> None:
    document, track = document_of(Keyframe(0, BOX, settled=True), *accepted(10, 20, box=None))
    back = (
        SetKeyframe(track.id, 30, ELSEWHERE, reopens=True)
        if is_drawn
        else SetOutside(track.id, 30, False, box=ELSEWHERE, reopens=True)
    )
    run(document, back)
    assert document.track(track.id).frames == (0, 30)
    assert gaps_of(document, track) == [(1, 30), (31, N_FRAMES)]


@pytest.mark.parametrize("frame", [12, 25])
def test_a_seen_absence_stays_to_the_end_of_the_video(frame: int) -> None:
    keys = Keyframe(0, BOX, settled=True), *accepted(10), *accepted(15, box=None)
    document, track = document_of(*keys, unseen=range(20, 40, 10))
    run(document, SetKeyframe(track.id, frame, ELSEWHERE, reopens=True))
    after = document.track(track.id)
    assert after.frames == (0, 10, frame, 40)
    assert after.keyframe_at(40) == Keyframe(40, None, source=ACCEPTED, settled=True)
    assert gaps_of(document, track) == [(11, frame), (frame + 1, 40)]


def test_without_the_wish_only_the_frame_changes() -> None:
    document, track = document_of(Keyframe(0, BOX, settled=True), *accepted(10, 20, 30, 40))
    run(document, SetKeyframe(track.id, 23, ELSEWHERE))
    assert gaps_of(document, track) == []
    run(document, SetOutside(track.id, 33, True))
    assert document.track(track.id).keyframe_at(40) is not None
