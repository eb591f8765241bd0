"""Transactions of the workflow: read, plan by the rules, write."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId, new_id
from annotator.domain.people import Crew
from annotator.domain.questions.items.item import Item
from annotator.domain.recipes.recipe import Recipe, TaskType
from annotator.domain.work.acts import Expire, LookForPeople, Retire, WorkAct
from annotator.domain.work.event_replay import apply, begin
from annotator.domain.work.events import (
    Created,
    Decided,
    Ended,
    Gathered,
    PersonExcluded,
    Submitted,
    WorkEvent,
)
from annotator.domain.work.records import AssignmentState, Instant, TaskRecord, TaskStatus
from annotator.domain.work.rules import excluded_people, role_of
from annotator.domain.work.transitions import create, plan
from annotator.services.background.jobs import Listeners
from annotator.services.project.people import People
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.workflow.conflicts import after_taking, of_authors, of_new_task
from annotator.services.workflow.consensus import merge_drawn
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import gold, tasks, travel
from annotator.store.workflow import log as work_log
from annotator.store.workflow import queue as work_queue
from annotator.store.workflow.log import Folded

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.answer import Answer
    from annotator.domain.recipes.recipe import TaskType
    from annotator.domain.work.acts import Decide, RequestRater
    from annotator.domain.work.events import Submitted
    from annotator.domain.work.records import Assignment, TaskRecord, Verdict


class FormRules(Protocol):
    """Rules of answers, of one project. All calls are within the transaction of the caller."""

    def check(
        self, record: TaskRecord, held: Assignment, document: Document, verdict: Verdict
    ) -> None:
        """Raise WorkError if a submission has missing answers."""
        ...

    def count(self, before: TaskRecord, task_type: TaskType, event: Submitted) -> None:
        """Count the answers of a submission as votes; ``before`` is its earlier record."""
        ...

    def follow(
        self, record: TaskRecord, task_type: TaskType, *, is_again: bool
    ) -> Decide | RequestRater | None:
        """Return what follows when all raters are through, or when a complete task is resolved
        ``is_again``; None when nothing is asked in it.
        """
        ...

    def note_decided(self, record: TaskRecord, task_type: TaskType) -> None:
        """Store that all open items of a task are decided."""
        ...

    def decided_so_far(self, record: TaskRecord, task_type: TaskType) -> list[Answer]:
        """Return the resolved answers of a task during adjudication."""
        ...


@dataclass(frozen=True, slots=True)
class WorkChanged:
    """Tasks have changed; ``recipe``: their recipe too."""

    task_ids: frozenset[TaskId] = frozenset()
    recipe: bool = False

    def __or__(self, other: WorkChanged) -> WorkChanged:
        """Return both changes as one."""
        return WorkChanged(self.task_ids | other.task_ids, self.recipe or other.recipe)


@dataclass(frozen=True, slots=True)
class SubmissionCounted:
    """A submission was counted; ``record`` is the task after it."""

    record: TaskRecord
    task_type: TaskType
    person_id: PersonId
    submission_id: SubmissionId


class WorkTransactions:
    """The only writer of the log of the work.

    ``changed`` is sent after each transaction, ``submitted`` within it.
    """

    def __init__(
        self,
        file: ProjectFile,
        recipe: ProjectRecipe,
        people: People,
        forms: FormRules,
        clock: Callable[[], Instant],
    ) -> None:
        self.changed: Listeners[WorkChanged] = Listeners()
        self.submitted: Listeners[SubmissionCounted] = Listeners()
        self.file = file
        self.recipe = recipe
        self.people = people
        self.forms = forms
        self.now = clock
        self._depth = 0
        self._moved: set[TaskId] = set()
        people.changed.add(self._on_people_changed)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Run several acts in one transaction; ``changed`` is sent once, after it.

        Whatever raises inside takes everything back.
        """
        self._depth += 1
        try:
            with self.file.transaction():
                yield
        except BaseException:
            self._moved.clear()
            self.people.read_again()
            raise
        finally:
            self._depth -= 1
        if self._depth == 0 and self._moved:
            moved, self._moved = frozenset(self._moved), set()
            self.changed.notify(WorkChanged(moved))

    def record(self, task_id: TaskId) -> TaskRecord:
        """Return the record of a task; ProjectError if there is none."""
        with self.file.reading() as connection:
            return work_log.read_record(connection, task_id)

    def events(self, task_id: TaskId) -> list[WorkEvent]:
        """Return all that happened to a task, in order."""
        with self.file.reading() as connection:
            return work_log.read_events(connection, task_id)

    def task_type(self, kind: str) -> TaskType:
        """Return a task type of the recipe; WorkError if it has none of that kind."""
        found = self.recipe.recipe.task_type(kind)
        if found is None:
            raise WorkError(
                f"The recipe no longer has the task type “{kind}”.",
                code="no-task-type",
                hint="Ask a lead to select a recipe with this task type.",
            )
        return found

    def act(self, task_id: TaskId, *acts: WorkAct) -> TaskRecord:
        """Carry acts out on a task; WorkError, with nothing changed, when the rules forbid one."""
        return self.answer(task_id, lambda _: acts)

    def answer(
        self, task_id: TaskId, acts: Callable[[TaskRecord], Iterable[WorkAct]]
    ) -> TaskRecord:
        """Like `act`, for acts that depend on the present record."""
        with self.together():
            record = self.record(task_id)
            after = self.write(record, acts(record), self.people.crew())
            self._moved.add(task_id)
        return after

    def write(self, record: TaskRecord, acts: Iterable[WorkAct], crew: Crew) -> TaskRecord:
        """Run acts within the transaction of the caller, who sends the signal."""
        task_type, now, before = self.task_type(record.kind), self.now(), record
        all_events: list[WorkEvent] = []
        for act in acts:
            events = plan(record, act, task_type, crew, now)
            for event in events:
                record = apply(record, event)
            all_events += events
        if all_events:
            with self.file.transaction() as connection:
                work_log.append_events(connection, all_events, first=before.seq + 1)
                for event in all_events:
                    if isinstance(event, Submitted):
                        self.forms.count(before, task_type, event)
                self.fold(record, now, before=before)
                self._exclude(after_taking(self.file, self.recipe.recipe, record, all_events, now))
                self._tell_of_hand_ins(record, task_type, all_events)
                if any(map(_ends_gold, all_events)) and gold.find_gold_task(self.file, record.id):
                    return self.write(record, (Retire(),), crew)
                if any(isinstance(event, Gathered) for event in all_events):
                    is_again = before.status is TaskStatus.COMPLETE
                    stage = task_type.stage(record.stage)
                    if task_type.form is None and stage is not None and not is_again:
                        names = {p.id: p.name for p in crew.people.values()}
                        following = merge_drawn(self.file, record, stage, names)
                    else:
                        following = self.forms.follow(record, task_type, is_again=is_again)
                    if following is not None:
                        return self.write(record, (following,), crew)
                is_over = (
                    record.status is TaskStatus.COMPLETE and before.status is not record.status
                )
                is_decided = any(isinstance(event, Decided) for event in all_events)
                if is_over or (before.is_adjudicating and is_decided):
                    self.forms.note_decided(record, task_type)
                if is_over:
                    self._begin_followers(record)
        return record

    def _tell_of_hand_ins(
        self, record: TaskRecord, task_type: TaskType, done: Iterable[WorkEvent]
    ) -> None:
        for event in done:
            held = record.assignment(event.assignment_id) if isinstance(event, Submitted) else None
            if held is not None and isinstance(event, Submitted):
                self.submitted.notify(
                    SubmissionCounted(record, task_type, held.person_id, event.submission_id)
                )

    def create(self, event: Created, title: str) -> None:
        """Add a task within the transaction of the caller, who sends the signal."""
        with self.file.transaction() as connection:
            tasks.add_task(connection, event, title)
        record = begin(event)
        self.fold(record, event.at)
        self._exclude(of_new_task(self.file, self.recipe.recipe, record, event.at))

    def exclude_authors(self, task_id: TaskId, made: Sequence[Item]) -> None:
        """Exclude the authors of items from the task that checks them; within `together`."""
        task_type = self.task_type(self.record(task_id).kind)
        self._exclude(of_authors(self.file, task_type, task_id, made, self.now()))

    def _exclude(self, exclusions: Iterable[PersonExcluded]) -> None:
        """Exclude people from tasks, unless they are on them already."""
        for event in list(exclusions):
            record = self.record(event.task_id)
            if event.person_id in record.excluded:
                continue
            with self.file.transaction() as connection:
                after = apply(record, event)
                work_log.append_events(connection, [event], first=record.seq + 1)
            self.fold(after, event.at, before=record)
            self._moved.add(event.task_id)

    def fold(self, record: TaskRecord, at: Instant, *, before: TaskRecord | None = None) -> None:
        """Bring the columns that follow from a record up to date.

        ``before`` is the record that was folded last, by the same recipe, if that is known.
        """
        now = self._folded(record)
        with self.file.transaction() as connection:
            old = self._folded(before) if before is not None else None
            work_log.project(connection, record, now.excluded, now.role, at, before=old)

    def create_missing_tasks(self) -> None:
        """Create the missing tasks that follow from complete ones; within `together`."""
        recipe = self.recipe.recipe
        with self.file.transaction() as connection:
            found = {
                task_id: None
                for each in recipe.task_types
                if each.follows and each.form is None
                for task_id in tasks.complete_without(connection, each.follows, each.kind)
            }
            for task_id in found:
                self._begin_followers(self.record(task_id))

    def create_first_tasks(self, before: Recipe) -> None:
        """Create the tasks of types that start at once and did not in the recipe before.

        For every video that has tasks; within `together`.
        """
        started = {each.kind for each in before.followers("")}
        for task_type in self.recipe.recipe.followers(""):
            if task_type.kind in started:
                continue
            with self.file.reading() as connection:
                video_ids = tasks.videos_without(connection, task_type.kind)
            for video_id in video_ids:
                self._begin(task_type, video_id)

    def note_moved(self, task_id: TaskId) -> None:
        """Have `together` report that a task changed, when it is in the file."""
        self._moved.add(task_id)

    def tell(self, task_id: TaskId) -> None:
        """Send the changes of a task and of its followers."""
        moved, self._moved = frozenset((*self._moved, task_id)), set()
        self.changed.notify(WorkChanged(moved))

    def _begin_followers(self, record: TaskRecord) -> None:
        """Make the tasks that begin from the result of a complete one; those there are stay."""
        for task_type in self.recipe.recipe.followers(record.kind):
            with self.file.reading() as connection:
                if tasks.find_by_kind(connection, record.video_id, task_type.kind) is not None:
                    continue
            self._begin(task_type, record.video_id, record)

    def _begin(
        self, task_type: TaskType, video_id: VideoId, follows: TaskRecord | None = None
    ) -> None:
        """Make a task on a video, with the result of the one that it follows.

        Not in a copy that was made from a work package: the lead's copy makes them.
        """
        if self.file.meta(travel.ORIGIN) is not None:
            return
        task_id = TaskId(new_id())
        event = create(
            task_id,
            video_id,
            task_type,
            by=None,
            now=self.now(),
            priority=follows.priority if follows is not None else 0,
            base_id=follows.base_id if follows is not None else None,
        )
        self.create(event, task_type.title)
        self._moved.add(task_id)

    def expire_leases(self) -> None:
        """End every claim with an expired lease."""
        now = self.now()
        leases = [s.lease_ms or 0 for t in self.recipe.recipe.task_types for s in t.stages]
        with self.file.reading() as connection:
            over = work_queue.overdue(connection, now, now + 2 * max(leases, default=0))
        over = [t for t in over if self._has_type(t)]
        if over and not self.file.is_read_only:
            self.act_on_all(over, lambda _: (Expire(),))

    def act_on_all(
        self,
        task_ids: Sequence[TaskId],
        acts: Callable[[TaskRecord], Iterable[WorkAct]],
        *,
        on_progress: Callable[[float], object] | None = None,
        is_canceled: Callable[[], bool] | None = None,
        skips_refused: bool = False,
    ) -> list[tuple[TaskId, str]]:
        """Carry acts out on many tasks in one transaction.

        Returns which were refused and why, with ``skips_refused``; else the first refusal takes
        everything back. Canceling takes everything back too, and raises WorkError "canceled".
        """
        refused: list[tuple[TaskId, str]] = []
        with self.together():
            crew = self.people.crew()
            for i, task_id in enumerate(task_ids):
                _go_on(i, len(task_ids), on_progress, is_canceled)
                record = self.record(task_id)
                try:
                    after = self.write(record, acts(record), crew)
                except WorkError as error:
                    if not skips_refused:
                        raise
                    refused.append((task_id, str(error)))
                    continue
                if after is not record:
                    self._moved.add(task_id)
        return refused

    def try_on_all(
        self, task_ids: Iterable[TaskId], acts: Callable[[TaskRecord], Iterable[WorkAct]]
    ) -> list[tuple[TaskId, str]]:
        """Return which tasks acts would leave as they are, and why; nothing is changed."""
        crew, now = self.people.crew(), self.now()
        refused: list[tuple[TaskId, str]] = []
        for task_id in task_ids:
            record = self.record(task_id)
            try:
                applied = [
                    event
                    for act in acts(record)
                    for event in plan(record, act, self.task_type(record.kind), crew, now)
                ]
            except WorkError as error:
                refused.append((task_id, str(error)))
            else:
                if not applied:
                    refused.append((task_id, "There is nothing to change."))
        return refused

    def request_missing_raters(self) -> None:
        """Request a lead for tasks without an eligible person, and revoke stale requests."""
        with self.file.reading() as connection:
            found = work_queue.stale_requests(connection)
        self.act_on_all([t for t in found if self._has_type(t)], lambda _: (LookForPeople(),))

    def look_through(
        self,
        recipe: Recipe,
        *,
        on_progress: Callable[[float], object] | None = None,
        is_canceled: Callable[[], bool] | None = None,
    ) -> dict[TaskId, int | None]:
        """Compute the effect of another recipe, task by task, without blocking writers.

        Returns every task with its number of events, None where it has to be folded anew. WorkError
        "canceled".
        """
        crew, stored_tasks = self.people.crew(), tasks.list_tasks(self.file, with_gold=True)
        priorities: dict[TaskId, int | None] = {}
        for i, task in enumerate(stored_tasks):
            _go_on(i, len(stored_tasks), on_progress, is_canceled)
            record, kind = self.record(task.id), recipe.task_type(task.kind)
            is_same = self._folded(record) == self._folded(record, recipe)
            look = LookForPeople()
            if is_same and kind is not None:
                is_same = not plan(record, look, kind, crew, self.now())
            priorities[task.id] = record.seq if is_same else None
        return priorities

    def refold_tasks(self, looked_at: dict[TaskId, int | None]) -> None:
        """Update the derived tables of changed tasks, by the recipe.

        Within the transaction of the caller, who notifies afterwards.
        """
        with self.file.transaction() as connection:
            crew, lengths = self.people.crew(), work_log.lengths(connection)
            for task_id, seq in lengths.items():
                if looked_at.get(task_id) == seq:
                    continue
                record = self.record(task_id)
                if self.recipe.recipe.task_type(record.kind) is not None:
                    record = self.write(record, (LookForPeople(),), crew)
                self.fold(record, self.now())

    def _folded(self, record: TaskRecord, recipe: Recipe | None = None) -> Folded:
        task_type = (recipe or self.recipe.recipe).task_type(record.kind)
        stage = task_type.stage(record.stage) if task_type is not None else None
        if stage is None:
            return Folded(record, frozenset(), None)
        return Folded(record, excluded_people(record, stage), role_of(record, stage))

    def _on_people_changed(self, _: None) -> None:
        if not self.file.is_read_only:
            self.request_missing_raters()

    def _has_type(self, task_id: TaskId) -> bool:
        task = tasks.find_task(self.file, task_id)
        return task is not None and self.recipe.recipe.task_type(task.kind) is not None


_GIVEN_UP: Final = frozenset(
    (AssignmentState.SKIPPED, AssignmentState.LEFT, AssignmentState.REVOKED)
)


def _ends_gold(event: WorkEvent) -> bool:
    """Return whether an event ends a gold task."""
    if isinstance(event, Ended):
        return event.state in _GIVEN_UP
    return isinstance(event, Submitted)


def _go_on(
    i: int,
    n: int,
    on_progress: Callable[[float], object] | None,
    is_canceled: Callable[[], bool] | None,
) -> None:
    """Report progress; WorkError if canceled."""
    if is_canceled is not None and is_canceled():
        raise WorkError("No change was made.", code="canceled")
    if on_progress is not None and i % 50 == 0:
        on_progress(i / n)


def new_assignment() -> AssignmentId:
    """Return an identifier for an assignment."""
    return AssignmentId(new_id())


def wall_clock() -> Instant:
    """Return the time in milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000
