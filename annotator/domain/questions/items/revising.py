"""Changes that a lead makes to an item before it is asked or published, kept with the item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import WorkError

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId
    from annotator.domain.json_type import Json
    from annotator.domain.questions.items.item import Item

EDITS: Final = "edits"
"""The part of the source of an item that lists its changes, the oldest first."""


def revised(
    item: Item,
    text: str,
    options: Mapping[str, str],
    reason: str,
    person_id: PersonId,
    at: int,
) -> Item:
    """Return an item with another question or other texts of options, by key.

    ``at`` is in milliseconds since 1970-01-01 UTC. WorkError when nothing changes, or an option is
    unknown.
    """
    unknown = options.keys() - {option.key for option in item.options}
    if unknown:
        raise WorkError(f"The item has no option “{min(unknown)}”.", code="no-option")
    new = tuple(
        replace(option, text=options.get(option.key, option.text).strip())
        for option in item.options
    )
    question = text.strip()
    if (question, new) == (item.text, item.options):
        raise WorkError("The item is unchanged.", code="unchanged")
    before: dict[str, Json] = {
        old.key: old.text for old, now in zip(item.options, new, strict=True) if old != now
    }
    edit: dict[str, Json] = {"at": at, "by": person_id, "reason": reason, "options": before}
    if question != item.text:
        edit["text"] = item.text
    edits = item.source.get(EDITS)
    kept = edits if isinstance(edits, list) else []
    return replace(item, text=question, options=new, source={**item.source, EDITS: [*kept, edit]})


def last_reason(item: Item) -> str:
    """Return why an item was changed last, "" if it was not."""
    edits = item.source.get(EDITS)
    last = edits[-1] if isinstance(edits, list) and edits else None
    reason = last.get("reason") if isinstance(last, dict) else None
    return reason if isinstance(reason, str) else ""
