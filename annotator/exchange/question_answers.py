"""Reads answers of a model to the questions of a data set, one record for each question.

    JSON list, JSON Lines or CSV     {"qid": "0001-1", "answer": "B"}
                                     {"qid": "0001-2", "answer": "He slips.", "score": 4}

The ID may be called id, qid, question_id or key; the answer answer, prediction, pred or response.
``score`` (0 to 5) and ``correct`` (true or false) are the verdict of a judge on an open answer,
``confidence`` (0 to 1) is how certain the model is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError

if TYPE_CHECKING:
    from annotator.domain.json_type import Json

BEST_SCORE: Final = 5.0
_IDS: Final = ("qid", "id", "question_id", "key")
_ANSWERS: Final = ("answer", "prediction", "pred", "response")
_TRUE: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_MAX_BYTES: Final = 1 << 28


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """Answer of a model with the verdict of a judge; None without a verdict."""

    text: str = ""
    score: float | None = None
    is_right: bool | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """Answers by question ID; invalid records are left out with an ERROR."""

    answers: dict[str, ModelAnswer]
    findings: tuple[Finding, ...]


def read_answers(path: Path) -> ModelAnswers:
    """Return the answers in a file. ExchangeError when it cannot be read."""
    answers: dict[str, ModelAnswer] = {}
    findings: list[Finding] = []
    for where, record in _records(path):
        try:
            name, answer = _answer(record)
            if name in answers:
                raise ValueError(f"The ID “{name[:80]}” occurs twice; the first one counts.")
        except ValueError as error:
            findings.append(Finding("bad-record", where, str(error), Severity.ERROR))
            continue
        answers[name] = answer
    if not answers:
        text = "The file has no answers: no record has an ID and an answer, a score or “correct”."
        raise ExchangeError(text, where=str(path))
    return ModelAnswers(answers, tuple(findings))


def _records(path: Path) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield place and values of each record."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ExchangeError("The file is larger than 256 MB.", where=str(path))
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExchangeError(f"Cannot read the file: {reason}.", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise ExchangeError("The file is not UTF-8 text.", where=str(path)) from error
    start = text.lstrip()[:1]
    if start == "[":
        values = _decoded(text, f"{path.name}")
        rows = values if isinstance(values, list) else []
        for i, value in enumerate(rows):
            yield f"{path.name}[{i}]", _object(value)
    elif start == "{":
        for i, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"{path.name}, line {i}", _object(_decoded(line, f"{path.name}, line {i}"))
    else:
        try:
            table = csv.DictReader(io.StringIO(text, newline=""), strict=True)
            for row in table:
                row_values = {k: v for k, v in row.items() if k and isinstance(v, str) and v != ""}
                yield f"{path.name}, line {table.line_num}", dict[str, "Json"](row_values)
        except csv.Error as error:
            raise ExchangeError(f"The table is damaged: {error}.", where=str(path)) from error


def _decoded(text: str, where: str) -> Json:
    try:
        value: Json = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ExchangeError(f"The JSON is damaged: {error}.", where=where) from error
    return value


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _answer(record: Mapping[str, Json]) -> tuple[str, ModelAnswer]:
    """Return ID and answer of a record; ValueError where something is wrong."""
    name = next((record[key] for key in _IDS if key in record), None)
    if not isinstance(name, str | int) or isinstance(name, bool) or name == "":
        raise ValueError(f"The record has no ID ({', '.join(_IDS)}).")
    text = next((record[key] for key in _ANSWERS if key in record), "")
    score, right = record.get("score"), record.get("correct")
    if text == "" and score is None and right is None:
        raise ValueError("The record has no answer, score or “correct”.")
    return str(name), ModelAnswer(
        str(text), _score(score), _verdict(right), _confidence(record.get("confidence"))
    )


def _confidence(value: Json) -> float | None:
    if value is None:
        return None
    try:
        number = float(value) if isinstance(value, str | int | float) else float("nan")
    except (ValueError, OverflowError):
        number = float("nan")
    if not 0 <= number <= 1:
        raise ValueError("The confidence must be a number from 0 to 1.")
    return number


def _score(value: Json) -> float | None:
    if value is None:
        return None
    try:
        number = float(value) if isinstance(value, str | int | float) else float("nan")
    except (ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not 0 <= number <= BEST_SCORE:
        raise ValueError(f"The score must be a number from 0 to {BEST_SCORE:g}.")
    return number


def _verdict(value: Json) -> bool | None:
    if value is None:
        return None
    found = _TRUE.get(str(value).strip().lower())
    if found is None:
        raise ValueError("“correct” must be true or false.")
    return found
