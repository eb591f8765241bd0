"""What of an item somebody may see before they have answered it."""

from __future__ import annotations

from dataclasses import replace

from annotator.domain.forms.field import Form
from annotator.domain.forms.frames import ITEM, TEXT
from annotator.domain.questions.item import Item, Purpose


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
