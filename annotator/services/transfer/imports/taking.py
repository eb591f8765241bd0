"""Batches of new videos become part of a project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from annotator.domain.ids import AssignmentId, DraftId, TaskId, VideoId, new_id
from annotator.domain.people import Role
from annotator.domain.work.acts import Claim
from annotator.domain.work.planning import create
from annotator.domain.work.rules import may_take
from annotator.domain.work.step import begin
from annotator.services.project.projects import TASK_TITLE, OpenProject
from annotator.services.transfer.imports.arriving import ArrivingVideo, VideoBatch
from annotator.services.workflow.transactions import new_assignment
from annotator.services.workflow.work import WorkChanged
from annotator.store.annotation.bulk_drafts import take_part
from annotator.store.catalog import videos


@dataclass(frozen=True, slots=True)
class ImportedVideo:
    """Result of importing one entry; ``is_new``: the project did not have the video before.

    ``n_known`` counts the records that an earlier import had brought.
    """

    name: str
    task_id: TaskId
    n_tracks: int
    n_points: int
    n_segments: int
    is_new: bool
    n_known: int = 0


def may_arrive(project: OpenProject) -> bool:
    """Tell whether whoever is at the keyboard may take the tasks of new videos as they come."""
    work = project.work
    me, kinds = work.me, work.recipe.followers("")
    if me is None or work.people.needs_sign_in or not me.has(Role.LEAD) or not kinds:
        return False
    made = create(TaskId(""), VideoId(""), kinds[0], by=me.id, now=work.room.now())
    return may_take(begin(made), me, kinds[0]) is None


def take_in(project: OpenProject, batch: VideoBatch) -> list[ImportedVideo]:
    """Bring a batch in, all of it or nothing; on the main thread. ProjectError where that fails.

    Each video gets its tasks, and its content is the draft of the first, taken by whoever imports.
    """
    with _told(project) as made:
        return project.aside(lambda: _taken(project, batch, made))


@contextmanager
def _told(project: OpenProject) -> Iterator[set[TaskId]]:
    """Tell of the tasks that were made, once they are in the file."""
    made: set[TaskId] = set()
    yield made
    project.work.changed.notify(WorkChanged(frozenset(made)))


def _taken(project: OpenProject, batch: VideoBatch, made: set[TaskId]) -> list[ImportedVideo]:
    file = project.file
    brought: list[ImportedVideo] = []
    drafts: list[tuple[DraftId, AssignmentId, VideoId]] = []
    with file.attached(batch.part), file.transaction():
        for arrived in batch.arrived:
            videos.add_video(file, arrived.info, None)
            task_ids, held = _tasks(project, arrived)
            made.update(task_ids)
            new = arrived.newcomer
            drafts.append((new.draft_id, held, new.video_id))
            counts = (arrived.n_tracks, arrived.n_points, arrived.n_segments)
            brought.append(ImportedVideo(new.place.name, task_ids[0], *counts, True))
        take_part(file, "import", drafts)
    return brought


def _tasks(project: OpenProject, arrived: ArrivingVideo) -> tuple[list[TaskId], AssignmentId]:
    """Make the tasks of a video and take the first, as opening it would."""
    work, room = project.work, project.work.room
    me, now = work.people.signed_in(), room.now()
    task_ids: list[TaskId] = []
    for task_type in work.recipe.followers(""):
        task_id = TaskId(new_id())
        event = create(task_id, arrived.info.id, task_type, by=me.id, now=now)
        room.create(event, TASK_TITLE if work.is_plain else task_type.title)
        if not task_ids:
            first = begin(event)
        task_ids.append(task_id)
    held = new_assignment()
    room.write(first, (Claim(me.id, held, is_chosen=True),), work.people.crew())
    return task_ids, held
