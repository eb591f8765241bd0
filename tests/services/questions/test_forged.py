"""Submissions that were not made by the program, or not by whom they say: each is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.errors import UserError, WorkError
from annotator.domain.ids import TaskId, item_id
from annotator.domain.work.records import Flag
from annotator.services.entry_values import RETURNS
from annotator.services.packages.submissions import collect, pack_submissions
from annotator.services.project.projects import OpenProject
from annotator.services.workflow.sent_packages import origin_of
from annotator.store.questions.votes import votes_of
from annotator.sync.archive import Archive, write_archive
from tests.services.questions.asking_floor import gold, item, recipe
from tests.services.questions.travelling_floor import TravellingFloor, forged

Told = dict[str, Any]
CHECKED = recipe().replace(
    'kind = "questions"', 'kind = "questions"\nattention = { every = 2, failures = 2 }'
)


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[TravellingFloor]:
    made = TravellingFloor(tmp_path)
    yield made
    made.project.close()


@pytest.fixture(scope="module")
def waiting(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[TravellingFloor, TaskId, Path]]:
    """A project that is yet to collect what Ann has handed in elsewhere."""
    made = TravellingFloor(tmp_path_factory.mktemp("waiting"))
    task = _asked(made)
    back = made.answered(made.package("Ann"), "Ann", "o0")
    made.lead_again()
    yield made, task, back
    made.project.close()


def _asked(floor: TravellingFloor) -> TaskId:
    a = floor.clips[0].id
    return floor.add(item(a, "What is it?"), gold(a))


def _answer(told: Told, field: str) -> Told:
    found: Told = next(a for a in told["answers"] if a["field"] == field)
    return found


def _set(of: str, **facts: object) -> Callable[[Told], object]:
    """Return a change of the first answer to a field."""
    return lambda told: _answer(told, of).update(facts)


def _without(*fields: str) -> Callable[[Told], object]:
    def change(told: Told) -> None:
        gone = {id(_answer(told, field)) for field in fields}
        told["answers"] = [a for a in told["answers"] if id(a) not in gone]

    return change


def _twice(told: Told) -> None:
    told["answers"].append({**_answer(told, "seen"), "entry": 1})


def _emptied(told: Told) -> None:
    told.pop("answers")


def _of_elsewhere(told: Told) -> None:
    _answer(told, "seen")["item_id"] = str(item_id())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_without("which"), r"Cannot import a submission: its answers do not match the task\."),
        (_without("seen"), r"Cannot import a submission: its answers do not match the task\."),
        (_emptied, r"Cannot import a submission: its answers do not match the task\."),
        (
            _set("seen", value={"truth": False}),
            r"Cannot import a submission: its answers do not match the task\.",
        ),
        (_set("which", value={"picked": []}), r"No option is selected\."),
        (_set("which", value={"picked": ["o9"]}), "” is not an option of “"),
        (
            _set("which", value={"picked": ["o1", "o2"]}),
            r"Cannot import a submission: its answers do not match the task\.",
        ),
        (_set("which", value={"picked": ["o1", "o1"]}), "Invalid answer to “"),
        (_set("which", value={"picked": ["o1"], "other": "A cup"}), "Select one option of “"),
        (_set("which", value={"picked": "o1"}), "damaged"),
        (_set("which", value={"picked": [1]}), "damaged"),
        (
            _set("which", order=["o0", "o1"]),
            r"Cannot import a submission: its answers do not match the task\.",
        ),
        (
            _set("which", order=["o0", "o1", "o2", "o2"]),
            r"Cannot import a submission: its answers do not match the task\.",
        ),
        (_set("seen", value={"truth": "yes"}), "damaged"),
        (_set("seen", value={"truth": 1}), "damaged"),
        (_set("seen", value={"text": "yes"}), "Invalid answer to “"),
        (
            _set("seen", field="heard"),
            r"Cannot import a submission: its answers do not match the task\.",
        ),
        (_set("seen", item_id="../../x"), r"” has an answer but is not a field of the form\."),
        (_of_elsewhere, r"” has an answer but is not a field of the form\."),
        (_set("seen", entry=4), r"” has more entries than allowed\."),
        (_set("seen", entry=-1), r"” has more entries than allowed\."),
        (_set("seen", entry="0"), "damaged"),
        (_twice, r"” has more entries than allowed\."),
        (_set("seen", at="now"), "damaged"),
        (_set("seen", at=-1), r"” has an invalid answer time\."),
        (_set("seen", at=10**18), "damaged"),
        (_set("seen", took_ms=-5), r"” has an invalid answer time\."),
        (_set("seen", took_ms=True), "damaged"),
        (
            _set("seen", recipe_version=2),
            r"Cannot import a submission: its answers do not match the task\.",
        ),
        (
            _set("seen", recipe_version=0),
            r"Cannot import a submission: its answers do not match the task\.",
        ),
        (
            lambda told: told.update(recipe="asking@2"),
            r"”, which is not a recipe of this project\.",
        ),
        (lambda told: told.update(recipe="asking"), r"”, which is not a recipe of this project\."),
        (
            lambda told: told.update(recipe="asking@" + "9" * 30),
            r"”, which is not a recipe of this project\.",
        ),
        (lambda told: told.update(answers=3), "damaged"),
        (lambda told: told.update(answers=[3]), "damaged"),
        (lambda told: told.update(revision=10**15), "it refers to an invalid object"),
        (lambda told: told.update(parent_id="x"), "it refers to an invalid object"),
        (lambda told: told.update(verdict={"kind": "send-back"}), "reason|nothing is sent back"),
    ],
)
def test_answers_that_could_not_be_given_are_refused_whole(
    waiting: tuple[TravellingFloor, TaskId, Path], change: Callable[[Told], object], says: str
) -> None:
    floor, task, back = waiting
    with pytest.raises(UserError, match=says):
        collect(floor.project, forged(back, change))
    assert votes_of(floor.project.file, task) == []
    assert floor.work.submissions(task) == []


def test_nobody_gets_past_the_checks_by_leaving_them_open(tmp_path: Path) -> None:
    floor = TravellingFloor(tmp_path, CHECKED)
    about = floor.clips[0].id
    check = replace(gold(about), text="Choose 1", texts={}, video_ids=())
    floor.project.qualification.add_checks([check])
    task = floor.add(item(about, "1"), item(about, "2"))
    back = floor.answered(floor.package("Ann"), "Ann", "o0")
    floor.lead_again()
    own = {each.id for each in floor.questions.of_task(task)}

    def without_checks(told: Told) -> None:
        assert len({a["item_id"] for a in told["answers"]}) > len(own)
        told["answers"] = [a for a in told["answers"] if a["item_id"] in own]

    with pytest.raises(
        UserError, match=r"Cannot import a submission: its answers do not match the task\."
    ):
        collect(floor.project, forged(back, without_checks))
    assert floor.project.qualification.judgements("questions") == []
    collect(floor.project, back)
    assert {j.is_right for j in floor.project.qualification.judgements("questions")} == {False}
    floor.project.close()


def _two_packages(floor: TravellingFloor) -> tuple[TaskId, Path, OpenProject]:
    """Let Ann hand in, and Ben have the same task in a package of his own."""
    task = _asked(floor)
    path = floor.package("Ann")
    ben = floor.unpack(floor.package("Ben"), "Ben")
    back = floor.answered(path, "Ann", "o0")
    floor.lead_again()
    return task, back, ben


def test_nobody_answers_for_somebody_else(floor: TravellingFloor) -> None:
    task, back, ben = _two_packages(floor)
    other = floor.people["Ben"].id
    (held,) = [a for a in floor.work.record(task).assignments if a.person_id == other]
    mine = origin_of(ben)
    assert mine is not None

    def as_ben(told: Told) -> None:
        told.update(person_id=other, assignment_id=held.id)

    for header in ({"person_id": other}, {"person_id": other, "package_id": str(item_id())}):
        with pytest.raises(
            WorkError, match="A submission belongs to a task that was not in a work package for"
        ):
            collect(floor.project, forged(back, as_ben, header=header))
    with pytest.raises(WorkError, match="not by Ann"):
        collect(floor.project, forged(back, as_ben))
    with pytest.raises(WorkError, match="A submission belongs to a task that was not in a work"):
        collect(floor.project, forged(back, lambda told: told.update(assignment_id=held.id)))
    with pytest.raises(WorkError, match="A submission belongs to a task that was not in a work"):
        collect(floor.project, forged(back, dict, header={"package_id": mine.package_id}))
    assert votes_of(floor.project.file, task) == []
    ben.close()


def test_who_answers_twice_in_different_words_is_heard_once(floor: TravellingFloor) -> None:
    task, back, ben = _two_packages(floor)
    ben.close()
    collect(floor.project, back)
    changed = forged(back, _set("which", value={"picked": ["o2"]}))
    assert [flag for _, flag in collect(floor.project, changed).flagged] == [Flag.REPEATED.value]
    counted = [v for v in votes_of(floor.project.file, task) if v.field == "which"]
    assert [v.value.keys for v in counted] == [("o0",), ("o0",)]  # type: ignore[union-attr]


def test_what_was_never_given_out_is_kept_and_not_heard(floor: TravellingFloor) -> None:
    task, back, ben = _two_packages(floor)
    ben.close()

    def given(told: Told) -> None:
        told.update(assignment_id=str(item_id()))

    report = collect(floor.project, forged(back, given))
    assert [flag for _, flag in report.flagged] == [Flag.UNKNOWN.value]
    assert votes_of(floor.project.file, task) == []


def test_what_is_asked_elsewhere_stays_as_it_is(floor: TravellingFloor) -> None:
    task = _asked(floor)
    asked, _ = floor.questions.of_task(task)
    better = replace(asked, text="What can that be?")
    floor.questions.replace([better])
    back = floor.answered(floor.package("Ann"), "Ann", "o0")
    floor.lead_again()
    with pytest.raises(
        WorkError, match=r"Cannot change the item: it was answered or sent in a work package\."
    ):
        floor.questions.replace([asked])
    floor.questions.discard([better.id], "It is unclear")
    collect(floor.project, back)
    assert floor.questions.of_task(task)[0].why_discarded == "It is unclear"


def test_a_package_that_is_out_while_the_recipe_changes_goes_by_its_own(
    tmp_path: Path,
) -> None:
    floor = TravellingFloor(tmp_path)
    task = _asked(floor)
    back = floor.answered(floor.package("Ann"), "Ann", "o0")
    floor.lead_again()
    # The new one asks for something else, and has no field “seen” any more.
    changed = recipe(2).replace('key = "seen"', 'key = "heard"').replace('"seen"', '"heard"')
    floor.work.use_recipe(changed)
    with pytest.raises(UserError, match=r"”, which is not a recipe of this project\."):
        collect(floor.project, forged(back, lambda told: told.update(recipe="asking@3")))
    with pytest.raises(UserError, match="Cannot import a submission: its answers do not match"):
        collect(floor.project, forged(back, _set("seen", recipe_version=2)))
    collect(floor.project, back)
    given = {(v.field, v.recipe_version) for v in votes_of(floor.project.file, task)}
    assert given == {("which", 1), ("seen", 1)}
    later = floor.unpack(floor.package("Ben"), "Ben")
    question_set = later.questions.question_set(later.open_task(task))
    assert [field.key for field in question_set.form.fields] == ["which", "heard", "why"]
    later.close()
    floor.project.close()


def test_votes_of_somebody_unknown_are_refused(floor: TravellingFloor) -> None:
    task, back, ben = _two_packages(floor)
    ben.close()
    stranger = str(item_id())
    for change in (dict, lambda told: told.update(person_id=stranger)):
        with pytest.raises(WorkError, match=r"The author of this file is not in the project\."):
            collect(floor.project, forged(back, change, header={"person_id": stranger}))
    assert votes_of(floor.project.file, task) == []


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ({"submitted_at": {}}, r"A submission has no submission time\."),
        ({"submitted_at": []}, "The content of “"),
        ({"active": [{"task_id": "x"}]}, "The content of “"),
    ],
)
def test_what_is_said_beside_has_to_be_right_too(
    floor: TravellingFloor, returned: Told, says: str
) -> None:
    task, back, ben = _two_packages(floor)
    ben.close()
    with pytest.raises(UserError, match=says):
        collect(floor.project, forged(back, dict, returned=returned))
    assert votes_of(floor.project.file, task) == []


def test_a_file_that_is_no_json_is_refused(floor: TravellingFloor) -> None:
    _, back, ben = _two_packages(floor)
    pack_path = back.with_name("broken.back")
    with Archive(back, RETURNS) as archive:
        entries = {name: archive.read(name) for name in archive.names}
        header = dict(archive.header)
    for name in entries:
        write_archive(pack_path, RETURNS, header, list((entries | {name: b"{"}).items()))
        with pytest.raises(UserError):
            collect(floor.project, pack_path)
    with pytest.raises(WorkError, match="There are no submissions to write\\."):
        pack_submissions(ben, pack_path)
    ben.close()


def test_times_that_nobody_can_have_worked_are_left_out(floor: TravellingFloor) -> None:
    task, back, ben = _two_packages(floor)
    ben.close()
    rows = [("2026-11-21", 60_000), ("2026-11-22", -1), ("2026-11-23", 10**30), ("soon", 5)]
    active = [{"task_id": task, "stage": "answer", "day": day, "active_ms": ms} for day, ms in rows]
    collect(floor.project, forged(back, dict, returned={"active": active}))
    (told,) = floor.project.file.rows("SELECT day, active_ms FROM activity")
    assert told == ("2026-11-21", 60_000)
