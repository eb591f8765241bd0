"""Words of the tables of benchmarks: titles, heads, and cells as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from annotator.services.tables import Cell

_NOTHING: Final = "–"
_TITLES: Final = {
    "discards": "Discarded sets",
    "modalities": "Kept sets, by what answers them",
    "certificates": "Certificates",
    "proofs": "What proves each answer",
}
_ABOUT: Final = {
    "discards": "Of the sets that are settled. A set may lack several statements; of a rater, how"
    " many sets they would have discarded.",
    "certificates": "The shortest stretches that prove an answer, of the sets that were kept.",
    "proofs": "Time to mark: the median of its raters, from seeing the set to marking the"
    " stretches.",
}
_HEADS: Final = {
    "by": "Of",
    "name": "Name",
    "sets": "Sets",
    "discarded": "Discarded",
    "share": "Share",
    "modality": "Answered by",
    "measure": "Measure",
    "mean": "Mean",
    "median": "Median",
    "least": "Least",
    "most": "Most",
    "key": "Set",
    "video": "Video",
    "spans": "Stretches",
    "length_s": "Seconds",
    "reach_s": "From first to last, seconds",
    "effort_s": "Time to mark, seconds",
}
_WORDS: Final = {
    ("by", "all"): "all",
    ("by", "reason"): "Reason",
    ("by", "type"): "Type of question",
    ("by", "rater"): "Rater",
    ("modality", "vision"): "pictures alone",
    ("modality", "audio"): "sound alone",
    ("modality", "either"): "either of them",
    ("modality", "both"): "only both together",
    ("measure", "spans"): "Stretches",
    ("measure", "length_s"): "Length, seconds",
    ("measure", "reach_s"): "From first to last, seconds",
    ("measure", "share"): "Share of the video",
    ("measure", "effort_s"): "Time to mark, seconds",
}


def title(name: str) -> str:
    """Return the title of a table."""
    return _tr(_TITLES[name])


def about(name: str) -> str:
    """Return what is to be known of a table, "" for nothing."""
    return _tr(_ABOUT[name]) if name in _ABOUT else ""


def heads(name: str) -> list[str]:
    """Return the heads of the columns of a table."""
    from annotator.services.questions.benchmark_tables import COLUMNS

    return [_tr(_HEADS[column]) for column in COLUMNS[name]]


def shown(name: str, row: Sequence[Cell]) -> tuple[str, ...]:
    """Return a row as it is shown."""
    from annotator.services.questions.benchmark_tables import COLUMNS

    columns = COLUMNS[name]
    return tuple(
        _cell(column, cell, is_share=_is_share(column, row))
        for column, cell in zip(columns, row, strict=True)
    )


def _is_share(column: str, row: Sequence[Cell]) -> bool:
    return column == "share" or (row[0] == "share" and column != "sets")


def _cell(column: str, cell: Cell, *, is_share: bool) -> str:
    if isinstance(cell, str):
        return _tr(_WORDS[column, cell]) if (column, cell) in _WORDS else cell or _NOTHING
    if is_share:
        return f"{cell:.1%}"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.1f}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
