"""Every act in every situation: what happens, or the rule that forbids it.

`transitions.csv` is the table: a row for each act, a column for each situation. A cell holds the
kinds of the events in their order, "-" for nothing to do, or "!" and the rule.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from annotator.domain.errors import WorkError
from annotator.domain.work.codec import event_from, event_value
from tests.domain.work.situations import ACTS, SITUATIONS

with Path(__file__).with_name("transitions.csv").open(encoding="utf-8", newline="") as _file:
    _ROWS = {row["act"]: row for row in csv.DictReader(_file)}


def test_the_table_has_all_acts_and_situations() -> None:
    assert list(_ROWS) == list(ACTS)
    assert all(list(row) == ["act", *SITUATIONS] for row in _ROWS.values())


@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_each_act_does(situation: str) -> None:
    wanted = {name: row[situation] for name, row in _ROWS.items()}
    assert {name: _outcome(situation, name) for name in ACTS} == wanted


def _outcome(situation: str, name: str) -> str:
    """Return the cell of the table, after a look at what holds for every act."""
    desk = SITUATIONS[situation]()
    act = ACTS[name](desk)
    try:
        kinds = desk.do(act)
    except WorkError as error:
        return f"! {error.code}"
    assert [event_from(event_value(event)) for event in desk.events] == desk.events
    return " ".join(kinds) or "-"
