"""Flags of a keyframe as one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.key_table import SOURCES, KeyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

OCCLUDED: Final = 1
SETTLED: Final = 2
SOURCE: Final = 4
"""So many times the number of its source."""

_numbered = " ".join(f"WHEN '{source.value}' THEN {n}" for n, source in enumerate(SOURCES))
FLAGS: Final = (
    f"(occluded = 1) * {OCCLUDED} + (settled = 1) * {SETTLED}"
    f" + {SOURCE} * CASE source {_numbered} END"
)
"""In SQL: the number for a row of keyframes."""


def flags_of(table: KeyTable) -> NDArray[np.uint8]:
    """Return the number for each keyframe of a table."""
    return (
        table.is_occluded * np.uint8(OCCLUDED)
        + table.is_settled * np.uint8(SETTLED)
        + table.sources * np.uint8(SOURCE)
    )


def table_of(
    starts: NDArray[np.int64],
    frames: NDArray[np.int64],
    boxes: NDArray[np.float64],
    flags: NDArray[np.uint8],
) -> KeyTable:
    """Return the table in which keyframes with such numbers stand."""
    is_occluded, is_settled = (flags & OCCLUDED) != 0, (flags & SETTLED) != 0
    return KeyTable(starts, frames, boxes, is_occluded, is_settled, flags // SOURCE)
