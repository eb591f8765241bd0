"""Typed attributes of tracks: what they can be, and their value on a frame.

A value is kept in ``TrackInfo.attributes`` under its key: plain for an attribute of the whole
track; for one that may change, an object of values by frame, each of which holds until the next.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import EditError

if TYPE_CHECKING:
    from annotator.domain.annotation.track import Track
    from annotator.domain.json_type import Json

MAX_TEXT: Final = 500
_TRUE: Final = ("true", "1", "yes")
_FALSE: Final = ("false", "0", "no")


class AttributeKind(StrEnum):
    """Type of the values of an attribute."""

    CHECKBOX = "checkbox"
    CHOICE = "choice"
    NUMBER = "number"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Attribute:
    """Definition of an attribute.

    ``options`` are those of a choice, ``low`` and ``high`` the range of a number. ``is_mutable``:
    the value may change within the track. ``labels`` are the object names it is for, () for all.
    ``default`` is the value where none was set, None for none.
    """

    key: str
    title: str
    kind: AttributeKind
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    default: bool | float | str | None = None
    is_mutable: bool = False
    is_required: bool = False
    labels: tuple[str, ...] = ()
    help: str = ""

    def fits(self, label: str) -> bool:
        """Tell whether objects of a name have the attribute."""
        return not self.labels or label in self.labels

    def read(self, value: Json) -> bool | float | str | None:
        """Return a value as this type has it, None where it is none of it."""
        if self.kind is AttributeKind.CHECKBOX:
            if isinstance(value, bool):
                return value
            text = str(value).strip().lower()
            return True if text in _TRUE else False if text in _FALSE else None
        if self.kind is AttributeKind.NUMBER:
            return self._number(value)
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            return None
        found = str(value)
        if self.kind is AttributeKind.CHOICE:
            return found if found in self.options else None
        return found if len(found) <= MAX_TEXT else None

    def _number(self, value: Json) -> float | None:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return None
        try:
            number = float(value)
        except ValueError:
            return None
        is_within = (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )
        return number if math.isfinite(number) and is_within else None


def value_at(
    attributes: Mapping[str, Json], attribute: Attribute, frame: int
) -> bool | float | str | None:
    """Return the value of an attribute on a frame: what was set, else the default."""
    found = raw_at(attributes.get(attribute.key), frame)
    value = attribute.read(found) if found is not None else None
    return attribute.default if value is None else value


def raw_at(kept: Json, frame: int) -> Json:
    """Return what is kept for a frame: the plain value, or the last one set up to there."""
    if not isinstance(kept, dict):
        return kept
    known = sorted(int(key) for key in kept if key.isdecimal() and int(key) <= frame)
    return kept[str(known[-1])] if known else None


def changes_of(kept: Json) -> list[tuple[int, Json]]:
    """Return the frames at which a kept value is set, ascending; nothing for a plain one."""
    if not isinstance(kept, dict):
        return []
    return sorted(
        ((int(key), value) for key, value in kept.items() if key.isdecimal()),
        key=lambda each: each[0],
    )


def with_value(
    attributes: Mapping[str, Json], attribute: Attribute, frame: int, value: Json
) -> dict[str, Json]:
    """Return attributes with a value set, from a frame on where it may change within the track.

    EditError when the value is not possible.
    """
    read = attribute.read(value)
    if read is None:
        raise EditError(f"“{value}” is not a value of “{attribute.title}”.")
    if not attribute.is_mutable:
        return {**attributes, attribute.key: read}
    kept = attributes.get(attribute.key)
    changes = dict(changes_of(kept))
    if kept is not None and not isinstance(kept, dict):
        changes[0] = kept
    changes[frame] = read
    by_frame: dict[str, Json] = {}
    last: Json = attribute.default
    for at in sorted(changes):
        if changes[at] != last or at == frame == min(changes):
            by_frame[str(at)] = changes[at]
        last = changes[at]
    return {**attributes, attribute.key: by_frame}


def problems_of(track: Track, attributes: Sequence[Attribute]) -> Iterator[tuple[str, str]]:
    """Yield code and sentence for each attribute that is missing or has a wrong value."""
    for attribute in attributes:
        if not attribute.fits(track.label):
            continue
        kept = track.info.attributes.get(attribute.key)
        told = [value for _, value in changes_of(kept)] if isinstance(kept, dict) else [kept]
        values = [value for value in told if value is not None]
        if not values and attribute.is_required and attribute.default is None:
            yield "attribute-missing", f"The attribute “{attribute.title}” is not set."
        for value in values:
            if attribute.read(value) is None:
                text = f"“{value}” is not a value of the attribute “{attribute.title}”."
                yield "attribute-value", text
                break
