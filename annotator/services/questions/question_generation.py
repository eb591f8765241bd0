"""Generates questions: from the bank, from rules, and final ones from answers.

Each step creates only missing items, so it can be repeated during the work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from annotator.domain.answer import Picked
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import WorkError
from annotator.domain.ids import ItemId, PersonId, VideoId
from annotator.domain.questions.items.bank import MAKER, Bank, VideoFacts, offered, questions_for
from annotator.domain.questions.items.grounded import GroundedRule, grounded_items
from annotator.domain.questions.items.item import IMPORTED, Item, ItemState
from annotator.domain.questions.items.negatives import AnsweredQuestion, final_questions
from annotator.domain.recipes.recipe import Tool
from annotator.domain.votes import normalized
from annotator.domain.work.records import TaskStatus
from annotator.services.project.metadata import facts_of
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.outcomes import made_from_items, outcomes, video_names
from annotator.store.questions import items as store
from annotator.store.questions.items import ItemFilter
from annotator.store.workflow import tasks

_THROUGH: Final = (TaskStatus.COMPLETE, TaskStatus.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class StepResult:
    """Result of a question step: items, and those that could not be created with the reason."""

    item_ids: tuple[ItemId, ...]
    findings: tuple[Finding, ...] = ()


def make_bank_questions(project: OpenProject) -> StepResult:
    """Create questions of the bank for each video with a matching script; leads only.

    A template without options is first asked openly. After the open answer of a video is resolved,
    it and the answers of other videos of the script become the options of the next question.
    """
    bank = _bank(project)
    heard = _options_by_video(project, bank)
    handled = {
        (item.video_ids, item.text, item.kind)
        for kind in {bank.kind, bank.open_kind}
        for _, item in project.questions.list(ItemFilter(kind=kind))
        if kind and item.source.get("made") == MAKER
    }
    items: list[Item] = []
    findings: list[Finding] = []
    for info, _ in project.media.all():
        facts = facts_of(info)
        video = VideoFacts(info.id, info.name, str(facts.get("script", "")), facts)
        questions, problems = questions_for(bank, video, heard.get(info.id))
        items += (i for i in questions if (i.video_ids, i.text, i.kind) not in handled)
        findings += problems
    return added(project, items, findings)


def make_grounded_questions(project: OpenProject) -> StepResult:
    """Create grounded questions for the finished tracks of each video; leads only.

    A video is skipped while annotations that a rule uses are in progress.
    """
    from annotator.services.transfer.snapshot import parts_of, result_of

    rules = project.work.recipe.rules
    if not rules:
        raise WorkError("The recipe has no track rules.", code="no-rules")
    handled = {
        (item.video_ids, item.source.get("rule"))
        for kind in {rule.kind for rule in rules}
        for _, item in project.questions.list(ItemFilter(kind=kind))
    }
    items: list[Item] = []
    findings: list[Finding] = []
    looked_at = _looked_at(rules)
    for info, _ in project.media.all():
        parts, _remarks = parts_of(project, info.id, info.name)
        if not parts:
            findings.append(Finding("no-tracks", info.name, "The video has no submissions yet."))
            continue
        if going_on := _going_on(project, info.id, looked_at):
            text = f"Not complete yet: {', '.join(going_on)}."
            findings.append(Finding("not-complete", info.name, text))
            continue
        document = result_of(project.file, parts, info)
        script = str(facts_of(info).get("script", ""))
        new_items = grounded_items(rules, document, script)
        items += (i for i in new_items if (i.video_ids, i.source.get("rule")) not in handled)
    return added(project, items, findings)


def resolve_grounded_questions(project: OpenProject) -> StepResult:
    """Store confirmed grounded questions and discard the others; leads only."""
    settled: list[Item] = []
    refused: list[ItemId] = []
    for kind in {rule.kind for rule in project.work.recipe.rules}:
        for outcome in outcomes(project, kind):
            value = outcome.value("answer")
            if value is True:
                settled.append(_with_right(outcome.item, ("yes",)))
            elif value is False:
                refused.append(outcome.item.id)
    if refused:
        project.questions.discard(refused, "Raters rejected these tracks as the answer.")
    replaced(project, settled)
    return StepResult(tuple(item.id for item in settled))


def make_final_questions(project: OpenProject) -> StepResult:
    """Select the final options of all answered questions of the bank; leads only.

    The sample depends on all correct answers of a script, so existing final questions stay
    unchanged.
    """
    bank = _bank(project)
    if not bank.final_kind:
        raise WorkError(
            "The question bank of the recipe has no “final_kind”.", code="no-final-kind"
        )
    names = video_names(project)
    answered: list[AnsweredQuestion] = []
    for outcome in outcomes(project, bank.kind):
        item, value = outcome.item, outcome.value("answer")
        if not isinstance(value, Picked) or item.source.get("made") == IMPORTED:
            continue
        texts = {option.key: option.text for option in item.options}
        answer = texts.get(value.keys[0], "") if value.keys else value.other
        if answer:
            answered.append(AnsweredQuestion(item, answer, names[item.video_ids[0]]))
    handled = made_from_items(project, bank.final_kind)
    items, findings = final_questions(bank, answered)
    new = [item for item in items if item.source["item"] not in handled]
    store_items(project, new)
    return StepResult(tuple(item.id for item in new), findings)


def added(
    project: OpenProject,
    items: Sequence[Item],
    findings: Iterable[Finding] = (),
    *,
    reserved_for: PersonId | None = None,
) -> StepResult:
    """Add items with their tasks; refused items become findings.

    ``reserved_for`` is whom alone they are asked.
    """
    if not items:
        return StepResult((), tuple(findings))
    texts = {item.id: item.text for item in items}
    report = project.questions.add(items, reserved_for=reserved_for)
    refused = (Finding("refused", texts[id_], why, Severity.ERROR) for id_, why in report.refused)
    return StepResult(report.item_ids, (*findings, *refused))


def store_items(project: OpenProject, items: Sequence[Item]) -> None:
    """Store finished items without tasks; leads only."""
    _store(project, lambda connection: store.add_items(connection, None, 0, items))


def replaced(project: OpenProject, items: Sequence[Item]) -> None:
    """Store the resolved content of items; leads only."""
    _store(project, lambda connection: store.replace_items(connection, items))


def _looked_at(rules: Iterable[GroundedRule]) -> frozenset[Tool]:
    """Return what has to be drawn before rules can be asked."""
    found = {Tool.BOXES, Tool.ACTIONS}
    if any("sound" in rule.where for rule in rules):
        found.add(Tool.SOUNDS)
    return frozenset(found)


def _going_on(project: OpenProject, video_id: VideoId, tools: frozenset[Tool]) -> list[str]:
    """Return the titles of tasks on a video that draw with some tools and are not through."""
    found: list[str] = []
    for task_type in project.work.recipe.task_types:
        if task_type.form is not None or not tools.intersection(task_type.tools):
            continue
        with project.file.reading() as connection:
            task_id = tasks.find_by_kind(connection, video_id, task_type.kind)
        if task_id is not None and project.work.record(task_id).status not in _THROUGH:
            found.append(task_type.title)
    return found


def _bank(project: OpenProject) -> Bank:
    bank = project.work.recipe.bank
    if bank is None:
        raise WorkError("The recipe has no question bank.", code="no-bank")
    return bank


def _options_by_video(
    project: OpenProject, bank: Bank
) -> dict[VideoId, dict[str, tuple[str, ...]]]:
    """Return the answers to offer by video and question with a resolved open answer."""
    tally: dict[tuple[str, str], Counter[str]] = {}
    spelled: dict[str, str] = {}
    own: dict[tuple[VideoId, str], tuple[tuple[str, str], str]] = {}
    for outcome in outcomes(project, bank.open_kind) if bank.open_kind else ():
        text, source = outcome.text("answer"), outcome.item.source
        like = normalized(text)
        if like:
            place = str(source.get("template")), str(source.get("script", ""))
            spelled.setdefault(like, text)
            tally.setdefault(place, Counter())[like] += 1
            own[outcome.item.video_ids[0], outcome.item.text] = place, like
    answers_of: dict[VideoId, dict[str, tuple[str, ...]]] = {}
    for (video_id, question), (place, like) in own.items():
        pool = offered([like], tally[place])
        answers_of.setdefault(video_id, {})[question] = tuple(
            spelled[spelled_text] for spelled_text in pool
        )
    return answers_of


def _with_right(item: Item, right: tuple[str, ...]) -> Item:
    return replace(item, right={"answer": right}, state=ItemState.DECIDED)


def _store(project: OpenProject, write: Callable[..., object]) -> None:
    project.work.people.check_lead()
    with project.file.transaction() as connection:
        write(connection)
