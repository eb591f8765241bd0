"""Throughput, returns and hours, against figures worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from annotator.domain.annotation.comment import Pin
from annotator.domain.ids import PersonId, TaskId
from annotator.domain.work.records import Reason, Verdict, VerdictKind
from annotator.domain.work.work_statistics import (
    ReturnRate,
    Spent,
    counted_rows,
    hours_table,
    reason_counts,
    return_rates,
    throughput,
)
from tests.domain.work.desk import APPROVE, DONE, HOUR, Desk

_BACK = Verdict(
    VerdictKind.SEND_BACK,
    (
        Reason("a", Pin(1), "missing"),
        Reason("b", Pin(2), "missing"),
        Reason("c", Pin(3)),
    ),
)


def _returned_once() -> Desk:
    desk = Desk()
    desk.work("A", DONE)
    desk.now += 24 * HOUR
    desk.work("B", APPROVE)
    desk.work("C", _BACK)
    desk.work("D", APPROVE)
    desk.work("E", APPROVE)
    return desk


def test_rows_say_whose_work_was_judged() -> None:
    rows = counted_rows(_returned_once().record)
    assert [(r.person_id, r.judged, r.stage) for r in rows] == [
        ("A", None, "annotate"),
        ("B", "A", "check"),
        ("C", "B", "verify"),
        ("D", "C", "check"),
        ("E", "D", "verify"),
    ]
    assert rows[2].codes == ("missing", "missing", "")


def test_what_was_kept_without_counting_makes_no_row() -> None:
    desk = Desk()
    held = desk.claim("A")
    desk.submit("A", DONE)
    desk.submit("A", DONE, held)
    assert len(counted_rows(desk.record)) == 1


def test_returns_by_rater_and_reason() -> None:
    rows = counted_rows(_returned_once().record)
    rates = return_rates(rows)
    assert rates["B"] == ReturnRate(1, 1, {"missing": 1, "": 1})
    assert rates["A"] == ReturnRate(1, 0, {})
    assert (rates["B"].rate, rates["A"].rate, ReturnRate(0, 0, {}).rate) == (1.0, 0.0, 0.0)
    assert reason_counts([*rows, *rows]) == {"missing": 2, "": 2}


def test_throughput_by_day_and_stage() -> None:
    def day_of(at: int) -> str:
        return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()

    kind = "object-tracks"
    assert throughput(counted_rows(_returned_once().record), day_of) == {
        "2026-09-21": {(kind, "annotate"): 1},
        "2026-09-22": {(kind, "check"): 2, (kind, "verify"): 2},
    }


def test_the_table_of_hours() -> None:
    def spent(task: str, stage: str, person: str, hours: float) -> Spent:
        return Spent(TaskId(task), "k", stage, PersonId(person), round(hours * HOUR))

    table = hours_table(
        [
            spent("1", "annotate", "A", 1.0),
            spent("2", "annotate", "A", 0.5),
            spent("2", "annotate", "B", 0.75),
            spent("1", "check", "B", 0.25),
            spent("1", "check", "B", 0.25),
            spent("3", "check", "C", 0),
        ]
    )
    assert [(r.stage, r.tasks, r.items) for r in table] == [("annotate", 2, 2), ("check", 1, 1)]
    assert [r.hours_per_item for r in table] == pytest.approx([1.125, 0.5])
    assert [r.people_per_item for r in table] == pytest.approx([1.5, 1.0])
    assert [r.total_hours for r in table] == pytest.approx([2.25, 0.5])
    assert hours_table([]) == ()


def test_hours_of_what_is_asked_are_for_each_item() -> None:
    def spent(task: str, person: str, hours: float, n_items: int) -> Spent:
        return Spent(TaskId(task), "q", "answer", PersonId(person), round(hours * HOUR), n_items)

    (row,) = hours_table([spent("1", "A", 1, 7), spent("1", "B", 2, 7), spent("2", "A", 1, 3)])
    assert (row.tasks, row.items, row.total_hours) == (2, 10, 4.0)
    assert row.hours_per_item == pytest.approx(0.4)
    # Seven items were before two people, three before one.
    assert row.people_per_item == pytest.approx(1.7)
