"""Voiding the votes of one person: the items are asked again of others, on record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from annotator.domain.answer import Answer
from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, ItemId, PersonId, SubmissionId, TaskId
from annotator.domain.questions.answer_groups import Merges
from annotator.domain.questions.items.item import ItemState
from annotator.domain.recipes.recipe import StageSpec, TaskType
from annotator.domain.work.acts import VoidVote
from annotator.domain.work.events import VoteVoided
from annotator.domain.work.records import AssignmentState, TaskRecord, TaskStatus
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.outcomes import vote_results
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.store.questions import items, votes
from annotator.store.questions.votes import VoteRow, merges_of
from annotator.store.workflow import submissions, tasks

_COUNTED: Final = frozenset((AssignmentState.SUBMITTED, AssignmentState.HELD))


@dataclass(frozen=True, slots=True)
class VoidPlan:
    """Effect of voiding the votes of a person.

    ``n_tasks`` are asked again. Of the ``n_items`` with a vote of the person, ``n_same`` keep their
    answer by the other votes, ``n_other`` get another, ``n_open`` are open until the next vote.
    """

    n_tasks: int = 0
    n_votes: int = 0
    n_items: int = 0
    n_same: int = 0
    n_other: int = 0
    n_open: int = 0


@dataclass(frozen=True, slots=True)
class _Case:
    """A task with a vote of the person: the rows of its visit, by whom each assignment is."""

    record: TaskRecord
    stage: StageSpec
    rows: list[VoteRow]
    voided: AssignmentId
    kept: tuple[AssignmentId, ...]


def plan_voiding(project: OpenProject, person_id: PersonId, kind: str) -> VoidPlan:
    """Return the effect of voiding; leads only. WorkError for tasks without questions."""
    project.work.people.check_lead()
    task_type = _asking(project, kind)
    merges = Merges(merges_of(project.file, kind))
    n_tasks = n_votes = n_same = n_other = n_open = 0
    touched: set[tuple[TaskId, ItemId]] = set()
    for case in _cases(project, person_id, task_type):
        n_tasks += 1
        own = [row for row in case.rows if row.person_id == person_id]
        other_rows = [row for row in case.rows if row.person_id != person_id]
        n_votes += len(own)
        item_ids = {row.item_id for row in own}
        touched |= {(case.record.id, item) for item in item_ids}
        with project.file.reading() as connection:
            questions = {i.id: i.text for i in items.items_of(connection, case.record.id)}
        assert task_type.form is not None
        before, after = (
            vote_results(task_type.form, case.stage, rows, questions, merges)
            for rows in (case.rows, other_rows)
        )
        for item in item_ids:
            old = {answer.key: answer.value for answer in before.get(item, ())}
            new = {answer.key: answer.value for answer in after.get(item, ())}
            n_open += not new
            n_same += bool(new) and new == old
            n_other += bool(new) and new != old
    return VoidPlan(n_tasks, n_votes, len(touched), n_same, n_other, n_open)


def void_votes(
    project: OpenProject,
    person_id: PersonId,
    kind: str,
    reason: str,
    report: Callable[[float], object] = lambda _: None,
) -> int:
    """Void all votes of a person in a task type; returns the number of tasks; leads only.

    One transaction: an error leaves everything as it was. Their submissions stay in the project,
    and the history of each task says who voided them and why. WorkError without a reason.
    """
    me = project.work.people.check_lead()
    if not reason.strip():
        raise WorkError("Enter a reason.", code="no-reason")
    cases = list(_cases(project, person_id, _asking(project, kind)))
    transactions = project.work.transactions
    with transactions.together():
        for i, case in enumerate(cases):
            report(i / len(cases))
            transactions.act(case.record.id, VoidVote(me.id, case.voided, case.kept, reason))
            visit = project.work.record(case.record.id).visit
            with project.file.transaction() as connection:
                votes.void_votes(connection, case.record.id, case.stage.key, person_id, visit)
                item_ids = {row.item_id for row in case.rows}
                items.set_state(connection, sorted(item_ids), ItemState.OPEN)
    return len(cases)


@dataclass(frozen=True, slots=True)
class VoidedVote:
    """A voided answer, with the lead and the reason."""

    answer: Answer
    person_id: PersonId
    stage: str
    submission_id: SubmissionId
    by: PersonId | None
    reason: str


def voided_votes(project: OpenProject, kind: str) -> dict[ItemId, list[VoidedVote]]:
    """Return the voided votes in complete tasks of a kind, by item, as they were submitted."""
    voided: dict[ItemId, list[VoidedVote]] = {}
    with project.file.reading() as connection:
        task_ids = tasks.with_assignments(
            connection, kind, TaskStatus.COMPLETE, AssignmentState.VOIDED
        )
    for task_id in task_ids:
        record = project.work.record(task_id)
        events = {
            event.assignment_id: event
            for event in project.work.history(task_id)
            if isinstance(event, VoteVoided)
        }
        for assignment in record.assignments:
            event, submission = events.get(assignment.id), assignment.counted
            if (
                assignment.state is not AssignmentState.VOIDED
                or submission is None
                or event is None
            ):
                continue
            name = submission.submission_id
            for answer in answers_in(submissions.read_body(project.file, name)):
                vote = VoidedVote(
                    answer, assignment.person_id, assignment.stage, name, event.by, event.text
                )
                voided.setdefault(answer.key.item_id, []).append(vote)
    return voided


def _asking(project: OpenProject, kind: str) -> TaskType:
    task_type = project.work.recipe.task_type(kind)
    if task_type is None or task_type.form is None:
        raise WorkError(f"No questions are asked in tasks of the type “{kind}”.", code="no-kind")
    return task_type


def _cases(project: OpenProject, person_id: PersonId, task_type: TaskType) -> Iterator[_Case]:
    """Yield the tasks in whose last vote the person took part."""
    file = project.file
    mine: dict[TaskId, tuple[str, int]] = {}
    for row in votes.votes_of_kind(file, task_type.kind):
        if row.person_id == person_id:
            my_vote = mine.get(row.task_id)
            if my_vote is None or my_vote[1] < row.visit:
                mine[row.task_id] = (row.stage, row.visit)
    for task_id, (key, visit) in mine.items():
        stage = task_type.stage(key)
        every = votes.votes_of(file, task_id, stage=key)
        if stage is None or visit != max(row.visit for row in every):
            continue
        rows = [row for row in every if row.visit == visit]
        voters = {row.person_id for row in rows}
        record = project.work.record(task_id)
        parts = [
            assignment
            for assignment in record.assignments
            if (assignment.stage, assignment.visit) == (key, visit) and assignment.state in _COUNTED
        ]
        own = [e.id for e in parts if e.person_id == person_id and e.counted is not None]
        if not own:
            continue
        cases = tuple(
            e.id
            for e in parts
            if e.person_id != person_id
            and (e.person_id in voters or e.state is AssignmentState.HELD)
        )
        yield _Case(record, stage, rows, own[-1], cases)
