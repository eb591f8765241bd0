"""Tables of figures that a benchmark asks for, beside those of every project.

The columns are named for files; a window has words of its own for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Final

from annotator.services.projects import OpenProject
from annotator.services.questions import neptune
from annotator.services.tables import Cell, write_table

NEPTUNE: Final = "neptune"

DISCARDS: Final = "discards"
MODALITIES: Final = "modalities"
CERTIFICATES: Final = "certificates"
PROOFS: Final = "proofs"
HOURS: Final = "hours"

COLUMNS: Final = {
    DISCARDS: ("by", "name", "sets", "discarded", "share"),
    MODALITIES: ("modality", "sets", "share"),
    CERTIFICATES: ("measure", "sets", "mean", "median", "least", "most"),
    PROOFS: ("key", "video", "spans", "length_s", "reach_s", "share", "effort_s"),
    HOURS: ("kind", "stage", "items", "hours_per_item", "people_per_item", "hours"),
}


@dataclass(frozen=True, slots=True)
class BenchmarkTable:
    """A table: its name, which is that of its file, and rows under its `COLUMNS`."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]


def benchmark_tables(project: OpenProject) -> tuple[BenchmarkTable, ...]:
    """Return the tables of the benchmark that the project's recipe is of; leads only."""
    project.work.people.check_lead()
    if project.work.recipe.export == NEPTUNE:
        return tuple(_of_neptune(project))
    return ()


def hours_of(project: OpenProject) -> BenchmarkTable:
    """Return the human hours of each stage, idle time left out, and of all together."""
    found = project.work.numbers().hours
    rows: list[tuple[Cell, ...]] = [
        (e.kind, e.stage, e.items, e.hours_per_item, e.people_per_item, e.total_hours)
        for e in found
    ]
    rows.append(("all", "", "", "", "", sum(each.total_hours for each in found)))
    return BenchmarkTable(HOURS, tuple(rows))


def write_benchmark_tables(project: OpenProject, folder: Path) -> dict[str, int]:
    """Write the tables of the benchmark, and the hours, into a folder; leads only.

    Returns the number of rows by file.
    """
    counts: dict[str, int] = {}
    for table in (*benchmark_tables(project), hours_of(project)):
        name = f"{table.name}.csv"
        write_table(folder / name, COLUMNS[table.name], table.rows)
        counts[name] = len(table.rows)
    return counts


def _of_neptune(project: OpenProject) -> Iterator[BenchmarkTable]:
    yield BenchmarkTable(DISCARDS, tuple(_discards(project)))
    kept = list(neptune.kept_sets(project))
    counts: dict[str, int] = {}
    for each in kept:
        counts[each.modality] = counts.get(each.modality, 0) + 1
    yield BenchmarkTable(
        MODALITIES, tuple((name, counts[name], counts[name] / len(kept)) for name in sorted(counts))
    )
    proofs = tuple(
        (
            each.found.key,
            each.found.video,
            proof.n_spans,
            proof.length_s,
            proof.reach_s,
            proof.share,
            "" if each.effort_s is None else each.effort_s,
        )
        for each in kept
        if (proof := each.certificate) is not None
    )
    columns = COLUMNS[PROOFS]
    spreads = (
        _spread(columns[i], [row[i] for row in proofs])
        for i in range(columns.index("spans"), len(columns))
    )
    yield BenchmarkTable(CERTIFICATES, tuple(row for row in spreads if row is not None))
    yield BenchmarkTable(PROOFS, proofs)


def _discards(project: OpenProject) -> Iterator[tuple[Cell, ...]]:
    """Yield how many sets were discarded: of all, by reason, by type of question, by rater."""
    report = neptune.report_discards(project)
    texts = neptune.statements(project)
    total = report.sets.total
    if not total:
        return
    yield ("all", "", total, report.sets.discarded, report.sets.discarded / total)
    for reason, n in report.reasons.items():
        yield ("reason", texts.get(reason, reason), total, n, n / total)
    for by, shares in (("type", report.by_type), ("rater", report.by_rater)):
        for name, each in shares.items():
            yield (by, name, each.total, each.discarded, each.discarded / each.total)


def _spread(name: str, cells: Sequence[Cell]) -> tuple[Cell, ...] | None:
    found = [each for each in cells if not isinstance(each, str)]
    if not found:
        return None
    return (name, len(found), fmean(found), median(found), min(found), max(found))
