"""Writes TAP-Vid CSV files: a row for each point, no header, the same bytes each time."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from annotator.exchange.tap_vid.csv_read import CLIP_COLUMNS
from annotator.exchange.tap_vid.example import Example


def encode(examples: Iterable[Example]) -> Iterator[bytes]:
    """Yield a file row by row. A float is the shortest text that reads back as the same double.

    What was imported with a fixed number of decimals is written so again.
    """
    for example in examples:
        first = first_cells(example)
        for places, flags, style in zip(
            example.points.tolist(), example.occluded.tolist(), example.styles, strict=True
        ):
            decimals = style.get("decimals")
            form = f".{decimals}f" if isinstance(decimals, int) else "r"
            cells = list(first)
            for (x, y), is_occluded in zip(places, flags, strict=True):
                cells += (_number(x, form), _number(y, form), "1" if is_occluded else "0")
            row = io.StringIO()
            csv.writer(row, lineterminator="\n").writerow(cells)
            yield row.getvalue().encode("utf-8")


def first_cells(example: Example) -> list[str]:
    """Return what stands before the numbers: the clip as it was imported, else the video's name."""
    clip = example.facts.get("clip")
    if isinstance(clip, list) and len(clip) == 3 and 3 * example.n_frames + 3 == CLIP_COLUMNS:
        return [str(cell) for cell in clip]
    return [str(example.facts.get("video_id") or example.name)]


def _number(value: float, form: str) -> str:
    return repr(value) if form == "r" else format(value, form)
