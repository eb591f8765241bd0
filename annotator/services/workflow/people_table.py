"""Work of each person, the basis of payment: hours, submissions, items, returns, gold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from annotator.domain.work.work_statistics import (
    CountedSubmission,
    Forecast,
    forecast,
    return_rates,
)
from annotator.services.workflow.timer import local_day
from annotator.store.workflow import board

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from annotator.domain.ids import PersonId
    from annotator.services.project.projects import OpenProject
    from annotator.services.tables import Cell

COLUMNS: Final = (
    *("person", "day", "task_type", "stage", "hours", "submissions", "items", "items_per_hour"),
)
TOTAL_COLUMNS: Final = (
    *("person", "hours", "submissions", "items", "items_per_hour"),
    *("reviewed", "returned", "returned_share", "gold_answers", "gold_correct", "gold_accuracy"),
)
_LATEST_DAYS: Final = 14


@dataclass(slots=True)
class WorkTotals:
    """Work of a person: of one day, task type and stage, or as a whole."""

    hours: float = 0.0
    submissions: int = 0
    items: int = 0

    @property
    def items_per_hour(self) -> float | None:
        return self.items / self.hours if self.hours else None


@dataclass(slots=True)
class PersonWork:
    """All work of one person; ``parts`` are by day, task type and stage."""

    person_id: PersonId
    name: str
    total: WorkTotals = field(default_factory=WorkTotals)
    parts: dict[tuple[str, str, str], WorkTotals] = field(default_factory=dict)
    reviewed: int = 0
    returned: int = 0
    gold: int = 0
    gold_correct: int = 0


def people_work(project: OpenProject) -> list[PersonWork]:
    """Return the work of everybody who has done some, by name. Leads only.

    Days are those of the person's machine for time, of this one for submissions.
    """
    project.work.people.check_lead()
    names = {person.id: person.name for person in project.work.people.all()}
    work_of: dict[PersonId, PersonWork] = {}

    def of(person_id: PersonId) -> PersonWork:
        return work_of.setdefault(person_id, PersonWork(person_id, names.get(person_id, "?")))

    for person_id, day, kind, stage, active_ms, _ in board.worked_days(project.file):
        work = of(person_id)
        for sums in (work.total, work.parts.setdefault((day, kind, stage), WorkTotals())):
            sums.hours += active_ms / 3_600_000
    rows = board.submission_rows(project.file)
    n_items = {row.task_id: row.n_items for row in board.spent_rows(project.file)}
    for row in rows:
        work = of(row.person_id)
        part = work.parts.setdefault((local_day(row.at), row.kind, row.stage), WorkTotals())
        for sums in (work.total, part):
            sums.submissions += 1
            sums.items += n_items.get(row.task_id, 1)
    _add_quality(project, rows, of)
    return sorted(work_of.values(), key=lambda work: work.name)


def _add_quality(
    project: OpenProject, rows: Iterable[CountedSubmission], of: Callable[[PersonId], PersonWork]
) -> None:
    for person_id, rate in return_rates(rows).items():
        of(person_id).reviewed, of(person_id).returned = rate.judged, rate.returned
    for score in project.work.gold.scores():
        if not score.is_training:
            of(score.person_id).gold += 1
            of(score.person_id).gold_correct += not score.beyond
    for task_type in project.work.recipe.task_types:
        if task_type.form is None:
            continue
        judgements = project.qualification.judgements(task_type.kind)
        last_judgements = {(e.person_id, e.item_id): e for e in judgements}
        for judgement in last_judgements.values():
            of(judgement.person_id).gold += 1
            of(judgement.person_id).gold_correct += judgement.is_right


def day_rows(people: Iterable[PersonWork]) -> list[tuple[Cell, ...]]:
    """Return a row for each person, day, task type and stage."""
    return [
        (work.name, *key, *_cells(work.parts[key])) for work in people for key in sorted(work.parts)
    ]


def total_rows(people: Iterable[PersonWork]) -> list[tuple[Cell, ...]]:
    """Return a row for each person."""
    return [
        (
            work.name,
            *_cells(work.total),
            work.reviewed,
            work.returned,
            _share(work.returned, work.reviewed),
            work.gold,
            work.gold_correct,
            _share(work.gold_correct, work.gold),
        )
        for work in people
    ]


def _cells(sums: WorkTotals) -> tuple[Cell, ...]:
    rate = sums.items_per_hour
    told = round(rate, 3) if rate is not None else ""
    return (round(sums.hours, 4), sums.submissions, sums.items, told)


def _share(part: int, whole: int) -> Cell:
    return round(part / whole, 4) if whole else ""


def project_forecast(project: OpenProject) -> Forecast:
    """Return the remaining hours of a project, from the times measured so far."""
    by_day: dict[str, float] = {}
    for _, day, _, _, active_ms, _ in board.worked_days(project.file):
        by_day[day] = by_day.get(day, 0.0) + active_ms / 3_600_000
    latest = [by_day[day] for day in sorted(by_day)[-_LATEST_DAYS:]]
    return forecast(
        project.work.recipe,
        board.stage_counts(project.file),
        board.spent_rows(project.file),
        latest,
    )
