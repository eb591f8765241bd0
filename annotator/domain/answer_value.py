"""Answers: typed values, each to one field of one item, by whoever the draft belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from annotator.domain.geometry import Box
from annotator.domain.ids import ItemId


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
    """Options picked, by key, in the order of the form; ``other`` is what was typed instead."""

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
