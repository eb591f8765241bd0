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
    "robustness": "How well people do",
    "groups": "Right answers, by video",
}
_ABOUT: Final = {
    "discards": "Of the sets that are settled. A set may lack several statements; of a rater, how"
    " many sets they would have discarded.",
    "certificates": "The shortest stretches that prove an answer, of the sets that were kept.",
    "robustness": "Robustness: of the videos with the primary question right, the share with all"
    " five right. Answers of people who had a part in a question do not count. From and to: the"
    " interval of 90 %.",
    "groups": "Of several answers more than half have to be right.",
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
    "of": "Of",
    "right": "Right",
    "value": "Share",
    "low": "From",
    "high": "To",
    "primary": "Primary",
    "paraphrased": "Paraphrased",
    "correctly-led": "Correctly led",
    "wrongly-led": "Wrongly led",
    "multiple-choice": "Multiple choice",
}
_PARTS: Final = {
    "robustness": "Robustness: all five",
    "primary": "Primary question",
    "paraphrased": "Paraphrased question",
    "correctly-led": "Correctly led question",
    "wrongly-led": "Wrongly led question",
    "multiple-choice": "Multiple choice",
}
_RIGHT: Final = {"right": "right", "wrong": "wrong"}
_OF: Final = {
    "all": "all",
    "reason": "Reason",
    "type": "Type of question",
    "rater": "Rater",
}
_MODALITIES: Final = {
    "vision": "pictures alone",
    "audio": "sound alone",
    "either": "either of them",
    "both": "only both together",
}
_MEASURES: Final = {
    "spans": "Stretches",
    "length_s": "Length, seconds",
    "reach_s": "From first to last, seconds",
    "share": "Share of the video",
    "effort_s": "Time to mark, seconds",
}
_WORDS: Final = {"by": _OF, "modality": _MODALITIES, "measure": {**_MEASURES, **_PARTS}}
_SHARES: Final = frozenset(("share", "value", "low", "high"))


def question_text(part: str) -> str:
    """Return what a question is in its group, as in "Wrongly led question"; else the name."""
    return _tr(_PARTS[part]) if part in _PARTS else part


def title(name: str) -> str:
    """Return the title of a table."""
    return _tr(_TITLES[name])


def about(name: str) -> str:
    """Return what is to be known of a table, "" for nothing."""
    return _tr(_ABOUT[name]) if name in _ABOUT else ""


def heads(name: str) -> list[str]:
    """Return the heads of the columns that are shown of a table."""
    return [_tr(_HEADS[column]) for column in _columns(name) if column in _HEADS]


def further(name: str) -> list[str]:
    """Return the names of the columns that only its file has, after those that are shown."""
    return [column for column in _columns(name) if column not in _HEADS]


def shown(name: str, row: Sequence[Cell]) -> tuple[str, ...]:
    """Return a row as it is shown."""
    return tuple(
        _cell(column, cell, is_share=_is_share(column, row))
        for column, cell in zip(_columns(name), row, strict=True)
        if column in _HEADS
    )


def _columns(name: str) -> tuple[str, ...]:
    from annotator.services.questions.benchmark_tables import COLUMNS

    return COLUMNS[name]


def _is_share(column: str, row: Sequence[Cell]) -> bool:
    return column in _SHARES or (row[0] == "share" and column != "sets")


def _cell(column: str, cell: Cell, *, is_share: bool) -> str:
    if isinstance(cell, str):
        words = _WORDS.get(column, _RIGHT if column in _PARTS else {})
        return _tr(words[cell]) if cell in words else cell or _NOTHING
    if is_share:
        return f"{cell:.1%}"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.1f}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
