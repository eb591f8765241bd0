"""Adds thousands of videos in one go: read by several processes, with metadata from a table.

Processes (`services.background`) read the files. Their facts are written in small portions, so that
edits do not wait, and a canceled run keeps finished videos. Run `add_media` as a job.

Processes are spawned, so that they inherit nothing of the window; each reads one file at a time.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from annotator.domain.errors import ExchangeError, UserError
from annotator.domain.ids import VideoId, new_id
from annotator.services.background.jobs import CanceledError
from annotator.services.files import MEDIA_SUFFIXES
from annotator.services.project.videos import ReadFile, read_file

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

MAX_PROCESSES = 8
_AHEAD = 16  # files that are read or wait to be delivered, for each process
_FEW = 2  # so few are read here: to start a process takes longer
_NICENESS = 10
_CRASHED = (
    "Cannot read the file: it crashes the reader because it is badly damaged. Copy it "
    "again from its source."
)
_LOOK_EVERY_S = 0.1  # whether to stop, while a file is being read
Tell = Callable[[float], object]
Reader = Callable[[Path, Tell], ReadFile]
Outcome: TypeAlias = ReadFile | str
_CONTEXT = multiprocessing.get_context("spawn")
_stops: list[Event] = []  # in a process of the pool: set when its result is no longer needed
_AtHand: TypeAlias = deque[tuple[Path, Future[Outcome]]]


def read_files(
    paths: Sequence[Path],
    *,
    processes: int | None = None,
    is_canceled: Callable[[], bool] = lambda: False,
    on_share: Callable[[Path, float], object] = lambda _path, _share: None,
    reader: Reader = read_file,
) -> Generator[tuple[Path, Outcome], None, None]:
    """Yield each file with its facts or the reason of a failure, in order.

    ``processes``: how many read in parallel; None: as many as the machine has cores, within limits.
    When canceled, files being read are closed at once, and nothing more is yielded. ``on_share``
    receives the progress within a file where there are few.
    """
    if len(paths) <= _FEW:
        yield from _read_here(paths, is_canceled, on_share, reader)
        return
    count = processes or min(MAX_PROCESSES, os.cpu_count() or 1)
    waiting_files = deque(paths)
    # Files at hand when a reader was lost are read again one by one: one of them is the culprit.
    suspects: deque[Path] = deque()
    while waiting_files or suspects:
        source, n_processes = (suspects, 1) if suspects else (waiting_files, count)
        at_hand: _AtHand = deque()
        ahead = 1 if suspects else count * _AHEAD
        stop = _CONTEXT.Event()
        with _pool(n_processes, stop) as pool:
            try:
                yield from _read_all(pool, stop, source, at_hand, ahead, is_canceled, reader)
                if is_canceled():
                    return
            except BrokenProcessPool:
                lost = [path for path, _ in at_hand]
                if source is suspects:
                    yield lost[0], _CRASHED
                else:
                    suspects.extend(lost)
            finally:
                stop.set()
                for _, future in at_hand:
                    future.cancel()


def _read_here(
    paths: Sequence[Path],
    is_canceled: Callable[[], bool],
    on_share: Callable[[Path, float], object],
    reader: Reader,
) -> Iterator[tuple[Path, Outcome]]:
    for path in paths:

        def tell(share: float, path: Path = path) -> None:
            if is_canceled():
                raise CanceledError
            on_share(path, share)

        try:
            tell(0.0)
            outcome = _outcome(reader, path, tell)
        except CanceledError:
            return
        yield path, outcome


def _read_all(
    pool: ProcessPoolExecutor,
    stop: Event,
    source: deque[Path],
    at_hand: _AtHand,
    ahead: int,
    is_canceled: Callable[[], bool],
    reader: Reader,
) -> Iterator[tuple[Path, Outcome]]:
    """Yield the results of one pool, until all is read; ``at_hand`` are pending results."""
    while source or at_hand:
        if stop.is_set() or is_canceled():
            return
        while source and len(at_hand) < ahead:
            path = source.popleft()
            try:
                at_hand.append((path, pool.submit(_outcome_there, reader, path)))
            except BrokenProcessPool:
                source.appendleft(path)
                raise
        if at_hand:
            path, future = at_hand[0]
            try:
                outcome = future.result(_LOOK_EVERY_S)
            except NotYetError:
                continue
            at_hand.popleft()
            yield path, outcome


def _pool(count: int, stop: Event) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=_CONTEXT, initializer=_begin, initargs=(stop,))


def _begin(stop: Event) -> None:
    """Lower the priority, leave Ctrl+C to the parent, and end when the parent ends."""
    _stops.append(stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _outcome_there(reader: Reader, path: Path) -> Outcome:
    """Read a file in a process of the pool, unless the parent has canceled."""

    def tell(_share: float) -> None:
        if any(stop.is_set() for stop in _stops):
            raise CanceledError

    return _outcome(reader, path, tell)


def _outcome(reader: Reader, path: Path, tell: Tell) -> Outcome:
    try:
        return reader(path, tell)
    except UserError as error:
        return str(error)


_PORTION = 8
_MAX_LIST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class AddingReport:
    """Result of adding many files.

    ``known`` were in the project already; ``duplicates`` have the very content of the file next to
    them, which was added in the same go; ``failed`` have the reason; ``n_left`` were not reached.
    """

    added: tuple[VideoId, ...] = ()
    known: tuple[Path, ...] = ()
    duplicates: tuple[tuple[Path, Path], ...] = ()
    failed: tuple[tuple[Path, str], ...] = ()
    n_left: int = 0


def media_files(sources: Iterable[Path]) -> list[Path]:
    """Return the media files of folders, lists and single names, each once, in order.

    A folder means all media files below it, by name, hidden ones left out; a text file (.txt) names
    one file or folder per line, relative to itself. ExchangeError when a list cannot be read.
    """
    found: dict[Path, None] = {}
    for source in sources:
        path = Path(source).absolute()
        if path.is_dir():
            found |= dict.fromkeys(_below(path))
        elif path.suffix.lower() == ".txt":
            found |= dict.fromkeys(media_files(_listed(path)))
        else:
            found[path] = None
    return list(found)


def add_media(
    project: OpenProject,
    paths: Iterable[Path],
    *,
    task_title: str | None = None,
    grid_step: int | None = None,
    processes: int | None = None,
    on_progress: Callable[[float, str], object] | None = None,
    is_canceled: Callable[[], bool] = lambda: False,
) -> AddingReport:
    """Add video files, each with a task; failures are reported and skipped.

    ``task_title`` replaces that of the recipe. ``on_progress`` gets the fraction done and the name
    of a file. ``work.changed`` is sent on this thread for each portion. ProjectError if the project
    cannot be written; earlier videos stay.
    """
    files = list(dict.fromkeys(Path(p).absolute() for p in paths))
    run = _Run(project, task_title, grid_step)
    n_added = 0

    def tell(path: Path, share: float) -> None:
        if on_progress:
            on_progress((n_added + share) / len(files), path.name)

    reading = read_files(files, processes=processes, is_canceled=is_canceled, on_share=tell)
    with closing(reading) as outcomes:
        while portion := list(islice(outcomes, _PORTION)):
            run.write(portion)
            n_added += len(portion)
            if on_progress:
                on_progress(n_added / len(files), portion[-1][0].name)
    return run.report(len(files) - n_added)


class _Run:
    """Progress of one call."""

    def __init__(self, project: OpenProject, title: str | None, grid_step: int | None) -> None:
        self._project = project
        self._title = title
        self._grid_step = grid_step
        self._with_task = {task.video_id for task in project.tasks()}
        self._without_task: list[VideoId] = []
        self._added: dict[VideoId, Path] = {}
        self._known: list[Path] = []
        self._duplicates: list[tuple[Path, Path]] = []
        self._failed: list[tuple[Path, str]] = []

    def write(self, portion: list[tuple[Path, Outcome]]) -> None:
        """Bring a portion into the project, in one transaction."""
        with self._project.media.together():
            for path, outcome in portion:
                if isinstance(outcome, ReadFile):
                    self._take(outcome)
                else:
                    self._failed.append((path, outcome))
            if self._without_task:
                self._project.work.add_tasks(self._without_task, title=self._title)
            self._with_task.update(self._without_task)
            self._without_task.clear()

    def report(self, n_left: int) -> AddingReport:
        known, failed = tuple(self._known), tuple(self._failed)
        return AddingReport(tuple(self._added), known, tuple(self._duplicates), failed, n_left)

    def _take(self, read: ReadFile) -> None:
        # Named here and not by the reader, so that the project lists them in the order asked for.
        read = replace(read, info=replace(read.info, id=VideoId(new_id())))
        video_id, is_new = self._project.media.take(read, grid_step=self._grid_step)
        if is_new:
            self._added[video_id] = read.path
        elif video_id in self._added:
            self._duplicates.append((read.path, self._added[video_id]))
        else:
            self._known.append(read.path)
        if video_id not in self._with_task and video_id not in self._without_task:
            self._without_task.append(video_id)


def _below(folder: Path) -> Iterator[Path]:
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in MEDIA_SUFFIXES:
                yield Path(base, name)


def _listed(path: Path) -> list[Path]:
    """Return what a list of files names; a list within a list is not followed."""
    try:
        if path.stat().st_size > _MAX_LIST_BYTES:
            raise ExchangeError("Cannot read the file list: it is too long.", where=str(path))
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        text = f"Cannot read the file list: {error.strerror}."
        raise ExchangeError(text, hint="Check the path.", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise ExchangeError(
            "Cannot read the file list: it is not UTF-8 text.",
            hint="Save it as UTF-8.",
            where=str(path),
        ) from error
    named = [path.parent / line.strip() for line in lines if line.strip()]
    return [p for p in named if p.suffix.lower() != ".txt"]
