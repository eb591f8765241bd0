"""From submissions to votes."""

from __future__ import annotations

from typing import Any

import msgspec

from annotator.domain.answer import Answer, answer_from
from annotator.domain.forms.answer_checks import counted
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.events import Submitted
from annotator.domain.work.records import TaskRecord
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.questions.forms import form_under, version_of
from annotator.store.file.project import ProjectFile
from annotator.store.questions import items, votes
from annotator.store.questions.votes import VoteSource
from annotator.store.workflow import submissions


class _Body(msgspec.Struct):
    answers: list[dict[str, Any]] = []


_bodies = msgspec.json.Decoder(_Body)


def answers_in(body: bytes) -> list[Answer]:
    """Return the answers in a submission, without reading its annotations."""
    return [answer_from(each) for each in _bodies.decode(body).answers]


def count(
    file: ProjectFile,
    recipe: ProjectRecipe,
    before: TaskRecord,
    task_type: TaskType,
    event: Submitted,
) -> None:
    """Store the answers of a counted submission as votes.

    Those to fields that were not asked do not count, nor does what an adjudicator says: that is the
    decision itself. ``before`` is the earlier state of the task.
    """
    assignment = before.assignment(event.assignment_id)
    if task_type.form is None or assignment is None or before.is_adjudicating:
        return
    answers_read = answers_in(submissions.read_body(file, event.submission_id))
    form = form_under(recipe, before.kind, version_of(recipe, answers_read))
    if form is None:
        return
    answers = {answer.key: answer for answer in answers_read}
    source = VoteSource(
        before.id, assignment.stage, assignment.visit, assignment.person_id, event.submission_id
    )
    with file.transaction() as connection:
        counted_answers: list[Answer] = []
        for item in items.items_of(connection, before.id):
            counted_answers += counted(form, item, answers).values()
        votes.write_votes(connection, source, counted_answers)
