"""Answers from other copies, accepted only if they could have been submitted here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from annotator.domain.annotation.document import Document
from annotator.domain.answer import Answer
from annotator.domain.errors import EditError, ProjectError
from annotator.domain.forms.answer_checks import checked, options_of, problems
from annotator.domain.forms.field import OTHER, Field, Form
from annotator.domain.ids import AssignmentId, ItemId
from annotator.domain.questions.answer_resolution import reason_of, with_reason
from annotator.domain.questions.items.item import Item, ItemState
from annotator.domain.work.records import TaskRecord, VerdictKind
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.questions.asking.attention_checks import revealed
from annotator.services.questions.forms import form_under
from annotator.store.file.project import ProjectFile
from annotator.store.questions import items

_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class ReceivedAnswers:
    """Answers of a submission from another copy: the assignment, and the version of the recipe.
    ``asked`` are the items to answer."""

    document: Document
    assignment_id: AssignmentId
    version: int
    verdict: VerdictKind
    asked: Collection[ItemId]


def check_arrived(
    file: ProjectFile, recipe: ProjectRecipe, record: TaskRecord, arrived: ReceivedAnswers
) -> None:
    """Refuse answers that are not possible here: to items that were not asked, of another kind,
    outside the options, or with required fields missing. ProjectError names the first few."""
    answers = arrived.document.answers
    given_under = min((a.recipe_version for a in answers.values()), default=arrived.version)
    form = form_under(recipe, record.kind, given_under)
    if form is None and not answers:
        return
    if form is not None and _may_overrule(recipe, record):
        form = with_reason(form)
    known_items = _items_received(file, record, arrived.assignment_id)
    faults: list[str] = []
    for answer in answers.values():
        item = known_items.get(answer.key.item_id)
        field = form.field(answer.key.field) if form is not None else None
        if form is None or item is None or field is None:
            faults.append(
                f"“{answer.key.field[:80]}” has an answer but is not a field of the form."
            )
            continue
        why = _why_not(answer, field, item, form, arrived.document)
        why = why or _why_not_version(recipe, record, answer, arrived)
        if why:
            faults.append(_of(item, why))
    if form is not None and arrived.verdict is not VerdictKind.SEND_BACK and not faults:
        faults.extend(_left_open(form, record, known_items, arrived))
    if faults:
        raise _refused(faults)


def _may_overrule(recipe: ProjectRecipe, record: TaskRecord) -> bool:
    task_type = recipe.recipe.task_type(record.kind)
    stage = task_type.stage(record.stage) if task_type is not None else None
    return record.is_adjudicating and stage is not None and stage.may_overrule


def _items_received(
    file: ProjectFile, record: TaskRecord, assignment_id: AssignmentId
) -> dict[ItemId, Item]:
    """Return the items a person can have received, by their pseudonyms."""
    with file.reading() as connection:
        own = {item.id: item for item in items.items_of(connection, record.id)}
        found = {
            name: items.find_item(connection, check_id)
            for name, check_id in revealed(file, assignment_id).items()
        }
    checks = {name: replace(each, id=name) for name, each in found.items() if each is not None}
    return {**checks, **own}


def _why_not(answer: Answer, field: Field, item: Item, form: Form, document: Document) -> str:
    """Return why an answer cannot be one, in words; "" when it can."""
    if not 0 <= answer.key.entry < form.entries[1]:
        return f"“{field.title}” has more entries than allowed."
    try:
        problem = checked(field, item, answer.value, document)
    except EditError as error:
        return str(error)
    if problem != answer.value:
        return f"Invalid answer to “{field.title}”."
    keys = {option.key for option in options_of(field, item)} | (
        {OTHER} if field.has_other else set()
    )
    if answer.order and (set(answer.order) != keys or len(answer.order) != len(keys)):
        return f"The options of “{field.title}” do not match."
    if answer.at < 0 or answer.took_ms < 0:
        return f"“{field.title}” has an invalid answer time."
    return ""


def _why_not_version(
    recipe: ProjectRecipe, record: TaskRecord, answer: Answer, arrived: ReceivedAnswers
) -> str:
    """Return why an answer cannot have been given under its version of the recipe; "" if it can.

    Answers of an older version are valid only in a draft continued from a submission.
    """
    held = record.assignment(arrived.assignment_id)
    goes_on = held is None or held.base_id is not None or record.is_adjudicating
    version = answer.recipe_version
    if version == arrived.version:
        return ""
    if goes_on and version < arrived.version and recipe.version(version) is not None:
        return ""
    return f"The recipe version {version} of the answers was not used for this task."


def _left_open(
    form: Form, record: TaskRecord, known: Mapping[ItemId, Item], arrived: ReceivedAnswers
) -> Iterator[str]:
    """Yield missing required answers, except for items discarded since."""
    answers = arrived.document.answers
    is_settling = record.is_adjudicating
    begun = {key.item_id for key in answers if not is_settling or reason_of(answers, key.item_id)}
    for item_id, item in known.items():
        if item.state is ItemState.DISCARDED:
            continue
        is_resolved = record.is_adjudicating and item.state is ItemState.DECIDED
        if is_resolved and not reason_of(answers, item_id):
            continue  # the vote stands, whatever was answered
        if item_id in begun or item_id in arrived.asked:
            for problem in problems(form, item, answers):
                yield _of(item, problem.text)


def _of(item: Item, why: str) -> str:
    return f"“{' '.join(item.text.split())[:80]}”: {why}" if item.text else why


def _refused(faults: list[str]) -> ProjectError:
    n_named = len(faults) if len(faults) <= _MOST_NAMED else _MOST_NAMED - 1
    told = " ".join(faults[:n_named])
    rest = f" {len(faults) - n_named} more problems were found." if n_named < len(faults) else ""
    return ProjectError(
        f"Cannot import a submission: its answers do not match the task. {told}{rest}",
        hint="No data was imported. Request the file again from its author.",
    )
