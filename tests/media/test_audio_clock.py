"""The clocks of playback, with a time of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.media.audio.clock import Course, SoundClock, WallClock


class Time:
    now = 50.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize("speed", [0.1, 1.0, 4.0, -1.0, -2.0])
def test_a_course_runs_straight(speed):
    assert Course(10.0, speed).at(2.0) == (10.0 + 2 * speed, 0)


def test_a_loop_forwards_and_backwards():
    forwards = Course(2.0, 1.0, (1.0, 3.0))
    assert [forwards.at(s) for s in (0.0, 0.5, 1.0, 1.5, 3.0, 7.25)] == [
        (2.0, 0),
        (2.5, 0),
        (1.0, 1),
        (1.5, 1),
        (1.0, 2),
        (1.25, 4),
    ]
    backwards = Course(2.0, -1.0, (1.0, 3.0))
    assert [backwards.at(s) for s in (0.0, 1.0, 1.5, 3.5)] == [
        (2.0, 0),
        (1.0, 0),
        (2.5, 1),
        (2.5, 2),
    ]


@given(
    start=st.floats(0, 1),
    length=st.floats(0.01, 10),
    speed=st.floats(0.1, 4) | st.floats(-4, -0.1),
    elapsed=st.floats(0, 1000),
)
def test_a_loop_is_never_left(start, length, speed, elapsed):
    course = Course(5.0 + start * length * 0.999, speed, (5.0, 5.0 + length))
    at_s, laps = course.at(elapsed)
    assert 5.0 <= at_s <= 5.0 + length
    straight = course.start_s + elapsed * speed
    unrolled = at_s + laps * length * (1 if speed > 0 else -1)
    assert unrolled == pytest.approx(straight, abs=1e-6)


def test_the_wall_clock_counts_from_its_start():
    time = Time()
    clock = WallClock(time)
    time.now += 1.25
    assert clock.elapsed() == 1.25


def test_only_what_was_heard_counts():
    time = Time()
    clock = SoundClock(1000, time)
    assert clock.elapsed() == 0
    clock.note(50.1, 0, 100)  # handed over now, sounds in 0.1 s
    clock.note(50.2, 100, 100)
    assert clock.elapsed() == 0
    time.now = 50.15
    assert clock.elapsed() == pytest.approx(0.05)
    time.now = 50.2
    assert clock.elapsed() == pytest.approx(0.1)
    time.now = 50.25
    assert clock.elapsed() == pytest.approx(0.15)


def test_a_starved_buffer_does_not_move_the_clock():
    time = Time()
    clock = SoundClock(1000, time)
    clock.note(50.0, 0, 100)
    time.now = 51.0
    assert clock.elapsed() == pytest.approx(0.1)
    clock.note(51.0, 100, 100)
    time.now = 51.05
    assert clock.elapsed() == pytest.approx(0.15)


@given(st.lists(st.tuples(st.floats(-0.02, 0.02), st.floats(0, 0.03)), min_size=1, max_size=600))
def test_the_clock_never_falls_though_the_device_errs(steps):
    time = Time()
    clock = SoundClock(1000, time)
    before = 0.0
    for number, (error, wait) in enumerate(steps):
        clock.note(50.05 + number * 0.01 + error, number * 10, 10)
        time.now += wait
        now = clock.elapsed()
        assert before <= now <= (number + 1) * 0.01 + 1e-9
        before = now
