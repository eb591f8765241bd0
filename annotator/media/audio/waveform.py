"""The outline of a sound at every zoom: least, greatest and effective value; and its onsets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_STEP = 4
"""Number of blocks that a level joins from the level below."""
_FINEST = 256
_BUDGET_BYTES = 48 << 20
_BYTES_PER_BLOCK = 6
_STRETCH = 1 << 20
_FULL = 32767.0
_UNKNOWN = 32767, -32768, 0


@dataclass(frozen=True, slots=True)
class Peaks:
    """The outline of a span in equal columns; float32[n_columns] each, full scale +-1.

    ``low`` and ``high`` enclose the samples of each column, ``rms`` is their effective value.
    NaN where nothing is known yet. ``is_final`` is False while a better answer is on its way.
    With less than a sample per column the sound is drawn as straight lines between samples.
    """

    low: Floats
    high: Floats
    rms: Floats
    is_final: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """How a sound is cut up: positions count samples from media time 0.

    ``first`` and ``end`` enclose the sound, ``stretch`` samples are measured at a time, ``block``
    samples make one block of the finest level. Both are powers of two.
    """

    rate: int
    first: int
    end: int
    block: int
    stretch: int

    @classmethod
    def of(cls, rate: int, first: int, end: int) -> Grid:
        """Blocks and stretches that keep memory bounded, however long the sound is."""
        block = _FINEST
        while (end - first) // block * _BYTES_PER_BLOCK > _BUDGET_BYTES:
            block *= _STEP
        return cls(rate, first, max(end, first + 1), block, max(_STRETCH, block))

    @property
    def n_stretches(self) -> int:
        return -(-(self.end - self.first) // self.stretch)

    def span(self, stretch: int) -> tuple[int, int]:
        """Positions [start, end) of a stretch."""
        start = self.first + stretch * self.stretch
        return start, start + self.stretch

    def stretches(self, start_s: float, end_s: float) -> range:
        """The stretches that a span of media time touches."""
        low = (round(start_s * self.rate) - self.first) // self.stretch
        high = -((self.first - round(end_s * self.rate)) // self.stretch)
        return range(max(0, low), min(self.n_stretches, max(0, high)))


def mixed(planes: Floats) -> Floats:
    """The mean of all channels, float32[n], of float32[channels, n]."""
    if len(planes) == 1:
        first: Floats = planes[0]
        return first
    # Far quicker than the mean along an axis.
    out: Floats = np.add(planes[0], planes[1])
    for plane in planes[2:]:
        out += plane
    out *= np.float32(1 / len(planes))
    return out


class PeakPyramid:
    """Waveform envelope of a whole sound, filled in by ranges in any order.

    ``levels[k]`` is int16[3, blocks]: least, greatest, effective value of blocks of
    ``grid.block * 4**k`` samples. One thread at a time may write a stretch; reading meanwhile is
    safe and finds the samples there.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.is_known = np.zeros(grid.n_stretches, np.bool_)
        self.levels: list[NDArray[np.int16]] = []
        block = grid.block
        while block <= grid.stretch:
            level = np.empty((3, grid.n_stretches * (grid.stretch // block)), np.int16)
            level[:] = np.array(_UNKNOWN, np.int16)[:, None]
            self.levels.append(level)
            block *= _STEP

    def write(self, stretch: int, samples: Floats) -> None:
        """Take the samples of a whole stretch, float32[grid.stretch]."""
        values = _measured(samples.reshape(-1, self.grid.block))
        for number, level in enumerate(self.levels):
            if number:
                low, high, rms = (v.reshape(-1, _STEP) for v in values)
                values = low.min(axis=1), high.max(axis=1), np.sqrt((rms * rms).mean(axis=1))
            width = level.shape[1] // self.grid.n_stretches
            level[:, stretch * width : (stretch + 1) * width] = _packed(*values)
        self.is_known[stretch] = True

    def sketch(self, stretch: int, samples: Floats) -> None:
        """Estimate a range from a few samples until it is computed."""
        for level in self.levels:
            width = level.shape[1] // self.grid.n_stretches
            level[:, stretch * width : (stretch + 1) * width] = _packed(
                *_measured(samples[None, :])
            )

    def query(self, start_s: float, end_s: float, n_columns: int) -> Peaks:
        """The outline of [start_s, end_s) by blocks."""
        grid = self.grid
        edges = np.linspace(start_s * grid.rate, end_s * grid.rate, n_columns + 1) - grid.first
        width = (end_s - start_s) * grid.rate / n_columns
        number, block = 0, grid.block
        while number + 1 < len(self.levels) and block * _STEP * _STEP <= width:
            number, block = number + 1, block * _STEP
        level = self.levels[number]
        n_blocks = level.shape[1]
        starts = np.floor(edges[:-1] / block).astype(np.int64)
        stops = np.ceil(edges[1:] / block).astype(np.int64)
        low_place = np.clip(starts[0], 0, n_blocks)
        high_place = np.clip(stops[-1], low_place, n_blocks)
        part = level[:, low_place:high_place]
        out = np.full((3, n_columns), np.nan, np.float32)
        length = grid.end - grid.first
        inside = (edges[1:] > 0) & (edges[:-1] < length) if part.shape[1] else None
        if inside is not None and inside.any():
            out[:, inside] = _join_blocks(
                part, (starts - low_place)[inside], (stops - low_place)[inside]
            )
        known_ranges = grid.stretches(start_s, end_s)
        is_known = bool(self.is_known[known_ranges.start : known_ranges.stop].all())
        return Peaks(out[0], out[1], out[2], is_known and (number > 0 or width >= block))


def sample_peaks(
    read: Callable[[int, int], Floats | None],
    rate: int,
    start_s: float,
    end_s: float,
    n_columns: int,
) -> Peaks | None:
    """The outline of a short span from the samples themselves; None when they are not at hand.

    ``read(first, count)`` gives float32[count] from a position on.
    """
    edges = np.linspace(start_s * rate, end_s * rate, n_columns + 1)
    first = int(np.floor(edges[0]))
    count = int(np.ceil(edges[-1])) + 2 - first
    samples = read(first, count)
    if samples is None:
        return None
    if (end_s - start_s) * rate < n_columns:
        line = np.interp(edges, np.arange(first, first + count), samples).astype(np.float32)
        low, high = np.minimum(line[:-1], line[1:]), np.maximum(line[:-1], line[1:])
        return Peaks(low, high, np.abs(line[:-1]), True)
    places = np.floor(edges).astype(np.int64) - first
    starts, sizes = places[:-1], np.maximum(np.diff(places), 1)
    body = samples[: places[-1] + 1]
    # One sample more than the column holds joins it to the next without a break in the line.
    low, high = np.minimum.reduceat(body, starts), np.maximum.reduceat(body, starts)
    after = samples[places[1:]]
    rms = np.sqrt(np.add.reduceat(body * body, starts) / sizes).astype(np.float32)
    return Peaks(np.minimum(low, after), np.maximum(high, after), rms, True)


def _measured(blocks: Floats) -> tuple[Floats, Floats, Floats]:
    """Least, greatest and effective value of each row of float32[n, block]."""
    flat, starts = blocks.ravel(), np.arange(0, blocks.size, blocks.shape[1])
    rms: Floats = np.sqrt(np.vecdot(blocks, blocks) / np.float32(blocks.shape[1]))
    # Twice as quick as `min` and `max` along an axis.
    return np.minimum.reduceat(flat, starts), np.maximum.reduceat(flat, starts), rms


def _packed(low: Floats, high: Floats, rms: Floats) -> NDArray[np.int16]:
    """int16[3, n] for float32[n] each; values are clipped to full scale."""
    values = np.stack((low, high, rms)) * np.float32(_FULL)
    whole: NDArray[np.int16] = np.clip(np.rint(values), -_FULL, _FULL).astype(np.int16)
    return whole


def _join_blocks(
    part: NDArray[np.int16], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> Floats:
    """Join blocks [start, stop) to columns: float32[3, n]."""
    last = part.shape[1] - 1
    starts = np.clip(starts, 0, last)
    stops = np.clip(stops, starts + 1, last + 1)
    pairs = np.stack((starts, stops), axis=1).ravel()
    # One block more, so that the last column too has a place to stop before.
    part = np.concatenate((part, part[:, -1:]), axis=1)
    low = np.minimum.reduceat(part[0], pairs)[::2].astype(np.float32)
    high = np.maximum.reduceat(part[1], pairs)[::2].astype(np.float32)
    squares = part[2].astype(np.float32) ** 2
    rms = np.sqrt(np.add.reduceat(squares, pairs)[::2] / (stops - starts))
    out: Floats = np.stack((low, high, rms)).astype(np.float32)
    out /= np.float32(_FULL)
    out[:, low > high] = np.nan
    return out


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
