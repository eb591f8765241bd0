"""One writer for each project: a lock that the operating system frees when its holder dies.

The lock is held on a file beside the project, never on the project itself: closing a second
handle of the database would drop the locks SQLite keeps there.
"""

from __future__ import annotations

import contextlib
import errno
import getpass
import os
import socket
import sys
from datetime import datetime
from pathlib import Path

import msgspec

from annotator.store.columns import now_text

_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
_WINDOWS_LOCK_BYTE = 1 << 20  # far behind the text, which others must be able to read


class LockHolder(msgspec.Struct, frozen=True):
    """Writer of a project: ``since`` is UTC, ISO 8601."""

    user: str
    host: str
    pid: int
    since: str

    def __str__(self) -> str:
        since = self.since
        with contextlib.suppress(ValueError):
            since = datetime.fromisoformat(since).astimezone().strftime("%Y-%m-%d %H:%M")
        return f"{self.user} on {self.host} (process {self.pid}, since {since})"


class LockedError(Exception):
    """Another process holds the lock; ``holder`` is None if it left no name."""

    def __init__(self, holder: LockHolder | None) -> None:
        super().__init__(str(holder))
        self.holder = holder


class ProjectLock:
    """The right to write a project, until `release` or the end of the process."""

    def __init__(self, project_path: Path) -> None:
        """Take the lock; LockedError if another process holds it, OSError without a file."""
        self._path = lock_path(project_path)
        self.is_effective = True
        while True:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                self.is_effective = _lock(self._file)
            except OSError:
                os.close(self._file)
                raise LockedError(read_holder(project_path)) from None
            if self._is_current():
                break
            # The one before removed the file between our opening and locking it.
            os.close(self._file)
        os.truncate(self._file, 0)
        os.write(self._file, msgspec.json.encode(current_holder()))

    def release(self) -> None:
        """Give the lock back; twice is no error."""
        if self._file < 0:
            return
        if sys.platform != "win32":
            self._path.unlink(missing_ok=True)
        os.close(self._file)
        self._file = -1

    def _is_current(self) -> bool:
        if sys.platform == "win32":
            return True
        try:
            return os.path.samestat(os.fstat(self._file), self._path.stat())
        except FileNotFoundError:
            return False


def is_locked(project_path: Path) -> bool:
    """Return whether a process holds the lock, without taking it.

    Several processes can check at once. A process that takes the lock can fail during a check, so
    it tries again. OSError if the lock file exists and cannot be opened.
    """
    try:
        file = os.open(lock_path(project_path), os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        _lock(file, is_shared=True)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(file)


def lock_path(project_path: Path) -> Path:
    """Return where the lock of a project lies."""
    return project_path.with_name(f".{project_path.name}.lock")


def current_holder() -> LockHolder:
    """Return what this process writes into its locks."""
    return LockHolder(user_name(), socket.gethostname(), os.getpid(), now_text())


def read_holder(project_path: Path) -> LockHolder | None:
    """Return who wrote the lock file last, None when it cannot be read."""
    try:
        return msgspec.json.decode(lock_path(project_path).read_bytes(), type=LockHolder)
    except (OSError, ValueError):
        return None


def user_name() -> str:
    """Return the login name, or "somebody" if the system has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "somebody"


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, *, is_shared: bool = False) -> bool:
        # Windows has exclusive locks only: two checks at once see each other as a holder.
        os.lseek(file, _WINDOWS_LOCK_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def _lock(file: int, *, is_shared: bool = False) -> bool:
        """Return whether the lock works here; OSError if another process holds it."""
        mode = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
        try:
            fcntl.flock(file, mode | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _UNSUPPORTED:
                return False
            raise
        return True
