"""The rules of answers as the core of the work asks for them, missing answers included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.domain.annotation.document import Document
from annotator.domain.errors import WorkError
from annotator.domain.forms.answer_checks import AnswerProblem, problems
from annotator.domain.questions.answer_resolution import reason_of
from annotator.domain.work.records import Assignment, TaskRecord, Verdict, VerdictKind
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.questions.asking.attention_checks import demanded_of, items_with_checks
from annotator.services.questions.forms import form_under, version_of
from annotator.services.questions.voting import stage_resolution, vote_counting
from annotator.store.file.project import ProjectFile

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.answer import Answer
    from annotator.domain.recipes.recipe import TaskType
    from annotator.domain.work.acts import Decide, RequestRater
    from annotator.domain.work.events import Submitted
    from annotator.domain.work.records import Assignment, TaskRecord, Verdict
    from annotator.services.project.recipes import ProjectRecipe
    from annotator.store.file.project import ProjectFile


def check_answered(
    file: ProjectFile,
    recipe: ProjectRecipe,
    record: TaskRecord,
    assignment: Assignment,
    document: Document,
    verdict: Verdict,
) -> None:
    """Refuse a submission with missing answers; WorkError names the first and the number.

    Returned work needs no answers. An adjudicator answers the open items.
    """
    if verdict.kind is VerdictKind.SEND_BACK:
        return
    open_questions = _open(file, recipe, record, assignment, document)
    if open_questions:
        n = len(open_questions)
        unanswered = (
            f" {n - 1} more questions are incomplete."
            if n > 2
            else " One more question is incomplete."
            if n == 2
            else ""
        )
        raise WorkError(
            f"{open_questions[0].text}{unanswered}",
            code="unanswered",
            hint="Answer the required fields, or flag a question that has a problem.",
        )


def _open(
    file: ProjectFile,
    recipe: ProjectRecipe,
    record: TaskRecord,
    assignment: Assignment,
    document: Document,
) -> list[AnswerProblem]:
    task_type, answers = recipe.recipe.task_type(record.kind), document.answers
    form = form_under(recipe, record.kind, version_of(recipe, answers.values()))
    if task_type is None or form is None:
        return []
    asked_items = items_with_checks(file, record, task_type, assignment.person_id, assignment.id)
    begun = {key.item_id for key in answers}
    demanded = demanded_of(asked_items, begun, record, task_type)
    overruled = (
        item for item in asked_items if item not in demanded and reason_of(answers, item.id)
    )
    return [
        problem for item in (*demanded, *overruled) for problem in problems(form, item, answers)
    ]


class QuestionRules:
    """Rules of answers, of one project."""

    def __init__(self, file: ProjectFile, recipe: ProjectRecipe) -> None:
        self._file = file
        self._recipe = recipe

    def check(
        self, record: TaskRecord, held: Assignment, document: Document, verdict: Verdict
    ) -> None:
        check_answered(self._file, self._recipe, record, held, document, verdict)

    def count(self, before: TaskRecord, task_type: TaskType, event: Submitted) -> None:
        vote_counting.count(self._file, self._recipe, before, task_type, event)

    def follow(
        self, record: TaskRecord, task_type: TaskType, *, is_again: bool
    ) -> Decide | RequestRater | None:
        resolve = stage_resolution.resolve_again if is_again else stage_resolution.resolve_stage
        return resolve(self._file, record, task_type)

    def note_decided(self, record: TaskRecord, task_type: TaskType) -> None:
        stage_resolution.note_decided(self._file, record, task_type)

    def decided_so_far(self, record: TaskRecord, task_type: TaskType) -> list[Answer]:
        return stage_resolution.decided_so_far(self._file, record, task_type)
