"""Definitions of attributes in recipes and label sets (TOML)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from annotator.domain.annotation.attributes import AppliesTo, Attribute, AttributeKind
from annotator.domain.toml_table import Table, fault, word_of

MAX_KEY: Final = 60
MAX_SHORTCUT: Final = 40
MAX_NUMBER: Final = 1e9
MAX_ATTRIBUTES: Final = 100


def attribute_from(table: Table, usual: tuple[AppliesTo, ...] = (AppliesTo.OBJECT,)) -> Attribute:
    """Return the definition that a table holds; RecipeError names the key at fault.

    ``usual`` is what it applies to where the table does not say.
    """
    kinds = tuple(
        word_of(AppliesTo, word, table.at("applies_to")) for word in table.texts("applies_to")
    )
    made = Attribute(
        table.text("key", limit=MAX_KEY),
        table.text("title", table.text("key", limit=MAX_KEY)),
        table.word("type", AttributeKind),
        table.texts("options"),
        table.bound("low", MAX_NUMBER),
        table.bound("high", MAX_NUMBER),
        None,
        table.truth("mutable"),
        table.truth("required"),
        table.texts("labels"),
        table.text("help", ""),
        kinds or usual,
        table.text("shortcut", "", limit=MAX_SHORTCUT),
    )
    if made.is_mutable and not set(made.applies_to) <= {AppliesTo.OBJECT, AppliesTo.POINT}:
        text = "Attributes of actions and sounds have one value for the whole segment."
        raise fault(table.at("mutable"), text)
    if (made.kind is AttributeKind.CHOICE) != bool(made.options):
        raise fault(table.at("options"), "A choice, and nothing else, needs options.")
    if table.has("default"):
        default = made.read(table.plain("default"))
        if default is None:
            raise fault(table.at("default"), "Not a value of this attribute.")
        made = replace(made, default=default)
    table.done()
    return made


def attribute_lines(attribute: Attribute, usual: tuple[AppliesTo, ...]) -> Iterator[str]:
    """Yield the lines of a definition; `attribute_from` gives the same back."""
    yield f"key = {_quoted(attribute.key)}"
    if attribute.title != attribute.key:
        yield f"title = {_quoted(attribute.title)}"
    yield f"type = {_quoted(attribute.kind.value)}"
    if attribute.applies_to != usual:
        yield f"applies_to = {_listed([kind.value for kind in attribute.applies_to])}"
    if attribute.options:
        yield f"options = {_listed(attribute.options)}"
    for key, number in (("low", attribute.low), ("high", attribute.high)):
        if number is not None:
            yield f"{key} = {number!r}"
    if attribute.default is not None:
        default = attribute.default
        if isinstance(default, bool):
            yield f"default = {str(default).lower()}"
        else:
            yield f"default = {_quoted(default) if isinstance(default, str) else repr(default)}"
    for key, is_on in (("mutable", attribute.is_mutable), ("required", attribute.is_required)):
        if is_on:
            yield f"{key} = true"
    if attribute.labels:
        yield f"labels = {_listed(attribute.labels)}"
    if attribute.help:
        yield f"help = {_quoted(attribute.help)}"
    if attribute.shortcut:
        yield f"shortcut = {_quoted(attribute.shortcut)}"


def _listed(texts: object) -> str:
    assert isinstance(texts, list | tuple)
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's, but for one character that TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
