"""Reads items from files: tests, checks, training units, gold and open questions.

    [{"kind": "reassign", "purpose": "attention", "question": "Please select object 2 here.",
      "right": {"answer": "object-2"}},
     {"kind": "writing-test", "videos": ["kettle", "cup"], "right": {"answer": "object-1"},
      "boxes": [{"frame": 150, "box": [12, 40, 310.5, 360]}, null]},
     {"kind": "grounded-questions", "video": "cups", "question": "…?", "tracks": ["red cup", 2]}]

``kind`` is that of the tasks that ask it. ``videos`` are names without ending, or one in ``video``;
a check has none. ``options`` are texts. ``right`` has an answer, or several, by the key of the
field: an option by its key or its text. ``texts`` are further texts by name, with which fields
begin. ``boxes`` mark the object, one in each video or null: x1, y1, x2, y2 in pixels of the
picture as it is shown, on a frame counted from 0. ``tracks`` are objects of finished work that are
drawn in or picked, by name or by the number they have in an export. ``purpose`` is left out where
the recipe says it; ``key`` where the content is enough to know the item again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.answer import FrameBox
from annotator.domain.geometry import Box
from annotator.domain.questions.items.item import Purpose
from annotator.exchange.json_value import encode_value, read_value
from annotator.exchange.node import Node

_TEXTS: Final = ("question", "video", "area", "reasoning", "group", "part", "key", "purpose")
_KNOWN: Final = frozenset(
    ("kind", "videos", "options", "right", "texts", "tags", "boxes", "tracks", *_TEXTS)
)


@dataclass(frozen=True, slots=True)
class ItemEntry:
    """An item of a file. ``where`` is its path, ``right`` the answers by field, as they stand.

    ``tracks`` are names and numbers of objects, ``boxes`` one for each video or none at all.
    """

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
    boxes: tuple[FrameBox | None, ...] = ()
    tracks: tuple[str | int, ...] = ()


def read_items(path: Path) -> tuple[ItemEntry, ...]:
    """Return the items of a file in their order; ExchangeError with the path of the first fault."""
    found: list[ItemEntry] = []
    seen: dict[str, str] = {}
    for node in read_value(path).items():
        item = _item(node)
        if item.key in seen:
            raise node.fail(f"Duplicate of {seen[item.key]}.")
        seen[item.key] = item.where
        found.append(item)
    return tuple(found)


def _item(node: Node) -> ItemEntry:
    members = node.object()
    unknown = sorted(members.keys() - _KNOWN)
    if unknown:
        raise node.fail(f"Unknown key “{unknown[0]}”.")
    words = {name: node.key(name).text().strip() for name in _TEXTS if name in members}
    videos = _texts(node, "videos") or tuple(filter(None, [words.get("video", "")]))
    digest = hashlib.sha256(b"".join(encode_value(node.value))).hexdigest()
    return ItemEntry(
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
        tuple(map(_box, node.key("boxes").items())) if node.has("boxes") else (),
        tuple(map(_track, node.key("tracks").items())) if node.has("tracks") else (),
    )


def _box(node: Node) -> FrameBox | None:
    if node.value is None:
        return None
    unknown = sorted(node.object().keys() - {"frame", "box"})
    if unknown:
        raise node.fail(f"Unknown key “{unknown[0]}”.")
    frame = node.key("frame").whole()
    sides = node.key("box").counted(4).numbers()
    x1, y1, x2, y2 = map(float, sides)
    if frame < 0:
        raise node.key("frame").fail("Must be an integer ≥ 0.")
    if not (x1 < x2 and y1 < y2):
        raise node.key("box").fail("Must be [x1, y1, x2, y2] with x1 < x2 and y1 < y2.")
    return FrameBox(frame, Box(x1, y1, x2, y2))


def _track(node: Node) -> str | int:
    if isinstance(node.value, str):
        return node.text()
    return node.whole()


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
        raise node.key("purpose").fail(f"Unknown value “{word}”. Use one of: {', '.join(known)}.")
    return Purpose(word)
