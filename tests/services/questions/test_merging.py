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
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, n_videos=3, text=RECIPE)
    yield made
    made.project.close()


def asking(video: VideoId, text: str = WHAT) -> Item:
    return replace(item(video, text), kind="words", options=())


def say(team: QuestionTeam, name: str, task: TaskId, *words: str) -> None:
    session, question_set = team.as_(name, task)
    for each, word in zip(question_set.items, words, strict=True):
        session.run(question_set.answer(each.id, "answer", word))
    team.work.submit(session)
    team.lead_again()


def groups(team: QuestionTeam) -> list[AnswerGroup]:
    token = JobToken(lambda _fraction, _text: None)
    return open_answer_groups.groups_of(team.project, "words", "answer", token)


def named(team: QuestionTeam, *titles: str) -> list[AnswerGroup]:
    return [group for group in groups(team) if group.title in titles]


def two_tasks(team: QuestionTeam) -> tuple[TaskId, TaskId]:
    """One is decided ("mug"), in the other two say "cup" and "Mug."."""
    one, two = (team.add(asking(video.id)) for video in team.videos[:2])
    say(team, "Ann", one, "mug")
    say(team, "Ben", one, "a mug")
    say(team, "Ann", two, "cup")
    say(team, "Ben", two, "Mug.")
    return one, two


def settled_texts(team: QuestionTeam) -> list[str]:
    return sorted(outcome.text("answer") for outcome in outcomes(team.project, "words"))


def test_answers_are_grouped_but_for_spelling_most_frequent_first(team: QuestionTeam) -> None:
    two_tasks(team)
    first, second = groups(team)
    assert (first.title, first.votes, first.items, first.merged) == ("Mug.", 3, 2, ())
    assert first.spellings == (("Mug.", 1), ("a mug", 1), ("mug", 1))
    assert (second.title, second.votes, second.items) == ("cup", 1, 1)
    (field,) = open_answer_groups.open_fields(team.project)
    assert (field.kind, field.key, field.title) == ("words", "answer", "Words: In a few words")


def test_a_merge_decides_what_people_differed_on_and_says_so_everywhere(
    team: QuestionTeam,
) -> None:
    _, two = two_tasks(team)
    assert team.work.record(two).wanted == 3
    assert settled_texts(team) == ["a mug"]
    decided = open_answer_groups.merge(
        team.project, "words", named(team, "Mug.", "cup"), " Drinking  cup "
    )
    assert decided == (two,)
    assert team.work.record(two).status is TaskStatus.COMPLETE
    assert settled_texts(team) == ["Drinking cup", "Drinking cup"]
    assert {i.state for _, i in team.questions.list()} == {ItemState.DECIDED}
    (group,) = groups(team)
    assert (group.title, group.votes, group.items) == ("Drinking cup", 4, 2)
    (kept,) = open_answer_groups.history_of(team.project, "words")
    assert (kept.by, kept.question, kept.holds) == (team.people["lead"].id, WHAT, True)
    assert group.merged == (kept,)
    assert open_answer_groups.last_merge(team.project, "words") == kept


def test_figures_and_what_is_offered_next_go_by_it(team: QuestionTeam) -> None:
    one, two = two_tasks(team)
    say(team, "Cleo", two, "cup")
    del one

    def agreed() -> float | None:
        token = JobToken(lambda _fraction, _text: None)
        found = agreement_files.agreement_of(team.project, "words", token, Bootstrap(draws=0))
        return found[0].value

    assert agreed() == pytest.approx((1 + 1 / 3) / 2)
    open_answer_groups.merge(
        team.project, "words", named(team, "Mug.", "mug", "a mug", "cup"), "cup"
    )
    assert agreed() == 1.0


def test_who_answers_later_is_counted_into_the_merged_answer(team: QuestionTeam) -> None:
    two_tasks(team)
    open_answer_groups.merge(team.project, "words", named(team, "Mug.", "cup"), "cup")
    three = team.add(asking(team.videos[2].id))
    say(team, "Ann", three, "The cup")
    say(team, "Ben", three, "mug")
    assert team.work.record(three).status is TaskStatus.COMPLETE
    assert settled_texts(team) == ["cup"] * 3


def test_other_questions_are_none_of_its_business(team: QuestionTeam) -> None:
    video, other = team.videos[0].id, team.videos[1].id
    task = team.add(asking(video), asking(video, "What is it made of?"))
    say(team, "Ann", task, "glass", "glass")
    say(team, "Ben", task, "cup", "cup")
    there = team.add(asking(other, "What is it made of?"))
    with pytest.raises(WorkError, match="different questions"):
        open_answer_groups.merge(team.project, "words", groups(team)[1:3], "glass")
    held = [group for group in groups(team) if group.question == WHAT]
    assert open_answer_groups.merge(team.project, "words", held, "glass") == ()
    assert [g.title for g in groups(team) if g.question != WHAT] == ["cup", "glass"]
    say(team, "Ann", there, "glass")
    say(team, "Ben", there, "cup")
    assert team.work.record(there).wanted == 3


def test_a_merge_is_taken_back_on_record_and_what_was_decided_stays(team: QuestionTeam) -> None:
    _, two = two_tasks(team)
    open_answer_groups.merge(team.project, "words", named(team, "Mug.", "cup"), "cup")
    last = open_answer_groups.last_merge(team.project, "words")
    assert last is not None
    assert open_answer_groups.part(team.project, "words", [last]) == ()
    assert [group.title for group in groups(team)] == ["Mug.", "cup"]
    assert team.work.record(two).status is TaskStatus.COMPLETE
    assert open_answer_groups.last_merge(team.project, "words") is None
    (kept,) = open_answer_groups.history_of(team.project, "words")
    assert (kept.parted_by, kept.holds) == (team.people["lead"].id, False)
    path = team.project.path
    team.project.close()
    again = open_project(path)
    assert open_answer_groups.history_of(again, "words") == [kept]
    again.close()
    team.project = open_project(path)


def test_whoever_was_asked_because_of_a_tie_goes_on(team: QuestionTeam) -> None:
    _, two = two_tasks(team)
    session, question_set = team.as_("Cleo", two)
    team.lead_again()
    assert open_answer_groups.merge(team.project, "words", named(team, "Mug.", "cup"), "cup") == ()
    team.work.people.sign_in(team.people["Cleo"].id)
    session.run(question_set.answer(question_set.items[0].id, "answer", "spoon"))
    team.work.submit(session)
    team.lead_again()
    assert settled_texts(team) == ["cup", "cup"]


def test_nobody_needs_to_adjudicate_what_a_merge_decides(team: QuestionTeam) -> None:
    _, two = two_tasks(team)
    say(team, "Cleo", two, "beaker")
    assert team.work.record(two).is_adjudicating
    decided = open_answer_groups.merge(team.project, "words", named(team, "cup", "beaker"), "cup")
    assert decided == (two,)
    record = team.work.record(two)
    assert (record.status, record.is_adjudicating) == (TaskStatus.COMPLETE, False)
    assert settled_texts(team) == ["a mug", "cup"]
    assert {i.state for _, i in team.questions.list()} == {ItemState.DECIDED}


def test_only_leads_who_are_none_of_them_see_what_is_not_decided(team: QuestionTeam) -> None:
    _, two = two_tasks(team)
    three = team.add(asking(team.videos[2].id))
    say(team, "Ann", three, "fork")
    assert [group.title for group in groups(team)] == ["Mug.", "cup"]
    ann = team.people["Ann"]
    team.work.people.sign_in(ann.id)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        groups(team)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        open_answer_groups.merge(team.project, "words", (), "cup")
    team.lead_again()
    team.work.people.set_roles(ann.id, (Role.RATER, Role.LEAD))
    team.work.people.sign_in(ann.id)
    assert [(group.title, group.votes) for group in groups(team)] == [("a mug", 2)]
    assert team.work.record(two).status is not TaskStatus.COMPLETE


def test_what_is_no_merge_is_refused(team: QuestionTeam) -> None:
    two_tasks(team)
    with pytest.raises(WorkError, match=r"Select at least two answer groups to merge\."):
        open_answer_groups.merge(team.project, "words", groups(team)[:1], "cup")
    with pytest.raises(WorkError, match="The name of the merged answer must have 1 to 500"):
        open_answer_groups.merge(team.project, "words", groups(team), " ")
    with pytest.raises(WorkError, match="500"):
        open_answer_groups.merge(team.project, "words", groups(team), "x" * 501)
    assert open_answer_groups.history_of(team.project, "words") == []
