"""Rows of a draft to and from the document: tracks, keyframes, segments (points on their own)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias, cast

from annotator.domain.changes import Change, KeyframeKey, VideoExtra
from annotator.domain.geometry import Box
from annotator.domain.ids import SegmentId, TrackId
from annotator.domain.segment import Lane, Segment
from annotator.domain.track import Keyframe, Source, Track, TrackInfo
from annotator.store import points
from annotator.store.codes import id_bytes, id_text, json_object, json_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Times: TypeAlias = "NDArray[np.int64]"
Row: TypeAlias = tuple[object, ...]

_SAVE = {
    "track": (
        "INSERT INTO track (id, draft_id, number, label, color, parent_id, is_locked, is_hidden,"
        " is_begin_settled, attributes, extra) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET number = excluded.number, label = excluded.label,"
        " color = excluded.color, parent_id = excluded.parent_id, is_locked = excluded.is_locked,"
        " is_hidden = excluded.is_hidden, is_begin_settled = excluded.is_begin_settled,"
        " attributes = excluded.attributes, extra = excluded.extra"
    ),
    "keyframe": "INSERT OR REPLACE INTO keyframe VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "segment": (
        "INSERT OR REPLACE INTO segment (id, draft_id, lane, label, label_id, start_frame,"
        " end_frame, start_pts, end_pts, slots, is_visible, extra, start_us, end_us)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ),
    "video": "UPDATE video SET extra = ? WHERE id = ?",
}
_DELETE = {
    "track": "DELETE FROM track WHERE id = ?",
    "keyframe": "DELETE FROM keyframe WHERE track_id = ? AND frame = ?",
    "segment": "DELETE FROM segment WHERE id = ?",
}
_SOURCES = {s.value: s for s in Source}


def write_changes(
    connection: sqlite3.Connection,
    draft_id: bytes,
    changes: Iterable[Change],
    pts: Times | None,
) -> None:
    """Bring changes into the tables, in their order, within the current transaction.

    ``pts`` is the video's presentation time of each frame, where it is known.
    """
    for (kind, is_gone), group in groupby(changes, key=lambda c: (c.kind, c.after is None)):
        if kind == "marks":
            points.write_marks(connection, group)
        elif kind == "point":
            points.write_points(connection, draft_id, group)
        elif is_gone:
            connection.executemany(_DELETE[kind], [_key(c) for c in group])
        else:
            connection.executemany(_SAVE[kind], [_row(draft_id, c, pts) for c in group])


def read_tracks(connection: sqlite3.Connection, draft_id: bytes) -> list[Track]:
    """Return the tracks of a draft with their keyframes."""
    rows = connection.execute(
        "SELECT id, label, number, color, parent_id, is_locked, is_hidden, is_begin_settled,"
        " attributes, extra FROM track WHERE draft_id = ?",
        (draft_id,),
    ).fetchall()
    return [Track(_info(row), _keyframes(connection, row[0])) for row in rows]


def read_segments(connection: sqlite3.Connection, draft_id: bytes) -> list[Segment]:
    """Return the segments of a draft."""
    rows = connection.execute(
        "SELECT id, lane, label, start_frame, end_frame, label_id, slots, is_visible, extra,"
        " start_us, end_us FROM segment WHERE draft_id = ?",
        (draft_id,),
    )
    return [
        Segment(
            SegmentId(id_text(key)),
            Lane(lane),
            label,
            start,
            end,
            label_id,
            _slots(slots),
            is_visible == 1,
            json_object(extra),
            *times_us,
        )
        for key, lane, label, start, end, label_id, slots, is_visible, extra, *times_us in rows
    ]


def fill_pts(connection: sqlite3.Connection, video_id: bytes, pts: Times) -> None:
    """Give every keyframe and segment of a video its time, once the frame table is known."""
    rows = connection.execute(
        "SELECT k.track_id, k.frame FROM keyframe k JOIN track t ON t.id = k.track_id"
        " JOIN draft d ON d.id = t.draft_id WHERE d.video_id = ?",
        (video_id,),
    ).fetchall()
    connection.executemany(
        "UPDATE keyframe SET pts = ? WHERE track_id = ? AND frame = ?",
        [(_time(pts, frame), track_id, frame) for track_id, frame in rows],
    )
    rows = connection.execute(
        "SELECT s.id, s.start_frame, s.end_frame FROM segment s"
        " JOIN draft d ON d.id = s.draft_id WHERE d.video_id = ?",
        (video_id,),
    ).fetchall()
    connection.executemany(
        "UPDATE segment SET start_pts = ?, end_pts = ? WHERE id = ?",
        [(_time(pts, start), _time(pts, end), key) for key, start, end in rows],
    )


def _keyframes(connection: sqlite3.Connection, track_id: bytes) -> tuple[Keyframe, ...]:
    rows = connection.execute(
        "SELECT frame, x1, y1, x2, y2, occluded, source, settled FROM keyframe"
        " WHERE track_id = ? ORDER BY frame",
        (track_id,),
    )
    return tuple(
        Keyframe(
            frame,
            None if x1 is None else Box(x1, y1, x2, y2),
            occluded == 1,
            _SOURCES[source],
            settled == 1,
        )
        for frame, x1, y1, x2, y2, occluded, source, settled in rows
    )


def _key(change: Change) -> Row:
    if isinstance(change.id, KeyframeKey):
        return (id_bytes(change.id.track_id), change.id.frame)
    return (id_bytes(change.id),)


def _row(draft_id: bytes, change: Change, pts: Times | None) -> Row:
    after = change.after
    if isinstance(after, Keyframe):
        assert isinstance(change.id, KeyframeKey)
        box: Sequence[float | None] = after.box.as_tuple() if after.box else (None,) * 4
        flags = (after.occluded, after.settled, after.source.value)
        return (id_bytes(change.id.track_id), after.frame, _time(pts, after.frame), *box, *flags)
    if isinstance(after, TrackInfo):
        return _track_row(draft_id, after)
    if isinstance(after, VideoExtra):
        return (json_text(after.data), id_bytes(str(change.id)))
    assert isinstance(after, Segment)
    times = (_time(pts, after.start), _time(pts, after.end))
    return (
        id_bytes(after.id),
        draft_id,
        after.lane.value,
        after.label,
        after.label_id,
        after.start,
        after.end,
        *times,
        json_text(after.slots),
        after.is_visible,
        json_text(after.extra),
        after.start_us,
        after.end_us,
    )


def _track_row(draft_id: bytes, info: TrackInfo) -> Row:
    return (
        id_bytes(info.id),
        draft_id,
        info.number,
        info.label,
        info.color,
        id_bytes(info.parent_id) if info.parent_id is not None else None,
        info.is_locked,
        info.is_hidden,
        info.is_begin_settled,
        json_text(info.attributes),
        json_text(info.extra),
    )


def _info(row: tuple[bytes, str, int, int, bytes | None, int, int, int, str, str]) -> TrackInfo:
    key, label, number, color, parent, is_locked, is_hidden, is_settled, attributes, extra = row
    return TrackInfo(
        TrackId(id_text(key)),
        label,
        number,
        color,
        TrackId(id_text(parent)) if parent is not None else None,
        is_locked == 1,
        is_hidden == 1,
        is_settled == 1,
        json_object(attributes),
        json_object(extra),
    )


def _slots(text: str) -> tuple[TrackId | None, ...]:
    import msgspec

    return cast(
        "tuple[TrackId | None, ...]", msgspec.json.decode(text, type=tuple[str | None, ...])
    )


def _time(pts: Times | None, frame: int) -> int | None:
    """Return the presentation time of a frame; None where the table does not reach."""
    return int(pts[frame]) if pts is not None and 0 <= frame < len(pts) else None
