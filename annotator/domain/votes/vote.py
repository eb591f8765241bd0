"""A vote: what one person said of one item."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

Value: TypeAlias = str | bool | int | float | tuple[str, ...]
"""An answer: one option or a text, yes or no, a number, or the set of options that were ticked."""


class Vote(NamedTuple):
    """One person's answer to one item. Where order matters, votes come as they were handed in."""

    item_id: str
    person_id: str
    value: Value


def kind_of(value: Value) -> str:
    """Return "set", "yes-no", "number" or "text"."""
    if isinstance(value, tuple):
        return "set"
    if isinstance(value, bool):
        return "yes-no"
    return "number" if isinstance(value, int | float) else "text"


def is_sound(value: Value) -> bool:
    """Return whether a value can be counted: NaN and infinities cannot."""
    return not isinstance(value, float) or math.isfinite(value)


def in_order(values: Iterable[Value], options: Sequence[Value] | None = None) -> list[Value]:
    """Return values once each: in the order of the options, else by kind and then ascending."""
    found = set(values)
    if options is not None:
        place = {value: i for i, value in enumerate(options)}
        return sorted(found, key=place.__getitem__)
    return sorted(found, key=lambda value: (kind_of(value), value))


def as_set(ticked: Iterable[str]) -> tuple[str, ...]:
    """Return a set of ticked options in the one form in which it is counted."""
    return tuple(sorted(set(ticked)))
