"""Rows of a draft's points, their marks in blocks of 256 frames, and names used before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from annotator.domain.annotation.changes import Change, PointKey
from annotator.domain.annotation.point_track import (
    BLOCK_FRAMES,
    NO_MARK,
    PointInfo,
    PointPath,
    PointRun,
    PointTrack,
)
from annotator.domain.ids import PointId, TrackId
from annotator.store.columns import id_bytes, id_text, json_object, json_text
from annotator.store.file.project import ProjectFile

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAVE = (
    "INSERT INTO point (draft_id, id, track_id, number, label, color, is_locked, is_hidden, extra)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (draft_id, id) DO UPDATE SET track_id = excluded.track_id,"
    " number = excluded.number, label = excluded.label, color = excluded.color,"
    " is_locked = excluded.is_locked,"
    " is_hidden = excluded.is_hidden, extra = excluded.extra"
)


def write_points(
    connection: sqlite3.Connection, draft_id: bytes, changes: Iterable[Change]
) -> None:
    """Bring changes of points, not of their marks, into the table."""
    for change in changes:
        if isinstance(change.after, PointInfo):
            connection.execute(_SAVE, point_row(draft_id, change.after))
        else:
            key = (draft_id, id_bytes(str(change.id)))
            connection.execute("DELETE FROM point WHERE draft_id = ? AND id = ?", key)


def write_marks(connection: sqlite3.Connection, draft_id: bytes, changes: Iterable[Change]) -> None:
    """Bring changes of marks into the blocks they touch."""
    for change in changes:
        assert isinstance(change.id, PointKey)
        row = _row_of(connection, draft_id, change.id.point_id)
        start, end = change.id.start, change.id.end
        first, last = start // BLOCK_FRAMES, -(-end // BLOCK_FRAMES)
        rows = connection.execute(
            "SELECT block, start_frame, xy, flags FROM point_block"
            " WHERE point_row = ? AND block >= ? AND block < ?",
            (row, first, last),
        ).fetchall()
        path = PointPath({number: _block(number, *rest) for number, *rest in rows})
        if isinstance(change.after, PointRun):
            new = path.with_run(change.after)
        else:
            length = end - start
            none = PointRun(start, np.full((length, 2), np.nan), np.zeros(length, dtype=np.uint8))
            new = path.with_run(none)
        deleted_blocks = [(row, number) for number in path.blocks if number not in new.blocks]
        connection.executemany(
            "DELETE FROM point_block WHERE point_row = ? AND block = ?", deleted_blocks
        )
        connection.executemany(
            "INSERT OR REPLACE INTO point_block (point_row, block, start_frame, xy, flags)"
            " VALUES (?, ?, ?, ?, ?)",
            [(row, number, *trimmed(block)) for number, block in new.blocks.items()],
        )


def read_points(connection: sqlite3.Connection, draft_id: bytes) -> list[PointTrack]:
    """Return the points of a draft with all their marks."""
    paths = dict(_paths(connection, draft_id))
    rows = connection.execute(
        "SELECT row, id, track_id, label, number, color, is_locked, is_hidden, extra"
        " FROM point WHERE draft_id = ?",
        (draft_id,),
    )
    return [
        PointTrack(
            PointInfo(
                PointId(id_text(key)),
                TrackId(id_text(track)) if track is not None else None,
                label,
                number,
                color,
                is_locked == 1,
                is_hidden == 1,
                json_object(extra),
            ),
            paths.get(row, PointPath()),
        )
        for row, key, track, label, number, color, is_locked, is_hidden, extra in rows
    ]


def _paths(connection: sqlite3.Connection, draft_id: bytes) -> Iterator[tuple[int, PointPath]]:
    rows = connection.execute(
        "SELECT p.row, b.block, b.start_frame, b.xy, b.flags FROM point p"
        " CROSS JOIN point_block b ON b.point_row = p.row WHERE p.draft_id = ?"
        " ORDER BY p.row, b.block",
        (draft_id,),
    )
    for row, blocks in groupby(rows, key=itemgetter(0)):
        yield row, PointPath({number: _block(number, *rest) for _, number, *rest in blocks})


def _row_of(connection: sqlite3.Connection, draft_id: bytes, point_id: PointId) -> int | None:
    """Return the number of a point's row; None, which no block may have, when there is none."""
    found = connection.execute(
        "SELECT row FROM point WHERE draft_id = ? AND id = ?", (draft_id, id_bytes(point_id))
    ).fetchone()
    return found[0] if found else None


def _block(number: int, start: int, xy: bytes, flags: bytes) -> PointRun:
    """Return a row as all 256 frames of its block."""
    begin = number * BLOCK_FRAMES
    places = np.frombuffer(xy, dtype="<f8").reshape(-1, 2)
    states = np.frombuffer(flags, dtype=np.uint8)
    if len(states) == BLOCK_FRAMES:
        return PointRun(begin, places, states)
    rows = slice(start - begin, start - begin + len(states))
    all_places, all_states = np.full((BLOCK_FRAMES, 2), np.nan), np.zeros(BLOCK_FRAMES, np.uint8)
    all_places[rows], all_states[rows] = places, states
    return PointRun(begin, all_places, all_states)


def trimmed(block: PointRun) -> tuple[int, bytes, bytes]:
    """Return the first marked frame of a block, and places and flags up to the last."""
    marked = np.flatnonzero(block.flags != NO_MARK)
    rows = slice(int(marked[0]), int(marked[-1]) + 1)
    xy = np.ascontiguousarray(block.xy[rows], dtype="<f8")
    return block.start + rows.start, xy.tobytes(), block.flags[rows].tobytes()


def point_row(draft_id: bytes, info: PointInfo) -> tuple[object, ...]:
    return (
        draft_id,
        id_bytes(info.id),
        id_bytes(info.track_id) if info.track_id is not None else None,
        info.number,
        info.label,
        info.color,
        info.is_locked,
        info.is_hidden,
        json_text(info.extra),
    )


_NAMES: Final = (
    "SELECT p.label, COUNT(*) AS uses FROM point p"
    " JOIN track t ON t.draft_id = p.draft_id AND t.id = p.track_id"
    " WHERE t.label = ? GROUP BY p.label ORDER BY uses DESC, p.label LIMIT ?"
)
_NAMES_WITHOUT_OBJECT: Final = (
    "SELECT label, COUNT(*) AS uses FROM point WHERE track_id IS NULL"
    " GROUP BY label ORDER BY uses DESC, label LIMIT ?"
)
_MOST: Final = 200


def point_names(file: ProjectFile, object_label: str | None) -> list[str]:
    """Return the names of the points of all objects with a label, most frequent first.

    None: of the points without an object.
    """
    found = (
        file.rows(_NAMES_WITHOUT_OBJECT, (_MOST,))
        if object_label is None
        else file.rows(_NAMES, (object_label, _MOST))
    )
    rows = cast("list[tuple[str, int]]", found)
    return [name for name, _ in rows]
