"""The rows of the board: kept as they were read, and made when somebody looks at one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, overload

import numpy as np

from annotator.domain.ids import PersonId, TaskId, VideoId
from annotator.domain.work.records import Instant, LeadNeed, TaskStatus
from annotator.store.columns import id_text, json_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

Stored: TypeAlias = tuple[
    bytes, bytes, str, str | None, str, str, str, str, int, int, int, str | None, str, int
]
"""Task, video, its name, its metadata in JSON, kind, title, stage, status, round, priority, whether
it was sent back, what the lead is asked, flags, time of the last event."""

StageKey: TypeAlias = tuple[str, str, TaskStatus]
"""Kind, stage and status."""


class BoardRow(NamedTuple):
    """A task as the board shows it; ``holders`` have it now, ``changed_at`` is its last event.

    ``metadata`` are those of the video, in JSON.
    """

    task_id: TaskId
    video_id: VideoId
    video: str
    metadata: str
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

    def fact(self, column: str) -> str:
        """Return what the metadata of the video say in a column, "" for nothing."""
        said = json.loads(self.metadata) if self.metadata else None
        value = said.get(column) if isinstance(said, dict) else None
        return str(value) if isinstance(value, str | int | float) else ""


class BoardRows(Sequence[BoardRow]):
    """Rows in an order. Of tens of thousands few are looked at: only those become values.

    What was read is kept by columns, in arrays: tuples and lists are what Python's search for
    garbage goes through, on the window's own thread.
    """

    def __init__(
        self,
        batches: Iterable[Sequence[Stored]] = (),
        held: Mapping[bytes, tuple[PersonId, ...]] | None = None,
    ) -> None:
        """``batches`` are rows as they come from the file, a few at a time; ``held`` are the
        holders of tasks that somebody has."""
        none = np.empty(0, object)
        columns = [[none] for _ in range(_WIDTH)]
        for batch in batches:
            for i, column in enumerate(columns):
                column.append(np.array([row[i] for row in batch], object))
        self._columns = [np.concatenate(column) for column in columns]
        self._at = np.arange(len(self._columns[0]))
        self._held = held or {}

    def __len__(self) -> int:
        return len(self._at)

    @overload
    def __getitem__(self, at: int) -> BoardRow: ...

    @overload
    def __getitem__(self, at: slice) -> BoardRows: ...

    def __getitem__(self, at: int | slice) -> BoardRow | BoardRows:
        if isinstance(at, slice):
            return self._those(self._at[at])
        return self._row(int(self._at[at]))

    def __iter__(self) -> Iterator[BoardRow]:
        return map(self._row, self._at.tolist())

    def parts(self, ranges: Iterable[tuple[int, int]]) -> BoardRows:
        """Return the rows of some ranges, each from its first to its last."""
        kept = [self._at[first : last + 1] for first, last in ranges]
        return self._those(np.concatenate(kept) if kept else self._at[:0])

    def task_ids(self) -> list[TaskId]:
        """Return the tasks in their order."""
        return [TaskId(id_text(key)) for key in self._column("task_id")]

    def kinds(self) -> set[str]:
        """Return the kinds of task that there are."""
        return set(self._column("kind"))

    def holders(self) -> Counter[PersonId]:
        """Return how many of the tasks each person has."""
        return Counter(person for each in self._column("holders") for person in each)

    def counts(self) -> Counter[StageKey]:
        """Return how many tasks there are by kind, stage and status."""
        found = Counter(zip(*map(self._column, ("kind", "stage", "status")), strict=True))
        return Counter({(k, s, TaskStatus(status)): n for (k, s, status), n in found.items()})

    def only(
        self, kind: str | None, stage: str | None, statuses: Collection[TaskStatus]
    ) -> BoardRows:
        """Return the rows of a kind, a stage and some states; None and no states: all."""
        values = {status.value for status in statuses}
        facts = zip(*map(self._column, ("kind", "stage", "status")), strict=True)
        is_kept = [
            kind in (None, its_kind)
            and stage in (None, its_stage)
            and (not values or status in values)
            for its_kind, its_stage, status in facts
        ]
        return self._those(self._at[np.array(is_kept, bool)])

    def ordered(
        self, fields: Sequence[str], key: Callable[[BoardRow], Any], *, is_down: bool = False
    ) -> BoardRows:
        """Return the rows sorted by a key that follows from some fields; equal ones stay as they
        are.

        The key is asked for once for all rows that are alike in these fields.
        """
        columns = [self._column(name) for name in fields]
        values: list[Any] = list(zip(*columns, strict=True)) if len(columns) > 1 else columns[0]
        first = dict(zip(reversed(values), reversed(self._at.tolist()), strict=True))
        keys = {value: key(self._row(at)) for value, at in first.items()}
        places = {each: i for i, each in enumerate(sorted(set(keys.values())))}
        place_of = {value: places[each] for value, each in keys.items()}
        place = np.fromiter(map(place_of.__getitem__, values), np.int64, len(values))
        order = np.argsort(-place if is_down else place, kind="stable")
        return self._those(self._at[order])

    def _those(self, at: NDArray[np.int64]) -> BoardRows:
        """Return the rows that stand at some places of the columns."""
        found = BoardRows(held=self._held)
        found._columns, found._at = self._columns, at
        return found

    def _column(self, name: str) -> list[Any]:
        """Return what the rows have in a field, as it is stored."""
        if name == "holders":
            return [self._held.get(key, ()) for key in self._column("task_id")]
        found: list[Any] = self._columns[_PLACES[name]][self._at].tolist()
        return found

    def _row(self, at: int) -> BoardRow:
        task, video, name, metadata, *rest = (column[at] for column in self._columns)
        kind, title, stage, status, round_, priority, is_returned, needs, flags, changed_at = rest
        return BoardRow(
            TaskId(id_text(task)),
            VideoId(id_text(video)),
            name,
            metadata or "",
            kind,
            title,
            stage,
            TaskStatus(status),
            round_,
            priority,
            is_returned == 1,
            LeadNeed(needs) if needs is not None else None,
            json_texts(flags) if flags != "[]" else (),
            changed_at,
            self._held.get(task, ()),
        )


_PLACES: Final = {name: i for i, name in enumerate(BoardRow._fields)}
_WIDTH: Final = _PLACES["holders"]
"""So many fields are stored; who holds a task stands elsewhere."""
