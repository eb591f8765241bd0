"""Outlines of boxes in whole device pixels, by color and pattern.

Measured for 200 boxes: Qt's own dashed pen takes 2.2 ms, the same dashes as a texture on bars a
third of that; a plain pen 0.4 to 4 ms (thick and translucent), bars 0.4 to 0.7. The texture is
striped askew, so that it dashes lines of both directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from PySide6.QtGui import QBrush, QColor, QImage, QPainter

from annotator.ui.look.theme import luminance

if TYPE_CHECKING:
    from numpy.typing import NDArray

OUTDATED_INK: Final = 0xFFA0A4AA
"""Color (0xAARRGGBB) of proposals that wait for new ones."""

_DARK: Final = 0xFF14171C
_LIGHT: Final = 0xFFF4F5F7
# Colors darker than this get a light outline: a dark one would swallow them.
_NEEDS_LIGHT: Final = 0.12


@lru_cache(maxsize=64)
def outline_of(rgba: int) -> int:
    """Return the color (0xAARRGGBB) of the edge on both sides of a line."""
    return _DARK if luminance(QColor.fromRgba(rgba)) > _NEEDS_LIGHT else _LIGHT


Rect: TypeAlias = tuple[int, int, int, int]
# Runs of line and gap, in logical pixels.
Dashes: TypeAlias = tuple[int, ...]
SOLID: Final[Dashes] = ()
DASHED: Final[Dashes] = (8, 5)
DOTTED: Final[Dashes] = (3, 4)
DASHED_DOTTED: Final[Dashes] = (8, 4, 3, 4)


class _Kind(NamedTuple):
    """Bars of one color and pattern: whole frames, or their corners if ``length`` is given."""

    rgba: int
    dashes: Dashes
    width: int
    length: int


class Strokes:
    """Collects outlines in device pixels; ``unit`` is the device pixels of one logical pixel.

    Rectangles are (x, y, width, height); colors are 0xAARRGGBB; widths are logical pixels.
    """

    def __init__(self, unit: float) -> None:
        self._unit = unit
        self._rects: dict[_Kind, list[Rect]] = {}

    def frame(self, rect: Rect, rgba: int, width: int, dashes: Dashes = SOLID) -> None:
        """Add the outline of a rectangle, its line centered on the edge."""
        self._rects.setdefault(_Kind(rgba, dashes, width, 0), []).append(rect)

    def corners(self, rect: Rect, rgba: int, width: int, length: int) -> None:
        """Add short bars at the four corners of a rectangle."""
        self._rects.setdefault(_Kind(rgba, SOLID, width, length), []).append(rect)

    def fill(self, painter: QPainter) -> None:
        """Draw thin before thick, frames before corners, with a painter in device pixels."""
        fill = painter.fillRect
        for kind in sorted(self._rects, key=lambda kind: (kind.length, kind.width)):
            line = self._device(kind.width)
            rects = np.array(self._rects[kind], dtype=np.int64)
            if kind.length:
                bars = _corner_bars(rects, line, self._device(kind.length))
            else:
                bars = _frame_bars(rects, line)
            color = QColor.fromRgba(kind.rgba)
            ink = _texture(kind.rgba, kind.dashes, self._unit) if kind.dashes else color
            # Bar by bar: a pen takes up to six times as long, a list of rectangles half as long
            # again. By columns: thousands of short lists would set off the garbage collector.
            for x, y, width, height in zip(*bars.tolist(), strict=True):
                fill(x, y, width, height, ink)

    def _device(self, logical: int) -> int:
        return max(1, round(logical * self._unit))


def _frame_bars(rects: NDArray[np.int64], line: int) -> NDArray[np.int64]:
    """Return four bars for each rectangle [n, 4], as [4, 4 n]; they do not overlap."""
    x, y, w, h = _outer(rects, line)
    thick_x, thick_y = np.minimum(line, w), np.minimum(line, h)
    inner = np.maximum(h - 2 * line, 0)
    bars = (
        (x, y, w, thick_y),
        (x, y + h - thick_y, w, thick_y),
        (x, y + line, thick_x, inner),
        (x + w - thick_x, y + line, thick_x, inner),
    )
    return _interleaved(bars)


def _corner_bars(rects: NDArray[np.int64], line: int, length: int) -> NDArray[np.int64]:
    """Return eight bars for each rectangle [n, 4], as [4, 8 n]: two at each corner."""
    x, y, w, h = _outer(rects, line)
    dx, dy = np.minimum(length, w // 3), np.minimum(length, h // 3)
    right, bottom = x + w, y + h
    across, down = np.full_like(x, line), np.full_like(x, line)
    bars = (
        (x, y, dx, down),
        (x, bottom - line, dx, down),
        (right - dx, y, dx, down),
        (right - dx, bottom - line, dx, down),
        (x, y, across, dy),
        (x, bottom - dy, across, dy),
        (right - line, y, across, dy),
        (right - line, bottom - dy, across, dy),
    )
    return _interleaved(bars)


def _outer(rects: NDArray[np.int64], line: int) -> tuple[NDArray[np.int64], ...]:
    """Return x, y, width, height of what a line centered on the edges covers.

    One of an odd width lies on the pixels right of and below the edges, like a pen's.
    """
    out = line // 2
    more = 2 * out + line % 2
    x, y, w, h = rects.T
    return x - out, y - out, w + more, h + more


def _interleaved(bars: Sequence[Sequence[NDArray[np.int64]]]) -> NDArray[np.int64]:
    """Return the rows x, y, width, height, all bars of the first rectangle first."""
    return np.array(bars, dtype=np.int64).transpose(1, 2, 0).reshape(4, -1)


@lru_cache(maxsize=256)
def _texture(rgba: int, dashes: Dashes, unit: float) -> QBrush:
    """Return a brush striped askew by a dash pattern, its gaps in contrast."""
    runs = [max(1, round(d * unit)) for d in dashes]
    is_on = np.repeat(np.arange(len(runs)) % 2 == 0, runs)
    period = len(is_on)
    places = np.add.outer(np.arange(period), np.arange(period)) % period
    # Without an alpha channel the texture is copied, not blended: that is three times as fast.
    pixels = np.where(
        is_on[places], np.uint32(rgba & 0xFFFFFF), np.uint32(outline_of(rgba) & 0xFFFFFF)
    )
    image = QImage(pixels.tobytes(), period, period, 4 * period, QImage.Format.Format_RGB32)
    return QBrush(image.copy())
