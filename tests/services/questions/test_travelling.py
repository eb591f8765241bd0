"""Questions that leave in a work package, and answers that come back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.domain.answer import Picked, Spans
from annotator.domain.errors import EditError, ProjectError
from annotator.domain.ids import TaskId, item_id
from annotator.domain.questions.items.item import Item
from annotator.domain.work.records import Flag
from annotator.services.entry_values import WORK
from annotator.services.packages.submissions import collect, pack_submissions
from annotator.services.project.metadata import CUT_FRAME, KEY
from annotator.services.project.projects import create_project, open_project
from annotator.store.questions.votes import votes_of
from annotator.sync.archive import Archive
from tests.services.questions.question_team import gold, item, recipe
from tests.services.questions.remote_team import RemoteTeam, forged


@pytest.fixture
def team(tmp_path: Path):
    made = RemoteTeam(tmp_path)
    yield made
    made.project.close()


def _asked(team: RemoteTeam) -> TaskId:
    a = team.clips[0].id
    return team.add(item(a, "1"), gold(a))


def test_a_package_asks_and_gives_nothing_away(team: RemoteTeam) -> None:
    task = _asked(team)
    told = {KEY: {"script": "kitchen"}, "questions": [{"answer": "secret"}]}
    team.project.set_extra({team.clips[0].id: told})
    path = team.package("Ann")
    with Archive(path, WORK) as archive:
        bytes_ = b"".join(archive.read(name) for name in archive.names)
    assert b"What is held?" in bytes_
    assert b"secret" not in bytes_
    assert b"kitchen" in bytes_
    assert b'"right' not in bytes_
    assert b"right\\" not in bytes_
    assert b"attention" not in bytes_
    mine = team.unpack(path, "Ann")
    question_set = mine.questions.question_set(mine.open_task(task))
    assert [each.text for each in question_set.items] == ["1", "What is held?"]
    assert b"secret" not in mine.path.read_bytes()
    mine.close()


def test_answers_come_back_as_votes_and_the_lead_judges(team: RemoteTeam) -> None:
    task = _asked(team)
    back = team.answered(team.package("Ann"), "Ann", "o0")
    assert votes_of(team.project.file, task) == []
    team.lead_again()
    assert len(collect(team.project, back).new) == 1
    collect(team.project, back)
    picked = [v.value for v in votes_of(team.project.file, task) if v.field == "which"]
    assert picked == [Picked(("o0",)), Picked(("o0",))]
    catch = team.questions.of_task(task)[1]
    assert catch.right == {"which": ("o1",)}


def test_the_second_answer_of_one_package_is_kept_and_not_heard(team: RemoteTeam) -> None:
    task = _asked(team)
    path = team.package("Ann")
    first = team.answered(path, "Ann", "o0")
    (team.folder / "Ann").rename(team.folder / "before")
    first = first.rename(team.folder / "first.back")
    second = team.answered(path, "Ann", "o2")
    team.lead_again()
    collect(team.project, first)
    report = collect(team.project, second)
    assert [flag for _, flag in report.flagged] == [Flag.REPEATED.value]
    picked = {v.value for v in votes_of(team.project.file, task) if v.field == "which"}
    assert picked == {Picked(("o0",))}


def test_a_package_of_the_next_rater_does_not_hold_the_first_answers(
    team: RemoteTeam,
) -> None:
    task = _asked(team)
    back = team.answered(team.package("Ann"), "Ann", "o2")
    team.lead_again()
    collect(team.project, back)
    mine = team.unpack(team.package("Ben"), "Ben")
    assert mine.file.rows("SELECT count(*) FROM vote") == [(0,)]
    assert mine.file.rows("SELECT count(*) FROM submission") == [(0,)]
    assert mine.work.submissions(task) == []
    mine.close()


def test_answers_about_what_was_not_to_be_seen_are_refused(tmp_path: Path) -> None:
    text = recipe(viewing='viewing = { extent = "before-cut" }')
    text = text.replace('"Seen?"\nkind = "truth"', '"Seen?"\nkind = "spans"')
    team = RemoteTeam(tmp_path, text.replace(', any_of = ["no"]', ""))
    a = team.clips[0].id
    team.project.set_extra({a: {KEY: {CUT_FRAME: 4}}})
    team.add(item(a))
    mine = team.unpack(team.package("Ann"), "Ann")
    session = mine.open_task(mine.tasks()[0].id)
    question_set = mine.questions.question_set(session)
    asked = question_set.items[0].id
    assert session.document.video.n_frames == 4
    with pytest.raises(EditError, match=r"are not in this video\."):
        session.run(question_set.answer(asked, "seen", Spans(((1, 5),))))
    session.run(question_set.answer(asked, "seen", Spans(((1, 4),))))
    session.run(question_set.answer(asked, "which", Picked(("o1",))))
    session.run(question_set.answer(asked, "why", "It is gone"))
    mine.work.submit(session)
    back = tmp_path / "Ann.back"
    pack_submissions(mine, back)
    mine.close()
    team.lead_again()

    def longer(told: dict[str, Any]) -> None:
        (spans,) = (a for a in told["answers"] if "spans" in a["value"])
        spans["value"]["spans"] = [[1, 5]]

    with pytest.raises(ProjectError, match=r"are not in this video\."):
        collect(team.project, forged(back, longer))
    assert len(collect(team.project, back).new) == 1
    team.project.close()


def test_both_videos_of_a_pair_travel(team: RemoteTeam) -> None:
    a, b = (info.id for info in team.clips)
    task = team.add(Item(item_id(), "pairs", (a, b)))
    mine = team.unpack(team.package("Ann"), "Ann")
    assert {v.id for v in mine.videos()} == {a, b}
    question_set = mine.questions.question_set(mine.open_task(task))
    assert question_set.items[0].video_ids == (a, b)
    mine.close()


def test_recipes_with_forms_are_the_same_where_a_package_is_opened(team: RemoteTeam) -> None:
    _asked(team)
    mine = team.unpack(team.package("Ann"), "Ann")
    assert mine.work.recipe == team.work.recipe
    mine.close()
    again = create_project(team.folder / "again.annot", title="Again")
    again.work.use_recipe(recipe())
    path = again.path
    again.close()
    again = open_project(path)
    assert again.work.recipe.task_type("questions") == team.work.recipe.task_type("questions")
    again.close()
