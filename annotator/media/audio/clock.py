"""Playback position as a course through media time, and the clocks that drive it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Now = Callable[[], float]
"""A source of seconds that never falls; `time.perf_counter` outside tests."""


@dataclass(frozen=True, slots=True)
class Course:
    """One unbroken run of playback: from where, how fast, round which loop.

    `speed` is media seconds per second, negative for backwards; `loop_s` is half-open.
    """

    start_s: float
    speed: float = 1.0
    loop_s: tuple[float, float] | None = None

    def at(self, elapsed_s: float) -> tuple[float, int]:
        """Media time after `elapsed_s` seconds of play, and how often the loop began anew."""
        straight_s = self.start_s + elapsed_s * self.speed
        if self.loop_s is None:
            return straight_s, 0
        first_s, last_s = self.loop_s
        if (straight_s < last_s) if self.speed > 0 else (straight_s >= first_s):
            return straight_s, 0
        laps, rest_s = divmod(straight_s - first_s, last_s - first_s)
        return first_s + rest_s, abs(int(laps))


class WallClock:
    """Seconds since the start by the machine's own clock: for silent play."""

    def __init__(self, now: Now = time.perf_counter) -> None:
        self._now = now
        self._start = now()

    def elapsed(self) -> float:
        """Seconds of play so far."""
        return self._now() - self._start


class SoundClock:
    """Seconds of sound that have left the loudspeaker: the master clock.

    The audio callback notes for each block when the device will play it (DAC time); between the
    notes the time is extrapolated by `now`. Blocks that are still to be played do not count,
    silence from a starved buffer does not count, and the clock never goes back.

    One thread writes, another reads; neither waits.
    """

    _BLOCKS = 256

    def __init__(self, rate: int, now: Now = time.perf_counter) -> None:
        self._rate = rate
        self._now = now
        self._notes = np.zeros((self._BLOCKS, 3))
        self._count = 0
        self._reached = 0.0

    def note(self, sounds_at: float, first: int, count: int) -> None:
        """The samples [first, first + count) of this run sound from `sounds_at` (by `now`) on."""
        row = self._notes[self._count % self._BLOCKS]
        row[0] = sounds_at
        row[1] = first
        row[2] = count
        self._count += 1

    def elapsed(self) -> float:
        """Seconds of this run heard so far; 0 until its first sample sounds."""
        now = self._now()
        newest = self._count - 1
        for number in range(newest, max(-1, newest - self._BLOCKS // 2), -1):
            sounds_at, first, count = self._notes[number % self._BLOCKS].tolist()
            if sounds_at <= now:
                heard = first + min(count, (now - sounds_at) * self._rate)
                self._reached = max(self._reached, heard / self._rate)
                break
        return self._reached
