"""Submitted answers per person and item."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from annotator.domain.answer import Picked, Value
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import OpenProject
from annotator.services.questions.voting.outcomes import items_of_kind
from annotator.store.questions.votes import votes_of_kind


@dataclass(slots=True)
class ItemAnswers:
    """Answers of one person about one item at a stage, in one entry, by field."""

    item: Item
    stage: str
    person_id: PersonId
    entry: int
    values: dict[str, Value] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a text or the option that was picked, "" where there is none."""
        value = self.values.get(name)
        if isinstance(value, Picked):
            return value.keys[0] if value.keys else value.other
        return value if isinstance(value, str) else ""


def iter_answers(
    project: OpenProject, kind: str, *, with_discarded: bool = False, fields: Collection[str] = ()
) -> Iterator[ItemAnswers]:
    """Yield the submitted answers to ordinary items of a kind, by item, person and entry.

    ``fields`` limits them to some fields.
    """
    stored_items = items_of_kind(project, kind, with_discarded=with_discarded)
    items = {item.id: item for _, item in stored_items}
    answers_of: dict[tuple[ItemId, PersonId, str, int], ItemAnswers] = {}
    for row in votes_of_kind(project.file, kind, fields):
        if row.item_id in items:
            key = row.item_id, row.person_id, row.stage, row.entry
            if key not in answers_of:
                answers_of[key] = ItemAnswers(
                    items[row.item_id], row.stage, row.person_id, row.entry
                )
            answers_of[key].values[row.field] = row.value
    yield from answers_of.values()
