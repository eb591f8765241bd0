"""Actions of leads: assign and unassign, open rounds, notify people, sample spot checks.

Acts on many tasks are one transaction: all of them or none. ``on_progress`` gets the fraction done;
``is_canceled`` is asked before each task, and takes everything back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import TypeAlias

from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId, SubmissionId, TaskId, new_id
from annotator.domain.recipes.recipe import SampleBy
from annotator.domain.work.acts import (
    Adopt,
    Assign,
    Close,
    ExcludePeople,
    Leave,
    OpenRound,
    Prioritize,
    Reopen,
    Retire,
    Revoke,
    Withdraw,
    WorkAct,
)
from annotator.domain.work.records import TaskRecord
from annotator.domain.work.spot_check_sampling import ReviewCandidate, is_due, risk, spot_check
from annotator.domain.work.work_statistics import return_rates
from annotator.services.workflow.gold_tasks import GoldTasks
from annotator.services.workflow.transactions import WorkChanged, WorkTransactions, new_assignment
from annotator.store.catalog import recipes
from annotator.store.catalog.recipes import StoredGuideline
from annotator.store.workflow import board as work_board
from annotator.store.workflow import feedback as store
from annotator.store.workflow import queue as work_queue
from annotator.store.workflow.feedback import SpotCheck

__all__ = ["MAX_MESSAGE", "LeadTransactions", "SpotCheck"]

Progress: TypeAlias = Callable[[float], object] | None
Canceled: TypeAlias = Callable[[], bool] | None

MAX_MESSAGE = 10_000


class LeadTransactions:
    """The lead's acts; each raises WorkError "lead-only" for anybody else.

    Of a ``trial`` those on many tasks change nothing: they return which tasks would stay as they
    are, and why.
    """

    def __init__(
        self, transactions: WorkTransactions, gold: GoldTasks, *, is_trial: bool = False
    ) -> None:
        self._transactions = transactions
        self._gold = gold
        self._is_trial = is_trial

    def trial(self) -> LeadTransactions:
        """Return a copy on which acts can be tried."""
        return LeadTransactions(self._transactions, self._gold, is_trial=True)

    def assign(
        self,
        task_ids: Sequence[TaskId],
        person_id: PersonId,
        *,
        overrules: bool = False,
        reason: str = "",
        on_progress: Progress = None,
        is_canceled: Canceled = None,
    ) -> list[tuple[TaskId, str]]:
        """Assign tasks to a person; returns refused tasks with the reason.

        ``overrules`` ignores roles, skips and the rule of one stage per person, with a recorded
        reason; nobody reviews their own work. Tasks reserved for a person who has left can go to
        another one, who gets no equal question about the video twice.
        """
        me = self._me()
        name = self._transactions.people.person(person_id).name

        def acts(record: TaskRecord) -> Iterable[WorkAct]:
            if record.reserved_for not in (None, person_id) and self._was_asked(record, person_id):
                text = (
                    f"{name}: The person answered the same question about this video in "
                    "another task."
                )
                raise WorkError(text, code="asked-already")
            return (Assign(me, new_assignment(), person_id, overrules, reason),)

        if self._is_trial:
            return self._transactions.try_on_all(task_ids, acts)
        with self._transactions.together():
            mixed = self._gold.mixed_into(task_ids, person_id)
            refused = self._all(mixed, acts, on_progress, is_canceled)
            added = set(mixed).difference(task_ids)
            self._transactions.act_on_all(
                [t for t, _ in refused if t in added], lambda _: (Retire(),)
            )
        return [refusal for refusal in refused if refusal[0] not in added]

    def take_back(
        self,
        task_ids: Sequence[TaskId],
        reason: str,
        *,
        on_progress: Progress = None,
        is_canceled: Canceled = None,
    ) -> list[tuple[TaskId, str]]:
        """Unassign tasks; their drafts are kept."""
        me = self._me()

        def acts(record: TaskRecord) -> Iterable[WorkAct]:
            return [Revoke(me, held.id, reason) for held in record.holders]

        return self._all(task_ids, acts, on_progress, is_canceled)

    def prioritize(
        self,
        task_ids: Sequence[TaskId],
        priority: int,
        *,
        on_progress: Progress = None,
        is_canceled: Canceled = None,
    ) -> list[tuple[TaskId, str]]:
        """Move tasks in their queues: the highest number comes first, 0 is usual."""
        me = self._me()
        return self._all(task_ids, lambda _: (Prioritize(me, priority),), on_progress, is_canceled)

    def bar(self, task_ids: Sequence[TaskId], people: Iterable[PersonId], reason: str) -> None:
        """Exclude people from tasks that review their own work; leads cannot overrule it."""
        me, who = self._me(), tuple(people)
        self._transactions.act_on_all(task_ids, lambda _: (ExcludePeople(me, who, reason),))

    def withdraw(
        self,
        task_ids: Sequence[TaskId],
        reason: str,
        *,
        on_progress: Progress = None,
        is_canceled: Canceled = None,
    ) -> list[tuple[TaskId, str]]:
        """Take tasks out of the work; `reopen` brings them back."""
        me = self._me()
        return self._all(task_ids, lambda _: (Withdraw(me, reason),), on_progress, is_canceled)

    def close(
        self,
        task_ids: Sequence[TaskId],
        reason: str,
        *,
        on_progress: Progress = None,
        is_canceled: Canceled = None,
    ) -> list[tuple[TaskId, str]]:
        """Mark tasks as complete with their last submission."""
        me = self._me()
        return self._all(task_ids, lambda _: (Close(me, reason),), on_progress, is_canceled)

    def reopen(
        self,
        task_ids: Sequence[TaskId],
        reason: str,
        *,
        stage: str = "",
        on_progress: Progress = None,
        is_canceled: Canceled = None,
    ) -> list[tuple[TaskId, str]]:
        """Reopen tasks at a stage, by default the last one, for any eligible person."""
        me = self._me()
        return self._all(task_ids, lambda _: (Reopen(me, reason, stage),), on_progress, is_canceled)

    def use_as_result(
        self, task_id: TaskId, submission_id: SubmissionId, reason: str
    ) -> TaskRecord:
        """Use an uncounted submission (late, unassigned) as the result of its stage.

        The later stages follow again. WorkError while the task is assigned.
        """
        return self._transactions.act(task_id, Adopt(self._me(), submission_id, reason))

    def keep_guidelines(self, title: str, text: str) -> str:
        """Keep guidelines (Markdown) for a round and return the name they are kept under."""
        self._me()
        name = f"round-{new_id()}"
        recipes.write_guideline(
            self._transactions.file, StoredGuideline(name, title.strip() or "Round", text)
        )
        return name

    def open_round(
        self,
        task_ids: Sequence[TaskId],
        *,
        kept_guidelines: str = "",
        title: str = "",
        guidelines: str = "",
        reason: str = "",
        stage: str = "",
        on_progress: Progress = None,
        is_canceled: Canceled = None,
    ) -> list[tuple[TaskId, str]]:
        """Send complete tasks through the later stages again, with guidelines of their own.

        ``guidelines`` is Markdown; "" leaves those of the recipe, or takes the ``kept`` ones. For
        many tasks in portions these are written once, by `keep_guidelines`. Returns tasks that are
        not complete, with the reason.
        """
        me = self._me()
        with nullcontext() if self._is_trial else self._transactions.together():
            is_new = guidelines.strip() and not self._is_trial
            name = self.keep_guidelines(title, guidelines) if is_new else kept_guidelines
            return self._all(
                task_ids, lambda _: (OpenRound(me, name, reason, stage),), on_progress, is_canceled
            )

    def remove_person(self, person_id: PersonId) -> list[TaskId]:
        """Deactivate a person: their claims return to the queue, drafts are kept.

        Returns those tasks. Tasks without an eligible person are escalated to the lead.
        """
        transactions = self._transactions
        me = self._me()
        with transactions.together(), transactions.file.reading() as connection:
            held = work_queue.held_tasks(connection, person_id)
            transactions.people.set_active(person_id, is_active=False)
            transactions.act_on_all(held, lambda _: (Leave(me, person_id),))
            transactions.request_missing_raters()
        return held

    def bring_back(self, person_id: PersonId) -> None:
        """Reactivate a person."""
        self._me()
        with self._transactions.together():
            self._transactions.people.set_active(person_id, is_active=True)

    def tell(self, text: str, *, to: PersonId | None = None, task_id: TaskId | None = None) -> None:
        """Send feedback to one person or to all; it appears in their work list."""
        me = self._me()
        words = text.strip()
        if not 0 < len(words) <= MAX_MESSAGE:
            raise WorkError(
                f"The message must have 1 to {MAX_MESSAGE} characters.", code="bad-message"
            )
        if to is not None:
            self._transactions.people.person(to)
        message = store.new_message(self._transactions.now(), me, to, task_id, words)
        store.add_feedback(self._transactions.file, message)
        self._transactions.changed.notify(WorkChanged())

    def is_spot_check_due(self) -> bool:
        """Return whether new spot checks are due by the recipe."""
        wanted = self._transactions.recipe.recipe.spot_checks
        if wanted is None or not store.has_new_submissions(self._transactions.file):
            return False
        drawn = [c.drawn_at for c in self.spot_checks()]
        return is_due(max(drawn, default=None), self._transactions.now(), wanted.every_days)

    def draw_spot_checks(
        self, share: float | None = None, *, by: SampleBy | None = None
    ) -> list[SpotCheck]:
        """Sample a share (0..1) of the submissions since the last sample, for the lead.

        New ones are determined by the log, not by clocks. The recipe has the defaults. By risk,
        submissions of people with many returns, with many findings, or unlike the previous state
        come first. Returns all sampled submissions without a review.
        """
        self._me()
        file, now = self._transactions.file, self._transactions.now()
        spot_check_rule = self._transactions.recipe.recipe.spot_checks
        share = (
            share
            if share is not None
            else (spot_check_rule.share if spot_check_rule is not None else 0.05)
        )
        by = by or (spot_check_rule.by if spot_check_rule is not None else SampleBy.RANDOM)
        rates = return_rates(work_board.submission_rows(file))
        new = [
            ReviewCandidate(
                row.submission_id, risk(rates.get(row.person_id), row.findings, row.agreed)
            )
            for row in store.new_submissions(file)
        ]
        seed = f"{file.meta('project_id')} {now}"
        store.add_spot_checks(file, spot_check(new, share, by=by, seed=seed), now)
        self._transactions.changed.notify(WorkChanged())
        return [check for check in self.spot_checks() if check.seen_at is None]

    def spot_checks(self) -> list[SpotCheck]:
        """Return all submissions that were drawn, the latest first."""
        return store.list_spot_checks(self._transactions.file)

    def note_spot_check(self, submission_id: SubmissionId, note: str) -> None:
        """Store the result of a spot check."""
        self._me()
        store.note_spot_check(
            self._transactions.file, submission_id, self._transactions.now(), note.strip()
        )
        self._transactions.changed.notify(WorkChanged())

    def _was_asked(self, record: TaskRecord, person_id: PersonId) -> bool:
        with self._transactions.file.reading() as connection:
            return work_queue.has_same_task(connection, record.id, person_id)

    def _me(self) -> PersonId:
        return self._transactions.people.check_lead().id

    def _all(
        self,
        task_ids: Sequence[TaskId],
        acts: Callable[[TaskRecord], Iterable[WorkAct]],
        on_progress: Progress,
        is_canceled: Canceled,
    ) -> list[tuple[TaskId, str]]:
        if self._is_trial:
            return self._transactions.try_on_all(task_ids, acts)
        return self._transactions.act_on_all(
            task_ids,
            acts,
            on_progress=on_progress,
            is_canceled=is_canceled,
            skips_refused=True,
        )
