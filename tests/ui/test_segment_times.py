"""Edges of segments: the mouse (seconds) and the keys (frames, microseconds) put them alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.ids import segment_id
from annotator.ui.timeline.model import segment_times
from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.model.segment_times import SegmentPart, SegmentTimes


@dataclass
class _Clock:
    times: NDArray[np.float64]
    end_s: float


_FILM = _Clock(np.arange(60) / 30, 2.0)
_SOUND = _Clock(np.empty(0), 2.0)


@pytest.mark.parametrize("clock", [_FILM, _SOUND], ids=["film", "audio only"])
@pytest.mark.parametrize("at_us", [0, 250_000, 333_333, 1_200_001])
def test_an_edge_of_a_sound_comes_to_lie_alike(clock: _Clock, at_us: int) -> None:
    times = SegmentTimes(clock)
    axis = TimeAxis.whole(clock.times, clock.end_s, 600.0)
    blank = Segment(segment_id(), Lane.SOUND, "tap", 0, 1)
    sound = times.spanned(blank, 100_000, 1_900_000)
    by_keys = times.moved_to(sound, "start", at_us)
    by_mouse = segment_times.moved(sound, SegmentPart.START, at_us / 1e6, axis)
    assert by_keys == by_mouse
    assert times.edge_us(by_keys, "start") == at_us
    assert times.edge_us(by_keys, "end") == 1_900_000
    assert 0 <= by_keys.start < by_keys.end <= max(1, times.n_frames)


def test_an_action_goes_with_the_frames() -> None:
    times = SegmentTimes(_FILM)
    blank = Segment(segment_id(), Lane.ACTION, "pour", 0, 1)
    action = times.spanned(blank, 1_000_000, 1_500_000)
    assert (action.start, action.end, action.start_us, action.end_us) == (30, 45, None, None)
    axis = TimeAxis.whole(_FILM.times, _FILM.end_s, 600.0)
    by_mouse = segment_times.moved(action, SegmentPart.END, 1.8, axis)
    assert by_mouse == times.moved(action, "end", frame=54)
    assert times.edge_us(by_mouse, "end") == 1_800_000
