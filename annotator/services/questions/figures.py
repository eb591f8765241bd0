"""Figures of what was asked: how far raters agree, who knew what is known, what became of items.

Nobody's answers are read before their task is decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from annotator.domain.agreement.figure import COLUMNS, Figure, table
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.errors import UserError, WorkError
from annotator.domain.forms.field import FieldKind
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.agreeing import Said, agreement_on
from annotator.domain.questions.item import Item, ItemState, Purpose
from annotator.domain.questions.merging import Merges
from annotator.domain.questions.screening import Standing
from annotator.domain.recipe import TaskType
from annotator.domain.study.figures import wilson
from annotator.services.jobs import JobToken
from annotator.services.projects import OpenProject
from annotator.services.questions.forms import form_under
from annotator.services.recipes import ProjectRecipe
from annotator.services.tables import Cell, write_table
from annotator.store.items import ItemFilter
from annotator.store.merges import merges_of
from annotator.store.votes import VoteRow, decided_votes

AGREEMENT = "agreement.csv"
KNOWN = "known-answers.csv"
ITEMS = "items.csv"
AGREEMENT_COLUMNS = ("kind", *COLUMNS)
KNOWN_COLUMNS = ("kind", "person", "purpose", "right", "answers", "share", "low", "high", "level")
ITEM_COLUMNS = ("kind", "item", "text", "purpose", "state", "reason", "raters", "median_seconds")


@dataclass(frozen=True, slots=True)
class Known:
    """How often somebody knew what is known, of items of one purpose, with Wilson's interval."""

    person_id: PersonId
    purpose: Purpose
    right: int
    answers: int
    low: float
    high: float
    level: float

    @property
    def share(self) -> float:
        return self.right / self.answers


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """An item, how many people's answers decided about it, and what they took (median)."""

    item: Item
    raters: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class KindCounts:
    """The items of a kind: how many are in each state, and why how many were discarded."""

    kind: str
    states: dict[ItemState, int]
    reasons: dict[str, int]


@dataclass(frozen=True, slots=True)
class WrittenFigures:
    """Where tables were written, and how many rows of each."""

    folder: Path
    counts: dict[str, int]


def asked_kinds(project: OpenProject) -> tuple[TaskType, ...]:
    """Return the kinds of task in which something is asked."""
    return tuple(t for t in project.work.recipe.task_types if t.form is not None)


def agreement_of(
    project: OpenProject,
    kind: str,
    token: JobToken,
    how: Bootstrap | None = None,
    *,
    by_item: bool = False,
) -> tuple[Figure, ...]:
    """Return how far the raters of a kind of task agree: field by field, of each rater, question,
    area, reasoning, group and part, and if wished of each item; leads only.

    Of decided tasks only, and where several answer side by side only they. Discarded items count:
    without them agreement would look better than it is. People go by their ids. Leaves the job when
    it is cancelled.
    """
    project.work.people.check_lead()
    task_type = _asked(project, kind)
    assert task_type.form is not None
    asked = [item for _, item in project.questions.list(ItemFilter(kind=kind))]
    groups = _groups(asked)
    if by_item:
        groups["item"] = {item.id: item.id for item in asked}
    said = list(_said(project, task_type, {item.id: item.text for item in asked}))
    token.check()
    tell = token.follow(task_type.title)
    watch = Watch(tell, lambda: token.is_cancelled)
    try:
        return agreement_on(task_type.form, said, groups, how, watch)
    except WorkError:
        token.check()
        raise


def known_answers(project: OpenProject, kind: str, level: float = 0.95) -> list[Known]:
    """Return how often people knew the answers that are known, by person and purpose; leads only.

    What somebody said again of the same item counts as it was said last.
    """
    last = {(e.person_id, e.item_id): e for e in project.screening.judgements(kind)}
    found: dict[tuple[PersonId, Purpose], list[bool]] = {}
    for each in last.values():
        found.setdefault((each.person_id, each.purpose), []).append(each.is_right)
    return [
        Known(*key, sum(judged), len(judged), *wilson(sum(judged), len(judged), level), level)
        for key, judged in sorted(found.items())
    ]


def standings_now(project: OpenProject) -> dict[tuple[PersonId, str], Standing]:
    """Return how people stand with kinds of task after tests and checks; leads only."""
    return {(e.person_id, e.kind): e.state for e in project.screening.standings()}


def item_figures(project: OpenProject, kind: str) -> list[ItemFigures]:
    """Return the items of a kind, oldest first, with what their answers took; leads only."""
    asked = project.questions.list(ItemFilter(kind=kind))
    took: dict[ItemId, dict[PersonId, int]] = {}
    for row in decided_votes(project.file, kind):
        # The time to an answer runs from when the item came up, so the last field has all of it.
        theirs = took.setdefault(row.item_id, {})
        theirs[row.person_id] = max(theirs.get(row.person_id, 0), row.took_ms)
    return [
        ItemFigures(
            item,
            len(took.get(item.id, ())),
            median(took[item.id].values()) / 1000 if item.id in took else None,
        )
        for _, item in asked
    ]


def counts_of(project: OpenProject, kind: str) -> KindCounts:
    """Return what became of the items of a kind; leads only."""
    asked = [item for _, item in project.questions.list(ItemFilter(kind=kind))]
    out = [item.why_discarded for item in asked if item.state is ItemState.DISCARDED]
    return KindCounts(
        kind,
        {state: sum(item.state is state for item in asked) for state in ItemState},
        dict(Counter(out).most_common()),
    )


def median_seconds(found: Iterable[ItemFigures]) -> float | None:
    """Return the median over items of what an answer took; None while nothing is decided."""
    seconds = [each.seconds for each in found if each.seconds is not None]
    return median(seconds) if seconds else None


def agreement_rows(
    project: OpenProject, kind: str, figures: Sequence[Figure]
) -> Iterator[tuple[Cell, ...]]:
    """Yield figures as rows under `AGREEMENT_COLUMNS`, raters by name."""
    for figure, cells in zip(figures, table(figures), strict=True):
        numbers = (figure.value, figure.low, figure.high)
        name = project.work.people.person(PersonId(figure.name)).name if _is_rater(figure) else None
        field, by, group, method, _, _, _, reason, units, raters, votes, *rest = cells
        yield (
            kind,
            field,
            by,
            group if name is None else name,
            method,
            *("" if number is None else number for number in numbers),
            reason,
            *(int(n) for n in (units, raters, votes)),
            *rest,
        )


def known_rows(project: OpenProject, kind: str, found: Sequence[Known]) -> list[tuple[Cell, ...]]:
    """Return known answers as rows under `KNOWN_COLUMNS`, people by name."""
    people = project.work.people
    return [
        (
            kind,
            people.person(each.person_id).name,
            each.purpose.value,
            each.right,
            each.answers,
            each.share,
            each.low,
            each.high,
            each.level,
        )
        for each in found
    ]


def item_rows(kind: str, found: Sequence[ItemFigures]) -> Iterator[tuple[Cell, ...]]:
    """Yield items as rows under `ITEM_COLUMNS`."""
    for each in found:
        item, seconds = each.item, each.seconds
        yield (
            kind,
            item.id,
            item.text,
            item.purpose.value,
            item.state.value,
            item.why_discarded,
            each.raters,
            "" if seconds is None else seconds,
        )


def write_figures(
    project: OpenProject,
    folder: Path,
    token: JobToken,
    how: Bootstrap | None = None,
    kind: str | None = None,
) -> WrittenFigures:
    """Write agreement, known answers and items of one kind, or of all, into a folder; leads only.

    WorkError when nothing is asked in a kind. Leaves the job when it is cancelled.
    """
    project.work.people.check_lead()
    kinds = [kind] if kind is not None else [each.kind for each in asked_kinds(project)]
    agreement: list[tuple[Cell, ...]] = []
    known: list[tuple[Cell, ...]] = []
    items: list[tuple[Cell, ...]] = []
    for each in kinds:
        figures = agreement_of(project, each, token, how, by_item=True)
        agreement += agreement_rows(project, each, figures)
        known += known_rows(project, each, known_answers(project, each))
        items += item_rows(each, item_figures(project, each))
    token.check()
    _make(folder)
    write_table(folder / AGREEMENT, AGREEMENT_COLUMNS, agreement)
    write_table(folder / KNOWN, KNOWN_COLUMNS, known)
    write_table(folder / ITEMS, ITEM_COLUMNS, items)
    counts = {AGREEMENT: len(agreement), KNOWN: len(known), ITEMS: len(items)}
    return WrittenFigures(folder, counts)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"cannot be made: {error.strerror or error}."
        raise UserError(text, hint="Choose another folder.", where=str(folder)) from error


def _asked(project: OpenProject, kind: str) -> TaskType:
    found = {each.kind: each for each in asked_kinds(project)}
    if kind not in found:
        known = f"There are {', '.join(found)}." if found else "Its recipe asks nothing."
        raise WorkError(f"Nothing is asked in tasks of kind “{kind}”.", code="no-form", hint=known)
    return found[kind]


def _said(project: OpenProject, task_type: TaskType, texts: Mapping[ItemId, str]) -> Iterator[Said]:
    """Yield the first entries of those who answered side by side, where the form was as now.

    ``texts`` are what items ask: answers to the same that were merged are one.
    """
    several = {stage.key for stage in task_type.stages if stage.raters > 1}
    stages = several or {stage.key for stage in task_type.stages}
    recipe = ProjectRecipe(project.file)
    fields: dict[int, dict[str, FieldKind]] = {}

    def fits(row: VoteRow) -> bool:
        version = row.recipe_version
        if version not in fields:
            form = form_under(recipe, task_type.kind, version)
            fields[version] = {f.key: f.kind for f in form.fields} if form is not None else {}
        now = task_type.form.field(row.field) if task_type.form is not None else None
        return now is not None and fields[version].get(row.field) is now.kind

    merges = Merges(merges_of(project.file, task_type.kind))
    for row in decided_votes(project.file, task_type.kind):
        if row.entry == 0 and row.stage in stages and fits(row):
            value = row.value
            if merges and isinstance(value, str):
                value = merges.said(row.field, texts[row.item_id], value)
            yield Said(row.item_id, row.person_id, row.field, value)


def _groups(asked: Sequence[Item]) -> dict[str, dict[str, str]]:
    """Return by what figures are grouped; a question is a text that several items have."""
    texts = Counter(item.text for item in asked)
    found: dict[str, dict[str, str]] = {}
    for item in asked:
        names = {
            "question": item.text if texts[item.text] > 1 else "",
            "area": item.area,
            "reasoning": item.reasoning,
            "group": item.group,
            "part": item.part,
        }
        for by, name in names.items():
            if name:
                found.setdefault(by, {})[item.id] = name
    return found


def _is_rater(figure: Figure) -> bool:
    return figure.by == "rater"
