"""All tasks at a glance: rows of the board by a filter, made when they come into sight."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast, overload

import numpy as np

from annotator.domain.ids import PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.work.records import Flag, Instant, LeadNeed, TaskStatus, VerdictKind
from annotator.domain.work.work_statistics import CountedSubmission, Spent
from annotator.store.columns import id_bytes, id_text, json_texts
from annotator.store.file.project import ProjectFile
from annotator.store.workflow.tasks import IS_GOLD

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
        """Return the metadata of a video in a column, "" for none."""
        said = json.loads(self.metadata) if self.metadata else None
        value = said.get(column) if isinstance(said, dict) else None
        return str(value) if isinstance(value, str | int | float) else ""


class BoardRows(Sequence[BoardRow]):
    """Sorted rows of the board; only the requested ones become values.

    The columns are kept in arrays: tuples and lists would be searched by Python's garbage
    collector, on the window's own thread.
    """

    def __init__(
        self,
        batches: Iterable[Sequence[Stored]] = (),
        held: Mapping[bytes, tuple[PersonId, ...]] | None = None,
    ) -> None:
        """``batches`` are rows as they come from the file, a few at a time; ``held`` are the
        current assignees of tasks."""
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
        places = {value_key: i for i, value_key in enumerate(sorted(set(keys.values())))}
        place_of = {value: places[value_key] for value, value_key in keys.items()}
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
"""Number of stored fields; assignees are stored separately."""
_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """Filter of tasks; None or empty matches all.

    ``holder_id`` has the task now, ``person_id`` was ever assigned to it; ``text`` is part of the
    video's name; ``script`` and ``split`` are facts of the video, ``fact`` is a column of its
    metadata and a part of its value, "" for anything; ``label`` is one that a track or a segment of
    the video has in some draft, or had in its last submission. ``finding`` is the code of a finding
    in the last submission; ``agreement_below`` is above all agreement values of the last two
    submissions.
    """

    kinds: frozenset[str] = frozenset()
    stages: frozenset[str] = frozenset()
    statuses: frozenset[TaskStatus] = frozenset()
    round: int | None = None
    holder_id: PersonId | None = None
    person_id: PersonId | None = None
    text: str = ""
    script: str = ""
    split: str = ""
    fact: tuple[str, str] | None = None
    label: str = ""
    finding: str = ""
    agreement_below: float | None = None
    flag: Flag | None = None
    is_returned: bool | None = None
    needs_lead: bool | None = None


def board_rows(file: ProjectFile, condition: BoardFilter) -> BoardRows:
    """Return the tasks a filter lets through, in the order they were made; no gold task that is
    over.
    """
    where, arguments = _conditions(condition)
    holders_of: dict[bytes, tuple[PersonId, ...]] = {}
    with file.reading() as connection:
        for task, person in connection.execute(
            "SELECT task_id, person_id FROM assignment WHERE state = 'held' ORDER BY id"
        ):
            holders_of[task] = (*holders_of.get(task, ()), PersonId(id_text(person)))
        rows = connection.execute(
            "SELECT t.id, t.video_id, v.name, CASE json_type(v.extra, '$.metadata')"
            " WHEN 'object' THEN json_extract(v.extra, '$.metadata') END, t.kind,"
            " t.title, t.stage, t.status, t.round, t.priority, t.is_returned, t.needs_lead,"
            " t.flags, t.changed_at FROM task t JOIN video v ON v.id = t.video_id"
            f" {where or 'WHERE true'} AND NOT (t.status = 'withdrawn' AND {IS_GOLD})"
            " ORDER BY t.id",
            arguments,
        )
        return BoardRows(iter(partial(rows.fetchmany, _AT_ONCE), []), holders_of)


def stage_counts(file: ProjectFile) -> dict[tuple[str, str, TaskStatus], int]:
    """Return the number of tasks by kind, stage and status, without gold tasks."""
    rows = file.rows(
        f"SELECT kind, stage, status, count(*) FROM task t WHERE NOT {IS_GOLD} GROUP BY 1, 2, 3"
    )
    found = cast("list[tuple[str, str, str, int]]", rows)
    return {(kind, stage, TaskStatus(status)): n for kind, stage, status, n in found}


def submission_rows(file: ProjectFile) -> list[CountedSubmission]:
    """Return every counted submission in order."""
    rows = cast(
        "list[tuple[bytes, str, str, int, bytes, bytes, int, str, bytes | None, str]]",
        file.rows(
            "SELECT h.task_id, t.kind, h.stage, h.round, h.submission_id, h.person_id, h.at,"
            " h.verdict, h.judged_id, h.codes FROM hand_in h JOIN task t ON t.id = h.task_id"
            " ORDER BY h.seq, h.submission_id"
        ),
    )
    names: dict[bytes, PersonId] = {}
    for row in rows:
        for key in (row[5], row[8]):
            if key is not None and key not in names:
                names[key] = PersonId(id_text(key))
    return [
        CountedSubmission(
            TaskId(id_text(task)),
            kind,
            stage,
            round_,
            SubmissionId(submission.hex()),
            names[person],
            at,
            VerdictKind(verdict),
            names[judged] if judged is not None else None,
            json_texts(codes) if codes != "[]" else (),
        )
        for task, kind, stage, round_, submission, person, at, verdict, judged, codes in rows
    ]


def spent_rows(file: ProjectFile, person_id: PersonId | None = None) -> list[Spent]:
    """Return the active time of everybody, or of one person, by task and stage, with how many items
    each task asks.
    """
    mine = " WHERE a.person_id = ?" if person_id is not None else ""
    rows = file.rows(
        "SELECT a.task_id, t.kind, a.stage, a.person_id, sum(a.active_ms),"
        " max(1, (SELECT count(*) FROM item i WHERE i.task_id = a.task_id)) FROM activity a"
        f" JOIN task t ON t.id = a.task_id{mine} GROUP BY a.person_id, a.task_id, a.stage",
        (id_bytes(person_id),) if person_id is not None else (),
    )
    found = cast("list[tuple[bytes, str, str, bytes, int, int]]", rows)
    return [
        Spent(TaskId(id_text(task)), kind, stage, PersonId(id_text(person)), active_ms, n_items)
        for task, kind, stage, person, active_ms, n_items in found
    ]


def worked_days(file: ProjectFile) -> list[tuple[PersonId, str, str, str, int, int]]:
    """Return person, day, kind of task, stage, active time in milliseconds and number of tasks."""
    rows = file.rows(
        "SELECT a.person_id, a.day, t.kind, a.stage, sum(a.active_ms), count(DISTINCT a.task_id)"
        " FROM activity a JOIN task t ON t.id = a.task_id WHERE a.active_ms > 0"
        " GROUP BY a.person_id, a.day, t.kind, a.stage ORDER BY a.day, a.person_id"
    )
    found = cast("list[tuple[bytes, str, str, str, int, int]]", rows)
    return [(PersonId(id_text(person)), *rest) for person, *rest in found]  # type: ignore[misc]


def scripts(file: ProjectFile) -> Counter[str]:
    """Return the script types of the project's videos and how many videos have each."""
    rows = file.rows(
        "SELECT json_extract(extra, '$.metadata.script') AS script, count(*) FROM video"
        " WHERE script IS NOT NULL GROUP BY script"
    )
    return Counter({str(script): cast(int, n) for script, n in rows})


def metadata_columns(file: ProjectFile) -> list[str]:
    """Return the columns that the metadata of any video have, by name."""
    rows = file.rows(
        "SELECT DISTINCT each.key FROM video v, json_each(v.extra, '$.metadata') each"
        " WHERE typeof(each.key) = 'text'"
    )
    return sorted(str(key) for (key,) in rows)


def _conditions(condition: BoardFilter) -> tuple[str, list[object]]:
    parts: list[tuple[str, tuple[object, ...]]] = []
    for column, values in (
        ("t.kind", condition.kinds),
        ("t.stage", condition.stages),
        ("t.status", frozenset(s.value for s in condition.statuses)),
    ):
        if values:
            parts.append((f"{column} IN ({', '.join('?' * len(values))})", tuple(sorted(values))))
    if condition.round is not None:
        parts.append(("t.round = ?", (condition.round,)))
    for person, state in ((condition.holder_id, " AND state = 'held'"), (condition.person_id, "")):
        if person is not None:
            inner = f"SELECT task_id FROM assignment WHERE person_id = ?{state}"
            parts.append((f"t.id IN ({inner})", (id_bytes(person),)))
    if condition.text:
        parts.append(("instr(lower(v.name), lower(?)) > 0", (condition.text,)))
    for fact, value in (("script", condition.script), ("split", condition.split)):
        if value:
            parts.append((f"json_extract(v.extra, '$.metadata.{fact}') = ?", (value,)))
    if condition.fact is not None:
        text = (
            "EXISTS (SELECT 1 FROM json_each(v.extra, '$.metadata') WHERE key = ?"
            " AND atom IS NOT NULL AND instr(lower(atom), lower(?)) > 0)"
        )
        parts.append((text, condition.fact))
    if condition.label:
        drafts = (
            "SELECT draft_id FROM track WHERE label = ? UNION SELECT draft_id FROM segment"
            " WHERE label = ?"
        )
        submitted = "SELECT submission_id FROM submitted_label WHERE label = ?"
        text = (
            f"(t.video_id IN (SELECT video_id FROM draft WHERE id IN ({drafts}))"
            f" OR t.last_id IN ({submitted}))"
        )
        parts.append((text, (condition.label,) * 3))
    if condition.finding:
        inner = "SELECT submission_id FROM finding WHERE code = ?"
        parts.append((f"t.last_id IN ({inner})", (condition.finding,)))
    if condition.agreement_below is not None:
        inner = "SELECT last_id FROM agreement WHERE value < ?"
        parts.append((f"t.last_id IN ({inner})", (condition.agreement_below,)))
    if condition.flag is not None:
        parts.append(("instr(t.flags, ?) > 0", (f'"{condition.flag.value}"',)))
    if condition.is_returned is not None:
        parts.append(("t.is_returned = ?", (condition.is_returned,)))
    if condition.needs_lead is not None:
        parts.append((f"t.needs_lead IS {'NOT ' if condition.needs_lead else ''}NULL", ()))
    where = " AND ".join(text for text, _ in parts)
    return (f"WHERE {where}" if parts else "", [v for _, values in parts for v in values])
