"""The rows of the board: kept as they were read, and made when somebody looks at one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias, overload

import numpy as np

from annotator.domain.ids import PersonId, TaskId, VideoId
from annotator.domain.work.records import Instant, LeadNeed, TaskStatus
from annotator.store.codes import id_text, json_texts

Stored: TypeAlias = tuple[
    bytes, bytes, str, str | None, str, str, str, str, int, int, int, str | None, str, int
]
"""Task, video, its name, script, kind, title, stage, status, round, priority, whether it was sent
back, what the lead is asked, flags, time of the last event."""

StageKey: TypeAlias = tuple[str, str, TaskStatus]
"""Kind, stage and status."""


class BoardRow(NamedTuple):
    """A task as the board shows it; ``holders`` have it now, ``changed_at`` is its last event."""

    task_id: TaskId
    video_id: VideoId
    video: str
    script: str
    kind: str
    title: str
    stage: str
    status: TaskStatus
    round: int
    priority: int
    is_returned: bool
    needs_lead: LeadNeed | None
    flags: tuple[str, ...]
    changed_at: Instant
    holders: tuple[PersonId, ...]


class BoardRows(Sequence[BoardRow]):
    """Rows in an order. Of tens of thousands few are looked at: only those become values."""

    def __init__(
        self, stored: Sequence[Stored], held: Mapping[bytes, tuple[PersonId, ...]] | None = None
    ) -> None:
        """``held`` are the holders of tasks that somebody has."""
        self._stored = stored
        self._held = held or {}

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, at: int) -> BoardRow: ...

    @overload
    def __getitem__(self, at: slice) -> BoardRows: ...

    def __getitem__(self, at: int | slice) -> BoardRow | BoardRows:
        if isinstance(at, slice):
            return BoardRows(self._stored[at], self._held)
        return self._row(self._stored[at])

    def __iter__(self) -> Iterator[BoardRow]:
        return map(self._row, self._stored)

    def parts(self, ranges: Iterable[tuple[int, int]]) -> BoardRows:
        """Return the rows of some ranges, each from its first to its last."""
        kept = [row for first, last in ranges for row in self._stored[first : last + 1]]
        return BoardRows(kept, self._held)

    def task_ids(self) -> list[TaskId]:
        """Return the tasks in their order."""
        return [TaskId(id_text(row[0])) for row in self._stored]

    def kinds(self) -> set[str]:
        """Return the kinds of task that there are."""
        return set(map(itemgetter(4), self._stored))

    def holders(self) -> Counter[PersonId]:
        """Return how many of the tasks each person has."""
        held = (self._held.get(row[0], ()) for row in self._stored)
        return Counter(person for each in held for person in each)

    def counts(self) -> Counter[StageKey]:
        """Return how many tasks there are by kind, stage and status."""
        found = Counter(map(itemgetter(4, 6, 7), self._stored))
        return Counter({(k, s, TaskStatus(status)): n for (k, s, status), n in found.items()})

    def only(
        self, kind: str | None, stage: str | None, statuses: Collection[TaskStatus]
    ) -> BoardRows:
        """Return the rows of a kind, a stage and some states; None and no states: all."""
        values = {status.value for status in statuses}
        kept = [
            row
            for row in self._stored
            if kind in (None, row[4])
            and stage in (None, row[6])
            and (not values or row[7] in values)
        ]
        return BoardRows(kept, self._held)

    def ordered(
        self, fields: Sequence[str], key: Callable[[BoardRow], Any], *, is_down: bool = False
    ) -> BoardRows:
        """Return the rows sorted by a key that follows from some fields; equal ones stay as they
        are.

        The key is asked for once for all rows that are alike in these fields.
        """
        values = list(self._values(fields))
        first = dict(zip(reversed(values), reversed(self._stored), strict=True))
        keys = {value: key(self._row(row)) for value, row in first.items()}
        places = {each: i for i, each in enumerate(sorted(set(keys.values())))}
        place_of = {value: places[each] for value, each in keys.items()}
        place = np.fromiter(map(place_of.__getitem__, values), np.int64, len(values))
        order = np.argsort(-place if is_down else place, kind="stable").tolist()
        return BoardRows([self._stored[i] for i in order], self._held)

    def _values(self, fields: Sequence[str]) -> Iterable[Any]:
        """Return what the rows have in some fields, as it is stored."""
        if fields == ("holders",):
            held = self._held
            return (held.get(row[0], ()) for row in self._stored)
        return map(itemgetter(*(_PLACES[name] for name in fields)), self._stored)

    def _row(self, stored: Stored) -> BoardRow:
        script, needs, flags = stored[3], stored[11], stored[12]
        return BoardRow(
            TaskId(id_text(stored[0])),
            VideoId(id_text(stored[1])),
            stored[2],
            str(script) if script is not None else "",
            *stored[4:7],
            TaskStatus(stored[7]),
            *stored[8:10],
            stored[10] == 1,
            LeadNeed(needs) if needs is not None else None,
            json_texts(flags) if flags != "[]" else (),
            stored[13],
            self._held.get(stored[0], ()),
        )


_PLACES: Final = {name: i for i, name in enumerate(BoardRow._fields)}
