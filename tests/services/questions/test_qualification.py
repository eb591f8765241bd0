"""Attention checks, tests to be passed first, and answers that are known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.answer import FrameBox, Picked
from annotator.domain.errors import WorkError
from annotator.domain.geometry import Box
from annotator.domain.ids import PersonId, TaskId, item_id
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.quality import EarlierUnits, QualificationStatus, is_right, mixed_in
from annotator.domain.work.records import AssignmentState, TaskStatus
from annotator.services.project.project_checks import check_project
from annotator.services.questions.asking.question_set import QuestionSet
from tests.services.questions.question_team import QuestionTeam, item, options, recipe

CHECKED = recipe().replace(
    'kind = "questions"', 'kind = "questions"\nattention = { every = 3, failures = 2 }'
)
TESTED = recipe().replace(
    '[[task_types]]\nkind = "questions"',
    """[[task_types]]
kind = "answer-test"
title = "Test"
purpose = "qualification"
passing = { share = 0.6 }
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
raters = 50
resolution = "majority"
may_choose = true
[task_types.form]
[[task_types.form.fields]]
key = "which"
title = "Which?"
kind = "choice"
from_item = true

[[task_types]]
kind = "writing-test"
title = "Writing"
purpose = "training"
passing = { grade = 3 }
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
raters = 50
resolution = "majority"
may_choose = true
[task_types.form]
[[task_types.form.fields]]
key = "why"
title = "Why?"
kind = "text"
is_voted = false

[[task_types]]
kind = "questions"
requires = ["answer-test"]""",
)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, n_videos=6, text=CHECKED)
    yield made
    made.project.close()


@pytest.fixture
def tests_first(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, n_videos=6, text=TESTED)
    yield made
    made.project.close()


def check(number: int) -> Item:
    return Item(
        item_id(),
        "questions",
        (),
        f"Please choose option {number}",
        options=options(),
        right={"which": (f"o{number}",)},
        purpose=Purpose.ATTENTION,
    )


def answer(team: QuestionTeam, name: str, task: TaskId, *, is_careful: bool) -> QuestionSet:
    session, question_set = team.as_(name, task)
    for each in question_set.items:
        asked_for = each.text[-1] if each.text.startswith("Please") else "0"
        pick = f"o{asked_for}" if is_careful else "o0"
        session.run(question_set.answer(each.id, "which", Picked((pick,))))
        session.run(question_set.answer(each.id, "seen", True))
    team.work.submit(session)
    return question_set


def test_checks_are_mixed_in_at_the_rate_and_look_like_any_other(team: QuestionTeam) -> None:
    team.project.qualification.add_checks([check(1), check(2)])
    tasks = [team.add(*(item(v.id, f"{i}") for i in range(4))) for v in team.videos[:3]]
    _, question_set = team.as_("Ann", tasks[0])
    first = [each.text for each in question_set.items]
    assert sum(text.startswith("Please") for text in first) == 2
    assert [t for t in first if not t.startswith("Please")] == ["0", "1", "2", "3"]
    assert {each.purpose for each in question_set.items} == {Purpose.WORK}
    assert all(not each.right for each in question_set.items)
    _, again = team.as_("Ann", tasks[0])
    assert [each.text for each in again.items] == first
    team.lead_again()
    assert [e.text for e in team.questions.of_task(tasks[2])] == ["0", "1", "2", "3"]


def test_the_first_failure_warns_and_the_second_ends_the_work(team: QuestionTeam) -> None:
    team.project.qualification.add_checks([check(1)])
    tasks = [team.add(item(v.id, "a"), item(v.id, "b")) for v in team.videos[:4]]
    answer(team, "Ann", tasks[0], is_careful=False)
    assert [s.state for s in team.project.qualification.status_history(team.people["Ann"].id)] == [
        QualificationStatus.WARNED
    ]
    assert "check" in team.work.my_work().feedback[0].text
    team.work.claim(tasks[2])
    answer(team, "Ann", tasks[1], is_careful=False)
    held = team.work.record(tasks[2])
    assert held.status is TaskStatus.WAITING
    assert [a.state for a in held.assignments] == [AssignmentState.LEFT]
    with pytest.raises(
        WorkError,
        match=r"The person is suspended from this task type because of failed attention checks\.",
    ):
        team.work.claim(tasks[3])
    assert team.work.claim_next("questions") is None
    assert [q.kind for q in team.work.my_work().queues] == ["object-tracks", "pairs"]
    answer(team, "Ben", tasks[2], is_careful=True)
    team.lead_again()
    found = team.project.qualification.judgements("questions", Purpose.ATTENTION)
    by_name = {team.work.people.person(j.person_id).name: j.is_right for j in found}
    assert by_name == {"Ann": False, "Ben": True}
    team.project.qualification.set_status(
        team.people["Ann"].id, "questions", QualificationStatus.CLEARED, "talked to"
    )
    team.work.people.sign_in(team.people["Ann"].id)
    team.work.claim(tasks[3])


def test_several_failures_in_one_hand_in_warn_once(team: QuestionTeam) -> None:
    team.project.qualification.add_checks([check(1), check(2)])
    tasks = [team.add(*(item(v.id, f"{i}") for i in range(4))) for v in team.videos[:2]]
    ann = team.people["Ann"].id
    expected = [QualificationStatus.WARNED, QualificationStatus.SUSPENDED]
    for n, task in enumerate(tasks, 1):
        question_set = answer(team, "Ann", task, is_careful=False)
        assert sum(each.text.startswith("Please") for each in question_set.items) == 2
        assert [s.state for s in team.project.qualification.status_history(ann)] == expected[:n]


def test_checks_have_texts_and_boxes_where_others_have(tmp_path: Path) -> None:
    made = QuestionTeam(tmp_path, n_videos=1, text=CHECKED)
    made.project.qualification.add_checks([check(1)])
    box = FrameBox(3, Box(1, 2, 30, 40))
    texts = {"begin": "Because", "other": "hidden"}
    video = made.videos[0].id
    task = made.add(*(item(video, f"{i}", texts=texts, boxes=(box,)) for i in range(2)))
    _, question_set = made.as_("Ann", task)
    (met,) = [each for each in question_set.items if each.text.startswith("Please")]
    assert (met.texts, met.boxes) == ({"begin": "Because"}, (box,))
    made.project.close()


def test_a_check_repeats_its_own_words_where_others_repeat_theirs(tmp_path: Path) -> None:
    made = QuestionTeam(tmp_path, n_videos=1, text=CHECKED)
    made.project.qualification.add_checks([check(1)])
    video = made.videos[0].id
    task = made.add(*(item(video, f"{i}", texts={"begin": f"{i}"}) for i in range(2)))
    _, question_set = made.as_("Ann", task)
    assert all(each.texts == {"begin": each.text} for each in question_set.items)
    made.project.close()


def test_answers_to_checks_are_no_votes(team: QuestionTeam) -> None:
    team.project.qualification.add_checks([check(1)])
    task = team.add(item(team.videos[0].id, "a"), item(team.videos[0].id, "b"))
    for name in ("Ann", "Ben"):
        answer(team, name, task, is_careful=True)
    record = team.work.record(task)
    assert record.status is TaskStatus.COMPLETE


def test_a_check_needs_a_known_answer_and_a_task_type_with_checks(team: QuestionTeam) -> None:
    add = team.project.qualification.add_checks
    with pytest.raises(
        WorkError, match=r"The correct answer is missing\. Items with this purpose require one\."
    ):
        add([replace(check(1), right={})])
    with pytest.raises(WorkError, match=r"” has no attention checks\."):
        add([replace(check(1), kind="pairs")])
    with pytest.raises(WorkError, match="attention check"):
        add([replace(check(1), purpose=Purpose.GOLD)])
    team.work.people.sign_in(team.people["Ann"].id)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        add([check(1)])


def test_work_that_requires_a_test_begins_when_it_is_passed(tests_first: QuestionTeam) -> None:
    team = tests_first
    test = team.add(
        *(
            replace(
                item(team.videos[0].id, f"{i}", right={"which": ("o1",)}),
                kind="answer-test",
                purpose=Purpose.QUALIFICATION,
            )
            for i in range(3)
        )
    )
    work = team.add(item(team.videos[1].id, "a"))
    for name, picks in (("Ann", ("o1", "o1", "o2")), ("Ben", ("o1", "o2", "o2"))):
        session, question_set = team.as_(name, test)
        with pytest.raises(WorkError, match="has not passed"):
            team.work.claim(work)
        for each, pick in zip(question_set.items, picks, strict=True):
            session.run(question_set.answer(each.id, "which", Picked((pick,))))
        team.work.submit(session)
    found = {
        team.work.people.person(s.person_id).name: (s.state, round(s.score or 0, 3))
        for name in ("Ann", "Ben")
        for s in team.project.qualification.status_history(_sign_in(team, name))
    }
    assert found == {
        "Ann": (QualificationStatus.PASSED, 0.667),
        "Ben": (QualificationStatus.FAILED, 0.333),
    }
    with pytest.raises(WorkError, match="has not passed"):
        team.work.claim(work)
    _sign_in(team, "Ann")
    assert team.work.claim(work).status is TaskStatus.IN_PROGRESS


def test_what_is_written_is_graded_by_the_lead(tests_first: QuestionTeam) -> None:
    team = tests_first
    made = [
        Item(
            item_id(),
            "writing-test",
            (team.videos[0].id,),
            f"Why {i}?",
            purpose=Purpose.QUALIFICATION,
            right={"why": ("because",)},
        )
        for i in range(2)
    ]
    test = team.add(*made)
    session, question_set = team.as_("Ann", test)
    for each in question_set.items:
        session.run(question_set.answer(each.id, "why", "because it is"))
    handed = team.work.submit(session)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        team.project.qualification.grade(handed.id, made[0].id, 4)
    team.lead_again()
    team.project.qualification.grade(handed.id, made[0].id, 4)
    (waits,) = team.project.qualification.status_history(team.people["Ann"].id)
    assert waits.state is QualificationStatus.HANDED_IN
    with pytest.raises(WorkError, match="from 1 to 4"):
        team.project.qualification.grade(handed.id, made[1].id, 5)
    team.project.qualification.grade(handed.id, made[1].id, 3)
    _, stood = team.project.qualification.status_history(team.people["Ann"].id)
    assert (stood.state, stood.score) == (QualificationStatus.PASSED, 3.5)


def test_runs_go_on_over_tasks_and_every_check_comes_before_one_returns() -> None:
    work = [replace(check(0), text=f"work {i}") for i in range(27)]
    checks = [check(0) for _ in range(3)]
    whole = mixed_in(work, checks, every=10, earlier=(), seed="Ann")
    assert [each.id for each in whole if each in work] == [each.id for each in work]
    assert {each.id for each in whole if each in checks} == {each.id for each in checks}
    halves = [
        *mixed_in(work[:13], checks, every=10, earlier=(), seed="Ann"),
        *mixed_in(work[13:], checks, every=10, earlier=[EarlierUnits(13)], seed="Ann"),
    ]
    assert halves == whole
    places = {
        tuple(each in checks for each in mixed_in(work, checks, every=10, earlier=(), seed=name))
        for name in ("Ann", "Ben", "Cleo", "Dora")
    }
    assert len(places) > 1


@pytest.mark.parametrize("seed", range(20))
def test_no_check_comes_twice_while_another_is_left(seed: int) -> None:
    """Also where tasks are given back and the bank grows meanwhile."""
    rng = random.Random(seed)
    bank = [check(0) for _ in range(rng.randint(2, 6))]
    earlier: list[EarlierUnits] = []
    shown: Counter[str] = Counter()
    for _ in range(40):
        if rng.random() < 0.1:
            bank.append(check(0))
        work = [replace(check(0), text=f"work {i}") for i in range(rng.randint(1, 9))]
        found = mixed_in(work, bank, every=4, earlier=earlier, seed="Ann")
        met = [each.id for each in found if each in bank]
        assert len(met) == len(set(met))
        for name in met:
            # Whoever comes less often has not been left waiting.
            left = [each.id for each in bank if each.id not in met[: met.index(name)]]
            assert shown[name] == min(shown[each] for each in left)
            shown[name] += 1
        earlier.append(EarlierUnits(len(work), tuple(met)))


def test_what_a_person_meets_does_not_change_when_an_earlier_task_is_handed_in() -> None:
    work = [replace(check(0), text=f"work {i}") for i in range(9)]
    bank = [check(0) for _ in range(5)]
    first = mixed_in(work, bank, every=4, earlier=(), seed="Ann")
    met = tuple(each.id for each in first if each in bank)
    before = mixed_in(work, bank, every=4, earlier=[EarlierUnits(9)], seed="Ann")
    after = mixed_in(work, bank, every=4, earlier=[EarlierUnits(9, met)], seed="Ann")
    assert before == after


def test_checks_that_ask_for_several_options_are_judged(team: QuestionTeam) -> None:
    both = replace(check(1), right={"which": ("o1", "o2")})
    assert is_right(both, {"which": Picked(("o2", "o1"))})
    assert not is_right(both, {"which": Picked(("o1",))})
    assert not is_right(both, {"which": Picked(("o0", "o1", "o2"))})


def test_a_bank_that_is_too_small_is_reported(team: QuestionTeam) -> None:
    team.project.qualification.add_checks([check(1)])
    assert team.project.qualification.shortages() == []
    for video in team.videos:
        team.add(*(item(video.id, f"Q{i}") for i in range(4)))
    # 24 items, two raters each, among four people: 12 each, so 6 checks at one in three.
    (short,) = team.project.qualification.shortages()
    assert (short.kind, short.n_checks, short.n_needed) == ("questions", 1, 6)
    team.project.close()
    report = check_project(team.project.path)
    (finding,) = [f for f in report.findings if f.code == "few-checks"]
    assert "1 attention check" in finding.text
    assert "about 6" in finding.text


def _sign_in(team: QuestionTeam, name: str) -> PersonId:
    team.work.people.sign_in(team.people[name].id)
    return team.people[name].id


def test_who_begins_anew_is_warned_before_it_ends_again(team: QuestionTeam) -> None:
    team.project.qualification.add_checks([check(1)])
    tasks = [team.add(item(v.id, "a"), item(v.id, "b")) for v in team.videos[:5]]
    ann = team.people["Ann"].id
    for task in tasks[:2]:
        answer(team, "Ann", task, is_careful=False)
    team.lead_again()
    team.project.qualification.set_status(
        ann, "questions", QualificationStatus.CLEARED, "It was the light."
    )
    _sign_in(team, "Ann")
    assert "“Questions”" in team.work.my_work().feedback[0].text
    assert "It was the light." in team.work.my_work().feedback[0].text
    for task in tasks[2:4]:
        answer(team, "Ann", task, is_careful=False)
    assert [s.state for s in team.project.qualification.status_history(ann)] == [
        QualificationStatus.WARNED,
        QualificationStatus.SUSPENDED,
        QualificationStatus.CLEARED,
        QualificationStatus.WARNED,
        QualificationStatus.SUSPENDED,
    ]
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        team.project.qualification.set_status(ann, "questions", QualificationStatus.CLEARED)


def _known(team: QuestionTeam, video: int) -> TaskId:
    """Add a test with one question, whose first option but one is right."""
    facts = {"right": {"which": ("o1",)}}
    asked = replace(item(team.videos[video].id, "?", **facts), kind="answer-test")
    return team.add(replace(asked, purpose=Purpose.QUALIFICATION))


def _answer_test(team: QuestionTeam, name: str, task: TaskId, pick: str) -> None:
    session, question_set = team.as_(name, task)
    session.run(question_set.answer(question_set.items[0].id, "which", Picked((pick,))))
    team.work.submit(session)


def test_a_test_is_tried_as_often_as_the_recipe_says(tests_first: QuestionTeam) -> None:
    team = tests_first
    tasks = [_known(team, i) for i in range(4)]
    _answer_test(team, "Ann", tasks[0], "o0")
    assert team.work.my_work().feedback[0].text == (
        "You did not pass “Test”: 0% correct; required: 60%. You have one attempt left."
    )
    (own, _) = team.project.qualification.own_tests()
    assert (own.status, own.left, own.opens) == (QualificationStatus.FAILED, 1, ("Questions",))
    team.work.claim(tasks[2])
    _answer_test(team, "Ann", tasks[1], "o0")
    assert "no attempts left" in team.work.my_work().feedback[0].text
    (own, _) = team.project.qualification.own_tests()
    assert (own.status, own.reached, own.left) == (QualificationStatus.SPENT, 0.0, 0)
    assert team.work.record(tasks[2]).holders == ()
    with pytest.raises(WorkError, match="used all attempts"):
        team.work.claim(tasks[3])
    assert team.work.claim_next("answer-test") is None
    assert "answer-test" not in [q.kind for q in team.work.my_work().queues]
    team.lead_again()
    ann = team.people["Ann"].id
    team.project.qualification.set_status(ann, "answer-test", QualificationStatus.CLEARED)
    _answer_test(team, "Ann", tasks[2], "o0")
    (own, _) = team.project.qualification.own_tests()
    assert (own.status, own.left) == (QualificationStatus.FAILED, 1)
    _answer_test(team, "Ann", tasks[3], "o1")
    (own, _) = team.project.qualification.own_tests()
    assert (own.status, own.reached) == (QualificationStatus.PASSED, 1.0)


def test_what_is_handed_in_anew_does_not_undo_a_result(tmp_path: Path) -> None:
    text = TESTED.replace('raters = 50\nresolution = "majority"', "may_reopen = true")
    team = QuestionTeam(tmp_path, n_videos=3, text=text)
    tasks = [_known(team, i) for i in range(2)]
    for task in tasks:
        _answer_test(team, "Ann", task, "o0")
    team.work.reopen(tasks[1])
    _answer_test(team, "Ann", tasks[1], "o1")
    (own, written) = team.project.qualification.own_tests()
    assert own.status is QualificationStatus.SPENT
    assert written.status is None
    facts = {"kind": "writing-test", "purpose": Purpose.QUALIFICATION, "options": ()}
    team.lead_again()
    task = team.add(replace(item(team.videos[2].id, "Why?"), **facts))
    for words in ("because", "because of that"):
        session, question_set = team.as_("Ann", task)
        session.run(question_set.answer(question_set.items[0].id, "why", words))
        handed = team.work.submit(session)
        if words == "because":
            team.work.reopen(task)
    team.lead_again()
    (waiting,) = team.project.qualification.to_grade()
    assert waiting.submission_id == handed.id
    team.project.close()


def test_work_is_offered_as_soon_as_the_test_is_passed(tests_first: QuestionTeam) -> None:
    team = tests_first
    tests = [_known(team, i) for i in range(2)]
    work = team.add(item(team.videos[1].id, "a"))
    _sign_in(team, "Ann")
    assert team.work.claim_next("questions") is None
    _answer_test(team, "Ann", tests[0], "o1")
    record = team.work.claim_next("questions")
    assert record is not None
    assert record.id == work
    with pytest.raises(WorkError, match=r"The person has already passed the qualification test\."):
        team.work.claim(tests[1])
    assert team.work.record(tests[1]).needs_lead is None


def test_a_written_test_waits_for_its_grade_before_the_next(tests_first: QuestionTeam) -> None:
    team = tests_first
    facts = {"kind": "writing-test", "purpose": Purpose.QUALIFICATION, "options": ()}
    tasks = [team.add(replace(item(v.id, "Why?"), **facts)) for v in team.videos[:4]]
    handed = []
    for task, grade in zip(tasks, (2, 1), strict=False):
        session, question_set = team.as_("Ann", task)
        session.run(question_set.answer(question_set.items[0].id, "why", "because"))
        handed.append(team.work.submit(session))
        with pytest.raises(
            WorkError, match=r"The qualification test of this person is waiting for a grade\."
        ):
            team.work.claim(tasks[2])
        with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
            team.project.qualification.to_grade()
        team.lead_again()
        (waiting,) = team.project.qualification.to_grade()
        assert (waiting.submission_id, waiting.attempt) == (handed[-1].id, len(handed))
        test = team.project.qualification.submitted_test(waiting.submission_id)
        assert [e.text for e in test.items] == ["Why?"]
        assert list(test.answers.values()) == ["because"]
        team.project.qualification.grade(
            waiting.submission_id, test.items[0].id, grade, "Say what you see."
        )
        assert team.project.qualification.to_grade() == []
        _sign_in(team, "Ann")
        told = team.work.my_work().feedback[0].text
        assert f"mean grade {grade} of 4; required: 3" in told
        assert told.endswith("Say what you see.")
    with pytest.raises(WorkError, match="used all attempts"):
        team.work.claim(tasks[2])
    (_, own) = team.project.qualification.own_tests()
    assert (own.status, own.reached, own.note) == (
        QualificationStatus.SPENT,
        1.0,
        "Say what you see.",
    )
    team.lead_again()
    asked = team.questions.of_task(tasks[1])[0]
    team.project.qualification.grade(handed[1].id, asked.id, 4)
    _sign_in(team, "Ann")
    (_, own) = team.project.qualification.own_tests()
    assert own.status is QualificationStatus.PASSED


ROUNDS = TESTED.replace("{ share = 0.6 }", "{ share = 0.6, tasks = 3 }").replace(
    "{ grade = 3 }", "{ grade = 3, tasks = 2 }"
)


def _answer_one(team: QuestionTeam, name: str, task: TaskId, pick: str) -> None:
    session, question_set = team.as_(name, task)
    for each in question_set.items:
        session.run(question_set.answer(each.id, "which", Picked((pick,))))
    team.work.submit(session)


def test_a_test_of_several_tasks_is_judged_as_one_attempt(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, n_videos=6, text=ROUNDS)
    facts = {"kind": "answer-test", "purpose": Purpose.QUALIFICATION, "right": {"which": ("o1",)}}
    tasks = [team.add(replace(item(video.id, "Which?"), **facts)) for video in team.videos]
    ann = team.people["Ann"].id

    def states() -> list[QualificationStatus]:
        team.lead_again()
        return [each.state for each in team.project.qualification.status_history(ann)]

    # One right answer of three is not enough, whatever comes first.
    for task, pick in zip(tasks[:3], ("o1", "o0", "o0"), strict=True):
        assert states() == []
        _answer_one(team, "Ann", task, pick)
        (own, *_) = team.project.qualification.own_tests()
        assert own.kind == "answer-test"
    assert states() == [QualificationStatus.FAILED]
    # The second attempt is made of other tasks, and begins anew.
    for task in tasks[3:5]:
        _answer_one(team, "Ann", task, "o1")
        assert states() == [QualificationStatus.FAILED]
    team.work.people.sign_in(ann)
    own = next(t for t in team.project.qualification.own_tests() if t.kind == "answer-test")
    assert (own.n_done, own.left) == (2, 1)
    _answer_one(team, "Ann", tasks[5], "o0")
    assert states() == [QualificationStatus.FAILED, QualificationStatus.PASSED]
    last = team.project.qualification.status_history(ann)[-1]
    assert last.score == pytest.approx(2 / 3)
    team.project.close()


def test_a_written_test_of_several_tasks_is_graded_together(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, n_videos=6, text=ROUNDS)
    facts = {"kind": "writing-test", "purpose": Purpose.QUALIFICATION, "options": ()}
    tasks = [team.add(replace(item(video.id, "Why?"), **facts)) for video in team.videos[:2]]
    qualification = team.project.qualification
    for n, task in enumerate(tasks):
        team.lead_again()
        assert qualification.to_grade() == []
        session, question_set = team.as_("Ann", task)
        session.run(question_set.answer(question_set.items[0].id, "why", f"Because {n}."))
        team.work.submit(session)
    team.lead_again()
    (waiting,) = qualification.to_grade()
    test = qualification.submitted_test(waiting.submission_id)
    assert sorted(str(v) for v in test.answers.values()) == ["Because 0.", "Because 1."]
    first, second = test.items
    qualification.grade(waiting.submission_id, first.id, 4)
    assert [s.state for s in qualification.status_history(team.people["Ann"].id)] == [
        QualificationStatus.HANDED_IN
    ]
    qualification.grade(waiting.submission_id, second.id, 2, "Say more.")
    last = qualification.status_history(team.people["Ann"].id)[-1]
    assert (last.state, last.score, last.note) == (QualificationStatus.PASSED, 3.0, "Say more.")
    team.project.close()
    report = check_project(team.project.path)
    (few,) = [f for f in report.findings if f.code == "few-tests" and f.where == "writing-test"]
    assert "has 2 tasks; 2 attempts with 2 tasks each need 4" in few.text
