"""Tables of agreement, gold accuracy and outcomes, and the files they are written to.

Answers are read only after their task is resolved.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from annotator.domain.agreement.estimate import VERSION
from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.errors import UserError
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.study.results import wilson
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.agreement.agreement import (
    AGREEMENT_COLUMNS,
    agreement_of,
    agreement_rows,
    comparable_kind,
    compared_kinds,
    question_kinds,
)
from annotator.services.questions.benchmark_plugin import (
    BenchmarkTable,
    Column,
    TableKind,
    benchmark_of,
)
from annotator.services.tables import Cell, write_table
from annotator.store.questions.items import ItemFilter
from annotator.store.questions.votes import decided_votes

HOURS: Final = TableKind(
    "hours",
    "",
    tuple(
        map(
            Column,
            ("kind", "stage", "tasks", "items", "hours_per_item", "people_per_item", "hours"),
        )
    ),
)


def benchmark_tables(project: OpenProject) -> tuple[BenchmarkTable, ...]:
    """Return the tables of the project's benchmark; leads only.

    None where a changed recipe lacks the tasks they need.
    """
    project.work.people.check_lead()
    return tuple(benchmark_of(project).tables(project))


def hours_of(project: OpenProject) -> BenchmarkTable:
    """Return the active hours of each stage and in total, without idle time.

    In the order of the recipe; entries no longer in the recipe come last.
    """
    types = project.work.recipe.task_types
    places = {place: i for i, place in enumerate((t.kind, s.key) for t in types for s in t.stages)}
    found = sorted(
        project.work.statistics().hours, key=lambda e: places.get((e.kind, e.stage), len(places))
    )
    rows: list[tuple[Cell, ...]] = [
        (e.kind, e.stage, e.tasks, e.items, e.hours_per_item, e.people_per_item, e.total_hours)
        for e in found
    ]
    rows.append(("all", "", "", "", "", "", sum(each.total_hours for each in found)))
    return BenchmarkTable(HOURS, tuple(rows))


def write_benchmark_tables(project: OpenProject, folder: Path) -> dict[str, int]:
    """Write the tables of the benchmark, and the hours, into a folder; leads only.

    Returns the number of rows by file.
    """
    counts: dict[str, int] = {}
    for table in (*benchmark_tables(project), hours_of(project)):
        name = f"{table.kind.name}.csv"
        header = [column.name for column in table.kind.columns]
        write_table(folder / name, header, table.rows)
        counts[name] = len(table.rows)
    return counts


__all__ = [
    "KNOWN_METHOD",
    "agreement_of",
    "agreement_rows",
    "compared_kinds",
    "counts_of",
    "current_statuses",
    "item_statistics",
    "known_answers",
    "median_seconds",
    "question_kinds",
    "write_agreement",
]
AGREEMENT = "agreement.csv"
KNOWN = "gold-answers.csv"
ITEMS = "items.csv"
KNOWN_METHOD = "right-share-wilson"
KNOWN_COLUMNS = (
    *("kind", "person", "purpose", "right", "answers", "share", "low", "high", "level"),
    *("method", "version", "digest", "id"),
)
ITEM_COLUMNS = ("kind", "item", "text", "purpose", "state", "reason", "raters", "median_seconds")


@dataclass(frozen=True, slots=True)
class GoldAccuracy:
    """Share of right answers of a person to known items of one purpose, with Wilson's interval;
    ``digest`` is a SHA-256 over the items and whether each was answered rightly."""

    person_id: PersonId
    purpose: Purpose
    right: int
    answers: int
    low: float
    high: float
    level: float
    digest: str

    @property
    def share(self) -> float:
        return self.right / self.answers


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """An item, the number of people who decided it, and their median time."""

    item: Item
    raters: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class KindCounts:
    """The items of a kind: how many are in each state, and why how many were discarded."""

    kind: str
    states: dict[ItemState, int]
    reasons: dict[str, int]


@dataclass(frozen=True, slots=True)
class WrittenStatistics:
    """Where tables were written, and how many rows of each."""

    folder: Path
    counts: dict[str, int]


def known_answers(project: OpenProject, kind: str, level: float = 0.95) -> list[GoldAccuracy]:
    """Return the gold accuracy of people, by purpose; leads only.

    Of repeated answers of a person to the same item, the last counts.
    """
    last = {(e.person_id, e.item_id): e for e in project.qualification.judgements(kind)}
    found: dict[tuple[PersonId, Purpose], list[tuple[ItemId, bool]]] = {}
    for each in last.values():
        judged = found.setdefault((each.person_id, each.purpose), [])
        judged.append((each.item_id, each.is_right))
    return [_gold_accuracy(*key, sorted(judged), level) for key, judged in sorted(found.items())]


def _gold_accuracy(
    person_id: PersonId, purpose: Purpose, judged: Sequence[tuple[ItemId, bool]], level: float
) -> GoldAccuracy:
    right, n = sum(is_right for _, is_right in judged), len(judged)
    digest = hashlib.sha256(canonical_bytes(judged)).hexdigest()
    return GoldAccuracy(person_id, purpose, right, n, *wilson(right, n, level), level, digest)


def current_statuses(project: OpenProject) -> dict[tuple[PersonId, str], QualificationStatus]:
    """Return the qualification status of people by task type; leads only."""
    return {(e.person_id, e.kind): e.state for e in project.qualification.status_history()}


def item_statistics(project: OpenProject, kind: str) -> list[ItemStatistics]:
    """Return the items of a kind, oldest first, with the time of their answers; leads only."""
    asked = project.questions.list(ItemFilter(kind=kind))
    took: dict[ItemId, dict[PersonId, int]] = {}
    for row in decided_votes(project.file, kind):
        # The time to an answer runs from when the item came up, so the last field has all of it.
        theirs = took.setdefault(row.item_id, {})
        theirs[row.person_id] = max(theirs.get(row.person_id, 0), row.took_ms)
    return [
        ItemStatistics(
            item,
            len(took.get(item.id, ())),
            median(took[item.id].values()) / 1000 if item.id in took else None,
        )
        for _, item in asked
    ]


def counts_of(project: OpenProject, kind: str) -> KindCounts:
    """Return the number of items of a kind by outcome; leads only.

    Nothing becomes of those that people are checked, tested or trained with.
    """
    listed = project.questions.list(ItemFilter(kind=kind))
    asked = [item for _, item in listed if item.purpose in (Purpose.WORK, Purpose.GOLD)]
    out = [item.why_discarded for item in asked if item.state is ItemState.DISCARDED]
    return KindCounts(
        kind,
        {state: sum(item.state is state for item in asked) for state in ItemState},
        dict(Counter(out).most_common()),
    )


def median_seconds(found: Iterable[ItemStatistics]) -> float | None:
    """Return the median time of an answer over items; None without resolved items."""
    seconds = [each.seconds for each in found if each.seconds is not None]
    return median(seconds) if seconds else None


def gold_rows(
    project: OpenProject, kind: str, accuracies: Sequence[GoldAccuracy]
) -> list[tuple[Cell, ...]]:
    """Return gold accuracies as rows under `KNOWN_COLUMNS`, people by name."""
    people = project.work.people
    return [
        (
            kind,
            people.person(accuracy.person_id).name,
            accuracy.purpose.value,
            accuracy.right,
            accuracy.answers,
            accuracy.share,
            accuracy.low,
            accuracy.high,
            accuracy.level,
            KNOWN_METHOD,
            str(VERSION),
            accuracy.digest,
            accuracy.person_id,
        )
        for accuracy in accuracies
    ]


def item_rows(kind: str, found: Sequence[ItemStatistics]) -> Iterator[tuple[Cell, ...]]:
    """Yield items as rows under `ITEM_COLUMNS`."""
    for each in found:
        item, seconds = each.item, each.seconds
        yield (
            kind,
            item.id,
            item.text,
            item.purpose.value,
            item.state.value,
            item.why_discarded,
            each.raters,
            "" if seconds is None else seconds,
        )


def write_agreement(
    project: OpenProject,
    folder: Path,
    token: JobToken,
    how: Bootstrap | None = None,
    kind: str | None = None,
) -> WrittenStatistics:
    """Write agreement, gold accuracy and items of one kind, or of all, to a folder; leads only.

    WorkError when the recipe has no such kind. Leaves the job when it is canceled.
    """
    project.work.people.check_lead()
    kinds = [comparable_kind(project, kind)] if kind is not None else compared_kinds(project)
    kinds_asked = {task_type.kind for task_type in question_kinds(project)}
    agreement: list[tuple[Cell, ...]] = []
    rows: list[tuple[Cell, ...]] = []
    items: list[tuple[Cell, ...]] = []
    for kind_name in (task_type.kind for task_type in kinds):
        estimates = agreement_of(project, kind_name, token, how, by_item=True)
        agreement += agreement_rows(project, kind_name, estimates)
        if kind_name not in kinds_asked:
            continue
        rows += gold_rows(project, kind_name, known_answers(project, kind_name))
        items += item_rows(kind_name, item_statistics(project, kind_name))
    token.check()
    _make(folder)
    write_table(folder / AGREEMENT, AGREEMENT_COLUMNS, agreement)
    write_table(folder / KNOWN, KNOWN_COLUMNS, rows)
    write_table(folder / ITEMS, ITEM_COLUMNS, items)
    counts = {AGREEMENT: len(agreement), KNOWN: len(rows), ITEMS: len(items)}
    return WrittenStatistics(folder, counts)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"cannot be created: {error.strerror or error}."
        raise UserError(text, hint="Select another folder.", where=str(folder)) from error
