"""Decodes one sound stream to blocks of samples with their media time."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.audio.frame import AudioFrame, format_dtypes
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Discard
from numpy.typing import NDArray

from annotator.domain.errors import MediaError
from annotator.media.audio.streams import (
    AudioStreamInfo,
    NoSoundError,
    described,
    open_sound,
)
from annotator.media.index.container import packets

Block = tuple[int, NDArray[np.float32]]
"""Position of the first sample (media time × rate) and the samples, [n, channels]."""


@dataclass(slots=True)
class Faults:
    """Faults of audio that was decoded from its start without a jump.

    Positions count samples like those of blocks. ``gaps`` are (position, samples missing),
    ``changes`` (position, rate, channel layout) where another kind of sound begins.
    ``n_samples`` counts what came out of the decoder, ``n_torn`` packets that it refused.
    """

    n_samples: int = 0
    n_torn: int = 0
    n_not_finite: int = 0
    first_not_finite: int = 0
    gaps: list[tuple[int, int]] = field(default_factory=list)
    changes: list[tuple[int, int, str]] = field(default_factory=list)


_Stamped = tuple[float | None, NDArray[np.float32]]
"""Time stamp in seconds, or None to continue the previous block, and samples [n, channels]."""

_RUN_UP_S = 0.3
"""Where a seek aims: this long before the target."""
_WARM_UP_S = 0.1
"""Start-up time of decoders with overlapping blocks (MDCT, bit reservoir); Opus needs 80 ms."""
_SLACK_S = 0.005
"""Time stamps that stray less than this from the sample count are jitter, more is a gap."""
_PLANAR_LIMIT = 8
"""From this many planes on, frames are interleaved by FFmpeg before Python looks at them."""


class AudioDecoder:
    """Read one sound stream forwards from any place; blocks never overlap and never go back.

    Positions count samples at `rate` from media time 0. `origin_s` is the file's own time stamp
    (seconds) of media time 0; None puts it at the first sample of this stream. Encoder priming,
    edit lists and end padding are cut where the file declares them, as FFmpeg does.

    ``until_s``: nothing from that media time on exists.

    Not safe for use by two threads at once.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        stream: int = 0,
        origin_s: float | None = None,
        until_s: float | None = None,
    ) -> None:
        self.path = Path(path)
        self._stream_number = stream
        self._container: InputContainer | None = None
        self.faults = Faults()
        self.streams: tuple[AudioStreamInfo, ...] = ()
        """All sound streams of the file."""
        self._stream, coming = self._open()
        heads = self._first_frames(coming)
        head = heads[0]
        self.rate: int = head.sample_rate
        self.channel_names: tuple[str, ...] = tuple(c.name for c in head.layout.channels)
        self._layout: str = head.layout.name
        self._tick = float(self._stream.time_base or 0)
        """Seconds per time stamp unit."""
        start_s = 0.0 if head.pts is None else head.pts * self._tick
        self._rounding = math.ceil(self._tick * self.rate)
        """Tolerance of time stamps in samples, caused by their unit."""
        self._slack = round((_SLACK_S + self._tick) * self.rate)
        self.origin_s: float = start_s if origin_s is None else origin_s
        self.first: int = round((start_s - self.origin_s) * self.rate)
        self._grain = heads[-1].samples if len(heads) > 1 else 0
        """Samples per coded frame, where they are all of one size."""
        self._phase = self.first + head.samples
        self._expected: int | None = self.first
        self._held: Block | None = None
        self._blocks = self._decode(chain(heads, coming))
        length = self._declared_length(start_s)
        self.end: int = self.first + (self._scanned_length() if length is None else length)
        self.until: int | None = None if until_s is None else round(until_s * self.rate)
        """Position from which on nothing is given."""
        if self.until is not None:
            self.end = max(self.first, min(self.end, self.until))

    @property
    def channels(self) -> int:
        """How many channels the blocks have: those of the stream's first frame."""
        return len(self.channel_names)

    @property
    def stream_index(self) -> int:
        """Number of the stream among all streams of the file, pictures too."""
        return self._stream.index

    def on_grid(self, position: int) -> int:
        """Where sound really begins after a seek when the time stamp, rounded, says `position`.

        That is where a coded frame begins, or as far into it as the priming that some demuxers cut
        from the head, and cut again after a seek.
        """
        snapped = self._snap(position, self._grain)
        if snapped != position or self._grain == 0:
            return snapped
        cut = (self.first - self._phase) % self._grain
        return self._snap(position - cut, self._grain) + cut

    def next(self) -> Block | None:
        """The next block, or None at the end or where the container is damaged beyond reading on.

        Raises MediaError when the disk fails.
        """
        if self._held is not None:
            block, self._held = self._held, None
            return block
        try:
            return self._within(next(self._blocks, None))
        except OSError as error:
            raise MediaError(
                f"Cannot read the audio: {error.strerror}.",
                hint="Check that the disk is connected.",
                where=str(self.path),
            ) from error
        except FFmpegError:
            return None

    def _within(self, block: Block | None) -> Block | None:
        """Return the part of a block that may be heard."""
        if block is None or self.until is None:
            return block
        position, samples = block
        return (position, samples[: self.until - position]) if position < self.until else None

    def seek(self, position: int) -> None:
        """Seek so that the next blocks contain `position` after the decoder's start-up.

        Goes further back until the time stamps prove it, in the last resort to the very start.
        """
        run_up = round(_RUN_UP_S * self.rate)
        warm_up = round(_WARM_UP_S * self.rate)
        while position - run_up > self.first + warm_up:
            if self._jump(position - run_up):
                block = self.next()
                if block is not None and block[0] <= position - warm_up:
                    self._held = block
                    return
            run_up *= 4
        self.rewind()

    def rewind(self) -> None:
        """Start again at the first sample; faults are counted anew.

        The file is opened afresh: after a seek to 0 not every demuxer cuts the priming again.
        """
        self.close()
        self.faults = Faults()
        self._stream, coming = self._open()
        self._blocks = self._decode(coming)
        self._expected = self.first
        self._held = None

    def close(self) -> None:
        """Let the file go."""
        if self._container is not None:
            self._container.close()
            self._container = None

    def _open(self) -> tuple[AudioStream, Iterator[AudioFrame]]:
        container = open_sound(self.path)
        self._container = container
        sounds = container.streams.audio
        self.streams = described(container)
        if not 0 <= self._stream_number < len(sounds):
            container.close()
            if not sounds:
                raise NoSoundError("The file has no audio stream.", where=str(self.path))
            raise MediaError(
                f"Audio stream {self._stream_number} does not exist: the file has {len(sounds)}.",
                where=str(self.path),
            )
        stream = sounds[self._stream_number]
        for other in container.streams:
            if other is not stream:
                other.discard = Discard.all
        return stream, self._frames(container, stream)

    def _first_frames(self, coming: Iterator[AudioFrame]) -> list[AudioFrame]:
        frames = list(islice(coming, 2))
        if not frames or not frames[0].sample_rate:
            self.close()
            name = self._stream.codec_context.name if self._stream.codec_context else "unknown"
            raise MediaError(
                f"Cannot decode the audio stream (codec {name}).",
                where=str(self.path),
            )
        return frames

    def _declared_length(self, start_s: float) -> int | None:
        """Samples of the stream as the file declares it."""
        assert self._container is not None
        if self._stream.duration is not None:
            return round(self._stream.duration * self._tick * self.rate)
        if self._container.duration is None:
            return None
        head_s = (self._container.start_time or 0) / av.time_base
        tail_s = head_s + self._container.duration / av.time_base
        return max(0, round((tail_s - start_s) * self.rate))

    def _scanned_length(self) -> int:
        """Samples up to the end of the last packet, by reading all packets."""
        self.rewind()
        assert self._container is not None
        last = self.first
        for packet in packets(self._container, self._stream):
            if packet.pts is not None:
                end_s = (packet.pts + (packet.duration or 0)) * self._tick
                last = max(last, self._position(end_s) or 0)
        self.rewind()
        return last - self.first

    def _jump(self, position: int) -> bool:
        assert self._container is not None
        stamp = math.floor((position / self.rate + self.origin_s) / self._tick)
        try:
            self._container.seek(stamp, stream=self._stream)
        except FFmpegError:
            return False
        self._held = None
        self._expected = None
        self._blocks = self._decode(self._frames(self._container, self._stream))
        return True

    def _decode(self, frames: Iterator[AudioFrame]) -> Iterator[Block]:
        """The blocks of these frames, each placed with the next one in view."""
        waiting: _Stamped | None = None
        for coming in self._stamped(frames):
            if waiting is not None:
                yield from self._place(*waiting, coming[0])
            waiting = coming
        if waiting is not None:
            yield from self._place(*waiting, None)

    def _place(
        self, start_s: float | None, samples: NDArray[np.float32], next_s: float | None
    ) -> Iterator[Block]:
        """Give a block its position: the sample count, unless time stamps say there is a gap."""
        expected = self._expected
        stamped = self._position(start_s)
        if expected is None and stamped is None:
            return
        if expected is None:
            position = self._snap(stamped or 0, len(samples))
        elif stamped is None or not self._is_shift(stamped, expected, len(samples), next_s):
            position = expected
        else:
            samples = samples[max(0, expected - stamped) :]
            position = max(expected, stamped)
        if len(samples):
            if expected is not None and position > expected:
                self.faults.gaps.append((expected, position - expected))
            self._expected = position + len(samples)
            yield position, self._finite(position, samples)

    def _finite(self, position: int, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Replace invalid samples by silence."""
        is_number = np.isfinite(samples).all(axis=1)
        if is_number.all():
            return samples
        if not self.faults.n_not_finite:
            self.faults.first_not_finite = position + int(is_number.argmin())
        self.faults.n_not_finite += int(np.count_nonzero(~is_number))
        return np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)

    def _stamped(self, frames: Iterator[AudioFrame]) -> Iterator[_Stamped]:
        converter = _Converter()
        kind = self.rate, self._layout
        for frame in frames:
            self.faults.n_samples += frame.samples
            if (frame.sample_rate, frame.layout.name) != kind:
                kind = frame.sample_rate, frame.layout.name
                at = self._position(_stamp(frame))
                self.faults.changes.append((self._expected or 0 if at is None else at, *kind))
            yield from converter.convert(frame, self.rate, self._layout)
        yield from converter.flush()

    def _frames(self, container: InputContainer, stream: AudioStream) -> Iterator[AudioFrame]:
        for packet in packets(container, stream):
            try:
                yield from [frame for frame in packet.stream.decode(packet) if frame.samples > 0]
            except FFmpegError:
                # A damaged packet is a gap, not the end of the sound.
                self.faults.n_torn += 1

    def _is_shift(self, stamped: int, expected: int, count: int, next_s: float | None) -> bool:
        """Whether a time stamp that differs from the sample count is meant."""
        off = abs(stamped - expected)
        if off <= self._rounding:
            return False
        following = self._position(next_s)
        if following is None:
            return off > self._slack
        if abs(following - (stamped + count)) <= self._rounding:
            return True
        # One stray stamp, as Ogg Vorbis has at block switches, or jitter: the next one disagrees.
        return off > self._slack and abs(following - (expected + count)) > self._slack

    def _position(self, time_s: float | None) -> int | None:
        return None if time_s is None else round((time_s - self.origin_s) * self.rate)

    def _snap(self, position: int, count: int) -> int:
        """Undo the rounding of coarse time stamps (1 ms in Matroska) after a seek.

        Coded frames of equal size lie on a grid from the first one on. The end of the block is
        compared, for some demuxers cut priming at the head again after a seek.
        """
        if not 0 < count <= self._grain:
            return position
        half = self._grain // 2
        off = (position + count - self._phase + half) % self._grain - half
        return position - off if abs(off) <= self._rounding else position


class _Converter:
    """Turn decoded frames to float32 [n, channels] at one rate and channel layout."""

    def __init__(self) -> None:
        self._resampler: AudioResampler | None = None
        self._source: tuple[str, str, int] | None = None
        self._start_s: float | None = None

    def convert(self, frame: AudioFrame, rate: int, layout: str) -> Iterator[_Stamped]:
        """Return (time stamp in seconds or None, samples) completed by `frame`."""
        source = (frame.format.name, frame.layout.name, frame.sample_rate)
        if source != self._source:
            yield from self.flush()
            self._source = source
        start_s = _stamp(frame)
        is_plain = source[1:] == (layout, rate) and _is_readable(frame)
        if is_plain:
            yield start_s, _samples(frame)
            return
        if self._resampler is None:
            self._resampler = AudioResampler(format="flt", layout=layout, rate=rate)
            self._start_s = start_s
        yield from self._collect(self._resampler.resample(frame))

    def flush(self) -> Iterator[_Stamped]:
        """Return the remaining samples of the resampler."""
        if self._resampler is not None:
            yield from self._collect(self._resampler.resample(None))
            self._resampler = None

    def _collect(self, frames: list[AudioFrame]) -> Iterator[_Stamped]:
        """Only the first block of a run is stamped: the count of samples carries the others."""
        for frame in frames:
            yield self._start_s, _samples(frame)
            self._start_s = None


def _stamp(frame: AudioFrame) -> float | None:
    return frame.time if frame.pts is not None else None


def _is_readable(frame: AudioFrame) -> bool:
    many = frame.format.is_planar and len(frame.layout.channels) >= _PLANAR_LIMIT
    return frame.format.name in format_dtypes and not many


def _samples(frame: AudioFrame) -> NDArray[np.float32]:
    """The samples of a frame as float32 [n, channels], full scale ±1."""
    raw = _raw(frame)
    floats = raw.astype(np.float32, order="C")
    if raw.dtype == np.uint8:
        floats = (floats - 128.0) / 128.0
    elif raw.dtype.kind == "i":
        floats /= 2.0 ** (8 * raw.itemsize - 1)
    return floats.T if frame.format.is_planar else floats.reshape(frame.samples, -1)


def _raw(frame: AudioFrame) -> NDArray[Any]:
    """The samples as they are stored: [channels, n] in planes, otherwise [1, n × channels]."""
    if not frame.format.is_planar:
        return frame.to_ndarray()
    # Copied out, since the decoder uses the memory again.
    out = np.empty((len(frame.layout.channels), frame.samples), format_dtypes[frame.format.name])
    for row, plane in zip(out, frame.planes, strict=False):
        row[:] = np.frombuffer(memoryview(plane), out.dtype, frame.samples)
    return out
