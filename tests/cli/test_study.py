"""Studies on the command line: asked for, made, dealt again, shown and written."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.people import Role
from annotator.services.project.projects import open_project
from annotator.services.questions.studies import studies
from tests.cli.conftest import Call
from tests.services.questions.study_team import answer_all, participants, question_team


@pytest.fixture
def project(tmp_path: Path) -> Path:
    team = question_team(tmp_path)
    participants(team, 4)
    team.lead_again()
    team.project.close()
    return team.project.path


def _answer(path: Path) -> None:
    opened = open_project(path)
    for person in studies.participants(opened):
        answer_all(opened, person.id, lambda _, __, is_muted: "o2" if is_muted else "o1")
    (lead,) = [p for p in opened.work.people.all() if len(p.roles) == 3]
    opened.work.people.sign_in(lead.id)
    opened.close()


def test_a_study_is_made_answered_shown_and_written(
    call: Call, project: Path, tmp_path: Path
) -> None:
    assert call("study", "list", project).out == ""
    tried = call("study", "create", project, "Spring", "--dry-run")
    assert (tried.status, tried.out) == (0, "3 items × 4 answers = 12; 4 people × 3\n")
    assert call("study", "list", project).out == ""
    made = call("study", "create", project, "Spring")
    assert (made.status, made.out.splitlines()[1]) == (0, "Spring: 0 of 12 answers")
    assert call("study", "list", project).out == "Spring: 0 of 12 answers\n"
    _answer(project)
    shown = call("study", "results", project, "Spring")
    lines = shown.out.splitlines()
    assert lines[0] == "Spring: 12 of 12 answers"
    assert "all, all items: accuracy 50.0% (28.6% to 71.4%) median 1.5 s" in lines
    assert (
        "sound, area Memory: accuracy 100.0% (42.5% to 100.0%) majority accuracy 100.0% (27.0%"
        in shown.out
    )
    assert (
        "muted, all items: accuracy 0.0% (0.0% to 31.1%) majority accuracy 0.0% (0.0% to 47.4%)"
        in shown.out
    )
    written = call("study", "export", project, "Spring", tmp_path / "out")
    assert written.status == 0
    assert f"{tmp_path / 'out' / 'answers.csv'}: 12 rows" in written.out
    assert (tmp_path / "out" / "study.json").is_file()


def test_numbers_conditions_and_people_can_be_others(call: Call, project: Path) -> None:
    few = call("study", "create", project, "x", "--dry-run", "--condition", "muted", "--sample", 2)
    assert few.out == "2 items × 2 answers = 4; 4 people × 1\n"
    one = call("study", "create", project, "x", "--person", "Guest 0", "--area", "Memory")
    assert one.status == 1
    assert one.out == "1 item × 4 answers = 4; 1 person × 1; 3 more people needed\n"
    assert "3 more people are needed" in one.err
    assert call("study", "list", project).out == ""
    wrong = call("study", "create", project, "x", "--condition", "loud")
    assert "Available conditions: sound, muted" in wrong.err
    assert call("study", "create", project).status == 2


def test_it_is_dealt_again_to_others(call: Call, project: Path) -> None:
    names = [f"--person=Guest {i}" for i in range(4)]
    assert call("study", "create", project, "Spring", *names).status == 0
    opened = open_project(project)
    opened.work.people.add("Guest 9", (Role.PARTICIPANT,))
    opened.close()
    names[0] = "--person=Guest 9"
    again = call("study", "reassign", project, "Spring", *names)
    assert (again.status, again.out.splitlines()[0]) == (0, "Spring: 0 of 12 answers")
    unknown = call("study", "results", project, "Autumn")
    assert unknown.status == 1
    assert "Available studies:" in unknown.err
