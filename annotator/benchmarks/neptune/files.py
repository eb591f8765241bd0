"""Reads sets that are to be judged, and writes and reads the finished list.

A finished record has five choices, ``answer_choice_0`` to ``answer_choice_4``, and the place of the
answer among them. Proposed sets may come so, or with a list of ``decoys``; the type of the question
stands under ``question type`` or ``question_type``, the video under its name or its address.
Sets that raters are trained and checked by have a ``judgement`` besides: the right answers by the
keys of the fields, each a text or a list of texts. Such a set may do without a video.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.domain.questions.items.answer_sets import AnswerSet, choices_of
from annotator.exchange.json_value import encode_value, read_value
from annotator.exchange.node import Node

N_CHOICES: Final = 5
TYPE_KEY: Final = "question type"
_CHOICE: Final = "answer_choice_"
_TYPE_KEYS: Final = (TYPE_KEY, "question_type")
_ADDRESS: Final = re.compile(r"https?://\S*?(?:[?&]v=|youtu\.be/|/shorts/|/embed/)([\w-]{6,})\S*")
_JUDGEMENT: Final = "judgement"
_KNOWN: Final = frozenset(
    ("key", "video_id", "question", "answer", "answer_id", "decoys", _JUDGEMENT, *_TYPE_KEYS)
) | {f"{_CHOICE}{i}" for i in range(N_CHOICES)}


def read_sets(path: Path) -> tuple[AnswerSet, ...]:
    """Return the sets of a file in their order; ExchangeError with the path of the first fault."""
    sets: list[AnswerSet] = []
    seen: dict[str, str] = {}
    for i, node in enumerate(read_value(path).items()):
        found = _set(node, i)
        if found.key in seen:
            raise node.key("key").fail(
                f"Duplicate key “{found.key}”, already used by {seen[found.key]}."
            )
        seen[found.key] = node.path
        sets.append(found)
    return tuple(sets)


def records_of(
    sets: Iterable[AnswerSet], seed: int
) -> tuple[list[dict[str, Json]], tuple[Finding, ...]]:
    """Return the records of the finished list, in order, and which sets could not be written.

    A choice must be different from the others, and there are five.
    """
    records: list[dict[str, Json]] = []
    findings: list[Finding] = []
    for each in sets:
        choices, place = choices_of(each, seed)
        where = f"{each.video}, {each.key}"
        if len(choices) != N_CHOICES or len({_like(c) for c in choices}) != len(choices):
            text = f"Skipped: the set requires {N_CHOICES} different choices."
            findings.append(Finding("few-choices", where, text, Severity.ERROR))
            continue
        records.append(_record(each, choices, place))
    return records, tuple(findings)


def bare_id(video: str) -> str:
    """Return the id of a video, which may be given as an address."""
    match = _ADDRESS.fullmatch(video.strip())
    return match.group(1) if match else video.strip()


def _record(each: AnswerSet, choices: tuple[str, ...], place: int) -> dict[str, Json]:
    record: dict[str, Json] = {
        "key": each.key,
        "video_id": each.video,
        "question": each.question,
        "answer": each.answer,
    }
    record |= {f"{_CHOICE}{i}": choice for i, choice in enumerate(choices)}
    record |= {"answer_id": place, TYPE_KEY: each.type}
    return {**record, **{k: v for k, v in each.extra.items() if k not in record}}


def _made_up_key(members: Mapping[str, Json], video: str, index: int) -> str:
    """Return the key of a set that tells none: by its place, or by its content where it has a
    judgement, so that training sets are never taken for real ones.
    """
    if _JUDGEMENT not in members:
        return f"{video or 'check'}/{index + 1}"
    digest = hashlib.sha256(b"".join(encode_value(dict(members)))).hexdigest()
    return f"training/{digest[:16]}"


def _set(node: Node, index: int) -> AnswerSet:
    members = node.object()
    has_video = "video_id" in members or _JUDGEMENT not in members
    video = bare_id(_filled(node.key("video_id"))) if has_video else ""
    answer = _filled(node.key("answer"))
    type_key = next((key for key in _TYPE_KEYS if key in members), None)
    return AnswerSet(
        _filled(node.key("key")) if "key" in members else _made_up_key(members, video, index),
        video,
        _filled(node.key("question")),
        answer,
        _decoys(node, answer, members),
        node.key(type_key).text() if type_key else "",
        {key: value for key, value in members.items() if key not in _KNOWN},
        _judgement(node.key(_JUDGEMENT)) if _JUDGEMENT in members else {},
    )


def _judgement(node: Node) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key in node.object():
        value = node.key(key)
        is_list = isinstance(value.value, list)
        found[key] = tuple(map(_filled, value.items() if is_list else [value]))
    if not any(found.values()):
        raise node.fail("The set has no known keys.")
    return found


def _decoys(node: Node, answer: str, members: Mapping[str, Json]) -> tuple[str, ...]:
    if "decoys" in members:
        nodes = node.key("decoys").items()
        if len(nodes) != N_CHOICES - 1:
            wrong = f"Expected {N_CHOICES - 1} decoys, found {len(nodes)}."
            raise node.key("decoys").fail(wrong)
        texts = [_filled(each) for each in nodes]
        for text, each in zip(texts, nodes, strict=True):
            if _like(text) == _like(answer):
                raise each.fail("The decoy is equal to the correct answer.")
    else:
        names = [f"{_CHOICE}{i}" for i in range(N_CHOICES)]
        choices = [_filled(node.key(name)) for name in names]
        place = node.key("answer_id")
        if not 0 <= place.whole() < N_CHOICES:
            raise place.fail(f"Must be an integer from 0 to {N_CHOICES - 1}.")
        if choices[place.whole()] != answer:
            raise place.fail(f"Choice {place.whole()} is not the correct answer.")
        texts = [text for i, text in enumerate(choices) if i != place.whole()]
    if len({_like(text) for text in (answer, *texts)}) != len(texts) + 1:
        raise node.fail("Two choices are equal.")
    return tuple(texts)


def _filled(node: Node) -> str:
    text = node.text()
    if not text.strip():
        raise ExchangeError("The text is empty.", where=node.path)
    return text


def _like(text: str) -> str:
    return " ".join(text.split()).casefold()
