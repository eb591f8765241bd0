"""Words for people: every edit has a name."""

from __future__ import annotations

import pytest

from annotator.domain import commands
from annotator.domain.commands import SetOccluded, SetOutside, SetVisible
from annotator.domain.commands.segments import SetSegments
from annotator.domain.ids import SegmentId, TrackId
from annotator.domain.review import RevertDifferences
from annotator.services.demo.first_demo import FillDemo
from annotator.services.undo import RENAME_LABEL
from annotator.ui.look.texts import counted, op_text

_OPS = {
    made.op
    for made in (
        *(getattr(commands, name) for name in commands.__all__),
        SetSegments,
        RevertDifferences,
        FillDemo,
    )
    if isinstance(getattr(made, "op", None), str)
} | {RENAME_LABEL}


def test_setting_a_mark_and_removing_it_have_names_of_their_own() -> None:
    track, sound = TrackId("cup"), SegmentId("bang")
    marks = [SetOccluded(track, 0, True), SetOutside(track, 0, True), SetVisible(sound, False)]
    removals = [SetOccluded(track, 0, False), SetOutside(track, 0, False), SetVisible(sound, True)]
    assert [op_text(mark.op) for mark in marks] == ["Occluded", "Out of view", "Out of view"]
    assert [op_text(each.op) for each in removals] == ["Not occluded", "In view", "In view"]


@pytest.mark.parametrize("op", sorted(_OPS))
def test_every_edit_has_words(op: str) -> None:
    assert op_text(op) != op
    assert "-" not in op_text(op)


def test_one_is_no_plural() -> None:
    assert [counted(n, "1 row", "{n:,} rows") for n in (0, 1, 2000)] == [
        "0 rows",
        "1 row",
        "2,000 rows",
    ]


def test_the_table_is_walked() -> None:
    assert len(_OPS) > 25
