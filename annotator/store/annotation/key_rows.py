"""The keyframes of a draft, read as columns: no value is made for each of them.

Those of a track are rows, or packed.
"""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import Final

import numpy as np

from annotator.domain.annotation.key_table import KeyTable
from annotator.store.annotation.key_flags import FLAGS, table_of
from annotator.store.annotation.packed_keys import pack_keys, unpack_keys

_OUTSIDE: Final = 64
_READ: Final = (
    "SELECT track_row, frame, ifnull(x1, 0), ifnull(y1, 0), ifnull(x2, 0), ifnull(y2, 0),"
    f" (x1 IS NULL) * {_OUTSIDE} + {FLAGS}"
    " FROM keyframe WHERE track_row IN (SELECT row FROM track WHERE draft_id = ?)"
    " ORDER BY track_row, frame"
)
_READ_PACKED: Final = (
    "SELECT track_row, body FROM packed_keys"
    " WHERE track_row IN (SELECT row FROM track WHERE draft_id = ?)"
)
_N_COLUMNS: Final = 7


def read_keys(connection: sqlite3.Connection, draft_id: bytes, tracks: list[int]) -> KeyTable:
    """Return the keyframes of a draft; ``tracks`` are the numbers of its rows, ascending."""
    packed: dict[int, bytes] = dict(connection.execute(_READ_PACKED, (draft_id,)))
    loose = [row for row in tracks if row not in packed]
    if not packed:
        return _read_rows(connection, draft_id, tracks)
    if loose:
        packed.update(zip(loose, pack_keys(_read_rows(connection, draft_id, loose)), strict=True))
    return unpack_keys([packed[row] for row in tracks])


def _read_rows(connection: sqlite3.Connection, draft_id: bytes, tracks: list[int]) -> KeyTable:
    """Return the keyframes that are rows; ``tracks`` are all that have any."""
    found = connection.execute(_READ, (draft_id,))
    # All of these numbers are exact as float64.
    values = np.fromiter(chain.from_iterable(found), np.float64).reshape(-1, _N_COLUMNS)
    flags = values[:, 6].astype(np.uint8)
    boxes = values[:, 2:6]
    boxes[(flags & _OUTSIDE) != 0] = np.nan
    starts = np.searchsorted(values[:, 0], np.array(tracks, np.float64))
    frames, starts = values[:, 1].astype(np.int64), np.append(starts, len(values))
    return table_of(starts, frames, boxes, flags & np.uint8(_OUTSIDE - 1))
