"""Remaining work: hours by stage from measured times, and when it will be done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.work.records import TaskStatus

if TYPE_CHECKING:
    from annotator.domain.recipes.recipe import Recipe
    from annotator.domain.work.numbers import Spent

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

    ``hours_per_day`` is the mean of the days on which somebody worked, ``days`` how many such days
    remain; None where nobody has worked.
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
            to_come = tuple(each * remaining for each in per_task)  # type: ignore[assignment]
            total += np.array(to_come)
        stages.append(StageForecast(kind, stage, remaining, len(values), per_task, to_come))
    low, middle, high = total.tolist()
    worked = [each for each in hours_by_day if each > 0]
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
    found: dict[tuple[str, str], int] = {}
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
                found[task_type.kind, stage.key] = before
    return found
