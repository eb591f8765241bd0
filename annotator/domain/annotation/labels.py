"""Label sets: the vocabulary of actions and sounds, and its TOML files.

The text of a label is exported verbatim (a blank at its start included). An action's template may
name roles: ``putting {1:something} into {2:something}``.

    lane = "action"                # or "sound"
    name = "Kitchen actions"

    [[label]]
    id = 3                         # the number that exported files use; never reused
    text = "Pouring something into something"         # the text, verbatim
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
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from annotator.domain.annotation.attributes import (
    MAX_ATTRIBUTES,
    AppliesTo,
    Attribute,
    attribute_from,
    attribute_lines,
)
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import EditError, ExchangeError, RecipeError
from annotator.domain.toml import TomlTable

MAX_TEXT_LENGTH: Final = 500
_ROLE: Final = re.compile(r"\{(\d+):([^{}]*)\}")


class Slot(NamedTuple):
    """A role in an action's sentence: its place (1-based) and its placeholder word."""

    number: int
    word: str


class SentencePart(NamedTuple):
    """A piece of a sentence: plain text, or the role ``slot`` (0-based) when that is not None."""

    text: str
    slot: int | None


@dataclass(frozen=True, slots=True)
class Label:
    """One entry of a vocabulary.

    ``id`` is the permanent number in files; ``text`` is exported verbatim. ``template`` contains
    the roles if the text does not; ``key`` is one digit.
    """

    id: int
    text: str
    template: str = ""
    color: int | None = None
    key: str = ""
    help: str = ""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The roles, in template order."""
        return tuple(Slot(int(n), word) for n, word in _ROLE.findall(self.template))

    @property
    def sentence(self) -> tuple[SentencePart, ...]:
        """The template cut into text and roles; the plain text when there is no template."""
        if not self.template:
            return (SentencePart(self.text, None),)
        parts, at = [], 0
        for match in _ROLE.finditer(self.template):
            if match.start() > at:
                parts.append(SentencePart(self.template[at : match.start()], None))
            parts.append(SentencePart(match.group(2), int(match.group(1)) - 1))
            at = match.end()
        if at < len(self.template):
            parts.append(SentencePart(self.template[at:], None))
        return tuple(parts)


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of one lane, and the attributes of its segments."""

    lane: Lane
    name: str
    labels: tuple[Label, ...] = field(default=())
    attributes: tuple[Attribute, ...] = ()

    def find(self, label_id: int | None) -> Label | None:
        return next((label for label in self.labels if label.id == label_id), None)

    def find_text(self, text: str) -> Label | None:
        """Return the label with exactly this text."""
        return next((label for label in self.labels if label.text == text), None)

    def with_label(self, label: Label) -> LabelSet:
        """Return the set with a label added, or replaced where its number is known."""
        if self.find(label.id) is None:
            return checked_set(replace(self, labels=(*self.labels, label)))
        kept = tuple(label if old.id == label.id else old for old in self.labels)
        return checked_set(replace(self, labels=kept))

    def without(self, label_id: int, uses: Iterable[str] = ()) -> LabelSet:
        """Return the set without a label; EditError, listing the uses, while there are any."""
        places = list(uses)
        if places:
            shown = ", ".join(places[:5]) + (" …" if len(places) > 5 else "")
            text = next((x.text for x in self.labels if x.id == label_id), str(label_id))
            times = "once" if len(places) == 1 else f"{len(places)} times"
            raise EditError(f"Cannot remove “{text}”: it is used {times}: {shown}.")
        return replace(self, labels=tuple(x for x in self.labels if x.id != label_id))


def checked_set(labels: LabelSet) -> LabelSet:
    """Return the set; EditError that names the label where an entry is not possible."""
    ids: dict[int, Label] = {}
    texts: dict[str, Label] = {}
    keys: dict[str, Label] = {}
    for label in labels.labels:
        where = f"{labels.name}, label {label.id}"
        if label.id in ids:
            raise EditError(f"Duplicate label ID {label.id} in {labels.name}.")
        if not label.text.strip() or len(label.text) > MAX_TEXT_LENGTH:
            raise EditError(f"{where}: the text must have 1 to {MAX_TEXT_LENGTH} characters.")
        if any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in label.text):
            raise EditError(f"{where}: the text must be one line of printable characters.")
        if label.text in texts:
            raise EditError(
                f"{where}: “{label.text}” is already the text of label {texts[label.text].id}."
            )
        if label.key and label.key not in "1234567890":
            raise EditError(f"{where}: the shortcut must be one digit, not “{label.key}”.")
        if label.key and label.key in keys:
            raise EditError(
                f"{where}: the shortcut {label.key} is already used by “{keys[label.key].text}”."
            )
        _check_template(label, where)
        ids[label.id] = texts[label.text] = label
        if label.key:
            keys[label.key] = label
    return labels


def _check_template(label: Label, where: str) -> None:
    if len(label.template) > MAX_TEXT_LENGTH:
        raise EditError(f"{where}: the template has more than {MAX_TEXT_LENGTH} characters.")
    numbers = [slot.number for slot in label.slots]
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        raise EditError(f"{where}: number the roles of the template 1, 2, 3 and so on, each once.")
    rest = _ROLE.sub("", label.template)
    if "{" in rest or "}" in rest:
        raise EditError(f"{where}: write a role as {{1:something}}.")


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
    """Return the label set in a file; ExchangeError names row and reason.

    ``where`` is what errors call the file. Rows are counted from 1.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExchangeError(f"Invalid TOML: {error}.", where=where) from None
    _check_keys(table, _SET_KEYS, where)
    lane = table.get("lane")
    if lane not in tuple(Lane):
        lanes = " or ".join(f'"{lane.value}"' for lane in Lane)
        raise ExchangeError(f"“lane” must be {lanes}.", where=where)
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
    attributes: dict[str, Attribute] = {}
    for i, row in enumerate(rows, 1):
        place = f"{where}, attribute row {i}"
        try:
            attribute = attribute_from(TomlTable(row, "attribute"), (AppliesTo(lane.value),))
        except RecipeError as error:
            raise ExchangeError(error.text, where=f"{place}, {error.where}") from None
        if attribute.applies_to != (AppliesTo(lane.value),):
            text = f"The attributes of this label set apply to {lane.value}s."
            raise ExchangeError(text, where=place)
        if attribute.key in attributes:
            raise ExchangeError(f"The key “{attribute.key}” is used twice.", where=place)
        attributes[attribute.key] = attribute
    return tuple(attributes.values())


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
    # JSON escapes are valid in TOML, except for one character.
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
