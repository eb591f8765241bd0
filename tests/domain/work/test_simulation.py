"""The Perception Test's boxes, all of them: 200 people, 11,609 videos, and all that goes wrong."""

from __future__ import annotations

import json
import statistics
import tomllib
from pathlib import Path

from annotator.domain.recipes.file import recipe_from
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.codec import event_from, event_value
from annotator.domain.work.event_replay import replay
from annotator.domain.work.records import Flag, TaskStatus
from tests.domain.work.checker import broken_rules
from tests.domain.work.team import DAY, Team

_RECIPE = Path(__file__).resolve().parents[3] / "resources" / "recipes" / "perception-test.toml"
_MOST_TURNS = 400_000


def _task_type() -> TaskType:
    recipe = recipe_from(tomllib.loads(_RECIPE.read_text(encoding="utf-8")))
    found = recipe.task_type("object-tracks")
    assert found is not None
    return found


def _played(n_tasks: int, n_people: int, seed: int) -> Team:
    """Let the team work until every task is complete."""
    team = Team(_task_type(), n_tasks, n_people, seed)
    turns = 0
    while team.n_open or team.mail:
        team.turn()
        turns += 1
        if turns % 1000 == 0:
            team.come_and_go()
        if turns % 30_000 == 0:
            team.now -= 2 * DAY  # somebody sets the clock
        if not team.n_open:
            team.deliver_all()
            team.finish()
        assert turns < _MOST_TURNS
    return team


def test_every_task_of_a_large_team_ends_complete_and_no_rule_is_broken() -> None:
    team = _played(11_609, 200, seed=20261121)
    assert {r.status for r in team.records.values()} == {TaskStatus.COMPLETE}
    assert len(team.records) == 11_609

    broken = {
        task_id: found
        for task_id, events in team.histories.items()
        if (found := broken_rules(events, team.task_type))
    }
    assert broken == {}
    assert all(
        replay(events) == team.records[task_id] for task_id, events in team.histories.items()
    )

    kept = {
        handed.submission_id: record.id
        for record in team.records.values()
        for each in record.assignments
        for handed in each.submissions
    }
    assert kept == team.delivered

    # Everything that was to go wrong has gone wrong.
    happened = team.happened
    flags = {flag for record in team.records.values() for flag in record.flags}
    assert {Flag.LATE, Flag.REPEATED} <= flags
    assert happened["ended"] > 5000
    assert happened["extra-submitted"] > 200
    assert happened["round-opened"] > 100
    assert happened["reopened"] > 20
    returned = sum(
        e.kind == "entered" and e.is_returned for h in team.histories.values() for e in h
    )
    assert returned > 0.2 * 11_609

    some = [event for events in list(team.histories.values())[::50] for event in events]
    assert [event_from(json.loads(json.dumps(event_value(e)))) for e in some] == some
    _assert_steady(team)


def _assert_steady(team: Team) -> None:
    """Assert that an event costs at the end what it cost at the start."""
    per_event = [seconds / max(n, 1) for seconds, n in team.costs]
    part = len(per_event) // 10
    first, last = per_event[part : 2 * part], per_event[-part:]
    start, end = statistics.median(first), statistics.median(last)
    worst = statistics.quantiles(last, n=20)[-1]
    print(  # noqa: T201
        f"{sum(team.happened.values())} events, {len(team.costs)} acts: median"
        f" {start * 1e6:.0f} µs an event at the start, {end * 1e6:.0f} µs at the end"
        f" ({end / start:.2f}x), 95 % within {worst * 1e6:.0f} µs"
    )
    assert end < 2 * start
    assert worst < 0.001


def test_few_people_need_the_lead_and_still_get_through() -> None:
    team = _played(60, 5, seed=3)
    assert {r.status for r in team.records.values()} == {TaskStatus.COMPLETE}
    assert [
        found for h in team.histories.values() if (found := broken_rules(h, team.task_type))
    ] == []
    assert team.happened["lead-asked"] > 5
    flags = {flag for record in team.records.values() for flag in record.flags}
    assert flags & {Flag.OVERRULED, Flag.CLOSED}
