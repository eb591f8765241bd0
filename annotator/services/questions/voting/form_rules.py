"""The rules of answers as the core of the work asks for them; see `workflow.form_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.services.questions.asking.completeness import check_answered
from annotator.services.questions.voting import counting, resolving

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.answers import Answer
    from annotator.domain.recipes.recipe import TaskType
    from annotator.domain.work.acts import AskOneMore, Decide
    from annotator.domain.work.events import Submitted
    from annotator.domain.work.records import Assignment, TaskRecord, Verdict
    from annotator.services.project.recipes import ProjectRecipe
    from annotator.store.file.project import ProjectFile


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
        counting.count(self._file, self._recipe, before, task_type, event)

    def follow(
        self, record: TaskRecord, task_type: TaskType, *, is_again: bool
    ) -> Decide | AskOneMore | None:
        resolve = resolving.take_up if is_again else resolving.put_together
        return resolve(self._file, record, task_type)

    def note_decided(self, record: TaskRecord, task_type: TaskType) -> None:
        resolving.note_decided(self._file, record, task_type)

    def decided_so_far(self, record: TaskRecord, task_type: TaskType) -> list[Answer]:
        return resolving.decided_so_far(self._file, record, task_type)
