"""Keyframes of a track as bytes: a tenth of the work that rows are, and half of their size.

The bytes are all frames (int64), all boxes (float64 x1, y1, x2, y2; NaN: out of view), and a byte
for each keyframe; little-endian. The event log has them as base64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from annotator.domain.annotation.key_table import SOURCES, KeyTable
from annotator.store.annotation.key_flags import SOURCE, flags_of, table_of

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
    """Return the table of the tracks whose bytes these are; ValueError when they are damaged."""
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
