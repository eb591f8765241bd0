"""Items: the units a form is filled for, and changes that a lead makes to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from annotator.domain.answer import FrameBox
from annotator.domain.errors import WorkError
from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, TrackId, VideoId
from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId
    from annotator.domain.json_type import Json

IMPORTED: Final = "imported"
"""By what a question was made whose record stays with its video, and is exported from there."""


class Purpose(StrEnum):
    """Purpose of an item; never shown to raters."""

    WORK = "work"
    GOLD = "gold"  # the right answer is known; raters are measured by it
    ATTENTION = "attention"  # catches who does not look
    TRAINING = "training"  # the right answer is shown after theirs
    QUALIFICATION = "qualification"  # decides who may work
    STUDY = "study"  # measures independent people


class ItemState(StrEnum):
    """State of an item."""

    OPEN = "open"
    DECIDED = "decided"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class Item:
    """One question: about a clip, a pair of clips, or a set of options.

    ``video_ids`` are one or two videos. ``boxes`` mark the references, one per video on a frame; ()
    for none. ``kind`` is the task type that asks it. ``options`` are for fields that use the
    options of the item. ``right`` has the gold answers by field (keys of options, or texts), never
    shown before an answer. ``texts`` are further texts by name ("answer", "rationale", "decoy-0")
    for initial answers and exports. Items of one ``group`` belong together, each with its ``part``
    ("primary", "paraphrased"). ``tags``, ``area`` and ``reasoning`` are those of the benchmark.
    ``source`` is the origin: the import, the question and its seed, or the submission. ``extra`` is
    exported unchanged.
    """

    id: ItemId
    kind: str
    video_ids: tuple[VideoId, ...]
    text: str = ""
    options: tuple[Option, ...] = ()
    right: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    track_ids: tuple[TrackId, ...] = ()
    boxes: tuple[FrameBox | None, ...] = ()
    area: str = ""
    reasoning: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    part: str = ""
    purpose: Purpose = Purpose.WORK
    state: ItemState = ItemState.OPEN
    why_discarded: str = ""
    source: Mapping[str, Json] = field(default_factory=dict)
    extra: Mapping[str, Json] = field(default_factory=dict)


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
    edit_list = edits if isinstance(edits, list) else []
    return replace(
        item, text=question, options=new, source={**item.source, EDITS: [*edit_list, edit]}
    )


def last_reason(item: Item) -> str:
    """Return why an item was changed last, "" if it was not."""
    edits = item.source.get(EDITS)
    last = edits[-1] if isinstance(edits, list) and edits else None
    reason = last.get("reason") if isinstance(last, dict) else None
    return reason if isinstance(reason, str) else ""
