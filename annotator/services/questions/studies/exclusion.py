"""Exclusion of study participants from rating tasks on the same videos.

`askable_items` keeps people with other work on an item out of its study. This module is the
opposite direction: a participant is excluded from all present and future tasks on the same videos.
The exclusion is an event in the log of each task, so queues, packages and leads respect it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from annotator.domain.ids import PersonId, TaskId, VideoId
from annotator.domain.work.acts import ExcludePeople
from annotator.store.questions import studies as store

if TYPE_CHECKING:
    from annotator.services.workflow.transactions import WorkTransactions

_REASON: Final = "the person answers questions about this video in a study."


def exclude_participants(
    transactions: WorkTransactions,
    lead_id: PersonId,
    assigned: Mapping[tuple[VideoId, ...], Iterable[PersonId]],
) -> None:
    """Exclude people from rating tasks on videos of their study items; within `together`."""
    for video_ids, people in assigned.items():
        with transactions.file.reading() as connection:
            found = store.tasks_about(connection, video_ids)
        # Tasks of a kind outside the recipe are offered to no one.
        found = [
            t
            for t in found
            if transactions.recipe.recipe.task_type(transactions.record(t).kind) is not None
        ]
        _bar(transactions, lead_id, found, tuple(people))


def exclude_from_new_task(
    transactions: WorkTransactions,
    lead_id: PersonId,
    task_id: TaskId,
    video_ids: tuple[VideoId, ...],
) -> None:
    """Exclude study participants from a new task on the same videos."""
    with transactions.file.reading() as connection:
        assigned = store.assigned_about(connection, video_ids)
    if assigned:
        _bar(transactions, lead_id, [task_id], tuple(assigned))


def _bar(
    transactions: WorkTransactions,
    lead_id: PersonId,
    task_ids: Sequence[TaskId],
    people: tuple[PersonId, ...],
) -> None:
    transactions.act_on_all(task_ids, lambda _: (ExcludePeople(lead_id, people, _REASON),))
