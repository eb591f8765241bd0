"""Rolling backups: whole copies of the project in the user's data folder, kept by age."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from annotator import paths
from annotator.domain.errors import ProjectError
from annotator.store.file.failures import explained
from annotator.temporary import new_file

KEPT_RECENT = 5
KEPT_DAYS = 7
KEPT_WEEKS = 4
KEPT_WHEN_GONE = timedelta(days=30)
"""How long the backups of a project are kept after the project file disappeared."""
MAX_TOTAL_BYTES = 20 << 30
"""Of all backups; the oldest go first, but for the newest of each project."""

_PLACE = "project.txt"

_STAMP = "%Y%m%dT%H%M%S%fZ"


def backups_of(path: Path) -> list[Path]:
    """Return the backups of a project, newest first; also of a missing project."""
    return sorted(_folder(path).glob("*.annot"), reverse=True)


def backup_time(backup: Path) -> datetime:
    """Return when a backup was made (UTC)."""
    return datetime.strptime(backup.stem, _STAMP).replace(tzinfo=UTC)


def is_backup_due(path: Path) -> bool:
    """Return whether the project has changed since its last backup."""
    newest = next(iter(backups_of(path)), None)
    if newest is None:
        return True
    changed = max(
        (p.stat().st_mtime for p in (path, path.with_name(path.name + "-wal")) if p.exists()),
        default=0.0,
    )
    return changed > newest.stat().st_mtime


def make_backup(path: Path) -> Path:
    """Back up the project now, drop old backups, and return the copy.

    Reads through a connection of its own and blocks no writer. ProjectError when it cannot be
    read, or the copy not be written.
    """
    folder = _folder(path)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{datetime.now(UTC).strftime(_STAMP)}.annot"
    try:
        with explained(path), new_file(target) as place:
            source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
            copy = sqlite3.connect(place)
            try:
                source.backup(copy)
                # A copy is one file; its journal mode is set again at opening.
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()
                source.close()
    except OSError as error:
        raise ProjectError(
            f"Cannot write the backup: {error.strerror}.", where=str(folder)
        ) from error
    with suppress(OSError):
        (folder / _PLACE).write_text(str(path.resolve()), encoding="utf-8")
    for old in superseded(backups_of(path)):
        old.unlink(missing_ok=True)
    return target


def drop_forgotten(now: datetime | None = None) -> list[Path]:
    """Drop backups of projects that were deleted long ago, and the oldest if all backups are too
    large; return the dropped ones."""
    now = now or datetime.now(UTC)
    dropped: list[Path] = []
    for folder in (
        project_folder for project_folder in _root().glob("*") if project_folder.is_dir()
    ):
        copies = sorted(folder.glob("*.annot"), reverse=True)
        place = folder / _PLACE
        if not copies or not place.is_file():
            continue
        is_gone = not Path(place.read_text(encoding="utf-8")).exists()
        if is_gone and now - backup_time(copies[0]) > KEPT_WHEN_GONE:
            dropped += copies
    every = {copy: copy.stat().st_size for copy in _root().glob("*/*.annot")}
    newest = {max(c for c in every if c.parent == folder) for folder in {c.parent for c in every}}
    total = sum(size for copy, size in every.items() if copy not in dropped)
    for copy in sorted(every, key=lambda c: c.name):
        if total <= MAX_TOTAL_BYTES:
            break
        if copy not in newest and copy not in dropped:
            dropped.append(copy)
            total -= every[copy]
    for copy in dropped:
        copy.unlink(missing_ok=True)
        if not any(copy.parent.glob("*.annot")):
            shutil.rmtree(copy.parent, ignore_errors=True)
    return dropped


def superseded(backups: list[Path]) -> list[Path]:
    """Return those to drop of some backups, newest first.

    Kept are the newest few, then the newest of each day for a week, then of each week for a month.
    """
    if not backups:
        return []
    newest = backup_time(backups[0])
    kept_backups = set(backups[:KEPT_RECENT])
    days: set[object] = set()
    weeks: set[object] = set()
    for backup in backups:
        at = backup_time(backup)
        day, week = at.date(), at.isocalendar()[:2]
        if day not in days and newest - at < timedelta(days=KEPT_DAYS):
            kept_backups.add(backup)
        if week not in weeks and newest - at < timedelta(weeks=KEPT_WEEKS):
            kept_backups.add(backup)
        days.add(day)
        weeks.add(week)
    return [b for b in backups if b not in kept_backups]


def _folder(path: Path) -> Path:
    real = path.resolve()
    token = hashlib.sha256(os.fsencode(real)).hexdigest()[:8]
    return _root() / f"{real.stem}-{token}"


def _root() -> Path:
    return paths.data_dir() / "backups"
