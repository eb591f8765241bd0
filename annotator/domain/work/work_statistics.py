"""Statistics of the work: throughput, returns, active time, weekly change, forecast.

All are made from plain rows, which a store may keep as they come. None is ever edited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean, median
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from annotator.domain.ids import PersonId, SubmissionId, TaskId
from annotator.domain.work.records import Instant, TaskRecord, TaskStatus, VerdictKind

if TYPE_CHECKING:
    from annotator.domain.recipes.recipe import Recipe


class CountedSubmission(NamedTuple):
    """A counted submission, as a row. ``judged`` is the author of the reviewed submission, if any.

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
    """Number of reviews of a person's work, of returns, and their reasons."""

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


def counted_rows(record: TaskRecord) -> tuple[CountedSubmission, ...]:
    """Return the counted submissions of a task, in the order of its assignments."""
    makers = {
        submission.submission_id: assignment.person_id
        for assignment in record.assignments
        for submission in assignment.submissions
    }
    return tuple(
        CountedSubmission(
            record.id,
            record.kind,
            assignment.stage,
            assignment.round,
            submission.submission_id,
            assignment.person_id,
            submission.at,
            submission.verdict.kind,
            _judged(makers, assignment.base_id, submission.verdict.kind),
            tuple(reason.code for reason in submission.verdict.reasons),
        )
        for assignment in record.assignments
        for submission in assignment.submissions
        if submission.is_counted
    )


def throughput(
    rows: Iterable[CountedSubmission], day_of: Callable[[Instant], str]
) -> dict[str, dict[tuple[str, str], int]]:
    """Return the number of submissions by day, task type and stage.

    ``day_of`` names the day of an instant; days are those of the reader's time zone.
    """
    found: dict[str, Counter[tuple[str, str]]] = {}
    for row in rows:
        found.setdefault(day_of(row.at), Counter())[row.kind, row.stage] += 1
    return {day: dict(found[day]) for day in sorted(found)}


def return_rates(rows: Iterable[CountedSubmission]) -> dict[PersonId, ReturnRate]:
    """Return the return rate of every reviewed person."""
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


def reason_counts(rows: Iterable[CountedSubmission]) -> dict[str, int]:
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
    """Return the author of the reviewed work; "done" reviews no one's work."""
    if base_id is None or verdict is VerdictKind.DONE:
        return None
    return makers.get(base_id)


IDLE_MS: Final = 30_000


class Workplace(NamedTuple):
    """Task, stage and person that active time is counted for."""

    person_id: PersonId
    task_id: TaskId
    stage: str


class ActivityMeter:
    """Sums the time between activity signals: input, playback, a moved playhead.

    Each signal covers the next 30 seconds; longer pauses and time in the background do not count. A
    clock that jumps back adds nothing, one that jumps ahead at most a pause. Times are
    milliseconds.
    """

    def __init__(self, idle_ms: int = IDLE_MS) -> None:
        self._idle_ms = idle_ms
        self._place: Workplace | None = None
        self._last: Instant | None = None
        self._counted: dict[Workplace, int] = {}

    def enter(self, place: Workplace | None, now: Instant) -> None:
        """Start counting for another task, or for none; the time until now is counted."""
        if place != self._place:
            self.poke(now)
            self._place = place
            self._last = now

    def poke(self, now: Instant, *, is_background: bool = False) -> None:
        """Take a sign of life. In the background the time until now ends, and none begins."""
        if self._place is not None:
            passed = self._passed(now)
            if passed:
                self._counted[self._place] = self._counted.get(self._place, 0) + passed
        self._last = None if is_background else now

    def take(self) -> dict[Workplace, int]:
        """Return the milliseconds counted since this was asked last, to be written down."""
        counted, self._counted = self._counted, {}
        return counted

    def pending_ms(self, place: Workplace, now: Instant) -> int:
        """Return the time that an activity signal now would add for a place."""
        running = self._passed(now) if place == self._place else 0
        return self._counted.get(place, 0) + running

    def _passed(self, now: Instant) -> int:
        """Return how much of the time since the last sign of life counts."""
        return min(max(0, now - self._last), self._idle_ms) if self._last is not None else 0


WEEK_MS: Final = 7 * 24 * 3_600_000
LEAST: Final = 4
"""Fewer values have no trend."""
_MONDAY_MS: Final = 4 * 24 * 3_600_000
"""1970-01-01 was a Thursday: the first Monday (UTC)."""


class Week(NamedTuple):
    """Mean of the ``n`` values of a week that began at ``start`` (Monday 0:00 UTC)."""

    start: Instant
    mean: float
    n: int


def weekly(values: Iterable[tuple[Instant, float]]) -> tuple[Week, ...]:
    """Return the mean of each week that has values, the first week first."""
    found: dict[Instant, list[float]] = {}
    for at, value in values:
        start = (at - _MONDAY_MS) // WEEK_MS * WEEK_MS + _MONDAY_MS
        found.setdefault(start, []).append(value)
    return tuple(Week(start, mean(each), len(each)) for start, each in sorted(found.items()))


def trend(values: Sequence[tuple[Instant, float]]) -> float | None:
    """Return the change per week: the median of the slopes between all pairs of values.

    Single outliers do not move it. None with fewer than `LEAST` values or within less than a week.
    Source: Sen (1968).
    """
    if len(values) < LEAST or max(values)[0] - min(values)[0] < WEEK_MS:
        return None
    slopes = [
        (other - one) / (later - at) * WEEK_MS
        for (at, one), (later, other) in combinations(sorted(values), 2)
        if later > at
    ]
    return median(slopes) if slopes else None


FEWEST: Final = 3
"""With fewer measured tasks nothing is said about a stage."""
_DRAWS: Final = 1000
_LEVEL: Final = 0.9
_MS_PER_HOUR: Final = 3_600_000
Range = tuple[float, float, float]
"""Lower end, estimate and upper end."""


@dataclass(frozen=True, slots=True)
class StageForecast:
    """Remaining tasks of a stage, the mean hours of the ``measured`` ones, and the hours to come.

    Both are None where too few were measured.
    """

    kind: str
    stage: str
    remaining: int
    measured: int
    hours_per_task: Range | None
    hours: Range | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """Remaining work by stage. ``hours`` is their sum, of those with a forecast.

    ``hours_per_day`` is the mean over days with work, ``days`` the number of remaining days; None
    without any work so far.
    """

    stages: tuple[StageForecast, ...]
    hours: Range
    hours_per_day: float | None
    days: Range | None


def forecast(
    recipe: Recipe,
    counts: Mapping[tuple[str, str, TaskStatus], int],
    spent: Iterable[Spent],
    hours_by_day: Sequence[float],
) -> Forecast:
    """Return the remaining work of a project.

    ``counts`` are its tasks by kind, stage and status, ``spent`` the active time of everybody,
    ``hours_by_day`` that of the latest days with work. Tasks that follow others count as soon as
    those exist. Ranges are 90 % bootstrap intervals of the mean time of a task.
    """
    hours: dict[tuple[str, str], dict[str, float]] = {}
    for row in spent:
        if row.active_ms > 0:
            tasks = hours.setdefault((row.kind, row.stage), {})
            tasks[row.task_id] = tasks.get(row.task_id, 0.0) + row.active_ms / _MS_PER_HOUR
    rng = np.random.Generator(np.random.PCG64(1))
    stages = []
    total = np.zeros(3)
    for (kind, stage), remaining in _remaining(recipe, counts).items():
        values = np.array(list(hours.get((kind, stage), {}).values()))
        per_task: Range | None = None
        to_come: Range | None = None
        if len(values) >= FEWEST:
            means = rng.choice(values, (_DRAWS, len(values))).mean(axis=1)
            low, high = np.quantile(means, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2]).tolist()
            per_task = (low, float(values.mean()), high)
            to_come = tuple(hours * remaining for hours in per_task)  # type: ignore[assignment]
            total += np.array(to_come)
        stages.append(StageForecast(kind, stage, remaining, len(values), per_task, to_come))
    low, middle, high = total.tolist()
    worked = [day_hours for day_hours in hours_by_day if day_hours > 0]
    per_day = sum(worked) / len(worked) if worked else None
    days = (low / per_day, middle / per_day, high / per_day) if per_day else None
    return Forecast(tuple(stages), (low, middle, high), per_day, days)


def _remaining(
    recipe: Recipe, counts: Mapping[tuple[str, str, TaskStatus], int]
) -> dict[tuple[str, str], int]:
    """Return how many tasks still have to pass each stage, those that do not exist yet included."""
    totals: dict[str, int] = {}
    for (kind, _, status), n in counts.items():
        if status is not TaskStatus.WITHDRAWN:
            totals[kind] = totals.get(kind, 0) + n
    counts_by_stage: dict[tuple[str, str], int] = {}
    for task_type in recipe.task_types:
        to_come = 0
        if task_type.follows and task_type.form is None:
            to_come = max(0, totals.get(task_type.follows, 0) - totals.get(task_type.kind, 0))
            totals[task_type.kind] = totals.get(task_type.kind, 0) + to_come
        before = to_come
        for stage in task_type.stages:
            before += sum(
                n
                for (kind, key, status), n in counts.items()
                if (kind, key) == (task_type.kind, stage.key)
                and status not in (TaskStatus.COMPLETE, TaskStatus.WITHDRAWN)
            )
            if before:
                counts_by_stage[task_type.kind, stage.key] = before
    return counts_by_stage
