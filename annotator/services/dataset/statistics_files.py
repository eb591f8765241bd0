"""Statistics of a data set as CSV files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.services.tables import Cell, write_table

if TYPE_CHECKING:
    from annotator.domain.dataset.statistics import DataSet, Matrix

_MAX_NAME: Final = 100


def write_statistics(data: DataSet, folder: Path) -> dict[str, int]:
    """Write a CSV file for the counts and for each chart and matrix; return rows by file name."""
    folder.mkdir(parents=True, exist_ok=True)
    counts = [(c.kind, c.videos, c.annotations, c.marks, c.classes, c.mean) for c in data.counts()]
    head = ("type", "videos", "annotations", "marks", "classes", "mean_per_video")
    tables: dict[str, tuple[tuple[str, ...], list[tuple[Cell, ...]]]] = {
        "counts.csv": (head, [(*c[:-1], round(c[-1], 4)) for c in counts])
    }
    for chart in data.charts():
        rows: list[tuple[Cell, ...]] = [(bar.name, bar.value) for bar in chart.bars]
        tables[_file_name(chart.key)] = (("value", "count"), rows)
    for matrix in data.matrices():
        tables[_file_name(matrix.key)] = (("", *matrix.column_names), matrix_rows(matrix))
    for name, (names, found) in tables.items():
        write_table(folder / name, names, found)
    return {name: len(found) for name, (_, found) in tables.items()}


def _file_name(key: str) -> str:
    """Return the file of a chart; keys contain names of metadata columns, which may be any text."""
    return re.sub(r"[^\w-]+", "_", key)[:_MAX_NAME] + ".csv"


def matrix_rows(matrix: Matrix) -> list[tuple[Cell, ...]]:
    """Return the rows of a matrix, each after its name."""
    values = matrix.values.tolist()
    return [(name, *row) for name, row in zip(matrix.row_names, values, strict=True)]
