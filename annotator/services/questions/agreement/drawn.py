"""Annotations of several people on the same video, read one task at a time.

Where several work side by side it is what each of them handed in, once all have; else what was
first made, and what came of it when somebody else had checked it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from annotator.domain.agreement.between import SubmittedWork
from annotator.domain.annotation.canonical import read_document
from annotator.domain.errors import ProjectError
from annotator.domain.ids import DraftId, PersonId, SubmissionId
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.records import Assignment, TaskRecord, TaskStatus
from annotator.domain.work.rules import hidden_from
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.store.catalog import videos
from annotator.store.workflow import submissions, tasks


def drawn_by_several(
    project: OpenProject, task_type: TaskType, token: JobToken
) -> Iterator[SubmittedWork]:
    """Yield the works on each task of a kind that more than one person had a hand in; leads only.

    Of complete tasks, and of those whose raters are through; where one of these is the lead, what
    the others did stays hidden. What cannot be read any more (damaged, or of a video that is
    another now) is left out. Leaves the job when it is cancelled.
    """
    me = project.work.people.check_lead()
    with project.file.reading() as connection:
        decided = [
            t
            for s in (*_THROUGH, *_CALLED)
            for t in tasks.tasks_of_kind(connection, task_type.kind, s)
        ]
    tell = token.follow(task_type.title)
    for i, task_id in enumerate(decided):
        tell(i / len(decided))
        record = project.work.record(task_id)
        if record.status in _CALLED and not record.is_adjudicating:
            continue
        compared = _compared(record, task_type)
        if len(compared) < 2 or hidden_from(record, me):
            continue
        for person_id, submission_id in sorted(compared.items()):
            work = _work(project, record, person_id, submission_id)
            if work is not None:
                yield work


_THROUGH: Final = (TaskStatus.COMPLETE, TaskStatus.RESOLVING)
_CALLED: Final = (TaskStatus.WAITING, TaskStatus.IN_PROGRESS)
"""Of these tasks the raters are through if an adjudicator was called."""


def _compared(record: TaskRecord, task_type: TaskType) -> dict[PersonId, SubmissionId]:
    """Return the submissions of a task that are compared, by person."""
    several = [stage for stage in task_type.stages if stage.raters > 1]
    if several:
        last = [a for a in record.assignments if a.stage == several[0].key]
        visit = max((a.visit for a in last), default=0)
        through = [(a, a.counted) for a in last if a.visit == visit and a.counted is not None]
        # Who comes after the raters adjudicates, and has seen what they did.
        order = {name: i for i, name in enumerate(record.counted)}
        through.sort(key=lambda each: order.get(each[1].submission_id, 0) if each[1] else 0)
        return {
            a.person_id: handed.submission_id
            for a, handed in through[: several[0].max_raters]
            if handed is not None
        }
    if len(task_type.stages) < 2:
        return {}
    made, checked = ([*_handed(record, stage.key)] for stage in task_type.stages[:2])
    if not made or not checked or made[0].person_id == checked[-1].person_id:
        return {}
    first, last_checked = made[0].submissions[0], checked[-1].counted
    assert last_checked is not None
    return {
        made[0].person_id: first.submission_id,
        checked[-1].person_id: last_checked.submission_id,
    }


def _handed(record: TaskRecord, stage: str) -> Iterator[Assignment]:
    """Yield the assignments at a stage that counted, as they came."""
    return (a for a in record.assignments if a.stage == stage and a.counted is not None)


def _work(
    project: OpenProject, record: TaskRecord, person_id: PersonId, submission_id: SubmissionId
) -> SubmittedWork | None:
    stored = videos.find_video(project.file, record.video_id)
    body = submissions.read_body(project.file, submission_id)
    try:
        document = read_document(body, DraftId(""), stored.info) if stored is not None else None
    except ProjectError:
        return None
    return (
        SubmittedWork(record.id, person_id, document, submission_id)
        if document is not None
        else None
    )
