"""The question steps of a recipe, and the data sets that are built of their results."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from annotator.domain.errors import UserError, WorkError
from annotator.domain.questions.items.item import ItemState
from annotator.domain.recipes.recipe import Recipe
from annotator.services.background.jobs import JobToken
from annotator.services.files import protect, swapped
from annotator.services.project.projects import OpenProject
from annotator.services.questions import bringing, imported, making
from annotator.services.questions.benchmark import DataSetResult, QuestionStep, benchmark_of
from annotator.services.questions.making import StepResult
from annotator.services.questions.studies.scoring import make_scoring
from annotator.services.questions.voting.votes_file import votes_path, write_votes
from annotator.store.questions.items import count_states

CREATE_QUESTIONS: Final = "create-questions"
SAMPLE_OPTIONS: Final = "sample-options"
CREATE_GROUNDED: Final = "create-grounded"
CREATE_SCORING: Final = "create-scoring"

_BANK: Final = (
    QuestionStep(
        CREATE_QUESTIONS, "Create questions from the question bank", making.make_bank_questions
    ),
    QuestionStep(SAMPLE_OPTIONS, "Sample the answer options", making.make_final_questions),
)
_IMPORTED: Final = (
    QuestionStep("add-imported", "Add imported questions as study items", imported.make_finished),
    QuestionStep(
        "assign-imported",
        "Create tasks for imported questions",
        imported.ask_raters,
    ),
    QuestionStep("resolve-imported", "Store answers of imported questions", imported.settle),
)
_RULES: Final = (
    QuestionStep(
        CREATE_GROUNDED,
        "Create grounded questions from track rules",
        making.make_grounded_questions,
    ),
    QuestionStep("resolve-grounded", "Keep confirmed tracks", making.settle_grounded_questions),
)
_SCORING: Final = (QuestionStep(CREATE_SCORING, "Create answer-scoring tasks", make_scoring),)
OF_ALL_RECIPES: Final = (*_BANK, *_IMPORTED, *_RULES, *_SCORING)
"""The steps that need no benchmark."""


def steps_of(project: OpenProject) -> tuple[QuestionStep, ...]:
    """Return the question steps of the project's recipe, in the order of the work."""
    recipe = project.work.recipe
    return (
        *(_BANK if recipe.bank is not None else ()),
        *(_IMPORTED if recipe.bank is not None and recipe.bank.final_kind else ()),
        *(_RULES if recipe.rules else ()),
        *benchmark_of(project).steps,
        *(_SCORING if _scored_in(recipe) else ()),
    )


def run_step(project: OpenProject, name: str) -> StepResult:
    """Run a question step; WorkError if the recipe has none of that name."""
    steps = {step.name: step for step in steps_of(project)}
    if name not in steps:
        known = (
            f"Available steps: {', '.join(steps)}."
            if steps
            else "The recipe has no question steps."
        )
        raise WorkError(f"Unknown question step “{name}”.", code="no-act", hint=known)
    return steps[name].run(project)


class SoFar(NamedTuple):
    """How many items a step has created, and how many are resolved or discarded."""

    n_items: int
    n_decided: int
    n_discarded: int


def made_so_far(project: OpenProject) -> dict[str, SoFar]:
    """Return for each step what it has created; steps that created nothing are left out."""
    counts = count_states(project.file)
    found: dict[str, SoFar] = {}
    for step in steps_of(project):
        states = [counts.get(kind, {}) for kind in _kinds_of(project.work.recipe, step)]
        n_items = sum(sum(each.values()) for each in states)
        if n_items:
            decided = sum(each.get(ItemState.DECIDED, 0) for each in states)
            discarded = sum(each.get(ItemState.DISCARDED, 0) for each in states)
            found[step.name] = SoFar(n_items, decided, discarded)
    return found


def _kinds_of(recipe: Recipe, step: QuestionStep) -> Collection[str]:
    if step.name == CREATE_QUESTIONS and recipe.bank is not None:
        return {recipe.bank.kind, recipe.bank.open_kind}
    if step.name == SAMPLE_OPTIONS and recipe.bank is not None:
        return (recipe.bank.final_kind,)
    if step.name == CREATE_GROUNDED:
        return {rule.kind for rule in recipe.rules}
    return _scored_in(recipe) if step.name == CREATE_SCORING else step.makes


def _scored_in(recipe: Recipe) -> frozenset[str]:
    """Return the kinds of task in which open answers are scored."""
    named = {each.study.scored_in for each in recipe.task_types if each.study is not None}
    return frozenset(named - {""})


def brings_in(project: OpenProject) -> bool:
    """Tell whether anything that was made elsewhere can be asked."""
    return any(task_type.form is not None for task_type in project.work.recipe.task_types)


def bring_in(project: OpenProject, path: Path) -> StepResult:
    """Import items: of a file of the recipe's benchmark, else of any kind, such as tests.

    Leads only. WorkError when the recipe has no use for it, ExchangeError for a bad file.
    """
    if not brings_in(project):
        text = "Cannot import questions: the recipe of this project has no task type with a form."
        raise WorkError(text, code="no-act")
    project.work.people.check_lead()
    return (benchmark_of(project).import_items or bringing.import_items)(project, path)


def write_data_set(project: OpenProject, path: Path, token: JobToken) -> DataSetResult:
    """Write the data set of the recipe's benchmark: a folder or a file, see `Benchmark.suffix`.

    Beside it goes a file with the votes and how far they agree. Leads only. UserError when the
    recipe's benchmark builds none.
    """
    protect(path, project.own_files())
    project.work.people.check_lead()
    build = benchmark_of(project).build
    if build is None:
        raise UserError(
            "Cannot build a data set: the recipe of this project does not define one.",
            hint="To export tracks, points and segments, use “annotator export”.",
            where=str(project.path),
        )
    with swapped(path) as place:
        written = build(project, place, token)
        write_votes(project, votes_path(written.path), token)
    return replace(written, path=path.parent / written.path.relative_to(place.parent))
