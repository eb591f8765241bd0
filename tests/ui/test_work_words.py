"""Words for the work: durations, moments, roles."""

from __future__ import annotations

from datetime import datetime

import pytest

from annotator.domain.ids import PersonId
from annotator.domain.people import Person, Role
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.ui.look.texts import moment_text
from annotator.ui.work.work_texts import (
    duration_text,
    names_text,
    roles_text,
    stage_title,
    timer_text,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 min"), (3599, "59 min"), (3600, "1 h 00 min"), (7500, "2 h 05 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (65.9, "1:05"), (3600, "1:00:00"), (36_065, "10:01:05")]
)
def test_a_running_time(seconds: float, text: str) -> None:
    assert timer_text(seconds) == text


def test_a_moment_of_another_day_has_its_day() -> None:
    then = datetime(2026, 11, 20, 9, 5).astimezone()
    at = round(then.timestamp() * 1000)
    assert moment_text(at, then.replace(hour=23)) == "09:05"
    assert moment_text(at, then.replace(day=21)) == "20 Nov 09:05"
    assert moment_text(at, then.replace(year=2027)) == "20 Nov 2026 09:05"
    assert moment_text(then, then.replace(day=21)) == "20 Nov 09:05"


def test_people_and_stages_are_named() -> None:
    people = [Person(PersonId(n), n, frozenset((Role.LEAD, Role.RATER))) for n in "ABCD"]
    assert roles_text(people[0]) == "rater, lead"
    assert names_text(people[:2]) == "A, B"
    assert names_text(people) == "A, B, C, …"
    recipe = parse_recipe(shipped_recipe("perception-test"))
    assert stage_title(recipe, "object-tracks", "check") == "Check"
    assert stage_title(recipe, "object-tracks", "gone") == "gone"
