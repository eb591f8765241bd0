"""What was taken out because people differed comes back when a lead says that they did not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.errors import WorkError
from annotator.domain.ids import ItemId, TaskId, VideoId
from annotator.domain.questions.answer_resolution import NOT_UNANIMOUS
from annotator.domain.questions.items.item import Item, ItemState
from annotator.domain.work.acts import PutTogether
from annotator.domain.work.records import TaskStatus
from annotator.services.background.jobs import JobToken
from annotator.services.questions.voting import open_answer_groups
from annotator.services.questions.voting.outcomes import outcomes
from tests.services.questions.question_team import QuestionTeam, item

RECIPE = """
name = "open"
version = 1
title = "Open answers"

[[task_types]]
kind = "words"
title = "Words"
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
role = "rater"
raters = 2
resolution = "unanimity"
may_choose = true
[task_types.form]
[[task_types.form.fields]]
key = "answer"
title = "In a few words"
kind = "text"
"""
CHECKED = """
[[task_types.stages]]
key = "check"
title = "Check"
act = "verify"
role = "reviewer"
may_choose = true
[task_types.form]"""
WHAT, OF = "What is held?", "What is it made of?"


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, n_videos=3, text=RECIPE)
    yield made
    made.project.close()


def asking(video: VideoId, text: str) -> Item:
    return replace(item(video, text), kind="words", options=())


def two_asked(team: QuestionTeam) -> TaskId:
    video = team.videos[0].id
    return team.add(asking(video, WHAT), asking(video, OF))


def say(team: QuestionTeam, name: str, task: TaskId, **words: str) -> None:
    session, question_set = team.as_(name, task)
    for each in question_set.items:
        word = words["what" if each.text == WHAT else "of"]
        session.run(question_set.answer(each.id, "answer", word))
    team.work.submit(session)
    team.lead_again()


def merge(team: QuestionTeam, *titles: str) -> tuple[TaskId, ...]:
    token = JobToken(lambda _fraction, _text: None)
    found = open_answer_groups.groups_of(team.project, "words", "answer", token)
    groups = [group for group in found if group.title in titles]
    return open_answer_groups.merge(team.project, "words", groups, titles[0])


def stand(team: QuestionTeam) -> dict[str, tuple[ItemState, str]]:
    return {i.text: (i.state, i.why_discarded) for _, i in team.questions.list()}


def said(team: QuestionTeam) -> dict[str, str]:
    return {o.item.text: o.text("answer") for o in outcomes(team.project, "words")}


OUT = (ItemState.DISCARDED, NOT_UNANIMOUS)
IN = (ItemState.DECIDED, "")


def test_a_merge_decides_what_was_taken_out_because_people_differed(team: QuestionTeam) -> None:
    task = two_asked(team)
    say(team, "Ann", task, what="cup", of="glass")
    say(team, "Ben", task, what="mug", of="Glass.")
    assert stand(team) == {WHAT: OUT, OF: IN}
    assert said(team) == {OF: "Glass."}
    before = team.work.record(task)
    assert merge(team, "cup", "mug") == (task,)
    after = team.work.record(task)
    assert after.status is TaskStatus.COMPLETE
    assert after.base_id != before.base_id
    assert after.counted == before.counted
    assert stand(team) == {WHAT: IN, OF: IN}
    assert said(team) == {WHAT: "cup", OF: "Glass."}
    (last,) = [m for m in open_answer_groups.history_of(team.project, "words") if m.holds]
    assert open_answer_groups.part(team.project, "words", [last]) == ()
    assert stand(team) == {WHAT: IN, OF: IN}


def test_several_merges_may_be_needed_until_all_say_the_same(team: QuestionTeam) -> None:
    task, other = two_asked(team), team.add(asking(team.videos[1].id, WHAT))
    say(team, "Ann", task, what="cup", of="glass")
    say(team, "Ben", task, what="mug", of="metal")
    say(team, "Ann", other, what="beaker")
    say(team, "Ben", other, what="mug")
    assert merge(team, "glass", "metal") == (task,)
    assert stand(team)[OF] == IN
    assert stand(team)[WHAT] == OUT
    assert merge(team, "mug", "beaker") == (other,)
    assert team.work.record(other).status is TaskStatus.COMPLETE
    assert merge(team, "mug", "cup") == (task,)
    assert [o.text("answer") for o in outcomes(team.project, "words")] == ["mug", "glass", "mug"]


def test_what_a_lead_took_out_stays_out(team: QuestionTeam) -> None:
    task = two_asked(team)
    ids: dict[str, ItemId] = {i.text: i.id for _, i in team.questions.list()}
    say(team, "Ann", task, what="cup", of="glass")
    say(team, "Ben", task, what="mug", of="metal")
    team.questions.discard([ids[WHAT]], "Nothing is held.")
    assert merge(team, "cup", "mug") == ()
    assert stand(team) == {WHAT: (ItemState.DISCARDED, "Nothing is held."), OF: OUT}


def test_what_a_later_stage_went_on_without_stays_out(tmp_path: Path) -> None:
    text = RECIPE.replace("\n[task_types.form]", CHECKED, 1)
    team = QuestionTeam(tmp_path, n_videos=3, text=text)
    task = two_asked(team)
    say(team, "Ann", task, what="cup", of="glass")
    say(team, "Ben", task, what="mug", of="glass")
    assert team.work.record(task).stage == "check"
    team.work.lead.close([task], "It is easy to see.")
    assert merge(team, "cup", "mug") == ()
    assert stand(team)[WHAT] == OUT
    team.project.close()


def test_only_a_lead_has_a_complete_task_put_together_anew(team: QuestionTeam) -> None:
    task = two_asked(team)
    say(team, "Ann", task, what="cup", of="glass")
    with pytest.raises(WorkError, match=r"Cannot add a rater: the votes are not tied\."):
        team.work.transactions.act(task, PutTogether(team.people["lead"].id))
    say(team, "Ben", task, what="mug", of="glass")
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        team.work.transactions.act(task, PutTogether(team.people["Ann"].id))
    before = said(team)
    team.work.transactions.act(task, PutTogether(team.people["lead"].id))
    assert said(team) == before
    assert team.work.record(task).status is TaskStatus.COMPLETE
