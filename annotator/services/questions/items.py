"""Items of a project: adding many, finding them, and storing their outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import WorkError
from annotator.domain.ids import ItemId, PersonId, TaskId, VideoId, new_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item, ItemState, revised
from annotator.domain.questions.items.item_checks import problems_of, why_refused
from annotator.domain.questions.visibility import blinded
from annotator.domain.work.records import TaskStatus
from annotator.domain.work.transitions import create
from annotator.services.questions.asking.attention_checks import is_called_in, items_with_checks
from annotator.services.questions.asking.model_answers import predicted_answers
from annotator.services.questions.asking.question_set import QuestionSet
from annotator.services.questions.studies.exclusion import exclude_from_new_task
from annotator.services.workflow.drafts import held_by
from annotator.services.workflow.sent_packages import went_out
from annotator.services.workflow.transactions import WorkChanged, WorkTransactions
from annotator.store.catalog import videos
from annotator.store.catalog.labels import listed_words
from annotator.store.questions import items as store
from annotator.store.questions.items import ItemFilter
from annotator.store.workflow import tasks, travel

if TYPE_CHECKING:
    from annotator.services.session import Session

__all__ = ["AddedItems", "ItemFilter", "Questions"]

EVERY: Final = ItemFilter()
_TELL_EVERY: Final = 200


@dataclass(frozen=True, slots=True)
class AddedItems:
    """Result of adding items: their tasks (each once), and refusals."""

    task_ids: tuple[TaskId, ...]
    item_ids: tuple[ItemId, ...]
    refused: tuple[tuple[ItemId, str], ...]


class Questions:
    """Items of a project; `OpenProject.questions`."""

    def __init__(self, transactions: WorkTransactions) -> None:
        self._transactions = transactions
        self._file = transactions.file

    def add(
        self,
        items: Sequence[Item],
        *,
        title: str | None = None,
        priority: int = 0,
        reserved_for: PersonId | None = None,
        on_progress: Callable[[float], object] | None = None,
        is_canceled: Callable[[], bool] | None = None,
    ) -> AddedItems:
        """Add items with their tasks; leads only. One transaction.

        Items of one kind on the same videos share one task, in the given order: the existing one,
        unless it is started. ``reserved_for`` reserves them for one person, in separate tasks.
        Invalid items are refused with the reason, and the others are added. WorkError "canceled"
        changes nothing. Takes a second for some 10,000 items, so run it as a job.
        """
        lead = self._transactions.people.check_lead()
        known_videos = {stored.info.id for stored in videos.list_videos(self._file)}
        groups: dict[tuple[str, tuple[VideoId, ...]], list[Item]] = {}
        refused: list[tuple[ItemId, str]] = []
        with self._file.reading() as connection:
            existing_ids = store.known_items(connection, [item.id for item in items])
        for item in items:
            why = why_refused(
                item, self._transactions.recipe.recipe.task_type(item.kind), known_videos
            )
            if item.id in existing_ids:
                why = "The item is already in the project, or it occurs twice."
            existing_ids.add(item.id)
            if why:
                refused.append((item.id, why))
            else:
                groups.setdefault((item.kind, item.video_ids), []).append(item)
        task_ids: list[TaskId] = []
        with self._transactions.together(), self._file.transaction():
            for i, ((kind, video_ids), group) in enumerate(groups.items()):
                _go_on(i, len(groups), on_progress, is_canceled)
                task_id = self._task_for(kind, video_ids, reserved_for)
                if task_id is None:
                    task_id = self._make_task(kind, video_ids[0], title, priority, reserved_for)
                    exclude_from_new_task(self._transactions, lead.id, task_id, video_ids)
                self._append(task_id, group)
                self._transactions.exclude_authors(task_id, group)
                task_ids.append(task_id)
        if task_ids:
            self._transactions.changed.notify(WorkChanged(frozenset(task_ids)))
        added = tuple(item.id for group in groups.values() for item in group)
        return AddedItems(tuple(dict.fromkeys(task_ids)), added, tuple(refused))

    def list(self, wanted: ItemFilter = EVERY) -> list[tuple[TaskId | None, Item]]:
        """Return items with the tasks that ask them, with all that is known of them; leads only."""
        self._transactions.people.check_lead()
        return list(store.list_items(self._file, wanted))

    def of_task(self, task_id: TaskId) -> tuple[Item, ...]:
        """Return the items of a task in order.

        Complete for a lead who does not work on it, else as the signed-in person sees them.
        """
        record, me = self._transactions.record(task_id), self._transactions.people.me
        with self._file.reading() as connection:
            task_items = store.items_of(connection, task_id)
        is_part = me is not None and any(a.person_id == me.id for a in record.assignments)
        if me is not None and me.has(Role.LEAD) and not is_part:
            return tuple(task_items)
        task_type = self._transactions.recipe.recipe.task_type(record.kind)
        form = task_type.form if task_type is not None else None
        assignment = held_by(record, me.id) if me is not None else None
        if assignment is not None and task_type is not None:
            task_items = items_with_checks(
                self._file, record, task_type, assignment.person_id, assignment.id
            )
        return tuple(blinded(item, form) for item in task_items)

    def discard(self, item_ids: Iterable[ItemId], reason: str) -> None:
        """Take items out of the work, for a reason that is kept with them; leads only.

        Answers given stay. EditError-like WorkError without a reason.
        """
        self._transactions.people.check_lead()
        if not reason.strip():
            raise WorkError("Enter a reason to discard the item.", code="no-reason")
        self.set_state(item_ids, ItemState.DISCARDED, reason.strip())

    def set_state(self, item_ids: Iterable[ItemId], state: ItemState, why: str = "") -> None:
        """Store the outcome of items, by the people who decide them; one transaction."""
        named = list(item_ids)
        with self._file.transaction() as connection:
            store.set_state(connection, named, state, why)
            found = {store.task_of(connection, item_id) for item_id in named}
        self._transactions.changed.notify(WorkChanged(frozenset(t for t in found if t is not None)))

    def replace(self, items: Sequence[Item]) -> None:
        """Replace the content of items; leads only, and only before any answer or work package."""
        self._transactions.people.check_lead()
        known = {stored.info.id for stored in videos.list_videos(self._file)}
        with self._file.transaction() as connection:
            for item in items:
                old = store.find_item(connection, item.id)
                if old is None or (old.kind, old.video_ids) != (item.kind, item.video_ids):
                    raise WorkError("The item is not in the project.", code="no-item")
                why = why_refused(
                    item, self._transactions.recipe.recipe.task_type(item.kind), known
                )
                if why:
                    raise WorkError(why, code="bad-item")
                self._check_unanswered(item.id)
            store.replace_items(connection, items)

    def revise(
        self, item_id: ItemId, *, text: str, options: Mapping[str, str], reason: str
    ) -> Item:
        """Change the question and the texts of options, by key; leads only.

        The earlier text, author, time and reason are stored with the item. WorkError without a
        reason or a change, for an invalid item, and once the item is assigned, answered, sent in a
        package, or the source of another item.
        """
        me = self._transactions.people.check_lead()
        if not reason.strip():
            raise WorkError("Enter a reason to change the item.", code="no-reason")
        # Reads all items outside a transaction, so that writers do not wait.
        with self._file.reading() as connection:
            is_source = store.is_source(connection, item_id)
        with self._file.transaction() as connection:
            old = store.find_item(connection, item_id)
            if old is None:
                raise WorkError("The item is not in the project.", code="no-item")
            revision = revised(old, text, options, reason.strip(), me.id, self._transactions.now())
            for finding in problems_of(revision, text):
                raise WorkError(finding.text, code="bad-item")
            self._check_unanswered(item_id)
            if is_source:
                raise WorkError(
                    "Cannot change the item: other questions were created from it.",
                    code="answered",
                    hint="Discard those first, for example by withdrawing the study.",
                )
            task_id = store.task_of(connection, item_id)
            if task_id is not None and self._transactions.record(task_id).holders:
                raise WorkError(
                    "Cannot change the item: its task is assigned.",
                    code="held",
                    hint="Unassign the task first.",
                )
            store.replace_items(connection, [revision])
        self._transactions.changed.notify(
            WorkChanged(frozenset(() if task_id is None else (task_id,)))
        )
        return revision

    def spare_options(self, item_id: ItemId) -> tuple[str, ...]:
        """Return the texts of options an item could have had: of the item it was made from."""
        self._transactions.people.check_lead()
        with self._file.reading() as connection:
            item = store.find_item(connection, item_id)
            before = item.source.get("item") if item is not None else None
            pool = store.find_item(connection, ItemId(before)) if isinstance(before, str) else None
        if item is None or pool is None:
            return ()
        used = {option.text for option in item.options}
        return tuple(option.text for option in pool.options if option.text not in used)

    def _check_unanswered(self, item_id: ItemId) -> None:
        with self._file.reading() as connection:
            is_answered = store.is_answered(connection, item_id)
        if is_answered or went_out(self._file, item_id):
            raise WorkError(
                "Cannot change the item: it was answered or sent in a work package.",
                code="answered",
                hint="Discard the item, and add a new one.",
            )

    def question_set(self, session: Session, *, is_extra: bool | None = None) -> QuestionSet:
        """Return the question set of an open task; WorkError without questions.

        ``is_extra``: the person was called in after a tie and sees only open items. None:
        determined from the task.
        """
        record = self._transactions.record(session.task_id)
        task_type = self._transactions.task_type(record.kind)
        with self._file.reading() as connection:
            draft_id = session.document.draft_id
            person = tasks.person_of(connection, draft_id)
            assignment = tasks.assignment_of(connection, draft_id)
        asked_items = items_with_checks(self._file, record, task_type, person, assignment)
        me = self._transactions.people.me
        if is_extra is None:
            # In a copy made from a work package the votes are not known: they cannot be shown.
            is_away = record.is_adjudicating and self._file.meta(travel.ORIGIN) is not None
            is_extra = is_away or is_called_in(record, task_type)
        rater_id = person if person is not None else (me.id if me is not None else None)
        stage = task_type.stage(record.stage)
        resolved = (
            {item.id for item in asked_items if item.state is ItemState.DECIDED}
            if record.is_adjudicating
            else ()
        )
        return QuestionSet(
            session,
            self._transactions.recipe,
            record.kind,
            asked_items,
            person_id=rater_id,
            only_undecided=is_extra,
            resolved=resolved,
            may_overrule=stage is not None and stage.may_overrule,
            clock=self._transactions.now,
            words=lambda field: listed_words(self._file, field, rater_id),
            predicted=predicted_answers(
                self._file, record.video_id, frozenset(item.id for item in asked_items)
            )
            if stage is not None and stage.shows_predictions
            else {},
        )

    def _task_for(
        self, kind: str, video_ids: tuple[VideoId, ...], reserved_for: PersonId | None
    ) -> TaskId | None:
        """Return an unstarted task on some videos, None without one."""
        if reserved_for is not None:
            return None
        with self._file.reading() as connection:
            for task_id, about in store.untouched_tasks(connection, video_ids[0], kind):
                if about == video_ids and self._transactions.record(task_id).reserved_for is None:
                    return task_id
        return None

    def _append(self, task_id: TaskId, group: Sequence[Item]) -> None:
        with self._file.transaction() as connection:
            first = store.last_position(connection, task_id) + 1
            store.add_items(connection, task_id, first, group)

    def _make_task(
        self,
        kind: str,
        video_id: VideoId,
        title: str | None,
        priority: int,
        reserved_for: PersonId | None,
    ) -> TaskId:
        task_type = self._transactions.task_type(kind)
        me, base_id = self._transactions.people.me, None
        if task_type.follows:
            with self._file.reading() as connection:
                base = tasks.find_by_kind(connection, video_id, task_type.follows)
            record = self._transactions.record(base) if base is not None else None
            if record is not None and record.status is TaskStatus.COMPLETE:
                base_id = record.base_id
        event = create(
            TaskId(new_id()),
            video_id,
            task_type,
            by=me.id if me is not None else None,
            now=self._transactions.now(),
            priority=priority,
            base_id=base_id,
            reserved_for=reserved_for,
        )
        self._transactions.create(event, title or task_type.title)
        return event.task_id


def _go_on(
    i: int,
    n: int,
    on_progress: Callable[[float], object] | None,
    is_canceled: Callable[[], bool] | None,
) -> None:
    if is_canceled is not None and is_canceled():
        raise WorkError("No items were added.", code="canceled")
    if on_progress is not None and i % _TELL_EVERY == 0:
        on_progress(i / n)
