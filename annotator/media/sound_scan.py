"""Reads a sound stretch by stretch, in any order, to measure it; bounded memory."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from annotator.media.audio_decoder import AudioDecoder
from annotator.media.waveform import Floats, Grid

_FAR_S = 10.0
"""A seek that lands so far before its target does not pay: this file is read from the front."""


class SoundScan:
    """One reader of one sound stream for one thread.

    `origin_s` is as for `Audio`. Raises MediaError like it.
    """

    def __init__(self, path: str | os.PathLike[str], stream: int, origin_s: float | None) -> None:
        self._decoder = AudioDecoder(path, stream, origin_s)
        self.channel_names = self._decoder.channel_names
        self.grid = Grid.of(
            self._decoder.rate, self._decoder.channels, self._decoder.first, self._decoder.end
        )
        self.is_seekable = True
        """Turns False when a seek led back to the front of the file."""
        self.place = 0
        """The stretch that comes next without a seek."""
        self._carried: tuple[int, Floats] | None = None
        self._buffer: Floats = np.zeros((0, 0), np.float32)

    @property
    def origin_s(self) -> float:
        """The file's own time stamp of media time 0, in seconds."""
        return self._decoder.origin_s

    def stretch(self, number: int, is_cancelled: Callable[[], bool]) -> Floats | None:
        """Samples of a stretch, float32[channels, grid.stretch]; zeros where there is no sound.

        Overwritten by the next call. None when cancelled.
        """
        grid = self.grid
        start, end = grid.span(number)
        if number != self.place and (self.is_seekable or not 0 <= self.place < number):
            self._seek(start)
        self.place = -1
        if self._buffer.size == 0:
            self._buffer = np.empty((grid.channels, grid.stretch), np.float32)
        buffer = self._buffer
        filled = start
        while filled < end:
            block = self._next()
            if block is None or is_cancelled():
                break
            position, samples = block
            low, high = max(position, start), min(position + len(samples), end)
            if low < high:
                buffer[:, filled - start : low - start] = 0.0
                buffer[:, low - start : high - start] = samples[low - position : high - position].T
                filled = high
            if position + len(samples) > end:
                self._carried = block
                break
        buffer[:, filled - start :] = 0.0
        if is_cancelled():
            return None
        self.place = number + 1
        return buffer

    def glimpse(self, position: int, count: int) -> Floats | None:
        """A few samples from a position on, float32[channels, count]; None where it cannot jump."""
        self.place = -1
        self._seek(position)
        if not self.is_seekable:
            return None
        out = np.zeros((self.grid.channels, count), np.float32)
        filled = position
        while filled < position + count:
            block = self._next()
            if block is None:
                break
            at, samples = block
            low, high = max(at, position), min(at + len(samples), position + count)
            if low < high:
                out[:, low - position : high - position] = samples[low - at : high - at].T
            filled = at + len(samples)
        return out

    def close(self) -> None:
        """Let the file go."""
        self._decoder.close()

    def _next(self) -> tuple[int, NDArray[np.float32]] | None:
        if self._carried is not None:
            block, self._carried = self._carried, None
            return block
        return self._decoder.next()

    def _seek(self, position: int) -> None:
        self._carried = None
        self._decoder.seek(position)
        block = self._decoder.next()
        self._carried = block
        if block is not None and block[0] < position - _FAR_S * self.grid.rate:
            self.is_seekable = False
