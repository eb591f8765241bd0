"""Makes commits outlive a power cut without making anybody wait for the disk.

A commit in write-ahead mode reaches the operating system at once, so it survives the death of the
program. This thread then has the system write it to the disk; the next commit waits for that, so
each gesture is on the disk before the next one is begun.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from annotator.domain.errors import ProjectError


class Flusher:
    """One thread that flushes one file on demand."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._error: OSError | None = None
        self._is_closing = False
        self._wanted = threading.Event()
        self._done = threading.Event()
        self._done.set()
        self._thread = threading.Thread(target=self._run, name="flush", daemon=True)
        self._thread.start()

    def start(self) -> None:
        """Begin to flush what has been written so far."""
        self._done.clear()
        self._wanted.set()

    def wait(self) -> None:
        """Return when all is on the disk; ProjectError when the disk refused it."""
        self._done.wait()
        error, self._error = self._error, None
        if error is not None:
            raise ProjectError(
                f"The disk did not confirm the last edit: {error.strerror}.",
                hint="Check the disk or its connection, and save a copy of the project.",
                where=str(self._path),
            ) from error

    def close(self) -> None:
        """End the thread after its last flush."""
        self._is_closing = True
        self._wanted.set()
        self._thread.join()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if not self._done.is_set():
                try:
                    self._flush()
                except OSError as error:
                    self._error = error
                self._done.set()
            if self._is_closing:
                return

    def _flush(self) -> None:
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDWR)
            _sync_folder(self._path.parent)
        _sync(self._file)


if sys.platform == "darwin":
    import fcntl

    def _sync(file: int) -> None:
        # fsync alone leaves the data in the drive's cache there.
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
elif sys.platform == "win32":

    def _sync(file: int) -> None:
        os.fsync(file)
else:

    def _sync(file: int) -> None:
        os.fdatasync(file)


def _sync_folder(folder: Path) -> None:
    """Have the file's name on the disk, too; Windows does that by itself."""
    if sys.platform == "win32":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
