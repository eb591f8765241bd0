"""Keyframes of a track in the event log, packed: half of what they take as numbers in words.

The text is base64 of all frames (int64), all boxes (float64 x1, y1, x2, y2; NaN: out of view), and
a byte for each keyframe; little-endian.
"""

from __future__ import annotations

import base64
from typing import Final

import numpy as np

from annotator.domain.key_table import KeyTable
from annotator.domain.track import Keyframe

_OCCLUDED: Final = 1
_SETTLED: Final = 2
_SOURCE: Final = 4
_KEY_BYTES: Final = 8 + 4 * 8 + 1


def pack_keys(table: KeyTable, row: int) -> tuple[int, str]:
    """Return how many keyframes a track of a table has, and their text."""
    span = slice(table.bounds[row], table.bounds[row + 1])
    flags = (
        table.is_occluded[span] * _OCCLUDED
        + table.is_settled[span] * _SETTLED
        + table.sources[span] * _SOURCE
    ).astype(np.uint8)
    frames = table.frames[span].astype("<i8", copy=False)
    boxes = np.ascontiguousarray(table.boxes[span], "<f8")
    body = frames.tobytes() + boxes.tobytes() + flags.tobytes()
    return len(frames), base64.b64encode(body).decode("ascii")


def unpack_keys(n: int, text: str) -> tuple[Keyframe, ...]:
    """Return the keyframes in a text; ValueError when it is damaged."""
    body = base64.b64decode(text, validate=True)
    if len(body) != n * _KEY_BYTES:
        raise ValueError("the keyframes do not fit their number")
    flags = np.frombuffer(body, np.uint8, offset=n * (_KEY_BYTES - 1))
    table = KeyTable(
        np.array([0, n]),
        np.frombuffer(body, "<i8", count=n),
        np.frombuffer(body, "<f8", offset=n * 8, count=4 * n).reshape(-1, 4),
        (flags & _OCCLUDED) != 0,
        (flags & _SETTLED) != 0,
        flags // _SOURCE,
    )
    return table.keyframes(0)
