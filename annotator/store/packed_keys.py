"""Keyframes of a track in the event log, packed: half of what they take as numbers in words.

The text is base64 of all frames (int64), all boxes (float64 x1, y1, x2, y2; NaN: out of view), and
a byte for each keyframe; little-endian.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.key_table import SOURCES, KeyTable
from annotator.domain.track import Keyframe
from annotator.store.key_flags import SOURCE, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEY_BYTES: Final = 8 + 4 * 8 + 1


def pack_keys(table: KeyTable, flags: NDArray[np.uint8], row: int) -> tuple[int, str]:
    """Return how many keyframes a track of a table has, and their text.

    ``flags`` are those of the whole table.
    """
    span = slice(table.bounds[row], table.bounds[row + 1])
    frames = table.frames[span].astype("<i8", copy=False)
    boxes = np.ascontiguousarray(table.boxes[span], "<f8")
    body = frames.tobytes() + boxes.tobytes() + flags[span].tobytes()
    return len(frames), base64.b64encode(body).decode("ascii")


def unpack_keys(n: int, text: str) -> tuple[Keyframe, ...]:
    """Return the keyframes in a text; ValueError when it is damaged."""
    body = base64.b64decode(text, validate=True)
    if len(body) != n * _KEY_BYTES:
        raise ValueError("the keyframes do not fit their number")
    flags = np.frombuffer(body, np.uint8, offset=n * (_KEY_BYTES - 1))
    if (flags >= SOURCE * len(SOURCES)).any():
        raise ValueError("a keyframe is of no known source")
    frames = np.frombuffer(body, "<i8", count=n)
    boxes = np.frombuffer(body, "<f8", offset=n * 8, count=4 * n).reshape(-1, 4)
    table = table_of(np.array([0, n]), frames, boxes, flags)
    return table.keyframes(0)
