"""Votes of one person are voided: shown first, asked again of others, and on record."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.answer import Picked, Value
from annotator.domain.errors import WorkError
from annotator.domain.ids import ItemId, PersonId, TaskId
from annotator.domain.people import Role
from annotator.domain.work.codec import event_from, event_value
from annotator.domain.work.events import VoteVoided
from annotator.domain.work.records import AssignmentState, TaskStatus
from annotator.domain.work.rules import ClaimRule, may_take
from annotator.services.background.jobs import JobToken
from annotator.services.questions.item_list import item_rows
from annotator.services.questions.voting.submitted_answers import iter_answers
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.services.questions.voting.vote_voiding import VoidPlan, plan_voiding, void_votes
from annotator.services.questions.voting.votes_file import write_votes
from annotator.store.workflow import submissions
from annotator.ui.lead.answers.items_box import votes_text
from tests.services.questions.question_team import QuestionTeam, item


class Votes:
    """Two items answered by some people; the lead sits down again."""

    def __init__(self, team: QuestionTeam) -> None:
        self.team = team
        self.first, self.second = (item(team.videos[0].id, text) for text in ("One", "Two"))
        self.task: TaskId = team.add(self.first, self.second)

    def say(self, name: str, first: str, second: str) -> None:
        session, question_set = self.team.as_(name, self.task)
        said = {self.first.id: first, self.second.id: second}
        for each in question_set.items:
            session.run(question_set.answer(each.id, "which", Picked((said[each.id],))))
            session.run(question_set.answer(each.id, "seen", True))
        self.team.work.submit(session)
        self.team.lead_again()

    def person(self, name: str) -> PersonId:
        return self.team.people[name].id

    def result(self) -> dict[ItemId, Value]:
        record = self.team.work.record(self.task)
        assert record.status is TaskStatus.COMPLETE
        assert record.base_id is not None
        body = submissions.read_body(self.team.project.file, record.base_id)
        return {a.key.item_id: a.value for a in answers_in(body) if a.key.field == "which"}


@pytest.fixture
def votes(tmp_path: Path) -> Iterator[Votes]:
    made = Votes(QuestionTeam(tmp_path))
    yield made
    made.team.project.close()


def test_a_vote_is_voided_and_asked_again(votes: Votes) -> None:
    team, work = votes.team, votes.team.work
    votes.say("Ann", "o1", "o1")
    votes.say("Ben", "o1", "o1")
    before = work.record(votes.task)
    assert votes.result() == {votes.first.id: Picked(("o1",)), votes.second.id: Picked(("o1",))}
    ben = votes.person("Ben")
    # What one person says is a result, too, until the next one has answered.
    plan = plan_voiding(team.project, ben, "questions")
    assert (plan.n_tasks, plan.n_votes, plan.n_items) == (1, 4, 2)
    assert plan.n_same + plan.n_other + plan.n_open == 2
    assert plan.n_other == 0
    assert work.record(votes.task) == before
    with pytest.raises(WorkError, match="Enter a reason"):
        void_votes(team.project, ben, "questions", " ")
    assert void_votes(team.project, ben, "questions", "He clicked through.") == 1
    record = work.record(votes.task)
    assert (record.status, record.stage, record.open_slots) == (TaskStatus.IN_PROGRESS, "answer", 1)
    states = {a.person_id: a.state for a in record.assignments}
    assert states[ben] is AssignmentState.VOIDED
    assert states[votes.person("Ann")] is AssignmentState.SUBMITTED
    task_type = work.recipe.task_type("questions")
    assert task_type is not None
    refusal = may_take(record, team.people["Ben"], task_type)
    assert refusal is not None
    assert refusal.rule is ClaimRule.HAD_PART
    assert {s.person_id for s in iter_answers(team.project, "questions")} == {votes.person("Ann")}
    votes.say("Cleo", "o1", "o1")
    assert votes.result() == {votes.first.id: Picked(("o1",)), votes.second.id: Picked(("o1",))}
    people = {s.person_id for s in iter_answers(team.project, "questions")}
    assert people == {votes.person("Ann"), votes.person("Cleo")}
    (event,) = [e for e in work.history(votes.task) if isinstance(e, VoteVoided)]
    assert event.text == "He clicked through."
    assert event_from(event_value(event)) == event
    assert plan_voiding(team.project, ben, "questions") == VoidPlan()
    assert void_votes(team.project, ben, "questions", "Again.") == 0


def test_a_vote_that_decided_is_replaced(votes: Votes) -> None:
    """Ann and Cleo outvoted Ben on the second item; without Ann it is open again."""
    votes.say("Ann", "o1", "o1")
    votes.say("Ben", "o1", "o2")
    votes.say("Cleo", "o1", "o1")
    assert votes.result()[votes.second.id] == Picked(("o1",))
    team = votes.team
    ann = votes.person("Ann")
    plan = plan_voiding(team.project, ann, "questions")
    assert (plan.n_items, plan.n_other) == (2, 0)
    assert plan.n_open >= 1
    void_votes(team.project, ann, "questions", "Suspended.")
    record = team.work.record(votes.task)
    assert (record.wanted, record.open_slots) == (3, 1)
    team.people["Dora"] = team.work.people.add("Dora", (Role.RATER,))
    votes.say("Dora", "o1", "o2")
    assert votes.result() == {votes.first.id: Picked(("o1",)), votes.second.id: Picked(("o2",))}


def test_only_leads_void_votes(votes: Votes) -> None:
    votes.say("Ann", "o1", "o1")
    team = votes.team
    team.project.work.people.sign_in(team.people["Ben"].id)
    with pytest.raises(WorkError):
        plan_voiding(team.project, votes.person("Ann"), "questions")
    with pytest.raises(WorkError):
        void_votes(team.project, votes.person("Ann"), "questions", "Why not?")
    team.lead_again()
    with pytest.raises(WorkError, match="No questions are asked"):
        plan_voiding(team.project, votes.person("Ann"), "object-tracks")


def _quiet() -> JobToken:
    return JobToken(lambda *_: None)


def test_voided_votes_stay_in_the_exported_files(votes: Votes, tmp_path: Path) -> None:
    team = votes.team
    votes.say("Ann", "o1", "o1")
    votes.say("Ben", "o2", "o2")
    void_votes(team.project, votes.person("Ben"), "questions", "He clicked through.")
    votes.say("Cleo", "o1", "o1")
    path = tmp_path / "votes.json"
    write_votes(team.project, path, _quiet())
    by_item = {each["item"]: each for each in json.loads(path.read_text())["items"]}
    told = by_item[votes.first.id]
    people = {votes.person("Ann"), votes.person("Cleo")}
    assert {vote["person"] for vote in told["votes"]} == people
    voided = [vote for vote in told["voided"] if vote["field"] == "which"]
    assert [(v["person"], v["answer"], v["reason"]) for v in voided] == [
        (votes.person("Ben"), {"picked": ["o2"]}, "He clicked through.")
    ]
    assert voided[0]["voided_by"] == votes.person("lead")
    rows = list(csv.DictReader(path.with_suffix(".csv").read_text("utf-8-sig").splitlines()))
    mine = [r for r in rows if (r["item"], r["field"]) == (votes.first.id, "which")]
    assert [r["voided"] for r in mine] == ["", "", "He clicked through."]
    assert {r["resolved"] for r in mine} == {'{"picked": ["o1"]}'}
    listed = {row.question: row for row in item_rows(team.project, "questions", _quiet())}
    assert votes_text(listed["One"]).endswith("; 1 voided")
