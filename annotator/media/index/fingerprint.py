"""Identity of files: content hash, quick fingerprint, and noticing that a file changed under us."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from annotator.domain.errors import MediaError
from annotator.media.index.container import media_errors
from annotator.media.values import Progress

_SAMPLE_BYTES = 1 << 16
_BLOCK_BYTES = 1 << 22


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Size and modification time of a file at one moment."""

    size: int
    modified_ns: int

    @classmethod
    def of(cls, path: Path) -> FileStamp:
        """Stamp of a file now; MediaError if it is missing."""
        with media_errors(path, "read this file"):
            status = path.stat()
        return cls(status.st_size, status.st_mtime_ns)

    def check(self, path: Path) -> None:
        """Raise MediaError when the file is no longer the one that was stamped."""
        if FileStamp.of(path) != self:
            raise changed(path)


def changed(path: Path) -> MediaError:
    """The error for a video that is not the one it was."""
    return MediaError(
        "Cannot read the file: it changed on disk after it was opened or indexed.",
        hint="Restore the original file, or open the video again to rebuild its frame table.",
        where=str(path),
    )


def fingerprint(path: Path) -> str:
    """SHA-256 (hex) of size, beginning, middle and end: quick, for noticing a swapped file."""
    with media_errors(path, "read this file"), path.open("rb") as file:
        size = path.stat().st_size
        state = hashlib.sha256(str(size).encode())
        for start in (0, max(size // 2 - _SAMPLE_BYTES // 2, 0), max(size - _SAMPLE_BYTES, 0)):
            file.seek(start)
            state.update(file.read(_SAMPLE_BYTES))
    return state.hexdigest()


def content_hash(path: Path, progress: Progress | None = None) -> str:
    """SHA-256 (hex) of the whole file: the identity of a video, whatever its name.

    ``progress`` is called with the share done; raising in it cancels.
    """
    state = hashlib.sha256()
    with media_errors(path, "read this file"), path.open("rb") as file:
        size = path.stat().st_size
        while block := file.read(_BLOCK_BYTES):
            state.update(block)
            if progress is not None:
                progress(min(1.0, file.tell() / size))
    return state.hexdigest()
