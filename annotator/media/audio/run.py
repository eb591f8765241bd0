"""One run of sound on its way to the loudspeaker: filled by one thread, emptied by another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from annotator.media.audio.clock import Course, Now, SoundClock
from annotator.media.audio.reader import Audio
from annotator.media.audio.stretch import Stretcher

FADE_S = 0.005
"""Sound begins, ends and gives way to other sound within this time, without a click."""
_BUFFER_S = 1.0
_READY_S = 0.15
_AHEAD_S = 0.6
_PIECE_S = 0.1


class SoundRun:
    """A ring buffer of what a course sounds like, and the clock of what was heard of it.

    The feeding thread calls `feed`, the audio callback `take` and `fade_out`, anyone `elapsed`.
    Every number here is written by one thread only, so nobody ever waits.
    """

    def __init__(self, course: Course, end_s: float, now: Now, *, is_snippet: bool = False) -> None:
        self.course = course
        self.may_sound = False
        self._end_s = end_s
        self._now = now
        self._is_snippet = is_snippet
        self._stretcher: Stretcher | None = None
        self._clock: SoundClock | None = None
        self._ring = np.zeros((0, 1), np.float32)
        self._fade = np.zeros((0, 1), np.float32)
        self._written = 0
        self._taken = 0
        self._is_filled = False
        self._is_complete = False
        self._next = 0
        """The next sample of the course to feed, counted as if the loop were unrolled."""
        self._lap = 0

    @property
    def is_sounding(self) -> bool:
        """Whether the callback may take from it."""
        return self.may_sound and self._is_filled

    @property
    def is_played_out(self) -> bool:
        """Whether everything of a snippet was taken."""
        return self._is_complete and self._taken >= self._written

    def elapsed(self) -> float:
        """Seconds heard so far."""
        return 0.0 if self._clock is None else self._clock.elapsed()

    def feed(
        self, audio: Audio, rate: int, outputs: int, is_current: Callable[[SoundRun], bool]
    ) -> None:
        """Fill the ring as far ahead as it should be, as long as the run is wanted."""
        if self._stretcher is None:
            self._set_up(audio, rate, outputs)
        while (
            not self._is_complete
            and self._written - self._taken < _AHEAD_S * rate
            and is_current(self)
        ):
            self._feed_piece(audio)
            if self._written >= _READY_S * rate or self._is_complete:
                self._is_filled = True

    def take(self, out: NDArray[np.float32], sounds_at: float) -> None:
        """Fill `out` for the device, which will sound it at `sounds_at`; zeros when starved."""
        assert self._clock is not None
        count = self._copy(out)
        out[count:] = 0
        if count:
            self._clock.note(sounds_at, self._taken, count)
            self._taken += count

    def fade_out(self, out: NDArray[np.float32]) -> None:
        """Add the next few samples, ever softer, to the block that replaces this run."""
        tail = np.zeros_like(out[: len(self._fade)])
        self._copy(tail)
        tail *= self._fade[: len(tail)]
        out[: len(tail)] += tail

    def _copy(self, out: NDArray[np.float32]) -> int:
        """Copy the next samples that are there, at most `out` full, without taking them."""
        count = min(len(out), self._written - self._taken)
        size = len(self._ring)
        start = self._taken % size if size else 0
        head = min(count, size - start)
        out[:head] = self._ring[start : start + head]
        out[head:count] = self._ring[: count - head]
        return count

    def _set_up(self, audio: Audio, rate: int, outputs: int) -> None:
        stretcher = Stretcher(
            audio.channel_names,
            audio.rate,
            output_rate=rate,
            outputs=outputs,
            speed=self.course.speed,
        )
        self._ring = np.zeros((round(_BUFFER_S * rate), outputs), np.float32)
        steps = round(FADE_S * rate)
        self._fade = np.linspace(1, 0, steps, dtype=np.float32)[:, None]
        self._clock = SoundClock(rate, self._now)
        self._next = round((self.course.start_s - stretcher.lead_s) * audio.rate)
        self._stretcher = stretcher

    def _feed_piece(self, audio: Audio) -> None:
        assert self._stretcher is not None
        limit = max(1, round(_PIECE_S * audio.rate * self.course.speed))
        first, count = self._piece(audio.rate, limit)
        end = round(self._end_s * audio.rate)
        wanted = min(count, max(0, end - first))
        samples = np.zeros((count, audio.channels), np.float32)
        samples[:wanted] = audio.samples(first, wanted)
        self._next += count
        if self._is_snippet:
            samples = samples[:wanted]
        ready = self._stretcher.push(samples)
        if self._is_snippet and wanted < count:
            ready = np.concatenate([ready, self._stretcher.flush()])
            steps = min(len(self._fade), len(ready))
            ready[len(ready) - steps :] *= self._fade[len(self._fade) - steps :]
            self._is_complete = True
        self._write(ready)

    def _piece(self, rate: int, limit: int) -> tuple[int, int]:
        """Where the next samples lie in the sound and how many follow before the loop's end.

        Laps are counted from the loop's exact length, so that rounding never adds up.
        """
        if self.course.loop_s is None:
            return self._next, limit
        first_s, last_s = self.course.loop_s
        length_s = last_s - first_s
        while self._next >= round((last_s + self._lap * length_s) * rate):
            self._lap += 1
        stop = round((last_s + self._lap * length_s) * rate)
        return self._next - round(self._lap * length_s * rate), min(limit, stop - self._next)

    def _write(self, samples: NDArray[np.float32]) -> None:
        if self._written == 0 and len(samples):
            steps = min(len(self._fade), len(samples))
            samples[:steps] *= self._fade[::-1][:steps]
        size = len(self._ring)
        start = self._written % size
        head = min(len(samples), size - start)
        self._ring[start : start + head] = samples[:head]
        self._ring[: len(samples) - head] = samples[head:]
        self._written += len(samples)
