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
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeAlias

from annotator.domain.errors import UserError
from annotator.services.footage import ReadFile, read_file

MAX_PROCESSES = 8

_AHEAD = 16  # files that are read or wait to be delivered, for each process
_FEW = 2  # so few are read here: to start a process takes longer
_NICENESS = 10
_CRASHED = "Reading this file ends the reader. It is badly damaged; get a sound copy of it."

Outcome: TypeAlias = ReadFile | str
_AtHand: TypeAlias = deque[tuple[Path, Future[Outcome]]]


def read_files(
    paths: Sequence[Path],
    *,
    processes: int | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
    reader: Callable[[Path], ReadFile] = read_file,
) -> Generator[tuple[Path, Outcome], None, None]:
    """Yield each file with what it told, or with the reason why it cannot be used, in order.

    ``processes``: how many read at once; None: as many as the machine has cores, within limits.
    When cancelled, the files being read are delivered still, and then nothing more.
    """
    if len(paths) <= _FEW:
        for path in paths:
            if is_cancelled():
                return
            yield path, _outcome(reader, path)
        return
    count = processes or min(MAX_PROCESSES, os.cpu_count() or 1)
    waiting = deque(paths)
    # Files at hand when a reader was lost are read again one by one: one of them is the culprit.
    suspects: deque[Path] = deque()
    while waiting or suspects:
        source, at_once = (suspects, 1) if suspects else (waiting, count)
        at_hand: _AtHand = deque()
        ahead = 1 if suspects else count * _AHEAD
        with _pool(at_once) as pool:
            try:
                yield from _read_all(pool, source, at_hand, ahead, is_cancelled, reader)
                if is_cancelled():
                    return
            except BrokenProcessPool:
                lost = [path for path, _ in at_hand]
                if source is suspects:
                    yield lost[0], _CRASHED
                else:
                    suspects.extend(lost)
            finally:
                for _, future in at_hand:
                    future.cancel()


def _read_all(
    pool: ProcessPoolExecutor,
    source: deque[Path],
    at_hand: _AtHand,
    ahead: int,
    is_cancelled: Callable[[], bool],
    reader: Callable[[Path], ReadFile],
) -> Iterator[tuple[Path, Outcome]]:
    """Yield what one pool reads, until all is read; ``at_hand`` is what it has not delivered."""
    while source or at_hand:
        if is_cancelled():
            source.clear()
            for item in [item for item in at_hand if item[1].cancel()]:
                at_hand.remove(item)
        while source and len(at_hand) < ahead:
            path = source.popleft()
            try:
                at_hand.append((path, pool.submit(_outcome, reader, path)))
            except BrokenProcessPool:
                source.appendleft(path)
                raise
        if at_hand:
            path, future = at_hand[0]
            outcome = future.result()
            at_hand.popleft()
            yield path, outcome


def _pool(count: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(count, mp_context=context, initializer=_begin)


def _begin() -> None:
    """Let the window go first, leave Ctrl+C to the parent, and end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _outcome(reader: Callable[[Path], ReadFile], path: Path) -> Outcome:
    try:
        return reader(path)
    except UserError as error:
        return str(error)
