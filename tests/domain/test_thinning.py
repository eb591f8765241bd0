"""Thinning keyframes: few are left, nothing moves further than allowed, changes of state stay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.keyframe_reduction import Tolerance
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.commands import ThinKeyframes
from annotator.domain.commands.keyframes import thinned
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import open_gaps
from tests.domain.edits import make_document, make_track, run

BOX = Box(10, 10, 60, 60)


def dense(n: int, speed: float = 1.0, **flags: bool) -> list[Keyframe]:
    return [Keyframe(f, BOX.moved(speed * f, 0), source=Source.IMPORTED, **flags) for f in range(n)]


def test_a_dense_even_motion_keeps_its_two_ends_and_wants_no_proposals() -> None:
    track = make_track(*dense(100))
    document = make_document(track)
    run(document, ThinKeyframes((track.id,)))
    after = document.track(track.id)
    assert after.frames == (0, 99)
    assert open_gaps(after, 100) == []
    assert after.state_at(50).box == BOX.moved(50, 0)


def test_changes_of_state_stay() -> None:
    keys = [*dense(10), *(Keyframe(f, BOX, occluded=True) for f in range(10, 20))]
    keys += [Keyframe(20, None), *(Keyframe(f, BOX) for f in range(30, 40))]
    track = make_track(*keys)
    found = thinned(track, Tolerance())
    assert [k.frame for k in found.keyframes] == [0, 9, 10, 19, 20, 30, 39]
    assert found.deviation_px == pytest.approx(0.0)


def test_out_of_view_needs_one_keyframe() -> None:
    away = [Keyframe(f, None, settled=True) for f in (20, 24, 28)]
    track = make_track(*dense(10), *away, *(Keyframe(f, BOX) for f in range(30, 40)))
    document = make_document(track)
    run(document, ThinKeyframes((track.id,)))
    after = document.track(track.id)
    assert after.frames == (0, 9, 20, 30, 39)
    assert [after.state_at(f).box for f in range(40)] == [track.state_at(f).box for f in range(40)]
    assert open_gaps(after, 40) == open_gaps(track, 40)


def test_out_of_view_with_a_gap_that_waits_for_proposals_keeps_it() -> None:
    away = [Keyframe(f, None, settled=f < 28) for f in (20, 24, 28)]
    track = make_track(*dense(10), *away, Keyframe(40, BOX))
    document = make_document(track)
    run(document, ThinKeyframes((track.id,)))
    after = document.track(track.id)
    assert [k.frame for k in after.keyframes if k.box is None] == [20, 28]
    assert [(g.start, g.end) for g in open_gaps(after, 41) if g.start > 20] == [(29, 40)]


def test_open_gaps_that_wait_for_proposals_stay_open() -> None:
    track = make_track(*(Keyframe(f, BOX) for f in (0, 30, 60)))
    document = make_document(track)
    run(document, ThinKeyframes((track.id,)))
    assert document.track(track.id).frames == (0, 60)
    assert [(g.start, g.end) for g in open_gaps(document.track(track.id), 61)] == [(1, 60)]


def test_nothing_to_delete_is_said_and_locked_tracks_stay() -> None:
    track = make_track(Keyframe(0, BOX), Keyframe(9, BOX.moved(90, 0)))
    with pytest.raises(EditError, match="No keyframe can be deleted"):
        ThinKeyframes((track.id,)).plan(make_document(track))


@given(st.integers(0, 2**32 - 1), st.integers(3, 80), st.floats(0, 4))
def test_every_frame_stays_within_the_tolerance(seed: int, n: int, noise: float) -> None:
    rng = np.random.default_rng(seed)
    shifts = np.cumsum(rng.normal(0, noise, (n, 2)), 0) + 500
    track = make_track(*(Keyframe(f, BOX.moved(*shift)) for f, shift in enumerate(shifts)))
    found = thinned(track, Tolerance(1.5, 1.0))
    after = track.with_keyframes(found.keyframes)
    worst = max(track.state_at(f).box.largest_offset(after.state_at(f).box) for f in range(n))
    assert worst <= 1.5 + 1e-6
    assert worst == pytest.approx(found.deviation_px, abs=1e-6)
