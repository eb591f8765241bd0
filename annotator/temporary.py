"""Atomic files and folders, and removal of incomplete ones.

They are made exclusively, never through a link, beside the place where they will be.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

SUFFIX: Final = ".annotator-new"
PREFIX: Final = "annotator-"
"""Of folders in the temporary folder of the system."""

LEFT_AFTER_S: Final = 24 * 3600.0
"""Nothing that takes longer is still being written."""


@contextlib.contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Yield a temporary file that replaces ``target`` unless an error occurs.

    OSError when it cannot be made or moved; nothing is left behind then.
    """
    handle, name = tempfile.mkstemp(f"{SUFFIX}", f".{target.name[:40]}.", target.parent)
    os.close(handle)
    place = Path(name)
    try:
        yield place
        place.chmod(0o666 & ~umask())
        place.replace(target)
    finally:
        with contextlib.suppress(OSError):
            place.unlink(missing_ok=True)


@contextlib.contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give an empty folder to be filled; without an error it becomes ``target``, which must not
    exist or be empty. OSError when it cannot be made or moved; nothing is left behind then.
    """
    place = Path(tempfile.mkdtemp(SUFFIX, f".{target.name[:40]}.", target.parent))
    try:
        yield place
        place.chmod(0o777 & ~umask())
        if target.exists():
            target.rmdir()
        place.rename(target)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def remove_leftovers(folder: Path) -> int:
    """Remove files of killed processes older than a day from a folder; return their size."""
    # SQLite's journal of an unfinished database is named after it.
    return _remove(folder, lambda name: name.startswith(".") and SUFFIX in name)


def remove_system_leftovers() -> int:
    """Remove this person's files of killed processes from the system's temporary folder."""
    return _remove(Path(tempfile.gettempdir()), lambda name: name.startswith(PREFIX))


def umask() -> int:
    """Return the bits that new files must not have; reading them means setting them twice."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _remove(folder: Path, is_left: Callable[[str], bool]) -> int:
    removed, now = 0, time.time()
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not is_left(entry.name):
                continue
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                is_own = not hasattr(os, "getuid") or about.st_uid == os.getuid()
                if not is_own or now - about.st_mtime < LEFT_AFTER_S or entry.is_symlink():
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    Path(entry.path).unlink()
                removed += 1
    return removed
