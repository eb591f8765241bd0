"""Grounded questions: rules select candidate tracks, raters confirm or reject them.

    [[rules]]
    key = "put-in"
    kind = "grounded-questions"    # the tasks that ask it, with the tracks drawn in
    text = "Track the objects that were put into something."
    area = "semantics"
    reasoning = "descriptive"
    tags = []
    scripts = []                   # left out: all
    where = 'fills slot 1 of "Putting something into something"'

The language of ``where`` is that of `grounding_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from annotator.domain.annotation.document import Document
from annotator.domain.ids import ItemId, TrackId, item_id
from annotator.domain.questions.grounding_rules import Condition, RuleFacts, condition_from
from annotator.domain.questions.items.item import Item
from annotator.domain.toml import TomlTable

MAX_RULE = 2000
"""Characters of a rule."""


@dataclass(frozen=True, slots=True)
class GroundedRule:
    """A question and the condition that the tracks in its answer fulfill, as text and read."""

    key: str
    kind: str
    text: str
    area: str
    reasoning: str
    tags: tuple[str, ...]
    scripts: tuple[str, ...]
    where: str
    condition: Condition = field(repr=False, compare=False)


def rule_from(table: TomlTable) -> GroundedRule:
    """Return the rule that a table describes; RecipeError names the path of the first fault."""
    where = table.text("where", limit=MAX_RULE)
    made = GroundedRule(
        key=table.name("key"),
        kind=table.name("kind"),
        text=table.text("text"),
        area=table.text("area"),
        reasoning=table.text("reasoning"),
        tags=table.texts("tags"),
        scripts=table.texts("scripts"),
        where=where,
        condition=condition_from(where, table.at("where")),
    )
    table.done()
    return made


def answers_to(rule: GroundedRule, facts: RuleFacts) -> tuple[TrackId, ...]:
    """Return the tracks for which the rule's condition holds, by number."""
    return tuple(track for track in facts.tracks if rule.condition(facts, track))


def grounded_items(
    rules: Sequence[GroundedRule],
    document: Document,
    script: str = "",
    new_id: Callable[[], ItemId] = item_id,
) -> tuple[Item, ...]:
    """Return a question for each rule that some track of the document answers."""
    facts = RuleFacts(document)
    items: list[Item] = []
    for rule in rules:
        if rule.scripts and script not in rule.scripts:
            continue
        tracks = answers_to(rule, facts)
        if not tracks:
            continue
        items.append(
            Item(
                new_id(),
                rule.kind,
                (document.video.id,),
                rule.text,
                track_ids=tracks,
                area=rule.area,
                reasoning=rule.reasoning,
                tags=rule.tags,
                source={"made": "rule", "rule": rule.key, "where": rule.where, "script": script},
            )
        )
    return tuple(items)
