"""``annotator people``: who there is, and who comes and goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.people import Role
from annotator.services.project.projects import create_project, open_project
from tests.cli.conftest import Call


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = create_project(tmp_path / "day.annot", title="Day", recipe="perception-test")
    made.close()
    return made.path


def _told(out: str) -> dict[str, str]:
    """Return what is told of each person by name; whoever made the project comes first."""
    first, *lines = out.splitlines()
    assert first.endswith("\trater, reviewer, lead")
    return {name: rest for name, _, rest in (line.partition("\t") for line in lines)}


def test_people_are_added_listed_and_leave(call: Call, project: Path) -> None:
    made = call("team", "add", project, "Ann", "Ben")
    assert (made.status, _told(made.out)) == (0, {"Ann": "rater", "Ben": "rater"})
    more = ("Cleo", "--role", "reviewer", "--role", "rater")
    assert _told(call("team", "add", project, *more).out)["Cleo"] == "rater, reviewer"
    assert _told(call("team", "add", project, "Dan", "--role", "participant").out) == {
        "Ann": "rater",
        "Ben": "rater",
        "Cleo": "rater, reviewer",
        "Dan": "participant",
    }
    assert _told(call("team", "deactivate", project, "Ann").out)["Ann"] == "rater\tdeactivated"
    assert _told(call("team", "reactivate", project, "Ann").out)["Ann"] == "rater"
    opened = open_project(project)
    roles = {person.name: person.roles for person in opened.work.people.all()}
    assert roles["Cleo"] == {Role.RATER, Role.REVIEWER}
    opened.close()


def test_a_name_that_is_taken_adds_nobody(call: Call, project: Path) -> None:
    call("team", "add", project, "Ann")
    refused = call("team", "add", project, "Ben", "Ann")
    assert refused.status == 1
    assert "Ann" in refused.err
    assert list(_told(call("people", project).out)) == ["Ann"]
    nobody = call("team", "deactivate", project, "Ann", "Zoe")
    assert (nobody.status, "“Zoe”" in nobody.err) == (1, True)
    assert list(_told(call("people", project).out)) == ["Ann"]


def test_roles_are_for_those_who_are_added(call: Call, project: Path) -> None:
    refused = call("team", "add", project, "--role", "lead")
    assert refused.status == 2
    assert "NAME" in refused.err
