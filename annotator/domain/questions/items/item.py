"""Items: the units a form is filled for, one after the other, in one viewing of their video."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from annotator.domain.answer_value import FrameBox
from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, TrackId, VideoId
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
    STUDY = "study"  # tells how well people do who had no part in it


class ItemState(StrEnum):
    """State of an item."""

    OPEN = "open"
    DECIDED = "decided"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to be asked: a question, a clip to be judged, a pair of clips to write about.

    ``video_ids`` are what is looked at: one, or two side by side. ``boxes`` show what is meant in
    each of them, on a frame; () for nothing. ``kind`` is that of the tasks that ask it. ``options``
    serve the fields that take theirs from the item. ``right`` has the known answers by field: keys
    of options, or texts; it is never shown before an answer is given.
    ``texts`` are further texts by name ("answer", "rationale", "decoy-0"), which fields may begin
    with and exports write. Items of one ``group`` belong together, each with its ``part``
    ("primary", "paraphrased"). ``tags``, ``area`` and ``reasoning`` are those of the benchmark.
    ``source`` tells where it came from: the import, the question and seed it was drawn with, or the
    submission it was written in. ``extra`` is kept for exports verbatim.
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
