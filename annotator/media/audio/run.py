"""One run of sound on its way to the loudspeaker: stretched by one thread, played by another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from av.audio.frame import AudioFrame
from av.error import BlockingIOError as NothingYetError
from av.error import EOFError as DrainedError
from av.filter import Graph
from numpy.typing import NDArray

from annotator.media.audio.clock import Course, Now, SoundClock
from annotator.media.audio.reader import Audio

_MIN_TEMPO = 0.5
_MAX_TEMPO = 2.0
"""One atempo filter keeps its quality between these; a chain of them reaches further."""
_MINUS_3_DB = math.sqrt(0.5)


def mix_matrix(channel_names: Sequence[str], outputs: int) -> NDArray[np.float32]:
    """Weights [channels, outputs] that fold any channels to mono or stereo without clipping.

    Sides and backs go to their side, the center to both, low frequencies nowhere; channels without
    a side in their name go left and right in turn.
    """
    sides = [_weights(name, number) for number, name in enumerate(channel_names)]
    if len(sides) == 1:
        sides = [(1.0, 1.0)]
    matrix = np.array(sides, dtype=np.float32)
    if outputs == 1:
        matrix = matrix.mean(axis=1, keepdims=True)
    total = matrix.sum(axis=0).max(initial=0.0)
    return matrix / total if total > 1 else matrix


class Stretcher:
    """Turn float32 [n, channels] at `rate` to [m, outputs] at `output_rate`, `speed` times as fast.

    One instance serves one unbroken run. The pitch stays at every speed. Blocks come out later
    than they go in, `flush` gives the rest.

    `lead_s`: what sounds at any moment of the output is on average this much media time ahead of
    (output time × speed); begin to push this much earlier and picture and sound agree.
    """

    def __init__(
        self,
        channel_names: Sequence[str],
        rate: int,
        *,
        output_rate: int,
        outputs: int = 2,
        speed: float = 1.0,
    ) -> None:
        self._matrix = mix_matrix(channel_names, outputs)
        self._rate = rate
        self._outputs = outputs
        self._layout = "stereo" if outputs == 2 else "mono"
        self._pushed = 0
        tempos = _tempos(speed)
        self.lead_s: float = sum(
            _half_window(rate) * math.prod(tempos[:stage]) for stage in range(len(tempos))
        )
        is_plain = speed == 1.0 and rate == output_rate
        self._graph = None if is_plain else self._build(output_rate, tempos)

    def push(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Accept [n, channels] and return the finished samples as [m, outputs]."""
        mixed = samples @ self._matrix
        if self._graph is None:
            return mixed
        if len(mixed):
            frame = AudioFrame.from_ndarray(mixed.reshape(1, -1), "flt", self._layout)
            frame.sample_rate = self._rate
            frame.time_base = Fraction(1, self._rate)
            frame.pts = self._pushed
            self._pushed += len(mixed)
            self._graph.push(frame)
        return self._pull(self._graph)

    def flush(self) -> NDArray[np.float32]:
        """Return the remaining samples of the filters; no push after it."""
        if self._graph is None or self._pushed == 0:
            return np.zeros((0, self._outputs), np.float32)
        self._graph.push(None)
        return self._pull(self._graph)

    def _build(self, output_rate: int, tempos: list[float]) -> Graph:
        graph = Graph()
        chain = [
            graph.add(
                "abuffer",
                sample_rate=str(self._rate),
                sample_fmt="flt",
                channel_layout=self._layout,
                time_base=f"1/{self._rate}",
            ),
            *(graph.add("atempo", f"{tempo:.9f}") for tempo in tempos),
        ]
        if output_rate != self._rate:
            chain.append(graph.add("aresample", str(output_rate)))
        chain.append(graph.add("aformat", sample_fmts="flt", channel_layouts=self._layout))
        chain.append(graph.add("abuffersink"))
        graph.link_nodes(*chain).configure()
        return graph

    def _pull(self, graph: Graph) -> NDArray[np.float32]:
        parts = [np.zeros((0, self._outputs), np.float32)]
        while True:
            try:
                frame = graph.pull()
            except (NothingYetError, DrainedError):
                return np.concatenate(parts)
            assert isinstance(frame, AudioFrame)
            parts.append(frame.to_ndarray().astype(np.float32).reshape(-1, self._outputs))


def _tempos(speed: float) -> list[float]:
    """Factors within the good range of one atempo filter whose product is `speed`."""
    if speed == 1.0:
        return []
    count = max(1, math.ceil(abs(math.log2(speed)) - 1e-9))
    return [min(_MAX_TEMPO, max(_MIN_TEMPO, speed ** (1 / count)))] * count


def _half_window(rate: int) -> float:
    """Seconds from the edge to the middle of atempo's window: a power of two above rate / 24.

    atempo dates its output by the edge of the window it joins on, so a sound comes early by half
    a window for each filter of a chain.
    """
    window: int = 1 << math.ceil(math.log2(rate // 24))
    return window / 2 / rate


def _weights(name: str, number: int) -> tuple[float, float]:
    """How much of one channel goes left and right."""
    if name.startswith("LFE"):
        return 0.0, 0.0
    if name in ("FL", "DL"):
        return 1.0, 0.0
    if name in ("FR", "DR"):
        return 0.0, 1.0
    if name in ("FC", "BC", "TC"):
        return _MINUS_3_DB, _MINUS_3_DB
    if name.endswith("L"):
        return _MINUS_3_DB, 0.0
    if name.endswith("R"):
        return 0.0, _MINUS_3_DB
    return (1.0, 0.0) if number % 2 == 0 else (0.0, 1.0)


FADE_S = 0.005
"""Sound begins, ends and gives way to other sound within this time, without a click."""
_BUFFER_S = 1.0
_READY_S = 0.15
_AHEAD_S = 0.6
_PIECE_S = 0.1


class SoundRun:
    """Ring buffer of the sound to play, and the clock of the sound played.

    The feeding thread calls `feed`, the audio callback `take` and `fade_out`, anyone `elapsed`.
    Every number here is written by one thread only, so no thread ever waits.
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
        """Whether a snippet was read completely."""
        return self._is_complete and self._taken >= self._written

    def elapsed(self) -> float:
        """Seconds heard so far."""
        return 0.0 if self._clock is None else self._clock.elapsed()

    def feed(
        self, audio: Audio, rate: int, outputs: int, is_current: Callable[[SoundRun], bool]
    ) -> None:
        """Fill the ring buffer up to its target, while the run is active."""
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
        n_samples = min(count, max(0, end - first))
        samples = np.zeros((count, audio.channels), np.float32)
        samples[:n_samples] = audio.samples(first, n_samples)
        self._next += count
        if self._is_snippet:
            samples = samples[:n_samples]
        ready = self._stretcher.push(samples)
        if self._is_snippet and n_samples < count:
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
