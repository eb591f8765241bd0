"""Finished questions as records of this format, and the file of cut frames.

Questions from bank and rules are written once resolved; its ids follow those of imported records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.domain.plurals import are
from annotator.domain.questions.items.item import IMPORTED, Item, ItemState, Purpose
from annotator.domain.questions.items.item_checks import problems_of

N_OPTIONS: Final = 3
NO_CUT: Final = -1
_FIELD: Final = "answer"
_YES: Final = "yes"
_FINAL: Final = "final"
_GROUNDED_BY: Final = ("rule", "file")
"""What makes questions whose answers are tracks: rules of the recipe, and a lead's own file."""


@dataclass(slots=True)
class QuestionRecords:
    """The records of one video's questions, and the omitted ones."""

    choices: list[Json] = field(default_factory=list)
    grounded: list[Json] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def question_records(
    items: Iterable[Item],
    indices: Mapping[TrackId, int],
    video: str,
    *,
    first: tuple[int, int] = (0, 0),
) -> QuestionRecords:
    """Return the records of the finished questions of a video, in the given order.

    ``indices`` are the exported ids of its tracks, ``first`` how many records of each kind stand
    before them. A question that breaks the rules of the format is left out with an ERROR.
    """
    records = QuestionRecords()
    for item in items:
        if not is_finished(item):
            continue
        where = f"{video}, “{item.text}”"
        if item.source.get("made") == _FINAL:
            problems = list(_choice_problems(item, where))
            if not problems:
                records.choices.append(_choice(item, first[0] + len(records.choices)))
            records.findings += problems
        else:
            record = _grounded(
                item, indices, first[1] + len(records.grounded), records.findings, where
            )
            if record is not None:
                records.grounded.append(record)
    return records


def with_answer(record: dict[str, Json], items: Iterable[Item]) -> dict[str, Json]:
    """Return an imported multiple-choice record with the decided answer, if it has none of its own,
    for a result file. The record of the video does not change."""
    if isinstance(record.get("answer_id"), int):
        return record
    for item in items:
        texts = [option.text for option in item.options]
        is_same = (item.text, texts) == (record.get("question"), record.get("options"))
        if is_same and item.source.get("made") == IMPORTED and item.right.get(_FIELD):
            keys = [option.key for option in item.options]
            return {**record, "answer_id": keys.index(item.right[_FIELD][0])}
    return record


def is_finished(item: Item) -> bool:
    """Return whether an item is a question for the data set: options drawn, or tracks confirmed."""
    if item.purpose is not Purpose.WORK or item.state is ItemState.DISCARDED:
        return False
    made = item.source.get("made")
    is_confirmed = bool(item.track_ids) and item.right.get(_FIELD) == (_YES,)
    return made == _FINAL or (made in _GROUNDED_BY and is_confirmed)


def _choice_problems(item: Item, where: str) -> Sequence[Finding]:
    problems = list(problems_of(item, where, needs_right=True))
    if len(item.options) != N_OPTIONS:
        text = f"Expected {N_OPTIONS} options, found {len(item.options)}."
        problems.append(Finding("few-options", where, text, Severity.ERROR))
    return problems


def _choice(item: Item, number: int) -> dict[str, Json]:
    keys = [option.key for option in item.options]
    return {
        "id": number,
        "question": item.text,
        "options": [option.text for option in item.options],
        "answer_id": keys.index(item.right[_FIELD][0]),
        "area": item.area,
        "reasoning": item.reasoning,
        "tag": list(item.tags),
    }


def _grounded(
    item: Item,
    indices: Mapping[TrackId, int],
    number: int,
    findings: list[Finding],
    where: str,
) -> dict[str, Json] | None:
    answers = sorted({indices[track] for track in item.track_ids if track in indices})
    if lost := sum(track not in indices for track in item.track_ids):
        text = f"{are(lost, 'answer')} not exported."
        severity = Severity.WARNING if answers else Severity.ERROR
        findings.append(Finding("lost-answer", where, text, severity))
    if not answers:
        return None
    return {
        "id": number,
        "question": item.text,
        "answers": list[Json](answers),
        "area": item.area,
        "reasoning": item.reasoning,
    }


def cut_frames(
    videos: Iterable[tuple[str, int | None, int]],
    note: Callable[[Finding], None],
) -> dict[str, int]:
    """Return the cut-frame mapping of videos, given (name, cut frame, number of frames).

    A video without cut has -1. So has one whose cut lies at no frame of it, which is noted.
    """
    mapping: dict[str, int] = {}
    for name, cut, n_frames in videos:
        if cut is not None and not 0 < cut <= n_frames:
            text = (
                f"The cut frame {cut} is outside the {n_frames} frames of the video; "
                "exported without a cut frame."
            )
            note(Finding("cut-outside", name, text))
            cut = None
        mapping[name] = NO_CUT if cut is None else cut
    return mapping
