"""A lead makes a study in the window, follows it, deals it again and writes its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies import studies
from annotator.ui.lead.statistics.charts import INTERVAL_ROLE
from annotator.ui.lead.studies.page import StudiesPage
from annotator.ui.lead.studies.study_dialogs import PeopleList, ReassignStudyDialog, StudyDialog
from tests.e2e.conftest import Desktop
from tests.services.questions.question_team import QuestionTeam
from tests.services.questions.study_team import answer_all, participants, question_team


def _page(desktop: Desktop, team: QuestionTeam) -> StudiesPage:
    team.lead_again()
    team.project.close()
    window = desktop.window
    assert window.context.projects.open_path(team.project.path)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)
    desktop.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    lead.show_page(lead.studies)
    return lead.studies


def _project(desktop: Desktop) -> OpenProject:
    project = desktop.window.context.workspace.project
    assert project is not None
    return project


def _tick(people: PeopleList, name: str, *, is_ticked: bool) -> None:
    (item,) = [
        people.item(i)
        for i in range(people.count())
        if people.item(i).text().startswith(f"{name} ")
    ]
    item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)


def test_a_study_is_made_followed_and_written(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = question_team(tmp_path)
    participants(team, 4)
    page = _page(desktop, team)
    wait = desktop.qtbot.waitUntil
    wait(lambda: page.kinds.count() == 1 and page.empty.isVisible(), timeout=20_000)
    assert (
        "No studies yet. In a human-baseline study, independent people answer resolved items, so"
        in page.empty.text()
    )
    assert not page.of_one.isVisible()
    told: list[str] = []

    def ask(dialog: StudyDialog) -> bool:
        ok = dialog.buttons.buttons()[0]
        wait(lambda: ok.isEnabled(), timeout=20_000)
        told.append(dialog.word.text())
        _tick(dialog.people, "Guest 0", is_ticked=False)
        assert not ok.isEnabled()
        wait(lambda: "One more independent person" in dialog.word.text(), timeout=20_000)
        assert not ok.isEnabled()
        _tick(dialog.people, "Guest 0", is_ticked=True)
        dialog.name.setText("Spring")
        wait(lambda: ok.isEnabled(), timeout=20_000)
        assert [c.key for c in dialog.wish().conditions] == ["sound", "muted"]
        dialog.done(1)
        return True

    monkeypatch.setattr(StudyDialog, "ask", ask)
    page.new.click()
    wait(lambda: page.of_one.isVisible(), timeout=20_000)
    assert told == ["3 items × 4 answers = 12 = 4 people × 3"]
    assert page.status_label.text() == "0 of 12 answers to 3 items"
    assert not page.empty.isVisible()
    project = _project(desktop)
    (study,) = studies.studies(project)
    lead = project.work.me
    assert lead is not None
    for person in study.wish.people:
        answer_all(project, person, lambda _, __, is_muted: "o2" if is_muted else "o1")
    desktop.window.context.workspace.sign_in(lead.id)
    reopened = _again(desktop)
    wait(lambda: reopened.status_label.text().startswith("12 of 12"), timeout=20_000)
    shown = [
        [reopened.results.table.item(y, x).text() for x in range(7)]
        for y in range(reopened.results.table.rowCount())
    ]
    numbers = ["100.0% (69–100)", "100.0% (53–100)", "1.5 s", "3", "6"]
    assert ["all", "With sound", *numbers] in shown
    assert ["all", "all", "50.0% (29–71)", "–", "1.5 s", "3", "12"] in shown
    marks = [reopened.results.table.item(y, 2).data(INTERVAL_ROLE) for y in range(len(shown))]
    assert any(mark == pytest.approx((0.5, 0.286, 0.714), abs=1e-3) for mark in marks)
    assert any(row[:2] == ["Area: Memory", "Without sound"] for row in shown)
    # What stands for a number that is not known stands where the numbers do.
    places = {reopened.results.table.item(y, 3).textAlignment() for y in range(len(shown))}
    assert places == {reopened.results.table.item(0, 2).textAlignment()}
    assert reopened.people.table.rowCount() == 4
    out = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(out))
    reopened.write.click()
    wait(lambda: (out / "study.json").exists(), timeout=20_000)


def _again(desktop: Desktop) -> StudiesPage:
    """Bring the lead dashboard to the front again: others were at the keyboard meanwhile."""
    desktop.run("lead.board")
    lead = desktop.window.assembly.lead_actions.window
    assert lead is not None
    lead.show_page(lead.studies)
    return lead.studies


def test_it_is_dealt_again_and_says_so_without_a_study_kind(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = question_team(tmp_path)
    people = participants(team, 4)
    (newcomer,) = participants(team, 1, first=9)
    team.lead_again()
    studies.make_study(team.project, studies.wish_for(team.project, "people", "Spring", people))
    page = _page(desktop, team)
    wait = desktop.qtbot.waitUntil
    wait(lambda: page.of_one.isVisible(), timeout=20_000)

    def ask(dialog: ReassignStudyDialog) -> bool:
        assert dialog.people.chosen() == tuple(people)
        _tick(dialog.people, "Guest 0", is_ticked=False)
        _tick(dialog.people, "Guest 9", is_ticked=True)
        return True

    monkeypatch.setattr(ReassignStudyDialog, "ask", ask)
    page.reassign.click()
    project = _project(desktop)
    wait(
        lambda: len(studies.plans_of(project, studies.studies(project)[0].id)) == 2, timeout=20_000
    )
    assert newcomer in studies.studies(project)[0].wish.people
    assert people[0] not in studies.studies(project)[0].wish.people


def test_a_recipe_without_studies_says_so(desktop: Desktop, tmp_path: Path) -> None:
    page = _page(desktop, QuestionTeam(tmp_path))
    desktop.qtbot.waitUntil(lambda: "no study" in page.empty.text(), timeout=20_000)
    assert not page.new.isEnabled()


def test_items_of_one_group_may_be_kept_with_different_people(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = question_team(tmp_path, group="one")
    participants(team, 4)
    page = _page(desktop, team)
    wait = desktop.qtbot.waitUntil
    wait(lambda: page.kinds.count() == 1 and page.empty.isVisible(), timeout=20_000)
    told: list[str] = []

    def ask(dialog: StudyDialog) -> bool:
        ok = dialog.buttons.buttons()[0]
        wait(lambda: ok.isEnabled(), timeout=20_000)
        assert not dialog.apart.isChecked()
        dialog.apart.setChecked(True)
        wait(lambda: "more independent people" in dialog.word.text(), timeout=20_000)
        told.append(dialog.word.text())
        assert not ok.isEnabled()
        assert dialog.wish().is_apart
        dialog.done(0)
        return False

    monkeypatch.setattr(StudyDialog, "ask", ask)
    page.new.click()
    wait(lambda: bool(told), timeout=20_000)
    # Three items of one group, four answers each: twelve people, and there are four.
    assert told == [
        "3 items × 4 answers = 12\n"
        "8 more independent people are needed.\n"
        "Each person answers at most one item per group."
    ]
