"""Answers in words; imported where there are answers, for it takes a while."""

from __future__ import annotations

from annotator.domain.answer import Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.forms.answer_checks import options_of
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.plurals import many
from annotator.domain.questions.items.item import Item


def answer_words(field: Field, item: Item, value: Value) -> str:
    """Return an answer to a field about an item in words; options as they are shown."""
    texts = {option.key: option.text for option in options_of(field, item)}
    match value:
        case Picked():
            words = [texts.get(key, key) for key in value.keys]
            return ", ".join([*words, f"“{value.other}”"] if value.other else words)
        case Flagged():
            reason = texts.get(value.reason, value.reason)
            return f"{reason}: {value.text}" if value.text else reason
        case bool():
            return "yes" if value else "no"
        case Spans():
            return ", ".join(f"frames {a} to {b - 1}" for a, b in value.spans)
        case FrameBox():
            sides = f"{value.box.width:.0f} × {value.box.height:.0f}"
            return f"{sides} pixels on frame {value.frame}"
        case tuple() if field.kind is FieldKind.TRACKS:
            return many(len(value), "object")
        case tuple():
            return ", ".join(value)
        case str():
            return value
        case _:
            return f"{value:g}"
