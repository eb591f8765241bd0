"""Typed attributes of tracks and segments: definitions, and values by frame.

A value is kept under its key in ``attributes`` of a track, point track or segment: plain for an
attribute of all of it; for one that may change within a track, an object of values by frame, each
of which holds until the next.

Their definitions are read from recipes and label sets (TOML).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import EditError
from annotator.domain.toml import TomlTable, fault, word_of

if TYPE_CHECKING:
    from annotator.domain.json_type import Json

MAX_TEXT: Final = 500
ATTRIBUTES_KEY: Final = "attributes"
"""Where ``extra`` of points and segments keeps their attributes."""

_TRUE: Final = ("true", "1", "yes")
_FALSE: Final = ("false", "0", "no")


class AppliesTo(StrEnum):
    """Type of annotation that has an attribute."""

    OBJECT = "object"
    POINT = "point"
    ACTION = "action"
    SOUND = "sound"


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
    the value may change within the track; segments have no such attributes.
    ``default`` is the value where none was set, None for none. ``applies_to`` are the types of
    annotations that have it, and ``labels`` their labels, () for all. ``shortcut`` is the key that
    ticks a checkbox, goes to the next option, or leads to the field.
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
    applies_to: tuple[AppliesTo, ...] = (AppliesTo.OBJECT,)
    shortcut: str = ""

    def fits(self, label: str, kind: AppliesTo = AppliesTo.OBJECT) -> bool:
        """Return whether annotations of a type and label have the attribute."""
        return kind in self.applies_to and (not self.labels or label in self.labels)

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


OCCLUDER: Final = Attribute("is_occluder", "Occluder", AttributeKind.CHECKBOX, default=False)
"""The attribute that every object has: Perception Test files contain it."""


def defined(*definitions: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Return all definitions, with that of occluders unless they have their own."""
    found = tuple(each for some in definitions for each in some)
    is_own = any(each.key == OCCLUDER.key for each in found)
    return found if is_own else (OCCLUDER, *found)


def value_at(
    attributes: Mapping[str, Json], attribute: Attribute, frame: int
) -> bool | float | str | None:
    """Return the value of an attribute on a frame: the last set value, else the default."""
    found = raw_at(attributes.get(attribute.key), frame)
    value = attribute.read(found) if found is not None else None
    return attribute.default if value is None else value


def raw_at(kept: Json, frame: int) -> Json:
    """Return the stored value for a frame: a plain value, or the last one set up to it."""
    if not isinstance(kept, dict):
        return kept
    known = sorted(int(key) for key in kept if key.isdecimal() and int(key) <= frame)
    return kept[str(known[-1])] if known else None


def values_text(
    attributes: Iterable[Attribute], label: str, values: Mapping[str, Json], frame: int
) -> str:
    """Return the attribute values of a label on a frame as text: "red, wet"; "" for none.

    A checkbox is written as its name when it is set, and left out when it is not.
    """
    words = []
    for each in attributes:
        told = raw_at(values.get(each.key), frame) if each.fits(label) else None
        value = each.read(told) if told is not None else None
        if value is True:
            words.append(each.title)
        elif value is not None and value is not False:
            words.append(f"{value:g}" if isinstance(value, float) else str(value))
    return ", ".join(words)


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
    own_value = attributes.get(attribute.key)
    changes = dict(changes_of(own_value))
    if own_value is not None and not isinstance(own_value, dict):
        changes[0] = own_value
    changes[frame] = read
    by_frame: dict[str, Json] = {}
    last: Json = attribute.default
    for at in sorted(changes):
        if changes[at] != last or at == frame == min(changes):
            by_frame[str(at)] = changes[at]
        last = changes[at]
    return {**attributes, attribute.key: by_frame}


def with_attributes(extra: Mapping[str, Json], attributes: Mapping[str, Json]) -> dict[str, Json]:
    """Return ``extra`` of a point or segment with its attributes, without the key if empty."""
    rest = {key: value for key, value in extra.items() if key != ATTRIBUTES_KEY}
    return {**rest, ATTRIBUTES_KEY: dict(attributes)} if attributes else rest


def attributes_in(extra: Mapping[str, Json]) -> dict[str, Json]:
    """Return the attributes that ``extra`` of a point or segment holds."""
    found = extra.get(ATTRIBUTES_KEY)
    return found if isinstance(found, dict) else {}


def problems_of(
    label: str, kind: AppliesTo, values_by_key: Mapping[str, Json], attributes: Sequence[Attribute]
) -> Iterator[tuple[str, str]]:
    """Yield code and sentence for each attribute that is missing or has a wrong value."""
    for attribute in attributes:
        if not attribute.fits(label, kind):
            continue
        own_value = values_by_key.get(attribute.key)
        all_values = (
            [value for _, value in changes_of(own_value)]
            if isinstance(own_value, dict)
            else [own_value]
        )
        values = [value for value in all_values if value is not None]
        if not values and attribute.is_required and attribute.default is None:
            yield "attribute-missing", f"The attribute “{attribute.title}” is not set."
        for value in values:
            if attribute.read(value) is None:
                text = f"“{value}” is not a value of the attribute “{attribute.title}”."
                yield "attribute-value", text
                break


MAX_KEY: Final = 60
MAX_SHORTCUT: Final = 40
MAX_NUMBER: Final = 1e9
MAX_ATTRIBUTES: Final = 100


def attribute_from(
    table: TomlTable, usual: tuple[AppliesTo, ...] = (AppliesTo.OBJECT,)
) -> Attribute:
    """Return the definition in a table; RecipeError names the faulty key.

    ``usual`` is the default for what it applies to.
    """
    kinds = tuple(
        word_of(AppliesTo, word, table.at("applies_to")) for word in table.texts("applies_to")
    )
    attribute = Attribute(
        table.text("key", limit=MAX_KEY),
        table.text("title", table.text("key", limit=MAX_KEY)),
        table.word("type", AttributeKind),
        table.texts("options"),
        table.bound("low", MAX_NUMBER),
        table.bound("high", MAX_NUMBER),
        None,
        table.truth("mutable"),
        table.truth("required"),
        table.texts("labels"),
        table.text("help", ""),
        kinds or usual,
        table.text("shortcut", "", limit=MAX_SHORTCUT),
    )
    if attribute.is_mutable and not set(attribute.applies_to) <= {
        AppliesTo.OBJECT,
        AppliesTo.POINT,
    }:
        text = "Attributes of actions and sounds have one value for the whole segment."
        raise fault(table.at("mutable"), text)
    if (attribute.kind is AttributeKind.CHOICE) != bool(attribute.options):
        raise fault(table.at("options"), "A choice, and nothing else, needs options.")
    if table.has("default"):
        default = attribute.read(table.plain("default"))
        if default is None:
            raise fault(table.at("default"), "Not a value of this attribute.")
        attribute = replace(attribute, default=default)
    table.done()
    return attribute


def attribute_lines(attribute: Attribute, usual: tuple[AppliesTo, ...]) -> Iterator[str]:
    """Yield the lines of a definition; `attribute_from` gives the same back."""
    yield f"key = {_quoted(attribute.key)}"
    if attribute.title != attribute.key:
        yield f"title = {_quoted(attribute.title)}"
    yield f"type = {_quoted(attribute.kind.value)}"
    if attribute.applies_to != usual:
        yield f"applies_to = {_listed([kind.value for kind in attribute.applies_to])}"
    if attribute.options:
        yield f"options = {_listed(attribute.options)}"
    for key, number in (("low", attribute.low), ("high", attribute.high)):
        if number is not None:
            yield f"{key} = {number!r}"
    if attribute.default is not None:
        default = attribute.default
        if isinstance(default, bool):
            yield f"default = {str(default).lower()}"
        else:
            yield f"default = {_quoted(default) if isinstance(default, str) else repr(default)}"
    for key, is_on in (("mutable", attribute.is_mutable), ("required", attribute.is_required)):
        if is_on:
            yield f"{key} = true"
    if attribute.labels:
        yield f"labels = {_listed(attribute.labels)}"
    if attribute.help:
        yield f"help = {_quoted(attribute.help)}"
    if attribute.shortcut:
        yield f"shortcut = {_quoted(attribute.shortcut)}"


def _listed(texts: object) -> str:
    assert isinstance(texts, list | tuple)
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    # JSON escapes are valid in TOML, except for one character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
