"""Tables of figures beside those of every project: what a benchmark asks for, and the hours."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark import (
    BenchmarkTable,
    Column,
    TableKind,
    benchmark_of,
)
from annotator.services.tables import Cell, write_table

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
    """Return the tables of the benchmark that the project's recipe is of; leads only.

    None where a recipe of somebody's own leaves out what they are about.
    """
    project.work.people.check_lead()
    return tuple(benchmark_of(project).tables(project))


def hours_of(project: OpenProject) -> BenchmarkTable:
    """Return the human hours of each stage, idle time left out, and of all together.

    In the order of the recipe; what it has no more comes last.
    """
    types = project.work.recipe.task_types
    places = {place: i for i, place in enumerate((t.kind, s.key) for t in types for s in t.stages)}
    found = sorted(
        project.work.numbers().hours, key=lambda e: places.get((e.kind, e.stage), len(places))
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
