"""Reads items that were written elsewhere: tests, checks, training units, known and open questions.

    [{"kind": "reassign", "purpose": "attention", "question": "Please select object 2 here.",
      "right": {"answer": "object-2"}},
     {"kind": "writing-test", "videos": ["kettle", "cup"], "right": {"answer": "object-1"}}]

``kind`` is that of the tasks that ask it. ``videos`` are names without ending, or one in ``video``;
a check has none. ``options`` are texts. ``right`` has an answer, or several, by the key of the
field: an option by its key or its text. ``texts`` are further texts by name, with which fields
begin. ``purpose`` is left out where the recipe says it; ``key`` where the content is enough to know
the item again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.questions.item import Purpose
from annotator.exchange.json_value import encode_value, read_value
from annotator.exchange.node import Node

_TEXTS: Final = ("question", "video", "area", "reasoning", "group", "part", "key", "purpose")
_KNOWN: Final = frozenset(("kind", "videos", "options", "right", "texts", "tags", *_TEXTS))


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item of a file. ``where`` is its path, ``right`` the answers by field, as they stand."""

    where: str
    key: str
    kind: str
    text: str
    videos: tuple[str, ...]
    options: tuple[str, ...]
    right: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str]
    purpose: Purpose | None
    area: str
    reasoning: str
    tags: tuple[str, ...]
    group: str
    part: str


def read_items(path: Path) -> tuple[FoundItem, ...]:
    """Return the items of a file in their order; ExchangeError with the path of the first fault."""
    found: list[FoundItem] = []
    seen: dict[str, str] = {}
    for node in read_value(path).items():
        item = _item(node)
        if item.key in seen:
            raise node.fail(f"It is the same as {seen[item.key]}.")
        seen[item.key] = item.where
        found.append(item)
    return tuple(found)


def _item(node: Node) -> FoundItem:
    members = node.object()
    unknown = sorted(members.keys() - _KNOWN)
    if unknown:
        raise node.fail(f"Nothing is known of the key “{unknown[0]}”.")
    words = {name: node.key(name).text().strip() for name in _TEXTS if name in members}
    videos = _texts(node, "videos") or tuple(filter(None, [words.get("video", "")]))
    digest = hashlib.sha256(b"".join(encode_value(node.value))).hexdigest()
    return FoundItem(
        node.path,
        words.get("key") or digest[:16],
        node.key("kind").text(),
        words.get("question", ""),
        videos,
        _texts(node, "options"),
        {field: _answers(node.key("right").key(field)) for field in _keys(node, "right")},
        {name: node.key("texts").key(name).text() for name in _keys(node, "texts")},
        _purpose(node, words.get("purpose", "")),
        words.get("area", ""),
        words.get("reasoning", ""),
        _texts(node, "tags"),
        words.get("group", ""),
        words.get("part", ""),
    )


def _keys(node: Node, name: str) -> list[str]:
    return list(node.key(name).object()) if node.has(name) else []


def _texts(node: Node, name: str) -> tuple[str, ...]:
    return tuple(each.text() for each in node.key(name).items()) if node.has(name) else ()


def _answers(node: Node) -> tuple[str, ...]:
    """Return one answer or several; yes and no may be said as true and false."""
    nodes = node.items() if isinstance(node.value, list) else [node]
    words = {True: "yes", False: "no"}
    return tuple(words[n.value] if isinstance(n.value, bool) else n.text() for n in nodes)


def _purpose(node: Node, word: str) -> Purpose | None:
    if not word:
        return None
    known = [purpose for purpose in Purpose if purpose is not Purpose.STUDY]
    if word not in known:
        raise node.key("purpose").fail(f"“{word}” is none of {', '.join(known)}.")
    return Purpose(word)
