"""Statements that must all be ticked, else an item is discarded: what several people say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotator.domain.answer_value import Picked, Value
from annotator.domain.forms.field import Field


def lacking(field: Field, value: Value | None) -> tuple[str, ...]:
    """Return the statements of a field that are needed and not ticked, by key."""
    ticked = value.keys if isinstance(value, Picked) else ()
    return tuple(key for key in field.needed if key not in ticked)


def keeps(field: Field, value: Value | None) -> bool:
    """Tell whether somebody would keep the item."""
    return not lacking(field, value)


def joined(field: Field, values: Sequence[Value], *, is_kept: bool) -> Picked:
    """Return what those say together who are on the side that won.

    That is what more than half of them ticked. Where they discard, each for another reason, it is
    what all of them ticked: every reason counts.
    """
    side = [v for v in values if isinstance(v, Picked) and keeps(field, v) is is_kept]
    counts = Counter(key for value in side for key in value.keys)
    order = [option.key for option in field.options]
    most = Picked(tuple(key for key in order if 2 * counts[key] > len(side)))
    if keeps(field, most) is is_kept:
        return most
    return Picked(tuple(key for key in order if counts[key] == len(side)))
