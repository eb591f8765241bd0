"""Design of a study: answers per item, conditions, participants; its table in a recipe file.

[[task_types]]
kind = "people"
purpose = "study"

[task_types.study]
of = ["final-questions"]       # the kinds of item, used once they are resolved
answers = 10                   # how many people answer each item, under each condition
per_person = 42                # most items for one person
is_apart = false               # no person answers two items of one group
scored_in = "scoring"          # the kind of task in which open answers are scored, 0 to 5

[[task_types.study.conditions]]
key = "muted"
title = "Without sound"
viewing = { is_muted = true }  # left out: that of the task type
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.forms.table import viewing_from
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.toml import TomlTable, fault, must_differ

SCORE: Final = "score"
"""The field of a task in which open answers are scored, 0 to 5."""


@dataclass(frozen=True, slots=True)
class Design:
    """Settings of the assignment in a study.

    Every item gets ``answers`` in each of the ``conditions`` (by their keys), from as many people;
    everybody answers ``per_person`` items at most, and as many as others do. ``seed`` makes the
    lots the same again.
    """

    answers: int
    per_person: int
    conditions: tuple[str, ...] = ("",)
    seed: int = 1

    @property
    def per_item(self) -> int:
        """How many people answer each item, over all conditions."""
        return self.answers * len(self.conditions)


@dataclass(frozen=True, slots=True)
class StudyItem:
    """An item that may be asked in a study.

    ``viewing`` identifies the video: nobody sees it under two conditions. ``excluded`` are people
    who worked on the item. Nobody answers two items of one ``family``; "" has no family.
    """

    item_id: ItemId
    viewing: tuple[str, ...] = ()
    excluded: frozenset[PersonId] = frozenset()
    family: str = ""


class StudyAssignment(NamedTuple):
    """Assignment of an item to a person under a condition."""

    item_id: ItemId
    person_id: PersonId
    condition: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Assignments in the order of the items.

    ``n_missing`` is the number of further independent people that a complete plan needs, ``n_open``
    the number of answers without a person.
    """

    parts: tuple[StudyAssignment, ...]
    n_missing: int = 0
    n_open: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """A way in which items are seen: ``viewing`` None is that of the task type."""

    key: str
    title: str
    viewing: Viewing | None = None


@dataclass(frozen=True, slots=True)
class StudySpec:
    """Study settings of a task type in the recipe; a lead can choose others.

    ``of`` are the kinds of items, used after they are resolved. ``is_apart``: nobody answers two
    items of a group. ``scored_in`` is the task type that scores open answers against the reference,
    0 to 5; "": they are judged elsewhere.
    """

    of: tuple[str, ...]
    answers: int = 10
    per_person: int = 42
    conditions: tuple[Condition, ...] = ()
    is_apart: bool = False
    scored_in: str = ""


MAX_ANSWERS: Final = 1000
MAX_PER_PERSON: Final = 100_000


def study_from(table: TomlTable) -> StudySpec:
    """Return the study settings of a table; RecipeError names the path of the first fault."""
    made = StudySpec(
        table.texts("of"),
        table.whole("answers", 1, MAX_ANSWERS, default=10),
        table.whole("per_person", 1, MAX_PER_PERSON, default=42),
        table.entries("conditions", _condition),
        table.truth("is_apart"),
        table.text("scored_in", ""),
    )
    table.done()
    if not made.of:
        raise fault(table.at("of"), "Must list the task types whose items are used in the study.")
    must_differ([each.key for each in made.conditions], table.at("conditions"), "key")
    return made


def _condition(table: TomlTable) -> Condition:
    made = Condition(
        table.name("key"), table.text("title"), table.optional("viewing", viewing_from)
    )
    table.done()
    return made
