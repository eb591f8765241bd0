"""Pixels from fractions of the picture and back, exact to the bit for unedited values.

A fraction times the size gives the pixel, the pixel by the size nearly always the very same
fraction again; where rounding leaves it a step of its last bit away, that step is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

DECIMALS: Final = 9
"""Of a computed coordinate: a hundred-thousandth of a pixel, without the noise of the division."""

MAX_BEYOND: Final = 100.0
"""How many picture sizes away a coordinate may lie; beyond it is damage."""

_AXES: Final = ("x", "y")
_STEP: Final = re.compile(r"([xy])([+-]\d)\Z")

MAX_MARKS: Final = 5_000_000
"""Of one video: a mark takes memory for every frame of a point's life, however few are written."""

Size = tuple[int, int]


def to_pixels(values: NDArray[np.float64], size: Size) -> NDArray[np.float64]:
    """Return pixels [n, 2] (x, y) for fractions [n, 2]; ``size`` is (width, height)."""
    return values * np.asarray(size, dtype=np.float64)


def kept_steps(
    values: NDArray[np.float64], size: Size, frames: NDArray[np.int64]
) -> dict[str, Json]:
    """Return where the way through pixels misses, for `to_fractions`; empty where it never does.

    Frames by axis and number of steps: ``{"x+1": [3, 17], "y-1": [4]}``.
    """
    found: dict[str, Json] = {}
    back = to_pixels(values, size) / np.asarray(size, dtype=np.float64)
    missed = _bits(values) - _bits(back)
    for column, axis in enumerate(_AXES):
        steps = missed[:, column]
        for step in sorted(set(steps[steps != 0].tolist())):
            found[f"{axis}{step:+d}"] = frames[steps == step].tolist()
    return found


def to_fractions(
    xy: NDArray[np.float64], size: Size, frames: NDArray[np.int64], steps: Mapping[str, Json]
) -> NDArray[np.float64]:
    """Return the fractions [n, 2] that pixels [n, 2] on ``frames`` (ascending) were made from."""
    values = xy / np.asarray(size, dtype=np.float64)
    bits = _bits(values)
    for key, kept in steps.items():
        if (found := _STEP.match(key)) and isinstance(kept, list):
            rows = np.isin(frames, [frame for frame in kept if isinstance(frame, int)])
            bits[rows, _AXES.index(found.group(1))] += int(found.group(2))
    return bits.view(np.float64)


def _bits(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.ascontiguousarray(values).view(np.int64).copy()
