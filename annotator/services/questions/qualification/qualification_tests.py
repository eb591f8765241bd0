"""Qualification tests: submissions, grades and remaining attempts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from annotator.domain.answer import AnswerKey, Value
from annotator.domain.errors import WorkError
from annotator.domain.forms.field import Form
from annotator.domain.ids import ItemId, PersonId, SubmissionId, TaskId
from annotator.domain.people import Person
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.quality import GRADES, Passing, QualificationStatus, verdict_on
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.records import Instant, TaskRecord
from annotator.services.questions.forms import form_under, version_of
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.services.workflow.gold_tasks import QualificationRecords
from annotator.services.workflow.transactions import SubmissionCounted, WorkTransactions
from annotator.store.questions import items, quality
from annotator.store.questions.quality import StatusChange
from annotator.store.workflow import submissions


class WaitingTest(NamedTuple):
    """A test that waits for a grade; ``attempt`` counts from 1, ``at`` is its arrival."""

    submission_id: SubmissionId
    task_id: TaskId
    person_id: PersonId
    kind: str
    attempt: int
    at: Instant


@dataclass(frozen=True, slots=True)
class SubmittedTest:
    """Submitted test: its items and answers, of all tasks of the attempt."""

    form: Form
    items: tuple[Item, ...]
    answers: Mapping[AnswerKey, Value]
    grades: Mapping[ItemId, int]


@dataclass(frozen=True, slots=True)
class OwnTest:
    """State of a person's test; ``status`` None: not tried since they last began.

    ``reached`` is the share or mean grade of the last time, ``left`` how often they may try yet,
    ``n_done`` how many tasks of the attempt are submitted.
    ``opens`` are the titles of the tasks that require it, ``needs`` of the tests to be passed
    before it.
    """

    kind: str
    title: str
    passing: Passing
    status: QualificationStatus | None
    reached: float | None
    left: int
    note: str
    opens: tuple[str, ...]
    needs: tuple[str, ...]
    n_done: int = 0


class Qualifying:
    """Judges tests as they come in, or when a lead has graded them."""

    def __init__(
        self, transactions: WorkTransactions, status_history: QualificationRecords
    ) -> None:
        self._transactions = transactions
        self._file = transactions.file
        self._statuses = status_history

    def judge(self, submission: SubmissionCounted, passing: Passing, right: Sequence[bool]) -> None:
        """Grade a submitted test, or leave it for a lead.

        Once it is passed, or no attempt is left, further submissions change nothing.
        """
        person_id, kind = submission.person_id, submission.record.kind
        changes = self._statuses.of(person_id, kind)
        if changes and changes[-1].state in (QualificationStatus.PASSED, QualificationStatus.SPENT):
            return
        attempt = self._attempt(person_id, kind)
        if len(attempt) < passing.n_tasks:
            return
        if passing.n_tasks > 1:
            judged = quality.judgements(self._file, kind, person_id=person_id)
            right = [
                judged_id.is_right
                for judged_id in judged
                if judged_id.submission_id in attempt and judged_id.purpose is not Purpose.ATTENTION
            ]
        if passing.grade is not None:
            now = self._transactions.now()
            waits = StatusChange(
                person_id,
                kind,
                QualificationStatus.HANDED_IN,
                None,
                submission.submission_id,
                None,
                "",
                now,
            )
            self._statuses.note(waits)
            self._statuses.end_work(person_id, kind)
            return
        verdict = verdict_on(passing, right, ())
        if verdict is not None:
            score = sum(right) / len(right)
            self._conclude(submission.record, person_id, submission.submission_id, verdict, score)

    def waiting(self) -> list[WaitingTest]:
        """Return the tests that wait for grades, oldest first."""
        last = {(each.person_id, each.kind): each for each in quality.status_history(self._file)}
        found = [each for each in last.values() if each.state is QualificationStatus.HANDED_IN]
        return [
            WaitingTest(
                each.submission_id,
                submissions.task_of(self._file, each.submission_id),
                each.person_id,
                each.kind,
                1 + self._n_failed(each.person_id, each.kind),
                each.at,
            )
            for each in sorted(found, key=lambda each: each.at)
            if each.submission_id is not None
        ]

    def submitted_test(self, submission_id: SubmissionId) -> SubmittedTest:
        """Return the submitted test of a task; WorkError if it has no questions."""
        record = self._transactions.record(submissions.task_of(self._file, submission_id))
        submitted_answers = answers_in(submissions.read_body(self._file, submission_id))
        recipe = self._transactions.recipe
        form = form_under(recipe, record.kind, version_of(recipe, submitted_answers))
        if form is None:
            raise WorkError("The task has no questions.", code="no-form")
        test_items: list[Item] = []
        answers: dict[AnswerKey, Value] = {}
        grades: dict[ItemId, int] = {}
        for graded_id in self._graded_with(record, submission_id):
            graded_answers = answers_in(submissions.read_body(self._file, graded_id))
            answers |= {answer.key: answer.value for answer in graded_answers}
            grades |= quality.grades(self._file, graded_id)
            test_items += self._items(graded_id)
        return SubmittedTest(form, tuple(test_items), answers, grades)

    def _items(self, submission_id: SubmissionId) -> list[Item]:
        task_id = submissions.task_of(self._file, submission_id)
        with self._file.reading() as connection:
            return items.items_of(connection, task_id)

    def _attempt(self, person_id: PersonId, kind: str) -> list[SubmissionId]:
        """Return the submissions of a person since the last judged attempt, oldest first."""
        changes = self._statuses.of(person_id, kind)
        judged = [
            change.submission_id
            for change in quality.status_history(self._file, person_id)
            if change.kind == kind
            and change.state in (QualificationStatus.PASSED, QualificationStatus.FAILED)
        ]
        submitted_ids = submissions.submitted_by(self._file, person_id, kind)
        ends = [
            submitted_ids.index(submission_id)
            for submission_id in judged
            if submission_id in submitted_ids
        ]
        since = submitted_ids[max(ends) + 1 :] if ends else submitted_ids
        if changes and changes[0].state is QualificationStatus.CLEARED and not judged:
            # Submissions before a reset do not count.
            judgements = quality.judgements(self._file, kind, person_id=person_id)
            old = {j.submission_id for j in judgements if j.at <= changes[0].at}
            since = [submission_id for submission_id in since if submission_id not in old]
        return since

    def _graded_with(self, record: TaskRecord, submission_id: SubmissionId) -> list[SubmissionId]:
        """Return the submissions of the attempt that ends with one."""
        passing = self._transactions.task_type(record.kind).passing
        n_tasks = passing.n_tasks if passing is not None else 1
        who = _author_of(record, submission_id)
        submitted_ids = submissions.submitted_by(self._file, who, record.kind)
        if n_tasks == 1 or submission_id not in submitted_ids:
            return [submission_id]
        end = submitted_ids.index(submission_id) + 1
        return submitted_ids[max(0, end - n_tasks) : end]

    def grade(
        self, submission_id: SubmissionId, item_id: ItemId, grade: int, note: str, by_id: PersonId
    ) -> None:
        """Keep a grade; with the last item graded the test is passed or failed."""
        if grade not in GRADES:
            raise WorkError(f"Grades must be from {GRADES[0]} to {GRADES[-1]}.", code="bad-grade")
        record = self._transactions.record(submissions.task_of(self._file, submission_id))
        with self._transactions.together(), self._file.transaction() as connection:
            attempt = self._graded_with(record, submission_id)
            place = {
                item.id: attempt_id for attempt_id in attempt for item in self._items(attempt_id)
            }
            if item_id not in place:
                raise WorkError("The question is not part of that task.", code="no-item")
            now = self._transactions.now()
            quality.write_grade(connection, place[item_id], item_id, grade, by_id, now)
            grades = {
                i: g
                for attempt_id in attempt
                for i, g in quality.grades(self._file, attempt_id).items()
            }
            asked_ids = place.keys()
            passing = self._transactions.task_type(record.kind).passing
            if passing is None or not asked_ids <= grades.keys():
                return
            verdict = verdict_on(passing, (), list(grades.values()))
            if verdict is not None:
                mean, author = sum(grades.values()) / len(grades), _author_of(record, submission_id)
                self._conclude(record, author, submission_id, verdict, mean, by_id=by_id, note=note)

    def of(self, person: Person) -> list[OwnTest]:
        """Return the tests that a person must pass before their work, in recipe order."""
        recipe = self._transactions.recipe.recipe
        titles = {task_type.kind: task_type.title for task_type in recipe.task_types}
        own_tests: list[OwnTest] = []
        for task_type in recipe.task_types:
            opens = tuple(t.title for t in recipe.task_types if task_type.kind in t.requires)
            if task_type.passing is None or not any(person.has(s.role) for s in task_type.stages):
                continue
            changes = self._statuses.of(person.id, task_type.kind)
            results = [
                s
                for s in changes
                if s.state not in (QualificationStatus.CLEARED, QualificationStatus.SPENT)
            ]
            last = results[-1] if results else None
            is_spent = bool(changes) and changes[-1].state is QualificationStatus.SPENT
            n_left = max(0, task_type.passing.attempts - _failed(changes))
            own_tests.append(
                OwnTest(
                    task_type.kind,
                    task_type.title,
                    task_type.passing,
                    QualificationStatus.SPENT
                    if is_spent
                    else last.state
                    if last is not None
                    else None,
                    last.score if last is not None else None,
                    n_left,
                    last.note if last is not None else "",
                    opens,
                    tuple(titles.get(kind, kind) for kind in task_type.requires),
                    len(self._attempt(person.id, task_type.kind))
                    if task_type.passing.n_tasks > 1
                    else 0,
                )
            )
        return own_tests

    def _conclude(
        self,
        record: TaskRecord,
        person_id: PersonId,
        submission_id: SubmissionId,
        verdict: QualificationStatus,
        score: float,
        *,
        by_id: PersonId | None = None,
        note: str = "",
    ) -> None:
        """Store the result of a test, apply its effects, and notify the person."""
        task_type, kind, now = (
            self._transactions.task_type(record.kind),
            record.kind,
            self._transactions.now(),
        )
        assert task_type.passing is not None
        self._statuses.note(
            StatusChange(person_id, kind, verdict, score, submission_id, by_id, note, now)
        )
        n_left = task_type.passing.attempts - self._n_failed(person_id, kind)
        is_spent = verdict is QualificationStatus.FAILED and n_left <= 0
        if is_spent:
            self._statuses.note(
                StatusChange(
                    person_id, kind, QualificationStatus.SPENT, score, None, by_id, note, now
                )
            )
        if is_spent or verdict is QualificationStatus.PASSED:
            self._statuses.end_work(person_id, kind)
        text = _result_text(task_type, verdict, score, n_left, note)
        self._statuses.tell(person_id, record.id, text)

    def _n_failed(self, person_id: PersonId, kind: str) -> int:
        return _failed(self._statuses.of(person_id, kind))


def _failed(changes: Sequence[StatusChange]) -> int:
    """Return how many attempts failed; one that was graded anew counts as it was graded last."""
    last = {s.submission_id: s.state for s in changes if s.submission_id is not None}
    return sum(state is QualificationStatus.FAILED for state in last.values())


def _result_text(
    task_type: TaskType, verdict: QualificationStatus, score: float, n_left: int, note: str
) -> str:
    passing = task_type.passing
    assert passing is not None
    if passing.grade is not None:
        reached = f"mean grade {score:.3g} of {GRADES[-1]}; required: {passing.grade:g}"
    else:
        reached = f"{score:.0%} correct; required: {passing.share or 0:.0%}"
    if verdict is QualificationStatus.PASSED:
        text = f"You passed “{task_type.title}”: {reached}."
    elif n_left > 0:
        times = "one attempt" if n_left == 1 else f"{n_left} attempts"
        text = f"You did not pass “{task_type.title}”: {reached}. You have {times} left."
    else:
        text = (
            f"You did not pass “{task_type.title}”: {reached}. You have no attempts left. Contact "
            "the project lead."
        )
    return f"{text}\n{note}" if note else text


def _author_of(record: TaskRecord, submission_id: SubmissionId) -> PersonId:
    for each in record.assignments:
        if any(submission.submission_id == submission_id for submission in each.submissions):
            return each.person_id
    raise WorkError("The submission does not belong to that task.", code="no-submission")
