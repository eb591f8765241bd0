"""Active time: what counts, what does not, and clocks that jump."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.ids import PersonId, TaskId
from annotator.domain.work.work_statistics import IDLE_MS, ActivityMeter, Workplace

HERE = Workplace(PersonId("p"), TaskId("t"), "annotate")
THERE = Workplace(PersonId("p"), TaskId("u"), "check")


def _meter(now: int = 1000) -> ActivityMeter:
    meter = ActivityMeter()
    meter.enter(HERE, now)
    return meter


def test_time_between_signs_of_life_counts() -> None:
    meter = _meter()
    for now in (2000, 5000, 5000 + IDLE_MS):
        meter.poke(now)
    assert meter.pending_ms(HERE, 5000 + IDLE_MS) == 4000 + IDLE_MS
    assert meter.take() == {HERE: 4000 + IDLE_MS}
    assert meter.take() == {}


def test_a_pause_counts_for_its_first_half_minute() -> None:
    meter = _meter()
    meter.poke(1001 + IDLE_MS)
    meter.poke(1501 + IDLE_MS)
    meter.poke(10_000_000)
    assert meter.take() == {HERE: 2 * IDLE_MS + 500}


def test_the_time_so_far_runs_on_until_the_half_minute_is_over() -> None:
    meter = _meter()
    assert meter.pending_ms(HERE, 8000) == 7000
    assert meter.pending_ms(THERE, 8000) == 0
    assert meter.pending_ms(HERE, 10_000_000) == IDLE_MS
    assert meter.pending_ms(HERE, 0) == 0
    meter.poke(2000, is_background=True)
    assert meter.pending_ms(HERE, 9000) == 1000


def test_the_background_does_not_count() -> None:
    meter = _meter()
    meter.poke(2000, is_background=True)
    meter.poke(9000, is_background=True)
    meter.poke(20_000)
    meter.poke(20_500)
    assert meter.take() == {HERE: 1500}


def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    meter = _meter(100_000)
    meter.poke(101_000)
    meter.poke(50_000)
    meter.poke(52_000)
    assert meter.take() == {HERE: 3000}


def test_each_task_has_its_own_time() -> None:
    meter = _meter()
    meter.poke(2000)
    meter.enter(THERE, 2500)
    meter.enter(THERE, 2700)
    meter.poke(3000)
    meter.enter(None, 3100)
    meter.poke(4000)
    assert meter.take() == {HERE: 1500, THERE: 600}


@given(st.lists(st.tuples(st.integers(-(10**7), 10**7), st.booleans()), max_size=30))
def test_it_never_counts_more_than_has_passed(jumps: list[tuple[int, bool]]) -> None:
    meter, now, passed = _meter(0), 0, 0
    for jump, is_background in jumps:
        now += jump
        passed += max(0, min(jump, IDLE_MS))
        meter.poke(now, is_background=is_background)
    assert 0 <= sum(meter.take().values()) <= passed
