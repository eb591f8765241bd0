"""The form of a task, in the recipe version of its answers."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.domain.answer import Answer
from annotator.domain.forms.field import Form
from annotator.services.project.recipes import ProjectRecipe


def form_under(recipe: ProjectRecipe, kind: str, version: int) -> Form | None:
    """Return the form of a kind of task in a version of the recipe; that of today when the project
    does not keep that version, None when nothing is asked.
    """
    found = recipe.version(version)
    task_type = (found or recipe.recipe).task_type(kind)
    if task_type is None:
        task_type = recipe.recipe.task_type(kind)
    return task_type.form if task_type is not None else None


def version_of(recipe: ProjectRecipe, answers: Iterable[Answer]) -> int:
    """Return the recipe version of a question set: that of its first answer."""
    return min((answer.recipe_version for answer in answers), default=recipe.recipe.version)
