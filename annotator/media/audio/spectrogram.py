"""Spectrogram tiles at every zoom level, and their color maps.

Loudness is kept in steps of half a decibel below full scale, one byte each; a byte becomes a
color by a table, so that gain, range and colors change without any computing.

Each map rises evenly in lightness, so that it also reads in gray; its hue only helps. The maps are
computed from curves of our own in the OKLab color space.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotator.media.audio.waveform import Floats, Grid


@dataclass(frozen=True, slots=True)
class _Path:
    """A way through color space: hue in degrees and colorfulness from quiet to loud."""

    hues: tuple[float, ...]
    chroma: float


_PATHS = {
    "lagoon": _Path((300.0, 262.0, 215.0, 165.0, 108.0), 0.13),
    "ember": _Path((285.0, 330.0, 385.0, 425.0, 462.0), 0.15),
    "gray": _Path((0.0, 0.0), 0.0),
}
NAMES = tuple(_PATHS)
"""The maps there are; the first is the usual one."""
_DARK = (0.12, 0.97)
_LIGHT = (0.98, 0.22)
"""Lightness of silence and of the loudest: silence is the background of the theme."""


@cache
def table(name: str, *, is_dark: bool = True) -> NDArray[np.uint8]:
    """Colors from silence to loudest: uint8[256, 4] in the order blue, green, red, alpha.

    KeyError for a name that is not in ``NAMES``. The array is shared: it cannot be written to.
    """
    path = _PATHS[name]
    at = np.linspace(0.0, 1.0, 256)
    light = np.interp(at, (0.0, 1.0), _DARK if is_dark else _LIGHT)
    hue = np.radians(np.interp(at, np.linspace(0.0, 1.0, len(path.hues)), path.hues))
    # Colorfulness fades towards both ends, where screens cannot show it.
    chroma = np.full(256, path.chroma) * np.minimum(1.0, 5.0 * np.minimum(at + 0.02, 1.03 - at))
    rgb = _in_gamut(light, chroma, hue)
    out = np.full((256, 4), 255, np.uint8)
    out[:, :3] = np.rint(rgb[:, ::-1] * 255.0).astype(np.uint8)
    out.setflags(write=False)
    return out


def _in_gamut(
    light: NDArray[np.float64], chroma: NDArray[np.float64], hue: NDArray[np.float64]
) -> NDArray[np.float64]:
    """sRGB 0..1, [n, 3]; colors beyond the screen lose colorfulness, never lightness."""
    scale = np.ones_like(light)
    for _ in range(60):
        linear = _linear_rgb(light, chroma * scale * np.cos(hue), chroma * scale * np.sin(hue))
        outside = ((linear < -1e-4) | (linear > 1.0001)).any(axis=1)
        if not outside.any():
            break
        scale[outside] *= 0.93
    linear = np.clip(linear, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _linear_rgb(
    light: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Linear RGB [n, 3] of OKLab colors."""
    cones = np.stack(
        (
            light + 0.3963377774 * a + 0.2158037573 * b,
            light - 0.1055613458 * a - 0.0638541728 * b,
            light - 0.0894841775 * a - 1.2914855480 * b,
        ),
        axis=1,
    )
    to_rgb = np.array(
        (
            (4.0767416621, -3.3077115913, 0.2309699292),
            (-1.2684380046, 2.6097574011, -0.3413193965),
            (-0.0041960863, -0.7034186147, 1.7076147010),
        )
    )
    rgb: NDArray[np.float64] = (cones**3) @ to_rgb.T
    return rgb


Scale = Literal["linear", "mel", "log"]
SCALES: tuple[Scale, ...] = ("linear", "mel", "log")
Levels = NDArray[np.uint8]
TILE_COLUMNS = 256
MIN_LEVEL = 4
"""A column of level n covers 2**n samples."""
FLOOR_DB = -120.0
STEP_DB = 0.5
_LOWEST_HZ = 40.0
_OVERVIEW_LEVEL = 13
_OVERVIEW_WINDOW = 2048
_OVERVIEW_COLUMNS = 32768
_ALL_WINDOWS = 1 << 26
"""Of longer sounds the overview looks at every other window: that it is soon there counts more."""
_LONG = 1 << 24
"""Number of samples from which OpenCV's transform pays for its import."""
_WINDOWS = ((16, 256), (64, 512), (256, 1024))
_LONGEST_WINDOW = 2048
_MAX_ROWS = 2048


@dataclass(frozen=True, slots=True)
class SpectrogramStyle:
    """How a spectrogram is drawn.

    ``height`` in device pixels. A tone of full scale has 0 dB: ``gain_db`` is added, then what
    lies ``range_db`` below 0 is as dark as silence. ``top_hz`` 0 shows all frequencies up to half
    the sample rate.
    """

    height: int = 128
    scale: Scale = "mel"
    gain_db: float = 20.0
    range_db: float = 80.0
    colors: str = NAMES[0]
    is_dark: bool = True
    top_hz: float = 0.0


@dataclass(frozen=True, slots=True)
class TileKey:
    """Which tile: columns of 2**level samples, TILE_COLUMNS of them from number * TILE_COLUMNS.

    Columns are counted from the sound's first sample.
    """

    level: int
    number: int
    look: SpectrogramStyle


@dataclass(frozen=True, slots=True)
class Tile:
    """A drawn tile for media time [start_s, end_s).

    ``bgra`` is uint8[look.height, TILE_COLUMNS, 4], C-contiguous, high frequencies on top; columns
    after the end of the sound are like silence. ``is_final`` False: only hinted at so far.
    """

    key: TileKey
    start_s: float
    end_s: float
    bgra: NDArray[np.uint8]
    is_final: bool


def level_for(rate: int, seconds_per_pixel: float) -> int:
    """The finest level with no more than about one column per pixel."""
    samples = max(seconds_per_pixel * rate, 1.0)
    return max(MIN_LEVEL, min(30, int(np.floor(np.log2(samples) + 0.5))))


def window_for(level: int) -> int:
    """Samples under one window at a level: short where time counts, long where pitch does."""
    hop = 1 << level
    return next((window for limit, window in _WINDOWS if hop <= limit), _LONGEST_WINDOW)


def place_of(hz: float, scale: Scale, top_hz: float) -> float:
    """Where a frequency lies on the axis: 0 at the bottom, 1 at ``top_hz``."""
    bottom, top = _bent(np.array([_LOWEST_HZ if scale == "log" else 0.0, top_hz]), scale)
    at = _bent(np.array([max(hz, _LOWEST_HZ if scale == "log" else 0.0)]), scale)[0]
    return float((at - bottom) / (top - bottom))


def loudness(
    samples: Floats,
    n_columns: int,
    hop: int,
    window: int,
    *,
    every: int = 1,
    power_of: Callable[[Floats], Floats] | None = None,
) -> Levels:
    """Byte loudness uint8[n_columns, window // 2 + 1] of float32[n_columns * hop + window - hop].

    Column i is centered on ``i * hop + window / 2``. With a hop longer than the window a column is
    the mean of all windows that fit into it, or of one in ``every`` few, and ``n_columns * hop``
    samples are enough. ``power_of`` gives the power of each bin of windows float32[n, window].
    """
    power_of = power_of or _power
    if hop >= window:
        frames = samples[: n_columns * hop].reshape(-1, window)[::every]
        per_column = len(frames) // n_columns
    else:
        per_column = 1
        frames = np.lib.stride_tricks.sliding_window_view(samples, window)[::hop][:n_columns]
    out = np.empty((n_columns, window // 2 + 1), np.uint8)
    batch = max(1, (1 << 17) // (per_column * window))
    for at in range(0, n_columns, batch):
        some = frames[at * per_column : (at + batch) * per_column] * _hann(window)
        power = power_of(some)
        if per_column > 1:
            power = power.reshape(-1, per_column, power.shape[1]).mean(axis=1)
        out[at : at + batch] = _bytes(power)
    return out


class Overview:
    """Byte loudness of a whole sound in coarse columns, filled in stretch by stretch.

    ``columns`` is uint8[n, bins]; ``level`` its level. Reading while it is written is safe.
    """

    def __init__(self, grid: Grid) -> None:
        level = _OVERVIEW_LEVEL
        while (grid.end - grid.first) >> level > _OVERVIEW_COLUMNS and 2 << level <= grid.stretch:
            level += 1
        self.grid = grid
        self.level = level
        self.is_known = np.zeros(grid.n_stretches, np.bool_)
        self._per_stretch = grid.stretch >> level
        length = grid.end - grid.first
        self._every = 1 if length <= _ALL_WINDOWS else 2
        self._power_of = _power if length <= _LONG else _power_by_opencv
        shape = (grid.n_stretches * self._per_stretch, _OVERVIEW_WINDOW // 2 + 1)
        self.columns: Levels = np.zeros(shape, np.uint8)

    def write(self, stretch: int, samples: Floats) -> None:
        """Take the samples float32[grid.stretch] of a stretch."""
        first = stretch * self._per_stretch
        self.columns[first : first + self._per_stretch] = loudness(
            samples,
            self._per_stretch,
            1 << self.level,
            _OVERVIEW_WINDOW,
            every=self._every,
            power_of=self._power_of,
        )
        self.is_known[stretch] = True

    def sketch(self, stretch: int, samples: Floats) -> None:
        """Estimate a range from a few samples (at least one window) until it is computed."""
        first = stretch * self._per_stretch
        hint = loudness(samples, 1, _OVERVIEW_WINDOW, _OVERVIEW_WINDOW)[0]
        self.columns[first : first + self._per_stretch] = hint

    def tile(self, level: int, number: int) -> tuple[Levels, bool]:
        """Columns of a tile of this level or a coarser one, and whether they are final."""
        step = 1 << (level - self.level)
        first = number * TILE_COLUMNS * step
        part = self.columns[first : first + TILE_COLUMNS * step]
        out = np.zeros((TILE_COLUMNS, part.shape[1]), np.uint8)
        whole = len(part) // step
        out[:whole] = part[: whole * step].reshape(whole, step, part.shape[1]).max(axis=1)
        if whole * step < len(part):
            out[whole] = part[whole * step :].max(axis=0)
        known = self.is_known[
            first // self._per_stretch : (first + len(part) - 1) // self._per_stretch + 1
        ]
        return out, bool(known.all())


def draw(columns: Levels, look: SpectrogramStyle, rate: int) -> NDArray[np.uint8]:
    """Colors uint8[look.height, columns, 4] of byte loudness uint8[columns, bins]."""
    height = max(1, min(look.height, _MAX_ROWS))
    top_hz = look.top_hz if 0 < look.top_hz <= rate / 2 else rate / 2
    lower, upper, weight = _rows(columns.shape[1], height, look.scale, top_hz / (rate / 2), rate)
    wide = np.maximum.reduceat(
        np.concatenate((columns, columns[:, -1:]), axis=1),
        np.stack((lower, upper), axis=1).ravel(),
        axis=1,
    )[:, ::2]
    # Where rows are finer than the windows resolve, the next bin is faded in.
    nearest = columns[:, lower].astype(np.float32)
    following = columns[:, np.minimum(lower + 1, columns.shape[1] - 1)]
    fine = nearest + weight * (following - nearest)
    rows = np.where(upper - lower > 1, wide, np.rint(fine).astype(np.uint8))
    colors = _colors(look.gain_db, look.range_db, look.colors, look.is_dark)
    return np.ascontiguousarray(colors[rows.T[::-1]]).view(np.uint8).reshape(height, -1, 4)


def _power(windows: Floats) -> Floats:
    """The power of each bin, float32[n, window // 2 + 1], of float32[n, window]."""
    spectra = np.fft.rfft(windows)
    power: Floats = np.square(spectra.real, dtype=np.float32)
    power += np.square(spectra.imag, dtype=np.float32)
    return power


def _power_by_opencv(windows: Floats) -> Floats:
    """The same some eight times as quick, for those who can wait for OpenCV to be loaded."""
    import cv2

    # Each row comes as re 0, re 1, im 1, re 2, ... re n/2.
    packed = cv2.dft(windows, flags=cv2.DFT_ROWS)
    np.square(packed, out=packed)
    power = np.empty((len(packed), packed.shape[1] // 2 + 1), np.float32)
    power[:, 0], power[:, -1] = packed[:, 0], packed[:, -1]
    np.add(packed[:, 1:-1:2], packed[:, 2:-1:2], out=power[:, 1:-1])
    return power


@cache
def _hann(window: int) -> Floats:
    """A Hann window scaled so that a tone of full scale has the power 1."""
    bell = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    return np.asarray(bell * (2.0 / bell.sum()), np.float32)


def _bytes(power: Floats) -> Levels:
    np.maximum(power, np.float32(1e-13), out=power)
    # Numpy's logarithm to base 10 is several times slower than the natural one.
    np.log(power, out=power)
    power *= np.float32(10.0 / np.log(10.0) / STEP_DB)
    power -= np.float32(FLOOR_DB / STEP_DB - 0.5)
    return np.clip(power, 0.0, 255.0, out=power).astype(np.uint8)


def _bent(hz: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Frequencies on the axis of a scale."""
    if scale == "mel":
        return 2595.0 * np.log10(1.0 + hz / 700.0)
    return np.log(hz) if scale == "log" else hz


def _unbent(place: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    if scale == "mel":
        return np.asarray(700.0 * (10.0 ** (place / 2595.0) - 1.0))
    return np.exp(place) if scale == "log" else place


@lru_cache(64)
def _rows(
    n_bins: int, height: int, scale: Scale, part: float, rate: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """For each row from below the bins [lower, upper) it shows and the share of the next one."""
    nyquist = rate / 2
    low, high = _bent(
        np.array([_LOWEST_HZ if scale == "log" else 0.0, nyquist * part], np.float64), scale
    )
    edges = _unbent(np.linspace(low, high, height + 1), scale) / nyquist * (n_bins - 1)
    centers = (edges[:-1] + edges[1:]) / 2
    lower = np.clip(np.floor(edges[:-1]), 0, n_bins - 1).astype(np.int64)
    upper = np.clip(np.ceil(edges[1:]), lower + 1, n_bins).astype(np.int64)
    narrow = edges[1:] - edges[:-1] < 1.0
    lower[narrow] = np.clip(np.floor(centers[narrow]), 0, n_bins - 1).astype(np.int64)
    upper[narrow] = lower[narrow] + 1
    return lower, upper, (centers - lower).astype(np.float32)


@lru_cache(64)
def _colors(gain_db: float, range_db: float, name: str, is_dark: bool) -> NDArray[np.uint32]:
    """The color of each byte of loudness, uint32[256]: four bytes in one."""
    db = FLOOR_DB + STEP_DB * np.arange(256) + gain_db
    place = np.clip(np.rint((db / max(range_db, 1.0) + 1.0) * 255.0), 0, 255).astype(np.int64)
    place[0] = 0
    colors: NDArray[np.uint32] = table(name, is_dark=is_dark)[place].view(np.uint32)
    return colors[:, 0]
