"""The entries of many videos, made by several processes at once; of few, here."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Final

from annotator.exchange.perception_test.from_domain import ExportSettings
from annotator.services.background.jobs import JobToken
from annotator.services.background.process_pool import outcome_of, started_pool
from annotator.services.transfer.entry_writing import EntryResult, make
from annotator.services.transfer.snapshot import ContentPlace, Snapshots
from annotator.store.file.state import FilePosition, FileState, same_state

FEW: Final = 300
"""So many videos are made here: to start processes takes longer."""

_AT_ONCE: Final = 40
_AHEAD: Final = 3
MAX_PROCESSES: Final = 8


def make_all(
    items: Snapshots, order: Sequence[int], settings: ExportSettings, token: JobToken
) -> Iterator[EntryResult]:
    """Yield the entries of videos in an order; ProjectError where one cannot be read."""
    done = 0
    if len(order) > FEW and items.moment is not None:
        for made in _made_elsewhere(items, order, settings, token):
            done += len(made)
            yield from made
    # The rest: all where there are few, or what processes could not do.
    for i in order[done:]:
        token.check()
        yield from make(items.state, [items.places[i]], settings)


def _made_elsewhere(
    items: Snapshots, order: Sequence[int], settings: ExportSettings, token: JobToken
) -> Iterator[list[EntryResult]]:
    """Yield the entries in their order, as far as processes can make them."""
    assert items.moment is not None
    rest = (items.places[i] for i in order)
    count = min(MAX_PROCESSES, os.cpu_count() or 1)
    waiting: deque[Future[list[EntryResult] | None]] = deque()
    with started_pool(count, _begin, (items.moment,)) as pool:
        try:
            while True:
                while len(waiting) < count * _AHEAD and (batch := list(islice(rest, _AT_ONCE))):
                    waiting.append(pool.submit(_make_there, batch, settings))
                if not waiting:
                    return
                made = outcome_of(waiting.popleft(), token)
                if made is None:
                    return
                yield made
        except BrokenProcessPool:
            return
        finally:
            for future in waiting:
                future.cancel()


_state: list[FileState | None] = []  # in a process of the pool: the project as it was then


def _begin(moment: FilePosition) -> None:
    gc.disable()  # what is made here has no cycles
    _state.append(same_state(moment))


def _make_there(
    places: Sequence[ContentPlace], settings: ExportSettings
) -> list[EntryResult] | None:
    """Make entries in a process of the pool; None when the project has moved on meanwhile."""
    state = _state[0]
    return make(state, places, settings) if state is not None else None
