"""The keyframes of a draft, read as columns: no value is made for each of them."""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import Final

import numpy as np

from annotator.domain.key_table import KeyTable
from annotator.store.key_flags import FLAGS, table_of

_OUTSIDE: Final = 64
_READ: Final = (
    "SELECT track_row, frame, ifnull(x1, 0), ifnull(y1, 0), ifnull(x2, 0), ifnull(y2, 0),"
    f" (x1 IS NULL) * {_OUTSIDE} + {FLAGS}"
    " FROM keyframe WHERE track_row IN (SELECT row FROM track WHERE draft_id = ?)"
    " ORDER BY track_row, frame"
)
_N_COLUMNS: Final = 7


def read_keys(connection: sqlite3.Connection, draft_id: bytes, tracks: list[int]) -> KeyTable:
    """Return the keyframes of a draft; ``tracks`` are the numbers of its rows, ascending."""
    found = connection.execute(_READ, (draft_id,))
    # All of these numbers are exact as float64.
    values = np.fromiter(chain.from_iterable(found), np.float64).reshape(-1, _N_COLUMNS)
    flags = values[:, 6].astype(np.uint8)
    boxes = values[:, 2:6]
    boxes[(flags & _OUTSIDE) != 0] = np.nan
    starts = np.searchsorted(values[:, 0], np.array(tracks, np.float64))
    frames, starts = values[:, 1].astype(np.int64), np.append(starts, len(values))
    return table_of(starts, frames, boxes, flags & np.uint8(_OUTSIDE - 1))
