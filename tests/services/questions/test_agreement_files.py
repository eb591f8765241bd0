"""Figures of answers: of decided tasks alone, by hand-counted cases, and as tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.errors import UserError, WorkError
from annotator.domain.ids import TaskId
from annotator.domain.questions.items.item import ItemState, Purpose
from annotator.domain.study.results import wilson
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.questions.agreement import agreement_files
from tests.services.questions.question_team import QuestionTeam, item, recipe

PICKED = """key = "seen"
title = "Seen?"
kind = "choice"
options = [{ key = "yes", text = "Yes" }, { key = "no", text = "No" }]"""
FEW = Bootstrap(draws=20, seed=3)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, n_videos=3)
    yield made
    made.project.close()


def token() -> JobToken:
    return JobToken(lambda _fraction, _text: None)


def two_tasks(team: QuestionTeam) -> list[TaskId]:
    """One that everybody is asked the same in, and one about another area."""
    one, two = (video.id for video in team.videos[:2])
    return [
        team.add(
            item(one, "What is it?", area="Physics", tags=("motion", "causality")),
            item(one, "Who?", area="Memory"),
        ),
        team.add(item(two, "What is it?", area="Physics", tags=("motion",))),
    ]


def shares(team: QuestionTeam, *, by_item: bool = False) -> dict[tuple[str, str], float | None]:
    """The percent agreement on what was picked, by group and name."""
    found = agreement_files.agreement_of(team.project, "questions", token(), FEW, by_item=by_item)
    return {
        (f.by, f.name): f.value
        for f in found
        if (f.field, f.method) == ("which", "percent-agreement")
    }


def test_agreement_is_that_of_the_answers_by_rater_question_area_and_item(
    team: QuestionTeam,
) -> None:
    first, second = two_tasks(team)
    for name, pick in (("Ann", "o1"), ("Ben", "o2"), ("Cleo", "o2")):
        team.hand_in(name, first, pick)
    for name in ("Ann", "Ben"):
        team.hand_in(name, second, "o0")
    team.lead_again()
    found = shares(team, by_item=True)
    # Two items with one pair of three alike, one with its only pair alike.
    assert found["", ""] == pytest.approx((1 / 3 + 1 / 3 + 1) / 3)
    assert found["question", "What is it?"] == pytest.approx((1 / 3 + 1) / 2)
    assert found["area", "Memory"] == pytest.approx(1 / 3)
    assert found["tag", "motion"] == pytest.approx((1 / 3 + 1) / 2)
    assert found["tag", "causality"] == pytest.approx(1 / 3)
    assert ("question", "Who?") not in found
    cleo = team.people["Cleo"].id
    assert found["rater", cleo] == pytest.approx(1 / 2)
    assert len([by for by, _ in found if by == "item"]) == 3


def test_nobody_reads_answers_of_tasks_that_are_not_decided(team: QuestionTeam) -> None:
    first, second = two_tasks(team)
    team.hand_in("Ann", first)
    team.hand_in("Ann", second)
    team.lead_again()
    before = agreement_files.agreement_of(team.project, "questions", token(), FEW)
    assert {estimate.inputs.votes for estimate in before} == {0}
    assert {each.raters for each in agreement_files.item_statistics(team.project, "questions")} == {
        0
    }
    # A tie asks for a third: two have answered, and nothing is decided yet.
    team.hand_in("Ben", first, "o2")
    team.hand_in("Ben", second)
    team.lead_again()
    assert [e.raters for e in agreement_files.item_statistics(team.project, "questions")] == [
        0,
        0,
        2,
    ]
    found = agreement_files.agreement_of(team.project, "questions", token(), FEW)
    whole = next(
        f for f in found if (f.field, f.by, f.method) == ("which", "", "percent-agreement")
    )
    assert (whole.inputs.units, whole.inputs.votes, whole.value) == (1, 2, 1.0)


def test_only_leads_are_told(team: QuestionTeam) -> None:
    team.work.people.sign_in(team.people["Ann"].id)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        agreement_files.agreement_of(team.project, "questions", token())
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        agreement_files.known_answers(team.project, "questions")
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        agreement_files.item_statistics(team.project, "questions")


def test_known_answers_by_person(team: QuestionTeam) -> None:
    known = [
        item(team.videos[0].id, f"{i}", purpose=Purpose.GOLD, right={"which": (f"o{i}",)})
        for i in range(3)
    ]
    task = team.add(*known)
    team.hand_in("Ann", task, "o1")
    team.lead_again()
    (found,) = agreement_files.known_answers(team.project, "questions")
    assert (found.person_id, found.purpose) == (team.people["Ann"].id, Purpose.GOLD)
    assert (found.right, found.answers) == (1, 3)
    assert (found.low, found.high) == wilson(1, 3, 0.95)
    (row,) = agreement_files.gold_rows(team.project, "questions", [found])
    assert row[:5] == ("questions", "Ann", "gold", 1, 3)


def test_items_count_by_state_reason_and_time(team: QuestionTeam) -> None:
    two_tasks(team)
    task = team.add(item(team.videos[2].id, "Third"))
    out = team.questions.list()[0][1]
    team.questions.discard([out.id], "Nobody can see it.")
    for name in ("Ann", "Ben"):
        team.hand_in(name, task)
    team.lead_again()
    found = agreement_files.counts_of(team.project, "questions")
    assert found.states == {ItemState.OPEN: 2, ItemState.DECIDED: 1, ItemState.DISCARDED: 1}
    assert found.reasons == {"Nobody can see it.": 1}
    # 700 ms to the first answer and 900 ms to the last, since the item came up.
    assert (
        agreement_files.median_seconds(agreement_files.item_statistics(team.project, "questions"))
        == 0.9
    )


def test_tables_are_written_and_read_back(team: QuestionTeam, tmp_path: Path) -> None:
    first, second = two_tasks(team)
    for name in ("Ann", "Ben"):
        team.hand_in(name, first)
        team.hand_in(name, second)
    team.lead_again()
    written = agreement_files.write_agreement(team.project, tmp_path / "out", token(), FEW)
    tables = {}
    for name, n in written.counts.items():
        with (tmp_path / "out" / name).open(encoding="utf-8-sig", newline="") as file:
            tables[name] = list(csv.DictReader(file))
        assert len(tables[name]) == n
    rows = tables[agreement_files.AGREEMENT]
    whole = next(
        r for r in rows if (r["field"], r["by"], r["method"]) == ("which", "", "percent-agreement")
    )
    assert (whole["kind"], whole["value"], whole["votes"]) == ("questions", "1.0", "6")
    assert "draws=20" in whole["parameters"]
    assert {row["name"] for row in rows if row["by"] == "rater"} == {"Ann", "Ben"}
    assert [row["state"] for row in tables[agreement_files.ITEMS]] == ["decided"] * 3
    names = {video.id: video.name for video in team.videos}
    assert {(r["name"], r["id"]) for r in rows if r["by"] == "item"} == {
        (f"{item.text} ({names[item.video_ids[0]]})", item.id) for _, item in team.questions.list()
    }
    with pytest.raises(WorkError, match="Available task types:"):
        agreement_files.write_agreement(team.project, tmp_path, token(), FEW, "tracks")


def test_figures_are_the_same_again_and_stop_when_told(team: QuestionTeam) -> None:
    first, _ = two_tasks(team)
    for name in ("Ann", "Ben"):
        team.hand_in(name, first)
    team.lead_again()
    one, other = (
        agreement_files.agreement_of(team.project, "questions", token(), FEW) for _ in range(2)
    )
    assert one == other
    stopped = token()
    stopped.cancel()
    with pytest.raises(CanceledError):
        agreement_files.agreement_of(team.project, "questions", stopped, FEW)


def test_a_folder_that_cannot_be_made_is_told(team: QuestionTeam, tmp_path: Path) -> None:
    team.lead_again()
    taken = tmp_path / "taken"
    taken.write_text("here")
    with pytest.raises(UserError, match="cannot be created:"):
        agreement_files.write_agreement(team.project, taken, token(), FEW)


def test_answers_under_another_kind_of_field_are_left_out(team: QuestionTeam) -> None:
    first, _ = two_tasks(team)
    for name in ("Ann", "Ben"):
        team.hand_in(name, first)
    team.lead_again()
    team.work.use_recipe(
        recipe(version=2).replace('key = "seen"\ntitle = "Seen?"\nkind = "truth"', PICKED)
    )
    found = agreement_files.agreement_of(team.project, "questions", token(), FEW)
    votes = {f.field: f.inputs.votes for f in found if not f.by}
    assert (votes["which"], votes["seen"]) == (4, 0)
