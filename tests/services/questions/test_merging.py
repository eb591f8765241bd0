"""Open answers that a lead makes one: counted as one, on record, and taken back again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.errors import WorkError
from annotator.domain.ids import TaskId, VideoId
from annotator.domain.people import Role
from annotator.domain.questions.answer_groups import AnswerGroup
from annotator.domain.questions.items.item import Item, ItemState
from annotator.domain.work.records import TaskStatus
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import open_project
from annotator.services.questions.agreement import agreement_files
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
max_raters = 3
resolution = "majority"
may_choose = true
[task_types.form]
[[task_types.form.fields]]
key = "answer"
title = "In a few words"
kind = "text"
"""
WHAT = "What is held?"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[AskingFloor]:
    made = AskingFloor(tmp_path, n_videos=3, text=RECIPE)
    yield made
    made.project.close()


def asking(video: VideoId, text: str = WHAT) -> Item:
    return replace(item(video, text), kind="words", options=())


def say(floor: AskingFloor, name: str, task: TaskId, *words: str) -> None:
    session, question_set = floor.as_(name, task)
    for each, word in zip(question_set.items, words, strict=True):
        session.run(question_set.answer(each.id, "answer", word))
    floor.work.submit(session)
    floor.lead_again()


def groups(floor: AskingFloor) -> list[AnswerGroup]:
    token = JobToken(lambda _fraction, _text: None)
    return open_answer_groups.groups_of(floor.project, "words", "answer", token)


def named(floor: AskingFloor, *titles: str) -> list[AnswerGroup]:
    return [group for group in groups(floor) if group.title in titles]


def two_tasks(floor: AskingFloor) -> tuple[TaskId, TaskId]:
    """One is decided ("mug"), in the other two say "cup" and "Mug."."""
    one, two = (floor.add(asking(video.id)) for video in floor.videos[:2])
    say(floor, "Ann", one, "mug")
    say(floor, "Ben", one, "a mug")
    say(floor, "Ann", two, "cup")
    say(floor, "Ben", two, "Mug.")
    return one, two


def settled_texts(floor: AskingFloor) -> list[str]:
    return sorted(outcome.text("answer") for outcome in outcomes(floor.project, "words"))


def test_answers_are_grouped_but_for_spelling_most_frequent_first(floor: AskingFloor) -> None:
    two_tasks(floor)
    first, second = groups(floor)
    assert (first.title, first.votes, first.items, first.merged) == ("Mug.", 3, 2, ())
    assert first.spellings == (("Mug.", 1), ("a mug", 1), ("mug", 1))
    assert (second.title, second.votes, second.items) == ("cup", 1, 1)
    (field,) = open_answer_groups.open_fields(floor.project)
    assert (field.kind, field.key, field.title) == ("words", "answer", "Words: In a few words")


def test_a_merge_decides_what_people_differed_on_and_says_so_everywhere(
    floor: AskingFloor,
) -> None:
    _, two = two_tasks(floor)
    assert floor.work.record(two).wanted == 3
    assert settled_texts(floor) == ["a mug"]
    decided = open_answer_groups.merge(
        floor.project, "words", named(floor, "Mug.", "cup"), " Drinking  cup "
    )
    assert decided == (two,)
    assert floor.work.record(two).status is TaskStatus.COMPLETE
    assert settled_texts(floor) == ["Drinking cup", "Drinking cup"]
    assert {i.state for _, i in floor.questions.list()} == {ItemState.DECIDED}
    (group,) = groups(floor)
    assert (group.title, group.votes, group.items) == ("Drinking cup", 4, 2)
    (kept,) = open_answer_groups.history_of(floor.project, "words")
    assert (kept.by, kept.question, kept.holds) == (floor.people["lead"].id, WHAT, True)
    assert group.merged == (kept,)
    assert open_answer_groups.last_merge(floor.project, "words") == kept


def test_figures_and_what_is_offered_next_go_by_it(floor: AskingFloor) -> None:
    one, two = two_tasks(floor)
    say(floor, "Cleo", two, "cup")
    del one

    def agreed() -> float | None:
        token = JobToken(lambda _fraction, _text: None)
        found = agreement_files.agreement_of(floor.project, "words", token, Bootstrap(draws=0))
        return found[0].value

    assert agreed() == pytest.approx((1 + 1 / 3) / 2)
    open_answer_groups.merge(
        floor.project, "words", named(floor, "Mug.", "mug", "a mug", "cup"), "cup"
    )
    assert agreed() == 1.0


def test_who_answers_later_is_counted_into_the_merged_answer(floor: AskingFloor) -> None:
    two_tasks(floor)
    open_answer_groups.merge(floor.project, "words", named(floor, "Mug.", "cup"), "cup")
    three = floor.add(asking(floor.videos[2].id))
    say(floor, "Ann", three, "The cup")
    say(floor, "Ben", three, "mug")
    assert floor.work.record(three).status is TaskStatus.COMPLETE
    assert settled_texts(floor) == ["cup"] * 3


def test_other_questions_are_none_of_its_business(floor: AskingFloor) -> None:
    video, other = floor.videos[0].id, floor.videos[1].id
    task = floor.add(asking(video), asking(video, "What is it made of?"))
    say(floor, "Ann", task, "glass", "glass")
    say(floor, "Ben", task, "cup", "cup")
    there = floor.add(asking(other, "What is it made of?"))
    with pytest.raises(WorkError, match="different questions"):
        open_answer_groups.merge(floor.project, "words", groups(floor)[1:3], "glass")
    held = [group for group in groups(floor) if group.question == WHAT]
    assert open_answer_groups.merge(floor.project, "words", held, "glass") == ()
    assert [g.title for g in groups(floor) if g.question != WHAT] == ["cup", "glass"]
    say(floor, "Ann", there, "glass")
    say(floor, "Ben", there, "cup")
    assert floor.work.record(there).wanted == 3


def test_a_merge_is_taken_back_on_record_and_what_was_decided_stays(floor: AskingFloor) -> None:
    _, two = two_tasks(floor)
    open_answer_groups.merge(floor.project, "words", named(floor, "Mug.", "cup"), "cup")
    last = open_answer_groups.last_merge(floor.project, "words")
    assert last is not None
    assert open_answer_groups.part(floor.project, "words", [last]) == ()
    assert [group.title for group in groups(floor)] == ["Mug.", "cup"]
    assert floor.work.record(two).status is TaskStatus.COMPLETE
    assert open_answer_groups.last_merge(floor.project, "words") is None
    (kept,) = open_answer_groups.history_of(floor.project, "words")
    assert (kept.parted_by, kept.holds) == (floor.people["lead"].id, False)
    path = floor.project.path
    floor.project.close()
    again = open_project(path)
    assert open_answer_groups.history_of(again, "words") == [kept]
    again.close()
    floor.project = open_project(path)


def test_whoever_was_asked_because_of_a_tie_goes_on(floor: AskingFloor) -> None:
    _, two = two_tasks(floor)
    session, question_set = floor.as_("Cleo", two)
    floor.lead_again()
    assert (
        open_answer_groups.merge(floor.project, "words", named(floor, "Mug.", "cup"), "cup") == ()
    )
    floor.work.people.sign_in(floor.people["Cleo"].id)
    session.run(question_set.answer(question_set.items[0].id, "answer", "spoon"))
    floor.work.submit(session)
    floor.lead_again()
    assert settled_texts(floor) == ["cup", "cup"]


def test_nobody_needs_to_adjudicate_what_a_merge_decides(floor: AskingFloor) -> None:
    _, two = two_tasks(floor)
    say(floor, "Cleo", two, "beaker")
    assert floor.work.record(two).is_adjudicating
    decided = open_answer_groups.merge(floor.project, "words", named(floor, "cup", "beaker"), "cup")
    assert decided == (two,)
    record = floor.work.record(two)
    assert (record.status, record.is_adjudicating) == (TaskStatus.COMPLETE, False)
    assert settled_texts(floor) == ["a mug", "cup"]
    assert {i.state for _, i in floor.questions.list()} == {ItemState.DECIDED}


def test_only_leads_who_are_none_of_them_see_what_is_not_decided(floor: AskingFloor) -> None:
    _, two = two_tasks(floor)
    three = floor.add(asking(floor.videos[2].id))
    say(floor, "Ann", three, "fork")
    assert [group.title for group in groups(floor)] == ["Mug.", "cup"]
    ann = floor.people["Ann"]
    floor.work.people.sign_in(ann.id)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        groups(floor)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        open_answer_groups.merge(floor.project, "words", (), "cup")
    floor.lead_again()
    floor.work.people.set_roles(ann.id, (Role.RATER, Role.LEAD))
    floor.work.people.sign_in(ann.id)
    assert [(group.title, group.votes) for group in groups(floor)] == [("a mug", 2)]
    assert floor.work.record(two).status is not TaskStatus.COMPLETE


def test_what_is_no_merge_is_refused(floor: AskingFloor) -> None:
    two_tasks(floor)
    with pytest.raises(WorkError, match=r"Select at least two answer groups to merge\."):
        open_answer_groups.merge(floor.project, "words", groups(floor)[:1], "cup")
    with pytest.raises(WorkError, match="The name of the merged answer must have 1 to 500"):
        open_answer_groups.merge(floor.project, "words", groups(floor), " ")
    with pytest.raises(WorkError, match="500"):
        open_answer_groups.merge(floor.project, "words", groups(floor), "x" * 501)
    assert open_answer_groups.history_of(floor.project, "words") == []
