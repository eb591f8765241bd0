"""The items of a kind one by one: outcome, reason and flags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.domain.answer import Flagged, Value
from annotator.domain.forms.field import Field, FieldKind, Form
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.answer_resolution import UNVOTED, reason_text
from annotator.domain.questions.items.item import Item, ItemState, Purpose, last_reason
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.outcomes import Resolved, resolved_answers, video_names
from annotator.services.questions.voting.vote_voiding import voided_votes
from annotator.store.questions import votes
from annotator.store.questions.items import ItemFilter


@dataclass(frozen=True, slots=True)
class ListedItem:
    """An item in a list, with its results once its task is complete.

    ``why`` is the reason of its discard or last change. ``flags`` are reported problems with their
    counts, ``votes`` the answers by field with their counts, ``resolved`` the resolved answers.
    ``decided_by`` names the people who decided an answer. ``n_voided`` people's votes were voided.
    """

    item_id: ItemId
    question: str
    videos: str
    purpose: Purpose
    state: ItemState
    why: str
    flags: tuple[tuple[str, int], ...]
    votes: tuple[tuple[Field, tuple[tuple[Value, int], ...]], ...] = ()
    resolved: tuple[tuple[Field, Resolved], ...] = ()
    decided_by: Mapping[PersonId, str] = field(default_factory=dict)
    item: Item | None = None
    n_voided: int = 0


def item_kinds(project: OpenProject) -> tuple[tuple[str, str], ...]:
    """Return the kinds of task that ask raters about items, with their titles."""
    types = project.work.recipe.task_types
    return tuple((t.kind, t.title) for t in types if t.form is not None and t.study is None)


def item_rows(project: OpenProject, kind: str, token: JobToken) -> list[ListedItem]:
    """Return the items of a kind, oldest first; leads only."""
    entries = project.questions.list(ItemFilter(kind=kind))
    token.check()
    names = video_names(project)
    task_type = project.work.recipe.task_type(kind)
    form = task_type.form if task_type is not None else None
    flags = _flags(project, kind, form) if form is not None else {}
    token.check()
    votes_by_item = _votes(project, kind, form) if form is not None else {}
    token.check()
    resolved = {item.id: answers for item, answers in resolved_answers(project, kind)}
    fields = {field.key: field for field in form.fields} if form is not None else {}
    order = {key: place for place, key in enumerate(fields)}
    people = {person.id: person.name for person in project.work.people.all()}
    voided = voided_votes(project, kind)
    token.check()
    return [
        ListedItem(
            item.id,
            item.text,
            ", ".join(names.get(video_id, "?") for video_id in item.video_ids),
            item.purpose,
            item.state,
            item.why_discarded or last_reason(item),
            tuple(flags.get(item.id, Counter()).most_common()),
            votes_by_item.get(item.id, ()),
            tuple(
                (fields[outcome.field], outcome)
                for outcome in sorted(
                    resolved.get(item.id, ()), key=lambda r: order.get(r.field, 0)
                )
                if outcome.field in fields
            ),
            people,
            item,
            len({vote.person_id for vote in voided.get(item.id, ())}),
        )
        for _, item in entries
    ]


def _votes(
    project: OpenProject, kind: str, form: Form
) -> dict[ItemId, tuple[tuple[Field, tuple[tuple[Value, int], ...]], ...]]:
    """Return how often each answer was given to the fields that are voted on."""
    fields = {f.key: f for f in form.fields if f.is_voted and f.kind not in UNVOTED}
    counts: dict[ItemId, dict[str, Counter[Value]]] = {}
    for row in votes.decided_votes(project.file, kind):
        if row.field in fields:
            by_field = counts.setdefault(row.item_id, {})
            by_field.setdefault(row.field, Counter())[row.value] += 1
    return {
        item_id: tuple(
            (each, tuple(found[key].most_common())) for key, each in fields.items() if key in found
        )
        for item_id, found in counts.items()
    }


def _flags(project: OpenProject, kind: str, form: Form) -> Mapping[ItemId, Counter[str]]:
    found: dict[ItemId, Counter[str]] = {}
    for each in form.fields:
        if each.kind is not FieldKind.FLAG:
            continue
        for row in votes.decided_votes(project.file, kind, each.key):
            if isinstance(row.value, Flagged):
                text = reason_text(form, votes.answer_of(row))
                found.setdefault(row.item_id, Counter())[text] += 1
    return found
