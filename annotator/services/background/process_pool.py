"""Processes for work that would keep one core busy for long; each ends with the program."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from typing import Final, TypeVar

from annotator.services.background.jobs import JobToken

T = TypeVar("T")

_NICENESS: Final = 5
_LOOK_EVERY_S: Final = 0.1
_CONTEXT: Final = multiprocessing.get_context("spawn")


def started_pool(
    count: int, begin: Callable[..., None], arguments: tuple[object, ...]
) -> ProcessPoolExecutor:
    """Return a pool of processes that inherit nothing of the window; each calls ``begin`` first."""
    return ProcessPoolExecutor(
        count, mp_context=_CONTEXT, initializer=_begin, initargs=(begin, arguments)
    )


def outcome_of(future: Future[T], token: JobToken) -> T:
    """Wait for the result of a process; ends when the job is canceled."""
    while True:
        try:
            return future.result(_LOOK_EVERY_S)
        except NotYetError:
            token.check()


def _begin(begin: Callable[..., None], arguments: tuple[object, ...]) -> None:
    """Give the window priority, leave Ctrl+C to the parent, and end when the parent has ended.

    Results of this process are awaited: its priority is not as low as that of invisible work.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    threading.Thread(target=_follow_parent, daemon=True).start()
    begin(*arguments)


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
