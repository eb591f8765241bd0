"""Backups of a project: created in the background, listed, and restored after damage."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from annotator.domain.errors import ProjectError
from annotator.store.file import backups as copies
from annotator.store.file.failures import DamagedError
from annotator.store.file.file_checks import integrity_findings, remade
from annotator.store.file.file_opening import open_file
from annotator.store.file.lock import LockedError, ProjectLock
from annotator.store.file.project import rename_left_logs
from annotator.temporary import remove_leftovers, remove_system_leftovers

__all__ = ["Backup", "DamagedError", "Repair", "backups", "keep_backup", "repair", "restore"]


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole copy of a project as it was at a time (UTC)."""

    path: Path
    at: datetime
    size_bytes: int


def backups(path: Path) -> list[Backup]:
    """Return the backups of a project, newest first; also of a damaged or missing project."""
    return [
        Backup(copy, copies.backup_time(copy), copy.stat().st_size)
        for copy in copies.backups_of(Path(path))
    ]


def keep_backup(path: Path) -> Path | None:
    """Copy a project if it has changed since its last backup; may run in any thread."""
    return copies.make_backup(path) if copies.is_backup_due(path) else None


def maintain_backups(path: Path) -> None:
    """Copy a project if it has changed, and remove what killed processes left beside it, and
    backups that nobody needs; may run in any thread.
    """
    keep_backup(path)
    remove_leftovers(path.parent)
    remove_system_leftovers()
    copies.drop_forgotten()


def restore(path: Path, backup: Path) -> Path | None:
    """Replace a project by a backup; the project must not be open.

    The old file is kept beside it under another name, which is returned (None without one).
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


@dataclass(frozen=True, slots=True)
class Repair:
    """Result of a repair: the copy of the old file, the backup that replaced it (None: the indexes
    were rebuilt), and the remaining findings."""

    kept: Path
    backup: Path | None
    findings: tuple[str, ...]


def repair(path: Path, *, from_backup: bool = False) -> Repair:
    """Rebuild the indexes of a project, or restore its newest valid backup.

    The old file is kept beside it. ProjectError where it is open elsewhere, where nothing can be
    read of it, or where there is no sound backup.
    """
    path = Path(os.path.realpath(path))
    if from_backup:
        sound = next((copy for copy in copies.backups_of(path) if not _faults(copy)), None)
        if sound is None:
            raise ProjectError(
                "The project has no sound backup.",
                hint="Copies of the project on other disks may be sound.",
                where=str(path),
            )
        kept_path = restore(path, sound)
        return Repair(kept_path or path, sound, ())
    with _locked(path):
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        kept_path = path.with_name(f"{path.stem}.before-repair-{stamp}{path.suffix}")
        try:
            for suffix in ("", "-wal"):
                source = path.with_name(path.name + suffix)
                if source.exists():
                    shutil.copyfile(source, kept_path.with_name(kept_path.name + suffix))
        except OSError as error:
            raise ProjectError(
                f"Cannot keep a copy of the project: {error.strerror}.", where=str(kept_path)
            ) from error
        return Repair(kept_path, None, tuple(remade(path)))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        lock = ProjectLock(path)
    except LockedError as error:
        raise ProjectError(
            f"Cannot repair the project: {error.holder} is editing it.",
            hint="Close the project in the other program first.",
            where=str(path),
        ) from error
    except OSError as error:
        raise ProjectError(
            f"Cannot repair the project: {error.strerror}.", where=str(path)
        ) from error
    try:
        yield
    finally:
        lock.release()


def _faults(path: Path) -> bool:
    """Return whether a copy is damaged."""
    try:
        with closing(open_file(path, read_only=True)) as file, file.reading() as connection:
            return bool(integrity_findings(connection, is_thorough=True))
    except ProjectError:
        return True


def _replaced(path: Path, backup: Path) -> Path | None:
    temporary = path.with_name(f".{path.name}.restored")
    shutil.copyfile(backup, temporary)
    damaged_copy = None
    if path.exists():
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        damaged_copy = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
        path.rename(damaged_copy)
    rename_left_logs(path, damaged_copy)
    temporary.replace(path)
    return damaged_copy


def _not_restored(path: Path, error: OSError) -> ProjectError:
    return ProjectError(
        f"Cannot restore the backup: {error.strerror}.",
        hint="No data was lost. Open the backup file directly, or free disk space and try again.",
        where=str(path),
    )
