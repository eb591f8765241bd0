"""Reader and renderer of one thread of the audio display."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from annotator.media.audio.reader import Audio
from annotator.media.audio.scan import SoundChoice, SoundScan, outline
from annotator.media.audio.spectrogram import (
    TILE_COLUMNS,
    Overview,
    Tile,
    TileKey,
    draw,
    loudness,
    window_for,
)
from annotator.media.audio.waveform import Floats

_READ_BYTES = 8 << 20


class SoundHand:
    """Two readers of one outline of a sound: ``scan`` goes through it, the other jumps about.

    Raises MediaError when the file cannot be read.
    """

    def __init__(
        self, path: Path, choice: SoundChoice, origin_s: float | None, until_s: float | None = None
    ) -> None:
        self.scan = SoundScan(path, choice, origin_s, until_s)
        self._until_s = until_s
        self._path, self._stream = path, choice.stream
        self._audio: Audio | None = None

    def read(self, first: int, count: int) -> Floats:
        """Samples float32[count] from a position on."""
        if self._audio is None:
            self._audio = Audio(
                self._path,
                self._stream,
                self.scan.origin_s,
                until_s=self._until_s,
                budget_bytes=_READ_BYTES,
            )
        piece = max(1, _READ_BYTES // (4 * self._audio.channels))
        out = np.empty(count, np.float32)
        for at in range(0, count, piece):
            size = min(piece, count - at)
            planes = self._audio.samples(first + at, size).T
            out[at : at + size] = outline(planes, self.scan.channel)
        return out

    def tile(self, key: TileKey, overview: Overview) -> Tile:
        """Draw a tile: a coarse one from the overview, a fine one from the samples."""
        grid, hop = self.scan.grid, 1 << key.level
        first = grid.first + key.number * TILE_COLUMNS * hop
        if key.level >= overview.level:
            columns, is_final = overview.tile(key.level, key.number)
        else:
            window = window_for(key.level)
            beyond = max(0, window - hop)
            samples = self.read(first - beyond // 2, TILE_COLUMNS * hop + beyond)
            columns, is_final = loudness(samples, TILE_COLUMNS, hop, window), True
        return Tile(
            key,
            first / grid.rate,
            (first + TILE_COLUMNS * hop) / grid.rate,
            draw(columns, key.look, grid.rate),
            is_final,
        )

    def close(self) -> None:
        """Let the file go."""
        self.scan.close()
        if self._audio is not None:
            self._audio.close()
