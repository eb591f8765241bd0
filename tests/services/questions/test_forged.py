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
from tests.services.questions.question_team import gold, item, recipe
from tests.services.questions.remote_team import RemoteTeam, forged

Told = dict[str, Any]
CHECKED = recipe().replace(
    'kind = "questions"', 'kind = "questions"\nattention = { every = 2, failures = 2 }'
)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[RemoteTeam]:
    made = RemoteTeam(tmp_path)
    yield made
    made.project.close()


@pytest.fixture(scope="module")
def waiting(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[RemoteTeam, TaskId, Path]]:
    """A project that is yet to collect what Ann has handed in elsewhere."""
    made = RemoteTeam(tmp_path_factory.mktemp("waiting"))
    task = _asked(made)
    back = made.answered(made.package("Ann"), "Ann", "o0")
    made.lead_again()
    yield made, task, back
    made.project.close()


def _asked(team: RemoteTeam) -> TaskId:
    a = team.clips[0].id
    return team.add(item(a, "What is it?"), gold(a))


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
    waiting: tuple[RemoteTeam, TaskId, Path], change: Callable[[Told], object], says: str
) -> None:
    team, task, back = waiting
    with pytest.raises(UserError, match=says):
        collect(team.project, forged(back, change))
    assert votes_of(team.project.file, task) == []
    assert team.work.submissions(task) == []


def test_nobody_gets_past_the_checks_by_leaving_them_open(tmp_path: Path) -> None:
    team = RemoteTeam(tmp_path, CHECKED)
    about = team.clips[0].id
    check = replace(gold(about), text="Choose 1", texts={}, video_ids=())
    team.project.qualification.add_checks([check])
    task = team.add(item(about, "1"), item(about, "2"))
    back = team.answered(team.package("Ann"), "Ann", "o0")
    team.lead_again()
    own = {each.id for each in team.questions.of_task(task)}

    def without_checks(told: Told) -> None:
        assert len({a["item_id"] for a in told["answers"]}) > len(own)
        told["answers"] = [a for a in told["answers"] if a["item_id"] in own]

    with pytest.raises(
        UserError, match=r"Cannot import a submission: its answers do not match the task\."
    ):
        collect(team.project, forged(back, without_checks))
    assert team.project.qualification.judgements("questions") == []
    collect(team.project, back)
    assert {j.is_right for j in team.project.qualification.judgements("questions")} == {False}
    team.project.close()


def _two_packages(team: RemoteTeam) -> tuple[TaskId, Path, OpenProject]:
    """Let Ann hand in, and Ben have the same task in a package of his own."""
    task = _asked(team)
    path = team.package("Ann")
    ben = team.unpack(team.package("Ben"), "Ben")
    back = team.answered(path, "Ann", "o0")
    team.lead_again()
    return task, back, ben


def test_nobody_answers_for_somebody_else(team: RemoteTeam) -> None:
    task, back, ben = _two_packages(team)
    other = team.people["Ben"].id
    (held,) = [a for a in team.work.record(task).assignments if a.person_id == other]
    mine = origin_of(ben)
    assert mine is not None

    def as_ben(told: Told) -> None:
        told.update(person_id=other, assignment_id=held.id)

    for header in ({"person_id": other}, {"person_id": other, "package_id": str(item_id())}):
        with pytest.raises(
            WorkError, match="A submission belongs to a task that was not in a work package for"
        ):
            collect(team.project, forged(back, as_ben, header=header))
    with pytest.raises(WorkError, match="not by Ann"):
        collect(team.project, forged(back, as_ben))
    with pytest.raises(WorkError, match="A submission belongs to a task that was not in a work"):
        collect(team.project, forged(back, lambda told: told.update(assignment_id=held.id)))
    with pytest.raises(WorkError, match="A submission belongs to a task that was not in a work"):
        collect(team.project, forged(back, dict, header={"package_id": mine.package_id}))
    assert votes_of(team.project.file, task) == []
    ben.close()


def test_who_answers_twice_in_different_words_is_heard_once(team: RemoteTeam) -> None:
    task, back, ben = _two_packages(team)
    ben.close()
    collect(team.project, back)
    changed = forged(back, _set("which", value={"picked": ["o2"]}))
    assert [flag for _, flag in collect(team.project, changed).flagged] == [Flag.REPEATED.value]
    counted = [v for v in votes_of(team.project.file, task) if v.field == "which"]
    assert [v.value.keys for v in counted] == [("o0",), ("o0",)]  # type: ignore[union-attr]


def test_what_was_never_given_out_is_kept_and_not_heard(team: RemoteTeam) -> None:
    task, back, ben = _two_packages(team)
    ben.close()

    def given(told: Told) -> None:
        told.update(assignment_id=str(item_id()))

    report = collect(team.project, forged(back, given))
    assert [flag for _, flag in report.flagged] == [Flag.UNKNOWN.value]
    assert votes_of(team.project.file, task) == []


def test_what_is_asked_elsewhere_stays_as_it_is(team: RemoteTeam) -> None:
    task = _asked(team)
    asked, _ = team.questions.of_task(task)
    better = replace(asked, text="What can that be?")
    team.questions.replace([better])
    back = team.answered(team.package("Ann"), "Ann", "o0")
    team.lead_again()
    with pytest.raises(
        WorkError, match=r"Cannot change the item: it was answered or sent in a work package\."
    ):
        team.questions.replace([asked])
    team.questions.discard([better.id], "It is unclear")
    collect(team.project, back)
    assert team.questions.of_task(task)[0].why_discarded == "It is unclear"


def test_a_package_that_is_out_while_the_recipe_changes_goes_by_its_own(
    tmp_path: Path,
) -> None:
    team = RemoteTeam(tmp_path)
    task = _asked(team)
    back = team.answered(team.package("Ann"), "Ann", "o0")
    team.lead_again()
    # The new one asks for something else, and has no field “seen” any more.
    changed = recipe(2).replace('key = "seen"', 'key = "heard"').replace('"seen"', '"heard"')
    team.work.use_recipe(changed)
    with pytest.raises(UserError, match=r"”, which is not a recipe of this project\."):
        collect(team.project, forged(back, lambda told: told.update(recipe="asking@3")))
    with pytest.raises(UserError, match="Cannot import a submission: its answers do not match"):
        collect(team.project, forged(back, _set("seen", recipe_version=2)))
    collect(team.project, back)
    given = {(v.field, v.recipe_version) for v in votes_of(team.project.file, task)}
    assert given == {("which", 1), ("seen", 1)}
    later = team.unpack(team.package("Ben"), "Ben")
    question_set = later.questions.question_set(later.open_task(task))
    assert [field.key for field in question_set.form.fields] == ["which", "heard", "why"]
    later.close()
    team.project.close()


def test_votes_of_somebody_unknown_are_refused(team: RemoteTeam) -> None:
    task, back, ben = _two_packages(team)
    ben.close()
    stranger = str(item_id())
    for change in (dict, lambda told: told.update(person_id=stranger)):
        with pytest.raises(WorkError, match=r"The author of this file is not in the project\."):
            collect(team.project, forged(back, change, header={"person_id": stranger}))
    assert votes_of(team.project.file, task) == []


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ({"submitted_at": {}}, r"A submission has no submission time\."),
        ({"submitted_at": []}, "The content of “"),
        ({"active": [{"task_id": "x"}]}, "The content of “"),
    ],
)
def test_what_is_said_beside_has_to_be_right_too(
    team: RemoteTeam, returned: Told, says: str
) -> None:
    task, back, ben = _two_packages(team)
    ben.close()
    with pytest.raises(UserError, match=says):
        collect(team.project, forged(back, dict, returned=returned))
    assert votes_of(team.project.file, task) == []


def test_a_file_that_is_no_json_is_refused(team: RemoteTeam) -> None:
    _, back, ben = _two_packages(team)
    pack_path = back.with_name("broken.back")
    with Archive(back, RETURNS) as archive:
        entries = {name: archive.read(name) for name in archive.names}
        header = dict(archive.header)
    for name in entries:
        write_archive(pack_path, RETURNS, header, list((entries | {name: b"{"}).items()))
        with pytest.raises(UserError):
            collect(team.project, pack_path)
    with pytest.raises(WorkError, match="There are no submissions to write\\."):
        pack_submissions(ben, pack_path)
    ben.close()


def test_times_that_nobody_can_have_worked_are_left_out(team: RemoteTeam) -> None:
    task, back, ben = _two_packages(team)
    ben.close()
    rows = [("2026-11-21", 60_000), ("2026-11-22", -1), ("2026-11-23", 10**30), ("soon", 5)]
    active = [{"task_id": task, "stage": "answer", "day": day, "active_ms": ms} for day, ms in rows]
    collect(team.project, forged(back, dict, returned={"active": active}))
    (told,) = team.project.file.rows("SELECT day, active_ms FROM activity")
    assert told == ("2026-11-21", 60_000)
