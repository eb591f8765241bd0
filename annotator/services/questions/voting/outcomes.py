"""Resolved answers of the tasks of a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.answers import Picked, Value
from annotator.domain.ids import ItemId, SubmissionId, TaskId, VideoId
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.questions.merging import Merges
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.counting import answers_in
from annotator.store.questions.items import ItemFilter
from annotator.store.questions.votes import merges_of
from annotator.store.workflow import submissions

Entries = Mapping[str, Mapping[int, Value]]
"""Answers by field, then by how many times the item was answered before."""


@dataclass(frozen=True, slots=True)
class DecidedItem:
    """An item whose task is complete: the answers that stand, and the submission they stand in."""

    item: Item
    task_id: TaskId
    submission_id: SubmissionId
    answers: Entries

    def value(self, field: str, entry: int = 0) -> Value | None:
        """Return the answer to a field, None where there is none."""
        return self.answers.get(field, {}).get(entry)

    def text(self, field: str, entry: int = 0) -> str:
        """Return a text that was typed or the option that was picked, "" where there is none."""
        value = self.value(field, entry)
        if isinstance(value, Picked):
            return value.keys[0] if value.keys else value.other
        return value if isinstance(value, str) else ""

    def values(self, entry: int = 0) -> dict[str, Value]:
        """Return all answers of an entry by field."""
        return {field: found[entry] for field, found in self.answers.items() if entry in found}

    @property
    def entries(self) -> tuple[int, ...]:
        """The entries that were made, ascending."""
        return tuple(sorted({entry for found in self.answers.values() for entry in found}))


def items_of_kind(
    project: OpenProject, kind: str, *, with_discarded: bool = False
) -> list[tuple[TaskId | None, Item]]:
    """Return the items of a kind that are real work, oldest first; leads only."""
    return [
        (task_id, item)
        for task_id, item in project.questions.list(ItemFilter(kind=kind))
        if item.purpose is Purpose.WORK
        and (with_discarded or item.state is not ItemState.DISCARDED)
    ]


def outcomes(project: OpenProject, kind: str) -> Iterator[DecidedItem]:
    """Yield what became of the items of a kind whose tasks are complete; leads only.

    Open answers that a lead merged are told by the name of their merge.
    """
    merges = Merges(merges_of(project.file, kind))
    known: dict[TaskId, tuple[TaskRecord, dict[ItemId, dict[str, dict[int, Value]]]]] = {}
    for task_id, item in items_of_kind(project, kind):
        if task_id is None:
            continue
        if task_id not in known:
            known[task_id] = _settled(project, task_id)
        record, answers = known[task_id]
        if record.base_id is not None and item.id in answers:
            said = _merged(merges, item, answers[item.id]) if merges else answers[item.id]
            yield DecidedItem(item, task_id, record.base_id, said)


def made_from(project: OpenProject, kind: str) -> set[str]:
    """Return the items that something of a kind was made from already, discarded or not."""
    found = project.questions.list(ItemFilter(kind=kind))
    return {str(item.source["item"]) for _, item in found if "item" in item.source}


def video_names(project: OpenProject) -> dict[VideoId, str]:
    """Return the names of videos without ending, as exchange files call them."""
    from annotator.exchange.perception_test.from_domain import entry_name

    return {info.id: entry_name(info) for info, _ in project.footage.known()}


def videos_named(project: OpenProject) -> dict[str, tuple[VideoId, ...]]:
    """Return the videos by name without ending, in the order of the project: mostly one each."""
    found: dict[str, tuple[VideoId, ...]] = {}
    for video_id, name in video_names(project).items():
        found[name] = (*found.get(name, ()), video_id)
    return found


def why_not_one(name: str, named: Mapping[str, Sequence[VideoId]]) -> str:
    """Return why a name does not mean one video; "" where it does."""
    n = len(named.get(name, ()))
    if n == 1:
        return ""
    return f"{n} videos have the name “{name}”" if n else f"The project has no video “{name}”"


def _merged(merges: Merges, item: Item, answers: Entries) -> Entries:
    return {
        field: {
            entry: merges.said(field, item.text, value) if isinstance(value, str) else value
            for entry, value in found.items()
        }
        for field, found in answers.items()
    }


def _settled(
    project: OpenProject, task_id: TaskId
) -> tuple[TaskRecord, dict[ItemId, dict[str, dict[int, Value]]]]:
    record = project.work.record(task_id)
    found: dict[ItemId, dict[str, dict[int, Value]]] = {}
    if record.status is TaskStatus.COMPLETE and record.base_id is not None:
        for answer in answers_in(submissions.read_body(project.file, record.base_id)):
            fields = found.setdefault(answer.key.item_id, {})
            fields.setdefault(answer.key.field, {})[answer.key.entry] = answer.value
    return record, found
