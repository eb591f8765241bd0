from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.track import Keyframe, Phase, Source, unchecked_grid_frames
from annotator.domain.geometry import Box
from tests.domain.edits import make_track

A = Box(0, 0, 10, 10)
B = Box(20, 40, 40, 80)


def test_state_between_two_keyframes_is_linear_and_flags_hold():
    track = make_track(Keyframe(10, A, occluded=True), Keyframe(20, B))
    state = track.state_at(15)
    assert state.phase is Phase.INTERPOLATED
    assert state.box == Box(10, 20, 25, 45)
    assert state.occluded
    assert (state.lower, state.upper) == (10, 20)
    assert not track.state_at(20).occluded


def test_state_before_the_first_and_after_the_last_keyframe():
    track = make_track(Keyframe(10, A), Keyframe(20, B))
    assert track.state_at(9).phase is Phase.BEFORE
    assert track.state_at(9).box is None
    assert track.state_at(9).ghost is None
    assert track.state_at(500).phase is Phase.HELD
    assert track.state_at(500).box == B


def test_out_of_view_has_a_ghost_and_comes_back():
    track = make_track(Keyframe(0, A), Keyframe(10, None), Keyframe(20, B))
    assert track.state_at(9).phase is Phase.HELD
    assert track.state_at(9).box == A
    gone = track.state_at(15)
    assert gone.phase is Phase.OUTSIDE
    assert gone.box is None
    assert gone.ghost == A
    assert track.state_at(20).box == B
    assert track.present_spans(30) == [(0, 10), (20, 30)]


def test_two_keyframes_on_one_frame_are_impossible():
    with pytest.raises(ValueError, match="ascend"):
        make_track(Keyframe(3, A), Keyframe(3, B))


@given(st.sets(st.integers(0, 60), min_size=1), st.data())
def test_state_agrees_with_a_search_through_all_keyframes(frames, data):
    keys = [
        Keyframe(f, None if data.draw(st.integers(0, 3)) == 0 else Box(f, 0, f + 10, 10))
        for f in sorted(frames)
    ]
    track = make_track(*keys)
    frame = data.draw(st.integers(0, 60))
    state = track.state_at(frame)
    before = [k for k in keys if k.frame <= frame]
    after = [k for k in keys if k.frame > frame]
    assert state.lower == (before[-1].frame if before else None)
    assert state.upper == (after[0].frame if after else None)
    assert state.is_present == bool(before and before[-1].box)
    present = any(start <= frame < end for start, end in track.present_spans(61))
    assert present == state.is_present


def test_unchecked_grid_frames_leave_out_what_somebody_judged():
    track = make_track(
        Keyframe(5, A),
        Keyframe(20, B, settled=True),
        Keyframe(45, A),
        Keyframe(75, None),
    )
    assert unchecked_grid_frames(track, step=10, n_frames=100) == [10, 50, 60, 70]


def test_what_was_accepted_without_being_shown_is_unchecked_until_somebody_sets_it():
    track = make_track(
        Keyframe(5, A),
        Keyframe(20, B, source=Source.ACCEPTED, settled=True),
        Keyframe(40, A, settled=True),
        Keyframe(60, None, source=Source.ACCEPTED, settled=True),
        Keyframe(75, None),
        extra={"unseen": [0, 20, 30, 40, 55, 60, 70, 80, 200, "x", -10]},
    )
    assert unchecked_grid_frames(track, step=10, n_frames=100) == [10, 20, 30, 60, 70]
