"""Tests graded on the command line, and people let in again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.questions.items.item import Purpose
from annotator.domain.questions.quality import QualificationStatus
from tests.cli.conftest import Call
from tests.services.questions.question_team import QuestionTeam, item
from tests.services.questions.test_qualification import TESTED


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Ann has handed in a test of two questions; Ben is kept from one kind of task."""
    team = QuestionTeam(tmp_path, n_videos=1, text=TESTED)
    facts = {"kind": "writing-test", "purpose": Purpose.QUALIFICATION, "options": ()}
    video = team.videos[0].id
    task = team.add(*(replace(item(video, text), **facts) for text in ("Why?", "How?")))
    session, question_set = team.as_("Ann", task)
    for each in question_set.items:
        session.run(question_set.answer(each.id, "why", "Because."))
    team.work.submit(session)
    team.lead_again()
    ben = team.people["Ben"].id
    team.project.qualification.set_status(
        ben, "questions", QualificationStatus.SUSPENDED, "in a hurry"
    )
    team.project.close()
    return team.project.path


def test_a_test_is_listed_read_and_graded(call: Call, project: Path) -> None:
    assert call("team", "grade", project).out == "Ann\twriting-test\tattempt 1\n"
    read = call("team", "grade", project, "Ann")
    assert read.out == "1. Why?\n   Why? Because.\n2. How?\n   Why? Because.\n"
    few = call("team", "grade", project, "Ann", "--grades", "4")
    assert (few.status, "2 integers from 1 to 4" in few.err) == (2, True)
    wrong = call("team", "grade", project, "Ann", "--grades", "4,5")
    assert wrong.status == 2
    done = call("team", "grade", project, "Ann", "--grades", "4, 3", "--note", "Good.")
    assert done.out == "Ann\twriting-test\tattempt 1: passed, mean grade 3.5\n"
    assert call("team", "grade", project).out == ""
    none = call("team", "grade", project, "Ann")
    assert none.status == 1
    assert "no tests of Ann are waiting" in none.err
    assert (
        "Ann\twriting-test\tpassed 3.5\tGood.\n"
        in call("team", "qualification", "list", project).out
    )


def test_somebody_is_let_in_again(call: Call, project: Path) -> None:
    assert (
        "Ben\tquestions\tsuspended\tin a hurry\n"
        in call("team", "qualification", "list", project).out
    )
    change = ("team", "qualification", "reset", project, "Ben")
    missing = call(*change)
    assert (missing.status, "--task-type" in missing.err) == (2, True)
    options = ("--task-type", "questions", "--note", "We talked.")
    assert call(*change, *options).out == "Ben\tquestions\treset 0\tWe talked.\n"
    unknown = call("team", "qualification", "list", project, "Zoe")
    assert unknown.status == 1
    assert "Unknown person “" in unknown.err
