"""Texts for answers: values, and the answers of other people and of models."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QCoreApplication

from annotator.domain.answer import Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.forms.answer_checks import options_of
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.visibility import PredictedAnswer
from annotator.services.questions.asking.other_answers import OtherAnswers
from annotator.ui.look.texts import counted


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
            return counted(len(value), _tr("1 object"), _tr("{n} objects"))
        case tuple():
            return ", ".join(value)
        case str():
            return value
        case _:
            return f"{value:g}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("value", text)


def others_text(field: Field, item: Item, said: OtherAnswers) -> str:
    """Return the answers to a field with their counts; of ticks, those on which people differ."""
    if not said:
        return ""
    if field.kind is FieldKind.CHOICES and sum(n for _, n in said) > 1:
        return _ticks_text(field, item, said)
    votes = (f"{value_text(field, item, value)} ×{n}" for value, n in said)
    return _tr_said("Other raters: {answers}").format(answers="; ".join(votes))


def predicted_text(field: Field, item: Item, told: PredictedAnswer, value: Value) -> str:
    """Return the answer of a model, with its confidence if known."""
    words = value_text(field, item, value)
    if told.confidence is None:
        return _tr_said("Predicted by {model}: {answer}").format(model=told.model, answer=words)
    text = _tr_said("Predicted by {model} ({percent}%): {answer}")
    return text.format(model=told.model, percent=round(100 * told.confidence), answer=words)


def _ticks_text(field: Field, item: Item, said: OtherAnswers) -> str:
    people = sum(n for _, n in said)
    if len(said) == 1:
        return _tr_said("Other raters: all {n} selected the same options").format(n=people)
    ticks: Counter[str] = Counter()
    for value, n in said:
        if isinstance(value, Picked):
            for key in (*value.keys, *([f"“{value.other}”"] if value.other else ())):
                ticks[key] += n
    texts = {option.key: option.text for option in options_of(field, item)}
    torn = (f"{texts.get(key, key)} ×{n}" for key, n in ticks.items() if n < people)
    words = _tr_said("Other raters (of {n}): {answers}")
    return words.format(n=people, answers="; ".join(torn))


def _tr_said(text: str) -> str:
    return QCoreApplication.translate("said", text)
