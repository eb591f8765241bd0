"""Answers that a model predicts, offered to raters where the recipe allows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from annotator.domain.answers import Picked, Value
from annotator.domain.forms.field import Field, FieldKind, Form, Option

PREDICTED_KINDS: Final = (FieldKind.CHOICE, FieldKind.TRUTH, FieldKind.TEXT)
"""Fields for which a model may predict the answer."""

_LETTER: Final = re.compile(r"\W*([A-Za-z])(?:\W|$)")
_WORDS: Final = {"yes": True, "true": True, "no": False, "false": False}


class PredictedAnswer(NamedTuple):
    """Answer of a model to an item; ``confidence`` is 0 to 1, None where it is not told."""

    model: str
    text: str
    confidence: float | None = None


def predicted_field(form: Form) -> Field | None:
    """Return the field that predictions answer: the first of a kind that they can answer."""
    return next((each for each in form.fields if each.kind in PREDICTED_KINDS), None)


def predicted_value(field: Field, options: Sequence[Option], text: str) -> Value | None:
    """Return the answer that a text stands for; None where it is no answer to the field.

    An option by its key, its text, or its letter (A is the first of ``options``).
    """
    said = _plain(text)
    if not said:
        return None
    if field.kind is FieldKind.TEXT:
        return text.strip() if len(text.strip()) <= (field.maximum or len(text)) else None
    if field.kind is FieldKind.TRUTH:
        return _WORDS.get(said)
    for option in options:
        if said in (_plain(option.key), _plain(option.text)):
            return Picked((option.key,))
    letter = _LETTER.match(text.strip())
    place = ord(letter[1].upper()) - ord("A") if letter else len(options)
    return Picked((options[place].key,)) if place < len(options) else None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .")
