"""An adjudicator decides what the vote left open, and overrules it only with a reason."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.annotation.changes import Change
from annotator.domain.answer import Answer, AnswerKey, Picked, Value
from annotator.domain.commands import SetAnswer
from annotator.domain.errors import RecipeError, WorkError
from annotator.domain.ids import ItemId, TaskId
from annotator.domain.people import Role
from annotator.domain.questions.answer_resolution import OVERRULED
from annotator.domain.questions.items.item import ItemState
from annotator.domain.work.records import TaskStatus
from annotator.services.background.jobs import JobToken
from annotator.services.packages.submissions import collect, pack_submissions
from annotator.services.project.recipes import parse_recipe
from annotator.services.questions.agreement.estimate_verification import (
    RecomputeResult,
    verify_estimates,
)
from annotator.services.questions.asking.question_set import QuestionSet
from annotator.services.questions.item_list import item_rows
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.services.questions.voting.votes_file import write_votes
from annotator.services.session import Session
from annotator.store.workflow import submissions
from annotator.ui.lead.answers.items_box import decision_text, resolved_text, votes_text
from tests.services.questions.question_team import QuestionTeam, item, recipe
from tests.services.questions.remote_team import RemoteTeam

MAY_OVERRULE = recipe().replace(
    'resolution = "majority"', 'resolution = "majority"\nmay_overrule = true'
)


class Tie:
    """Three raters agree on one item and differ on the other; Dora is called."""

    def __init__(self, team: QuestionTeam) -> None:
        self.team = team
        clips = getattr(team, "clips", team.videos)
        self.clear, self.torn = item(clips[0].id, "Clear"), item(clips[0].id, "Torn")
        self.task: TaskId = team.add(self.clear, self.torn)
        for name, pick in (("Ann", "o0"), ("Ben", "o1"), ("Cleo", "o2")):
            session, question_set = team.as_(name, self.task)
            asked = {self.clear.id: "o1", self.torn.id: pick}
            for each in question_set.items:
                session.run(question_set.answer(each.id, "which", Picked((asked[each.id],))))
                session.run(question_set.answer(each.id, "seen", True))
            team.work.submit(session)
        team.lead_again()
        team.people["Dora"] = team.work.people.add("Dora", (Role.REVIEWER,))

    def decide(self, session: Session, question_set: QuestionSet) -> None:
        session.run(question_set.answer(self.torn.id, "which", Picked(("o2",))))
        session.run(question_set.answer(self.torn.id, "seen", False))
        session.run(question_set.answer(self.torn.id, "why", "Dark"))

    def results(self) -> dict[tuple[ItemId, str], Value]:
        record = self.team.work.record(self.task)
        assert record.status is TaskStatus.COMPLETE
        assert record.base_id is not None
        body = submissions.read_body(self.team.project.file, record.base_id)
        return {(a.key.item_id, a.key.field): a.value for a in answers_in(body)}


@pytest.fixture
def tie(tmp_path: Path) -> Iterator[Tie]:
    made = Tie(QuestionTeam(tmp_path))
    yield made
    made.team.project.close()


def test_what_the_vote_resolved_is_shown_and_locked(tie: Tie) -> None:
    session, question_set = tie.team.as_("Dora", tie.task)
    assert [question_set.is_locked(each) for each in question_set.items] == [True, False]
    assert question_set.value(tie.clear.id, "which") == Picked(("o1",))
    with pytest.raises(WorkError) as caught:
        question_set.answer(tie.clear.id, "which", Picked(("o0",)))
    assert caught.value.code == "resolved"
    with pytest.raises(WorkError):
        question_set.clear(tie.clear.id, "which")
    with pytest.raises(WorkError) as caught:
        question_set.overrule(tie.clear.id, "I know better.")
    assert caught.value.code == "no-overruling"
    tie.decide(session, question_set)
    tie.team.work.submit(session)
    found = tie.results()
    assert found[tie.clear.id, "which"] == Picked(("o1",))
    assert found[tie.torn.id, "why"] == "Dark"


def test_a_draft_that_says_otherwise_all_the_same_does_not_overturn_the_vote(tie: Tie) -> None:
    """As a script, a damaged draft or an older program could write it."""
    session, question_set = tie.team.as_("Dora", tie.task)
    tie.decide(session, question_set)
    for field, value in (("which", Picked(("o0",))), (OVERRULED, "No reason counts here.")):
        key = AnswerKey(tie.clear.id, field)
        old = session.document.answers.get(key)
        forced = Answer(key, value, 1, 1, (), 1)

        class Force(SetAnswer):
            def plan(self, document: object) -> list[Change]:
                return [Change("answer", key, old, forced)]  # noqa: B023

        session.run(Force(forced, question_set.form, tie.clear))
    tie.team.work.submit(session)
    found = tie.results()
    assert found[tie.clear.id, "which"] == Picked(("o1",))
    assert found[tie.torn.id, "which"] == Picked(("o2",))


def test_where_the_recipe_allows_it_a_vote_is_overruled_with_a_reason(tmp_path: Path) -> None:
    tie = Tie(QuestionTeam(tmp_path, text=MAY_OVERRULE))
    session, question_set = tie.team.as_("Dora", tie.task)
    for empty in ("", "  ", "x" * 501):
        with pytest.raises(WorkError) as caught:
            question_set.overrule(tie.clear.id, empty)
        assert caught.value.code == "no-reason"
    with pytest.raises(WorkError):  # it is not resolved
        question_set.overrule(tie.torn.id, "Why not?")
    session.run(question_set.overrule(tie.clear.id, "The cup is\nonly seen later."))
    assert question_set.overruled(tie.clear) == "The cup is only seen later."
    session.run(question_set.answer(tie.clear.id, "which", Picked(("o0",))))
    session.run(question_set.clear(tie.clear.id, "seen"))
    tie.decide(session, question_set)
    with pytest.raises(WorkError) as caught:  # what is overruled is answered in full
        tie.team.work.submit(session)
    assert caught.value.code == "unanswered"
    session.run(question_set.answer(tie.clear.id, "seen", True))
    tie.team.work.submit(session)
    found = tie.results()
    assert found[tie.clear.id, "which"] == Picked(("o0",))
    assert found[tie.clear.id, OVERRULED] == "The cup is only seen later."
    tie.team.project.close()


def _written(tie: Tie, folder: Path) -> tuple[Path, dict[tuple[str, str], dict[str, Any]]]:
    """Write the votes; return the resolved answers by question and field."""
    tie.team.lead_again()
    path = folder / "data.votes.json"
    write_votes(tie.team.project, path, JobToken(lambda _fraction, _text: None))
    items = json.loads(path.read_text(encoding="utf-8"))["items"]
    return path, {(i["question"], r["field"]): r for i in items for r in i["resolved"]}


def _verdicts(tie: Tie, path: Path) -> list[tuple[str, RecomputeResult]]:
    checked = verify_estimates(tie.team.project, path, JobToken(lambda _fraction, _text: None))
    return [(c.stored.field, c.verdict) for c in checked if c.verdict is not RecomputeResult.SAME]


def test_votes_tell_the_rule_and_who_decided(tie: Tie, tmp_path: Path) -> None:
    session, question_set = tie.team.as_("Dora", tie.task)
    tie.decide(session, question_set)
    tie.team.work.submit(session)
    path, resolved = _written(tie, tmp_path)
    dora = tie.team.people["Dora"].id
    about = {place: (r["rule"], r["decided_by"], r["reason"]) for place, r in resolved.items()}
    assert about == {
        ("Clear", "seen"): ("majority", "votes", ""),
        ("Clear", "which"): ("majority", "votes", ""),
        ("Torn", "seen"): ("adjudication", dora, ""),
        ("Torn", "which"): ("adjudication", dora, ""),
        ("Torn", "why"): ("adjudication", dora, ""),
    }
    with path.with_suffix(".csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    clear = [r for r in rows if (r["question"], r["field"]) == ("Clear", "which")]
    assert [(r["answer"], r["resolved"], r["decided_by"]) for r in clear] == [
        ('{"picked": ["o1"]}', '{"picked": ["o1"]}', "votes")
    ] * 2  # Cleo was asked what was open by then
    assert {r["person"] for r in clear} == {tie.team.people[name].id for name in ("Ann", "Ben")}
    torn = [r for r in rows if (r["question"], r["field"]) == ("Torn", "why")]
    assert [(r["person"], r["resolved"], r["decided_by"]) for r in torn] == [
        ("", '{"text": "Dark"}', dora)
    ]
    assert _verdicts(tie, path) == []


def test_a_published_answer_that_its_votes_do_not_give_is_found(tie: Tie, tmp_path: Path) -> None:
    session, question_set = tie.team.as_("Dora", tie.task)
    tie.decide(session, question_set)
    tie.team.work.submit(session)
    path, _ = _written(tie, tmp_path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    (clear,) = (each for each in whole["items"] if each["question"] == "Clear")
    (which,) = (each for each in clear["resolved"] if each["field"] == "which")
    which["answer"] = {"picked": ["o0"]}
    path.write_text(json.dumps(whole), encoding="utf-8")
    assert _verdicts(tie, path) == [("which", RecomputeResult.OTHER_VALUE)]
    # The votes were changed with it: then they are not those of the project.
    for vote in clear["votes"]:
        if vote["field"] == "which":
            vote["answer"] = {"picked": ["o0"]}
    path.write_text(json.dumps(whole), encoding="utf-8")
    assert ("which", RecomputeResult.OTHER_INPUTS) in _verdicts(tie, path)


def test_an_overruled_vote_is_on_record_with_its_reason(tmp_path: Path) -> None:
    tie = Tie(QuestionTeam(tmp_path, text=MAY_OVERRULE))
    session, question_set = tie.team.as_("Dora", tie.task)
    session.run(question_set.overrule(tie.clear.id, "Seen later"))
    session.run(question_set.answer(tie.clear.id, "which", Picked(("o0",))))
    tie.decide(session, question_set)
    tie.team.work.submit(session)
    path, resolved = _written(tie, tmp_path)
    which = resolved["Clear", "which"]
    assert which == {
        "field": "which",
        "entry": 0,
        "answer": {"picked": ["o0"]},
        "rule": "overruled",
        "decided_by": tie.team.people["Dora"].id,
        "reason": "Seen later",
    }
    # What was left as it is, the votes decided.
    assert resolved["Clear", "seen"]["decided_by"] == "votes"
    assert _verdicts(tie, path) == []
    token = JobToken(lambda _fraction, _text: None)
    rows = {row.question: row for row in item_rows(tie.team.project, "questions", token)}
    assert votes_text(rows["Clear"]) == "Which? Option 1 ×2; Seen? yes ×2"
    assert resolved_text(rows["Clear"]) == "Which? Option 0; Seen? yes"
    assert decision_text(rows["Clear"]) == "vote overruled: Dora – Seen later; majority"
    assert decision_text(rows["Torn"]) == "adjudication: Dora"
    tie.team.project.close()


def test_undo_takes_the_overruling_back(tmp_path: Path) -> None:
    tie = Tie(QuestionTeam(tmp_path, text=MAY_OVERRULE))
    session, question_set = tie.team.as_("Dora", tie.task)
    session.run(question_set.overrule(tie.clear.id, "A reason"))
    assert not question_set.is_locked(tie.clear)
    session.undo()
    assert question_set.is_locked(tie.clear)
    tie.team.project.close()


def test_adjudication_in_a_package_keeps_the_answers_of_the_vote(tmp_path: Path) -> None:
    tie = Tie(RemoteTeam(tmp_path))
    team = tie.team
    assert isinstance(team, RemoteTeam)
    mine = team.unpack(team.package("Dora"), "Dora")
    (task,) = [t for t in mine.tasks() if t.kind == "questions"]
    session = mine.open_task(task.id)
    question_set = mine.questions.question_set(session)
    # The votes of others do not travel, so only what is open is asked.
    assert [each.text for each in question_set.items] == ["Torn"]
    tie.decide(session, question_set)
    mine.work.submit(session)
    back = tmp_path / "Dora.back"
    pack_submissions(mine, back)
    mine.close()
    team.lead_again()
    collect(team.project, back)
    found = tie.results()
    assert found[tie.clear.id, "which"] == Picked(("o1",))
    assert found[tie.torn.id, "which"] == Picked(("o2",))
    items = {i.text: i.state for _, i in team.questions.list()}
    assert items == {"Clear": ItemState.DECIDED, "Torn": ItemState.DECIDED}
    team.project.close()


def test_the_key_of_the_reason_is_reserved() -> None:
    with pytest.raises(RecipeError, match="reserved"):
        parse_recipe(recipe().replace('key = "seen"', 'key = "overruled"'))
