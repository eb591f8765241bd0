"""Rows of votes that this program cannot have written: they do not count, and are named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.answer import Picked
from annotator.domain.ids import TaskId
from annotator.services.background.jobs import JobToken
from annotator.services.project.project_checks import check_project, vote_findings
from annotator.services.project.projects import open_project
from annotator.services.questions.agreement.agreement import agreement_of
from annotator.services.questions.voting.outcomes import outcomes
from annotator.services.questions.voting.submitted_answers import sheets
from annotator.store.questions.votes import decided_votes, votes_of
from tests.services.questions.asking_floor import AskingFloor, item


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[AskingFloor]:
    made = AskingFloor(tmp_path)
    yield made
    made.project.close()


def change(floor: AskingFloor, *statements: str) -> None:
    """Do to the file what another program might."""
    floor.project.close()
    with closing(sqlite3.connect(floor.project.path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            assert connection.execute(statement).rowcount == 1
        connection.commit()
    floor.project = open_project(floor.project.path)
    floor.lead_again()


def decided(floor: AskingFloor) -> TaskId:
    task = floor.add(item(floor.videos[0].id))
    floor.add(item(floor.videos[1].id, "Not asked yet"))
    for name in ("Ann", "Ben"):
        floor.hand_in(name, task)
    floor.lead_again()
    return task


_OF = "WHERE field = 'which' AND person_id = (SELECT id FROM person WHERE name = '{name}')"
OF_ANN, OF_BEN = _OF.format(name="Ann"), _OF.format(name="Ben")


def n_votes(floor: AskingFloor) -> int:
    token = JobToken(lambda _fraction, _text: None)
    found = agreement_of(floor.project, "questions", token, Bootstrap(draws=0))
    return next(f.inputs.votes for f in found if (f.field, f.by) == ("which", ""))


def test_sound_votes_say_nothing(floor: AskingFloor) -> None:
    decided(floor)
    assert list(vote_findings(floor.project)) == []
    assert n_votes(floor) == 2


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (f"UPDATE vote SET value = '{{\"picked\": 3}}' {OF_ANN}", "vote-damaged"),
        (f"UPDATE vote SET value = 'no JSON' {OF_ANN}", "vote-damaged"),
        (f"UPDATE vote SET value = '[]' {OF_ANN}", "vote-damaged"),
        (
            f"UPDATE vote SET person_id = (SELECT id FROM person WHERE name = 'Cleo') {OF_ANN}",
            "vote-not-handed-in",
        ),
        (
            f"UPDATE vote SET submission_id = (SELECT submission_id FROM vote {OF_BEN}) {OF_ANN}",
            "vote-not-handed-in",
        ),
        (
            f"UPDATE vote SET task_id = (SELECT id FROM task WHERE kind = 'questions'"
            f" AND id != vote.task_id) {OF_ANN}",
            "vote-twice",
        ),
    ],
)
def test_a_row_of_somebody_else_or_of_nothing_does_not_count(
    floor: AskingFloor, statement: str, code: str
) -> None:
    decided(floor)
    change(floor, statement)
    (finding,) = vote_findings(floor.project)
    assert (finding.code, "is excluded" in finding.text) == (code, True)
    assert "on “which”" in finding.where
    assert [f.code for f in vote_findings(floor.project, "questions")] == [code]
    assert list(vote_findings(floor.project, "pairs")) == []
    assert n_votes(floor) == 1
    assert (
        len([v for v in decided_votes(floor.project.file, "questions") if v.field == "which"]) == 1
    )
    assert len([s for s in sheets(floor.project, "questions") if "which" in s.values]) == 1


def test_a_project_is_checked_while_people_work_side_by_side(floor: AskingFloor) -> None:
    decided(floor)
    task = floor.add(item(floor.videos[1].id, "Begun"))
    floor.hand_in("Ann", task)
    change(floor, f"UPDATE vote SET value = 'no JSON' {OF_BEN}")
    path = floor.project.path
    floor.project.close()
    codes = {finding.code for finding in check_project(path).findings}
    assert {"hidden", "vote-damaged"} <= codes
    floor.project = open_project(path)


def test_a_vote_of_a_stranger_is_told_before_anything_else(floor: AskingFloor) -> None:
    decided(floor)
    with floor.project.file.reading() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"UPDATE vote SET person_id = randomblob(16) {OF_ANN}")
        connection.commit()
    (finding,) = vote_findings(floor.project)
    assert finding.code == "vote-of-stranger"
    assert n_votes(floor) == 1


def test_who_answered_twice_counts_once(floor: AskingFloor) -> None:
    task = decided(floor)
    twice = (
        "INSERT INTO vote SELECT item_id, field, entry, (SELECT id FROM task WHERE kind ="
        " 'questions' AND id != v.task_id), stage, visit, person_id, submission_id, value, at,"
        f" took_ms, recipe_version FROM vote v {OF_ANN}"
    )
    change(floor, twice)
    assert [f.code for f in vote_findings(floor.project)] == ["vote-twice"]
    assert n_votes(floor) == 2
    assert len(votes_of(floor.project.file, task)) == 4


def test_answers_that_are_of_another_kind_now_are_left_out_when_votes_are_put_together(
    floor: AskingFloor,
) -> None:
    task = floor.add(item(floor.videos[0].id))
    session, question_set = floor.as_("Ann", task)
    floor.answer_all(session, question_set)
    floor.work.submit(session)
    floor.lead_again()
    change(floor, f"UPDATE vote SET value = '{{\"number\": 3}}' {OF_ANN}")
    floor.hand_in("Ben", task, "o2")
    floor.lead_again()
    (found,) = outcomes(floor.project, "questions")
    assert found.value("which") == Picked(("o2",))
    assert n_votes(floor) == 1
