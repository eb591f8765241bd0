"""The part of an item that a person may see before they answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from annotator.domain.forms.field import Form
from annotator.domain.forms.frames import ITEM, TEXT
from annotator.domain.questions.items.item import Item, Purpose


def blinded(item: Item, form: Form | None) -> Item:
    """Return an item without what gives it away: what it is for, its right answers, its origin,
    and how it is counted.

    Of its texts only those stay that a field of the form begins with, or finds its frame by.
    """
    fields = form.fields if form is not None else ()
    shown = {each.prefill for each in fields if each.prefill}
    shown |= {TEXT for each in fields if each.frame == ITEM}
    return replace(
        item,
        right={},
        texts={name: text for name, text in item.texts.items() if name in shown},
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
