"""Answers of others and of models as text."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QCoreApplication

from annotator.domain.answers import Picked, Value
from annotator.domain.forms.checking import options_of
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.predicted import PredictedAnswer
from annotator.services.questions.asking.other_answers import Said
from annotator.ui.forms.fields.value_words import value_text


def said_text(field: Field, item: Item, said: Said) -> str:
    """Return what was answered to a field and how often; of ticks, those on which people differ."""
    if not said:
        return ""
    if field.kind is FieldKind.CHOICES and sum(n for _, n in said) > 1:
        return _ticks_text(field, item, said)
    votes = (f"{value_text(field, item, value)} ×{n}" for value, n in said)
    return _tr("Other raters: {answers}").format(answers="; ".join(votes))


def predicted_text(field: Field, item: Item, told: PredictedAnswer, value: Value) -> str:
    """Return what a model answers, with its confidence where known."""
    words = value_text(field, item, value)
    if told.confidence is None:
        return _tr("Predicted by {model}: {answer}").format(model=told.model, answer=words)
    text = _tr("Predicted by {model} ({percent} %): {answer}")
    return text.format(model=told.model, percent=round(100 * told.confidence), answer=words)


def _ticks_text(field: Field, item: Item, said: Said) -> str:
    people = sum(n for _, n in said)
    if len(said) == 1:
        return _tr("Other raters: all {n} selected the same options").format(n=people)
    ticks: Counter[str] = Counter()
    for value, n in said:
        if isinstance(value, Picked):
            for key in (*value.keys, *([f"“{value.other}”"] if value.other else ())):
                ticks[key] += n
    texts = {option.key: option.text for option in options_of(field, item)}
    torn = (f"{texts.get(key, key)} ×{n}" for key, n in ticks.items() if n < people)
    words = _tr("Other raters (of {n}): {answers}")
    return words.format(n=people, answers="; ".join(torn))


def _tr(text: str) -> str:
    return QCoreApplication.translate("said", text)
