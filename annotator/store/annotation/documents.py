"""Rows of a draft to and from the document: tracks, keyframes, segments, comments."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import msgspec
import numpy as np

from annotator.domain.annotation.changes import Change, Entity, KeyframeKey, VideoExtra
from annotator.domain.annotation.comment import Comment, Pin
from annotator.domain.annotation.key_table import KeyTable, TabledTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, TrackInfo
from annotator.domain.ids import CommentId, PersonId, SegmentId, TrackId
from annotator.store.annotation import points
from annotator.store.annotation.packed_keys import FLAGS, pack_keys, table_of, unpack_keys
from annotator.store.columns import id_bytes, id_text, json_object, json_text
from annotator.store.questions import items

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SAVE = "INSERT OR REPLACE INTO comment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def write_comments(
    connection: sqlite3.Connection, draft_id: bytes, changes: Iterable[Change]
) -> None:
    """Bring changes of comments into the table."""
    for change in changes:
        if isinstance(change.after, Comment):
            connection.execute(_SAVE, _row(draft_id, change.after))
        else:
            key = (draft_id, id_bytes(str(change.id)))
            connection.execute("DELETE FROM comment WHERE draft_id = ? AND id = ?", key)


def read_comments(connection: sqlite3.Connection, draft_id: bytes) -> list[Comment]:
    """Return the comments of a draft."""
    rows = connection.execute(
        "SELECT id, author_id, at, text, pin, parent_id, is_resolved, edited_at FROM comment"
        " WHERE draft_id = ?",
        (draft_id,),
    )
    return [
        Comment(
            CommentId(id_text(key)),
            PersonId(id_text(author)),
            at,
            text,
            msgspec.json.decode(pin, type=Pin),
            CommentId(id_text(parent)) if parent is not None else None,
            is_resolved == 1,
            edited_at,
        )
        for key, author, at, text, pin, parent, is_resolved, edited_at in rows
    ]


def _row(draft_id: bytes, comment: Comment) -> tuple[object, ...]:
    pin = {name: value for name, value in _named(comment.pin) if value is not None}
    return (
        draft_id,
        id_bytes(comment.id),
        id_bytes(comment.author_id),
        comment.at,
        comment.text,
        msgspec.json.encode(pin).decode(),
        id_bytes(comment.parent_id) if comment.parent_id is not None else None,
        comment.is_resolved,
        comment.edited_at,
    )


def _named(pin: Pin) -> Iterable[tuple[str, object]]:
    return ((name, getattr(pin, name)) for name in pin.__dataclass_fields__)


Times: TypeAlias = "NDArray[np.int64]"
Row: TypeAlias = tuple[object, ...]
_SAVE_TRACK = (
    "INSERT INTO track (draft_id, id, number, label, color, parent_id, is_locked, is_hidden,"
    " is_begin_settled, attributes, extra) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (draft_id, id) DO UPDATE SET number = excluded.number, label = excluded.label,"
    " color = excluded.color, parent_id = excluded.parent_id, is_locked = excluded.is_locked,"
    " is_hidden = excluded.is_hidden, is_begin_settled = excluded.is_begin_settled,"
    " attributes = excluded.attributes, extra = excluded.extra"
)
_SAVE_KEYFRAME = "INSERT OR REPLACE INTO keyframe VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SAVE_SEGMENT = (
    "INSERT OR REPLACE INTO segment (draft_id, id, lane, label, label_id, start_frame,"
    " end_frame, start_pts, end_pts, slots, is_visible, extra, start_us, end_us)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_slot_texts = msgspec.json.Decoder(tuple[str | None, ...])
_SAVE_EXTRA = "UPDATE video SET extra = ? WHERE id = ?"
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


def write_changes(
    connection: sqlite3.Connection,
    draft_id: bytes,
    changes: Iterable[Change],
    pts: Times | None,
) -> None:
    """Write changes into the tables within the current transaction.

    Their order matters for tracks only: a track is inserted before its keyframes and deleted after
    them. ``pts`` is the video's presentation time of each frame, if known.
    """
    ordered = sorted(changes, key=_turn)
    for (kind, is_gone), group in groupby(ordered, key=lambda c: (c.kind, c.after is None)):
        if kind == "keyframe":
            _write_keyframes(connection, draft_id, group, pts)
        elif kind == "marks":
            points.write_marks(connection, draft_id, group)
        elif kind == "point":
            points.write_points(connection, draft_id, group)
        elif kind == "comment":
            write_comments(connection, draft_id, group)
        elif kind == "answer":
            items.write_answers(connection, draft_id, group)
        elif is_gone:
            keys = [(draft_id, id_bytes(str(c.id))) for c in group]
            table = "track" if kind == "track" else "segment"
            connection.executemany(f"DELETE FROM {table} WHERE draft_id = ? AND id = ?", keys)
        elif kind == "track":
            connection.executemany(_SAVE_TRACK, [track_row(draft_id, c.after) for c in group])
        elif kind == "segment":
            rows = [segment_row(draft_id, c.after, pts) for c in group]
            connection.executemany(_SAVE_SEGMENT, rows)
        else:
            connection.executemany(_SAVE_EXTRA, [_extra_row(c) for c in group])


def read_tracks(connection: sqlite3.Connection, draft_id: bytes) -> list[TabledTrack]:
    """Return the tracks of a draft, by number; their keyframes share one table."""
    rows = connection.execute(
        "SELECT row, id, label, number, color, parent_id, is_locked, is_hidden, is_begin_settled,"
        " attributes, extra FROM track WHERE draft_id = ? ORDER BY row",
        (draft_id,),
    ).fetchall()
    table = read_keys(connection, draft_id, [row for row, *_ in rows])
    infos = [_info(facts) for _, *facts in rows]
    order = sorted(range(len(infos)), key=lambda i: (infos[i].number, infos[i].id))
    table = table.ordered(order)
    return [TabledTrack(infos[i], table, row) for row, i in enumerate(order)]


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
    packed = connection.execute(
        "SELECT t.row FROM packed_keys k JOIN track t ON t.row = k.track_row"
        " JOIN draft d ON d.id = t.draft_id WHERE d.video_id = ?",
        (video_id,),
    ).fetchall()
    for (row,) in packed:
        _unpack(connection, row, pts)
    rows = connection.execute(
        "SELECT k.track_row, k.frame FROM keyframe k JOIN track t ON t.row = k.track_row"
        " JOIN draft d ON d.id = t.draft_id WHERE d.video_id = ?",
        (video_id,),
    ).fetchall()
    connection.executemany(
        "UPDATE keyframe SET pts = ? WHERE track_row = ? AND frame = ?",
        [(_time(pts, frame), row, frame) for row, frame in rows],
    )
    rows = connection.execute(
        "SELECT s.draft_id, s.id, s.start_frame, s.end_frame FROM segment s"
        " JOIN draft d ON d.id = s.draft_id WHERE d.video_id = ?",
        (video_id,),
    ).fetchall()
    connection.executemany(
        "UPDATE segment SET start_pts = ?, end_pts = ? WHERE draft_id = ? AND id = ?",
        [(_time(pts, start), _time(pts, end), *key) for *key, start, end in rows],
    )


def _turn(change: Change) -> int:
    """Return when a change is written: what others hang on comes first and goes last."""
    if change.kind not in ("track", "point"):
        return 1
    return 0 if change.after is not None else 2


def _write_keyframes(
    connection: sqlite3.Connection, draft_id: bytes, changes: Iterable[Change], pts: Times | None
) -> None:
    """Write, or delete, the keyframes of several tracks."""
    rows: dict[TrackId, int | None] = {}
    deleted_rows: list[Row] = []
    key_rows: list[Row] = []
    for change in changes:
        assert isinstance(change.id, KeyframeKey)
        track_id, frame = change.id
        if track_id not in rows:
            rows[track_id] = _track_row_of(connection, draft_id, track_id)
            _unpack(connection, rows[track_id], pts)
        if isinstance(change.after, Keyframe):
            key_rows.append(_keyframe_row(rows[track_id], change.after, pts))
        else:
            deleted_rows.append((rows[track_id], frame))
    connection.executemany("DELETE FROM keyframe WHERE track_row = ? AND frame = ?", deleted_rows)
    connection.executemany(_SAVE_KEYFRAME, key_rows)


def _track_row_of(connection: sqlite3.Connection, draft_id: bytes, track_id: TrackId) -> int | None:
    """Return the number of a track's row; None, which no keyframe may have, when there is none."""
    found = connection.execute(
        "SELECT row FROM track WHERE draft_id = ? AND id = ?", (draft_id, id_bytes(track_id))
    ).fetchone()
    return found[0] if found else None


def _unpack(connection: sqlite3.Connection, row: int | None, pts: Times | None) -> None:
    """Have rows for the keyframes of a track, if they are packed: they are going to differ."""
    found = connection.execute(
        "DELETE FROM packed_keys WHERE track_row = ? RETURNING body", (row,)
    ).fetchone()
    if found is not None:
        keys = unpack_keys([found[0]]).keyframes(0)
        connection.executemany(_SAVE_KEYFRAME, [_keyframe_row(row, key, pts) for key in keys])


def _keyframe_row(row: int | None, key: Keyframe, pts: Times | None) -> Row:
    box: Sequence[float | None] = key.box.as_tuple() if key.box else (None,) * 4
    flags = (key.occluded, key.settled, key.source.value)
    return (row, key.frame, _time(pts, key.frame), *box, *flags)


def _extra_row(change: Change) -> Row:
    assert isinstance(change.after, VideoExtra)
    return (json_text(change.after.data), id_bytes(str(change.id)))


def segment_row(draft_id: bytes, segment: Entity | None, pts: Times | None) -> Row:
    assert isinstance(segment, Segment)
    times = (_time(pts, segment.start), _time(pts, segment.end))
    return (
        draft_id,
        id_bytes(segment.id),
        segment.lane.value,
        segment.label,
        segment.label_id,
        segment.start,
        segment.end,
        *times,
        json_text(segment.slots),
        segment.is_visible,
        json_text(segment.extra),
        segment.start_us,
        segment.end_us,
    )


def track_row(draft_id: bytes, info: Entity | None) -> Row:
    assert isinstance(info, TrackInfo)
    return (
        draft_id,
        id_bytes(info.id),
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


def _info(facts: Sequence[Any]) -> TrackInfo:
    key, label, number, color, parent, is_locked, is_hidden, is_settled, attributes, extra = facts
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
    return cast("tuple[TrackId | None, ...]", _slot_texts.decode(text))


def _time(pts: Times | None, frame: int) -> int | None:
    """Return the presentation time of a frame; None where the table does not reach."""
    return int(pts[frame]) if pts is not None and 0 <= frame < len(pts) else None
