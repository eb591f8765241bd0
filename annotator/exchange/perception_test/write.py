"""Writes records in the canonical form: full, selected tasks, test files, and result files.

Videos are sorted by name with numbers by value (``video_2`` before ``video_10``). There is no white
space inside a line. Text is UTF-8 as it is; a float is the shortest decimal that reads back as the
same double, and whole numbers stay whole. Importing a file in this form and exporting it again
gives the same bytes.

    object_tracking      {"video_1": [{"id", "bounding_boxes", "frame_ids"}]}
    point_tracking       {"video_1": {"point_tracking": [{"id", "points", "frame_ids"}]}}
    …_localisation       {"video_1": {"…": [{"label", "score", "timestamps"}]}}     in seconds
    mc_question          {"video_1": [{"id", "answer_id", "answer"}]}
    grounded_question    {"video_1": {"grounded_question": {"0": [{"id", "score", …}]}}}

Multiple-choice answers are published in two forms, with their key round them and without; both are
offered. Annotations of people are certain: the score is 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Final

import msgspec

from annotator.domain.checks import Finding, Severity
from annotator.domain.json_type import Json
from annotator.exchange.order import natural_key
from annotator.exchange.perception_test.records import TASK_KEYS, as_object

OPENING: Final = b"{\n"
BETWEEN: Final = b",\n"
CLOSING: Final = b"\n}\n"
"""What stands before, between and after the entries of a file."""
_fast: Final = msgspec.json.Encoder()
_slow: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
# Where these stand the fast encoder may have written a number in another way, or null for none.
_DOUBTFUL: Final = (b"0.0000", b"null")
_EXPONENT: Final = re.compile(rb"e(?<=\de)")


def encode(entries: Mapping[str, dict[str, Json]]) -> Iterator[bytes]:
    """Yield a file in parts; ``entries`` are the values by video name, in any order."""
    opening = OPENING
    for name in sorted(entries, key=natural_key):
        yield opening
        yield encode_entry(name, entries[name])
        opening = BETWEEN
    yield OPENING.strip() + CLOSING if not entries else CLOSING


def encode_entry(name: str, value: Mapping[str, Json]) -> bytes:
    """Return the part of a file that is about one video."""
    return b"".join((_text(name), b":{", *_members(value.items()), b"\n}"))


def encode_answers(name: str, value: Json) -> bytes:
    """Return the part of a result file that is about one video."""
    if isinstance(value, list):
        return b"%b:[\n%b\n]" % (_text(name), _lines(value)) if value else _text(name) + b":[]"
    return encode_entry(name, value if isinstance(value, dict) else {})


def _members(items: Iterable[tuple[str, Json]]) -> Iterator[bytes]:
    opening = b"\n"
    for key, value in items:
        if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            body = b"[\n%b\n]" % _lines(value)
        else:
            body = _text(value)
        yield b"".join((opening, _text(key), b":", body))
        opening = b",\n"


def _lines(records: list[Json]) -> bytes:
    """Return records, each in a line of its own."""
    with suppress(OverflowError):
        lines = _fast.encode_lines(records)
        if not _is_doubtful(lines):
            return lines[:-1].replace(b"\n", b",\n")
    return b",\n".join(map(_text, records))


def _text(value: Json) -> bytes:
    """Return a value in one line; ValueError for what JSON cannot say."""
    try:
        text = _fast.encode(value)
    except OverflowError:
        return _slow.encode(value).encode()
    return _slow.encode(value).encode() if _is_doubtful(text) else text


def _is_doubtful(text: bytes) -> bool:
    return any(part in text for part in _DOUBTFUL) or _EXPONENT.search(text) is not None


_PER_FRAME: Final = (
    "bounding_boxes",
    "initial_tracking_box",
    "frame_ids",
    "timestamps",
    "is_masked",
)
_ANSWERS: Final = {
    "mc_question": ("answer_id", "area", "reasoning", "tag"),
    "grounded_question": ("answers",),
}
_NEEDED: Final = {
    "point_tracking": "object_tracking",
    "grounded_question": "object_tracking",
    "action_localisation": "object_tracking",
    "sound_localisation": "object_tracking",
}
"""Tasks whose records name those of another."""


class Variant(StrEnum):
    """How much of an entry is written."""

    FULL = "full"
    TEST = "test"  # where tracks start, and questions without their answers
    SUBMISSION = "submission"  # the answers to one task, as its scorer reads them
    WRAPPED = "submission-wrapped"  # the same, multiple choice with its key round it

    @property
    def is_submission(self) -> bool:
        """Whether answers are written, and not annotation."""
        return self in (Variant.SUBMISSION, Variant.WRAPPED)


def exported_part(
    value: dict[str, Json], variant: Variant = Variant.FULL, tasks: Collection[str] = ()
) -> dict[str, Json]:
    """Return the written part of an entry; empty ``tasks`` means all tasks.

    All six keys stay; a task that is not written is an empty list. What a task's records refer to
    comes along.
    """
    task_keys = {*tasks, *(_NEEDED[task] for task in tasks if task in _NEEDED)} or set(TASK_KEYS)
    entry = dict(value)
    for task in TASK_KEYS:
        records = value.get(task)
        if task not in task_keys or not isinstance(records, list):
            entry[task] = []
        elif variant is Variant.TEST:
            entry[task] = _tested(task, records)
    return entry


def _tested(task: str, records: list[Json]) -> list[Json]:
    """Return the records of a task in test files: none for actions and sounds."""
    if task in ("action_localisation", "sound_localisation"):
        return []
    return [_shortened(task, record) for record in records if isinstance(record, dict)]


def _shortened(task: str, record: dict[str, Json]) -> dict[str, Json]:
    if task == "object_tracking":
        first = record.get("initial_tracking_box")
        start = first.index(1) if isinstance(first, list) and 1 in first else 0
        return {
            key: [value[start]] if key in _PER_FRAME and isinstance(value, list) else value
            for key, value in record.items()
        }
    if task == "point_tracking":
        short = dict(record)
        frames, points = record.get("frame_ids"), record.get("points")
        if isinstance(frames, list) and isinstance(points, list):
            short["frame_ids"] = frames[:1]
            short["points"] = [row[:1] if isinstance(row, list) else row for row in points]
        return short
    return {key: value for key, value in record.items() if key not in _ANSWERS.get(task, ())}


_CERTAIN: Final = 1.0
_MICROSECONDS: Final = 1e6
Note = Callable[[Finding], None]


def answers_of(
    name: str, entry: Mapping[str, Json], task: str, note: Note, *, is_wrapped: bool = False
) -> Json:
    """Return the records of a video in a result file; ``entry`` is its full entry.

    A question without an answer is left out with an ERROR. ``is_wrapped`` concerns multiple choice.
    """
    records = [as_object(record) for record in _listed(entry.get(task))]
    if task == "object_tracking":
        return [_picked(record, "id", "bounding_boxes", "frame_ids") for record in records]
    if task == "point_tracking":
        return {task: [_picked(record, "id", "points", "frame_ids") for record in records]}
    if task == "mc_question":
        answers: list[Json] = [a for r in records if (a := _choice(name, r, note)) is not None]
        return {task: answers} if is_wrapped else answers
    if task == "grounded_question":
        tracks = [as_object(track) for track in _listed(entry.get("object_tracking"))]
        return {task: {str(record.get("id")): _tracks(record, tracks) for record in records}}
    return {task: [_segment(record) for record in records]}


def _choice(name: str, record: Mapping[str, Json], note: Note) -> Json:
    options, answer = _listed(record.get("options")), record.get("answer_id")
    if not isinstance(answer, int) or not 0 <= answer < len(options):
        text = "Not exported: the question has no answer."
        where = f"{name}, “{record.get('question')}”"
        note(Finding("unanswered", where, text, Severity.ERROR))
        return None
    return {"id": record.get("id"), "answer_id": answer, "answer": options[answer]}


def _tracks(record: Mapping[str, Json], tracks: list[dict[str, Json]]) -> list[Json]:
    """Return the tracks that answer a question, all of them equally sure."""
    wanted = _listed(record.get("answers"))
    return [
        {
            "id": track.get("id"),
            "score": _CERTAIN,
            "bounding_boxes": track.get("bounding_boxes"),
            "frame_ids": track.get("frame_ids"),
        }
        for track in tracks
        if track.get("id") in wanted
    ]


def _segment(record: Mapping[str, Json]) -> Json:
    """Return an action or a sound: number and score as texts, as the scorer requires."""
    seconds: list[Json] = [
        at / _MICROSECONDS
        for at in _listed(record.get("timestamps"))
        if isinstance(at, int | float)
    ]
    return {
        "label": str(record.get("label_id")),
        "score": str(_CERTAIN),
        "timestamps": seconds,
    }


def _picked(record: Mapping[str, Json], *keys: str) -> Json:
    return {key: record.get(key) for key in keys}


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
