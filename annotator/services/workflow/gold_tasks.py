"""Gold tasks and qualification: known results mixed into the work, and their consequences.

A lead marks results of complete tasks as gold results. Sometimes a rater gets a copy of such a
task, without any sign of it. The submission is compared with the gold result, and the copy is
withdrawn: exports, statistics and board counts exclude it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from annotator.domain.agreement.position_errors import Errors, aligned, errors
from annotator.domain.annotation.canonical import read_document
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import ProjectError
from annotator.domain.ids import DraftId, PersonId, SubmissionId, TaskId, id_between, new_id
from annotator.domain.people import Role
from annotator.domain.questions.quality import Gold, QualificationStatus, is_gold_due, out_of_limits
from annotator.domain.recipes.recipe import TaskType, Tool
from annotator.domain.recipes.tools import TOOL_OF
from annotator.domain.work.acts import Leave
from annotator.domain.work.events import Created
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.domain.work.transitions import create
from annotator.services.matching import assigned
from annotator.services.workflow.transactions import (
    SubmissionCounted,
    WorkChanged,
    WorkTransactions,
)
from annotator.store.catalog import videos
from annotator.store.questions import quality
from annotator.store.questions.quality import StatusChange
from annotator.store.workflow import feedback, submissions, tasks, travel
from annotator.store.workflow import gold as store
from annotator.store.workflow import log as work_log
from annotator.store.workflow import queue as work_queue
from annotator.store.workflow.board import stage_counts
from annotator.store.workflow.gold import GoldResult, GoldTask, Score

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document, VideoInfo


class QualificationRecords:
    """The book of who passed, failed, was warned or kept from something."""

    def __init__(self, transactions: WorkTransactions) -> None:
        self._transactions = transactions

    def note(self, change: StatusChange) -> None:
        """Store a new qualification status; work that waited for the person is offered again."""
        with self._transactions.file.transaction() as connection:
            quality.add_status(connection, change)
        self._transactions.people.read_again()
        if change.state in (QualificationStatus.PASSED, QualificationStatus.CLEARED):
            self._transactions.request_missing_raters()

    def of(self, person_id: PersonId, kind: str) -> list[StatusChange]:
        """Return a person's results in a task type since their last start.

        The first is the lead's word that they may, if there is one.
        """
        found = [
            s for s in quality.status_history(self._transactions.file, person_id) if s.kind == kind
        ]
        starts = [i for i, each in enumerate(found) if each.state is QualificationStatus.CLEARED]
        return found[starts[-1] :] if starts else found

    def end_work(self, person_id: PersonId, kind: str) -> None:
        """Release a person's claims of a kind; their drafts are kept."""
        transactions = self._transactions
        with transactions.file.reading() as connection:
            held = [
                task_id
                for task_id in work_queue.held_tasks(connection, person_id)
                if work_log.read_record(connection, task_id).kind == kind
            ]
        transactions.act_on_all(held, lambda _: (Leave(None, person_id),))
        transactions.request_missing_raters()

    def tell(self, person_id: PersonId, task_id: TaskId | None, text: str) -> None:
        """Send a message of a lead to a person."""
        lead = next((p for p in self._transactions.people.all() if p.has(Role.LEAD)), None)
        if lead is not None:
            message = feedback.new_message(
                self._transactions.now(), lead.id, person_id, task_id, text
            )
            feedback.add_feedback(self._transactions.file, message)


__all__ = ["GoldResult", "GoldShortage", "GoldTasks", "Score"]
_MEASURES: Final = {
    "iou": "position of boxes",
    "px": "position of points",
    "ms": "start and end of segments",
    "found": "missing or additional annotations",
}
_WARNING = (
    "A check of your recent work on “{title}” found larger errors than allowed: {what}. "
    "Read the guidelines again. If this is repeated, you will be suspended from these tasks."
)
_END = (
    "Checks of your recent work on “{title}” found larger errors than allowed: {what}. "
    "You are suspended from these tasks. Contact the project lead."
)


@dataclass(frozen=True, slots=True)
class GoldShortage:
    """A kind of task with fewer known results than each person will need."""

    kind: str
    title: str
    n_known: int
    n_needed: int


class GoldTasks:
    """Known results, and the tasks that repeat them; `Work.gold`."""

    def __init__(self, transactions: WorkTransactions) -> None:
        self._transactions = transactions
        self._file = transactions.file
        self._statuses = QualificationRecords(transactions)
        transactions.submitted.add(self._on_submitted)

    def add(self, task_ids: Iterable[TaskId]) -> list[tuple[TaskId, str]]:
        """Use the results of complete tasks as gold results; leads only.

        Returns the tasks of which that cannot be said, and why.
        """
        lead, refused = self._transactions.people.check_lead(), []
        gold_tasks = store.gold_task_ids(self._file)
        with self._file.transaction() as connection:
            for task_id in task_ids:
                record = self._transactions.record(task_id)
                why = _why_unknown(record, self._type_of(record), task_id in gold_tasks)
                if why:
                    refused.append((task_id, why))
                    continue
                result = cast("SubmissionId", record.base_id)
                store.keep_gold(connection, result, task_id, lead.id, self._transactions.now())
        self._transactions.changed.notify(WorkChanged())
        return refused

    def remove(self, task_ids: Iterable[TaskId]) -> None:
        """Make no further gold tasks from the results of tasks; scores are kept. Leads only."""
        self._transactions.people.check_lead()
        with self._file.transaction() as connection:
            for task_id in task_ids:
                store.drop_gold(connection, task_id)
        self._transactions.changed.notify(WorkChanged())

    def results(self, kind: str | None = None) -> list[GoldResult]:
        """Return the known results, those no longer in use too; leads only."""
        self._transactions.people.check_lead()
        return store.gold_results(self._file, kind)

    def scores(self, kind: str | None = None, person_id: PersonId | None = None) -> list[Score]:
        """Return the scores of gold tasks, the oldest first; leads only."""
        self._transactions.people.check_lead()
        return store.scores(self._file, kind, person_id)

    def task_ids(self) -> frozenset[TaskId]:
        """Return all gold tasks; leads only."""
        self._transactions.people.check_lead()
        return store.gold_task_ids(self._file)

    def shortages(self) -> list[GoldShortage]:
        """Return the kinds of task with fewer known results than each person will need."""
        found: list[GoldShortage] = []
        counts, crew = stage_counts(self._file), self._transactions.people.crew()
        for task_type in self._transactions.recipe.recipe.task_types:
            rule, first = task_type.gold, task_type.first
            if rule is None:
                continue
            known = store.gold_results(self._file, task_type.kind)
            n_known = sum(1 for each in known if each.is_active)
            n_tasks = sum(n for (kind, *_), n in counts.items() if kind == task_type.kind)
            each = n_tasks * first.raters // max(1, len(crew.by_role.get(first.role, ())))
            n_needed = rule.training + max(1, each // max(rule.every - 1, 1))
            if n_known < n_needed:
                found.append(GoldShortage(task_type.kind, task_type.title, n_known, n_needed))
        return found

    def is_gold(self, task_id: TaskId) -> bool:
        """Return whether a task is a hidden gold task."""
        found = store.find_gold_task(self._file, task_id)
        return found is not None and not found.is_training

    def shown_status(self, record: TaskRecord) -> TaskStatus:
        """Return a task's status for raters: an ended gold task looks like any other task."""
        if record.status is not TaskStatus.WITHDRAWN or not self.is_gold(record.id):
            return record.status
        return status_if_no_gold(record)

    def is_training(self, task_id: TaskId) -> bool:
        """Return whether a task is there for training."""
        found = store.find_gold_task(self._file, task_id)
        return found is not None and found.is_training

    def known_for(self, task_id: TaskId, video: VideoInfo) -> Document | None:
        """Return the known result of a training task that was submitted, else None."""
        found = store.find_gold_task(self._file, task_id)
        if found is None or not found.is_training or not self._transactions.record(task_id).counted:
            return None
        return read_document(self._body_of(found), DraftId(""), video)

    def reference_for(self, task_id: TaskId, made: Document) -> Document | None:
        """Return the gold result of a training task for comparison, as `known_for` does."""
        known = self.known_for(task_id, made.video)
        return aligned(known, made, assigned) if known is not None else None

    def training_result(self, task_id: TaskId) -> bytes | None:
        """Return the known result of a training task, for a work package; None for any other."""
        found = store.find_gold_task(self._file, task_id)
        return self._body_of(found) if found is not None and found.is_training else None

    def training_score(self, task_id: TaskId) -> Score | None:
        """Return the score of a training task that was submitted, else None."""
        return next(
            (s for s in store.scores(self._file) if s.task_id == task_id and s.is_training), None
        )

    def due_before(self, task_id: TaskId, person_id: PersonId, n_given: int = 0) -> TaskId | None:
        """Create the gold task that is due before a person's next task; None if none is due.

        Call it within `together`; the caller assigns it to the person. ``n_given`` is the number of
        assigned tasks of the kind that are not recorded yet.
        """
        record = self._transactions.record(task_id)
        task_type = self._type_of(record)
        is_new = record.reserved_for is None and not record.is_returned
        if task_type is None or not is_new or record.stage != task_type.first.key:
            return None
        return self._assign(person_id, task_type, n_given)

    def mixed_into(self, task_ids: Sequence[TaskId], person_id: PersonId) -> list[TaskId]:
        """Return the tasks for a person, with the due gold tasks among them.

        Within `together` of the caller, who gives all of them to the person.
        """
        found: list[TaskId] = []
        n_given = Counter[str]()
        for task_id in task_ids:
            kind = self._transactions.record(task_id).kind
            while (made := self.due_before(task_id, person_id, n_given[kind])) is not None:
                found.append(made)
            found.append(task_id)
            n_given[kind] += 1
        return found

    def _assign(self, person_id: PersonId, task_type: TaskType, n_before: int) -> TaskId | None:
        """Make the gold task that is due when ``n_before`` tasks more are given."""
        rule = task_type.gold
        if rule is None or self._file.meta(travel.ORIGIN) is not None:
            return None
        with self._file.reading() as connection:
            n_tasks, n_gold, n_training = store.counts_of(
                connection, task_type.kind, task_type.first.key, person_id
            )
            is_training = n_training < rule.training
            seed = f"{person_id}\n{task_type.kind}"
            if not is_training and not is_gold_due(rule, n_tasks + n_before, n_gold, seed=seed):
                return None
            gold_task_id = store.unseen_gold(connection, task_type.kind, person_id)
        if not gold_task_id:
            return None
        return self._copied(*gold_task_id[0], person_id, task_type, is_training=is_training)

    def _copied(
        self,
        gold_id: SubmissionId,
        source_id: TaskId,
        person_id: PersonId,
        task_type: TaskType,
        *,
        is_training: bool,
    ) -> TaskId:
        """Make a copy of a task for one person, as if it had been made when that one was."""
        first = self._transactions.events(source_id)[0]
        assert isinstance(first, Created)
        task_id = TaskId(id_between(source_id, new_id()))
        copy_id = create(
            task_id,
            first.video_id,
            task_type,
            by=first.by,
            now=first.at,
            priority=first.priority,
            base_id=first.base_id,
            reserved_for=person_id,
            viewing=first.viewing,
        )
        source = tasks.find_task(self._file, source_id)
        title = source.title if source is not None else task_type.title
        self._transactions.create(replace(copy_id, wanted=task_type.first.raters), title)
        with self._file.transaction() as connection:
            store.add_gold_task(connection, GoldTask(task_id, gold_id, person_id, is_training))
        return task_id

    def _on_submitted(self, submission: SubmissionCounted) -> None:
        """Measure a submission for a gold task, within its transaction."""
        gold_task_id = store.find_gold_task(self._file, submission.record.id)
        if gold_task_id is None:
            return
        measured = self._errors(gold_task_id, submission)
        if measured is None:
            return
        rule = submission.task_type.gold
        is_judged = rule is not None and not gold_task_id.is_training
        beyond = out_of_limits(measured, rule) if rule is not None and is_judged else ()
        score = Score(
            submission.submission_id,
            submission.record.id,
            submission.person_id,
            submission.record.kind,
            self._transactions.now(),
            measured,
            beyond,
            gold_task_id.is_training,
        )
        with self._file.transaction() as connection:
            store.add_score(connection, score)
        if rule is not None and is_judged:
            self._follow(score, rule, submission.task_type)

    def _errors(self, gold_task: GoldTask, submission: SubmissionCounted) -> Errors | None:
        """Return the errors of a submission, None where one of the two cannot be read any more."""
        stored = videos.find_video(self._file, submission.record.video_id)
        if stored is None:
            return None
        try:
            truth = read_document(self._body_of(gold_task), DraftId(""), stored.info)
            body = submissions.read_body(self._file, submission.submission_id)
            answer = read_document(body, DraftId(""), stored.info)
        except ProjectError:
            return None
        tools = submission.task_type.tools
        return errors(
            truth,
            answer,
            assigned,
            boxes=Tool.BOXES in tools,
            points=Tool.POINTS in tools,
            lanes=[lane for lane in Lane if TOOL_OF[lane] in tools],
        )

    def _follow(self, score: Score, rule: Gold, task_type: TaskType) -> None:
        """Warn or suspend a person whose last gold tasks are out of limits."""
        before = self._statuses.of(score.person_id, score.kind)
        if not score.beyond or any(
            change.state is QualificationStatus.SUSPENDED for change in before
        ):
            return
        since = before[0].at if before and before[0].state is QualificationStatus.CLEARED else 0
        judged = [
            one_score
            for one_score in store.scores(self._file, score.kind, score.person_id)
            if one_score.at >= since and not one_score.is_training
        ]
        n_beyond = sum(1 for one_score in judged[-rule.last :] if one_score.beyond)
        if n_beyond < rule.warn:
            return
        is_over = n_beyond >= rule.suspend
        state = QualificationStatus.SUSPENDED if is_over else QualificationStatus.WARNED
        measures_text = ", ".join(_MEASURES[name] for name in score.beyond)
        self._statuses.note(
            StatusChange(
                score.person_id,
                score.kind,
                state,
                float(n_beyond),
                score.submission_id,
                None,
                "",
                score.at,
            )
        )
        text = (_END if is_over else _WARNING).format(title=task_type.title, what=measures_text)
        self._statuses.tell(score.person_id, None, text)
        if is_over:
            self._statuses.end_work(score.person_id, score.kind)

    def _body_of(self, found: GoldTask) -> bytes:
        if found.known is not None:
            return found.known
        assert found.gold_id is not None
        return submissions.read_body(self._file, found.gold_id)

    def _type_of(self, record: TaskRecord) -> TaskType | None:
        return self._transactions.recipe.recipe.task_type(record.kind)


def _why_unknown(record: TaskRecord, task_type: TaskType | None, is_copy: bool) -> str:
    """Return why the result of a task cannot be taken for known, "" when it can."""
    if is_copy:
        return "The task is a gold task itself."
    if task_type is None or task_type.form is not None:
        return "The task has no drawn result."
    if record.status is not TaskStatus.COMPLETE or record.base_id is None:
        return "The task is not complete."
    return ""


def status_if_no_gold(record: TaskRecord) -> TaskStatus:
    """Return where a gold task that is over would stand if it were none: complete when its only
    stage was submitted, else waiting.
    """
    last = record.last_word
    is_complete = last is not None and last.stage == record.stage
    return TaskStatus.COMPLETE if is_complete else TaskStatus.WAITING
