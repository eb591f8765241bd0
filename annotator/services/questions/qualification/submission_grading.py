"""Evaluation of qualification tests and attention checks on submission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from annotator.domain.answer import Answer, Value
from annotator.domain.errors import WorkError
from annotator.domain.ids import ItemId, PersonId, SubmissionId
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.items.item_checks import why_wrong_check
from annotator.domain.questions.quality import QualificationStatus, is_right
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.records import TaskRecord
from annotator.services.questions.asking.attention_checks import revealed
from annotator.services.questions.qualification.qualification_tests import (
    OwnTest,
    Qualifying,
    SubmittedTest,
    WaitingTest,
)
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.services.workflow.gold_tasks import QualificationRecords
from annotator.services.workflow.transactions import SubmissionCounted, WorkTransactions
from annotator.store.questions import items, quality
from annotator.store.questions.quality import CheckOutcome, StatusChange
from annotator.store.workflow import submissions, travel

__all__ = [
    "CheckOutcome",
    "OwnTest",
    "Qualification",
    "StatusChange",
    "SubmittedTest",
    "WaitingTest",
]

_WARNING = (
    "You gave a wrong answer to an attention check. Attention checks verify that questions are "
    "read carefully. After another wrong answer you will be suspended from these tasks."
)
_END = (
    "You gave another wrong answer to an attention check. You are suspended from these "
    "tasks. Contact the project lead."
)
_ANEW = "You can continue with “{title}”. Earlier results no longer count."


@dataclass(frozen=True, slots=True)
class Shortage:
    """Attention checks of a task type: the available number and the number each person needs."""

    kind: str
    title: str
    n_checks: int
    n_needed: int


class Qualification:
    """Tests, attention checks and gold answers; `OpenProject.qualification`.

    Submissions are graded automatically in the lead's copy of the project; a lead can overrule the
    result.
    """

    def __init__(self, transactions: WorkTransactions) -> None:
        self._transactions = transactions
        self._file = transactions.file
        self._statuses = QualificationRecords(transactions)
        self._tests = Qualifying(transactions, self._statuses)
        transactions.submitted.add(self._on_submitted)

    def add_checks(self, checks: Iterable[Item]) -> None:
        """Add attention checks to the tasks of their kind; leads only. WorkError for a bad one."""
        self._transactions.people.check_lead()
        added = list(checks)
        for item in added:
            why = why_wrong_check(item, self._transactions.recipe.recipe.task_type(item.kind))
            if why:
                raise WorkError(
                    f"Cannot use “{item.text}” as an attention check: {why}", code="bad-item"
                )
        with self._file.transaction() as connection:
            items.add_items(connection, None, 0, added)

    def shortages(self) -> list[Shortage]:
        """Return the kinds of tasks in which people will meet attention checks a second time."""
        shortage_list: list[Shortage] = []
        crew = self._transactions.people.crew()
        for task_type in self._transactions.recipe.recipe.task_types:
            rule = task_type.attention
            if rule is None:
                continue
            stage = task_type.stages[0]
            with self._file.reading() as connection:
                n_items = items.count_work(connection, task_type.kind)
                n_checks = len(items.checks_of(connection, task_type.kind))
            people = max(1, len(crew.by_role.get(stage.role, ())))
            per_person = -(-n_items * stage.raters // people)
            needed = per_person // max(rule.every - 1, 1)
            if n_checks < needed:
                shortage_list.append(Shortage(task_type.kind, task_type.title, n_checks, needed))
        return shortage_list

    def judgements(self, kind: str, purpose: Purpose | None = None) -> list[CheckOutcome]:
        """Return all judged answers of a task type, oldest first; leads only."""
        self._transactions.people.check_lead()
        return quality.judgements(self._file, kind, purpose)

    def status_history(self, person_id: PersonId | None = None) -> list[StatusChange]:
        """Return all results of tests and checks, oldest first; of others for leads only."""
        me = self._transactions.people.me
        if me is None or me.id != person_id:
            self._transactions.people.check_lead()
        return quality.status_history(self._file, person_id)

    def own_tests(self) -> list[OwnTest]:
        """Return the tests of the signed-in person with their state."""
        me = self._transactions.people.me
        return self._tests.of(me) if me is not None else []

    def to_grade(self) -> list[WaitingTest]:
        """Return the tests that wait for grades, oldest first; leads only."""
        self._transactions.people.check_lead()
        return self._tests.waiting()

    def submitted_test(self, submission_id: SubmissionId) -> SubmittedTest:
        """Return a submitted test with its grades so far; leads only."""
        self._transactions.people.check_lead()
        return self._tests.submitted_test(submission_id)

    def grade(
        self, submission_id: SubmissionId, item_id: ItemId, grade: int, note: str = ""
    ) -> None:
        """Grade the answer to an item of a test, 1 to 4; leads only.

        After the last grade the test is passed or failed, and the person is notified with the note.
        WorkError for an invalid grade or item.
        """
        lead = self._transactions.people.check_lead()
        self._tests.grade(submission_id, item_id, grade, note.strip(), lead.id)

    def set_status(
        self, person_id: PersonId, kind: str, status: QualificationStatus, note: str = ""
    ) -> None:
        """Set the qualification status of a person for a task type; leads only.

        `QualificationStatus.CLEARED` resets it: earlier failures no longer count.
        """
        lead = self._transactions.people.check_lead()
        title = self._transactions.task_type(kind).title
        with self._transactions.together():
            score = (
                self._n_wrong(person_id, kind) if status is QualificationStatus.CLEARED else None
            )
            now = self._transactions.now()
            self._statuses.note(
                StatusChange(person_id, kind, status, score, None, lead.id, note, now)
            )
            if status is QualificationStatus.SUSPENDED:
                self._statuses.end_work(person_id, kind)
            if status is QualificationStatus.CLEARED:
                text = _ANEW.format(title=title)
                self._statuses.tell(person_id, None, f"{text}\n{note}" if note else text)

    def _on_submitted(self, submission: SubmissionCounted) -> None:
        """Judge a submission within its transaction."""
        record, task_type = submission.record, submission.task_type
        if task_type.form is None or self._file.meta(travel.ORIGIN) is not None:
            return
        judged = self._judged(submission)
        self._look_at_checks(record, task_type, submission.person_id, judged)
        if task_type.passing is not None:
            right = [each.is_right for each in judged if each.purpose is not Purpose.ATTENTION]
            self._tests.judge(submission, task_type.passing, right)

    def _judged(self, submission: SubmissionCounted) -> list[CheckOutcome]:
        """Store the judged gold answers of a submission."""
        record = submission.record
        answers = self._answers(record, submission.submission_id)
        with self._file.transaction() as connection:
            asked_items = items.items_of(connection, record.id)
            known_items = [*asked_items, *items.checks_of(connection, record.kind)]
            judged = [
                CheckOutcome(
                    submission.person_id,
                    item.id,
                    submission.submission_id,
                    record.kind,
                    item.purpose,
                    is_right(item, values),
                    self._transactions.now(),
                )
                for item in known_items
                if item.right
                and item.purpose not in (Purpose.WORK, Purpose.STUDY)
                and (values := _first_entry(answers, item.id))
            ]
            quality.add_judgements(connection, judged)
        return judged

    def _answers(self, record: TaskRecord, submission_id: SubmissionId) -> list[Answer]:
        """Return the answers with the original IDs of attention checks."""
        given = answers_in(submissions.read_body(self._file, submission_id))
        for each in record.assignments:
            if any(submission.submission_id == submission_id for submission in each.submissions):
                names = revealed(self._file, each.id)
                return [_renamed(answer, names) for answer in given]
        return given

    def _look_at_checks(
        self,
        record: TaskRecord,
        task_type: TaskType,
        person_id: PersonId,
        judged: list[CheckOutcome],
    ) -> None:
        rule = task_type.attention
        if rule is None or all(e.is_right for e in judged if e.purpose is Purpose.ATTENTION):
            return
        since = self._statuses.of(person_id, record.kind)
        is_anew = bool(since) and since[0].state is QualificationStatus.CLEARED
        n_forgiven = (since[0].score or 0) if is_anew else 0
        failed = self._n_wrong(person_id, record.kind) - n_forgiven
        is_over = failed >= rule.failures
        status = QualificationStatus.SUSPENDED if is_over else QualificationStatus.WARNED
        now = self._transactions.now()
        self._statuses.note(
            StatusChange(person_id, record.kind, status, failed, None, None, "", now)
        )
        self._statuses.tell(person_id, record.id, _END if is_over else _WARNING)
        if is_over:
            self._statuses.end_work(person_id, record.kind)

    def _n_wrong(self, person_id: PersonId, kind: str) -> int:
        """Return the number of the person's submissions with wrong answers to attention checks: a
        person who fails several at once is also warned before losing the task type."""
        found = quality.judgements(self._file, kind, Purpose.ATTENTION, person_id=person_id)
        return len({each.submission_id for each in found if not each.is_right})


def _renamed(answer: Answer, names: Mapping[ItemId, ItemId]) -> Answer:
    key = answer.key
    return replace(answer, key=key._replace(item_id=names.get(key.item_id, key.item_id)))


def _first_entry(given: Iterable[Answer], item_id: ItemId) -> dict[str, Value]:
    return {
        answer.key.field: answer.value
        for answer in given
        if answer.key.item_id == item_id and answer.key.entry == 0
    }
