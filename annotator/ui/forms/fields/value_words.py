"""Answers in words: as they are read by somebody who did not give them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from annotator.domain.answers import Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.forms.checking import options_of
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.questions.items.item import Item


def value_text(field: Field, item: Item, value: Value) -> str:
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
            return _tr("yes") if value else _tr("no")
        case Spans():
            return ", ".join(_tr("frames {a} to {b}").format(a=a, b=b - 1) for a, b in value.spans)
        case FrameBox():
            box = value.box
            sides = f"{box.width:.0f} × {box.height:.0f}"
            return _tr("{sides} pixels on frame {n}").format(sides=sides, n=value.frame)
        case tuple() if field.kind is FieldKind.TRACKS:
            return _tr("{n} objects").format(n=len(value))
        case tuple():
            return ", ".join(value)
        case str():
            return value
        case _:
            return f"{value:g}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("value", text)
