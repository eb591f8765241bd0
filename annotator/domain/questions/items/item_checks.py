"""Checks that an item can be asked and resolved: references, options, correct answers.

To be asked it must fit the form of its kind as well; the first thing in the way is said. As a
finished question of a data set it is looked at by itself, and all is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, TypeAlias

from annotator.domain.checks import Finding, Severity
from annotator.domain.forms.answer_checks import applies_to_item, options_of
from annotator.domain.forms.field import OTHER, Field, FieldKind
from annotator.domain.forms.frames import ITEM, TEXT, is_frame
from annotator.domain.ids import VideoId
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.recipes.recipe import TaskType

_PICKED: Final = (FieldKind.CHOICE, FieldKind.CHOICES)
_FEW: Final = "few-options"
_YES_NO: Final = ("yes", "no")
_Problem: TypeAlias = tuple[str, str]
"""A code and a sentence."""


def why_refused(item: Item, task_type: TaskType | None, videos: Collection[VideoId]) -> str:
    """Return why an item cannot be asked in tasks of a type; "" when it can.

    ``videos`` are those that the project has.
    """
    if task_type is None or task_type.form is None:
        return f"The task type “{item.kind}” of the recipe has no form."
    n_videos = 2 if task_type.is_pair else 1
    if len(item.video_ids) != n_videos:
        n = len(item.video_ids)
        named = "one video" if n == 1 else f"{n or 'no'} videos"
        return (
            f"The item refers to {named}. Tasks of this type require "
            f"{'two' if n_videos > 1 else 'one'}."
        )
    for _, text in _of_videos(item):
        return text
    if any(video_id not in videos for video_id in item.video_ids):
        return "The item refers to a video that is not in the project."
    if item.boxes and len(item.boxes) != len(item.video_ids):
        return "The number of boxes differs from the number of videos."
    return _why_options(item, task_type) or _why_right(item, task_type)


def problems_of(item: Item, where: str, *, needs_right: bool = False) -> Iterator[Finding]:
    """Yield the faults of an item by itself; ``where`` is its name for people.

    ``needs_right``: the answer must be known, as in the finished questions of a data set.
    """
    if item.options and not item.text.strip():
        yield Finding("no-question", where, "The question is empty.", Severity.ERROR)
    for code, text in (*_of_videos(item), *_of_options(item), *_of_right(item, needs_right)):
        yield Finding(code, where, text, Severity.ERROR)


def why_wrong_check(item: Item, task_type: TaskType | None) -> str:
    """Return why an item cannot be an attention check among the tasks of a type; "" when it can.

    A check is about whatever video it is met with, and so names none.
    """
    if task_type is None or task_type.form is None or task_type.attention is None:
        return f"The task type “{item.kind}” has no attention checks."
    if item.purpose is not Purpose.ATTENTION or item.video_ids:
        return "An attention check must not refer to a video."
    return _why_options(item, task_type) or _why_right(item, task_type)


def _why_options(item: Item, task_type: TaskType) -> str:
    form = task_type.form
    assert form is not None
    for code, text in _of_options(item):
        if code != _FEW:  # a field may have options of its own beside them
            return text
    keys = [option.key for option in item.options]
    asked_fields = [field for field in form.fields if applies_to_item(field, item)]
    if not asked_fields:
        return "No field of the form applies to the item. Add or remove its options."
    for field in asked_fields:
        if field.frame == ITEM and not is_frame(item.texts.get(TEXT, "")):
            return f"The text “{TEXT}” contains no frame number, which “{field.title}” requires."
        if field.from_item and len(options_of(field, item)) + field.has_other < 2:
            return f"“{field.title}” requires at least two options."
        if field.from_item and field.has_other and OTHER in keys:
            return f"The option key “{OTHER}” is reserved for the “other” answer."
    return ""


def _of_videos(item: Item) -> Iterator[_Problem]:
    if not item.video_ids:
        yield "no-video", "The item does not refer to a video."
    if len(set(item.video_ids)) < len(item.video_ids):
        yield "same-video", "The item refers to the same video twice."


def _of_options(item: Item) -> Iterator[_Problem]:
    keys = [option.key for option in item.options]
    texts = [" ".join(option.text.split()).casefold() for option in item.options]
    if not all(keys) or not all(texts):
        yield "empty-option", "An option is empty."
    if len(set(keys)) < len(keys):
        yield "same-keys", "Two options have the same key."
    if len(set(texts)) < len(texts):
        yield "same-options", "Two options have the same text."
    if len(item.options) == 1:
        yield _FEW, "The item has only one option. Add another option."


def _of_right(item: Item, needs_right: bool) -> Iterator[_Problem]:
    """Yield the faults of the correct answers, if they are options of the item."""
    if not item.options:
        return
    if needs_right and not any(item.right.values()):
        yield "no-right-answer", "The correct answer is not among the options."
    keys = {option.key for option in item.options}
    outside = (key for answers in item.right.values() for key in answers if key not in keys)
    for key in outside:
        yield "answer-outside", _outside(key)


def _why_right(item: Item, task_type: TaskType) -> str:
    form = task_type.form
    assert form is not None
    passing = task_type.passing
    is_graded = passing is not None and passing.grade is not None
    is_judged = item.purpose not in (Purpose.WORK, Purpose.STUDY) and not (
        is_graded and item.purpose is Purpose.QUALIFICATION
    )
    if is_judged and not any(item.right.values()):
        return "The correct answer is missing. Items with this purpose require one."
    for key, answers in item.right.items():
        field = form.field(key)
        if field is None or not applies_to_item(field, item):
            return f"The item has a correct answer for “{key}”, which is not a field of the form."
        why = _why_not_right(field, item, answers)
        if why:
            return why
    return ""


def _why_not_right(field: Field, item: Item, answers: tuple[str, ...]) -> str:
    if field.kind in _PICKED:
        known = [option.key for option in options_of(field, item)]
    elif field.kind is FieldKind.TRUTH:
        known = list(_YES_NO)
    else:
        return ""
    outside = [answer for answer in answers if answer not in known]
    if outside:
        return _outside(outside[0])
    if field.kind is FieldKind.TRUTH and len(answers) > 1:
        return "Yes and no cannot both be correct."
    return ""


def _outside(answer: str) -> str:
    return f"The correct answer “{answer[:80]}” is not among the options."
