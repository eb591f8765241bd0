"""Resolved answers of the tasks of a type, with the rule that resolved them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from annotator.domain.answer import Answer, AnswerKey, Picked, Value
from annotator.domain.forms.field import Form
from annotator.domain.ids import ItemId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.questions.answer_groups import Merges
from annotator.domain.questions.answer_resolution import (
    OVERRULED,
    PersonAnswers,
    adjudicated,
    reason_of,
    settle,
)
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.recipes.recipe import StageSpec, TaskType
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.store.questions import items, votes
from annotator.store.questions.items import ItemFilter
from annotator.store.questions.votes import VoteRow, merges_of
from annotator.store.workflow import submissions

Entries = Mapping[str, Mapping[int, Value]]
"""Answers by field, then by how many times the item was answered before."""


@dataclass(frozen=True, slots=True)
class DecidedItem:
    """An item of a complete task: its resolved answers and their submission."""

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
    """Yield the outcome of the items of complete tasks; leads only.

    Open answers that a lead merged have the name of their merge.
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


def made_from_items(project: OpenProject, kind: str) -> set[str]:
    """Return the items that something of a kind was made from already, discarded or not."""
    found = project.questions.list(ItemFilter(kind=kind))
    return {str(item.source["item"]) for _, item in found if "item" in item.source}


def video_names(project: OpenProject) -> dict[VideoId, str]:
    """Return the names of videos without ending, as exchange files call them."""
    from annotator.exchange.perception_test.from_domain import entry_name

    return {info.id: entry_name(info) for info, _ in project.media.all()}


def videos_named(
    project: OpenProject, *, with_endings: bool = False
) -> dict[str, tuple[VideoId, ...]]:
    """Return the videos by name without ending, in the order of the project: mostly one each.

    ``with_endings``: also by the name of the file, as people write it.
    """
    from annotator.exchange.perception_test.from_domain import entry_name

    found: dict[str, tuple[VideoId, ...]] = {}
    for info, _ in project.media.all():
        for name in {entry_name(info), info.name} if with_endings else {entry_name(info)}:
            found[name] = (*found.get(name, ()), info.id)
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
            entry: merges.counted_text(field, item.text, value) if isinstance(value, str) else value
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


BY_VOTES: Final = "votes"
ADJUDICATION: Final = "adjudication"
OVERRULING: Final = "overruled"
REVIEW: Final = "review"


@dataclass(frozen=True, slots=True)
class Resolved:
    """Answer that stands. ``rule`` is the resolution of the stage where the votes decided, else
    how one person did: "single", "adjudication", "overruled" or "review". ``decided_by`` is
    "votes" or the id of that person, ``reason`` why they overruled the vote.
    """

    item_id: ItemId
    field: str
    entry: int
    value: Value
    rule: str
    decided_by: str
    reason: str = ""


class _Link(NamedTuple):
    """Answers decided by one person after the votes, and how they came to decide."""

    rule: str
    person_id: PersonId
    answers: Mapping[AnswerKey, Answer]


def resolved_answers(project: OpenProject, kind: str) -> Iterator[tuple[Item, list[Resolved]]]:
    """Yield the items of complete tasks with their resolved answers; leads only."""
    task_type = project.work.recipe.task_type(kind)
    if task_type is None or task_type.form is None:
        return
    merges = Merges(merges_of(project.file, kind))
    history_of: dict[TaskId, _History] = {}
    for outcome in outcomes(project, kind):
        if outcome.task_id not in history_of:
            history_of = {outcome.task_id: _History(project, task_type, outcome.task_id, merges)}
        history = history_of[outcome.task_id]
        yield (
            outcome.item,
            [
                history.of(AnswerKey(outcome.item.id, field, entry), value)
                for field, entries in sorted(outcome.answers.items())
                for entry, value in sorted(entries.items())
                if field != OVERRULED
            ],
        )


def vote_results(
    form: Form,
    stage: StageSpec,
    rows: list[VoteRow],
    questions: Mapping[ItemId, str],
    merges: Merges,
) -> dict[ItemId, tuple[Answer, ...]]:
    """Return the answers to the items that votes alone resolve by the rule of a stage."""
    given = [PersonAnswers(row.person_id, votes.answer_of(row)) for row in rows]
    found = settle(
        form, questions, given, stage, lambda item, field: merges.of(field, questions[item])
    )
    return {i: each.answers for i, each in found.items() if each.state is ItemState.DECIDED}


class _History:
    """How the answers of one task came about: by votes, then by people one after the other."""

    def __init__(
        self, project: OpenProject, task_type: TaskType, task_id: TaskId, merges: Merges
    ) -> None:
        self._merges = merges
        record = project.work.record(task_id)
        rows = votes.votes_of(project.file, task_id)
        with project.file.reading() as connection:
            self._questions = {i.id: i.text for i in items.items_of(connection, task_id)}
        voted = [row for row in rows if _is_parallel(task_type, row.stage)]
        visit = max((row.visit for row in voted), default=0)
        voted = [row for row in voted if row.visit == visit]
        self._stage = task_type.stage(voted[0].stage) if voted else None
        self._voted: dict[ItemId, tuple[Answer, ...]] = {}
        if self._stage is not None and task_type.form is not None:
            self._voted = vote_results(task_type.form, self._stage, voted, self._questions, merges)
        self._links = self._chain(project, task_type, record, visit, {r.person_id for r in voted})

    def of(self, key: AnswerKey, value: Value) -> Resolved:
        """Return the people who decided a resolved answer."""
        last_choice: object = None
        rule, person, reason = self._stage.resolution.value if self._stage else "", BY_VOTES, ""
        for answer in self._voted.get(key.item_id, ()):
            if answer.key == key:
                last_choice = self._merged_value(key, answer.value)
        for link in self._links:
            given = link.answers.get(key)
            if given is not None and self._merged_value(key, given.value) != last_choice:
                last_choice, person = self._merged_value(key, given.value), link.person_id
                reason = reason_of(link.answers, key.item_id) if link.rule != REVIEW else ""
                rule = OVERRULING if reason else link.rule
        return Resolved(key.item_id, key.field, key.entry, value, rule, person, reason)

    def _merged_value(self, key: AnswerKey, value: Value) -> Value:
        if not isinstance(value, str):
            return value
        return self._merges.counted_text(key.field, self._questions.get(key.item_id, ""), value)

    def _chain(
        self,
        project: OpenProject,
        task_type: TaskType,
        record: TaskRecord,
        visit: int,
        voters: set[PersonId],
    ) -> list[_Link]:
        links: list[_Link] = []
        for part in record.assignments:
            submission = part.counted
            is_vote = part.visit == visit and part.person_id in voters
            if submission is None or part.visit < visit or is_vote:
                continue
            body = submissions.read_body(project.file, submission.submission_id)
            answers = {answer.key: answer for answer in answers_in(body)}
            if part.visit == visit and self._stage is not None:
                may = self._stage.may_overrule
                adjudication = adjudicated(self._voted, answers, may_overrule=may)
                links.append(_Link(ADJUDICATION, part.person_id, {a.key: a for a in adjudication}))
            else:
                is_first = task_type.index(part.stage) == 0 and not self._voted
                links.append(_Link("single" if is_first else REVIEW, part.person_id, answers))
        return links


def _is_parallel(task_type: TaskType, key: str) -> bool:
    stage = task_type.stage(key)
    return stage is not None and stage.raters > 1
