"""The sound of a video or sound file, cut exactly to the sample on the media clock."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.media.audio.audio_decoder import AudioDecoder
from annotator.media.audio.streams import AudioStreamInfo

_CHUNK_S = 1
_GO_ON_CHUNKS = 2
"""Decode on to a place at most this far ahead; seek to one further away."""


class Audio:
    """Random access to the samples of one sound stream; memory stays within `budget_bytes`.

    Media time 0 is where the file's own time stamps say `origin_s` (the first presented picture
    of a video); None means the first sample of this stream. Reads are exact to the sample, except
    that after a jump into Matroska sound with frames of changing size (Vorbis) the file's own
    rounding of time stamps (1 ms) remains.

    ``until_s``: the sound ends there for this reader, whatever the file holds.

    NoSoundError when the file has no sound stream, MediaError when it cannot be read. Several
    threads may read; a thread that must not wait for another takes its own `reopen()`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        stream: int = 0,
        origin_s: float | None = None,
        *,
        until_s: float | None = None,
        budget_bytes: int = 32 << 20,
    ) -> None:
        self._lock = threading.RLock()
        self._decoder = AudioDecoder(path, stream, origin_s, until_s)
        self.until_s = until_s
        """Where the sound ends for this reader, in media time; None where it does by itself."""
        self._stream = stream
        self._budget_bytes = budget_bytes
        self._chunk_length = _CHUNK_S * self._decoder.rate
        self._chunks: OrderedDict[int, NDArray[np.float32]] = OrderedDict()
        self._tail: tuple[int, NDArray[np.float32]] | None = None
        """A decoded block that reaches beyond the chunk it was decoded for."""
        self._reached = self._decoder.first
        """Samples up to here, of the current run of the decoder, are in the chunks or passed."""
        self._last = self._decoder.first
        """Position after the last sample met so far."""
        self._end: int | None = None
        """Position after the very last sample, once it was met."""

    @property
    def path(self) -> Path:
        """The file."""
        return self._decoder.path

    @property
    def stream(self) -> int:
        """Which of the file's sound streams this is."""
        return self._stream

    @property
    def streams(self) -> tuple[AudioStreamInfo, ...]:
        """All sound streams of the file."""
        return self._decoder.streams

    @property
    def origin_s(self) -> float:
        """The file's own time of media time 0, in seconds."""
        return self._decoder.origin_s

    @property
    def rate(self) -> int:
        """Samples per second and channel."""
        return self._decoder.rate

    @property
    def channels(self) -> int:
        """Number of channels."""
        return self._decoder.channels

    @property
    def channel_names(self) -> tuple[str, ...]:
        """FFmpeg's short names, such as FL, FR, FC, LFE."""
        return self._decoder.channel_names

    @property
    def start_s(self) -> float:
        """Media time of the first sample; negative when the sound begins before the picture."""
        return self._decoder.first / self.rate

    @property
    def duration(self) -> float:
        """Seconds from the first to the last sample, as the file declares it."""
        return (self._decoder.end - self._decoder.first) / self.rate

    def read(self, start_s: float, end_s: float) -> NDArray[np.float32]:
        """Samples of [start_s, end_s) media time: float32 [round((end - start) × rate), channels].

        Zeros where there is no sound: before the first sample, after the last, in gaps.
        Raises MediaError when the file cannot be read any more.
        """
        first = round(start_s * self.rate)
        count = max(0, round((end_s - start_s) * self.rate))
        return self.samples(first, count)

    def samples(self, first: int, count: int) -> NDArray[np.float32]:
        """`count` samples from position `first` (media time × rate) on, as `read` gives them."""
        out = np.zeros((count, self.channels), dtype=np.float32)
        at = max(first, self._decoder.first)
        with self._lock:
            while at < first + count and (self._end is None or at < self._end):
                number, offset = divmod(at, self._chunk_length)
                length = min(self._chunk_length - offset, first + count - at)
                chunk = self._chunk(number)
                out[at - first : at - first + length] = chunk[offset : offset + length]
                at += length
        return out

    def reopen(self, stream: int | None = None) -> Audio:
        """An independent reader of the same sound, or of another stream on the same clock."""
        return Audio(
            self.path,
            self._stream if stream is None else stream,
            self._decoder.origin_s,
            until_s=self.until_s,
            budget_bytes=self._budget_bytes,
        )

    def close(self) -> None:
        """Let the file and the cached samples go."""
        with self._lock:
            self._chunks.clear()
            self._decoder.close()

    def _chunk(self, number: int) -> NDArray[np.float32]:
        chunk = self._chunks.get(number)
        if chunk is None:
            chunk = self._fill(number)
            self._chunks[number] = chunk
            limit = max(2, self._budget_bytes // max(1, chunk.nbytes))
            while len(self._chunks) > limit:
                self._chunks.popitem(last=False)
        self._chunks.move_to_end(number)
        return chunk

    def _fill(self, number: int) -> NDArray[np.float32]:
        start = number * self._chunk_length
        stop = start + self._chunk_length
        begin = max(start, self._decoder.first)
        if not self._reached <= begin <= self._reached + _GO_ON_CHUNKS * self._chunk_length:
            self._decoder.seek(begin)
            self._tail = None
            self._reached = begin
        chunk = np.zeros((self._chunk_length, self.channels), dtype=np.float32)
        while True:
            block = self._tail or self._decoder.next()
            self._tail = None
            if block is None:
                self._end = self._last
                break
            position, samples = block
            low, high = max(position, start), min(position + len(samples), stop)
            if low < high:
                chunk[low - start : high - start] = samples[low - position : high - position]
            if position + len(samples) > stop:
                self._tail = block
                break
            self._last = max(self._last, position + len(samples))
        self._reached = stop
        return chunk
