"""Validation of answers: allowed values, visible fields, missing answers.

    checked(field, item, value, document)   the value as it is kept, or EditError
    applies_to_item(field, item)        whether a field is asked of an item at all
    is_shown(form, field, answers, ...)     whether a field is asked, by the answers so far
    problems(form, item, answers)           the unanswered fields, in the order of the form
    counted(form, item, answers)            the answers that count: those to what is asked

A value that is too small as yet (one tick of two, a text that is too short) is kept and is a
problem; one that could never be right is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeGuard

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.edits import checked_box, checked_frame
from annotator.domain.answer import (
    Answer,
    AnswerKey,
    Flagged,
    FrameBox,
    Picked,
    Spans,
    Value,
)
from annotator.domain.errors import EditError
from annotator.domain.forms.field import OTHER, Field, FieldKind, Form, ItemScope, Option
from annotator.domain.forms.frames import frame_of
from annotator.domain.ids import ItemId, TrackId
from annotator.domain.questions.items.item import Item

MAX_TEXT: Final = 5_000
MAX_PROPERTY: Final = 200
MAX_LISTED: Final = 200
CONFIDENCES: Final = range(1, 6)


@dataclass(frozen=True, slots=True)
class AnswerProblem:
    """Missing or invalid answer of an item.

    ``code`` is "unanswered", "too-few" or "too-short".
    """

    item_id: ItemId
    field: str
    entry: int
    code: str
    text: str


def options_of(field: Field, item: Item) -> tuple[Option, ...]:
    """Return the options of a field: those of the item first, then its own."""
    if not field.from_item:
        return field.options
    taken = {option.key for option in item.options}
    return (*item.options, *(option for option in field.options if option.key not in taken))


def applies_to_item(field: Field, item: Item) -> bool:
    """Return whether a field applies to an item, by whether the item has options."""
    match field.asked_of:
        case ItemScope.ALL:
            return True
        case ItemScope.WITH_OPTIONS:
            return bool(item.options)
        case ItemScope.WITHOUT_OPTIONS:
            return not item.options


def checked(field: Field, item: Item, value: Value, document: Document) -> Value:
    """Return a value as it is kept; EditError, in words, when it can be no answer to the field."""
    if not applies_to_item(field, item):
        raise EditError(f"“{field.title}” does not apply to this item.")
    match field.kind:
        case FieldKind.CHOICE | FieldKind.CHOICES:
            return _picked(field, item, value)
        case FieldKind.TRUTH:
            if isinstance(value, bool):
                return value
        case FieldKind.TEXT:
            if isinstance(value, str):
                return _text(value, int(field.maximum or MAX_TEXT))
        case FieldKind.NUMBER:
            if isinstance(value, int | float) and not isinstance(value, bool):
                return _number(field, float(value))
        case FieldKind.CONFIDENCE:
            if isinstance(value, int) and not isinstance(value, bool) and value in CONFIDENCES:
                return value
            raise EditError("Confidence must be an integer from 1 to 5.")
        case FieldKind.PROPERTIES:
            if _is_texts(value):
                return _properties(field, value)
        case FieldKind.TRACKS:
            if _is_texts(value):
                return _tracks(field, item, value, document)
        case FieldKind.SPANS:
            if isinstance(value, Spans):
                return _spans(field, value, document.video)
        case FieldKind.BOX:
            if isinstance(value, FrameBox):
                return _box(field, item, value, document)
        case FieldKind.FLAG:
            if isinstance(value, Flagged):
                return _flagged(field, value)
    raise EditError(f"Invalid answer to “{field.title}”.")


def is_shown(
    form: Form, field: Field, answers: Mapping[AnswerKey, Answer], item_id: ItemId, entry: int = 0
) -> bool:
    """Return whether a field is visible, given the answers before it."""
    condition = field.shown_if
    if condition is None:
        return True
    other = form.field(condition.field)
    given = answers.get(AnswerKey(item_id, condition.field, entry))
    if other is None or given is None or not is_shown(form, other, answers, item_id, entry):
        return False
    words = words_of(given.value)
    is_any = not condition.any_of or bool(words & set(condition.any_of))
    return is_any and words >= set(condition.all_of)


def words_of(value: Value) -> frozenset[str]:
    """Return the words of a value for conditions: keys of options, "yes", "no"; else none."""
    if isinstance(value, Picked):
        return frozenset((*value.keys, OTHER) if value.other else value.keys)
    if isinstance(value, bool):
        return frozenset(("yes" if value else "no",))
    return frozenset((value.reason,)) if isinstance(value, Flagged) else frozenset()


def entries_of(form: Form, item: Item, answers: Mapping[AnswerKey, Answer]) -> int:
    """Return the number of entries of an item, at least the required number."""
    begun = [key.entry for key in answers if key.item_id == item.id]
    return max(form.entries[0], 1 + max(begun, default=-1))


def problems(
    form: Form, item: Item, answers: Mapping[AnswerKey, Answer]
) -> tuple[AnswerProblem, ...]:
    """Return all problems of the answers to an item, in the order of the form.

    A flag with a reason makes the item complete: unanswered fields are no problem then.
    """
    if is_flagged(form, item, answers):
        return ()
    answer_problems: list[AnswerProblem] = []
    for entry in range(entries_of(form, item, answers)):
        for field in form.fields:
            if not applies_to_item(field, item):
                continue
            if not is_shown(form, field, answers, item.id, entry):
                continue
            answer = answers.get(AnswerKey(item.id, field.key, entry))
            code, text = _open(field, answer)
            if code:
                answer_problems.append(AnswerProblem(item.id, field.key, entry, code, text))
    return tuple(answer_problems)


def is_flagged(form: Form, item: Item, answers: Mapping[AnswerKey, Answer]) -> bool:
    """Return whether anyone has flagged an item."""
    return any(
        field.kind is FieldKind.FLAG
        and AnswerKey(item.id, field.key, entry) in answers
        and is_shown(form, field, answers, item.id, entry)
        for field in form.fields
        for entry in range(max(1, form.entries[1]))
    )


def counted(form: Form, item: Item, answers: Mapping[AnswerKey, Answer]) -> dict[AnswerKey, Answer]:
    """Return the answers about an item that count: those to fields that are asked."""
    return {
        key: answer
        for key, answer in answers.items()
        if key.item_id == item.id
        and key.entry < form.entries[1]
        and (field := form.field(key.field)) is not None
        and applies_to_item(field, item)
        and is_shown(form, field, answers, item.id, key.entry)
    }


def _open(field: Field, answer: Answer | None) -> tuple[str, str]:
    """Return the problem of a field and its text; "" for none."""
    if answer is None:
        if field.is_required:
            return "unanswered", f"“{field.title}” has no answer."
        return "", ""
    least = field.minimum or 0
    if field.kind is FieldKind.TEXT and isinstance(answer.value, str):
        if len(answer.value) < least:
            return "too-short", f"“{field.title}” requires at least {least:g} characters."
    elif field.kind is not FieldKind.NUMBER and _count(answer.value) < least:
        return "too-few", f"“{field.title}” requires at least {least:g} entries."
    return "", ""


def _count(value: Value) -> float:
    if isinstance(value, Picked):
        return len(value.keys) + bool(value.other)
    if isinstance(value, Spans):
        return len(value.spans)
    return len(value) if isinstance(value, tuple) else math.inf


def _picked(field: Field, item: Item, value: Value) -> Picked:
    if not isinstance(value, Picked):
        raise EditError(f"Invalid answer to “{field.title}”.")
    known = [option.key for option in options_of(field, item)]
    for key in value.keys:
        if key not in known:
            raise EditError(f"“{key[:80]}” is not an option of “{field.title}”.")
    other = _text(value.other, MAX_TEXT) if value.other.strip() else ""
    if other and not field.has_other:
        raise EditError(f"Select one option of “{field.title}”.")
    n_picked = len(set(value.keys)) + bool(other)
    if n_picked == 0:
        raise EditError("No option is selected.", hint="Clear the answer instead.")
    most = 1 if field.kind is FieldKind.CHOICE else int(field.maximum or MAX_LISTED)
    _at_most(field, n_picked, most)
    return Picked(tuple(key for key in known if key in value.keys), other)


def _text(text: str, most: int) -> str:
    stripped = text.strip()
    if not stripped:
        raise EditError("The text is empty.", hint="Clear the answer instead.")
    if len(stripped) > most:
        raise EditError(f"The text has {len(stripped)} characters. The limit is {most}.")
    if any(not c.isprintable() and c not in "\n\t" for c in stripped):
        raise EditError("The text contains a character that cannot be displayed. Use plain text.")
    return stripped


def _number(field: Field, number: float) -> float:
    if not math.isfinite(number):
        raise EditError("The value is not a number.")
    if field.minimum is not None and number < field.minimum:
        raise EditError(f"“{field.title}” must be at least {field.minimum:g}.")
    if field.maximum is not None and number > field.maximum:
        raise EditError(f"“{field.title}” must be at most {field.maximum:g}.")
    return number


def _properties(field: Field, value: tuple[str, ...]) -> tuple[str, ...]:
    kept = tuple(dict.fromkeys(_text(each, MAX_PROPERTY) for each in value))
    if not kept:
        raise EditError("The list is empty.", hint="Clear the answer instead.")
    _at_most(field, len(kept), int(field.maximum or MAX_LISTED))
    return kept


def _tracks(
    field: Field, item: Item, value: tuple[str, ...], document: Document
) -> tuple[str, ...]:
    kept = tuple(dict.fromkeys(value))
    if not kept:
        raise EditError("No object is selected.", hint="Clear the answer instead.")
    for each in kept:
        if TrackId(each) not in item.track_ids:
            document.track(TrackId(each))
    _at_most(field, len(kept), int(field.maximum or MAX_LISTED))
    return kept


def _spans(field: Field, value: Spans, video: VideoInfo) -> Spans:
    kept = tuple(sorted(value.spans))
    if not kept:
        raise EditError("No time range is marked.", hint="Clear the answer instead.")
    for start, end in kept:
        if not video.first_seen <= start < end <= video.n_frames:
            raise EditError(f"Frames {start} to {end} are not in this video.")
    for (_, end), (start, _) in pairwise(kept):
        if start < end:
            raise EditError("Two time ranges overlap.", hint="Merge them, or shorten one of them.")
    _at_most(field, len(kept), int(field.maximum or MAX_LISTED))
    return Spans(kept)


def _box(field: Field, item: Item, value: FrameBox, document: Document) -> FrameBox:
    if checked_frame(document.video, value.frame) < document.video.first_seen:
        raise EditError(f"Frame {value.frame} is not visible in this task.")
    wanted = frame_of(field, item, document.video)
    if wanted is not None and value.frame != wanted:
        raise EditError(f"Draw the box on frame {wanted}, not on frame {value.frame}.")
    return FrameBox(value.frame, checked_box(document.video, value.box))


def _flagged(field: Field, value: Flagged) -> Flagged:
    if value.reason not in (option.key for option in field.options):
        raise EditError(f"“{value.reason[:80]}” is not an available reason.")
    return Flagged(value.reason, _text(value.text, MAX_TEXT) if value.text.strip() else "")


def _at_most(field: Field, n: int, most: int) -> None:
    if n > most:
        raise EditError(f"“{field.title}” accepts at most {most}.")


def _is_texts(value: Value) -> TypeGuard[tuple[str, ...]]:
    return isinstance(value, tuple) and all(isinstance(each, str) for each in value)
