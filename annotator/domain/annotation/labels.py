"""Label sets: the vocabulary of actions and sounds, as data of the project.

The text of a label is exported verbatim (a blank at its start included). An action's template may
name roles: ``putting {1:something} into {2:something}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from annotator.domain.annotation.attributes import Attribute
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.errors import EditError

MAX_TEXT_LENGTH: Final = 500
_ROLE: Final = re.compile(r"\{(\d+):([^{}]*)\}")


class Slot(NamedTuple):
    """A role in an action's sentence: its place (1-based) and the word that stands for it."""

    number: int
    word: str


class SentencePart(NamedTuple):
    """A piece of a sentence: plain text, or the role ``slot`` (0-based) when that is not None."""

    text: str
    slot: int | None


@dataclass(frozen=True, slots=True)
class Label:
    """One entry of a vocabulary.

    ``id`` is the number that files use and never changes; ``text`` is what they say, verbatim.
    ``template`` shows the roles where the text alone does not; ``key`` is one digit.
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


def harvested(lane: Lane, name: str, segments: Iterable[Segment]) -> LabelSet:
    """Return the labels that segments use with their numbers; EditError when these contradict."""
    found: dict[int, Label] = {}
    for segment in segments:
        if segment.lane is not lane or segment.label_id is None:
            continue
        old = found.setdefault(segment.label_id, Label(segment.label_id, segment.label))
        if old.text != segment.label:
            raise EditError(
                f"Label {segment.label_id} has two texts: “{old.text}” and “{segment.label}”."
            )
    return checked_set(LabelSet(lane, name, tuple(found[i] for i in sorted(found))))


def _check_template(label: Label, where: str) -> None:
    if len(label.template) > MAX_TEXT_LENGTH:
        raise EditError(f"{where}: the template has more than {MAX_TEXT_LENGTH} characters.")
    numbers = [slot.number for slot in label.slots]
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        raise EditError(f"{where}: number the roles of the template 1, 2, 3 and so on, each once.")
    rest = _ROLE.sub("", label.template)
    if "{" in rest or "}" in rest:
        raise EditError(f"{where}: write a role as {{1:something}}.")
