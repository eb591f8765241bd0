"""People from a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.errors import ExchangeError
from annotator.domain.people import Role
from annotator.services.project.people import NewPerson, add_people, read_people
from annotator.services.project.projects import create_project


def _table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_names_roles_and_pins_are_read(tmp_path: Path) -> None:
    path = _table(
        tmp_path, "Name;Roles;PIN\nAnn  Lee;rater, reviewer;\n\nBen;;1234\nCleo;lead/rater;\n"
    )
    assert read_people(path) == [
        NewPerson("Ann Lee", frozenset((Role.RATER, Role.REVIEWER))),
        NewPerson("Ben", frozenset((Role.RATER,)), "1234"),
        NewPerson("Cleo", frozenset((Role.LEAD, Role.RATER))),
    ]


def test_names_alone_are_enough(tmp_path: Path) -> None:
    assert read_people(_table(tmp_path, "name\nAnn\nBen\n")) == [NewPerson("Ann"), NewPerson("Ben")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("who,roles\nAnn,rater\n", r"Cannot read the people table: the column “name” is missing\."),
        ("name,roles\nAnn,boss\n", r"Use rater, reviewer or lead\."),
        ("name\nAnn\nAnn\n", r"” in the people table\."),
        ("", r"Cannot read the people table: the column “name” is missing\."),
    ],
)
def test_a_bad_table_is_refused_with_the_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ExchangeError, match=told) as refusal:
        read_people(_table(tmp_path, text))
    assert str(tmp_path) in str(refusal.value)


def test_files_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="Cannot read the people table:"):
        read_people(tmp_path / "gone.csv")
    path = tmp_path / "latin.csv"
    path.write_bytes(b"name\nJos\xe9\n")
    with pytest.raises(ExchangeError, match="UTF-8"):
        read_people(path)


def test_who_cannot_be_added_is_told_and_the_others_are(tmp_path: Path) -> None:
    project = create_project(tmp_path / "line", title="Line", recipe="perception-test")
    try:
        refused = add_people(
            project.work.people,
            [NewPerson("Ann"), NewPerson("Ann"), NewPerson("Ben", pin="12"), NewPerson("Cleo")],
        )
        assert [(each.name, why.split(".")[0]) for each, why in refused] == [
            ("Ann", "The name “Ann” is already in use"),
            ("Ben", "The PIN must have 4 to 64 characters"),
        ]
        assert [p.name for p in project.work.people.all()][1:] == ["Ann", "Cleo"]
    finally:
        project.close()
