"""The cache of fetched videos: files named by their content, up to a limit, oldest out first.

CACHE/ab/HASH.mp4      a complete video, checked
CACHE/HASH.part        one that is being fetched, or was when that was interrupted
CACHE/pins/….json      the videos that a project needs now, which are never put out
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from annotator import paths
from annotator.domain.errors import MediaError
from annotator.services.files import write_atomically
from annotator.services.settings import Settings
from annotator.store.file.lock import LockedError, ProjectLock

_PART: Final = ".part"
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_LONGEST_SUFFIX: Final = 8


class CacheFullError(MediaError):
    """Projects need all that is in the cache, and there is no room for more."""


class _Pins(msgspec.Struct):
    """The videos that a project needs, by content."""

    project: str
    hashes: list[str]


class VideoCache:
    """A folder of videos by content hash, shared by all projects and programs of a user."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes

    def find(self, content_hash: str) -> Path | None:
        """Return the file of a content, and note that it was used; None without one."""
        for path in self._place(content_hash).parent.glob(f"{content_hash}.*"):
            with suppress(OSError):
                found = path.stat()
                # When it was written stays: projects recognize an unchanged file by that.
                os.utime(path, ns=(time.time_ns(), found.st_mtime_ns))
            return path
        return None

    @contextmanager
    def part(self, key: str) -> Iterator[Path]:
        """Return the partial file of a download, with the data of an interrupted one.

        ``key`` is the content hash, or the hash of the address while that is unknown. MediaError
        while another program fetches the same video.
        """
        _check(key)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{key}{_PART}"
        try:
            lock = ProjectLock(path)
        except LockedError as error:
            raise MediaError(
                "Another program is fetching this video.", hint="Try again when it has finished."
            ) from error
        try:
            yield path
        finally:
            lock.release()

    def take(self, part: Path, content_hash: str, name: str) -> Path:
        """Move a complete file to its place; ``name`` has its extension."""
        suffix = Path(name).suffix.lower()
        if not 1 < len(suffix) <= _LONGEST_SUFFIX or not suffix[1:].isalnum():
            suffix = ".video"
        target = self._place(content_hash).with_suffix(suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        part.replace(target)
        return target

    def make_room(self, size: int, *, but: Path | None = None) -> None:
        """Remove the least recently used videos until ``size`` bytes fit within the limit.

        CacheFullError when the rest is needed; ``but`` is a file that is not counted.
        """
        pinned = self.pinned()
        files = [(path, path.stat()) for path in self._files() if path != but]
        over = sum(file_stat.st_size for _, file_stat in files) + size - self.limit_bytes
        for path, file_stat in sorted(files, key=lambda entry: entry[1].st_atime_ns):
            if over <= 0:
                return
            if path.stem not in pinned and path.suffix != _PART:
                with suppress(OSError):  # in use, on Windows
                    path.unlink()
                    over -= file_stat.st_size
        if over > 0:
            raise CacheFullError(
                f"There is no room for the video: the cache is limited to "
                f"{self.limit_bytes / 1e9:.1f} GB, and tasks at hand need what is in it.",
                hint="Submit tasks, or raise the limit in the settings.",
                where=str(self.folder),
            )

    def pin(self, project: Path, hashes: Collection[str]) -> None:
        """Keep the videos that a project needs now, in place of those it needed before."""
        folder = self.folder / "pins"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{hashlib.sha256(str(project).encode()).hexdigest()[:24]}.json"
        if hashes:
            write_atomically(path, [msgspec.json.encode(_Pins(str(project), sorted(hashes)))])
        else:
            path.unlink(missing_ok=True)

    def pinned(self) -> set[str]:
        """Return the videos that projects need now; deleted projects need none."""
        found: set[str] = set()
        for path in (self.folder / "pins").glob("*.json"):
            try:
                pins = msgspec.json.decode(path.read_bytes(), type=_Pins)
            except (OSError, msgspec.DecodeError):
                continue
            if Path(pins.project).exists():
                found.update(pins.hashes)
            else:
                path.unlink(missing_ok=True)
        return found

    def used_bytes(self) -> int:
        """Return how large the cache is."""
        return sum(path.stat().st_size for path in self._files())

    def _place(self, content_hash: str) -> Path:
        _check(content_hash)
        return self.folder / content_hash[:2] / content_hash

    def _files(self) -> Iterator[Path]:
        yield from self.folder.glob(f"*{_PART}")
        yield from self.folder.glob("??/*")


def _check(content_hash: str) -> None:
    """Raise MediaError for a hash that is none: it came with a file, and becomes a path."""
    if not _HASH.fullmatch(content_hash):
        raise MediaError("The content hash of the video is not a SHA-256.")


def video_cache(settings: Settings) -> VideoCache:
    """Return the cache of this user with the limits of the settings."""
    chosen = settings.text("videos.cache")
    folder = Path(chosen).expanduser() if chosen else paths.cache_dir() / "videos"
    return VideoCache(folder, settings.whole("videos.cache_gb") * 10**9)
