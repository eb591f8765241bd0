"""Answers of others, for adjudicators and reviewers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from annotator.domain.answer import AnswerKey, Value
from annotator.domain.work.records import Assignment, TaskRecord
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.store.workflow import submissions

if TYPE_CHECKING:
    from annotator.domain.recipes.recipe import TaskType
    from annotator.services.project.projects import OpenProject
    from annotator.services.session import Session

OtherAnswers = tuple[tuple[Value, int], ...]
"""Answers to a field with their counts, most frequent first."""


def answers_of_others(project: OpenProject, session: Session) -> Mapping[AnswerKey, OtherAnswers]:
    """Return the answers of parallel raters, for a later stage.

    Empty while they are hidden from the person, without an assignment, and without parallel raters.
    Names are not included.
    """
    work, me = project.work, project.work.me
    record = work.record(session.task_id)
    task_type = work.recipe.task_type(record.kind)
    if me is None or task_type is None or all(a.person_id != me.id for a in record.holders):
        return {}
    visible_ids = {submission.id for submission in work.submissions(record.id)}
    counts: dict[AnswerKey, dict[Value, int]] = {}
    for assignment in _side_by_side(record, task_type):
        submission = assignment.counted
        if (
            submission is None
            or submission.submission_id not in visible_ids
            or assignment.person_id == me.id
        ):
            continue
        for answer in answers_in(submissions.read_body(project.file, submission.submission_id)):
            votes = counts.setdefault(answer.key, {})
            votes[answer.value] = votes.get(answer.value, 0) + 1
    return {
        key: tuple(sorted(votes.items(), key=lambda vote: -vote[1]))
        for key, votes in counts.items()
    }


def _side_by_side(record: TaskRecord, task_type: TaskType) -> tuple[Assignment, ...]:
    """Return the assignments of the parallel raters of this stage."""
    if record.is_adjudicating:
        return record.current
    several = {stage.key for stage in task_type.stages if stage.raters > 1}
    earlier = [a for a in record.assignments if a.stage in several and a.visit < record.visit]
    last = max((a.visit for a in earlier), default=0)
    is_later = task_type.index(record.stage) > 0
    return tuple(a for a in earlier if is_later and a.visit == last)
