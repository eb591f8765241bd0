"""Studies as tables of a recipe file.

[[task_types]]
kind = "people"
purpose = "study"

[task_types.study]
of = ["final-questions"]       # the kinds of item that are asked once they are settled
answers = 10                   # how many people answer each item, under each condition
per_person = 42                # how many items somebody answers at most
is_apart = false               # of the items of one group nobody answers two
scored_in = "scoring"          # the kind of task in which open answers are scored, 0 to 5

[[task_types.study.conditions]]
key = "muted"
title = "Without sound"
viewing = { is_muted = true }  # left out: that of the task type
"""

from __future__ import annotations

from typing import Final

from annotator.domain.forms.table import viewing_from
from annotator.domain.study.design import Condition, StudySpec
from annotator.domain.toml_table import TomlTable, fault, must_differ

MAX_ANSWERS: Final = 1000
MAX_PER_PERSON: Final = 100_000


def study_from(table: TomlTable) -> StudySpec:
    """Return what a table says of studies; RecipeError names the path of the first fault."""
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
