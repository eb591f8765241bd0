"""Sheets: what one person is asked, in which order, and what becomes of the answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.answer import AnswerKey, Picked
from annotator.domain.checks import Severity
from annotator.domain.errors import EditError, WorkError
from annotator.domain.ids import item_id
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.work.records import Flag, TaskStatus
from annotator.services.project.project_checks import check_session
from annotator.services.project.projects import open_project
from annotator.store.questions.votes import VoteRow, votes_of, votes_of_kind
from tests.services.questions.question_team import QuestionTeam, item, options, recipe


@pytest.fixture
def team(tmp_path: Path):
    made = QuestionTeam(tmp_path)
    yield made
    made.project.close()


def _votes(team: QuestionTeam, field: str = "which") -> list[VoteRow]:
    found = votes_of_kind(team.project.file, "questions")
    return [vote for vote in found if vote.field == field]


def test_answers_are_undone_saved_and_counted_as_progress(team: QuestionTeam) -> None:
    a = team.videos[0].id
    task = team.add(item(a, "1"), item(a, "2", texts={"begin": "It"}))
    session, question_set = team.as_("Ann", task)
    one, two = question_set.items
    which, seen, why = question_set.form.fields
    assert question_set.progress == (0, 2)
    session.run(question_set.answer(one.id, "which", Picked(("o2",)), took_ms=350))
    session.run(question_set.answer(one.id, "seen", False))
    assert question_set.is_shown(one, why)
    assert not question_set.is_shown(two, why)
    assert [p.field for p in question_set.problems(one)] == ["why"]
    assert question_set.next_open() == one
    assert question_set.next_open(after=one.id) == two
    assert question_set.next_open(after=two.id) == one
    assert (question_set.initial_text(two, why), question_set.initial_text(one, why)) == ("It", "")
    session.run(question_set.answer(one.id, "why", "too dark"))
    assert question_set.progress == (1, 2)
    session.undo()
    assert question_set.value(one.id, "why") is None
    session.redo()
    session.run(question_set.clear(one.id, "why"))
    answer = session.document.answers[AnswerKey(one.id, "which")]
    assert (answer.took_ms, answer.order) == (350, question_set.order(one, which))
    with pytest.raises(EditError, match="” is not an option of “"):
        session.run(question_set.answer(two.id, "which", Picked(("o7",))))
    with pytest.raises(WorkError, match=r"The question is not part of this task\."):
        question_set.answer(item_id(), "which", Picked(("o1",)))
    with pytest.raises(WorkError, match="is not a field of this form"):
        question_set.answer(two.id, "what", True)
    path = team.project.path
    team.project.close()
    team.project = open_project(path)
    _, again = team.as_("Ann", task)
    assert again.value(one.id, "which") == Picked(("o2",))
    assert again.value(one.id, "why") is None
    assert seen.key == "seen"


def test_what_is_open_is_found_before_handing_in(team: QuestionTeam) -> None:
    task = team.add(item(team.videos[0].id, "1"), item(team.videos[0].id, "2"))
    session, question_set = team.as_("Ann", task)
    session.run(question_set.answer(question_set.items[0].id, "which", Picked(("o1",))))
    found = [f for f in check_session(session, team.project) if f.code == "unanswered"]
    assert [(f.where, f.severity) for f in found] == [
        ("Question 1", Severity.ERROR),
        ("Question 2", Severity.ERROR),
        ("Question 2", Severity.ERROR),
    ]
    assert "” has no answer." in found[0].text
    team.answer_all(session, question_set, "o2")
    assert list(check_session(session, team.project)) == []


def test_what_is_open_is_refused_when_it_is_handed_in(team: QuestionTeam) -> None:
    task = team.add(item(team.videos[0].id, "1"), item(team.videos[0].id, "2"))
    session, question_set = team.as_("Ann", task)
    with pytest.raises(
        WorkError, match=r"Answer the required fields, or flag a question that has a problem\."
    ):
        team.work.submit(session)
    team.answer_all(session, question_set)
    session.run(question_set.clear(question_set.items[1].id, "seen"))
    with pytest.raises(WorkError, match="Answer the required fields, or flag a question that"):
        team.work.submit(session)
    assert team.work.record(task).status is TaskStatus.IN_PROGRESS
    assert team.work.may_edit(session)
    session.run(question_set.answer(question_set.items[1].id, "seen", True))
    team.work.submit(session)
    assert len(team.work.record(task).assignments[0].submissions) == 1


def test_options_come_in_an_order_of_ones_own_that_stays(team: QuestionTeam) -> None:
    asked = [item(team.videos[0].id, str(i), options=options(5)) for i in range(6)]
    task = team.add(*asked)
    orders = {}
    for name in ("Ann", "Ben"):
        _, question_set = team.as_(name, task)
        which = question_set.form.fields[0]
        orders[name] = [question_set.order(each, which) for each in question_set.items]
        assert [question_set.order(each, which) for each in question_set.items] == orders[name]
        for each, order in zip(question_set.items, orders[name], strict=True):
            assert sorted(order) == [o.key for o in each.options]
    assert orders["Ann"] != orders["Ben"]
    assert len(set(orders["Ann"])) > 1


def test_what_was_handed_in_becomes_votes_of_what_was_asked(team: QuestionTeam) -> None:
    a = team.videos[0].id
    task = team.add(item(a, "1"), item(a, "2"))
    session, question_set = team.as_("Ann", task)
    one, two = question_set.items
    session.run(question_set.answer(one.id, "seen", False))
    session.run(question_set.answer(one.id, "why", "too dark"))
    team.answer_all(session, question_set)
    assert votes_of(team.project.file, task) == []
    handed = team.work.submit(session)
    found = votes_of(team.project.file, task)
    # Why not: was answered, then not asked any more.
    assert [(v.item_id, v.field) for v in found] == [
        (one.id, "seen"),
        (one.id, "which"),
        (two.id, "seen"),
        (two.id, "which"),
    ]
    vote = found[1]
    assert vote.value == Picked(("o1",))
    assert (vote.person_id, vote.submission_id) == (team.people["Ann"].id, handed.id)
    assert (vote.stage, vote.visit, vote.took_ms, vote.recipe_version) == ("answer", 1, 700, 1)
    assert b'"why"' in handed.body


def test_nobody_sees_others_answers_while_they_work(team: QuestionTeam) -> None:
    task = team.add(item(team.videos[0].id))
    handed = team.hand_in("Ann", task, "o0")
    session, question_set = team.as_("Ben", task)
    assert dict(session.document.answers) == {}
    assert question_set.value(question_set.items[0].id, "which") is None
    assert team.work.submissions(task) == []
    with pytest.raises(WorkError):
        team.work.document_of(handed.id, session)


def test_who_answers_twice_is_heard_once(team: QuestionTeam) -> None:
    task = team.add(item(team.videos[0].id))
    team.hand_in("Ann", task, "o0")
    assert [v.value for v in _votes(team)] == [Picked(("o0",))]
    with pytest.raises(WorkError):
        team.work.claim(task)
    team.hand_in("Ben", task, "o1")
    # They do not agree: a third is wanted.
    assert team.work.record(task).status is TaskStatus.IN_PROGRESS
    people = [v.person_id for v in _votes(team)]
    assert people == [team.people["Ann"].id, team.people["Ben"].id]
    assert not team.work.record(task).flags & {Flag.REPEATED}


def test_what_was_reopened_counts_as_it_was_said_last(team: QuestionTeam) -> None:
    a, b = (info.id for info in team.videos)
    task = team.add(Item(item_id(), "pairs", (a, b)))
    session, question_set = team.as_("Ann", task)
    asked = question_set.items[0].id
    session.run(question_set.answer(asked, "same", True))
    team.work.submit(session)
    team.work.reopen(task)
    session, question_set = team.as_("Ann", task)
    assert question_set.value(asked, "same") is True
    session.run(question_set.answer(asked, "same", False))
    team.work.submit(session)
    assert [v.value for v in votes_of_kind(team.project.file, "pairs")] == [False]


def test_who_is_called_in_is_asked_only_what_is_open(team: QuestionTeam) -> None:
    a = team.videos[0].id
    task = team.add(item(a, "1"), item(a, "2"))
    team.hand_in("Ann", task, "o0")
    session, _ = team.as_("Ben", task)
    _, question_set = team.as_("Ben", task)
    team.answer_all(session, question_set)
    team.work.submit(session)
    team.lead_again()
    one, two = team.questions.of_task(task)
    team.questions.set_state([one.id], ItemState.DECIDED)
    _, third = team.as_("Cleo", task)
    assert [each.id for each in third.items] == [two.id]
    whole = team.questions.question_set(team.project.open_task(task), is_extra=False)
    assert [each.id for each in whole.items] == [one.id, two.id]


def test_answers_keep_the_form_they_were_given_under(team: QuestionTeam) -> None:
    task = team.add(item(team.videos[0].id))
    session, question_set = team.as_("Ann", task)
    asked = question_set.items[0].id
    session.run(question_set.answer(asked, "seen", False))
    team.lead_again()
    team.work.use_recipe(recipe(2, "maximum = 5"))
    session, question_set = team.as_("Ann", task)
    assert question_set.version == 1
    session.run(question_set.answer(asked, "why", "much too dark"))
    session.run(question_set.answer(asked, "which", Picked(("o1",))))
    team.work.submit(session)
    assert {v.recipe_version for v in votes_of(team.project.file, task)} == {1}
    assert len(votes_of(team.project.file, task)) == 3
    session, question_set = team.as_("Ben", task)
    assert question_set.version == 2
    session.run(question_set.answer(asked, "seen", False))
    with pytest.raises(EditError, match=r"characters\. The limit is"):
        session.run(question_set.answer(asked, "why", "much too dark"))
    session.run(question_set.answer(asked, "why", "dark"))
    session.run(question_set.answer(asked, "which", Picked(("o1",))))
    team.work.submit(session)
    assert [v.recipe_version for v in _votes(team, "why")] == [1, 2]


def test_the_right_answer_of_training_is_told_after_theirs(team: QuestionTeam) -> None:
    right = {"which": ("o2",)}
    made = item(team.videos[0].id, purpose=Purpose.TRAINING, right=right)
    catch = item(team.videos[0].id, purpose=Purpose.ATTENTION, right=right)
    task = team.add(made, catch)
    session, question_set = team.as_("Ann", task)
    assert question_set.right_of(made.id) is None
    team.answer_all(session, question_set)
    assert question_set.right_of(made.id) == right
    assert question_set.right_of(catch.id) is None


def test_nothing_is_asked_where_boxes_are_drawn(team: QuestionTeam) -> None:
    drawn = next(t for t in team.project.tasks() if t.kind == "object-tracks")
    with pytest.raises(WorkError, match=r"The task has no questions\."):
        team.as_("Ann", drawn.id)


LISTED = recipe().replace(
    '[[task_types.form.fields]]\nkey = "seen"',
    '[[task_types.form.fields]]\nkey = "words"\ntitle = "Properties"\nkind = "properties"\n'
    'is_required = false\nis_voted = false\n[[task_types.form.fields]]\nkey = "seen"',
)


def test_lists_are_completed_with_words_that_one_may_know(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, text=LISTED)
    done, begun = (team.add(item(info.id)) for info in team.videos)
    for name, task, words in (
        ("Ann", done, ("red", "round")),
        ("Ben", done, ("red", "heavy")),
        ("Ann", begun, ("secret", "round")),
    ):
        session, question_set = team.as_(name, task)
        team.answer_all(session, question_set)
        session.run(question_set.answer(question_set.items[0].id, "words", words))
        team.work.submit(session)
    assert team.work.record(done).status is TaskStatus.COMPLETE
    session, question_set = team.as_("Ben", begun)
    (field,) = [f for f in question_set.form.fields if f.key == "words"]
    assert question_set.words(field) == ("red", "heavy", "round")
    session.run(question_set.answer(question_set.items[0].id, "words", ("wooden",)))
    assert question_set.words(field)[0] == "wooden"
    team.project.close()
