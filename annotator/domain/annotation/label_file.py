"""Label sets as files: TOML that people can read, change and hand on.

    lane = "action"                # or "sound"
    name = "Kitchen actions"

    [[label]]
    id = 3                         # the number that exported files use; never reused
    text = "Pouring something into something"         # what they say, verbatim
    template = "Pouring {1:something} into {2:something}"  # the roles, if it has any
    color = 4                      # counts into the palette; chosen by id when left out
    key = "1"                      # one digit
    help = "From the first drop to the last."

    [[attribute]]                  # a field of each segment; see the guide page "Attributes"
    key = "hand"
    type = "choice"
    options = ["left", "right"]

Only ``id`` and ``text`` must be there. An entry that is not understood is refused, not ignored.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Final

from annotator.domain.annotation.attributes import (
    MAX_ATTRIBUTES,
    AppliesTo,
    Attribute,
    attribute_from,
    attribute_lines,
)
from annotator.domain.annotation.labels import MAX_TEXT_LENGTH, Label, LabelSet, checked_set
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import EditError, ExchangeError, RecipeError
from annotator.domain.toml_table import TomlTable

MAX_LABELS: Final = 5000
MAX_NUMBER: Final = 2**31 - 1

_SET_KEYS: Final = {"lane", "name", "label", "attribute"}
_LABEL_KEYS: Final = {
    "id": int,
    "text": str,
    "template": str,
    "color": int,
    "key": str,
    "help": str,
}


def parse_label_set(text: str, *, where: str) -> LabelSet:
    """Return the set that a file holds; ExchangeError that names the row and the reason.

    ``where`` is what errors call the file. Rows are counted from 1.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExchangeError(f"Invalid TOML: {error}.", where=where) from None
    _check_keys(table, _SET_KEYS, where)
    lane = table.get("lane")
    if lane not in tuple(Lane):
        known = " or ".join(f'"{lane.value}"' for lane in Lane)
        raise ExchangeError(f"“lane” must be {known}.", where=where)
    name = table.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_TEXT_LENGTH:
        raise ExchangeError(f"“name” must have 1 to {MAX_TEXT_LENGTH} characters.", where=where)
    rows = table.get("label", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ExchangeError("Labels must be [[label]] tables.", where=where)
    if len(rows) > MAX_LABELS:
        raise ExchangeError(f"Too many labels. The limit is {MAX_LABELS}.", where=where)
    labels = [_label(row, f"{where}, label row {i}") for i, row in enumerate(rows, 1)]
    attributes = _attributes(table.get("attribute", []), Lane(lane), where)
    return _checked(LabelSet(Lane(lane), name, tuple(labels), attributes), where)


def _attributes(rows: object, lane: Lane, where: str) -> tuple[Attribute, ...]:
    """Return the attributes of a lane's segments; ExchangeError names the row."""
    if not isinstance(rows, list) or len(rows) > MAX_ATTRIBUTES:
        raise ExchangeError("Attributes must be [[attribute]] tables.", where=where)
    found: dict[str, Attribute] = {}
    for i, row in enumerate(rows, 1):
        place = f"{where}, attribute row {i}"
        try:
            made = attribute_from(TomlTable(row, "attribute"), (AppliesTo(lane.value),))
        except RecipeError as error:
            raise ExchangeError(error.text, where=f"{place}, {error.where}") from None
        if made.applies_to != (AppliesTo(lane.value),):
            text = f"The attributes of this label set apply to {lane.value}s."
            raise ExchangeError(text, where=place)
        if made.key in found:
            raise ExchangeError(f"The key “{made.key}” is used twice.", where=place)
        found[made.key] = made
    return tuple(found.values())


def label_set_text(labels: LabelSet) -> str:
    """Return a set as the text of a file; `parse_label_set` gives the same set back."""
    lines = [f"lane = {quoted(labels.lane)}", f"name = {quoted(labels.name)}"]
    for label in labels.labels:
        lines += ["", "[[label]]", f"id = {label.id}", f"text = {quoted(label.text)}"]
        if label.template:
            lines.append(f"template = {quoted(label.template)}")
        if label.color is not None:
            lines.append(f"color = {label.color}")
        if label.key:
            lines.append(f"key = {quoted(label.key)}")
        if label.help:
            lines.append(f"help = {quoted(label.help)}")
    for attribute in labels.attributes:
        usual = (AppliesTo(labels.lane.value),)
        lines += ["", "[[attribute]]", *attribute_lines(attribute, usual)]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Return text as a basic string of TOML."""
    # JSON's escapes are TOML's, but for one character that TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _label(row: Mapping[str, object], where: str) -> Label:
    _check_keys(row, _LABEL_KEYS, where)
    for key in ("id", "text"):
        if key not in row:
            raise ExchangeError(f"The key “{key}” is missing.", where=where)
    for key, value in row.items():
        kind = _LABEL_KEYS[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            wanted = "an integer" if kind is int else "text"
            raise ExchangeError(f"“{key}” must be {wanted}.", where=where)
        if isinstance(value, int) and not 0 <= value <= MAX_NUMBER:
            raise ExchangeError(f"“{key}” must be from 0 to {MAX_NUMBER}.", where=where)
        if isinstance(value, str) and len(value) > MAX_TEXT_LENGTH:
            text = f"“{key}” has {len(value)} characters. The limit is {MAX_TEXT_LENGTH}."
            raise ExchangeError(text, where=where)
    return Label(**row)  # type: ignore[arg-type]


def _check_keys(
    table: Mapping[str, object], known: Mapping[str, object] | set[str], where: str
) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        text = f"Unknown key “{unknown[0][:80]}”. Allowed keys: {', '.join(sorted(known))}."
        raise ExchangeError(text, where=where)


def _checked(labels: LabelSet, where: str) -> LabelSet:
    """Return the set; ExchangeError that names the first row that is not possible."""
    try:
        return checked_set(labels)
    except EditError as error:
        low, high = 1, len(labels.labels)  # the rows up to ``high`` are not possible together
        while low < high:
            middle = (low + high) // 2
            try:
                checked_set(LabelSet(labels.lane, labels.name, labels.labels[:middle]))
            except EditError:
                high = middle
            else:
                low = middle + 1
        raise ExchangeError(error.text, where=f"{where}, label row {low}") from None
