"""Nobody checks what they made, and nobody is asked about a video of which they saw too much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.ids import TaskId, item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.domain.work.rules import ClaimRule, may_take
from annotator.services.project.metadata import CUT_FRAME, KEY
from annotator.store.catalog.videos import save_extra
from tests.services.questions.question_team import QuestionTeam, item, recipe

CUT = recipe(viewing='viewing = { extent = "before-cut" }')
CHECK = """
[[task_types]]
kind = "check"
title = "Check"
excludes_authors = true
[[task_types.stages]]
key = "check"
title = "Check"
act = "annotate"
may_choose = true
[task_types.form]
[[task_types.form.fields]]
key = "sound"
title = "Sound?"
kind = "truth"
"""


class CutTeam(QuestionTeam):
    """The first video has a cut frame, the second has none."""

    def __init__(self, folder: Path, text: str = CUT) -> None:
        super().__init__(folder, text=text)
        facts = {KEY: {CUT_FRAME: 20}}
        save_extra(self.project.file, self.videos[0].id, facts)

    def rule(self, name: str, task_id: TaskId) -> ClaimRule | None:
        record = self.work.record(task_id)
        found = may_take(record, self.people[name], self.work.transactions.task_type(record.kind))
        return found.rule if found is not None else None

    def drawing(self, n: int) -> TaskId:
        (found,) = [
            t.id
            for t in self.project.tasks()
            if t.kind == "object-tracks" and t.video_id == self.videos[n].id
        ]
        return found

    def take(self, name: str, task_id: TaskId) -> None:
        self.work.people.sign_in(self.people[name].id)
        self.work.claim(task_id)
        self.lead_again()


@pytest.fixture
def team(tmp_path: Path) -> Iterator[CutTeam]:
    made = CutTeam(tmp_path)
    yield made
    made.project.close()


def test_who_saw_the_whole_video_is_not_asked_up_to_its_cut(team: CutTeam) -> None:
    before = team.add(item(team.videos[0].id))
    team.take("Ann", team.drawing(0))
    assert team.rule("Ann", before) is ClaimRule.EXCLUDED
    assert team.rule("Ben", before) is None
    after = team.add(item(team.videos[1].id))
    team.take("Ann", team.drawing(1))
    assert team.rule("Ann", after) is None  # this video has no cut
    team.work.people.sign_in(team.people["Ann"].id)
    record = team.work.claim_next("questions")
    assert record is not None
    assert record.id == after


def test_a_question_that_comes_later_is_not_for_them_either(team: CutTeam) -> None:
    team.take("Ann", team.drawing(0))
    task = team.add(item(team.videos[0].id))
    assert team.rule("Ann", task) is ClaimRule.EXCLUDED
    assert team.rule("Ben", task) is None
    (event,) = [e for e in team.work.history(task) if e.kind == "barred"]
    assert "beyond its cut" in event.text  # type: ignore[attr-defined]


def test_who_was_asked_up_to_the_cut_gets_no_task_that_shows_more(team: CutTeam) -> None:
    task = team.add(item(team.videos[0].id))
    team.take("Ann", task)
    assert team.rule("Ann", team.drawing(0)) is ClaimRule.EXCLUDED
    assert team.rule("Ann", team.drawing(1)) is None


def test_a_recipe_can_switch_this_off(tmp_path: Path) -> None:
    team = CutTeam(tmp_path, "keeps_cut_apart = false\n" + CUT)
    task = team.add(item(team.videos[0].id))
    team.take("Ann", team.drawing(0))
    assert team.rule("Ann", task) is None
    team.project.close()


def test_nobody_checks_what_they_answered_or_what_it_was_made_from(tmp_path: Path) -> None:
    team = CutTeam(tmp_path, recipe() + CHECK)
    team.people["Rev"] = team.work.people.add("Rev", (Role.REVIEWER,))
    first = item(team.videos[0].id)
    task = team.add(first)
    for name in ("Ann", "Ben"):
        team.hand_in(name, task)
    team.lead_again()

    def made_from_items(source: Item) -> Item:
        about = {"made": "test", "item": str(source.id)}
        return Item(item_id(), "check", first.video_ids, "Is it right?", source=about)

    second = made_from_items(first)
    check = team.add(second)
    assert [team.rule(n, check) for n in ("Ann", "Ben", "Cleo")] == [ClaimRule.EXCLUDED] * 2 + [
        None
    ]
    # What comes back to be checked again is checked by the same people, not by the authors.
    team.take("Cleo", check)
    again = team.add(made_from_items(second))
    excluded = team.work.transactions.record(again).excluded
    assert {n for n in ("Ann", "Ben", "Cleo") if team.people[n].id in excluded} == {"Ann", "Ben"}
    assert team.people["Ann"].id in team.work.transactions.record(check).excluded
