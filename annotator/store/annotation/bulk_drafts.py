"""First content of many drafts, written by another process and copied from its file.

These drafts have no drawing by people and no viewing of videos: there are no times.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.changes import Change, VideoExtra
from annotator.domain.annotation.key_table import KeyTable
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.domain.commands.points import point_creation
from annotator.domain.ids import AssignmentId, DraftId, VideoId
from annotator.domain.json_type import Json
from annotator.store.annotation import documents, points
from annotator.store.annotation.events import encode_creation
from annotator.store.annotation.packed_keys import pack_keys
from annotator.store.columns import id_bytes, now_text
from annotator.store.file.failures import explained
from annotator.store.file.project import ProjectFile

if TYPE_CHECKING:
    from annotator.store.annotation.documents import Row

_TABLES: Final = """
CREATE TABLE track (
    row INTEGER PRIMARY KEY, draft_id, id, number, label, color, parent_id, is_locked, is_hidden,
    is_begin_settled, attributes, extra
);
CREATE TABLE packed_keys (track_row INTEGER PRIMARY KEY, body);
CREATE TABLE segment (
    draft_id, id, lane, label, label_id, start_frame, end_frame, start_pts, end_pts, slots,
    is_visible, extra, start_us, end_us
);
CREATE TABLE point (
    row INTEGER PRIMARY KEY, draft_id, id, track_id, number, label, color, is_locked, is_hidden,
    extra
);
CREATE TABLE point_block (point_row, block, start_frame, xy, flags);
CREATE TABLE event (id, draft_id, changes);
"""
_WRITE: Final = {
    "track": "INSERT INTO track VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "packed_keys": "INSERT INTO packed_keys VALUES (?, ?)",
    "segment": "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "point": "INSERT INTO point VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "point_block": "INSERT INTO point_block VALUES (?, ?, ?, ?, ?)",
    "event": "INSERT INTO event VALUES (?, ?, ?)",
}
_TAKE: Final = (
    "INSERT INTO track (row, draft_id, id, number, label, color, parent_id, is_locked, is_hidden,"
    " is_begin_settled, attributes, extra) SELECT row + :tracks, draft_id, id, number, label,"
    " color, parent_id, is_locked, is_hidden, is_begin_settled, attributes, extra FROM part.track"
    " ORDER BY row",
    "INSERT INTO packed_keys SELECT track_row + :tracks, body FROM part.packed_keys"
    " ORDER BY track_row",
    "INSERT INTO segment (draft_id, id, lane, label, label_id, start_frame, end_frame, start_pts,"
    " end_pts, slots, is_visible, extra, start_us, end_us) SELECT * FROM part.segment",
    "INSERT INTO point (row, draft_id, id, track_id, number, label, color, is_locked, is_hidden,"
    " extra) SELECT row + :points, draft_id, id, track_id, number, label, color, is_locked,"
    " is_hidden, extra FROM part.point ORDER BY row",
    "INSERT INTO point_block (point_row, block, start_frame, xy, flags)"
    " SELECT point_row + :points, block, start_frame, xy, flags FROM part.point_block"
    " ORDER BY rowid",
    "INSERT INTO event (id, at, person_id, replica_id, draft_id, op, kind, changes)"
    " SELECT id, :at, :person, :replica, draft_id, :op, :op, CAST(changes AS TEXT)"
    " FROM part.event ORDER BY rowid",
)


@dataclass(frozen=True, slots=True)
class Content:
    """First content of a draft, as one undo step; ``extra`` is stored with the video."""

    draft_id: DraftId
    event_id: str
    video_id: VideoId
    tracks: Sequence[Track]
    segments: Sequence[Segment]
    points: Sequence[PointTrack]
    extra: dict[str, Json]


def write_part(path: Path, contents: Iterable[Content]) -> None:
    """Write a file with the content of drafts; it is of use to `take_part` only."""
    with (
        explained(path),
        closing(sqlite3.connect(path, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_TABLES)
        connection.execute("BEGIN")
        writer = _Writer(connection)
        for content in contents:
            writer.add(content)
        connection.execute("COMMIT")


def take_part(
    file: ProjectFile, op: str, drafts: Iterable[tuple[DraftId, AssignmentId, VideoId]]
) -> None:
    """Copy the contents of the attached part file into the tables, within the current transaction.

    ``drafts`` start with it. ``op`` names the import in the log.
    """
    person, replica = file.author()
    with file.transaction() as connection:
        connection.executemany(
            "INSERT INTO draft VALUES (?, ?, ?, ?)",
            [(*map(id_bytes, names), now_text()) for names in drafts],
        )
        row = connection.execute(
            "SELECT (SELECT ifnull(max(row), 0) FROM main.track) AS tracks,"
            " (SELECT ifnull(max(row), 0) FROM main.point) AS points"
        ).fetchone()
        facts = {
            "tracks": row[0],
            "points": row[1],
            "at": now_text(),
            "person": person,
            "replica": replica,
            "op": op,
        }
        for statement in _TAKE:
            connection.execute(statement, facts)


class _Writer:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tracks = 0
        self._points = 0

    def add(self, content: Content) -> None:
        key, connection = id_bytes(content.draft_id), self._connection
        first = self._tracks + 1
        self._tracks += len(content.tracks)
        rows = enumerate(content.tracks, first)
        connection.executemany(
            _WRITE["track"], [(row, *documents.track_row(key, t.info)) for row, t in rows]
        )
        bodies = pack_keys(KeyTable.of(content.tracks))
        packed = [(row, body) for row, body in enumerate(bodies, first) if body]
        connection.executemany(_WRITE["packed_keys"], packed)
        connection.executemany(
            _WRITE["segment"], [documents.segment_row(key, s, None) for s in content.segments]
        )
        self._add_points(key, content.points)
        old, new = VideoExtra({}), VideoExtra(content.extra)
        marks = [change for point in content.points for change in point_creation(point)]
        video = Change("video", content.video_id, old, new)
        text = encode_creation(content.tracks, bodies, marks, content.segments, video)
        connection.execute(_WRITE["event"], (id_bytes(content.event_id), key, text))

    def _add_points(self, key: bytes, tracks: Sequence[PointTrack]) -> None:
        for point in tracks:
            self._points += 1
            row = (self._points, *points.point_row(key, point.info))
            self._connection.execute(_WRITE["point"], row)
            self._connection.executemany(_WRITE["point_block"], _blocks(self._points, point))


def _blocks(row: int, point: PointTrack) -> Iterator[Row]:
    for number in sorted(point.path.blocks):
        yield (row, number, *points.trimmed(point.path.blocks[number]))
