"""The question steps of a recipe, and the data sets that are built of their results."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from annotator.domain.checks import Finding
from annotator.domain.errors import UserError, WorkError
from annotator.domain.questions.items.groups import FINISHED
from annotator.domain.questions.items.item import ItemState
from annotator.domain.recipes.recipe import Recipe
from annotator.services.background.jobs import JobToken
from annotator.services.files import protect
from annotator.services.project.projects import OpenProject
from annotator.services.questions import bringing, imported, making
from annotator.services.questions.benchmarks import (
    cut_frames,
    neptune,
    pacs,
    pacs_export,
    video_tt,
    video_tt_agreeing,
    video_tt_baseline,
    video_tt_rows,
)
from annotator.services.questions.making import Made
from annotator.services.questions.voting.votes_file import votes_path, write_votes
from annotator.store.questions.items import count_states

PACS: Final = "pacs"
NEPTUNE: Final = "neptune"
VIDEO_TT: Final = "video-tt"

CREATE_QUESTIONS: Final = "create-questions"
SAMPLE_OPTIONS: Final = "sample-options"
CREATE_GROUNDED: Final = "create-grounded"
CREATE_SCORING: Final = "create-scoring"


@dataclass(frozen=True, slots=True)
class QuestionStep:
    """A step that creates items which do not exist yet, or stores resolved ones.

    ``makes`` are the task types of its items, () where the recipe says it or it creates none.
    """

    name: str
    title: str
    run: Callable[[OpenProject], Made]
    makes: tuple[str, ...] = ()


_ALIGNED: Final = (
    video_tt.TRIAL_ALIGNMENT,
    video_tt.COLLECTION_ALIGNMENT,
    video_tt.ALIGNMENT,
    video_tt.VARIANTS_ALIGNMENT,
)
_AGREED: Final = (video_tt.SAMPLING, video_tt.VARIANTS, FINISHED)
_BANK: Final = (
    QuestionStep(
        CREATE_QUESTIONS, "Create questions from the question bank", making.make_bank_questions
    ),
    QuestionStep(
        SAMPLE_OPTIONS, "Sample the options of resolved questions", making.make_final_questions
    ),
)
_IMPORTED: Final = (
    QuestionStep("add-imported", "Add imported questions as study items", imported.make_finished),
    QuestionStep(
        "assign-imported",
        "Create rating tasks for imported questions without an answer",
        imported.ask_raters,
    ),
    QuestionStep(
        "resolve-imported", "Store the resolved answers of imported questions", imported.settle
    ),
)
_RULES: Final = (
    QuestionStep(
        CREATE_GROUNDED,
        "Create grounded questions from the track rules",
        making.make_grounded_questions,
    ),
    QuestionStep(
        "resolve-grounded",
        "Keep confirmed tracks",
        making.settle_grounded_questions,
    ),
)
_SCORING: Final = (
    QuestionStep(
        CREATE_SCORING, "Create scoring tasks for open answers", video_tt_baseline.make_scores
    ),
)
_OF_BENCHMARK: Final = {
    PACS: (
        QuestionStep(
            "create-focus-visual",
            "Create focus-object tasks (middle frame only)",
            pacs.make_looks,
            (pacs.LOOK,),
        ),
        QuestionStep(
            "create-focus-audio",
            "Create focus-object tasks (with sound)",
            pacs.make_listens,
            (pacs.LISTEN,),
        ),
        QuestionStep("create-pairs", "Pair the retained objects", pacs.make_pairs, (pacs.WRITE,)),
        QuestionStep(
            "reuse-questions",
            "Assign written questions to further pairs",
            pacs.make_dealt,
            (pacs.DEALT,),
        ),
        QuestionStep(
            "create-confirmations",
            "Create confirmation tasks for two more raters",
            pacs.make_confirmations,
            (pacs.CONFIRM,),
        ),
    ),
    NEPTUNE: (),
    VIDEO_TT: (
        QuestionStep(
            "create-trial",
            "Create trial questions for a sample of videos",
            video_tt.make_trials,
            (video_tt.TRIAL,),
        ),
        QuestionStep(
            "create-screening",
            "Create video suitability tasks",
            video_tt.make_collection,
            (video_tt.COLLECTION,),
        ),
        QuestionStep(
            "create-primary",
            "Create primary-question tasks",
            video_tt.make_primaries,
            (video_tt.PRIMARY,),
        ),
        QuestionStep(
            "create-alignment",
            "Create alignment tasks for two raters",
            video_tt_agreeing.make_alignments,
            _ALIGNED,
        ),
        QuestionStep(
            "resolve-alignment",
            "Store the agreed versions",
            video_tt_agreeing.settle_alignments,
            _AGREED,
        ),
    ),
}


_BROUGHT_IN: Final = {NEPTUNE: neptune.import_sets, VIDEO_TT: video_tt_rows.import_rows}


def steps_of(project: OpenProject) -> tuple[QuestionStep, ...]:
    """Return the question steps of the project's recipe, in the order of the work."""
    recipe = project.work.recipe
    return (
        *(_BANK if recipe.bank is not None else ()),
        *(_IMPORTED if recipe.bank is not None and recipe.bank.final_kind else ()),
        *(_RULES if recipe.rules else ()),
        *_OF_BENCHMARK.get(recipe.export, ()),
        *(_SCORING if _scored_in(recipe) else ()),
    )


def run_step(project: OpenProject, name: str) -> Made:
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
    if recipe.export == VIDEO_TT and recipe.task_type(video_tt_baseline.OPEN) is not None:
        named.add(video_tt_baseline.SCORING)  # its first version names it nowhere
    return frozenset(named - {""})


def brings_in(project: OpenProject) -> bool:
    """Tell whether anything that was made elsewhere can be asked."""
    return any(task_type.form is not None for task_type in project.work.recipe.task_types)


def bring_in(project: OpenProject, path: Path) -> Made:
    """Bring in what a file has: of Neptune sets to be judged, of Video-TT finished groups, else
    items of any kind, such as tests and checks.

    Leads only. WorkError when the recipe has no use for it, ExchangeError for a bad file.
    """
    if not brings_in(project):
        text = "Cannot import questions: the recipe of this project has no task type with a form."
        raise WorkError(text, code="no-act")
    project.work.people.check_lead()
    read = _BROUGHT_IN.get(project.work.recipe.export, bringing.import_items)
    return read(project, path)


@dataclass(frozen=True, slots=True)
class DataSet:
    """Result of building a data set: place, counts, and records left out."""

    path: Path
    counts: dict[str, int]
    findings: tuple[Finding, ...]


def write_data_set(project: OpenProject, path: Path, token: JobToken) -> DataSet:
    """Write the data set of the recipe's benchmark: a folder for PACS, a file for the others.

    Of the Perception Test that is the file of cut frames; all else is in the usual export. Beside
    it goes a file with the votes and how far they agree. Leads only. UserError when the recipe
    names no such benchmark.
    """
    protect(path, project.own_files())
    project.work.people.check_lead()
    written = _written(project, path, token)
    write_votes(project, votes_path(written.path), token)
    return written


def _written(project: OpenProject, path: Path, token: JobToken) -> DataSet:
    benchmark = project.work.recipe.export
    if benchmark == PACS:
        written = pacs_export.export_pacs(project, path, token)
        return DataSet(written.folder, written.counts, written.findings)
    if benchmark == NEPTUNE:
        listed = neptune.export_list(project, path)
        counts = {"sets": listed.n_records, **listed.by_modality}
        return DataSet(listed.path, counts, listed.findings)
    if benchmark == VIDEO_TT:
        rows = video_tt_rows.export_rows(project, path)
        return DataSet(rows.path, {"groups": rows.n_groups, "rows": rows.n_rows}, rows.findings)
    if project.work.recipe.bank is not None:
        found = cut_frames.export_cut_frames(project, path)
        return DataSet(found.path, {"videos": found.n_videos, "cut": found.n_cut}, found.findings)
    raise UserError(
        "Cannot build a data set: the recipe of this project does not define one.",
        hint="To export tracks, points and segments, use “annotator export”.",
        where=str(project.path),
    )
