"""Who decides a tie finds it among what waits, and is told what the others answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.answer import AnswerKey, Picked
from annotator.domain.ids import TaskId
from annotator.domain.people import Role
from annotator.services.questions.asking.other_answers import answers_of_others
from tests.services.questions.question_team import QuestionTeam, item, recipe

CHECKED = recipe().replace(
    "[task_types.form]",
    '[[task_types.stages]]\nkey = "verify"\ntitle = "Verify"\nact = "check"\nrole = "reviewer"\n'
    "may_choose = true\n[task_types.form]",
    1,
)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path)
    yield made
    made.project.close()


def _torn(team: QuestionTeam, names: str = "Ann Ben Cleo") -> tuple[TaskId, AnswerKey]:
    asked = item(team.videos[0].id, "Torn")
    task = team.add(asked)
    for name, pick in zip(names.split(), ("o0", "o1", "o2"), strict=False):
        team.hand_in(name, task, pick)
    team.lead_again()
    team.people["Dora"] = team.work.people.add("Dora", (Role.REVIEWER,))
    return task, AnswerKey(asked.id, "which", 0)


def test_an_adjudicator_finds_the_tie_and_sees_all_answers(team: QuestionTeam) -> None:
    _, key = _torn(team)
    team.work.people.sign_in(team.people["Dora"].id)
    (queue,) = [q for q in team.work.my_work().queues if q.kind == "questions"]
    assert queue.count == 1
    record = team.work.claim_next("questions")
    assert record is not None
    said = answers_of_others(team.project, team.project.open_task(record.id))
    assert said[key] == ((Picked(("o0",)), 1), (Picked(("o1",)), 1), (Picked(("o2",)), 1))
    assert said[AnswerKey(key.item_id, "seen", 0)] == ((True, 3),)
    # There is no more to be decided, and so nothing waits.
    assert all(q.kind != "questions" for q in team.work.my_work().queues)


def test_a_rater_called_in_is_told_nothing(team: QuestionTeam) -> None:
    task, _ = _torn(team, "Ann Ben")
    session, _sheet = team.as_("Cleo", task)
    assert answers_of_others(team.project, session) == {}


def test_whoever_verifies_sees_what_was_said_side_by_side(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, text=CHECKED)
    asked = item(team.videos[0].id)
    task = team.add(asked)
    for name, pick in (("Ann", "o1"), ("Ben", "o0"), ("Cleo", "o1")):
        team.hand_in(name, task, pick)
    team.lead_again()
    team.people["Dora"] = team.work.people.add("Dora", (Role.REVIEWER,))
    session, _ = team.as_("Dora", task)
    said = answers_of_others(team.project, session)
    assert said[AnswerKey(asked.id, "which", 0)] == ((Picked(("o1",)), 2), (Picked(("o0",)), 1))
    team.project.close()
