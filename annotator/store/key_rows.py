"""The keyframes of a draft, read as columns: no value is made for each of them."""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import Final

import numpy as np

from annotator.domain.key_table import SOURCES, KeyTable

_OUTSIDE: Final = 1
_OCCLUDED: Final = 2
_SETTLED: Final = 4
_SOURCE: Final = 8

_numbered = " ".join(f"WHEN '{s.value}' THEN {_SOURCE * n}" for n, s in enumerate(SOURCES))
_READ: Final = (
    "SELECT track_row, frame, ifnull(x1, 0), ifnull(y1, 0), ifnull(x2, 0), ifnull(y2, 0),"
    f" (x1 IS NULL) * {_OUTSIDE} + (occluded = 1) * {_OCCLUDED} + (settled = 1) * {_SETTLED}"
    f" + CASE source {_numbered} END"
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
    return KeyTable(
        np.append(starts, len(values)),
        values[:, 1].astype(np.int64),
        boxes,
        (flags & _OCCLUDED) != 0,
        (flags & _SETTLED) != 0,
        flags // _SOURCE,
    )
