"""The video files of a project: reading new ones, and finding those that have moved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.errors import MediaError, ProjectError
from annotator.domain.ids import VideoId, new_id
from annotator.domain.json_type import Json
from annotator.store.catalog import videos
from annotator.store.catalog.videos import FileFacts, Location, StoredVideo, TableFacts
from annotator.store.file.project import ProjectFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.media import Video
    from annotator.media.values import Progress

_MAX_FILES_SEARCHED = 20_000
SOUND_KEY = "sound"
"""Key of the sound facts of a video; without a value its sound is not checked yet."""

# Shares of the time that reading an hour takes: a table and a hash in two seconds, the sound in
# four.
_BEFORE_SOUND = 0.35
_BEFORE_HASH = 0.6


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Result of reading a video or sound file; can be sent between processes."""

    path: Path
    info: VideoInfo
    facts: FileFacts
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VideoEntry:
    """A video as the window lists it; ``path`` is None while its file is missing."""

    id: VideoId
    name: str
    path: Path | None
    width: int
    height: int
    n_frames: int
    frame_rate: float
    duration_s: float
    findings: tuple[str, ...]

    @property
    def is_missing(self) -> bool:
        return self.path is None


def stored_sound(info: VideoInfo) -> tuple[int, int] | None:
    """Return samples per channel and rate of the sound as counted when the video was added.

    (0, 0) without sound, None where it was not counted, or not yet.
    """
    kept = info.extra.get(SOUND_KEY)
    if not isinstance(kept, dict):
        return None
    samples, rate = kept.get("samples"), kept.get("rate")
    return (samples, rate) if isinstance(samples, int) and isinstance(rate, int) else None


def read_file(path: Path, progress: Progress | None = None) -> ReadFile:
    """Read a file to add, including its sound; MediaError if it cannot be used.

    ``progress`` is called with the share done; raising in it cancels.
    """
    from annotator.media.values import part_of

    # Facts about the sound must not depend on the presence of the file.
    read = ReadFile(path, *_read(path, part_of(progress, 0.0, _BEFORE_SOUND)))
    return _with_sound(read, part_of(progress, _BEFORE_SOUND, 1.0))


def listen(
    path: Path, table: bytes | None, progress: Progress | None = None
) -> tuple[Json, tuple[str, ...]]:
    """Decode the sound of a file; returns its facts and its issues as texts.

    ``table`` is the frame table, None for sound alone. A sound that is broken stays uncounted.
    """
    from annotator.media import FrameTable
    from annotator.media.audio.check import check_sound

    try:
        if table is None:
            sound = check_sound(path, progress=progress)
        else:
            times = FrameTable.from_bytes(table)
            start_s, end_s = times.origin_s, times.duration_s
            sound = check_sound(path, origin_s=start_s, end_s=end_s, progress=progress)
    except MediaError as error:
        return {}, (f"Cannot play the audio: {error.text}",)
    facts: Json = {"samples": sound.samples, "rate": sound.rate}
    return facts, tuple(finding.text for finding in sound.findings)


class ProjectMedia:
    """Videos by identity, and the files that hold them."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._found: dict[VideoId, Location] = {}

    def entries(self) -> list[VideoEntry]:
        """Return all videos of the project, with the paths of those that lie where they were."""
        return [self._entry(stored) for stored in videos.list_videos(self._file)]

    def all(self) -> list[tuple[VideoInfo, list[Path]]]:
        """Return all videos with their last known paths; no file is searched."""
        paths = videos.seen_paths(self._file)
        return [
            (stored.info, [Path(os.path.normpath(p)) for p in paths.get(stored.info.id, [])])
            for stored in videos.list_videos(self._file)
        ]

    def places(self) -> list[Path]:
        """Return every path at which a video of the project was seen; no file is looked for."""
        return [
            Path(os.path.normpath(path))
            for paths in videos.seen_paths(self._file).values()
            for path in paths
        ]

    def seen_at(self, video_id: VideoId) -> list[Path]:
        """Return the paths at which a video was seen, this computer's first; none is looked for."""
        places = (Path(os.path.normpath(at.path)) for at in videos.locations(self._file, video_id))
        return list(dict.fromkeys(places))

    def video(self, video_id: VideoId) -> StoredVideo:
        """Return a video of the project; ProjectError if there is none."""
        stored = videos.find_video(self._file, video_id)
        if stored is None:
            raise ProjectError("Cannot find the video in the project.", where=str(self._file.path))
        return stored

    def path(self, video_id: VideoId) -> Path | None:
        """Return where the video's file lies, None while it is not where it was.

        A file of another size or time does not count before `look_for` has read it: it may have
        been replaced.
        """
        found = self._found.get(video_id)
        if found is None or not found.matches():
            self._found.pop(video_id, None)
            for location in videos.locations(self._file, video_id):
                if location.matches():
                    self._take(video_id, location.path.resolve())
                    break
        found = self._found.get(video_id)
        return found.path if found is not None else None

    def look_for(
        self, video_ids: Iterable[VideoId], check: Callable[[], None] = lambda: None
    ) -> list[VideoId]:
        """Find missing videos by their content; return those found.

        Looks at their known places, then at files of the right size below the project. It reads
        files, so run it as a job; ``check`` is called again and again and may stop it by raising.
        """
        missing = [i for i in video_ids if self.path(i) is None]
        for video_id in missing:
            check()
            for location in videos.locations(self._file, video_id):
                if self._is_same(video_id, location.path):
                    self._note(video_id, location.path.resolve())
                    break
        self._search([i for i in missing if i not in self._found], check)
        return [i for i in missing if i in self._found]

    def pts(self, table: bytes | None) -> NDArray[np.int64] | None:
        """Return the presentation times a stored frame table holds."""
        if table is None:
            return None
        from annotator.media import FrameTable

        return FrameTable.from_bytes(table).pts

    def add(
        self,
        path: Path,
        *,
        grid_step: int | None = None,
        progress: Progress | None = None,
        listens: bool = True,
    ) -> tuple[VideoId, bool]:
        """Read a video file and add it; returns whether it is new.

        ``grid_step`` is the step of the annotation grid in frames; None: about one second.
        ``progress`` is called with the share done; raising in it cancels, nothing is added. Without
        ``listens`` the sound is left for later, which is noted.

        A video known from an import only is matched by name, size and number of frames.
        MediaError when the file cannot be used.
        """
        from annotator.media.values import part_of

        until = _BEFORE_SOUND if listens else 1.0
        read = ReadFile(path, *_read(path, part_of(progress, 0.0, until)))
        stored_id = videos.find_by_hash(self._file, read.facts.content_hash)
        if stored_id is None and self._expected(read.info) is None:
            if listens:
                read = _with_sound(read, part_of(progress, until, 1.0))
            else:
                read = replace(read, info=replace(read.info, extra={SOUND_KEY: None}))
        return self.take(read, grid_step=grid_step)

    def take(self, read: ReadFile, *, grid_step: int | None = None) -> tuple[VideoId, bool]:
        """Add a file that has been read; as `add`, and of little work."""
        info, facts = read.info, read.facts
        if grid_step is not None:
            info = replace(info, grid_step=grid_step)
        with self._file.transaction():
            known = videos.find_by_hash(self._file, facts.content_hash)
            expected = self._expected(info) if known is None else None
            if known is None and expected is None:
                videos.add_video(self._file, info, facts, read.findings)
            elif expected is not None:
                videos.save_facts(self._file, expected, facts)
            video_id = known or expected or info.id
            videos.save_location(self._file, video_id, read.path)
        self._take(video_id, read.path)
        return video_id, known is None

    @contextmanager
    def together(self) -> Iterator[None]:
        """Apply all enclosed additions in one transaction."""
        with self._file.transaction():
            yield

    def locate(
        self, video_id: VideoId, path: Path, progress: Progress | None = None
    ) -> bytes | None:
        """Set the file of a video and return its frame table, None for sound alone.

        ``progress`` is called with the share done; raising in it cancels, nothing is stored.
        ProjectError when its content is another. A project open for reading only notes nothing.
        """
        stored = self.video(video_id)
        info, facts, _ = _read(path, progress)
        if stored.content_hash is not None and stored.content_hash != facts.content_hash:
            raise ProjectError(
                f"The file does not match “{stored.info.name}”: its content is different.",
                hint="Select the file that was annotated. A converted copy has different frames.",
                where=str(path),
            )
        if stored.content_hash is None and not _fits(stored.info, info):
            raise ProjectError(
                f"The file does not match “{stored.info.name}”: expected {_shape(stored.info)}, "
                f"found {_shape(info)}.",
                hint="Select the video that the imported file describes.",
                where=str(path),
            )
        if not self._file.is_read_only:
            with self._file.transaction():
                if videos.frame_table(self._file, video_id) is None:
                    videos.save_facts(self._file, video_id, facts)
                videos.save_location(self._file, video_id, path)
        self._take(video_id, path)
        return facts.table.body if facts.table else None

    def _entry(self, stored: StoredVideo) -> VideoEntry:
        info = stored.info
        return VideoEntry(
            info.id,
            info.name,
            self.path(info.id),
            info.width,
            info.height,
            info.n_frames,
            info.frame_rate,
            info.duration_s,
            stored.findings,
        )

    def _take(self, video_id: VideoId, path: Path) -> None:
        """Store path and stamp of a file; a vanished one counts as missing."""
        with suppress(OSError):
            found = path.stat()
            self._found[video_id] = Location(path, found.st_size, found.st_mtime_ns)

    def _note(self, video_id: VideoId, path: Path) -> None:
        self._take(video_id, path)
        if not self._file.is_read_only:
            videos.save_location(self._file, video_id, path)

    def _search(self, video_ids: list[VideoId], check: Callable[[], None]) -> None:
        """Look for files of the right size, then of the right content, below the project."""
        wanted: dict[int, list[VideoId]] = {}
        for video_id in video_ids:
            for location in videos.locations(self._file, video_id)[:1]:
                wanted.setdefault(location.size, []).append(video_id)
        if not wanted:
            return
        for path, size in _files_below(self._file.path.parent):
            check()
            for video_id in wanted.get(size, []):
                if video_id not in self._found and self._is_same(video_id, path):
                    self._note(video_id, path)

    def _is_same(self, video_id: VideoId, path: Path) -> bool:
        """Return whether a file is the one that was read: by its frame table, or by its content."""
        from annotator.media import FrameTable
        from annotator.media.index.fingerprint import content_hash, fingerprint

        if not path.is_file():
            return False
        table = videos.frame_table(self._file, video_id)
        try:
            if table is None:
                return content_hash(path) == self.video(video_id).content_hash
            return fingerprint(path) == FrameTable.from_bytes(table).fingerprint
        except MediaError:
            return False

    def _expected(self, info: VideoInfo) -> VideoId | None:
        for stored in videos.unseen_videos(self._file):
            same_name = Path(stored.info.name).stem == Path(info.name).stem
            if same_name and _fits(stored.info, info):
                return stored.info.id
        return None


def _check_name(path: Path) -> None:
    """Raise MediaError for a path that a project cannot hold: bytes that are no UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        shown = str(path).encode(errors="surrogateescape").decode(errors="replace")
        raise MediaError(
            "The name of the file or of its folder is not valid UTF-8.",
            hint="Rename it, and add it again.",
            where=shown,
        ) from None


def _read(path: Path, progress: Progress | None) -> tuple[VideoInfo, FileFacts, tuple[str, ...]]:
    """Return the facts of a video or sound file; MediaError if it cannot be used."""
    from annotator.media import Video
    from annotator.media.index.container import NoPictureError
    from annotator.media.index.fingerprint import content_hash
    from annotator.media.index.indexing import build_table
    from annotator.media.values import part_of

    _check_name(path)
    hashing = part_of(progress, _BEFORE_HASH, 1.0)
    try:
        table = build_table(path, part_of(progress, 0.0, _BEFORE_HASH))
    except NoPictureError:
        return _sound_facts(path, hashing)
    digest = content_hash(path, hashing)
    # Opened after that: a file that changed meanwhile is not the table's any more.
    with Video(path, table=table) as video:
        return _picture_facts(video, digest)


def _picture_facts(video: Video, digest: str) -> tuple[VideoInfo, FileFacts, tuple[str, ...]]:
    width, height = video.size
    info = VideoInfo(
        VideoId(new_id()),
        video.path.name,
        width,
        height,
        len(video),
        video.frame_rate,
        video.duration,
        max(1, round(video.frame_rate)),
    )
    base, table = video.time_base, video.table
    facts = TableFacts(
        table.to_bytes(), table.digest(), table.pts, (base.numerator, base.denominator)
    )
    findings = tuple(finding.text for finding in video.findings)
    return info, FileFacts(digest, facts), findings


def _sound_facts(
    path: Path, hashing: Progress | None
) -> tuple[VideoInfo, FileFacts, tuple[str, ...]]:
    """Return the facts of a sound file: it has a duration, but no pictures and no frames."""
    from annotator.media.audio.reader import Audio
    from annotator.media.index.fingerprint import content_hash

    audio = Audio(path)
    try:
        info = VideoInfo(VideoId(new_id()), path.name, 0, 0, 0, 0.0, audio.duration)
    finally:
        audio.close()
    digest = content_hash(path, hashing)
    return info, FileFacts(digest, None), ("The file has audio but no video stream.",)


def _with_sound(read: ReadFile, progress: Progress | None) -> ReadFile:
    """Count the samples of the sound, and add its issues."""
    kept, findings = listen(
        read.path, read.facts.table.body if read.facts.table else None, progress
    )
    info = replace(read.info, extra={SOUND_KEY: kept})
    return replace(read, info=info, findings=(*read.findings, *findings))


def _fits(expected: VideoInfo, found: VideoInfo) -> bool:
    return replace(found, id=expected.id, name=expected.name).n_frames == expected.n_frames and (
        (expected.width, expected.height) == (found.width, found.height)
    )


def _shape(info: VideoInfo) -> str:
    return f"{info.n_frames} frames of {info.width} × {info.height}"


def _files_below(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files below a folder with their sizes, hidden ones left out, up to a limit."""
    seen = 0
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(names):
            seen += 1
            if seen > _MAX_FILES_SEARCHED:
                return
            path = Path(base, name)
            try:
                yield path, path.stat().st_size
            except OSError:
                continue
