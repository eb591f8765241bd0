"""A rater's day in a project with people: sign in, claim, draw, submit; what else can happen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QDockWidget

from annotator.domain.annotation.comment import Pin
from annotator.domain.ids import PersonId, TaskId
from annotator.domain.people import Role
from annotator.domain.work.records import AssignmentState, Reason, Verdict, VerdictKind
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.project.recipes import shipped_recipe
from annotator.services.session import Session
from annotator.services.workflow.work import Work
from annotator.ui.dialogs.reason_dialog import ReasonDialog
from annotator.ui.shell.main_window import MainWindow
from annotator.ui.shell.rater_features import Rater
from annotator.ui.work.guideline_panels import ChecklistPanel, GuidelinesPanel
from annotator.ui.work.submit import SubmitDialog
from annotator.ui.work.task_actions import ChooseDialog
from tests.e2e.answering import answering
from tests.e2e.conftest import Desktop
from tests.e2e.review_team import KIND, Team, make_team

ENTER, CTRL = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
PIN = "2468"


@pytest.fixture
def team(tmp_path: Path, clip: Path) -> Team:
    team = make_team(tmp_path, clip, ("Ann", "Ben"))
    project = open_project(team.path)
    project.work.people.set_pin(team.people["Ben"], PIN)
    second = tmp_path / "second.mp4"
    second.write_bytes(clip.read_bytes() + bytes(1))
    assert len(project.add_videos([second]).added) == 1
    project.close()
    return team


@pytest.fixture
def rater(desktop: Desktop, team: Team) -> Desktop:
    """Ann has signed in and sees her work."""
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    _sign_in(desktop, "Ann")
    window.activateWindow()
    desktop.qtbot.waitUntil(window.isActiveWindow)
    return desktop


def _sign_in(desktop: Desktop, name: str, pin: str = "") -> None:
    assert desktop.window.assembly.pages.start is not None
    page = desktop.window.assembly.pages.start.sign_in
    assert page.isVisible()
    (item,) = page.list.findItems(name, Qt.MatchFlag.MatchStartsWith)
    page.list.setCurrentItem(item)
    if pin:
        QTest.keyClicks(page.pin, pin)
    QTest.keyClick(page.pin if pin else page.list, ENTER)


def _rater(window: MainWindow) -> Rater:
    assert window.assembly.rater.checklist is not None
    return window.assembly.rater


def _work(window: MainWindow) -> Work:
    assert window.context.workspace.project is not None
    return window.context.workspace.project.work


def _claim(desktop: Desktop) -> TaskId:
    """Take the next task by the key of the first page."""
    start = desktop.window.assembly.pages.start
    assert start is not None
    assert start.mine.isVisible()
    desktop.window.context.updates.refresh()
    QTest.keyClick(start.mine, ENTER, CTRL)
    desktop.settle()
    task_id = desktop.window.context.workspace.task_id
    assert task_id is not None
    return task_id


def _do(project: OpenProject, person_id: PersonId, stage: str) -> Session:
    """Let somebody take the next task of boxes at a stage."""
    project.work.people.sign_in(person_id)
    record = project.work.claim_next(KIND, stage)
    assert record is not None
    return project.open_task(record.id)


def _ok(dialog: SubmitDialog | ReasonDialog | ChooseDialog) -> None:
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()


def _give_reason(dialog: ReasonDialog) -> None:
    QTest.keyClicks(dialog.field, "Too dark.")
    _ok(dialog)


def test_claims_draws_and_submits(rater: Desktop) -> None:
    window, workspace = rater.window, rater.window.context.workspace
    task_id = _claim(rater)
    assert window.context.canvas.hasFocus()
    rater.draw((20, 60), (80, 120))
    live = window.context.panels.live
    rater.qtbot.waitUntil(lambda: any(f.code == "unchecked-grid" for f in live.findings))

    def look(dialog: SubmitDialog) -> None:
        words = [dialog.list.item(i).text() for i in range(dialog.list.count())]
        assert "Every object the hand touches has a track." in words
        assert any(word.startswith("Unchecked grid frames") for word in words)
        assert (
            dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
            .text()
            .startswith("Submit with ")
        )
        row = next(i for i, word in enumerate(words) if word.startswith("Unchecked grid frames"))
        dialog.list.setCurrentRow(row)
        dialog.go_to()

    with answering(SubmitDialog, look):
        rater.run("task.submit")
    rater.settle()
    assert workspace.frame == 30
    assert _work(window).record(task_id).stage == "annotate"

    with answering(SubmitDialog, _ok):
        rater.run("task.submit")
    assert _work(window).record(task_id).stage == "check"
    assert workspace.task_id is None
    assert window.assembly.pages.start is not None
    assert window.assembly.pages.start.mine.isVisible()
    assert "Submitted" in window.context.middle.toast.text()


def test_a_pin_is_asked_for_and_who_was_here_last_is_chosen(desktop: Desktop, team: Team) -> None:
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    _sign_in(desktop, "Ben", "0000")
    start = window.assembly.pages.start
    assert start is not None
    assert window.context.workspace.person is None
    assert "The PIN is incorrect." in start.sign_in.refused.text()
    _sign_in(desktop, "Ben", PIN)
    assert window.context.workspace.person is not None
    assert window.context.workspace.person.name == "Ben"
    assert start.mine.name.text() == "Ben"
    window.context.updates.refresh()
    window.context.table.run("person.change")
    assert start.sign_in.isVisible()
    chosen = start.sign_in.chosen()
    assert chosen is not None
    assert chosen.name == "Ben"
    assert window.focusWidget() is start.sign_in.list, "a name that is typed is no PIN"


def test_among_many_a_name_is_typed(desktop: Desktop, team: Team) -> None:
    project = open_project(team.path)
    for i in range(12):
        project.work.people.add(f"Rater {i}", (Role.RATER,))
    project.close()
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    assert window.assembly.pages.start is not None
    page = window.assembly.pages.start.sign_in
    assert page.filter.isVisible()
    QTest.keyClicks(page.filter, "rater 1")
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    chosen = page.chosen()
    assert chosen is not None
    assert chosen.name == "Rater 10"
    QTest.keyClicks(page.filter, "nobody")
    assert page.refused.text() == "No person has this name. A project lead can add you."
    assert not page.list.isVisible()
    assert page.chosen() is None
    assert not page.button.isEnabled()
    page.filter.setText("rater 7")
    assert page.list.isVisible()
    assert not page.refused.isVisible()
    QTest.keyClick(page.filter, ENTER)
    assert window.context.workspace.person is not None
    assert window.context.workspace.person.name == "Rater 7"


def test_gives_back_skips_and_steps_through_what_is_in_hand(rater: Desktop) -> None:
    window = rater.window
    first = _claim(rater)
    rater.run("task.next")
    rater.settle()
    second = window.context.workspace.task_id
    assert second not in (None, first)
    assert set(window.context.panels.tasks.ids()) == {first, second}
    rater.run("task.release")
    assert window.context.workspace.task_id is None
    with answering(ReasonDialog, _give_reason):
        assert window.assembly.pages.start is not None
        window.assembly.pages.start.mine.openWanted.emit(first)
        rater.settle()
        rater.run("task.skip")
    states = {t: _work(window).record(t).assignments[0].state for t in (first, second) if t}
    assert list(states.values()) == [AssignmentState.SKIPPED, AssignmentState.RELEASED]
    rater.qtbot.waitUntil(lambda: window.context.panels.tasks.ids() == [])


def test_what_is_locked_says_why_and_who_can_help(rater: Desktop) -> None:
    window = rater.window
    task_id = _claim(rater)
    rater.draw((20, 60), (80, 120))
    with answering(SubmitDialog, _ok):
        rater.run("task.submit")
    start = window.assembly.pages.start
    assert start is not None
    mine = start.mine
    title, exactly = "Recently submitted", Qt.MatchFlag.MatchExactly
    rater.qtbot.waitUntil(lambda: bool(mine.list.findItems(title, exactly)), timeout=20_000)
    row = mine.list.item(mine.list.count() - 1)
    assert row.text().endswith("Object tracks · Annotate")
    mine.list.itemActivated.emit(row)
    rater.settle()
    assert window.context.workspace.task_id == task_id
    assert window.context.workspace.session is not None
    assert len(window.context.workspace.session.document.tracks) == 1
    strip = _rater(window).lock
    assert strip.isVisible()
    lead = next(p for p in _work(window).people.all() if p.has(Role.LEAD))
    assert f"A lead can reopen it: {lead.name}." in strip.label.text()
    assert not strip.reopen.isVisible()
    assert not window.context.workspace.can_edit
    window.context.workspace.sign_in(lead.id)
    window.context.tasks.open_task_or_explain(task_id)
    rater.settle()
    assert strip.reopen.isVisible()
    with answering(ReasonDialog, _give_reason):
        rater.run("task.reopen")
    record = _work(window).record(task_id)
    assert (record.stage, len(record.holders)) == ("annotate", 1)


def test_a_lost_task_can_be_taken_up_again(rater: Desktop) -> None:
    window = rater.window
    task_id = _claim(rater)
    rater.draw((20, 60), (80, 120))
    _work(window).release(task_id)
    strip = _rater(window).lock
    rater.qtbot.waitUntil(strip.isVisible)
    assert "You have released this task." in strip.label.text()
    assert not window.context.workspace.can_edit
    rater.run("task.claim")
    rater.settle()
    assert window.context.workspace.can_edit
    assert not strip.isVisible()
    assert window.context.workspace.session is not None
    assert len(window.context.workspace.session.document.tracks) == 1


def test_guidelines_come_and_go_by_a_key_and_the_checklist_is_remembered(rater: Desktop) -> None:
    window = rater.window
    _claim(rater)
    panel = window.context.docks.show("guidelines")
    assert isinstance(panel, GuidelinesPanel)
    rater.qtbot.waitUntil(lambda: window.context.docks.is_shown("guidelines"))
    assert "Track every object" in panel.view.toPlainText()
    rater.press("F2")
    assert not panel.isVisible()
    rater.press("F2")
    assert panel.isVisible()
    points = window.context.docks.show("checklist")
    assert isinstance(points, ChecklistPanel)
    checked = [i for i in _rater(window).checklist.items if i.finding]
    assert checked
    assert not any(i.is_done for i in checked), "nothing is annotated yet"
    row = points.list.item(0)
    row.setCheckState(Qt.CheckState.Checked)
    assert _rater(window).checklist.items[0].is_ticked
    task_id = window.context.workspace.task_id
    assert task_id is not None
    window.context.tasks.show_mine()
    window.context.tasks.open_task_or_explain(task_id)
    assert _rater(window).checklist.items[0].is_ticked
    rater.draw((20, 60), (80, 120))

    def is_counted() -> bool:
        return any(
            i.finding == "unchecked-grid" and i.count for i in _rater(window).checklist.items
        )

    rater.qtbot.waitUntil(is_counted)
    at = [i.finding for i in _rater(window).checklist.items].index("unchecked-grid")
    rater.qtbot.waitUntil(lambda: "open" in points.list.item(at).text())
    points.list.itemActivated.emit(points.list.item(at))
    rater.settle()
    assert window.context.workspace.frame == 30
    session = window.context.workspace.session
    assert session is not None
    session.follow_workflow(is_submitted=True)
    points.refresh()
    may_tick = [points.list.item(i).flags() & Qt.ItemFlag.ItemIsUserCheckable for i in range(2)]
    assert not any(may_tick)
    assert points.list.item(0).checkState() == Qt.CheckState.Checked


def test_no_width_of_the_checklist_cuts_its_words(rater: Desktop) -> None:
    _claim(rater)
    panel = rater.window.context.docks.show("checklist")
    assert isinstance(panel, ChecklistPanel)
    rows = panel.list
    for width in range(150, 330):
        rows.resize(width, 160)
        rows.doItemsLayout()
        ends = [rows.visualItemRect(rows.item(i)).right() for i in range(rows.count())]
        assert len(ends) > 4
        assert max(ends) < rows.viewport().width(), width


def test_time_is_counted_while_there_is_life(rater: Desktop) -> None:
    window = rater.window
    task_id = _claim(rater)
    clock = [1_900_000_000_000]
    _work(window).transactions.now = lambda: clock[0]
    life = _rater(window).life
    life.follow()
    before = _work(window).active_seconds(task_id)

    def pass_by(seconds: float) -> float:
        clock[0] += round(seconds * 1000)
        life.look()
        return round(_work(window).active_seconds(task_id) - before, 6)

    assert pass_by(20) == 20
    assert pass_by(20) == 30
    rater.press("F")
    assert pass_by(5) == 30
    assert pass_by(5) == 35
    front = QApplication.focusWindow()
    assert isinstance(front, QWindow)
    key = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Shift, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(front, key)
    pass_by(1)
    assert pass_by(29) == 65
    life._on_focus_window_changed(None)
    pass_by(1)
    assert pass_by(500) == 66
    life._on_focus_window_changed(front)
    assert window.assembly.header.timer.isVisible()


def test_a_lease_that_ends_is_told_of_and_kept_by_going_on(rater: Desktop) -> None:
    window = rater.window
    task_id = _claim(rater)
    life, work = _rater(window).life, _work(window)
    lease = work.record(task_id).holders[0].lease_until
    assert lease is not None
    now = [lease - 300_000]
    work.transactions.now = lambda: now[0]
    life.look()
    (warning,) = window.context.banners.texts()
    assert "Your claim on this task expires at" in warning
    now[0] += 60_000
    rater.press("F")
    life.look()
    renewed = work.record(task_id).holders[0].lease_until
    assert renewed is not None
    assert renewed > lease
    life.look()
    assert window.context.banners.texts() == []


def test_feedback_stays_until_it_is_understood(desktop: Desktop, team: Team) -> None:
    project = open_project(team.path)
    project.work.lead.tell("Mind the handles.", to=team.people["Ann"])
    project.close()
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    _sign_in(desktop, "Ann")
    assert window.assembly.pages.start is not None
    mine = window.assembly.pages.start.mine
    (card,) = mine._cards
    card.button.click()
    desktop.qtbot.waitUntil(lambda: mine._cards == [])


def test_where_one_may_choose_what_waits_is_listed(
    desktop: Desktop, tmp_path: Path, clip: Path
) -> None:
    team = make_team(tmp_path, clip, ("Ann", "Ben"))
    project = open_project(team.path)
    text = shipped_recipe("perception-test").replace("version = 1", "version = 2", 1)
    project.work.use_recipe(text.replace('key = "annotate"', 'key = "annotate"\nmay_choose = true'))
    project.close()
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    _sign_in(desktop, "Ann")

    def choose(dialog: ChooseDialog) -> None:
        dialog.filter.setText("no such video")
        assert dialog.chosen() is None
        dialog.filter.setText("")
        _ok(dialog)

    assert window.assembly.pages.start is not None
    with answering(ChooseDialog, choose):
        window.assembly.pages.start.chooseWanted.emit(KIND, "annotate")
    desktop.settle()
    assert window.context.workspace.can_edit


def test_what_was_sent_back_says_why_and_leads_there(desktop: Desktop, team: Team) -> None:
    key, *_ = team.annotated()
    project = open_project(team.path)
    lead = project.work.me
    assert lead is not None
    session = _do(project, lead.id, "check")
    project.work.submit(session)
    project.work.people.add("Cleo", (Role.REVIEWER,))
    cleo = project.work.people.all()[-1]
    session = _do(project, cleo.id, "verify")
    reason = Reason("Look <b>here</b>.", Pin(frame=40, track_id=key))
    project.work.submit(session, Verdict(VerdictKind.SEND_BACK, (reason,)))
    project.close()
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    _sign_in(desktop, "Ben", PIN)
    _claim(desktop)
    strip = _rater(window).returned
    assert strip.isVisible()
    assert "Look &lt;b&gt;here&lt;/b&gt;." in strip.label.text()
    strip.label.linkActivated.emit("0")
    desktop.settle()
    assert window.context.workspace.frame == 40
    assert window.context.workspace.selection.primary == key


def test_a_plain_project_has_none_of_it(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    window = desktop.window
    assert window.assembly.pages.start is None
    assert window.context.workspace.task_role is None
    names = {dock.objectName() for dock in window.findChildren(QDockWidget)}
    assert names & {"guidelines", "checklist"} == set()
    assert window.assembly.rater.checklist is None
    assert not window.assembly.header.timer.isVisible()
    assert not window.context.panels.tasks.mine.isVisible()
    assert not window.context.panels.tasks.list.isHidden()
    for action_id in ("work.mine", "person.change", "task.skip", "task.release"):
        assert not window.context.table.action(action_id).isEnabled()


def test_people_and_plain_projects_follow_each_other(
    rater: Desktop, project: Path, team: Team
) -> None:
    window = rater.window
    dock = window.findChild(QDockWidget, "guidelines")
    assert isinstance(dock, QDockWidget)
    assert not dock.isVisible(), "it is about a task, and none is open"
    assert not window.findChild(QDockWidget, "tasks").isVisible(), "the page lists the tasks"
    _claim(rater)
    assert dock.isVisible()
    rater.open(project)
    assert not dock.isVisible()
    assert not dock.toggleViewAction().isVisible()
    assert window.context.projects.open_path(team.path)
    _sign_in(rater, "Ann")
    rater.qtbot.waitUntil(lambda: dock.isVisible() == (window.context.workspace.stage is not None))
    if window.context.workspace.stage is None:
        _claim(rater)
    assert dock.isVisible()


def test_a_project_of_one_person_asks_nobody(desktop: Desktop, tmp_path: Path, clip: Path) -> None:
    made = create_project(tmp_path / "alone", title="Alone", recipe="perception-test")
    made.add_videos([clip])
    made.close()
    assert desktop.window.context.projects.open_path(made.path)
    assert desktop.window.assembly.pages.start is not None
    assert desktop.window.assembly.pages.start.mine.isVisible()
    _claim(desktop)
