"""Groups of open answers, and the lead's decision that several groups are one answer.

A merge applies from now on to all items of a kind with the same question: to resolution,
statistics, suggested answers and exports. Resolved items stay as they are. Items that were
discarded for a disagreement are resolved if the merge removes it, unless a later stage has already
continued without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from annotator.domain.errors import WorkError
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.ids import MergeId, TaskId, new_id
from annotator.domain.people import Person
from annotator.domain.questions.answer_groups import (
    AnswerGroup,
    Merged,
    Merges,
    OpenAnswer,
    answer_groups,
)
from annotator.domain.questions.answer_resolution import NOT_UNANIMOUS
from annotator.domain.questions.items.item import ItemState
from annotator.domain.recipes.recipe import StageSpec, TaskType
from annotator.domain.work.acts import PutTogether
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.domain.work.rules import hidden_from
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.stage_resolution import items_resolved_again, settled
from annotator.store.questions import votes
from annotator.store.questions import votes as store
from annotator.store.questions.items import ItemFilter

MOST_TITLE = 500
"""Largest number of characters of a title."""


@dataclass(frozen=True, slots=True)
class OpenField:
    """A field of a kind of task that is answered in people's own words."""

    kind: str
    key: str
    title: str


def open_fields(project: OpenProject) -> tuple[OpenField, ...]:
    """Return the fields of the recipe in which words are counted against each other."""
    return tuple(
        OpenField(task_type.kind, field.key, f"{task_type.title}: {field.title}")
        for task_type in project.work.recipe.task_types
        if task_type.form is not None and task_type.form.entries[1] == 1
        for field in task_type.form.fields
        if _is_open(field)
    )


def groups_of(project: OpenProject, kind: str, field: str, token: JobToken) -> list[AnswerGroup]:
    """Return the groups of answers to a field, by question, most frequent first; leads only.

    Of resolved tasks, and of disputed ones that wait for another rater; the latter are hidden from
    a lead who is one of their raters.
    """
    me = project.work.people.check_lead()
    items_by_id = {item.id: item for _, item in project.questions.list(ItemFilter(kind=kind))}
    rows = votes.decided_votes(project.file, kind, field)
    for task_id in votes.undecided_tasks(project.file, kind):
        token.check()
        record = project.work.record(task_id)
        if _is_tied(project, record) and not hidden_from(record, me):
            rows += votes.votes_of(project.file, task_id, visit=record.visit)
    answers = [
        OpenAnswer(row.item_id, items_by_id[row.item_id].text, row.value)
        for row in rows
        if (row.field, row.entry) == (field, 0) and isinstance(row.value, str)
    ]
    token.check()
    return answer_groups(field, answers, merges_in(project, kind))


def merges_in(project: OpenProject, kind: str) -> Merges:
    """Return the merges that hold in tasks of a kind."""
    return Merges(store.merges_of(project.file, kind))


def history_of(project: OpenProject, kind: str) -> list[Merged]:
    """Return all merges of a task type, oldest first, including reverted ones; leads only."""
    project.work.people.check_lead()
    return store.merges_of(project.file, kind)


def merge(
    project: OpenProject, kind: str, groups: Sequence[AnswerGroup], title: str
) -> tuple[TaskId, ...]:
    """Let groups be one answer of that title; leads only. Returns the tasks this decides.

    One transaction. WorkError when they are not at least two groups of one question.
    """
    me = project.work.people.check_lead()
    title = " ".join(title.split())
    if len(groups) < 2:
        raise WorkError("Select at least two answer groups to merge.", code="too-few")
    if len({(group.field, group.question) for group in groups}) > 1:
        raise WorkError(
            "Cannot merge: the answer groups belong to different questions.",
            code="different-questions",
            hint="Select answer groups of the same question.",
        )
    if not title or len(title) > MOST_TITLE:
        raise WorkError(
            "The name of the merged answer must have 1 to 500 characters.", code="no-title"
        )
    first = groups[0]
    texts = dict.fromkeys(t for g in groups for t in (g.title, *(s for s, _ in g.spellings)))
    transactions = project.work.transactions
    merged = Merged(
        MergeId(new_id()),
        kind,
        first.field,
        first.question,
        tuple(texts),
        title,
        me.id,
        transactions.now(),
    )
    with transactions.together(), project.file.transaction() as connection:
        store.add_merge(connection, merged)
        return _put_together(project, me, _waiting(project, kind, {first.question}))


def part(project: OpenProject, kind: str, merges: Iterable[Merged]) -> tuple[TaskId, ...]:
    """Take merges back, on record; leads only. Returns the tasks that this decides."""
    me = project.work.people.check_lead()
    given = list(merges)
    transactions = project.work.transactions
    with transactions.together(), project.file.transaction() as connection:
        store.part(connection, [each.id for each in given], me.id, transactions.now())
        questions = {each.question for each in given}
        return _put_together(project, me, _waiting(project, kind, questions))


def last_merge(project: OpenProject, kind: str) -> Merged | None:
    """Return the merge that was made last and holds still, None if there is none."""
    made = [each for each in store.merges_of(project.file, kind) if each.holds]
    return made[-1] if made else None


def _is_open(field: Field) -> bool:
    return field.kind is FieldKind.TEXT and field.is_voted


def _is_tied(project: OpenProject, record: TaskRecord) -> bool:
    """Return whether all raters of a stage disagree and another person is needed."""
    task_type: TaskType | None = project.work.recipe.task_type(record.kind)
    stage = task_type.stage(record.stage) if task_type is not None else None
    is_open = record.status in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS)
    return is_open and stage is not None and record.wanted > stage.raters


def _waiting(project: OpenProject, kind: str, questions: Collection[str]) -> list[TaskId]:
    """Return the tasks with items that ask one of some questions and were not decided because
    people differed."""
    begun = set(votes.undecided_tasks(project.file, kind))
    asking: dict[TaskId, None] = {}
    for task_id, item in project.questions.list(ItemFilter(kind=kind)):
        if task_id is None or item.text not in questions:
            continue
        is_open = item.state is ItemState.OPEN and task_id in begun
        is_out = item.state is ItemState.DISCARDED and item.why_discarded == NOT_UNANIMOUS
        if is_open or is_out:
            asking[task_id] = None
    return list(asking)


def _put_together(
    project: OpenProject, me: Person, task_ids: Iterable[TaskId]
) -> tuple[TaskId, ...]:
    """Resolve all items that can be resolved now; work in progress continues."""
    decided: list[TaskId] = []
    for task_id in task_ids:
        record = project.work.record(task_id)
        task_type = project.work.recipe.task_type(record.kind)
        stage = task_type.stage(record.stage) if task_type is not None else None
        if task_type is None or task_type.form is None or stage is None or record.holders:
            continue
        if _is_through(record, stage):
            is_next = bool(items_resolved_again(project.file, record, task_type.form, stage))
        else:
            states = settled(project.file, record, task_type.form, stage).values()
            is_next = _is_tied(project, record) and all(
                state.state is not ItemState.OPEN for state in states
            )
        if is_next:
            project.work.transactions.act(task_id, PutTogether(me.id))
            decided.append(task_id)
    return tuple(decided)


def _is_through(record: TaskRecord, stage: StageSpec) -> bool:
    """Return whether a task is complete and one of its stages had several raters."""
    n_through = sum(each.counted is not None for each in record.current)
    return record.status is TaskStatus.COMPLETE and n_through >= stage.raters > 1
