"""Reads a sound stretch by stretch, in any order, to measure it; bounded memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from av.audio.frame import AudioFrame
from av.error import EOFError as DrainedError
from av.error import FFmpegError
from av.filter import Graph

from annotator.media.audio.audio_decoder import AudioDecoder
from annotator.media.audio.waveform import Floats, Grid, mixed

_LENGTH = 1 << 15
"""Samples in a block: few calls, and yet the interpreter is never held for a millisecond."""
_SLACK_S = 0.005


class NoFlowError(Exception):
    """The sound does not run on evenly here, or cannot be read in this way at all."""


class SoundFlow:
    """One outline of one stream from about `start_s` (the file's own time stamps) on.

    `index` counts all streams of the file; of its `channels` the mean is given, or the one asked
    for. Raises NoFlowError when this way is not open.
    """

    def __init__(
        self, path: Path, index: int, rate: int, channels: int, channel: int | None, start_s: float
    ) -> None:
        self._rate = rate
        self._expected_s: float | None = None
        steps = {
            "amovie": {
                "filename": f"file:{path}",
                "stream_index": str(index),
                "seek_point": str(max(0.0, start_s)),
                "dec_threads": "1",
            },
            "aformat": {"sample_fmts": "fltp"},
            "pan": {},
            "asetnsamples": {"nb_out_samples": str(_LENGTH), "pad": "0"},
        }
        if channels == 1:
            del steps["pan"]
        try:
            self._graph = Graph()
            last = None
            for name, options in steps.items():
                plain = _mix(channels, channel) if name == "pan" else None
                step = self._graph.add(name, plain, **options)
                if last is not None:
                    last.link_to(step)
                last = step
            self._sink = self._graph.add("abuffersink")
            assert last is not None
            last.link_to(self._sink)
            self._graph.configure()
        except (FFmpegError, OSError, ValueError) as error:
            raise NoFlowError from error

    def next(self) -> tuple[float, Floats]:
        """The next block: time stamp in seconds and samples, float32[n], finite.

        NoFlowError at the end, where there is a gap, where the kind of sound changes, and where
        samples are no numbers.
        """
        try:
            frame = self._sink.pull()
        except (DrainedError, FFmpegError, OSError, ValueError) as error:
            raise NoFlowError from error
        assert isinstance(frame, AudioFrame)
        if frame.pts is None or frame.time_base is None or frame.sample_rate != self._rate:
            raise NoFlowError
        tick = float(frame.time_base)
        at_s = frame.pts * tick
        if self._expected_s is not None and abs(at_s - self._expected_s) > _SLACK_S + tick:
            raise NoFlowError
        # Counted on from the first block, so that the jitter of time stamps does not matter.
        at_s = at_s if self._expected_s is None else self._expected_s
        plane = memoryview(frame.planes[0])
        samples: Floats = np.frombuffer(plane, np.float32, frame.samples)
        if not np.isfinite(samples).all():
            raise NoFlowError
        self._expected_s = at_s + len(samples) / self._rate
        return at_s, samples


def _mix(channels: int, channel: int | None) -> str:
    """FFmpeg's filter that makes one channel of several: one of them, or the mean of all."""
    if channel is not None:
        return f"mono|c0=c{channel}"
    return "mono|c0=" + "+".join(f"{1 / channels:.9f}*c{number}" for number in range(channels))


_FAR_S = 10.0
"""A seek that lands so far before its target does not pay: this file is read from the front."""
_RUN_UP_S = 0.3
_WARM_UP_S = 0.1
"""Start-up time of decoders after a seek."""


@dataclass(frozen=True, slots=True)
class SoundChoice:
    """Audio stream and channel that are displayed.

    ``channel`` None is the mean of all channels.
    """

    stream: int = 0
    channel: int | None = None


WHOLE = SoundChoice()
"""All channels of the first stream."""


class SoundScan:
    """One reader of one outline of a sound stream for one thread.

    A channel that the stream does not have counts as None. `origin_s` and `until_s` are as for
    `Audio`; raises MediaError like it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        choice: SoundChoice = WHOLE,
        origin_s: float | None = None,
        until_s: float | None = None,
    ) -> None:
        self._decoder = AudioDecoder(path, choice.stream, origin_s, until_s)
        self.channel_names = self._decoder.channel_names
        self.streams = self._decoder.streams
        is_there = choice.channel is not None and 0 <= choice.channel < self._decoder.channels
        self.channel = choice.channel if is_there else None
        self.grid = Grid.of(self._decoder.rate, self._decoder.first, self._decoder.end)
        self.is_seekable = True
        """Turns False when a seek led back to the front of the file."""
        self.place = 0
        """The stretch that comes next without a seek."""
        self._flow: SoundFlow | None = None
        self._over: tuple[int, Floats] | None = None
        """What the flow gave beyond the last stretch."""
        self._shift = 0
        """By how many samples the time stamp at which the flow began was rounded."""
        self._buffer: Floats = np.zeros(0, np.float32)

    @property
    def origin_s(self) -> float:
        """The file's own time stamp of media time 0, in seconds."""
        return self._decoder.origin_s

    def stretch(self, number: int, is_canceled: Callable[[], bool]) -> Floats | None:
        """Samples of a stretch, float32[grid.stretch]; zeros where there is no sound.

        Overwritten by the next call. None when canceled.
        """
        if self._buffer.size == 0:
            self._buffer = np.empty(self.grid.stretch, np.float32)
        start, end = self.grid.span(number)
        try:
            self._pour(start, end, number != self.place, is_canceled)
        except NoFlowError:
            self._flow = self._over = None
            self._read(start, self._buffer, is_canceled)
        until = self._decoder.until
        if until is not None:
            # What flows by is not asked how far it may be heard.
            self._buffer[max(0, until - start) :] = 0.0
        self.place = number + 1
        return None if is_canceled() else self._buffer

    def glimpse(self, position: int, count: int) -> Floats | None:
        """A few samples from a position on, float32[count]; None where it cannot jump."""
        out = np.zeros(count, np.float32)
        self._read(position, out, lambda: not self.is_seekable)
        return out if self.is_seekable else None

    def close(self) -> None:
        """Let the file go."""
        self._flow = None
        self._decoder.close()

    def _pour(self, start: int, end: int, is_jump: bool, is_canceled: Callable[[], bool]) -> None:
        """Fill the buffer from the flow; NoFlowError when that cannot be trusted all through.

        Whether a gap hides in a block shows only at the next one: one block more than needed is
        read, and the last stretch is left to the decoder.
        """
        grid = self.grid
        if is_jump or self._flow is None:
            lead_s = 0.0 if start <= grid.first else _RUN_UP_S
            self._flow = SoundFlow(
                self._decoder.path,
                self._decoder.stream_index,
                grid.rate,
                self._decoder.channels,
                self.channel,
                start / grid.rate + self.origin_s - lead_s,
            )
            self._over, self._shift = None, 0
            position, samples = self._poured()
            self._shift = self._decoder.on_grid(position) - position
            position += self._shift
            if position > start - (round(_WARM_UP_S * grid.rate) if start > grid.first else 0):
                raise NoFlowError
            if position < start - _FAR_S * grid.rate:
                self.is_seekable = False
            self._over = position, samples
        while not is_canceled():
            position, samples = self._over or self._poured()
            self._over = None
            if position >= end:
                self._over = position, samples
                break
            low, high = max(position, start), min(position + len(samples), end)
            if low < high:
                self._buffer[low - start : high - start] = samples[low - position : high - position]
            if position + len(samples) > end:
                following = self._poured()
                remaining = samples[end - position :]
                self._over = end, np.concatenate((remaining, following[1]))
                break

    def _poured(self) -> tuple[int, Floats]:
        assert self._flow is not None
        at_s, samples = self._flow.next()
        return round((at_s - self.origin_s) * self.grid.rate) + self._shift, samples

    def _read(self, start: int, out: Floats, is_canceled: Callable[[], bool]) -> None:
        """Fill `out`, float32[n], with the exact decoder."""
        decoder = self._decoder
        end = start + len(out)
        decoder.seek(start)
        filled = start
        is_first = True
        while filled < end and (block := decoder.next()) is not None and not is_canceled():
            position, samples = block
            if is_first and position < start - _FAR_S * self.grid.rate:
                self.is_seekable = False
            is_first = False
            low, high = max(position, filled), min(position + len(samples), end)
            if low < high:
                out[filled - start : low - start] = 0.0
                part = samples[low - position : high - position].T
                out[low - start : high - start] = outline(part, self.channel)
                filled = high
        out[filled - start :] = 0.0


def outline(planes: Floats, channel: int | None) -> Floats:
    """Samples to measure of float32[channels, n]: one channel, or with None their mean."""
    return mixed(planes) if channel is None else planes[channel]
