"""Missing answers of a task, checked before it is submitted."""

from __future__ import annotations

from annotator.domain.annotation.document import Document
from annotator.domain.errors import WorkError
from annotator.domain.forms.checking import AnswerProblem, problems
from annotator.domain.questions.settling import reason_of
from annotator.domain.work.records import Assignment, TaskRecord, Verdict, VerdictKind
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.questions.asking.mixing import asked_of, demanded_of
from annotator.services.questions.forms import form_under, version_of
from annotator.store.file.project import ProjectFile


def check_answered(
    file: ProjectFile,
    recipe: ProjectRecipe,
    record: TaskRecord,
    held: Assignment,
    document: Document,
    verdict: Verdict,
) -> None:
    """Refuse what is handed in with answers missing; WorkError names the first and counts them.

    What is sent back may be as it is. An adjudicator answers what is undecided.
    """
    if verdict.kind is VerdictKind.SEND_BACK:
        return
    found = _open(file, recipe, record, held, document)
    if found:
        n = len(found)
        rest = (
            f" {n - 1} more questions are incomplete."
            if n > 2
            else " One more question is incomplete."
            if n == 2
            else ""
        )
        raise WorkError(
            f"{found[0].text}{rest}",
            code="unanswered",
            hint="Answer the required fields, or flag a question that has a problem.",
        )


def _open(
    file: ProjectFile,
    recipe: ProjectRecipe,
    record: TaskRecord,
    held: Assignment,
    document: Document,
) -> list[AnswerProblem]:
    task_type, answers = recipe.recipe.task_type(record.kind), document.answers
    form = form_under(recipe, record.kind, version_of(recipe, answers.values()))
    if task_type is None or form is None:
        return []
    found = asked_of(file, record, task_type, held.person_id, held.id)
    begun = {key.item_id for key in answers}
    demanded = demanded_of(found, begun, record, task_type)
    overruled = (item for item in found if item not in demanded and reason_of(answers, item.id))
    return [
        problem for item in (*demanded, *overruled) for problem in problems(form, item, answers)
    ]
