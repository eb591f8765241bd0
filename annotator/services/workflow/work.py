"""Tasks of a project: next task, its draft, submission.

    work = project.work
    work.people                 people; sign in, add, roles, PINs
    work.recipe                 stages, roles, checklists, guidelines
    work.my_work()              tasks of the signed-in person
    work.claim_next()           claim the next task; `open` returns its draft
    work.submit(session)        submit it with a verdict
    work.enter(task_id)         start counting time; `poke` at every activity
    work.board(filter)          all tasks as rows; `statistics` sums them up
    work.submission_statistics  findings and agreement of submissions
    work.lead                   actions of a lead: assign, reopen, rounds, feedback, spot checks
    work.gold                   gold results, gold tasks and their scores
    work.changed                sent with every changed task

Every act is one transaction in the project file. WorkError names the rule that forbids one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical import read_document
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.errors import ProjectError, WorkError
from annotator.domain.forms.restricted_view import WHOLE_VIDEO, Viewing
from annotator.domain.ids import PersonId, SubmissionId, TaskId, VideoId, new_id
from annotator.domain.people import Person, Role
from annotator.domain.recipes.recipe import (
    ChecklistItem,
    Guideline,
    Recipe,
    StageSpec,
    Tool,
    guideline_for,
)
from annotator.domain.recipes.tools import ALL_TOOLS
from annotator.domain.review.consensus import Consensus
from annotator.domain.work.acts import (
    Claim,
    Release,
    Reopen,
    Skip,
    WorkAct,
)
from annotator.domain.work.events import WorkEvent
from annotator.domain.work.records import (
    Assignment,
    AssignmentState,
    Instant,
    TaskRecord,
    Verdict,
)
from annotator.domain.work.rules import hidden_from, may_begin
from annotator.domain.work.transitions import create
from annotator.domain.work.work_statistics import (
    hours_table,
    reason_counts,
    return_rates,
    throughput,
)
from annotator.domain.workflow import Submission
from annotator.services.background.jobs import BackgroundCall, Listeners, inline
from annotator.services.project.guideline_images import UNPACKED, pictures_folder
from annotator.services.project.metadata import KEY
from annotator.services.project.people import People
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.workflow.consensus import adjudicated
from annotator.services.workflow.drafts import OpenedDraft, WorkDrafts, held_by, why_locked
from annotator.services.workflow.gold_tasks import GoldTasks
from annotator.services.workflow.lead_actions import LeadTransactions
from annotator.services.workflow.submission_statistics import (
    MyWork,
    QueueCount,
    SubmissionStatistics,
    WorkStatistics,
)
from annotator.services.workflow.timer import WorkTimer, local_day
from annotator.services.workflow.transactions import (
    FormRules,
    WorkChanged,
    WorkTransactions,
    new_assignment,
    wall_clock,
)
from annotator.store.catalog import recipes, videos
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import board as work_board
from annotator.store.workflow import feedback, submission_statistics, submissions, tasks
from annotator.store.workflow import queue as work_queue
from annotator.store.workflow.board import BoardFilter, BoardRow, BoardRows
from annotator.store.workflow.feedback import Feedback, SpotCheck
from annotator.store.workflow.queue import MOST_COUNTED, Free, Holding, Queue

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from annotator.services.session import Session

__all__ = [
    "MOST_COUNTED",
    "BoardFilter",
    "BoardRow",
    "BoardRows",
    "Feedback",
    "Free",
    "Holding",
    "MyWork",
    "OpenedDraft",
    "QueueCount",
    "SpotCheck",
    "Work",
    "WorkChanged",
    "WorkStatistics",
]

_LATEST: Final = 10
EVERYTHING: Final = BoardFilter()


class Work:
    """The work on a project, for the person at the keyboard."""

    def __init__(
        self,
        file: ProjectFile,
        pts_of: Callable[[VideoId], NDArray[np.int64] | None],
        forms_of: Callable[[ProjectFile, ProjectRecipe], FormRules],
        *,
        clock: Callable[[], Instant] = wall_clock,
        background: BackgroundCall = inline,
        in_background: bool = False,
    ) -> None:
        """``pts_of`` gives the presentation times of a video's frames, where they are known;
        ``forms_of`` the rules of answers of a project.

        ``background`` runs the start and the submission of large drafts. Statistics of submissions
        are computed ``in_background``, else right after each act.
        """
        self._file = file
        self._recipe = ProjectRecipe(file)
        self.people = People(file)
        self.notices = self._recipe.notices
        forms = forms_of(file, self._recipe)
        self._transactions = WorkTransactions(file, self._recipe, self.people, forms, clock)
        self._drafts = WorkDrafts(self._transactions, pts_of, background)
        self._timer = WorkTimer(self._transactions)
        self.gold = GoldTasks(self._transactions)
        self.lead = LeadTransactions(self._transactions, self.gold)
        self.submission_statistics = SubmissionStatistics(
            self._transactions, inline=not in_background
        )
        self.people.changed.add(self._on_people_changed)

    @property
    def changed(self) -> Listeners[WorkChanged]:
        """Sent with the changed tasks after each act."""
        return self._transactions.changed

    @property
    def transactions(self) -> WorkTransactions:
        """Transactions for acts from other copies of the project."""
        return self._transactions

    @property
    def recipe(self) -> Recipe:
        """Recipe of the project."""
        return self._recipe.recipe

    @property
    def is_plain(self) -> bool:
        """Whether the project has no stages: anyone can edit any task."""
        return self._recipe.is_plain

    @property
    def me(self) -> Person | None:
        """The signed-in person; None in a read-only project."""
        return self.people.me

    def use_recipe(
        self,
        text: str,
        *,
        on_progress: Callable[[float], object] | None = None,
        is_canceled: Callable[[], bool] | None = None,
    ) -> Recipe:
        """Set another recipe, or a new version of the present one (TOML); leads only.

        Finished work is unchanged; waiting tasks use the new recipe. Tasks that follow from
        complete ones are created, and those of new task types for every video that has tasks.
        RecipeError names the path of the fault; WorkError "canceled" changes nothing. It reads
        every task, so run it as a job; only changes are written, in one transaction.
        """
        self.people.check_lead()
        checked = self._recipe.checked(text)
        looked_at = self._transactions.look_through(
            checked, on_progress=on_progress, is_canceled=is_canceled
        )
        before = self.recipe
        with self._recipe.restored_on_failure(), self._transactions.together():
            recipe = self._recipe.use(text)
            self._transactions.refold_tasks(looked_at)
            self._transactions.create_missing_tasks()
            self._transactions.create_first_tasks(before)
        self.changed.notify(WorkChanged(recipe=True))
        if _checked_by(recipe) != _checked_by(before):
            self.submission_statistics.start_over()
        return recipe

    def tasks_without_type(self, recipe: Recipe) -> dict[str, int]:
        """Return how many open tasks have a type that another recipe lacks, by title."""
        with self._file.reading() as connection:
            count_of = tasks.count_open_by_kind(connection)
        lost: Counter[str] = Counter()
        for kind, n_tasks in count_of.items():
            if recipe.task_type(kind) is None:
                task_type = self.recipe.task_type(kind)
                lost[task_type.title if task_type is not None else kind] += n_tasks
        return dict(lost)

    def recipe_text(self) -> str:
        """Return the project's recipe as TOML."""
        return self._recipe.text()

    def add_tasks(
        self, video_ids: Iterable[VideoId], *, title: str | None = None, priority: int = 0
    ) -> list[TaskId]:
        """Add the first tasks of the recipe for videos: one per task type without a predecessor.

        ``title`` replaces that of the task type. One transaction.
        """
        task_ids: list[TaskId] = []
        me, now = self.people.me, self._transactions.now()
        with self._file.transaction():
            for video_id in video_ids:
                for task_type in self.recipe.followers(""):
                    task_id = TaskId(new_id())
                    by = me.id if me is not None else None
                    event = create(task_id, video_id, task_type, by=by, now=now, priority=priority)
                    self._transactions.create(event, title or task_type.title)
                    task_ids.append(task_id)
        self.changed.notify(WorkChanged(frozenset(task_ids)))
        return task_ids

    def record(self, task_id: TaskId) -> TaskRecord:
        """Return the record of a task; ProjectError if there is none."""
        return self._transactions.record(task_id)

    def history(self, task_id: TaskId) -> list[WorkEvent]:
        """Return all that happened to a task, in order; the window words it."""
        return self._transactions.events(task_id)

    def stage_of(self, task_id: TaskId) -> StageSpec | None:
        """Return the stage a task is at, None when the recipe has it no more."""
        record = self.record(task_id)
        task_type = self.recipe.task_type(record.kind)
        return task_type.stage(record.stage) if task_type is not None else None

    def tools_of(self, task_id: TaskId) -> frozenset[Tool]:
        """Return the tools of a task; all of them if the recipe no longer has its type."""
        task_type = self.recipe.task_type(self.record(task_id).kind)
        return frozenset(task_type.tools) if task_type is not None else ALL_TOOLS

    def viewing_of(self, task_id: TaskId) -> Viewing:
        """Return how much of its video may be seen and heard in a task."""
        record = self.record(task_id)
        task_type = self.recipe.task_type(record.kind)
        return record.viewing or (task_type.viewing if task_type is not None else WHOLE_VIDEO)

    def my_work(self) -> MyWork:
        """Return the tasks of the signed-in person; nothing for a guest."""
        me = self.people.me
        if me is None:
            return MyWork()
        held = self.in_hand()
        done = (AssignmentState.SUBMITTED,)
        return MyWork(
            tuple(h for h in held if h.is_returned),
            tuple(h for h in held if not h.is_returned),
            tuple(self._queues(me)),
            tuple(feedback.unread(self._file, me.id)),
            *self._timer.of_days_s(me.id),
            tuple(work_queue.holdings(self._file, me.id, done, limit=_LATEST)),
            work_queue.count_for_lead(self._file) if me.has(Role.LEAD) else 0,
        )

    def n_open(self) -> int:
        """Return the number of tasks that a person can claim now."""
        return work_queue.count_open(self._file)

    def in_hand(self) -> list[Holding]:
        """Return the tasks of the signed-in person, latest first."""
        me = self.people.me
        if me is None:
            return []
        self._transactions.expire_leases()
        return work_queue.holdings(self._file, me.id, (AssignmentState.HELD,))

    def put_away(self, message: Feedback) -> None:
        """Note that the person at the keyboard has read a message."""
        feedback.put_away(self._file, message.id, self.people.signed_in().id)
        self.changed.notify(WorkChanged())

    def enter(self, task_id: TaskId | None) -> None:
        """Count active time for a task from now on, for None for nothing."""
        self._timer.enter(task_id)

    def poke(self, *, is_background: bool = False) -> None:
        """Take a sign of life: input, playback, a moved playhead. Cheap; keeps the lease alive."""
        self._timer.poke(is_background=is_background)

    def active_seconds(self, task_id: TaskId) -> float:
        """Return how long the person at the keyboard has worked on a task at its stage."""
        return self._timer.task_s(task_id)

    def flush(self) -> None:
        """Write down the active time counted so far; called before the project is closed."""
        self._timer.flush()

    def board(self, wanted: BoardFilter = EVERYTHING) -> BoardRows:
        """Return the tasks that a filter lets through, in the order they were made."""
        return work_board.board_rows(self._file, wanted)

    def scripts(self) -> dict[str, int]:
        """Return the script types of the videos and how many videos have each."""
        return dict(work_board.scripts(self._file))

    def metadata_columns(self) -> list[str]:
        """Return the columns that the metadata of any video have, by name."""
        return work_board.metadata_columns(self._file)

    def statistics(self) -> WorkStatistics:
        """Return the current statistics of the project."""
        rows = work_board.submission_rows(self._file)
        return WorkStatistics(
            work_board.stage_counts(self._file),
            throughput(rows, local_day),
            return_rates(rows),
            reason_counts(rows),
            hours_table(work_board.spent_rows(self._file)),
            submission_statistics.finding_counts(self._file),
            submission_statistics.agreement_means(self._file),
        )

    def claim_next(self, kind: str | None = None, stage: str | None = None) -> TaskRecord | None:
        """Claim the next task, of a kind and stage if given; None if none is left.

        The highest priority comes first, then returned tasks, then the latest stage.
        """
        me = self.people.signed_in()
        self._transactions.expire_leases()
        with self._file.reading() as connection:
            candidates: list[tuple[int, bool, int, TaskId]] = []
            for index, queue in self._queues_for(me, kind, stage):
                offer = work_queue.first_free(connection, me.id, me.roles, queue)
                if offer is not None:
                    candidates.append(
                        (-offer.priority, not offer.is_returned, -index, offer.task_id)
                    )
        if not candidates:
            return None
        *_, task_id = min(candidates)
        return self._gold_before(task_id, me) or self._transactions.act(
            task_id, Claim(me.id, new_assignment())
        )

    def _gold_before(self, task_id: TaskId, me: Person) -> TaskRecord | None:
        """Take the gold task that is due before a task; None when none is."""
        try:
            with self._transactions.together():
                made = self.gold.due_before(task_id, me.id)
                return (
                    self._transactions.act(made, Claim(me.id, new_assignment())) if made else None
                )
        except WorkError:
            return None  # a rule keeps them from this video

    def free_tasks(self, kind: str, stage: str, *, limit: int = 1000) -> list[Free]:
        """Return the tasks that the signed-in person can claim at a stage, in queue order."""
        me = self.people.signed_in()
        with self._file.reading() as connection:
            return work_queue.list_free(connection, me.id, me.roles, Queue(kind, stage), limit)

    def claim(self, task_id: TaskId) -> TaskRecord:
        """Take a task that was chosen from a list; WorkError when that may not be."""
        me = self.people.signed_in()
        return self._transactions.act(task_id, Claim(me.id, new_assignment(), is_chosen=True))

    def release(self, task_id: TaskId) -> TaskRecord:
        """Give a task back to the queue; its draft is kept."""
        return self._with_mine(task_id, lambda held: Release(held.person_id, held.id))

    def skip(self, task_id: TaskId, reason: str) -> TaskRecord:
        """Give a task back for a reason; it is not offered again to the same person."""
        return self._with_mine(task_id, lambda held: Skip(held.person_id, held.id, reason))

    def reopen(self, task_id: TaskId, reason: str = "") -> TaskRecord:
        """Reopen the last submission for its author.

        Their own right where the stage says so, else a lead's, who says why.
        """
        me, record = self.people.signed_in(), self.record(task_id)
        locked = _last_counted(record)
        after = self._transactions.act(task_id, Reopen(me.id, reason, assignment_id=locked.id))
        with self._file.transaction() as connection:
            draft_id = tasks.find_draft(connection, locked.id)
            if draft_id is not None:
                tasks.close_draft(connection, self._file.author(), draft_id, "reopen")
        return after

    def submit(self, session: Session, verdict: Verdict | None = None) -> Submission:
        """Submit a draft, locked from now on; the task moves on by the verdict.

        The default verdict is done, or approved in a review stage. Late submissions are stored and
        flagged. WorkError if it is already submitted, or the verdict is impossible.
        """
        made = self._drafts.hand_in(session, verdict)
        self._timer.flush()
        session.follow_workflow(is_submitted=True)
        self._transactions.tell(session.task_id)
        return made

    def submissions(self, task_id: TaskId) -> list[Submission]:
        """Return the visible submissions of a task, oldest first."""
        me, record = self.people.me, self.record(task_id)
        hidden = hidden_from(record, me) if me is not None else frozenset[SubmissionId]()
        found = submissions.list_submissions(self._file, task_id)
        return [s for s in found if s.id not in hidden]

    def document_of(self, submission_id: SubmissionId, session: Session) -> Document:
        """Return what a submission says, for the video of a session; WorkError when it is not to be
        seen yet.
        """
        me, record = self.people.me, self.record(submissions.task_of(self._file, submission_id))
        if me is not None and submission_id in hidden_from(record, me):
            raise WorkError(
                "Submissions of other raters are hidden until all raters have submitted.",
                code="hidden",
                hint="Submit your own work first.",
            )
        body = submissions.read_body(self._file, submission_id)
        return read_document(body, session.document.draft_id, session.document.video)

    def adjudicated(self, task_id: TaskId) -> Consensus | None:
        """Return what the raters of a task agreed on, while the person at the keyboard adjudicates
        it; None otherwise.
        """
        me, record = self.people.me, self.record(task_id)
        task_type = self.recipe.task_type(record.kind)
        if me is None or task_type is None or held_by(record, me.id) is None:
            return None
        return adjudicated(self._file, record, task_type)

    def open(
        self,
        task_id: TaskId,
        video: VideoInfo,
        *,
        takes: bool = True,
        whose: PersonId | None = None,
    ) -> OpenedDraft:
        """Return the draft with which a task is opened.

        A person with an assignment gets its draft, created from the last submission. Others claim
        the task if ``takes`` and if they may choose; in a plain project also from its assignee.
        Otherwise the newest draft is opened read-only, with ``whose`` that of this person.
        WorkError if nothing is visible.
        """
        return self._drafts.open(task_id, video, takes=takes, whose=whose)

    def may_edit(self, session: Session) -> bool:
        """Return whether the signed-in person can edit a draft."""
        me = self.people.me
        if me is None or self._file.is_read_only or self.people.needs_sign_in:
            return False
        with self._file.reading() as connection:
            return tasks.holder_of(connection, session.document.draft_id) == me.id

    def why_locked(self, task_id: TaskId) -> ProjectError:
        """Return the error for an edit in a read-only draft."""
        return why_locked(self._transactions, task_id)

    def guideline_of(self, task_id: TaskId) -> Guideline | None:
        """Return the instructions for a task at its stage: those of its round, script and kind."""
        record = self.record(task_id)
        for own in recipes.read_guidelines(self._file) if record.guidelines else ():
            if own.name == record.guidelines:
                return Guideline(own.title, own.text, round=record.round)
        return guideline_for(
            self.recipe.guidelines,
            record.kind,
            record.stage,
            script=self._script(record.video_id),
            round_=record.round,
        )

    def pictures_folder(self) -> Path | None:
        """Return the folder of the guideline pictures, None without any.

        The recipe names it, beside the project; in a project made from a work package it is the one
        that came along.
        """
        name = self._file.meta(UNPACKED) or self.recipe.pictures
        return pictures_folder(self._file.path, name)

    def checklist_of(self, task_id: TaskId) -> tuple[ChecklistItem, ...]:
        """Return the checklist before a submission: that of the task type, then of the stage."""
        record = self.record(task_id)
        task_type = self.recipe.task_type(record.kind)
        stage = task_type.stage(record.stage) if task_type is not None else None
        first = task_type.checklist if task_type is not None else ()
        return (*first, *(stage.checklist if stage is not None else ()))

    def _queues(self, me: Person) -> Iterable[QueueCount]:
        with self._file.reading() as connection:
            for task_type in self.recipe.task_types:
                if not may_begin(me, task_type):
                    continue
                for stage in task_type.stages:
                    is_theirs = task_type.study is None and me.has(stage.role)
                    if task_type.study is None and not is_theirs and not me.has(stage.adjudicator):
                        continue
                    queue = Queue(task_type.kind, stage.key)
                    count = work_queue.count_free(connection, me.id, me.roles, queue)
                    if not is_theirs and not count:
                        continue  # studies and ties concern those alone who are asked
                    yield QueueCount(
                        task_type.kind,
                        task_type.title,
                        stage.key,
                        stage.title,
                        count,
                        stage.may_choose,
                    )

    def _queues_for(
        self, me: Person, kind: str | None, stage: str | None
    ) -> Iterable[tuple[int, Queue]]:
        for task_type in self.recipe.task_types:
            if not may_begin(me, task_type):
                continue
            for index, spec in enumerate(task_type.stages):
                if kind in (None, task_type.kind) and stage in (None, spec.key):
                    yield index, Queue(task_type.kind, spec.key)

    def _with_mine(self, task_id: TaskId, act: Callable[[Assignment], WorkAct]) -> TaskRecord:
        """Do something with what the person at the keyboard holds of a task."""
        me = self.people.signed_in()

        def acts(record: TaskRecord) -> Iterable[WorkAct]:
            assignment = held_by(record, me.id)
            if assignment is None:
                raise WorkError(
                    "The task is no longer assigned to you.",
                    code="not-yours",
                    hint=(
                        "Your draft is kept. To continue, claim the task again if it is available."
                    ),
                )
            yield act(assignment)

        return self._transactions.answer(task_id, acts)

    def _script(self, video_id: VideoId) -> str:
        facts = videos.read_extra(self._file, video_id).get(KEY)
        script = facts.get("script") if isinstance(facts, dict) else None
        return script if isinstance(script, str) else ""

    def _on_people_changed(self, _: None) -> None:
        self._timer.enter(None)


def _last_counted(record: TaskRecord) -> Assignment:
    """Return the assignment whose submission moved the task last."""
    last = record.last_word
    if last is None or record.holders:
        raise WorkError("Cannot reopen the task: it is not submitted.", code="not-submitted")
    return last


def _checked_by(recipe: Recipe) -> object:
    """Return the parts of a recipe that the findings of submissions depend on."""
    return recipe.attributes, {each.kind: each.tools for each in recipe.task_types}
