"""The table ``[bank]`` of a recipe.

[bank]
kind = "questions"             # the tasks in which answers are picked
open_kind = "open-answers"     # those in which they are typed first; left out: never
final_kind = "final-questions" # what is drawn from them for the data set
n_options = 3
seed = 1                       # of everything that is drawn

[[bank.templates]]
key = "hidden"
text = "Where is the hidden object at the {moment} of the game?"
area = "memory"
reasoning = "descriptive"
tags = ["object permanence"]
options = ["left", "middle", "right"]
scripts = ["cups-game"]        # left out: all
is_binary = false              # true: two options, and "I don't know"
counts = 'label has "cup"'     # a check: the answer is the number of tracks, see rules
lists = 'touched'              # or: it lists the labels of the tracks,
order = "touch"                # by "appearance", "touch" or "left"

[[bank.templates.slots]]
name = "moment"
values = ["beginning", "end"]  # or: metadata = "the name of a column"
"""

from __future__ import annotations

from typing import Final

from annotator.domain.questions.items.bank import Bank, Template, TemplateBlank, blanks_of, pool_of
from annotator.domain.questions.items.grounded import MAX_RULE
from annotator.domain.questions.rules.facts import ORDERS
from annotator.domain.questions.rules.text import Condition, condition_from
from annotator.domain.toml_table import TomlTable, fault, must_be_one_of, must_differ

MAX_SEED: Final = 2**31 - 1
MAX_OPTIONS: Final = 9
_BINARY: Final = 2


def bank_from(table: TomlTable) -> Bank:
    """Return the bank that a table describes; RecipeError names the path of the first fault."""
    bank = Bank(
        kind=table.name("kind"),
        open_kind=table.name("open_kind") if table.has("open_kind") else "",
        final_kind=table.name("final_kind") if table.has("final_kind") else "",
        seed=table.whole("seed", 0, MAX_SEED, default=1),
        n_options=table.whole("n_options", 2, MAX_OPTIONS, default=3),
        unknown=table.text("unknown", "I don't know"),
        templates=table.entries("templates", _template),
    )
    table.done()
    if not bank.templates:
        raise fault(table.at("templates"), "A question bank must have at least one question.")
    must_differ([t.key for t in bank.templates], table.at("templates"), "key")
    must_differ([t.text for t in bank.templates], table.at("templates"), "text")
    for i, template in enumerate(bank.templates):
        where = f"{table.at('templates')}[{i}].options"
        if not template.options and not bank.open_kind:
            raise fault(where, "Questions without options require “open_kind”.")
        if template.is_binary and bank.n_options != _BINARY + 1:
            raise fault(where, "Questions with two answers require n_options = 3.")
    return bank


def _template(table: TomlTable) -> Template:
    made = Template(
        key=table.name("key"),
        text=table.text("text"),
        area=table.text("area"),
        reasoning=table.text("reasoning"),
        tags=table.texts("tags"),
        options=table.texts("options"),
        scripts=table.texts("scripts"),
        slots=table.entries("slots", _slot),
        is_binary=table.truth("is_binary"),
        counts=_condition(table, "counts"),
        lists=_condition(table, "lists"),
        order=table.text("order", ORDERS[0]),
    )
    must_be_one_of(made.order, ORDERS, table.at("order"), "order")
    table.done()
    names = [slot.name for slot in made.slots]
    must_differ(names, table.at("slots"), "name")
    blanks = blanks_of(made.text)
    for name in blanks:
        must_be_one_of(name, names, table.at("text"), "slot")
    for i, name in enumerate(names):
        if name not in blanks:
            raise fault(table.at(f"slots[{i}].name"), "The text does not contain {name}.")
    if len(pool_of(made.options)) != len(made.options):
        raise fault(table.at("options"), "Duplicate option.")
    if made.is_binary and len(made.options) != _BINARY:
        raise fault(
            table.at("options"), "A question with two answers requires exactly two options."
        )
    return made


def _condition(table: TomlTable, key: str) -> Condition | None:
    return (
        condition_from(table.text(key, limit=MAX_RULE), table.at(key)) if table.has(key) else None
    )


def _slot(table: TomlTable) -> TemplateBlank:
    made = TemplateBlank(table.name("name"), table.texts("values"), table.text("metadata", ""))
    table.done()
    if bool(made.values) == bool(made.metadata):
        raise fault(
            table.at("values"), "A slot requires either values or the name of a metadata column."
        )
    return made
