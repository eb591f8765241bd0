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
from annotator.services.questions.voting.submitted_answers import iter_answers
from annotator.store.questions.votes import decided_votes, votes_of
from tests.services.questions.question_team import QuestionTeam, item


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path)
    yield made
    made.project.close()


def change(team: QuestionTeam, *statements: str) -> None:
    """Do to the file what another program might."""
    team.project.close()
    with closing(sqlite3.connect(team.project.path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            assert connection.execute(statement).rowcount == 1
        connection.commit()
    team.project = open_project(team.project.path)
    team.lead_again()


def decided(team: QuestionTeam) -> TaskId:
    task = team.add(item(team.videos[0].id))
    team.add(item(team.videos[1].id, "Not asked yet"))
    for name in ("Ann", "Ben"):
        team.hand_in(name, task)
    team.lead_again()
    return task


_OF = "WHERE field = 'which' AND person_id = (SELECT id FROM person WHERE name = '{name}')"
OF_ANN, OF_BEN = _OF.format(name="Ann"), _OF.format(name="Ben")


def n_votes(team: QuestionTeam) -> int:
    token = JobToken(lambda _fraction, _text: None)
    found = agreement_of(team.project, "questions", token, Bootstrap(draws=0))
    return next(f.inputs.votes for f in found if (f.field, f.by) == ("which", ""))


def test_sound_votes_say_nothing(team: QuestionTeam) -> None:
    decided(team)
    assert list(vote_findings(team.project)) == []
    assert n_votes(team) == 2


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
    team: QuestionTeam, statement: str, code: str
) -> None:
    decided(team)
    change(team, statement)
    (finding,) = vote_findings(team.project)
    assert (finding.code, "is excluded" in finding.text) == (code, True)
    assert "on “which”" in finding.where
    assert [f.code for f in vote_findings(team.project, "questions")] == [code]
    assert list(vote_findings(team.project, "pairs")) == []
    assert n_votes(team) == 1
    assert (
        len([v for v in decided_votes(team.project.file, "questions") if v.field == "which"]) == 1
    )
    assert len([s for s in iter_answers(team.project, "questions") if "which" in s.values]) == 1


def test_a_project_is_checked_while_people_work_side_by_side(team: QuestionTeam) -> None:
    decided(team)
    task = team.add(item(team.videos[1].id, "Begun"))
    team.hand_in("Ann", task)
    change(team, f"UPDATE vote SET value = 'no JSON' {OF_BEN}")
    path = team.project.path
    team.project.close()
    codes = {finding.code for finding in check_project(path).findings}
    assert {"hidden", "vote-damaged"} <= codes
    team.project = open_project(path)


def test_a_vote_of_a_stranger_is_told_before_anything_else(team: QuestionTeam) -> None:
    decided(team)
    with team.project.file.reading() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"UPDATE vote SET person_id = randomblob(16) {OF_ANN}")
        connection.commit()
    (finding,) = vote_findings(team.project)
    assert finding.code == "vote-of-stranger"
    assert n_votes(team) == 1


def test_who_answered_twice_counts_once(team: QuestionTeam) -> None:
    task = decided(team)
    twice = (
        "INSERT INTO vote SELECT item_id, field, entry, (SELECT id FROM task WHERE kind ="
        " 'questions' AND id != v.task_id), stage, visit, person_id, submission_id, value, at,"
        f" took_ms, recipe_version FROM vote v {OF_ANN}"
    )
    change(team, twice)
    assert [f.code for f in vote_findings(team.project)] == ["vote-twice"]
    assert n_votes(team) == 2
    assert len(votes_of(team.project.file, task)) == 4


def test_answers_that_are_of_another_kind_now_are_left_out_when_votes_are_put_together(
    team: QuestionTeam,
) -> None:
    task = team.add(item(team.videos[0].id))
    session, question_set = team.as_("Ann", task)
    team.answer_all(session, question_set)
    team.work.submit(session)
    team.lead_again()
    change(team, f"UPDATE vote SET value = '{{\"number\": 3}}' {OF_ANN}")
    team.hand_in("Ben", task, "o2")
    team.lead_again()
    (found,) = outcomes(team.project, "questions")
    assert found.value("which") == Picked(("o2",))
    assert n_votes(team) == 1
