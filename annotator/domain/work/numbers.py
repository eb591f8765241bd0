"""Figures that follow the work: throughput, returns, and the table of human hours.

All are made from plain rows, which a store may keep as they come. None is ever edited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from annotator.domain.ids import PersonId, SubmissionId, TaskId
from annotator.domain.work.records import Instant, TaskRecord, VerdictKind


class HandIn(NamedTuple):
    """A counted submission, as a row. ``judged`` made what it is a judgement of, if anybody did.

    ``codes`` are those of the reasons to send back, "" for one in free words.
    """

    task_id: TaskId
    kind: str
    stage: str
    round: int
    submission_id: SubmissionId
    person_id: PersonId
    at: Instant
    verdict: VerdictKind
    judged: PersonId | None
    codes: tuple[str, ...]


class Spent(NamedTuple):
    """Active time of one person on one task at one stage; ``n_items`` are asked in the task, of a
    task that asks nothing it is 1."""

    task_id: TaskId
    kind: str
    stage: str
    person_id: PersonId
    active_ms: int
    n_items: int = 1


@dataclass(frozen=True, slots=True)
class ReturnRate:
    """How often somebody's work was judged, and how often it was sent back, with the reasons."""

    judged: int
    returned: int
    reasons: dict[str, int]

    @property
    def rate(self) -> float:
        """The share that was sent back, 0..1."""
        return self.returned / self.judged if self.judged else 0.0


@dataclass(frozen=True, slots=True)
class StageHours:
    """A row of the table of human hours: tasks with active time at the stage, and the items that
    are asked in them (where nothing is asked, the task itself is the item)."""

    kind: str
    stage: str
    tasks: int
    items: int
    hours_per_item: float
    people_per_item: float
    total_hours: float


def hand_ins(record: TaskRecord) -> tuple[HandIn, ...]:
    """Return the rows of a task, in the order of its assignments."""
    makers = {
        handed.submission_id: each.person_id
        for each in record.assignments
        for handed in each.submissions
    }
    return tuple(
        HandIn(
            record.id,
            record.kind,
            each.stage,
            each.round,
            handed.submission_id,
            each.person_id,
            handed.at,
            handed.verdict.kind,
            _judged(makers, each.base_id, handed.verdict.kind),
            tuple(reason.code for reason in handed.verdict.reasons),
        )
        for each in record.assignments
        for handed in each.submissions
        if handed.is_counted
    )


def throughput(
    rows: Iterable[HandIn], day_of: Callable[[Instant], str]
) -> dict[str, dict[tuple[str, str], int]]:
    """Return how much was handed in: by day, then by task type and stage.

    ``day_of`` names the day of an instant; days are those of the reader's time zone.
    """
    found: dict[str, Counter[tuple[str, str]]] = {}
    for row in rows:
        found.setdefault(day_of(row.at), Counter())[row.kind, row.stage] += 1
    return {day: dict(found[day]) for day in sorted(found)}


def return_rates(rows: Iterable[HandIn]) -> dict[PersonId, ReturnRate]:
    """Return for everybody whose work was judged how it fared."""
    judged: Counter[PersonId] = Counter()
    returned: Counter[PersonId] = Counter()
    reasons: dict[PersonId, Counter[str]] = {}
    for row in rows:
        if row.judged is None:
            continue
        judged[row.judged] += 1
        if row.verdict is VerdictKind.SEND_BACK:
            returned[row.judged] += 1
            reasons.setdefault(row.judged, Counter()).update(set(row.codes))
    return {
        person: ReturnRate(judged[person], returned[person], dict(reasons.get(person, {})))
        for person in judged
    }


def reason_counts(rows: Iterable[HandIn]) -> dict[str, int]:
    """Return how many submissions were sent back for each reason, the most frequent first."""
    found: Counter[str] = Counter()
    for row in rows:
        if row.verdict is VerdictKind.SEND_BACK:
            found.update(set(row.codes))
    return dict(found.most_common())


def hours_table(rows: Iterable[Spent]) -> tuple[StageHours, ...]:
    """Return the human hours of each task type and stage, in the order in which they first appear.

    Tasks and people are those with active time; time of several people on an item adds up.
    """
    totals: Counter[tuple[str, str]] = Counter()
    items: dict[tuple[str, str], dict[TaskId, int]] = {}
    pairs: dict[tuple[str, str], dict[tuple[TaskId, PersonId], int]] = {}
    for row in rows:
        if row.active_ms <= 0:
            continue
        key = row.kind, row.stage
        totals[key] += row.active_ms
        items.setdefault(key, {})[row.task_id] = row.n_items
        pairs.setdefault(key, {})[row.task_id, row.person_id] = row.n_items
    table = []
    for key, total_ms in totals.items():
        n, hours = sum(items[key].values()), total_ms / 3_600_000
        people = sum(pairs[key].values()) / n
        table.append(StageHours(*key, len(items[key]), n, hours / n, people, hours))
    return tuple(table)


def _judged(
    makers: dict[SubmissionId, PersonId], base_id: SubmissionId | None, verdict: VerdictKind
) -> PersonId | None:
    """Return who made what a verdict is about; "done" is a verdict about nobody's work."""
    if base_id is None or verdict is VerdictKind.DONE:
        return None
    return makers.get(base_id)
