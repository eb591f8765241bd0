"""Brings in items that were written elsewhere: tests, checks, training units, known questions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.domain.forms.checking import options_of
from annotator.domain.forms.field import FieldKind, Option
from annotator.domain.ids import VideoId, item_id
from annotator.domain.questions.items.checking import why_refused, why_wrong_check
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.recipes.recipe import TaskType
from annotator.services.project.projects import OpenProject
from annotator.services.questions.asking.pointing import boxes_of, tracks_named, tracks_of
from annotator.services.questions.making import StepResult, added
from annotator.services.questions.voting.outcomes import videos_named, why_not_one
from annotator.store.questions.items import ItemFilter

if TYPE_CHECKING:
    from annotator.exchange.items_file import FoundItem

MAKER: Final = "file"


def import_items(project: OpenProject, path: Path) -> StepResult:
    """Bring in the items of a file; leads only.

    ExchangeError for a bad file, or for an item that cannot be asked, with nothing taken over. An
    item that the project has already, or whose video it has not, is left out and named.
    """
    from annotator.exchange.items_file import read_items

    project.work.people.check_lead()
    named = videos_named(project)
    items: list[Item] = []
    checks: list[Item] = []
    findings: list[Finding] = []
    for found in read_items(path):
        unclear = [why for name in found.videos if (why := why_not_one(name, named))]
        if unclear:
            text = f"{unclear[0]}; the item was skipped."
            findings.append(Finding("no-video", found.where, text, Severity.ERROR))
            continue
        item = _item(project, found, tuple(named[name][0] for name in found.videos))
        if item.source["key"] in _had(project, item.kind):
            findings.append(
                Finding("known-item", found.where, "The item is already in the project.")
            )
        else:
            (checks if item.purpose is Purpose.ATTENTION else items).append(item)
    with project.file.transaction():
        project.screening.add_checks(checks)
        made = added(project, items, findings)
    return StepResult((*made.item_ids, *(item.id for item in checks)), made.findings)


def _had(project: OpenProject, kind: str) -> set[object]:
    found = project.questions.list(ItemFilter(kind=kind))
    return {item.source.get("key") for _, item in found if item.source.get("made") == MAKER}


def _item(project: OpenProject, found: FoundItem, videos: tuple[VideoId, ...]) -> Item:
    """Return what is to be asked; ExchangeError when it cannot be."""
    task_type = project.work.recipe.task_type(found.kind)
    usual = task_type.purpose if task_type is not None else Purpose.WORK
    texts = {"question": found.text} if found.text else {}
    item = Item(
        item_id(),
        found.kind,
        videos,
        found.text,
        tuple(Option(f"o{i}", text) for i, text in enumerate(found.options)),
        texts={**texts, **found.texts},
        area=found.area,
        reasoning=found.reasoning,
        tags=found.tags,
        group=found.group,
        part=found.part,
        purpose=found.purpose or usual,
        source={"made": MAKER, "key": found.key},
    )
    if task_type is not None and videos:
        boxes = boxes_of(project, found, videos, task_type)
        item = replace(item, boxes=boxes, track_ids=tracks_of(project, found, videos, task_type))
    elif found.boxes or found.tracks:
        raise ExchangeError("The item has boxes but no video.", where=found.where)
    item = _with_right(project, item, found, task_type)
    if item.purpose is Purpose.ATTENTION:
        why = why_wrong_check(item, task_type)
    else:
        why = why_refused(item, task_type, videos)
    is_mute = task_type is not None and _needs_words(task_type) and not item.text
    if why or is_mute:
        raise ExchangeError(why or "The question is empty.", where=found.where)
    return item


def _needs_words(task_type: TaskType) -> bool:
    """Tell whether options alone say nothing: those of a field are the item's own."""
    return task_type.form is not None and any(field.from_item for field in task_type.form.fields)


def _with_right(
    project: OpenProject, item: Item, found: FoundItem, task_type: TaskType | None
) -> Item:
    """Add the right answers: options that are named by their text go by their key, and objects
    that are named by what they are called by theirs.
    """
    form = task_type.form if task_type is not None else None
    right: dict[str, tuple[str, ...]] = {}
    for key, answers in found.right.items():
        field = form.field(key) if form is not None else None
        if field is not None and field.kind is FieldKind.TRACKS and item.video_ids:
            where = f"{found.where}.right.{key}"
            names = [int(name) if name.isdigit() else name for name in answers]
            right[key] = tracks_named(project, item.video_ids[0], names, where)
            continue
        options = options_of(field, item) if field is not None else ()
        by_text = {option.text: option.key for option in options}
        by_text |= {option.key: option.key for option in options}
        right[key] = tuple(by_text.get(answer, answer) for answer in answers)
    return replace(item, right=right)
