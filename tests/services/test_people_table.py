"""Work of each person, and what remains to be done, from measured times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId, TaskId
from annotator.domain.work.records import Reason, TaskStatus, Verdict, VerdictKind
from annotator.domain.work.work_statistics import Spent, forecast
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.services.workflow.people_table import (
    day_rows,
    people_work,
    project_forecast,
    total_rows,
)
from tests.services.test_work import Team

RECIPE = parse_recipe(shipped_recipe("perception-test"))
ANN = PersonId("a")


def _spent(kind: str, stage: str, *minutes: float) -> list[Spent]:
    return [
        Spent(TaskId(f"{kind}{stage}{i}"), kind, stage, ANN, round(m * 60_000))
        for i, m in enumerate(minutes)
    ]


def test_remaining_hours_follow_from_the_tasks_that_have_to_pass_each_stage() -> None:
    counts = {
        ("object-tracks", "annotate", TaskStatus.WAITING): 6,
        ("object-tracks", "check", TaskStatus.IN_PROGRESS): 2,
        ("object-tracks", "check", TaskStatus.COMPLETE): 5,
        ("object-tracks", "annotate", TaskStatus.WITHDRAWN): 9,
        ("point-tracks", "annotate", TaskStatus.WAITING): 3,
    }
    spent = _spent("object-tracks", "annotate", 30, 60, 90, 60)
    spent += _spent("object-tracks", "check", 10, 10, 10)
    found = forecast(RECIPE, counts, spent, [4.0, 0.0, 2.0])
    stages = {(s.kind, s.stage): s for s in found.stages}
    assert stages["object-tracks", "annotate"].remaining == 6
    assert stages["object-tracks", "check"].remaining == 8
    assert stages["object-tracks", "verify"].remaining == 8
    # 13 videos with tracks get tasks for points, of which 3 exist.
    assert stages["point-tracks", "annotate"].remaining == 13
    assert stages["object-tracks", "verify"].hours is None
    hours = stages["object-tracks", "annotate"].hours
    assert hours is not None
    assert hours[1] == pytest.approx(6.0)
    assert hours[0] < 6 < hours[2]
    assert found.hours[1] == pytest.approx(6 + 8 / 6)
    assert found.hours_per_day == 3.0
    assert found.days is not None
    assert found.days[1] == pytest.approx((6 + 8 / 6) / 3)


def test_nothing_measured_is_no_forecast() -> None:
    found = forecast(RECIPE, {("sounds", "annotate", TaskStatus.WAITING): 4}, [], [])
    assert (found.hours, found.days) == ((0.0, 0.0, 0.0), None)
    assert [s.hours for s in found.stages if s.kind == "sounds"] == [None, None, None]


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    made = Team(tmp_path)
    yield made
    made.project.close()


def test_each_person_has_hours_submissions_and_returns(team: Team) -> None:
    for name, stage, verdict in (
        ("Ann", "annotate", None),
        ("Ben", "check", None),
        ("Cleo", "verify", Verdict(VerdictKind.SEND_BACK, (Reason("Look again."),))),
    ):
        session = team.next(name, stage)
        team.work.submit(session, verdict)
    record = team.work.record(session.task_id)
    with team.project.file.transaction() as connection:
        for each, seconds in zip(record.assignments, (1800, 900, 60), strict=False):
            connection.execute(
                "INSERT OR REPLACE INTO activity VALUES (?, ?, ?, ?, ?)",
                (
                    bytes.fromhex(each.person_id.replace("-", "")),
                    bytes.fromhex(record.id.replace("-", "")),
                    each.stage,
                    "2026-11-20",
                    seconds * 1000,
                ),
            )
    team.sign_in("lead")
    found = {work.name: work for work in people_work(team.project)}
    assert found["Ann"].total.hours == pytest.approx(0.5)
    assert found["Ann"].total.submissions == 1
    assert found["Ann"].total.items_per_hour == pytest.approx(2.0)
    assert (found["Ben"].reviewed, found["Ben"].returned) == (1, 1)
    rows = day_rows(found.values())
    assert ("Ann", "2026-11-20", record.kind, "annotate", 0.5, 0, 0, 0.0) in rows
    assert sum(int(row[5]) for row in rows) == 3
    assert [row[0] for row in total_rows(found.values())] == ["Ann", "Ben", "Cleo"]
    assert project_forecast(team.project).hours_per_day == pytest.approx(0.7667, abs=1e-3)
    team.sign_in("Ann")
    with pytest.raises(WorkError):
        people_work(team.project)
