"""A lead grades tests in the window and lets people begin anew; a rater sees what came of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QTableWidget

from annotator.domain.ids import PersonId
from annotator.domain.questions.items.item import Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.work.records import TaskStatus
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.people.grading_page import GradingPage
from annotator.ui.work.my_work import OwnTests
from tests.e2e.conftest import Desktop
from tests.services.questions.question_team import QuestionTeam, item
from tests.services.questions.test_qualification import TESTED, check

TEXT = TESTED.replace(
    'requires = ["answer-test"]', 'requires = ["answer-test"]\nattention = { every = 3 }'
)


@pytest.fixture
def team(tmp_path: Path) -> QuestionTeam:
    """Ann has handed in a test of two questions; Ben is kept from the work."""
    made = QuestionTeam(tmp_path, n_videos=2, text=TEXT)
    facts = {"kind": "writing-test", "purpose": Purpose.QUALIFICATION, "options": ()}
    video = made.videos[0].id
    task = made.add(*(replace(item(video, text), **facts) for text in ("Why?", "How?")))
    made.project.qualification.add_checks([check(1)])
    session, question_set = made.as_("Ann", task)
    for each in question_set.items:
        session.run(question_set.answer(each.id, "why", f"{each.text} Because."))
    made.work.submit(session)
    made.lead_again()
    ben = made.people["Ben"].id
    made.project.qualification.set_status(
        ben, "questions", QualificationStatus.SUSPENDED, "in a hurry"
    )
    made.project.close()
    return made


def _open(desktop: Desktop, team: QuestionTeam) -> GradingPage:
    window = desktop.window
    assert window.context.projects.open_path(team.project.path)
    window.context.workspace.sign_in(team.people["lead"].id)
    desktop.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    lead.show_page(lead.grading)
    desktop.qtbot.waitUntil(lambda: lead.grading.people.rowCount() > 0, timeout=10_000)
    return lead.grading


def _project(desktop: Desktop) -> OpenProject:
    project = desktop.window.context.workspace.project
    assert project is not None
    return project


def _shown(table: QTableWidget) -> list[list[str]]:
    return [
        [table.item(y, x).text() for x in range(table.columnCount())]
        for y in range(table.rowCount())
    ]


def _own(desktop: Desktop, person: PersonId) -> list[str]:
    """Return what stands on somebody's first page of tests and of work that has ended."""
    window = desktop.window
    window.context.workspace.sign_in(person)
    window.context.tasks.show_mine()
    desktop.qtbot.waitUntil(lambda: bool(window.findChildren(OwnTests)), timeout=10_000)
    (found,) = window.findChildren(OwnTests)
    desktop.qtbot.waitUntil(found.isVisible, timeout=10_000)
    return [label.text() for label in found.findChildren(QLabel) if label in found.texts]


def test_grades_are_given_together_and_the_person_reads_them(
    desktop: Desktop, team: QuestionTeam
) -> None:
    page = _open(desktop, team)
    assert [row[:3] for row in _shown(page.tests)] == [["Ann", "Writing", "1"]]
    assert [each.lines[0].text() for each in page.items] == [
        "Why? Why? Because.",
        "Why? How? Because.",
    ]
    assert not page.give.isEnabled()
    page.tests.setFocus()
    QTest.keyClicks(page.tests, "4")
    assert page.items[0].grade == 4
    assert page.items[1].isAncestorOf(QApplication.focusWidget())
    assert page.mean.text() == "Mean 4"
    QTest.keyClicks(page.items[1], "1")
    assert page.give.hasFocus()
    assert [each.grade for each in page.items] == [4, 1]
    assert page.mean.text() == "Mean 2.5"
    page.note.setText("Say what you see.")
    page.give.click()
    desktop.qtbot.waitUntil(lambda: page.none.isVisible(), timeout=10_000)
    row = next(row for row in _shown(page.people) if row[:2] == ["Ann", "Writing"])
    assert (row[2], row[3], row[6]) == ("failed", "2.5", "Say what you see.")
    assert page.items == []
    assert not page.give.isEnabled()
    assert _own(desktop, team.people["Ann"].id) == [
        "Pass “Test” to unlock “Questions”.",
        "“Writing”: not passed, grade 2.5 (required: 3). 1 attempt left.\nSay what you see.",
    ]
    told = _project(desktop).work.my_work().feedback[0].text
    assert "mean grade 2.5 of 4" in told


def test_who_is_kept_out_reads_so_and_may_be_let_in_again(
    desktop: Desktop, team: QuestionTeam
) -> None:
    ben = team.people["Ben"].id
    page = _open(desktop, team)
    row = next(i for i, row in enumerate(_shown(page.people)) if row[0] == "Ben")
    assert _shown(page.people)[row][1:3] == ["Questions", "suspended"]
    page.people.selectRow(row)
    assert page.anew.isEnabled()
    assert not page.keep.isEnabled()
    page.why.setText("We talked.")
    page.anew.click()
    desktop.qtbot.waitUntil(lambda: _shown(page.people)[0][2] == "reset", timeout=10_000)
    assert _shown(page.people)[0][6] == "We talked."
    assert (
        _project(desktop).qualification.status_history(ben)[-1].state is QualificationStatus.CLEARED
    )
    page.people.selectRow(0)
    page.keep.click()
    desktop.qtbot.waitUntil(lambda: page.anew.isEnabled(), timeout=10_000)
    texts = _own(desktop, ben)
    assert texts[-1].startswith("“Questions”: you are suspended from these tasks")


def test_the_lead_looks_at_the_answers_of_the_person(desktop: Desktop, team: QuestionTeam) -> None:
    page = _open(desktop, team)
    project = _project(desktop)
    task_id = page._waiting[0].task_id
    project.work.people.sign_in(team.people["Cleo"].id)
    session = project.open_task(task_id)
    question_set = project.questions.question_set(session)
    for each in question_set.items:
        session.run(question_set.answer(each.id, "why", "Something else."))
    project.work.submit(session)
    project.work.people.sign_in(team.people["lead"].id)
    page.read_now()
    desktop.qtbot.waitUntil(lambda: page.tests.rowCount() == 2, timeout=10_000)
    for row, says in ((0, "Why? Because."), (1, "Something else.")):
        page.tests.selectRow(row)
        page.look.click()
        asking = desktop.window.assembly.questions.asking
        assert asking.values() == {"why": says}
        assert not asking.can_answer


def test_what_waits_for_a_grade_says_so(desktop: Desktop, team: QuestionTeam) -> None:
    _open(desktop, team)
    texts = _own(desktop, team.people["Ann"].id)
    assert texts[1] == "“Writing”: submitted, awaiting grade."


def test_votes_of_a_suspended_person_are_voided_after_a_look_at_what_changes(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = QuestionTeam(tmp_path)
    task = team.add(item(team.videos[0].id, "One"))
    for name in ("Ann", "Ben"):
        team.hand_in(name, task)
    team.lead_again()
    ben = team.people["Ben"].id
    team.project.qualification.set_status(
        ben, "questions", QualificationStatus.SUSPENDED, "careless"
    )
    team.project.close()
    page = _open(desktop, team)
    work = _project(desktop).work
    assert work.record(task).status is TaskStatus.COMPLETE
    page.people.selectRow(0)
    page.void.click()
    assert page.why.text() == ""  # without a reason nothing is asked
    page.why.setText("He clicked through.")
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(box.informativeText())
        go = next(button for button in box.buttons() if button.text() == "Void votes")
        choice = go if len(asked) > 1 else box.defaultButton()
        monkeypatch.setattr(QMessageBox, "clickedButton", lambda _: choice)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    page.void.click()
    desktop.qtbot.waitUntil(lambda: len(asked) == 1, timeout=10_000)
    desktop.qtbot.waitUntil(lambda: not desktop.window.context.workspace.is_at_work, timeout=10_000)
    assert work.record(task).status is TaskStatus.COMPLETE
    page.void.click()
    desktop.qtbot.waitUntil(
        lambda: work.record(task).status is not TaskStatus.COMPLETE, timeout=10_000
    )
    assert "of 1 items keep their answer" in asked[0]
    assert work.record(task).open_slots == 1
    desktop.qtbot.waitUntil(lambda: not desktop.window.context.workspace.is_at_work, timeout=10_000)
