"""The question bank: templates and the questions generated from them for a video.

[bank]
kind = "questions"             # the tasks in which answers are picked
open_kind = "open-answers"     # those in which they are typed first; left out: never
final_kind = "final-questions" # the final questions sampled from them
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

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Final

from annotator.domain.checks import Finding
from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.grounding_rules import ORDERS, Condition, condition_from
from annotator.domain.questions.items.grounded import MAX_RULE
from annotator.domain.questions.items.item import Item
from annotator.domain.toml import TomlTable, fault, must_be_one_of, must_differ

BLANK: Final = re.compile(r"\{([a-z0-9-]+)\}")
"""A slot in the text of a template: its name in braces."""
MAKER: Final = "bank"
"""Stands in ``Item.source`` for what the bank made, before the key of its template."""
MOST_OFFERED: Final = 9
"""Number of options of a formerly open question: as many as digit keys."""


@dataclass(frozen=True, slots=True)
class TemplateBlank:
    """A blank in a template: one question for each of ``values``, or what the video's metadata say
    under the name ``metadata``."""

    name: str
    values: tuple[str, ...] = ()
    metadata: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """One question of the bank.

    ``options`` is the pool of answers; empty where raters first describe what they see.
    ``scripts`` are the script types it applies to, all where empty. ``is_binary``: its pool has two
    answers, and "I don't know" completes them. Answers that follow from the tracks are checked:
    ``counts`` holds for the tracks whose number is the answer, ``lists`` for those whose labels
    are, in ``order``.
    """

    key: str
    text: str
    area: str
    reasoning: str
    tags: tuple[str, ...]
    options: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    slots: tuple[TemplateBlank, ...] = ()
    is_binary: bool = False
    counts: Condition | None = field(default=None, repr=False, compare=False)
    lists: Condition | None = field(default=None, repr=False, compare=False)
    order: str = ORDERS[0]


@dataclass(frozen=True, slots=True)
class Bank:
    """The templates of a recipe and how questions are made of them.

    ``kind`` are the tasks in which an option of the pool is picked, ``open_kind`` those in which
    answers are typed to fill a pool, ``final_kind`` the finished questions of ``n_options``
    options, drawn with ``seed``.
    """

    kind: str
    templates: tuple[Template, ...]
    open_kind: str = ""
    final_kind: str = ""
    seed: int = 1
    n_options: int = 3
    unknown: str = "I don't know"

    def template(self, key: str) -> Template | None:
        """Return the template of that key, None if there is none."""
        return next((t for t in self.templates if t.key == key), None)


@dataclass(frozen=True, slots=True)
class VideoFacts:
    """Facts about a video that the question bank needs."""

    id: VideoId
    name: str
    script: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)


def questions_for(
    bank: Bank,
    video: VideoFacts,
    heard: Mapping[str, Iterable[str]] | None = None,
    new_id: Callable[[], ItemId] = item_id,
) -> tuple[tuple[Item, ...], tuple[Finding, ...]]:
    """Return the questions of the bank for a video, and those that cannot be asked.

    ``heard`` are answers by the text of a question that was asked openly about this video. A
    question without any answer is an open one; one with too few is not asked yet.
    """
    items: list[Item] = []
    findings: list[Finding] = []
    for template in bank.templates:
        if template.scripts and video.script not in template.scripts:
            continue
        filled = list(_filled(template, video.metadata))
        if not filled:
            text = f"The metadata of the video lack a value for the question “{template.key}”."
            findings.append(Finding("no-slot-value", video.name, text))
        for text in filled:
            pool = pool_of([*template.options, *(heard or {}).get(text, ())])
            why = _why_not_asked(bank, template, pool)
            if why is None:
                items.append(_question(bank, template, video, text, pool, new_id()))
            else:
                findings.append(Finding(why[0], video.name, f"“{text}” {why[1]}"))
    return tuple(items), tuple(findings)


def _why_not_asked(bank: Bank, template: Template, pool: Sequence[str]) -> tuple[str, str] | None:
    """Return why a question cannot be asked with these answers, None where it can."""
    if not pool:
        return None if bank.open_kind else ("no-options", "has no answers to sample from.")
    if template.is_binary or len(pool) >= bank.n_options:
        return None
    n = len(pool)
    return "few-answers", f"has {n} of the {bank.n_options} different answers that are required."


def _question(
    bank: Bank, template: Template, video: VideoFacts, text: str, pool: Sequence[str], id_: ItemId
) -> Item:
    return Item(
        id_,
        bank.kind if pool else bank.open_kind,
        (video.id,),
        text,
        tuple(Option(f"o{i}", answer) for i, answer in enumerate(pool)),
        area=template.area,
        reasoning=template.reasoning,
        tags=template.tags,
        source={"made": MAKER, "template": template.key, "script": video.script},
    )


def offered(own: Iterable[str], others: Mapping[str, int]) -> tuple[str, ...]:
    """Return which answers are offered to a question that was asked openly.

    First ``own``, those given about the very video, then ``others``, given about videos of its
    script, those first that were given most often: `MOST_OFFERED` at most.
    """
    ranked = sorted(others, key=lambda answer: -others[answer])
    return pool_of([*own, *ranked])[:MOST_OFFERED]


def pool_of(answers: Iterable[str]) -> tuple[str, ...]:
    """Return answers without those that differ in case and spacing only; the first one stays."""
    found: dict[str, str] = {}
    for answer in answers:
        if like := " ".join(answer.split()).casefold():
            found.setdefault(like, answer)
    return tuple(found.values())


def blanks_of(text: str) -> tuple[str, ...]:
    """Return the names of the slots in a text, each once."""
    return tuple(dict.fromkeys(BLANK.findall(text)))


def _filled(template: Template, metadata: Mapping[str, Json]) -> Iterator[str]:
    """Yield the text of a template with all combinations of its blanks."""
    choices = [_values(slot, metadata) for slot in template.slots]
    names = [slot.name for slot in template.slots]
    for values in product(*choices):
        words = dict(zip(names, values, strict=True))
        yield BLANK.sub(partial(_word, words), template.text)


def _word(words: Mapping[str, str], blank: re.Match[str]) -> str:
    return words[blank.group(1)]


def _values(slot: TemplateBlank, metadata: Mapping[str, Json]) -> tuple[str, ...]:
    if not slot.metadata:
        return slot.values
    said = metadata.get(slot.metadata)
    if isinstance(said, list):
        return tuple(str(each) for each in said)
    return () if said is None or said == "" else (str(said),)


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
    template = Template(
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
    must_be_one_of(template.order, ORDERS, table.at("order"), "order")
    table.done()
    names = [slot.name for slot in template.slots]
    must_differ(names, table.at("slots"), "name")
    blanks = blanks_of(template.text)
    for name in blanks:
        must_be_one_of(name, names, table.at("text"), "slot")
    for i, name in enumerate(names):
        if name not in blanks:
            raise fault(table.at(f"slots[{i}].name"), "The text does not contain {name}.")
    if len(pool_of(template.options)) != len(template.options):
        raise fault(table.at("options"), "Duplicate option.")
    if template.is_binary and len(template.options) != _BINARY:
        raise fault(
            table.at("options"), "A question with two answers requires exactly two options."
        )
    return template


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
