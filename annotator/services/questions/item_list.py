"""The items of a kind one by one: what became of each and why, and what was flagged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotator.domain.answer_value import Flagged
from annotator.domain.forms.field import FieldKind, Form
from annotator.domain.ids import ItemId
from annotator.domain.questions.items.item import ItemState, Purpose
from annotator.domain.questions.settling import reason_text
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.outcomes import video_names
from annotator.store.questions import votes
from annotator.store.questions.items import ItemFilter


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item in a list. ``flags`` are what was said to be wrong with it, and by how many; of tasks
    that are not decided nothing is told.
    """

    item_id: ItemId
    question: str
    videos: str
    purpose: Purpose
    state: ItemState
    why: str
    flags: tuple[tuple[str, int], ...]


def item_kinds(project: OpenProject) -> tuple[tuple[str, str], ...]:
    """Return the kinds of task that ask raters about items, with their titles."""
    types = project.work.recipe.task_types
    return tuple((t.kind, t.title) for t in types if t.form is not None and t.study is None)


def item_rows(project: OpenProject, kind: str, token: JobToken) -> list[ItemRow]:
    """Return the items of a kind, oldest first; leads only."""
    found = project.questions.list(ItemFilter(kind=kind))
    token.check()
    names = video_names(project)
    task_type = project.work.recipe.task_type(kind)
    form = task_type.form if task_type is not None else None
    flags = _flags(project, kind, form) if form is not None else {}
    token.check()
    return [
        ItemRow(
            item.id,
            item.text,
            ", ".join(names.get(video_id, "?") for video_id in item.video_ids),
            item.purpose,
            item.state,
            item.why_discarded,
            tuple(flags.get(item.id, Counter()).most_common()),
        )
        for _, item in found
    ]


def _flags(project: OpenProject, kind: str, form: Form) -> Mapping[ItemId, Counter[str]]:
    found: dict[ItemId, Counter[str]] = {}
    for field in form.fields:
        if field.kind is not FieldKind.FLAG:
            continue
        for row in votes.decided_votes(project.file, kind, field.key):
            if isinstance(row.value, Flagged):
                text = reason_text(form, votes.answer_of(row))
                found.setdefault(row.item_id, Counter())[text] += 1
    return found
