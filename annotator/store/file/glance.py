"""Early read of a project file: the data that a window shows before the project is open."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from annotator.store.file.filesystem import place

# Only without sign-in, where every task may be shown.
_VIEW = """
SELECT state FROM view_state LEFT JOIN replica ON replica.id = view_state.replica_id
WHERE coalesce((SELECT value FROM meta WHERE key = 'recipe'), 'single') = 'single'
ORDER BY replica.host IS NOT ? OR replica.place IS NOT ?, saved_at DESC LIMIT 1
"""
_VIDEO = """
SELECT body, path, size, mtime_ns FROM task
JOIN video ON video.id = task.video_id JOIN frame_table USING (content_hash)
JOIN media_location ON media_location.video_id = video.id
JOIN replica ON replica.id = media_location.replica_id
WHERE task.id = ? ORDER BY replica.host IS NOT ? OR replica.place IS NOT ?
"""


@dataclass(frozen=True, slots=True)
class Glance:
    """Where the person was: video file, bytes of its frame table, frame, zoom and center.

    ``zoom`` is in screen pixels per image pixel, 0 for a fitted picture.
    """

    video: Path
    table: bytes
    frame: int
    zoom: float
    center: tuple[float, float]


def glance(path: Path) -> Glance | None:
    """Read the last position of the person; None if it is not stored.

    Nothing is locked, checked or written: whether the project is whole is for opening to say.
    """
    path = Path(os.path.realpath(path))
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=0)) as file:
            return _read(file, path)
    except (sqlite3.Error, OSError, ValueError, KeyError, TypeError):
        return None


def _read(file: sqlite3.Connection, path: Path) -> Glance | None:
    here = place(path)
    row = file.execute(_VIEW, here).fetchone()
    if row is None:
        return None
    view = json.loads(row[0])
    key = UUID(view["task_id"]).bytes
    for table, name, size, mtime_ns in file.execute(_VIDEO, (key, *here)):
        video = path.parent / name
        found = video.stat() if video.is_file() else None
        if found is not None and (found.st_size, found.st_mtime_ns) == (size, mtime_ns):
            center = float(view["center_x"]), float(view["center_y"])
            return Glance(video.resolve(), table, int(view["frame"]), float(view["zoom"]), center)
    return None
