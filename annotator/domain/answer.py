"""Answers: typed values, each for one field of one item, and their file form.

    {"picked": ["a"], "other": "…"}   {"truth": true}     {"text": "…"}     {"number": 2.5}
    {"confidence": 4}                 {"list": ["…"]}     {"spans": [[3, 9]]}
    {"frame": 7, "box": [x1, y1, x2, y2]}                 {"flag": "blurred", "text": "…"}

An "other", or the text of a flag, that is empty is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from annotator.domain.geometry import Box
from annotator.domain.ids import ItemId
from annotator.domain.json_type import Json


@dataclass(frozen=True, slots=True)
class Spans:
    """Stretches of the video, half-open in frames, [start, end), in order and apart."""

    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class FrameBox:
    """A box on one frame, in pixels of the picture as it is shown."""

    frame: int
    box: Box


@dataclass(frozen=True, slots=True)
class Picked:
    """Selected options, by key, in the order of the form; ``other`` is typed text."""

    keys: tuple[str, ...]
    other: str = ""


@dataclass(frozen=True, slots=True)
class Flagged:
    """Flag of an item: the key of a reason, and text."""

    reason: str
    text: str = ""


# CHOICE and CHOICES: Picked. TRUTH: bool. TEXT: str. NUMBER: float. CONFIDENCE: int. PROPERTIES and
# TRACKS (their ids): tuple of str. SPANS: Spans. BOX: FrameBox. FLAG: Flagged.
Value: TypeAlias = (
    "Picked | bool | str | float | int | tuple[str, ...] | Spans | FrameBox | Flagged"
)


class AnswerKey(NamedTuple):
    """Which answer: one for each field of each entry about an item, counted from 0."""

    item_id: ItemId
    field: str
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of one person.

    ``at`` is in milliseconds since 1970-01-01 UTC; ``took_ms`` is the active time since the item
    was put before them. ``order`` has the keys of the options as they were shown.
    ``recipe_version`` is that of the form it was given under, which it keeps whatever becomes of
    the recipe.
    """

    key: AnswerKey
    value: Value
    at: int
    took_ms: int = 0
    order: tuple[str, ...] = ()
    recipe_version: int = 1


_WHOLE_LIMIT: Final = 1 << 53
"""Whole numbers up to here are the same in every program."""


def plain_of(value: Value) -> dict[str, Json]:
    """Return a value as a plain table."""
    if isinstance(value, Picked):
        other: dict[str, Json] = {"other": value.other} if value.other else {}
        return {"picked": list(value.keys), **other}
    if isinstance(value, Spans):
        return {"spans": [list(span) for span in value.spans]}
    if isinstance(value, FrameBox):
        return {"frame": value.frame, "box": list(value.box.as_tuple())}
    if isinstance(value, Flagged):
        words: dict[str, Json] = {"text": value.text} if value.text else {}
        return {"flag": value.reason, **words}
    if isinstance(value, tuple):
        return {"list": list(value)}
    return {_name_of(value): value}


def value_from(plain: Mapping[str, Any]) -> Value:
    """Return the value in a plain table; ValueError if it is none."""
    match dict(plain):
        case {"picked": [*keys], **rest}:
            return Picked(_texts(keys), _text(rest.get("other", "")))
        case {"truth": bool(truth)}:
            return truth
        case {"flag": str(reason), **rest}:
            return Flagged(reason, _text(rest.get("text", "")))
        case {"text": str(text)}:
            return text
        case {"number": int() | float() as number} if not isinstance(number, bool):
            return float(number)
        case {"confidence": int(level)} if not isinstance(level, bool):
            return level
        case {"list": [*texts]}:
            return _texts(texts)
        case {"spans": [*spans]}:
            return Spans(tuple(_span(span) for span in spans))
        case {"frame": frame, "box": [_, _, _, _] as box}:
            return FrameBox(_whole(frame), Box(*(_real(side) for side in box)))
        case _:
            raise ValueError("this is no answer")


def answer_plain(answer: Answer) -> dict[str, Json]:
    """Return an answer as a plain table, with its key."""
    order: dict[str, Json] = {"order": list(answer.order)} if answer.order else {}
    return {
        "item_id": answer.key.item_id,
        "field": answer.key.field,
        "entry": answer.key.entry,
        "value": plain_of(answer.value),
        "at": answer.at,
        "took_ms": answer.took_ms,
        "recipe_version": answer.recipe_version,
        **order,
    }


def answer_from(plain: Mapping[str, Any]) -> Answer:
    """Return the answer in a plain table; KeyError, TypeError or ValueError if it is none."""
    key = AnswerKey(ItemId(_text(plain["item_id"])), _text(plain["field"]), _whole(plain["entry"]))
    return Answer(
        key,
        value_from(plain["value"]),
        _whole(plain["at"]),
        _whole(plain["took_ms"]),
        _texts(plain.get("order", ())),
        _whole(plain["recipe_version"]),
    )


def _name_of(value: bool | str | float | int) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, str):
        return "text"
    return "confidence" if isinstance(value, int) else "number"


def _span(value: Sequence[int]) -> tuple[int, int]:
    start, end = value
    return _whole(start), _whole(end)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= _WHOLE_LIMIT:
        raise ValueError("this should be a whole number")
    return value


def _real(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError("this should be a number")  # noqa: TRY004 - the input is at fault
    return float(value)


def _texts(value: Iterable[object]) -> tuple[str, ...]:
    return tuple(_text(each) for each in value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("this should be text")  # noqa: TRY004 - the input is at fault
    return value
