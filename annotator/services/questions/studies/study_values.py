"""Values of a study: request, assignment plan, progress."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from annotator.domain.ids import PersonId, StudyId
from annotator.domain.study.design import Condition, Design, StudyAssignment
from annotator.domain.work.records import Instant
from annotator.services.questions.studies.askable_items import ItemChoice


@dataclass(frozen=True, slots=True)
class StudyWish:
    """Requested study.

    ``kind`` is a task type with a study. ``n_items`` is the size of a random sample; None: all
    items. ``conditions`` () is a single one, that of the task type. ``is_apart``: nobody answers
    two items of one group.
    """

    name: str
    kind: str
    choice: ItemChoice
    people: tuple[PersonId, ...]
    answers: int
    per_person: int
    conditions: tuple[Condition, ...] = ()
    n_items: int | None = None
    is_apart: bool = False
    seed: int = 1

    @property
    def design(self) -> Design:
        """Settings of its assignment plan."""
        keys = tuple(each.key for each in self.conditions) or ("",)
        return Design(self.answers, self.per_person, keys, self.seed)

    def condition(self, key: str) -> Condition | None:
        """Return a condition by its key."""
        return next((each for each in self.conditions if each.key == key), None)


@dataclass(frozen=True, slots=True)
class StudySize:
    """Consequences of a request: items, answers per item, people, items per person.

    ``n_missing`` more people are needed, who did no work on the items.
    """

    n_items: int
    per_item: int
    n_people: int
    least: int
    most: int
    n_missing: int = 0

    @property
    def n_answers(self) -> int:
        return self.n_items * self.per_item


@dataclass(frozen=True, slots=True)
class Study:
    """A stored study; ``wish.people`` are the participants of its last plan."""

    id: StudyId
    wish: StudyWish
    by_id: PersonId
    at: Instant

    @property
    def name(self) -> str:
        return self.wish.name


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """Progress of a study: assigned and given answers, in total and by person."""

    n_items: int
    n_assigned: int
    n_given: int
    by_person: dict[PersonId, tuple[int, int]]


class StoredPlan(msgspec.Struct):
    """Stored assignment plan: seed, people, and changes."""

    seed: int
    people: tuple[PersonId, ...]
    kept: int
    new: tuple[StudyAssignment, ...]
    dropped: tuple[StudyAssignment, ...]
