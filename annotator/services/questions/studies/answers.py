"""Answers of a study by item, person and group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.domain.answers import Value
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies.plan import Study
from annotator.store.questions import studies as store
from annotator.store.questions.items import ItemFilter


class StudyAnswer(NamedTuple):
    """Answer of a participant: ``item`` as it was asked, values by field.

    ``original`` is the item of the project; ``seconds`` what the answer took.
    """

    item: Item
    original: ItemId
    person_id: PersonId
    condition: str
    values: dict[str, Value]
    seconds: float

    @property
    def words(self) -> str:
        """Typed text, "" if there is none."""
        typed = (value.strip() for value in self.values.values() if isinstance(value, str))
        return "\n".join(text for text in typed if text)


def given_in(project: OpenProject, study: Study) -> list[StudyAnswer]:
    """Return what was handed in, by item and person; leads only."""
    project.work.people.check_lead()
    asked = {item.id: item for _, item in project.questions.list(ItemFilter(kind=study.wish.kind))}
    values: dict[ItemId, dict[str, Value]] = {}
    took: dict[ItemId, int] = {}
    for row in store.said_in(project.file, study.id):
        values.setdefault(row.asked_id, {})[row.field] = row.value
        # The time to an answer runs from when the item came up, so the last field has all of it.
        took[row.asked_id] = max(took.get(row.asked_id, 0), row.took_ms)
    return [
        StudyAnswer(
            asked[row.asked_id],
            row.item_id,
            row.person_id,
            row.condition,
            values[row.asked_id],
            took[row.asked_id] / 1000,
        )
        for row in store.list_parts(project.file, study.id)
        if row.asked_id in values
    ]


def tags_of(answers: Sequence[StudyAnswer]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return by what results are grouped, and what each item of the project has of it."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for each in answers:
        item = each.item
        names = {
            "area": (item.area,),
            "reasoning": (item.reasoning,),
            "tag": item.tags,
            "part": (item.part,),
        }
        for by, told in names.items():
            if any(told):
                found.setdefault(by, {})[each.original] = told
    return found
