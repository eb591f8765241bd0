"""Results of an evaluation as tables and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.services.dataset.evaluation.evaluation import (
    ALL,
    Evaluation,
    MetricResult,
    worst_first,
)
from annotator.services.tables import Cell, write_table

if TYPE_CHECKING:
    from annotator.domain.json_type import Json

RESULT_COLUMNS: Final = (
    *("model", "task", "metric", "by", "group", "value", "low", "high", "videos", "items"),
)
_DIGITS: Final = 6


def write_evaluation(evaluation: Evaluation, folder: Path) -> dict[str, int]:
    """Write metrics.csv and items.csv into a folder; return the number of rows by file name."""
    folder.mkdir(parents=True, exist_ok=True)
    results = [_row(result) for result in evaluation.results]
    write_table(folder / "metrics.csv", RESULT_COLUMNS, results)
    metrics = list(
        dict.fromkeys(m for items in evaluation.items.values() for i in items for m in i.values)
    )
    head = ("model", "task", "video", "id", "frame", "label", "missing", *metrics)
    rows = [
        (*start, *(_number(item.values.get(m, math.nan)) for m in metrics))
        for model, items in evaluation.items.items()
        for item in worst_first(items)
        for start in [
            (model, item.task, item.video, item.id, item.frame, item.label, int(item.is_missing))
        ]
    ]
    write_table(folder / "items.csv", head, rows)
    return {"metrics.csv": len(results), "items.csv": len(rows)}


def _row(result: MetricResult) -> tuple[Cell, ...]:
    low, high = result.interval or (math.nan, math.nan)
    numbers = (_number(result.value), _number(low), _number(high))
    key = (result.model, result.task, result.metric, result.by, result.group)
    return (*key, *numbers, result.n_videos, result.n_items)


def _number(value: float) -> Cell:
    """Return a number as a cell, empty if undefined."""
    return "" if math.isnan(value) else round(value, _DIGITS)


def as_json(evaluation: Evaluation) -> list[Json]:
    """Return the results as JSON values; null for undefined values."""
    return [_object(result) for result in evaluation.results]


def _object(result: MetricResult) -> Json:
    low, high = result.interval or (math.nan, math.nan)
    return {
        "model": result.model,
        "task": result.task,
        "metric": result.metric,
        "by": result.by,
        "group": result.group,
        "value": None if math.isnan(result.value) else result.value,
        "low": None if math.isnan(low) else low,
        "high": None if math.isnan(high) else high,
        "videos": result.n_videos,
        "items": result.n_items,
    }


def side_by_side(
    results: Iterable[MetricResult],
) -> Iterator[tuple[str, str, dict[str, MetricResult]]]:
    """Yield title ("task metric", "by = group") and the results of all models."""
    found: dict[tuple[str, str, str, str], dict[str, MetricResult]] = {}
    for r in results:
        found.setdefault((r.task, r.metric, r.by, r.group), {})[r.model] = r
    for (task, metric, by, group), by_model in found.items():
        yield f"{task} {metric}", "" if by == ALL else f"{by} = {group}", by_model
