"""Exclusion of study participants from rating tasks on the same videos.

Who had a part in what is asked is not dealt it (`study_items.Parts`). This is the other way round:
who was dealt it is barred from all tasks that ask something about the same videos, those there are
and those that come, in the log of each task. So no queue offers them one, no package brings one
along, and no lead can give them one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from annotator.domain.ids import PersonId, TaskId, VideoId
from annotator.domain.work.acts import ExcludePeople
from annotator.store.questions import studies as store

if TYPE_CHECKING:
    from annotator.services.workflow.transactions import WorkTransactions

_REASON: Final = "Excluded: the person answers questions about this video in a study."


def exclude_participants(
    room: WorkTransactions,
    lead_id: PersonId,
    dealt: Mapping[tuple[VideoId, ...], Iterable[PersonId]],
) -> None:
    """Exclude people from rating tasks on videos of their study items; within `together`."""
    for video_ids, people in dealt.items():
        with room.file.reading() as connection:
            found = store.tasks_about(connection, video_ids)
        # Of a kind that the recipe has no more, nobody is offered anything.
        found = [t for t in found if room.recipe.recipe.task_type(room.record(t).kind) is not None]
        _bar(room, lead_id, found, tuple(people))


def exclude_from_new_task(
    room: WorkTransactions, lead_id: PersonId, task_id: TaskId, video_ids: tuple[VideoId, ...]
) -> None:
    """Exclude study participants from a new task on the same videos."""
    with room.file.reading() as connection:
        dealt = store.assigned_about(connection, video_ids)
    if dealt:
        _bar(room, lead_id, [task_id], tuple(dealt))


def _bar(
    room: WorkTransactions,
    lead_id: PersonId,
    task_ids: Sequence[TaskId],
    people: tuple[PersonId, ...],
) -> None:
    room.act_on_all(task_ids, lambda _: (ExcludePeople(lead_id, people, _REASON),))
