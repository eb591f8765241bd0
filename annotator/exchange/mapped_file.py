"""A file from strangers, mapped into memory: it is opened without trust and closed with care."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Self

from annotator.domain.errors import ExchangeError

if TYPE_CHECKING:
    from types import TracebackType


class MappedFile:
    """Maps a file for reading; every failure is reported in words for people.

    ExchangeError, naming the file, when it is a folder, empty, larger than ``max_bytes`` or cannot
    be read. Those who read it overtake ``_read``, which runs while the map is open and closes it
    again when it fails.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path = path
        try:
            size = path.stat().st_size
            if path.is_dir():
                raise IsADirectoryError(21, "it is a folder")
            if size > max_bytes:
                text = (
                    f"the file has {size / 2**30:.1f} GB, which exceeds the limit of "
                    f"{max_bytes >> 30} GB"
                )
                raise self._refused(f"{text}")
            if size == 0:
                raise self._refused("the file is empty")
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            text = f"cannot be read: {error.strerror or error}."
            hint = "Check the path and the read permission."
            raise ExchangeError(text, hint=hint, where=str(path)) from error
        try:
            self._read()
        except BaseException:
            self._map.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self._map.close()

    def forget(self) -> None:
        """Release the memory of the parts read so far."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def _read(self) -> None:
        """Validate the mapped file; ExchangeError if it is invalid."""

    def _refused(self, text: str, path: str = "", hint: str | None = None) -> ExchangeError:
        where = f"{self.path}, {path}" if path else str(self.path)
        hint = hint or "No data was imported. Correct the file, or copy it again from its source."
        return ExchangeError(f"{text}.", hint=hint, where=where)
