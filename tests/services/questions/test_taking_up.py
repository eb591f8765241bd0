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
from tests.services.questions.asking_floor import AskingFloor, item

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
def floor(tmp_path: Path) -> Iterator[AskingFloor]:
    made = AskingFloor(tmp_path, n_videos=3, text=RECIPE)
    yield made
    made.project.close()


def asking(video: VideoId, text: str) -> Item:
    return replace(item(video, text), kind="words", options=())


def two_asked(floor: AskingFloor) -> TaskId:
    video = floor.videos[0].id
    return floor.add(asking(video, WHAT), asking(video, OF))


def say(floor: AskingFloor, name: str, task: TaskId, **words: str) -> None:
    session, question_set = floor.as_(name, task)
    for each in question_set.items:
        word = words["what" if each.text == WHAT else "of"]
        session.run(question_set.answer(each.id, "answer", word))
    floor.work.submit(session)
    floor.lead_again()


def merge(floor: AskingFloor, *titles: str) -> tuple[TaskId, ...]:
    token = JobToken(lambda _fraction, _text: None)
    found = open_answer_groups.groups_of(floor.project, "words", "answer", token)
    groups = [group for group in found if group.title in titles]
    return open_answer_groups.merge(floor.project, "words", groups, titles[0])


def stand(floor: AskingFloor) -> dict[str, tuple[ItemState, str]]:
    return {i.text: (i.state, i.why_discarded) for _, i in floor.questions.list()}


def said(floor: AskingFloor) -> dict[str, str]:
    return {o.item.text: o.text("answer") for o in outcomes(floor.project, "words")}


OUT = (ItemState.DISCARDED, NOT_UNANIMOUS)
IN = (ItemState.DECIDED, "")


def test_a_merge_decides_what_was_taken_out_because_people_differed(floor: AskingFloor) -> None:
    task = two_asked(floor)
    say(floor, "Ann", task, what="cup", of="glass")
    say(floor, "Ben", task, what="mug", of="Glass.")
    assert stand(floor) == {WHAT: OUT, OF: IN}
    assert said(floor) == {OF: "Glass."}
    before = floor.work.record(task)
    assert merge(floor, "cup", "mug") == (task,)
    after = floor.work.record(task)
    assert after.status is TaskStatus.COMPLETE
    assert after.base_id != before.base_id
    assert after.counted == before.counted
    assert stand(floor) == {WHAT: IN, OF: IN}
    assert said(floor) == {WHAT: "cup", OF: "Glass."}
    (last,) = [m for m in open_answer_groups.history_of(floor.project, "words") if m.holds]
    assert open_answer_groups.part(floor.project, "words", [last]) == ()
    assert stand(floor) == {WHAT: IN, OF: IN}


def test_several_merges_may_be_needed_until_all_say_the_same(floor: AskingFloor) -> None:
    task, other = two_asked(floor), floor.add(asking(floor.videos[1].id, WHAT))
    say(floor, "Ann", task, what="cup", of="glass")
    say(floor, "Ben", task, what="mug", of="metal")
    say(floor, "Ann", other, what="beaker")
    say(floor, "Ben", other, what="mug")
    assert merge(floor, "glass", "metal") == (task,)
    assert stand(floor)[OF] == IN
    assert stand(floor)[WHAT] == OUT
    assert merge(floor, "mug", "beaker") == (other,)
    assert floor.work.record(other).status is TaskStatus.COMPLETE
    assert merge(floor, "mug", "cup") == (task,)
    assert [o.text("answer") for o in outcomes(floor.project, "words")] == ["mug", "glass", "mug"]


def test_what_a_lead_took_out_stays_out(floor: AskingFloor) -> None:
    task = two_asked(floor)
    ids: dict[str, ItemId] = {i.text: i.id for _, i in floor.questions.list()}
    say(floor, "Ann", task, what="cup", of="glass")
    say(floor, "Ben", task, what="mug", of="metal")
    floor.questions.discard([ids[WHAT]], "Nothing is held.")
    assert merge(floor, "cup", "mug") == ()
    assert stand(floor) == {WHAT: (ItemState.DISCARDED, "Nothing is held."), OF: OUT}


def test_what_a_later_stage_went_on_without_stays_out(tmp_path: Path) -> None:
    text = RECIPE.replace("\n[task_types.form]", CHECKED, 1)
    floor = AskingFloor(tmp_path, n_videos=3, text=text)
    task = two_asked(floor)
    say(floor, "Ann", task, what="cup", of="glass")
    say(floor, "Ben", task, what="mug", of="glass")
    assert floor.work.record(task).stage == "check"
    floor.work.lead.close([task], "It is easy to see.")
    assert merge(floor, "cup", "mug") == ()
    assert stand(floor)[WHAT] == OUT
    floor.project.close()


def test_only_a_lead_has_a_complete_task_put_together_anew(floor: AskingFloor) -> None:
    task = two_asked(floor)
    say(floor, "Ann", task, what="cup", of="glass")
    with pytest.raises(WorkError, match=r"Cannot add a rater: the votes are not tied\."):
        floor.work.transactions.act(task, PutTogether(floor.people["lead"].id))
    say(floor, "Ben", task, what="mug", of="glass")
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        floor.work.transactions.act(task, PutTogether(floor.people["Ann"].id))
    before = said(floor)
    floor.work.transactions.act(task, PutTogether(floor.people["lead"].id))
    assert said(floor) == before
    assert floor.work.record(task).status is TaskStatus.COMPLETE
