"""Parts of an item, and predicted answers, that a person may see before they answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from annotator.domain.answer import Picked, Value
from annotator.domain.forms.field import Field, FieldKind, Form, Option
from annotator.domain.forms.frames import ITEM, TEXT
from annotator.domain.questions.items.item import Item, Purpose


def blinded(item: Item, form: Form | None) -> Item:
    """Return an item without revealing fields: its purpose, its right answers, its origin,
    and how it is counted.

    Of its texts only those stay that a field of the form begins with, or finds its frame by.
    """
    fields = form.fields if form is not None else ()
    visible_texts = {field.prefill for field in fields if field.prefill}
    visible_texts |= {TEXT for field in fields if field.frame == ITEM}
    return replace(
        item,
        right={},
        texts={name: text for name, text in item.texts.items() if name in visible_texts},
        area="",
        reasoning="",
        tags=(),
        group="",
        part="",
        purpose=Purpose.WORK,
        why_discarded="",
        source={},
        extra={},
    )


def as_sent(items: Sequence[Item], form: Form | None) -> list[Item]:
    """Return the items of a task as they leave for another machine: blinded, but training units
    with their right answers, which are shown there once one's own are given.

    Where attention checks would stand out among them, because nothing else is asked besides,
    training units go without.
    """
    purposes = {item.purpose for item in items}
    is_told = purposes != {Purpose.TRAINING, Purpose.ATTENTION}
    return [_with_right(item, form) if is_told else blinded(item, form) for item in items]


def _with_right(item: Item, form: Form | None) -> Item:
    found = blinded(item, form)
    if item.purpose is not Purpose.TRAINING:
        return found
    return replace(found, right=item.right, purpose=Purpose.TRAINING)


PREDICTED_KINDS: Final = (FieldKind.CHOICE, FieldKind.TRUTH, FieldKind.TEXT)
"""Fields for which a model may predict the answer."""
_LETTER: Final = re.compile(r"\W*([A-Za-z])(?:\W|$)")
_WORDS: Final = {"yes": True, "true": True, "no": False, "false": False}


class PredictedAnswer(NamedTuple):
    """Answer of a model to an item; ``confidence`` is 0 to 1, None if unknown."""

    model: str
    text: str
    confidence: float | None = None


def predicted_field(form: Form) -> Field | None:
    """Return the field that predictions answer: the first of a kind that they can answer."""
    return next((each for each in form.fields if each.kind in PREDICTED_KINDS), None)


def predicted_value(field: Field, options: Sequence[Option], text: str) -> Value | None:
    """Return the answer in a text; None if it is no answer to the field.

    An option by its key, its text, or its letter (A is the first of ``options``).
    """
    plain_text = _plain(text)
    if not plain_text:
        return None
    if field.kind is FieldKind.TEXT:
        return text.strip() if len(text.strip()) <= (field.maximum or len(text)) else None
    if field.kind is FieldKind.TRUTH:
        return _WORDS.get(plain_text)
    for option in options:
        if plain_text in (_plain(option.key), _plain(option.text)):
            return Picked((option.key,))
    letter = _LETTER.match(text.strip())
    place = ord(letter[1].upper()) - ord("A") if letter else len(options)
    return Picked((options[place].key,)) if place < len(options) else None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .")
