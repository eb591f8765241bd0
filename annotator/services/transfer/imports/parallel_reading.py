"""Reads the videos of a file in several processes and imports them in batches.

Each batch is one transaction. Of one that is stopped or fails nothing is in the project; what came
before it is, each video whole and one step of undo.
"""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.domain.ids import DraftId, VideoId, new_id
from annotator.services.background.jobs import JobToken
from annotator.services.background.process_pool import outcome_of, started_pool
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.imports.import_sources import (
    AnnotationCounts,
    ByteRange,
    PlacedEntries,
    SourceEntry,
)
from annotator.store.annotation.bulk_drafts import Content, write_part

S = TypeVar("S")
T = TypeVar("T")

FEW: Final = 300
"""Number of entries that are read in this process, because starting others takes longer."""

_AT_ONCE: Final = 32
_AHEAD: Final = 2
_MAX_PROCESSES: Final = 8


_NOTHING: Final = AnnotationCounts()


@dataclass(frozen=True, slots=True)
class Newcomer:
    """An entry with a new video: its position in the file and its new IDs."""

    place: ByteRange
    video_id: VideoId
    draft_id: DraftId
    event_id: str


@dataclass(frozen=True, slots=True)
class CheckedEntry:
    """Result of checking an entry; ``labels`` are its labels with their place in the file.

    ``refusal`` says why nothing of it can be used, with the place.
    """

    name: str
    path: str
    findings: tuple[Finding, ...]
    labels: tuple[tuple[Lane, int | None, str], ...]
    counts: AnnotationCounts = _NOTHING
    refusal: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ArrivingVideo:
    """A video of an import, with all its records, and the number of its annotations."""

    newcomer: Newcomer
    info: VideoInfo
    n_tracks: int
    n_points: int
    n_segments: int


@dataclass(frozen=True, slots=True)
class VideoBatch:
    """Videos whose content is stored in an intermediate file."""

    arrived: tuple[ArrivingVideo, ...]
    part: Path


def newcomer(place: ByteRange) -> Newcomer:
    """Return the new IDs of an entry; they ascend in the order of calls."""
    return Newcomer(place, VideoId(new_id()), DraftId(new_id()), new_id())


class EntryReaders:
    """Processes that read the entries of a file, from when they are first needed until `close`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held = ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def look_at_all(self, places: Sequence[ByteRange], token: JobToken) -> Iterator[CheckedEntry]:
        """Yield the result of checking each entry, in order."""
        for looked in self._in_order(_look_there, places, token):
            yield from looked

    def batches(self, newcomers: Sequence[Newcomer], token: JobToken) -> Iterator[VideoBatch]:
        """Yield the content of entries in order; each file is removed after use."""
        for batch in self._in_order(_prepare_there, newcomers, token):
            yield batch
            batch.part.unlink(missing_ok=True)

    def close(self) -> None:
        """End the processes and drop their results; may be called twice."""
        self._pool = None
        self._held.close()

    def _in_order(
        self, work: Callable[[list[S]], T], items: Iterable[S], token: JobToken
    ) -> Iterator[T]:
        """Yield what the processes make of the items, a few at a time, in order."""
        remaining, pool = iter(items), self._started()
        pending_reads: deque[Future[T]] = deque()
        try:
            while True:
                while len(pending_reads) < _count() * _AHEAD and (
                    batch := list(islice(remaining, _AT_ONCE))
                ):
                    pending_reads.append(pool.submit(work, batch))
                if not pending_reads:
                    return
                yield outcome_of(pending_reads.popleft(), token)
        except BrokenProcessPool:
            text = "The import process ended unexpectedly; the computer may be out of memory."
            raise ExchangeError(text, hint="Completed parts are imported. Try again.") from None
        finally:
            for future in pending_reads:
                future.cancel()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            name = TemporaryDirectory(prefix="annotator-", ignore_cleanup_errors=True)
            folder = self._held.enter_context(name)
            self._pool = started_pool(_count(), _begin, (self._path, folder))
            # Writers must finish before the folder is removed.
            self._held.callback(self._pool.shutdown, wait=True, cancel_futures=True)
        return self._pool


def look_at(
    path: Path,
    name: str,
    read: Callable[[], SourceEntry],
    video_of: Callable[[SourceEntry], VideoInfo] = lambda entry: entry.absent_video(),
) -> CheckedEntry:
    """Return the result of checking an entry for its video."""
    try:
        entry = read()
        video = video_of(entry)
        misfits = entry.misfits(video, FrameTimes(None, video).listed())
    except ExchangeError as error:
        # The report names the file once, before every place in it.
        where = (error.where or "").removeprefix(str(path)).removeprefix(", ")
        return CheckedEntry(name, "", (), (), refusal=(error.text, where))
    labels = tuple(dict.fromkeys(entry.labels()))
    return CheckedEntry(name, entry.path, (*entry.findings, *misfits), labels, entry.counts())


def refusal_of(looked: CheckedEntry) -> Finding | None:
    """Return the finding for an entry that cannot be used."""
    if looked.refusal is None:
        return None
    text, where = looked.refusal
    return Finding("bad-entry", where, text, Severity.ERROR)


def _count() -> int:
    return min(_MAX_PROCESSES, os.cpu_count() or 1)


_entries: list[tuple[PlacedEntries, Path]] = []  # in a process of the pool


def _begin(path: Path, folder: str) -> None:
    gc.disable()  # values created here have no cycles
    _entries.append((PlacedEntries(path), Path(folder)))


def _look_there(places: Sequence[ByteRange]) -> list[CheckedEntry]:
    entries, _ = _entries[0]
    looked = [look_at(entries.path, p.name, partial(entries.read, p)) for p in places]
    entries.forget()
    return looked


def _prepare_there(newcomers: Sequence[Newcomer]) -> VideoBatch:
    entries, folder = _entries[0]
    arrived: list[ArrivingVideo] = []

    def contents() -> Iterator[Content]:
        for new in newcomers:
            entry = entries.read(new.place)
            info = replace(entry.absent_video(), id=new.video_id)
            document = Document(new.draft_id, info)
            added, _ = entry.command(document, FrameTimes(None, info).listed())
            extra = added.extra if added.extra is not None else {}
            counts = (len(added.tracks), len(added.points), len(added.segments))
            arrived.append(ArrivingVideo(new, replace(info, extra=extra), *counts))
            lists = (added.tracks, added.segments, added.points)
            yield Content(new.draft_id, new.event_id, new.video_id, *lists, extra)

    part = folder / f"{newcomers[0].event_id}.part"
    write_part(part, contents())
    entries.forget()
    return VideoBatch(tuple(arrived), part)
