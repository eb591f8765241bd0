"""What makes an item impossible to ask, said in one sentence."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from annotator.domain.forms.checking import options_of
from annotator.domain.forms.field import OTHER, Field, FieldKind
from annotator.domain.ids import VideoId
from annotator.domain.questions.item import Item, Purpose
from annotator.domain.recipe import TaskType

_PICKED: Final = (FieldKind.CHOICE, FieldKind.CHOICES)
_YES_NO: Final = ("yes", "no")


def why_refused(item: Item, task_type: TaskType | None, videos: Collection[VideoId]) -> str:
    """Return why an item cannot be asked in tasks of a type; "" when it can.

    ``videos`` are those that the project has.
    """
    if task_type is None or task_type.form is None:
        return f"The recipe asks nothing in tasks of the kind “{item.kind}”."
    wanted = 2 if task_type.is_pair else 1
    if len(item.video_ids) != wanted:
        return f"It names {len(item.video_ids)} videos; tasks of its kind are about {wanted}."
    if len(set(item.video_ids)) != wanted:
        return "It names the same video twice."
    if any(video_id not in videos for video_id in item.video_ids):
        return "A video it names is not in the project."
    return _why_options(item, task_type) or _why_right(item, task_type)


def why_wrong_check(item: Item, task_type: TaskType | None) -> str:
    """Return why an item cannot be an attention check among the tasks of a type; "" when it can.

    A check is about whatever video it is met with, and so names none.
    """
    if task_type is None or task_type.form is None or task_type.attention is None:
        return f"The recipe has no checks in tasks of the kind “{item.kind}”."
    if item.purpose is not Purpose.ATTENTION or item.video_ids:
        return "A check is there for attention alone, and about no video."
    return _why_options(item, task_type) or _why_right(item, task_type)


def _why_options(item: Item, task_type: TaskType) -> str:
    form = task_type.form
    assert form is not None
    keys = [option.key for option in item.options]
    texts = [option.text.strip() for option in item.options]
    if not all(keys) or not all(texts):
        return "One of its options is empty."
    if len(set(keys)) != len(keys):
        return "Two of its options have the same key."
    if len({text.casefold() for text in texts}) != len(texts):
        return "Two of its options say the same."
    for field in form.fields:
        if field.from_item and len(options_of(field, item)) + field.has_other < 2:
            return f"“{field.title}” needs at least two options."
        if field.from_item and field.has_other and OTHER in keys:
            return f"One of its options has the key “{OTHER}”, which is that of the other answer."
    return ""


def _why_right(item: Item, task_type: TaskType) -> str:
    form = task_type.form
    assert form is not None
    passing = task_type.passing
    is_graded = passing is not None and passing.grade is not None
    is_judged = item.purpose not in (Purpose.WORK, Purpose.STUDY) and not (
        is_graded and item.purpose is Purpose.QUALIFICATION
    )
    if is_judged and not any(item.right.values()):
        return "It has no right answer, which an item of its purpose is judged by."
    for key, answers in item.right.items():
        field = form.field(key)
        if field is None:
            return f"It has a right answer to “{key}”, which is not asked."
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
        return f"The right answer “{outside[0][:80]}” is not among its options."
    if field.kind is FieldKind.TRUTH and len(answers) > 1:
        return "Yes and no cannot both be right."
    return ""
