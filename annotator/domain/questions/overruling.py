"""Adjudication keeps to the vote: only an item that was overruled, with a reason, is decided anew.

The reason is an answer of its own to the item, in the field `OVERRULED`, so that it travels and is
kept with the submission of the adjudicator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from annotator.domain.answer_value import Answer, AnswerKey
from annotator.domain.forms.field import Field, FieldKind, Form
from annotator.domain.ids import ItemId

OVERRULED: Final = "overruled"
"""Key of the reason; no field of a recipe may have it."""

MAX_REASON: Final = 500
_REASON: Final = Field(
    OVERRULED,
    "Reason for overruling",
    FieldKind.TEXT,
    is_required=False,
    minimum=1,
    maximum=MAX_REASON,
)


def with_reason(form: Form) -> Form:
    """Return the form of an adjudicator who may overrule votes."""
    return replace(form, fields=(*form.fields, _REASON))


def reason_of(answers: Mapping[AnswerKey, Answer], item_id: ItemId) -> str:
    """Return why the vote on an item was overruled, "" if it was not."""
    answer = answers.get(AnswerKey(item_id, OVERRULED))
    return answer.value.strip() if answer is not None and isinstance(answer.value, str) else ""


def adjudicated(
    voted: Mapping[ItemId, Iterable[Answer]],
    given: Mapping[AnswerKey, Answer],
    *,
    may_overrule: bool,
) -> tuple[Answer, ...]:
    """Return the answers that stand after an adjudicator: those of the vote to the items that it
    resolved (``voted``), and those of the adjudicator to all others and to what they overruled.
    """
    kept = {
        item_id: tuple(answers)
        for item_id, answers in voted.items()
        if not (may_overrule and reason_of(given, item_id))
    }
    own = (answer for key, answer in given.items() if key.item_id not in kept)
    found = [*(answer for answers in kept.values() for answer in answers), *own]
    return tuple(sorted(found, key=lambda answer: answer.key))
