"""Words for people: every edit has a name."""

from __future__ import annotations

import pytest

from annotator.domain import commands
from annotator.domain.commands.segments import SetSegments
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
