"""Rows of videos: facts, paths, frame tables and counts."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import msgspec

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.segment import Lane
from annotator.domain.ids import DraftId, PersonId, VideoId
from annotator.domain.json_type import Json
from annotator.store.annotation import documents
from annotator.store.columns import (
    id_bytes,
    id_text,
    json_object,
    json_text,
    json_texts,
    now_text,
)
from annotator.store.file.project import ProjectFile
from annotator.store.file.readable import Readable

_COLUMNS = (
    "id, name, content_hash, width, height, n_frames, frame_rate, duration_s, grid_step,"
    " findings, extra"
)
_MOST: Final = (65_535, 65_535, 20_000_000, 100_000.0, 10_000_000.0, 20_000_000)
"""Of width and height in pixels, frames, frames per second, seconds, and frames of the grid."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A frame table: as bytes to keep, and its times (int64 [n], in units of ``time_base``)."""

    body: bytes
    digest: str
    pts: documents.Times
    time_base: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Permanent facts of a media file; an audio file has no frame table."""

    content_hash: str
    table: TableFacts | None


@dataclass(frozen=True, slots=True)
class StoredVideo:
    """A video of the project; ``content_hash`` is None until its file was read."""

    info: VideoInfo
    content_hash: str | None
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """Where a file was when it was last read, and how large and how old."""

    path: Path
    size: int
    mtime_ns: int

    def matches(self) -> bool:
        """Return whether a file of that size and time is there still."""
        try:
            found = self.path.stat()
        except OSError:
            return False
        return (found.st_size, found.st_mtime_ns) == (self.size, self.mtime_ns)


def list_videos(file: Readable) -> list[StoredVideo]:
    """Return the project's videos in order of addition."""
    rows = file.rows(f"SELECT {_COLUMNS} FROM video ORDER BY id")
    return [_video(row) for row in rows]


def each_video(file: Readable) -> Iterator[StoredVideo]:
    """Yield the project's videos like `list_videos`, one at a time.

    The kept data of imports are large; those of all videos are never in memory at once.
    """
    for row in file.rows(f"SELECT {_COLUMNS} FROM video ORDER BY id"):
        yield _video(row)


def find_video(file: Readable, video_id: VideoId) -> StoredVideo | None:
    """Return a video, None if the project has no such."""
    rows = file.rows(f"SELECT {_COLUMNS} FROM video WHERE id = ?", (id_bytes(video_id),))
    return _video(rows[0]) if rows else None


def unseen_videos(file: ProjectFile) -> list[StoredVideo]:
    """Return the videos without a file, known only from an import."""
    rows = file.rows(f"SELECT {_COLUMNS} FROM video WHERE content_hash IS NULL ORDER BY id")
    return [_video(row) for row in rows]


def seen_paths(file: ProjectFile) -> dict[VideoId, list[Path]]:
    """Return where each video was, on this or another machine."""
    found: dict[VideoId, list[Path]] = {}
    for key, path in file.rows("SELECT video_id, path FROM media_location"):
        video_id = VideoId(id_text(cast(bytes, key)))
        found.setdefault(video_id, []).append(file.path.parent / str(path))
    return found


def save_extra(file: ProjectFile, video_id: VideoId, extra: dict[str, Json]) -> None:
    """Replace the stored extras of a video."""
    with file.transaction() as connection:
        connection.execute(
            "UPDATE video SET extra = ? WHERE id = ?", (json_text(extra), id_bytes(video_id))
        )


def read_extra(file: ProjectFile, video_id: VideoId) -> dict[str, Json]:
    """Return stored import and metadata values of a video; empty for an unknown one."""
    rows = file.rows("SELECT extra FROM video WHERE id = ?", (id_bytes(video_id),))
    return json_object(cast(str, rows[0][0])) if rows else {}


def unheard_videos(file: ProjectFile, key: str) -> list[VideoId]:
    """Return the videos of which something is to be found out still: null under a key."""
    rows = file.rows(
        "SELECT id FROM video WHERE json_type(extra, '$.' || ?) = 'null' ORDER BY id", (key,)
    )
    return [VideoId(id_text(cast(bytes, row[0]))) for row in rows]


def save_heard(
    file: ProjectFile, video_id: VideoId, extra: dict[str, Json], findings: tuple[str, ...]
) -> None:
    """Add results of later checks: to the extra fields of a video, and to its findings."""
    with file.transaction() as connection:
        stored = find_video(file, video_id)
        if stored is None:
            return
        connection.execute(
            "UPDATE video SET extra = ?, findings = ? WHERE id = ?",
            (
                json_text(stored.info.extra | extra),
                json_text((*stored.findings, *findings)),
                id_bytes(video_id),
            ),
        )


def find_by_hash(file: ProjectFile, content_hash: str) -> VideoId | None:
    """Return the video of this content, if the project has it."""
    rows = file.rows("SELECT id FROM video WHERE content_hash = ?", (content_hash,))
    return VideoId(id_text(cast(bytes, rows[0][0]))) if rows else None


def add_video(
    file: ProjectFile, info: VideoInfo, facts: FileFacts | None, findings: tuple[str, ...] = ()
) -> None:
    """Add a video; without ``facts`` it is known only from an import."""
    with file.transaction() as connection:
        connection.execute(
            f"INSERT INTO video ({_COLUMNS}, added_at) VALUES"
            " (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                id_bytes(info.id),
                info.name,
                info.width,
                info.height,
                info.n_frames,
                info.frame_rate,
                info.duration_s,
                info.grid_step,
                json_text(findings),
                json_text(info.extra),
                now_text(),
            ),
        )
        if facts:
            save_facts(file, info.id, facts)


def save_facts(file: ProjectFile, video_id: VideoId, facts: FileFacts) -> None:
    """Store the facts of a video file; earlier keyframes get their times."""
    key, table = id_bytes(video_id), facts.table
    with file.transaction() as connection:
        connection.execute(
            "UPDATE video SET content_hash = ? WHERE id = ?", (facts.content_hash, key)
        )
        if table is None:
            return
        connection.execute(
            "UPDATE video SET frame_table_hash = ?, time_base_num = ?, time_base_den = ?"
            " WHERE id = ?",
            (table.digest, *table.time_base, key),
        )
        connection.execute(
            "INSERT OR REPLACE INTO frame_table VALUES (?, ?, ?)",
            (facts.content_hash, table.digest, table.body),
        )
        documents.fill_pts(connection, key, table.pts)


def frame_table(file: Readable, video_id: VideoId) -> bytes | None:
    """Return the bytes of a video's frame table, None while its file has not been seen."""
    rows = file.rows(
        "SELECT f.body FROM frame_table f JOIN video v USING (content_hash) WHERE v.id = ?",
        (id_bytes(video_id),),
    )
    return cast(bytes, rows[0][0]) if rows else None


def locations(file: ProjectFile, video_id: VideoId) -> list[Location]:
    """Return where the video was, here first, then as other machines saw it."""
    rows = file.rows(
        "SELECT path, size, mtime_ns FROM media_location WHERE video_id = ?"
        " ORDER BY replica_id IS NOT ?",
        (id_bytes(video_id), file.replica_id),
    )
    found = cast("list[tuple[str, int, int]]", rows)
    folder = file.path.parent
    return [Location(folder / path, size, mtime) for path, size, mtime in found]


def save_location(file: ProjectFile, video_id: VideoId, path: Path) -> None:
    """Remember where a video lies, relative to the project where that is possible."""
    found = path.stat()
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO media_location VALUES (?, ?, ?, ?, ?)",
            (
                id_bytes(video_id),
                file.author()[1],
                _portable(path.absolute(), file.path.parent),
                found.st_size,
                found.st_mtime_ns,
            ),
        )


def _portable(path: Path, folder: Path) -> str:
    """Return a path relative to the folder, with slashes; as it is on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return str(path)


def _video(row: tuple[object, ...]) -> StoredVideo:
    key, name, content_hash, width, height, n_frames, rate, duration_s, step, findings, extra = (
        cast(
            "tuple[bytes, str, str | None, int, int, int, float, float, int, str, str]",
            row,
        )
    )
    info = VideoInfo(
        VideoId(id_text(key)),
        name,
        width,
        height,
        n_frames,
        rate,
        duration_s,
        step,
        json_object(extra),
    )
    check_bounds(info)
    return StoredVideo(info, content_hash, json_texts(findings))


def check_bounds(info: VideoInfo) -> None:
    """Raise ValueError for facts that no video has: its frames would not fit in memory."""
    values = (info.width, info.height, info.n_frames, info.frame_rate, info.duration_s)
    for value, most in zip((*values, info.grid_step), _MOST, strict=True):
        if not 0 <= value <= most:
            raise ValueError("a video has impossible facts")


UsedLabel = tuple[Lane, str, int | None]
"""Lane, text and number of a segment's label; the number may be unknown."""


class _Used(msgspec.Struct):
    lane: Lane
    label: str
    label_id: int | None


class _Body(msgspec.Struct):
    segments: list[_Used]


_bodies = msgspec.json.Decoder(_Body)


def shown_drafts(
    connection: sqlite3.Connection, person_id: PersonId | None
) -> dict[VideoId, DraftId]:
    """Return the draft of each video that has one: of its first task, a person's own or the newest.

    For projects of one stage.
    """
    rows = connection.execute(
        "SELECT t.video_id, t.id, d.id FROM task t JOIN assignment a ON a.task_id = t.id"
        " JOIN draft d ON d.assignment_id = a.id"
        " ORDER BY t.id, a.state = 'held' AND a.person_id IS ?, d.id",
        (id_bytes(person_id) if person_id is not None else None,),
    )
    draft_of: dict[VideoId, tuple[bytes, DraftId]] = {}
    for video, task, draft in rows:
        video_id = VideoId(id_text(video))
        if draft_of.setdefault(video_id, (task, DraftId("")))[0] == task:
            draft_of[video_id] = (task, DraftId(id_text(draft)))
    return {video_id: draft_id for video_id, (_, draft_id) in draft_of.items()}


def labels_in_drafts(
    connection: sqlite3.Connection, draft_ids: Iterable[DraftId]
) -> Iterator[UsedLabel]:
    """Yield the label of each segment of drafts, in their order."""
    for draft_id in draft_ids:
        rows = connection.execute(
            "SELECT lane, label, label_id FROM segment WHERE draft_id = ?"
            " ORDER BY start_frame, end_frame, id",
            (id_bytes(draft_id),),
        )
        for lane, label, label_id in rows:
            yield Lane(lane), label, label_id


def labels_in_body(body: bytes) -> Iterator[UsedLabel]:
    """Yield the label of each segment in the bytes of a submission; nothing of damaged ones."""
    try:
        found = _bodies.decode(body)
    except msgspec.MsgspecError:
        return
    for used in found.segments:
        yield used.lane, used.label, used.label_id
