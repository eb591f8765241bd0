"""Raters’ answers become one result: at once, after one more rater, or by an adjudicator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.answer import AnswerKey, Flagged, Picked, Value
from annotator.domain.ids import ItemId, TaskId
from annotator.domain.people import Role
from annotator.domain.questions.answer_resolution import NOT_UNANIMOUS
from annotator.domain.questions.items.item import ItemState
from annotator.domain.work.records import TaskStatus
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.store.workflow import submissions
from tests.services.questions.question_team import QuestionTeam, item, recipe

UNANIMOUS = recipe().replace('resolution = "majority"', 'resolution = "unanimity"')
FLAGS = UNANIMOUS.replace(
    "[[task_types.form.fields]]",
    """[[task_types.form.fields]]
key = "flag"
title = "Bad?"
kind = "flag"
is_required = false
options = [{ key = "blurred", text = "Too blurred" }]
[[task_types.form.fields]]""",
    1,
)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path)
    yield made
    made.project.close()


def result(team: QuestionTeam, task: TaskId) -> dict[tuple[ItemId, str], Value]:
    """What stands for a task that is complete."""
    record = team.work.record(task)
    assert record.status is TaskStatus.COMPLETE
    assert record.base_id is not None
    given = answers_in(submissions.read_body(team.project.file, record.base_id))
    return {(a.key.item_id, a.key.field): a.value for a in given}


def states(team: QuestionTeam) -> dict[str, tuple[ItemState, str]]:
    team.lead_again()
    return {each.text: (each.state, each.why_discarded) for _, each in team.questions.list()}


def test_raters_who_agree_decide_at_once(team: QuestionTeam) -> None:
    one = item(team.videos[0].id, "One")
    task = team.add(one)
    team.hand_in("Ann", task)
    assert states(team) == {"One": (ItemState.OPEN, "")}
    team.hand_in("Ben", task)
    assert result(team, task) == {(one.id, "which"): Picked(("o1",)), (one.id, "seen"): True}
    assert states(team) == {"One": (ItemState.DECIDED, "")}
    names = [s.id for s in team.work.submissions(task)]
    assert team.work.record(task).base_id in names
    assert len(names) == 3


def test_a_tie_asks_one_more_about_what_is_open_only(team: QuestionTeam) -> None:
    video = team.videos[0].id
    clear, torn = item(video, "Clear"), item(video, "Torn")
    task = team.add(clear, torn)
    team.hand_in("Ann", task, "o1")
    session, question_set = team.as_("Ben", task)
    team.answer_all(session, question_set, "o1")
    session.run(question_set.answer(torn.id, "which", Picked(("o2",))))
    team.work.submit(session)
    assert team.work.record(task).open_slots == 1
    assert states(team) == {"Clear": (ItemState.DECIDED, ""), "Torn": (ItemState.OPEN, "")}
    session, question_set = team.as_("Cleo", task)
    assert [each.text for each in question_set.items] == ["Torn"]
    team.answer_all(session, question_set, "o2")
    team.work.submit(session)
    found = result(team, task)
    assert found[clear.id, "which"] == Picked(("o1",))
    assert found[torn.id, "which"] == Picked(("o2",))


def test_beyond_the_limit_an_adjudicator_begins_with_what_was_agreed(team: QuestionTeam) -> None:
    video = team.videos[0].id
    clear, torn = item(video, "Clear"), item(video, "Torn")
    task = team.add(clear, torn)
    for name, pick in (("Ann", "o0"), ("Ben", "o1"), ("Cleo", "o2")):
        session, question_set = team.as_(name, task)
        asked = {clear.id: "o1", torn.id: pick}
        for each in question_set.items:
            session.run(question_set.answer(each.id, "which", Picked((asked[each.id],))))
            session.run(question_set.answer(each.id, "seen", True))
        team.work.submit(session)
    assert team.work.record(task).is_adjudicating
    team.lead_again()
    team.people["Dora"] = team.work.people.add("Dora", (Role.REVIEWER,))
    session, question_set = team.as_("Dora", task)
    assert question_set.value(clear.id, "which") == Picked(("o1",))
    assert question_set.value(torn.id, "which") is None
    assert question_set.next_open() == question_set.item(torn.id)
    session.run(question_set.answer(torn.id, "which", Picked(("o0",))))
    session.run(question_set.answer(torn.id, "seen", True))
    team.work.submit(session)
    assert result(team, task)[torn.id, "which"] == Picked(("o0",))
    assert set(states(team).values()) == {(ItemState.DECIDED, "")}


def test_what_is_not_unanimous_is_out_with_its_reason(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, text=UNANIMOUS)
    one, two = item(team.videos[0].id, "One"), item(team.videos[0].id, "Two")
    task = team.add(one, two)
    team.hand_in("Ann", task)
    session, question_set = team.as_("Ben", task)
    team.answer_all(session, question_set)
    session.run(question_set.answer(two.id, "which", Picked(("o2",))))
    team.work.submit(session)
    assert {key[0] for key in result(team, task)} == {one.id}
    assert states(team)["Two"] == (ItemState.DISCARDED, NOT_UNANIMOUS)
    team.project.close()


def test_a_flag_takes_an_item_out_where_all_must_agree(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, text=FLAGS)
    one, two = item(team.videos[0].id, "One"), item(team.videos[0].id, "Two")
    task = team.add(one, two)
    team.hand_in("Ann", task)
    session, question_set = team.as_("Ben", task)
    team.answer_all(session, question_set)
    session.run(question_set.answer(two.id, "flag", Flagged("blurred", "all of it")))
    team.work.submit(session)
    assert states(team)["Two"] == (ItemState.DISCARDED, "Too blurred: all of it")
    assert (one.id, "which") in result(team, task)
    team.project.close()


def test_nobody_sees_the_answers_of_others_before_it_is_decided(team: QuestionTeam) -> None:
    task = team.add(item(team.videos[0].id, "One"))
    theirs = team.hand_in("Ann", task).id
    session, question_set = team.as_("Ben", task)
    assert [s.id for s in team.work.submissions(task)] == []
    assert session.document.answers == {}
    team.answer_all(session, question_set)
    team.work.submit(session)
    assert theirs in [s.id for s in team.work.submissions(task)]
    key = AnswerKey(question_set.items[0].id, "which")
    assert session.document.answers[key].value == Picked(("o1",))
