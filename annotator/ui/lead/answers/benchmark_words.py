"""Words of the tables of benchmarks: titles, heads, and cells as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from annotator.services.tables import Cell

_NOTHING: Final = "–"
_TITLES: Final = {
    "discards": "Discarded QAD sets",
    "modalities": "Kept QAD sets by modality",
    "certificates": "Certificates",
    "proofs": "Certificates by QAD set",
    "robustness": "Human accuracy",
    "groups": "Correct answers by video",
}
_ABOUT: Final = {
    "discards": "Resolved QAD sets. Sets can have several reasons. Rater rows: sets the rater "
    "would discard.",
    "certificates": "The shortest spans that prove an answer, for kept QAD sets.",
    "robustness": "Robustness: all five questions correct, among videos with a correct primary "
    "question. Involved people are excluded. 90% confidence intervals.",
    "groups": "If a question has several answers, more than half must be correct.",
    "proofs": "Marking time: median over raters, from opening the QAD set to marking the spans.",
}
_HEADS: Final = {
    "by": "Subset",
    "name": "Name",
    "sets": "QAD sets",
    "discarded": "Discarded",
    "share": "Share",
    "modality": "Modality",
    "measure": "Measure",
    "mean": "Mean",
    "median": "Median",
    "least": "Minimum",
    "most": "Maximum",
    "key": "QAD set",
    "video": "Video",
    "spans": "Spans",
    "length_s": "Length (s)",
    "reach_s": "Extent (s)",
    "effort_s": "Marking time (s)",
    "of": "Total",
    "right": "Correct",
    "value": "Share",
    "low": "CI lower",
    "high": "CI upper",
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
_RIGHT: Final = {"right": "correct", "wrong": "incorrect"}
_OF: Final = {
    "all": "all",
    "reason": "Reason",
    "type": "Question type",
    "rater": "Rater",
}
_MODALITIES: Final = {
    "vision": "vision only",
    "audio": "audio only",
    "either": "vision or audio",
    "both": "vision and audio together",
}
_MEASURES: Final = {
    "spans": "Spans",
    "length_s": "Length (s)",
    "reach_s": "Extent (s)",
    "share": "Share of the video",
    "effort_s": "Marking time (s)",
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
    from annotator.services.questions.agreement.benchmark_tables import COLUMNS

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
