"""Conflicts of interest: exclusions of people in the logs of tasks.

Who takes a task that shows all of a video is excluded from questions about what happens after its
cut, and who takes such a question from tasks that show all of it. Who wrote, aligned or answered
what an item was made from is excluded from tasks that check it; who checked an earlier form of it
is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from annotator.domain.forms.restricted_view import Extent
from annotator.domain.ids import PersonId, TaskId, VideoId
from annotator.domain.work.events import Assigned, Claimed, PersonExcluded
from annotator.services.project.restricted_video import cut_frame_of
from annotator.store.catalog import videos
from annotator.store.questions import items
from annotator.store.workflow import tasks, travel

if TYPE_CHECKING:
    from annotator.domain.questions.items.item import Item
    from annotator.domain.recipes.recipe import Recipe, TaskType
    from annotator.domain.work.events import WorkEvent
    from annotator.domain.work.records import Instant, TaskRecord
    from annotator.store.file.project import ProjectFile

_SAW_ALL: Final = "the person has a task that shows this video beyond its cut."
_WAS_ASKED: Final = "the person has a question about this video up to its cut."
_AUTHOR: Final = "the person wrote, aligned or answered what is checked here."


def after_taking(
    file: ProjectFile, recipe: Recipe, record: TaskRecord, done: Iterable[WorkEvent], now: Instant
) -> Iterator[PersonExcluded]:
    """Yield the exclusions from other tasks that follow from a claim."""
    takers = [event.person_id for event in done if isinstance(event, Claimed | Assigned)]
    own = recipe.task_type(record.kind)
    if not takers or own is None or not _may_conflict(file, recipe, record.video_id):
        return
    for task_id, kind in _tasks_of(file, record.video_id):
        other = recipe.task_type(kind)
        if task_id != record.id and other is not None and _conflict(own, other):
            for person_id in takers:
                yield PersonExcluded(task_id, now, None, person_id, _reason(own))


def of_new_task(
    file: ProjectFile, recipe: Recipe, record: TaskRecord, now: Instant
) -> Iterator[PersonExcluded]:
    """Yield the exclusions from a new task that follow from earlier claims."""
    own = recipe.task_type(record.kind)
    if own is None or not _may_conflict(file, recipe, record.video_id):
        return
    others = {
        task_id: other
        for task_id, kind in _tasks_of(file, record.video_id)
        if (other := recipe.task_type(kind)) is not None and _conflict(own, other)
    }
    with file.reading() as connection:
        found = tasks.takers_of(connection, others)
    for person_id, task_id in found.items():
        yield PersonExcluded(record.id, now, None, person_id, _reason(others[task_id]))


def of_authors(
    file: ProjectFile,
    task_type: TaskType,
    task_id: TaskId,
    written_items: Sequence[Item],
    now: Instant,
) -> Iterator[PersonExcluded]:
    """Yield the exclusions of the authors of items from the task that checks them."""
    if not task_type.excludes_authors:
        return
    with file.reading() as connection:
        sources, people = set[TaskId](), set[PersonId]()
        for item in written_items:
            for ancestor in items.ancestry(connection, item):
                if ancestor.kind == task_type.kind and ancestor is not item:
                    continue
                # An assigned question refers to its original item and its author.
                people |= {
                    PersonId(p) for p in str(ancestor.source.get("question", "")).split("/")[1:2]
                }
                source = items.task_of(connection, ancestor.id)
                sources |= {source} if source is not None and source != task_id else set()
        people |= set(tasks.takers_of(connection, sources))
    for person_id in sorted(people):
        yield PersonExcluded(task_id, now, None, person_id, _AUTHOR)


def _may_conflict(file: ProjectFile, recipe: Recipe, video_id: VideoId) -> bool:
    if not recipe.keeps_cut_apart or file.meta(travel.ORIGIN) is not None:
        return False
    if not any(t.viewing.extent is Extent.BEFORE_CUT for t in recipe.task_types):
        return False
    stored = videos.find_video(file, video_id)
    return stored is not None and cut_frame_of(stored.info) is not None


def _conflict(one: TaskType, other: TaskType) -> bool:
    """Return whether two kinds of tasks on a video exclude each other."""
    extents = {one.viewing.extent, other.viewing.extent}
    return extents == {Extent.WHOLE, Extent.BEFORE_CUT}


def _reason(taken: TaskType) -> str:
    return _SAW_ALL if taken.viewing.extent is Extent.WHOLE else _WAS_ASKED


def _tasks_of(file: ProjectFile, video_id: VideoId) -> list[tuple[TaskId, str]]:
    with file.reading() as connection:
        return tasks.kinds_on(connection, video_id)
