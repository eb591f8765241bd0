"""Keyframes of a track as bytes: a tenth of the work that rows are.

The bytes are all frames (int64), all boxes (float64 x1, y1, x2, y2; NaN: out of view), and a byte
for each keyframe; little-endian. The event log has them as base64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.key_table import SOURCES, KeyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

OCCLUDED: Final = 1
SETTLED: Final = 2
SOURCE: Final = 4
"""Factor of the source's number."""
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
    """Return the table that contains keyframes with these numbers."""
    is_occluded, is_settled = (flags & OCCLUDED) != 0, (flags & SETTLED) != 0
    return KeyTable(starts, frames, boxes, is_occluded, is_settled, flags // SOURCE)


_FRAME_BYTES: Final = 8
_BOX_BYTES: Final = 4 * 8
_KEY_BYTES: Final = _FRAME_BYTES + _BOX_BYTES + 1


def pack_keys(table: KeyTable) -> list[bytes]:
    """Return the bytes of each track of a table."""
    frames = table.frames.astype("<i8", copy=False).tobytes()
    boxes = table.boxes.astype("<f8", copy=False).tobytes()
    flags = flags_of(table).tobytes()
    return [
        frames[a * _FRAME_BYTES : b * _FRAME_BYTES]
        + boxes[a * _BOX_BYTES : b * _BOX_BYTES]
        + flags[a:b]
        for a, b in zip(table.bounds, table.bounds[1:], strict=False)
    ]


def count_keys(body: bytes) -> int:
    """Return how many keyframes bytes hold; ValueError when they are damaged."""
    count, rest = divmod(len(body), _KEY_BYTES)
    if rest:
        raise ValueError("the keyframes do not fit their number")
    return count


def unpack_keys(bodies: Sequence[bytes]) -> KeyTable:
    """Return the table of packed tracks; ValueError if the bytes are damaged."""
    counts = list(map(count_keys, bodies))
    ends = [(n * _FRAME_BYTES, n * (_FRAME_BYTES + _BOX_BYTES)) for n in counts]
    pairs = list(zip(bodies, ends, strict=True))
    frames = np.frombuffer(b"".join(body[:end] for body, (end, _) in pairs), "<i8")
    boxes = np.frombuffer(b"".join(body[start:end] for body, (start, end) in pairs), "<f8")
    flags = np.frombuffer(b"".join(body[start:] for body, (_, start) in pairs), np.uint8)
    if (flags >= SOURCE * len(SOURCES)).any():
        raise ValueError("a keyframe is of no known source")
    starts = np.cumsum([0, *counts])
    return table_of(starts, frames.astype(np.int64), boxes.reshape(-1, 4), flags)
