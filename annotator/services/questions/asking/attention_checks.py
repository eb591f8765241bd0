"""Attention checks mixed into a question set, under names that cannot be recognized.

Many people get the same check in many tasks, and it is older than its neighbors; its own ID would
reveal it. It is shown under a pseudonym that sorts among its neighbors. The lead's copy of the
project maps the pseudonym to the check.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from annotator.domain.ids import AssignmentId, ItemId, PersonId, id_between
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.questions.quality import mixed_in
from annotator.domain.recipes.recipe import Act, TaskType
from annotator.domain.work.records import Assignment, TaskRecord
from annotator.store.file.project import ProjectFile
from annotator.store.questions import items
from annotator.store.workflow import travel

_NAMES: Final = "checks_of:{}"
"""Project fact: attention checks of an assignment in a package."""


def disguised(
    file: ProjectFile,
    assignment_id: AssignmentId,
    own_items: Sequence[Item],
    own: Collection[ItemId],
) -> list[Item]:
    """Return the items of a task with stable pseudonyms for its attention checks.

    ``own`` are the items of the task itself, one of which follows each check.
    """
    revealed_items = revealed(file, assignment_id)
    used = {check_id: name for name, check_id in revealed_items.items()}
    items: list[Item] = []
    for i, item in enumerate(own_items):
        if item.id in own:
            items.append(item)
            continue
        if item.id not in used:
            low, high = (
                items[-1].id if items else "",
                next(e.id for e in own_items[i:] if e.id in own),
            )
            used[item.id] = ItemId(id_between(low, high))
        items.append(replace(item, id=used[item.id]))
    names = {name: check_id for check_id, name in used.items()}
    if names != revealed_items:
        with file.transaction() as connection:
            travel.set_meta(connection, _NAMES.format(assignment_id), json.dumps(names))
    return items


def revealed(file: ProjectFile, assignment_id: AssignmentId) -> dict[ItemId, ItemId]:
    """Return the checks that went out to an assignment, by the names they have there."""
    text = file.meta(_NAMES.format(assignment_id))
    return json.loads(text) if text is not None else {}


def items_with_checks(
    file: ProjectFile,
    record: TaskRecord,
    task_type: TaskType,
    person_id: PersonId | None,
    assignment_id: AssignmentId | None,
) -> list[Item]:
    """Return the items of a task with the attention checks of a person.

    Read-only views have no checks. Adjudicators and reviewers have none, because a check would
    stand out among answered items, nor have people in training, who would miss the gold answer. In
    a project from a work package the checks are already items of the task.
    """
    rule = task_type.attention
    assignment = record.assignment(assignment_id) if assignment_id is not None else None
    has_own = file.meta(travel.ORIGIN) is not None or not _answers(record, task_type, assignment)
    with file.reading() as connection:
        own = items.items_of(connection, record.id)
        if rule is None or has_own or person_id is None or assignment_id is None:
            return own
        if all(item.purpose in (Purpose.TRAINING, Purpose.ATTENTION) for item in own):
            return own
        checks = items.checks_of(connection, task_type.kind)
        earlier = items.assigned_before(connection, task_type.kind, person_id, assignment_id)
    seed = f"{person_id}\n{task_type.kind}"
    mixed_items = mixed_in(own, checks, every=rule.every, earlier=earlier, seed=seed)
    return _alike(mixed_items, {item.id for item in own})


def to_be_answered(
    found: Iterable[Item], begun: Collection[ItemId], *, only_undecided: bool
) -> tuple[Item, ...]:
    """Return the items that a person must answer: started and unresolved ones."""
    return tuple(i for i in found if i.id in begun or _is_asked(i, only_undecided=only_undecided))


def demanded_of(
    found: Iterable[Item], begun: Collection[ItemId], record: TaskRecord, task_type: TaskType
) -> tuple[Item, ...]:
    """Return the items that must be complete at submission, for adjudicators the open ones."""
    asked = to_be_answered(found, begun, only_undecided=is_called_in(record, task_type))
    is_settling = record.is_adjudicating
    return tuple(i for i in asked if not (is_settling and i.state is ItemState.DECIDED))


def is_called_in(record: TaskRecord, task_type: TaskType) -> bool:
    """Return whether the next person on a task was called in because of a tie."""
    stage = task_type.stage(record.stage)
    raters = stage.raters if stage is not None else 1
    return record.wanted > raters and not record.is_adjudicating


def _alike(candidates: Sequence[Item], own: Collection[ItemId]) -> list[Item]:
    """Return items with each check about the videos and objects of the item that follows it, and
    with a text wherever that one has one.
    """
    items: list[Item] = []
    for item in reversed(candidates):
        if item.id not in own:
            follows = items[-1]
            item = replace(
                item,
                video_ids=follows.video_ids,
                track_ids=follows.track_ids,
                boxes=follows.boxes,
                texts={**_texts_like(item, follows), **item.texts},
            )
        items.append(item)
    return items[::-1]


def _texts_like(item: Item, other: Item) -> dict[str, str]:
    """Return the texts of another item; one that repeats its question repeats the item's own."""
    return {name: item.text if text == other.text else text for name, text in other.texts.items()}


def _answers(record: TaskRecord, task_type: TaskType, held: Assignment | None) -> bool:
    """Return whether a person answers independently, not as adjudicator."""
    stage = task_type.stage(held.stage) if held is not None else None
    return stage is not None and stage.act is Act.ANNOTATE and not record.is_adjudicating


def _is_asked(item: Item, *, only_undecided: bool) -> bool:
    if item.state is ItemState.DISCARDED:
        return False
    return item.state is ItemState.OPEN or not only_undecided
