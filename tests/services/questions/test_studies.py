"""Studies: dealt to people who had no part, apart from the votes, and worked out again."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.errors import WorkError
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.study.results import MAJORITY, StudyResponse, results, wilson
from annotator.domain.work.records import LeadNeed, TaskStatus
from annotator.services.background.jobs import JobToken
from annotator.services.questions.studies import studies
from annotator.services.questions.studies.reference_scores import answers_in_study
from annotator.services.questions.studies.study_results import (
    RESULT_COLUMNS,
    result_rows,
    results_of,
    write_results,
)
from annotator.services.questions.voting.outcomes import items_of_kind
from annotator.services.questions.voting.submitted_answers import iter_answers
from annotator.store.questions import studies as store
from annotator.store.questions.items import ItemFilter
from tests.services.questions.question_team import QuestionTeam, item
from tests.services.questions.study_team import answer_all, participants, question_team

HOW = Bootstrap(draws=40, seed=3, level=0.9)


def _silent(_: float | None, __: str) -> None:
    """Nobody wants to know how far it is."""


def _right_with_sound(_: str, __: Item, is_muted: bool) -> str:
    return "o2" if is_muted else "o1"


@pytest.fixture
def team(tmp_path: Path) -> QuestionTeam:
    return question_team(tmp_path)


def _wish(team: QuestionTeam, n_people: int = 4) -> studies.StudyWish:
    people = participants(team, n_people)
    return studies.wish_for(team.project, "people", "Spring", people)


def test_the_recipe_says_what_is_asked_and_the_outlook_what_comes_of_it(
    team: QuestionTeam,
) -> None:
    wish = _wish(team)
    assert [c.key for c in wish.conditions] == ["sound", "muted"]
    assert (wish.answers, wish.per_person) == (2, 4)
    # Three questions are settled; the fourth has no answers yet.
    found = studies.outlook(team.project, wish)
    assert (found.n_items, found.per_item, found.n_answers, found.n_people) == (3, 4, 12, 4)
    assert (found.least, found.most, found.n_missing) == (3, 3, 0)
    short = studies.outlook(team.project, replace(wish, people=wish.people[:1]))
    assert short.n_missing == 3
    with pytest.raises(WorkError, match="3 more people are needed: 3 × 4 answers are 12"):
        studies.make_study(team.project, replace(wish, people=wish.people[:1]))
    assert studies.studies(team.project) == []
    team.project.close()


def test_everybody_gets_what_was_dealt_to_them_and_nobody_else_does(team: QuestionTeam) -> None:
    project = team.project
    study = studies.make_study(project, _wish(team))
    parts = store.list_parts(project.file, study.id)
    assert Counter(p.person_id for p in parts) == dict.fromkeys(study.wish.people, 3)
    first = study.wish.people[0]
    theirs = {p.task_id: p.condition for p in parts if p.person_id == first}
    team.work.people.sign_in(study.wish.people[1])
    for task_id in theirs:
        with pytest.raises(WorkError, match=r"The task is reserved for another person\."):
            team.work.claim(task_id)
    team.work.people.sign_in(team.people["Cleo"].id)
    assert team.work.claim_next("people") is None
    team.work.people.sign_in(first)
    counts = {q.kind: q.count for q in team.work.my_work().queues}
    assert counts["people"] == 3
    for _ in theirs:
        record = team.work.claim_next()
        assert record is not None
        session = project.open_task(record.id)
        assert session.viewing.is_muted == (theirs[record.id] == "muted")
        question_set = team.questions.question_set(session)
        assert {(i.right == {}, i.source == {}, i.purpose) for i in question_set.items} == {
            (True, True, Purpose.WORK)
        }
    assert team.work.claim_next() is None
    project.close()


def test_who_had_a_part_is_asked_nothing_of_it(team: QuestionTeam) -> None:
    wish = _wish(team, 3)
    for name in ("Ann", "Ben"):
        people = (*wish.people, team.people[name].id)
        assert studies.outlook(team.project, replace(wish, people=people)).n_missing == 1
    cleo = (*wish.people, team.people["Cleo"].id)
    assert studies.outlook(team.project, replace(wish, people=cleo)).n_missing == 0
    first = studies.make_study(team.project, replace(wish, people=cleo))
    again = replace(wish, name="Autumn", people=cleo)
    assert studies.outlook(team.project, again).n_missing == 4
    others = tuple(participants(team, 4, first=10))
    second = studies.make_study(team.project, replace(again, people=others))
    assert [s.id for s in studies.studies(team.project)] == [first.id, second.id]
    team.project.close()


def test_who_was_dealt_it_is_never_offered_a_task_about_its_videos(team: QuestionTeam) -> None:
    project, work = team.project, team.work
    wish, cleo = _wish(team, 3), team.people["Cleo"].id
    studies.make_study(project, replace(wish, people=(*wish.people, cleo)))
    asked = project.questions.list(ItemFilter(kind="questions"))
    tasks = {each.video_ids[0]: task_id for task_id, each in asked if task_id is not None}
    *rated, last = (tasks[video.id] for video in team.videos)
    assert work.lead.reopen(rated, "Once more.") == []
    new = team.add(item(team.videos[0].id, "A later question?"))
    free = [new, *rated]
    # Cleo is a rater of the last video, and of nothing that the study asks about.
    work.people.sign_in(cleo)
    assert {each.task_id for each in work.free_tasks("questions", "answer")} == {last}
    (waiting,) = [q.count for q in work.my_work().queues if q.kind == "questions"]
    assert waiting == 1
    for task_id in free:
        with pytest.raises(WorkError) as caught:
            work.claim(task_id)
        assert caught.value.code == "barred"
    taken = work.claim_next("questions")
    assert taken is not None
    assert taken.id == last
    assert work.claim_next("questions") is None
    team.lead_again()
    refused = work.lead.assign(free, cleo, overrules=True, reason="We are few.")
    assert {task_id for task_id, _ in refused} == set(free)
    # Ann, who had a part and answers nothing, goes on as before.
    work.people.sign_in(team.people["Ann"].id)
    assert new in {each.task_id for each in work.free_tasks("questions", "answer")}
    project.close()


def test_results_are_those_of_the_answers_and_votes_know_nothing_of_them(
    team: QuestionTeam,
) -> None:
    project = team.project
    study = studies.make_study(project, _wish(team))
    votes = len(list(iter_answers(project, "questions")))
    for person in study.wish.people:
        assert answer_all(project, person, _right_with_sound) == 3
    team.lead_again()
    done = studies.progress(project, study.id)
    assert (done.n_items, done.n_assigned, done.n_given) == (3, 12, 12)
    assert set(done.by_person.values()) == {(3, 3)}
    found = results_of(project, study, JobToken(_silent), HOW)
    assert (found.n_answers, found.n_unjudged) == (12, 0)
    shares = {
        (r.condition, r.estimate.method, r.estimate.by, r.estimate.name): r.estimate
        for r in found.found
    }
    assert shares["sound", MAJORITY, "", ""].value == 1.0
    assert shares["muted", MAJORITY, "", ""].value == 0.0
    assert shares["", "accuracy", "area", "Physics"].value == 0.5
    assert shares["", "median-seconds", "", ""].value == 1.5
    whole = next(r.estimate for r in found.found if r.condition == "sound")
    assert (whole.low, whole.high) == wilson(6, 6, 0.9)
    # What was asked in the study is apart from the work.
    assert len(list(iter_answers(project, "questions"))) == votes
    assert items_of_kind(project, "people") == []
    assert project.qualification.judgements("people") == []
    assert list(iter_answers(project, "people")) == []
    project.close()


def test_all_of_it_can_be_worked_out_again_from_the_file(team: QuestionTeam) -> None:
    project = team.project
    study = studies.make_study(project, _wish(team))
    for person in study.wish.people[:3]:
        answer_all(project, person, _right_with_sound)
    team.lead_again()
    folder = team.folder / "figures"
    written = write_results(project, study, folder, JobToken(_silent), HOW)
    assert written.counts["answers.csv"] == 9
    side = json.loads((folder / "study.json").read_text("utf-8"))
    given = [StudyResponse(*row) for row in side["answers"]]
    tags = {by: {i: tuple(n) for i, n in told.items()} for by, told in side["tags"].items()}
    keys = [key for key, _ in side["conditions"]]
    again = results(given, keys, side["answers_each"], tags, HOW)
    values = RESULT_COLUMNS.index("value"), RESULT_COLUMNS.index("high") + 1
    told = [tuple(row[slice(*values)]) for row in side["figures"]]
    assert told == [row[slice(*values)] for row in result_rows(again)]
    with (folder / "results.csv").open(encoding="utf-8-sig", newline="") as file:
        assert next(csv.reader(file)) == list(RESULT_COLUMNS)
    text = "".join(path.read_text("utf-8-sig") for path in folder.iterdir())
    assert "Guest" not in text
    assert {p for part in side["deals"][0]["new"] for p in part[1:2]} == {"P1", "P2", "P3", "P4"}
    project.close()


def test_answers_that_nobody_can_judge_wait_for_who_can(team: QuestionTeam) -> None:
    project = team.project
    study = studies.make_study(project, _wish(team))
    answer_all(project, study.wish.people[0], _right_with_sound)
    team.lead_again()
    for each in answers_in_study(project, study):
        with project.file.transaction() as connection:
            studies.item_store.replace_items(connection, [replace(each.item, right={})])
    unjudged = results_of(project, study, JobToken(_silent), HOW)
    assert (unjudged.n_answers, unjudged.n_unjudged) == (3, 3)
    judged = {(e.item.id, e.person_id): True for e in answers_in_study(project, study)}
    found = results_of(project, study, JobToken(_silent), HOW, judged)
    assert found.n_unjudged == 0
    assert found.found[0].estimate.value == 1.0
    project.close()


def test_who_leaves_is_replaced_and_what_was_done_stays(team: QuestionTeam) -> None:
    project = team.project
    study = studies.make_study(project, _wish(team))
    left, *others = study.wish.people
    answer_all(project, left, _right_with_sound, most=1)
    team.work.claim_next()  # begun, and never handed in
    answer_all(project, others[0], _right_with_sound, most=1)
    team.lead_again()
    team.work.lead.remove_person(left)
    before = store.list_parts(project.file, study.id)
    waits = {
        (p.person_id == left, team.work.record(p.task_id).needs_lead)
        for p in before
        if p.status is not TaskStatus.COMPLETE
    }
    assert waits == {(True, LeadNeed.NOBODY_LEFT), (False, None)}
    (newcomer,) = participants(team, 1, first=10)
    again = studies.reassign_study(project, study.id, [*others, newcomer])
    assert again.wish.people == (*others, newcomer)
    assert studies.study_named(project, "Spring").wish.people == again.wish.people
    after = store.list_parts(project.file, study.id)
    assert {p.part for p in before if p.person_id != left} <= {p.part for p in after}
    assert Counter(p.person_id for p in after)[left] == 1
    per_item = Counter((p.item_id, p.condition) for p in after)
    assert set(per_item.values()) == {2}
    assert Counter(p.person_id for p in after)[newcomer] == 2
    gone = {p.task_id for p in before} - {p.task_id for p in after}
    assert {team.work.record(t).status for t in gone} == {TaskStatus.WITHDRAWN}
    for person in again.wish.people:
        answer_all(project, person, _right_with_sound)
    team.lead_again()
    assert studies.progress(project, study.id).n_given == 12
    assert [len(d.new) for d in studies.plans_of(project, study.id)] == [12, 2]
    project.close()


def test_who_comes_gets_a_share_of_what_nobody_has_begun(team: QuestionTeam) -> None:
    project = team.project
    study = studies.make_study(project, _wish(team))
    answer_all(project, study.wish.people[0], _right_with_sound, most=2)
    team.lead_again()
    done = {p.part for p in store.list_parts(project.file, study.id) if p.is_begun}
    people = [*study.wish.people, *participants(team, 2, first=10)]
    studies.reassign_study(project, study.id, people)
    after = store.list_parts(project.file, study.id)
    assert done <= {p.part for p in after}
    assert set(Counter(p.person_id for p in after).values()) == {2}
    asked = {item.id for _, item in project.questions.list(ItemFilter(kind="people"))}
    assert {p.asked_id for p in after} <= asked
    with pytest.raises(WorkError, match="more people are needed"):
        studies.reassign_study(project, study.id, people[:2])
    project.close()


def test_questions_of_one_video_are_one_viewing_under_one_condition(tmp_path: Path) -> None:
    team = question_team(tmp_path, 4, per_video=2)
    project = team.project
    wish = replace(_wish(team, 4), per_person=6)
    study = studies.make_study(project, wish)
    parts = store.list_parts(project.file, study.id)
    assert len(parts) == 6 * 4
    assert len({p.task_id for p in parts}) == 3 * 4
    with project.file.reading() as connection:
        sizes = {len(studies.item_store.items_of(connection, p.task_id)) for p in parts}
    assert sizes == {2}
    project.close()


def test_items_are_chosen_by_area_and_by_lot(team: QuestionTeam) -> None:
    project, wish = team.project, _wish(team)
    areas = replace(wish, choice=replace(wish.choice, areas=("Memory",)))
    assert studies.outlook(project, areas).n_items == 1
    tags = replace(wish, choice=replace(wish.choice, tags=("tag 0", "tag 1")))
    assert studies.outlook(project, tags).n_items == 2
    some = [
        {p.item_id for p in store.list_parts(project.file, made.id)}
        for name, seed in (("a", 1), ("b", 2), ("c", 3))
        for made in [
            studies.make_study(
                project,
                replace(
                    wish,
                    name=name,
                    seed=seed,
                    n_items=1,
                    people=tuple(participants(team, 4, first=10 * seed)),
                ),
            )
        ]
    ]
    assert [len(each) for each in some] == [1, 1, 1]
    with pytest.raises(WorkError, match=r"The study has no items yet\."):
        studies.outlook(project, replace(wish, choice=replace(wish.choice, areas=("Art",))))
    project.close()


def test_what_makes_no_sense_is_refused(team: QuestionTeam) -> None:
    project, wish = team.project, _wish(team)
    studies.make_study(project, wish)
    for wrong, word in (
        (wish, "already"),
        (replace(wish, name=" "), "characters"),
        (replace(wish, name="x", kind="questions"), "Unknown study type “"),
        (replace(wish, name="x", answers=0), "at least one"),
        (replace(wish, name="x", people=(wish.people[0],) * 2), "twice"),
    ):
        with pytest.raises(WorkError, match=word):
            studies.make_study(project, wrong)
    with pytest.raises(WorkError, match="Available studies:"):
        studies.study_named(project, "Winter")
    team.work.people.sign_in(team.people["Ann"].id)
    with pytest.raises(WorkError, match="lead"):
        studies.outlook(project, wish)
    project.close()


def test_who_is_not_in_it_any_more_loses_what_they_had_begun(team: QuestionTeam) -> None:
    project = team.project
    study = studies.make_study(project, _wish(team))
    out, *others = study.wish.people
    team.work.people.sign_in(out)
    held = team.work.claim_next()
    assert held is not None
    (newcomer,) = participants(team, 1, first=10)
    studies.reassign_study(project, study.id, [*others, newcomer])
    after = team.work.record(held.id)
    assert (after.status, after.holders) == (TaskStatus.WITHDRAWN, ())
    parts = store.list_parts(project.file, study.id)
    assert Counter(p.person_id for p in parts) == dict.fromkeys((*others, newcomer), 3)
    # Who is excluded from an item stays so when the copies of it are dealt again.
    with pytest.raises(WorkError, match="1 more person is needed"):
        studies.reassign_study(project, study.id, [*others, team.people["Ann"].id])
    project.close()
