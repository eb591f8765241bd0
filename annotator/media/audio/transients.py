"""Onsets of sounds: sudden rises of the high frequencies, for snapping."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annotator.media.audio.waveform import Floats, Grid

_HOP = 128
_AFTER = 6
_BEFORE = 12
"""Blocks after and before a moment that are compared."""
_RISE_DB = 9.0
_FLOOR_DB = -70.0
_APART_S = 0.04
"""Two beginnings closer than this are one: the stronger."""


class Transients:
    """The brightness of a sound in short blocks, filled in stretch by stretch in any order."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.is_known = np.zeros(grid.n_stretches, np.bool_)
        self._per_stretch = grid.stretch // _HOP
        self.energy: NDArray[np.float16] = np.full(
            grid.n_stretches * self._per_stretch, np.nan, np.float16
        )
        """Decibels of each block; NaN where it is not known yet."""

    def write(self, stretch: int, samples: Floats) -> None:
        """Take the samples float32[grid.stretch] of a stretch, all channels mixed."""
        steps = np.empty_like(samples)
        steps[0] = 0.0
        np.subtract(samples[1:], samples[:-1], out=steps[1:])
        blocks = steps.reshape(-1, _HOP)
        power = np.einsum("ij,ij->i", blocks, blocks) / np.float32(_HOP)
        first = stretch * self._per_stretch
        self.energy[first : first + self._per_stretch] = 10.0 * np.log10(power + 1e-12)
        self.is_known[stretch] = True

    def find(self, start_s: float, end_s: float) -> NDArray[np.float64]:
        """Media times in [start_s, end_s) at which something begins to sound, ascending."""
        low, rise = self._rises(start_s, end_s)
        rate, first = self.grid.rate, self.grid.first
        if not len(rise):
            return np.empty(0)
        times = (first + (low + _strongest(rise, round(_APART_S * rate / _HOP))) * _HOP) / rate
        return times[(times >= start_s) & (times < end_s)]

    def greatest_rise(self, start_s: float, end_s: float) -> float:
        """The greatest rise of the high frequencies in [start_s, end_s), in dB; 0 in silence."""
        low, rise = self._rises(start_s, end_s)
        times = (self.grid.first + (low + np.arange(len(rise))) * _HOP) / self.grid.rate
        return float(rise[(times >= start_s) & (times < end_s)].max(initial=0.0))

    def _rises(self, start_s: float, end_s: float) -> tuple[int, NDArray[np.float64]]:
        """First block and rise in dB of the blocks around a stretch; none where that is short."""
        rate, first = self.grid.rate, self.grid.first
        margin = _AFTER + _BEFORE + round(_APART_S * rate / _HOP)
        low = (round(start_s * rate) - first) // _HOP - margin
        high = (round(end_s * rate) - first) // _HOP + margin
        low, high = max(0, low), min(len(self.energy), max(0, high))
        energy = self.energy[low:high].astype(np.float64)
        if len(energy) <= _BEFORE:
            return low, np.empty(0)
        quiet = np.concatenate((np.full(_BEFORE, -120.0 if low == 0 else np.nan), energy))
        quiet = np.concatenate((quiet, np.full(_AFTER, energy[-1])))
        windows = np.lib.stride_tricks.sliding_window_view(quiet, _BEFORE + _AFTER)[: len(energy)]
        before = windows[:, :_BEFORE].max(axis=1)
        after = windows[:, _BEFORE:].mean(axis=1)
        rise = np.where(energy > _FLOOR_DB, np.minimum(after, energy + 3.0) - before, 0.0)
        return low, np.nan_to_num(rise, nan=0.0)


def _strongest(rise: NDArray[np.float64], apart: int) -> NDArray[np.int64]:
    """Places that rise enough and are not outdone nearby; of equals the first."""
    padded = np.concatenate((np.zeros(apart), rise, np.zeros(apart)))
    around = np.lib.stride_tricks.sliding_window_view(padded, 2 * apart + 1)
    return np.flatnonzero((rise >= _RISE_DB) & (around.argmax(axis=1) == apart))
