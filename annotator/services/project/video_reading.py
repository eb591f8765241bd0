"""Video files read by several processes at once: results in order, and a file may crash its reader.

Processes are spawned, so that nothing of the window is inherited; each reads one file at a time.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import TypeAlias

from annotator.domain.errors import UserError
from annotator.services.background.jobs import CancelledError
from annotator.services.project.videos import ReadFile, read_file

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
_stops: list[Event] = []  # in a process of the pool: set when nobody waits for it any more

_AtHand: TypeAlias = deque[tuple[Path, Future[Outcome]]]


def read_files(
    paths: Sequence[Path],
    *,
    processes: int | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
    on_share: Callable[[Path, float], object] = lambda _path, _share: None,
    reader: Reader = read_file,
) -> Generator[tuple[Path, Outcome], None, None]:
    """Yield each file with what it told, or with the reason why it cannot be used, in order.

    ``processes``: how many read at once; None: as many as the machine has cores, within limits.
    When cancelled, the files being read are let go at once, and nothing more comes. ``on_share`` is
    told how much of a file is read where there are but few.
    """
    if len(paths) <= _FEW:
        yield from _read_here(paths, is_cancelled, on_share, reader)
        return
    count = processes or min(MAX_PROCESSES, os.cpu_count() or 1)
    waiting = deque(paths)
    # Files at hand when a reader was lost are read again one by one: one of them is the culprit.
    suspects: deque[Path] = deque()
    while waiting or suspects:
        source, at_once = (suspects, 1) if suspects else (waiting, count)
        at_hand: _AtHand = deque()
        ahead = 1 if suspects else count * _AHEAD
        stop = _CONTEXT.Event()
        with _pool(at_once, stop) as pool:
            try:
                yield from _read_all(pool, stop, source, at_hand, ahead, is_cancelled, reader)
                if is_cancelled():
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
    is_cancelled: Callable[[], bool],
    on_share: Callable[[Path, float], object],
    reader: Reader,
) -> Iterator[tuple[Path, Outcome]]:
    for path in paths:

        def tell(share: float, path: Path = path) -> None:
            if is_cancelled():
                raise CancelledError
            on_share(path, share)

        try:
            tell(0.0)
            outcome = _outcome(reader, path, tell)
        except CancelledError:
            return
        yield path, outcome


def _read_all(
    pool: ProcessPoolExecutor,
    stop: Event,
    source: deque[Path],
    at_hand: _AtHand,
    ahead: int,
    is_cancelled: Callable[[], bool],
    reader: Reader,
) -> Iterator[tuple[Path, Outcome]]:
    """Yield what one pool reads, until all is read; ``at_hand`` is what it has not delivered."""
    while source or at_hand:
        if stop.is_set() or is_cancelled():
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
    """Let the window go first, leave Ctrl+C to the parent, and end when the parent is gone."""
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
    """Read a file in a process of the pool, unless the parent wants no more."""

    def tell(_share: float) -> None:
        if any(stop.is_set() for stop in _stops):
            raise CancelledError

    return _outcome(reader, path, tell)


def _outcome(reader: Reader, path: Path, tell: Tell) -> Outcome:
    try:
        return reader(path, tell)
    except UserError as error:
        return str(error)
