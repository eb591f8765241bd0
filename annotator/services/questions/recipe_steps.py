"""Question steps of a recipe: items from files and imports, and the resulting data sets.

Imported multiple-choice questions take the same steps as those of the project:

    add_finished_questions(project)  turn them into finished questions, for studies
    ask_raters(project)              let raters answer questions without a gold answer
    settle(project)                  store the resolved answers with the records

The records stay with their video unchanged and are exported unchanged. Files of a test split have
no correct options: a study of them has answers and times but no accuracy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from annotator.domain.answer import Picked
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError, UserError, WorkError
from annotator.domain.forms.answer_checks import options_of
from annotator.domain.forms.field import FieldKind, Option
from annotator.domain.ids import VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.items.bank import Bank
from annotator.domain.questions.items.item import IMPORTED, Item, ItemState, Purpose
from annotator.domain.questions.items.item_checks import problems_of, why_refused, why_wrong_check
from annotator.domain.recipes.recipe import Recipe, TaskType
from annotator.services.background.jobs import JobToken
from annotator.services.files import protect, swapped
from annotator.services.project.projects import OpenProject
from annotator.services.questions import question_generation
from annotator.services.questions.asking.item_references import boxes_of, tracks_named, tracks_of
from annotator.services.questions.benchmark_plugin import DataSetResult, QuestionStep, benchmark_of
from annotator.services.questions.question_generation import (
    StepResult,
    added,
    replaced,
    store_items,
)
from annotator.services.questions.studies.reference_scores import make_scoring
from annotator.services.questions.voting.outcomes import outcomes, videos_named, why_not_one
from annotator.services.questions.voting.votes_file import votes_path, write_votes
from annotator.store.questions.items import ItemFilter, count_states

if TYPE_CHECKING:
    from annotator.exchange.items_file import ItemEntry

MAKER: Final = "file"


def import_items(project: OpenProject, path: Path) -> StepResult:
    """Import the items of a file; leads only.

    ExchangeError for a bad file, or for an item that cannot be asked, with nothing taken over. An
    item that the project has already, or whose video it has not, is left out and named.
    """
    from annotator.exchange.items_file import read_items

    project.work.people.check_lead()
    named = videos_named(project, with_endings=True)
    items: list[Item] = []
    checks: list[Item] = []
    findings: list[Finding] = []
    for item_read in read_items(path):
        unclear = [why for name in item_read.videos if (why := why_not_one(name, named))]
        if unclear:
            text = f"{unclear[0]}; the item was skipped."
            findings.append(Finding("no-video", item_read.where, text, Severity.ERROR))
            continue
        item = _item(project, item_read, tuple(named[name][0] for name in item_read.videos))
        if item.source["key"] in _had(project, item.kind):
            findings.append(
                Finding("known-item", item_read.where, "The item is already in the project.")
            )
        else:
            (checks if item.purpose is Purpose.ATTENTION else items).append(item)
    with project.file.transaction():
        project.qualification.add_checks(checks)
        item_ids = added(project, items, findings)
    return StepResult((*item_ids.item_ids, *(item.id for item in checks)), item_ids.findings)


def _had(project: OpenProject, kind: str) -> set[object]:
    found = project.questions.list(ItemFilter(kind=kind))
    return {item.source.get("key") for _, item in found if item.source.get("made") == MAKER}


def _item(project: OpenProject, item_read: ItemEntry, videos: tuple[VideoId, ...]) -> Item:
    """Return the item to ask; ExchangeError if it is invalid."""
    task_type = project.work.recipe.task_type(item_read.kind)
    usual = task_type.purpose if task_type is not None else Purpose.WORK
    texts = {"question": item_read.text} if item_read.text else {}
    item = Item(
        item_id(),
        item_read.kind,
        videos,
        item_read.text,
        tuple(Option(f"o{i}", text) for i, text in enumerate(item_read.options)),
        texts={**texts, **item_read.texts},
        area=item_read.area,
        reasoning=item_read.reasoning,
        tags=item_read.tags,
        group=item_read.group,
        part=item_read.part,
        purpose=item_read.purpose or usual,
        source={"made": MAKER, "key": item_read.key},
    )
    if task_type is not None and videos:
        boxes = boxes_of(project, item_read, videos, task_type)
        item = replace(
            item, boxes=boxes, track_ids=tracks_of(project, item_read, videos, task_type)
        )
    elif item_read.boxes or item_read.tracks:
        raise ExchangeError("The item has boxes but no video.", where=item_read.where)
    item = _with_right(project, item, item_read, task_type)
    if item.purpose is Purpose.ATTENTION:
        why = why_wrong_check(item, task_type)
    else:
        why = why_refused(item, task_type, videos)
    is_mute = task_type is not None and _needs_words(task_type) and not item.text
    if why or is_mute:
        raise ExchangeError(why or "The question is empty.", where=item_read.where)
    return item


def _needs_words(task_type: TaskType) -> bool:
    """Return whether options alone say nothing: those of a field are the item's own."""
    return task_type.form is not None and any(field.from_item for field in task_type.form.fields)


def _with_right(
    project: OpenProject, item: Item, item_read: ItemEntry, task_type: TaskType | None
) -> Item:
    """Add the right answers: options named by their text are replaced by their keys, objects named
    by their label by their IDs."""
    form = task_type.form if task_type is not None else None
    right: dict[str, tuple[str, ...]] = {}
    for key, answers in item_read.right.items():
        field = form.field(key) if form is not None else None
        if field is not None and field.kind is FieldKind.TRACKS and item.video_ids:
            where = f"{item_read.where}.right.{key}"
            names = [int(name) if name.isdigit() else name for name in answers]
            right[key] = tracks_named(project, item.video_ids[0], names, where)
            continue
        options = options_of(field, item) if field is not None else ()
        by_text = {option.text: option.key for option in options}
        by_text |= {option.key: option.key for option in options}
        right[key] = tuple(by_text.get(answer, answer) for answer in answers)
    return replace(item, right=right)


_TASK: Final = "mc_question"
_FIELD: Final = "answer"


class _Same(NamedTuple):
    """Identity of a question: video, text and options."""

    video_ids: tuple[VideoId, ...]
    text: str
    options: tuple[str, ...]


def add_finished_questions(project: OpenProject) -> StepResult:
    """Add imported questions as finished ones, for studies; leads only.

    What breaks the rules of a question is left out and named.
    """
    bank = _bank(project)
    handled = _existing_items(project, bank.final_kind)
    items: list[Item] = []
    findings: list[Finding] = []
    for name, item in _imported(project, bank.final_kind):
        if _same(item) in handled:
            continue
        problems = list(problems_of(item, f"{name}, “{item.text}”"))
        findings += problems
        if not any(problem.severity is Severity.ERROR for problem in problems):
            items.append(replace(item, state=ItemState.DECIDED) if item.right else item)
    store_items(project, items)
    return StepResult(tuple(item.id for item in items), tuple(findings))


def ask_raters(project: OpenProject) -> StepResult:
    """Ask raters the imported questions of which no answer is known; leads only."""
    bank = _bank(project)
    done = _existing_items(project, bank.kind)
    found = (item for _, item in _imported(project, bank.kind) if not item.right)
    return added(project, [item for item in found if _same(item) not in done])


def settle(project: OpenProject) -> StepResult:
    """Store the resolved answers of rated questions; leads only."""
    settled = [
        replace(outcome.item, right={_FIELD: value.keys})
        for outcome in outcomes(project, _bank(project).kind)
        if outcome.item.source.get("made") == IMPORTED
        and not outcome.item.right
        and isinstance(value := outcome.value(_FIELD), Picked)
    ]
    replaced(project, settled)
    return StepResult(tuple(item.id for item in settled))


def _imported(project: OpenProject, kind: str) -> Iterator[tuple[str, Item]]:
    """Yield the questions of all videos as items of a kind, each with the name of its video."""
    from annotator.exchange.perception_test.to_domain import KeptExtra

    project.work.people.check_lead()
    for info, _ in project.media.all():
        for record in KeptExtra.of(info).records.get(_TASK, []):
            yield info.name, _question_item(record, info.id, kind)


def _question_item(record: Mapping[str, Json], video_id: VideoId, kind: str) -> Item:
    listed, answer = record.get("options"), record.get("answer_id")
    texts = [str(text) for text in listed] if isinstance(listed, list) else []
    is_known = isinstance(answer, int) and 0 <= answer < len(texts)
    tags = record.get("tag")
    return Item(
        item_id(),
        kind,
        (video_id,),
        str(record.get("question", "")),
        tuple(Option(f"o{i}", text) for i, text in enumerate(texts)),
        {_FIELD: (f"o{answer}",)} if is_known else {},
        area=str(record.get("area", "")),
        reasoning=str(record.get("reasoning", "")),
        tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
        source={"made": IMPORTED, "id": record.get("id")},
    )


def _existing_items(project: OpenProject, kind: str) -> set[_Same]:
    found = project.questions.list(ItemFilter(kind=kind))
    return {_same(item) for _, item in found if item.source.get("made") == IMPORTED}


def _same(item: Item) -> _Same:
    return _Same(item.video_ids, item.text, tuple(option.text for option in item.options))


def _bank(project: OpenProject) -> Bank:
    bank = project.work.recipe.bank
    if bank is None or not bank.final_kind:
        raise WorkError(
            "The recipe has no question bank with final questions.", code="no-final-kind"
        )
    return bank


CREATE_QUESTIONS: Final = "create-questions"
SAMPLE_OPTIONS: Final = "sample-options"
CREATE_GROUNDED: Final = "create-grounded"
CREATE_SCORING: Final = "create-scoring"
_BANK: Final = (
    QuestionStep(
        CREATE_QUESTIONS,
        "Create questions from the question bank",
        question_generation.make_bank_questions,
        about="For each video, by its script. Questions without options are asked openly first.",
    ),
    QuestionStep(
        SAMPLE_OPTIONS,
        "Sample the answer options",
        question_generation.make_final_questions,
        about="Gives each resolved question its three options. Needs answers about most videos.",
    ),
)
_IMPORTED: Final = (
    QuestionStep(
        "add-imported",
        "Add imported questions as study items",
        add_finished_questions,
        about="Takes over the multiple-choice questions of an imported file for a study.",
    ),
    QuestionStep(
        "assign-imported",
        "Create tasks for imported questions",
        ask_raters,
        about="Lets raters answer imported questions that have no correct answer.",
    ),
    QuestionStep(
        "resolve-imported",
        "Store answers of imported questions",
        settle,
        about="Stores what the raters agreed on, to be exported as the answer.",
    ),
)
_RULES: Final = (
    QuestionStep(
        CREATE_GROUNDED,
        "Create grounded questions from track rules",
        question_generation.make_grounded_questions,
        about="Finds the tracks that may answer a question in videos whose tracks are submitted.",
    ),
    QuestionStep(
        "resolve-grounded",
        "Keep confirmed tracks",
        question_generation.resolve_grounded_questions,
        about="Stores the tracks that raters confirmed.",
    ),
)
_SCORING: Final = (
    QuestionStep(
        CREATE_SCORING,
        "Create answer-scoring tasks",
        make_scoring,
        about="Lets raters score the open answers of a study from 0 to 5.",
    ),
)
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


def created_items(project: OpenProject) -> dict[str, SoFar]:
    """Return the created items of each step that has any."""
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


def can_import(project: OpenProject) -> bool:
    """Return whether the project can ask imported items."""
    return any(task_type.form is not None for task_type in project.work.recipe.task_types)


def bring_in(project: OpenProject, path: Path) -> StepResult:
    """Import items: of a file of the recipe's benchmark, else of any kind, such as tests.

    Leads only. WorkError when the recipe has no use for it, ExchangeError for a bad file.
    """
    if not can_import(project):
        text = "Cannot import questions: the recipe of this project has no task type with a form."
        raise WorkError(text, code="no-act")
    project.work.people.check_lead()
    return (benchmark_of(project).import_items or import_items)(project, path)


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
