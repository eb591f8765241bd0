"""Backups of a project: made in the background, listed and brought back when it is damaged."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from annotator.domain.errors import ProjectError
from annotator.store.file import backups as copies
from annotator.store.file.failures import DamagedError
from annotator.store.file.lock import LockedError, ProjectLock

__all__ = ["Backup", "DamagedError", "backups", "keep_backup", "restore"]


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole copy of a project as it was at a time (UTC)."""

    path: Path
    at: datetime
    size_bytes: int


def backups(path: Path) -> list[Backup]:
    """Return the backups of a project, newest first; also when the project is damaged or gone."""
    return [
        Backup(copy, copies.backup_time(copy), copy.stat().st_size)
        for copy in copies.backups_of(Path(path))
    ]


def keep_backup(path: Path) -> Path | None:
    """Copy a project if it has changed since its last backup; may run in any thread."""
    return copies.make_backup(path) if copies.is_backup_due(path) else None


def restore(path: Path, backup: Path) -> Path | None:
    """Put a backup in the place of a project that is not open anywhere.

    What was there is kept beside it under another name, which is returned (None when nothing was).
    """
    path = Path(os.path.realpath(path))
    try:
        lock = ProjectLock(path)
    except LockedError as error:
        raise ProjectError(
            f"Cannot restore the backup: {error.holder} is editing the project.",
            hint="Close the project in the other program first.",
            where=str(path),
        ) from error
    except OSError as error:
        raise _not_restored(path, error) from error
    try:
        return _replaced(path, backup)
    except OSError as error:
        raise _not_restored(path, error) from error
    finally:
        lock.release()


def _replaced(path: Path, backup: Path) -> Path | None:
    temporary = path.with_name(f".{path.name}.restored")
    shutil.copyfile(backup, temporary)
    aside = None
    if path.exists():
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        aside = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
        path.rename(aside)
        for suffix in ("-wal", "-shm"):
            extra = path.with_name(path.name + suffix)
            if extra.exists():
                extra.rename(aside.with_name(aside.name + suffix))
    temporary.replace(path)
    return aside


def _not_restored(path: Path, error: OSError) -> ProjectError:
    return ProjectError(
        f"Cannot restore the backup: {error.strerror}.",
        hint="No data was lost. Open the backup file directly, or free disk space and try again.",
        where=str(path),
    )
