"""The rows of Video-TT: five questions about each video, all columns texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError
from annotator.domain.questions.drawing import Lot
from annotator.domain.questions.items.groups import GroupRole
from annotator.exchange.json_value import encode_value, read_value
from annotator.exchange.parquet.read import ParquetTexts
from annotator.exchange.parquet.write import encode_table

COLUMNS: Final = (
    "qid",
    "video_id",
    "question_type",
    "capability",
    "question",
    "duration",
    "question_prompt",
    "answer",
    "youtube_url",
)
TYPES: Final = {
    GroupRole.PRIMARY: "Primary Open-ended Question",
    GroupRole.PARAPHRASED: "Paraphrased Open-ended Question",
    GroupRole.CORRECTLY_LED: "Correctly-led Open-ended Question",
    GroupRole.WRONGLY_LED: "Wrongly-led Open-ended Question",
    GroupRole.MULTIPLE_CHOICE: "Multiple-choice Question with a Single Correct Answer",
}
LETTERS: Final = "ABCD"
OPEN_PROMPT: Final = "Please answer the question in one sentence."
CHOICE_PROMPT: Final = "Please answer with the letter of the right option."
_OPTION: Final = re.compile(r"^\(?([A-D])[.):]\s*(.*\S)\s*$")
_PARTS: Final = {text: part for part, text in TYPES.items()}


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One row. ``options`` only for the multiple choice, in order; ``answer`` is then a letter."""

    qid: str
    video_id: str
    part: GroupRole
    capability: str
    question: str
    duration: str
    answer: str
    url: str = ""
    options: tuple[str, ...] = ()
    prompt: str = ""


def lettered(options: Sequence[str], qid: str, seed: int) -> tuple[tuple[str, ...], str]:
    """Return options, the right one first, in an order drawn by lot, and the right one's letter."""
    lot = Lot(seed, "letters", qid)
    shown = lot.shuffled(options[1:])
    place = lot.below(len(options))
    shown.insert(place, options[0])
    return tuple(shown), LETTERS[place]


def texts_of(row: QuestionRow) -> dict[str, str]:
    """Return the columns of a row."""
    question = row.question
    if row.options:
        lines = [f"{LETTERS[i]}. {text}" for i, text in enumerate(row.options)]
        question = "\n".join([question, *lines])
    default = CHOICE_PROMPT if row.options else OPEN_PROMPT
    texts = (
        row.qid,
        row.video_id,
        TYPES[row.part],
        row.capability,
        question,
        row.duration,
        row.prompt or default,
        row.answer,
        row.url,
    )
    return dict(zip(COLUMNS, texts, strict=True))


def encode_rows(rows: Sequence[QuestionRow], path: Path) -> Iterator[bytes]:
    """Yield a file: JSON where the name ends so, else Parquet."""
    texts = [texts_of(row) for row in rows]
    if path.suffix.lower() == ".json":
        yield from encode_value([dict(each) for each in texts])
    else:
        yield from encode_table(COLUMNS, [[each[name] for name in COLUMNS] for each in texts])


def read_rows(path: Path) -> tuple[QuestionRow, ...]:
    """Return the rows of a file; ExchangeError with the row where one breaks the rules."""
    if path.suffix.lower() == ".json":
        found = [
            {name: node.key(name).text() for name in COLUMNS} for node in read_value(path).items()
        ]
    else:
        with ParquetTexts(path) as file:
            found = file.rows()
    rows = tuple(_row(each, f"{path.name}, row {i + 1}") for i, each in enumerate(found))
    seen: set[str] = set()
    for i, row in enumerate(rows):
        if row.qid in seen:
            where = f"{path.name}, row {i + 1}"
            raise ExchangeError(f"Duplicate qid “{row.qid}”.", where=where)
        seen.add(row.qid)
    return rows


def _row(texts: dict[str, str], where: str) -> QuestionRow:
    for name in COLUMNS:
        if name not in texts:
            raise ExchangeError(f"The column {name} is missing.", where=where)
    part = _PARTS.get(texts["question_type"])
    if part is None:
        raise ExchangeError(f"Unknown question type “{texts['question_type'][:80]}”.", where=where)
    question, options = texts["question"], tuple[str, ...]()
    if part is GroupRole.MULTIPLE_CHOICE:
        question, options = _split(question)
        if texts["answer"].strip() not in LETTERS[: len(options)] or not texts["answer"].strip():
            text = f"The answer “{texts['answer'][:80]}” is not an option letter."
            raise ExchangeError(text, where=where)
    return QuestionRow(
        texts["qid"],
        texts["video_id"],
        part,
        texts["capability"],
        question,
        texts["duration"],
        texts["answer"],
        texts["youtube_url"],
        options,
        texts["question_prompt"],
    )


def _split(text: str) -> tuple[str, tuple[str, ...]]:
    """Return question and options of a text that holds both."""
    lines = text.splitlines()
    options: list[str] = []
    while lines and (match := _OPTION.match(lines[-1])):
        options.insert(0, match.group(2))
        lines.pop()
    return "\n".join(lines).strip(), tuple(options)
