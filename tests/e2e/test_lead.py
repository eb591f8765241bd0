"""The lead dashboard in a real window: begin a project, hand out, look, count, tell."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMessageBox, QScrollArea
from pytestqt.qtbot import QtBot

from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.domain.people import Role
from annotator.domain.work.records import TaskStatus
from annotator.services.project.metadata import facts_of, import_metadata
from annotator.services.project.people import NewPerson
from annotator.services.project.projects import create_project, open_project
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.board.board_dialogs import AskDialog, AssignDialog, RoundDialog
from annotator.ui.lead.board.board_rows import BoardColumn
from annotator.ui.lead.board.page import BoardPage, ColumnMenu
from annotator.ui.lead.setup.new_project import NewProjectDialog
from annotator.ui.lead.setup.package_actions import PackageDialog
from annotator.ui.lead.window import LeadWindow
from tests.e2e.answering import answering
from tests.e2e.conftest import Desktop, make_clip

CLEO = "Cleo (reviewer)"


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("lead")
    return [make_clip(folder / f"clip {i}.mp4", shade=40 + 20 * i) for i in range(3)]


@pytest.fixture
def team(tmp_path: Path, clips: list[Path]) -> Path:
    """A project with stages: three videos, their tasks waiting, two raters and a reviewer."""
    made = create_project(tmp_path / "team", title="Team", recipe="perception-test")
    made.add_videos(clips)
    for name, roles in (
        ("Ann", (Role.RATER,)),
        ("Ben", (Role.RATER,)),
        ("Cleo", (Role.REVIEWER,)),
    ):
        made.work.people.add(name, roles)
    path = made.path
    made.close()
    return path


def _open(desktop: Desktop, path: Path) -> LeadWindow:
    """Open a project as its lead, and the lead dashboard on the board."""
    window = desktop.window
    assert window.context.projects.open_path(path)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)
    desktop.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    desktop.qtbot.waitUntil(lambda: lead.board.model.rowCount() > 0, timeout=10_000)
    return lead


def _idle(desktop: Desktop) -> None:
    """Wait until no job is at work."""
    desktop.qtbot.waitUntil(
        lambda: not desktop.window.context.workspace.jobs.active, timeout=20_000
    )


def _read(desktop: Desktop, board: BoardPage) -> None:
    """Have the board read, and wait for it."""
    board.read_now()
    _idle(desktop)


def _answer(
    monkeypatch: pytest.MonkeyPatch, kind: type[AskDialog], fill: Callable[[AskDialog], None]
) -> None:
    def ask(dialog: AskDialog) -> bool:
        assert isinstance(dialog, kind)
        fill(dialog)
        dialog.deleteLater()
        return True

    monkeypatch.setattr(AskDialog, "ask", ask)


def test_plain_projects_have_no_lead(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    table = desktop.window.context.table
    assert not table.action("lead.board").isEnabled()
    assert not table.menu("Lead").menuAction().isVisible()
    assert not table.action("package.return").isVisible()


def test_a_project_with_stages_is_made_by_the_pages(
    desktop: Desktop, tmp_path: Path, clips: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for path in clips:
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "notes.mp4").write_text("no video")
    table = tmp_path / "facts.csv"
    table.write_text("video,script,mood\nclip 0,cups game,calm\nclip 9,packing,\n")

    def fill(dialog: NewProjectDialog) -> QDialog.DialogCode:
        dialog.name.setText("Line")
        dialog.folder.setText(str(tmp_path))
        dialog.add_videos([folder])
        assert dialog.result_value().is_simple is False
        dialog.recipes.choose("perception-test")
        dialog.facts.show_table(table)
        desktop.qtbot.waitUntil(lambda: dialog.facts.table.rowCount() == 2, timeout=10_000)
        assert "clip 9" in dialog.facts.word.text()
        dialog.people.add([NewPerson("Ann"), NewPerson("Ann")])
        assert "twice" in dialog.problem()
        dialog.people.table.selectRow(1)
        dialog.people.table.removeRow(1)
        dialog.people.add([NewPerson("Ben", frozenset((Role.REVIEWER,)), "1234")])
        for _ in range(3):
            dialog.go_next()
        assert dialog.pages.currentWidget() is dialog.people
        roles = dialog.people.table.cellWidget(0, 1)
        assert dialog.people.table.columnWidth(1) >= roles.sizeHint().width(), "a role is cut off"
        assert not dialog.next.isEnabled()
        assert dialog.problem() == ""
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(NewProjectDialog, "exec", fill)
    desktop.run("project.new")
    told = _told(desktop, "3 videos added")
    lines = [told.list.item(i).text() for i in range(told.list.count())]
    assert [line.count("notes.mp4") for line in lines if "notes.mp4" in line] == [1]
    assert any("clip 9" in line for line in lines)
    told.copy.click()
    assert "notes.mp4" in QApplication.clipboard().text()
    told.close()
    made = desktop.window.context.workspace.project
    assert made is not None
    assert [p.name for p in made.work.people.all()][1:] == ["Ann", "Ben"]
    assert made.work.people.all()[2].has_pin
    assert len(made.videos()) == 3
    assert len(made.tasks()) == 3
    infos = {info.name: facts_of(info) for info, _ in made.media.all()}
    assert infos["clip 0.mp4"] == {"script": "cups game", "mood": "calm"}
    assert desktop.window.context.table.menu("Lead").menuAction().isVisible()


def test_acts_tell_what_they_will_change_and_leave(
    desktop: Desktop, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead = _open(desktop, team)
    board, project = lead.board, desktop.window.context.workspace.project
    assert project is not None
    first, *_ = board.model.rows.task_ids()
    project.work.lead.withdraw([first], "Not needed")
    _read(desktop, board)
    said: list[str] = []

    def look(dialog: AskDialog) -> bool:
        dialog.show()
        for _ in range(2):
            desktop.qtbot.waitUntil(lambda: "will change" in dialog.outlook.text(), timeout=5_000)
            said.append(dialog.outlook.text())
            if not isinstance(dialog, AssignDialog) or dialog.person.currentText() == CLEO:
                break
            dialog.person.setCurrentIndex(dialog.person.findText(CLEO))
            assert "will change" not in dialog.outlook.text()
        dialog.deleteLater()
        return False

    monkeypatch.setattr(AskDialog, "ask", look)
    board.table.selectAll()
    n_events = len(project.work.history(first))
    board.acts.withdraw()
    board.acts.take_back()
    board.acts.reopen()
    board.acts.assign()
    assert [text.splitlines()[0] for text in said] == [
        *("2 tasks will change.", "0 tasks will change.", "1 task will change."),
        *("2 tasks will change.", "0 tasks will change."),
    ], said
    assert said[0].splitlines()[1].startswith("1 will not: ")
    assert said[1].splitlines()[1] == "3 will not: There is nothing to change."
    assert len(project.work.history(first)) == n_events
    # What runs is shown in this window too, with a way to stop it.
    assert lead.tabs.cornerWidget() is lead.work


def test_board_shows_sorts_and_filters_by_metadata(
    desktop: Desktop, team: Path, tmp_path: Path
) -> None:
    table = tmp_path / "facts.csv"
    table.write_text(
        "video,script,place\nclip 0,cups game,room 10\nclip 1,tea,room 2\nclip 2,tea,<b>yard</b>\n"
    )
    made = open_project(team)
    import_metadata(made, table)
    made.close()
    board = _open(desktop, team).board
    head = board.table.horizontalHeader()
    column = len(BoardColumn)
    assert board.model.headerData(column, Qt.Orientation.Horizontal) == "place"
    assert head.isSectionHidden(column)
    menu = board.columns.menu()
    (place,) = [action for action in menu.actions() if action.text() == "place"]
    place.trigger()
    assert not head.isSectionHidden(column)
    board.table.horizontalHeader().setSortIndicator(column, Qt.SortOrder.AscendingOrder)
    _idle(desktop)
    assert [row.video for row in board.model.rows] == [f"clip {i}.mp4" for i in (2, 1, 0)]
    assert board.model.data(board.model.index(1, column)) == "room 2"
    assert not head.isSectionHidden(column), "a new reading hides no column"
    fact, value = board.filters.fact, board.filters.value
    assert not value.isEnabled()
    fact.setCurrentIndex(fact.findData("place"))
    assert value.isEnabled()
    value.setText("ROOM")
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 2, timeout=5_000)
    board.filters.clear.click()
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 3, timeout=5_000)
    # The choice is kept for the next time.
    again = ColumnMenu(board.table, board.model)
    again.apply()
    assert not head.isSectionHidden(column)


def test_board_filters_counts_and_sorts(desktop: Desktop, team: Path) -> None:
    board = _open(desktop, team).board
    assert [row.video for row in board.model.rows] == [f"clip {i}.mp4" for i in range(3)]
    board.filters.text.setText("clip 1")
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 1, timeout=5_000)
    # A click on a card filters by stage, one more lets go.
    everything, annotate, check = list(board.stages.cards.values())[:3]
    assert [c.text() for c in (everything, annotate, check)] == ["All tasks", "Annotate", "Check"]
    assert annotate.accessibleName() == "Annotate: 1 waiting"
    check.click()
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 0, timeout=5_000)
    check.click()
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 1, timeout=5_000)
    annotate.click()
    board.filters.clear.click()
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 3, timeout=5_000)
    assert annotate.accessibleName() == "Annotate: 3 waiting"
    assert not annotate.isChecked()
    state = board.filters.state
    assert [state.itemText(i) for i in range(state.count())] == [
        *("All states", "waiting (3)", "in progress (0)", "complete (0)")
    ]
    state.setCurrentIndex(2)
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 0, timeout=5_000)
    state.setCurrentIndex(1)
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 3, timeout=5_000)
    # The rarer filters are shown on demand, and counted.
    assert not board.filters.kind.isVisible()
    board.filters.more.click()
    assert board.filters.kind.isVisible()
    board.filters.label.setText("nothing like it")
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 0, timeout=5_000)
    assert board.filters.more.text() == "More filters (1)"
    board.filters.clear.click()
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() == 3, timeout=5_000)
    assert board.filters.more.text() == "More filters"
    board.table.horizontalHeader().setSortIndicator(0, Qt.SortOrder.DescendingOrder)
    _idle(desktop)
    assert [row.video for row in board.model.rows] == [f"clip {i}.mp4" for i in (2, 1, 0)]


def test_acts_are_done_on_the_chosen_and_told_in_the_history(
    desktop: Desktop, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = _open(desktop, team).board
    project = desktop.window.context.workspace.project
    assert project is not None
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    board.table.selectAll()
    chosen = board.chosen().task_ids()
    assert len(chosen) == 3

    def to_ann(dialog: AskDialog) -> None:
        assert isinstance(dialog, AssignDialog)
        dialog.person.setCurrentIndex(dialog.person.findData(ann.id))

    _answer(monkeypatch, AssignDialog, to_ann)
    board.acts.assign()
    desktop.qtbot.waitUntil(
        lambda: all(project.work.record(t).holders for t in chosen), timeout=10_000
    )
    _read(desktop, board)
    assert {row.holders for row in board.model.rows} == {(ann.id,)}
    board.table.selectRow(0)
    _idle(desktop)
    told = [board.history.item(i).text() for i in range(board.history.count())]
    me = project.work.me
    assert me is not None
    assert any(f"{me.name} assigned the task to Ann" in line for line in told)
    board.table.clearSelection()
    assert [board.history.item(i).text() for i in range(board.history.count())] == [
        "Select a task to see the history of its video."
    ]


def test_a_round_has_guidelines_of_its_own(
    desktop: Desktop, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = _open(desktop, team).board
    project = desktop.window.context.workspace.project
    assert project is not None
    me, ann = project.work.people.all()[:2]
    project.work.people.sign_in(ann.id)
    project.work.claim_next()
    (held,) = project.work.my_work().in_progress
    project.work.submit(project.open_task(held.task_id))
    project.work.people.sign_in(me.id)
    tasks = [held.task_id]
    assert project.work.lead.close(tasks, "A trial") == []
    _read(desktop, board)
    row = next(i for i, r in enumerate(board.model.rows) if r.status is TaskStatus.COMPLETE)
    board.table.selectRow(row)

    def words(dialog: AskDialog) -> None:
        assert isinstance(dialog, RoundDialog)
        dialog.editor.setPlainText("# Look at the edges")
        dialog.name.setText("Edges")
        dialog.reason.setText("They were late")

    _answer(monkeypatch, RoundDialog, words)
    board.acts.open_round()
    desktop.qtbot.waitUntil(lambda: project.work.record(tasks[0]).round == 2, timeout=10_000)
    guideline = project.work.guideline_of(tasks[0])
    assert guideline is not None
    assert (guideline.title, guideline.text) == ("Edges", "# Look at the edges")
    _idle(desktop)


def test_a_task_is_looked_at_without_being_taken(desktop: Desktop, team: Path) -> None:
    lead = _open(desktop, team)
    project = desktop.window.context.workspace.project
    assert project is not None
    task_id = lead.board.model.task_id(0)
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    project.work.lead.assign([task_id], ann.id)
    project.work.people.sign_in(ann.id)
    project.open_task(task_id)
    project.work.people.sign_in(project.work.people.all()[0].id)
    lead.lookWanted.emit(task_id)
    desktop.settle()
    assert desktop.window.context.workspace.task_id == task_id
    assert not desktop.window.context.workspace.can_edit
    assert [a.person_id for a in project.work.record(task_id).holders] == [ann.id]


def test_numbers_follow_and_are_written_down(
    desktop: Desktop, team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead = _open(desktop, team)
    desktop.run("lead.numbers")
    page = lead.numbers
    desktop.qtbot.waitUntil(lambda: page.queues.table.rowCount() == 1, timeout=10_000)
    project = desktop.window.context.workspace.project
    assert project is not None
    tasks = [row.task_id for row in lead.board.model.rows]
    values = {card.title.text(): card.value.text() for card in page.key_numbers.cards}
    assert values == {
        "Complete tasks": f"0 / {len(tasks)}",
        "Submissions": "0",
        "Annotation time": "0.0 h",
        "Sent back": "–",
    }
    queues = page.cards[1]
    assert page.queue_chart.isVisible()
    assert not page.queues.isVisible()
    queues.switch.click()
    assert page.queues.isVisible()
    assert not page.queue_chart.isVisible()
    assert project.work.lead.withdraw(tasks[:3], "Not needed") == []
    withdrawn = page.queues.table.columnCount() - 1

    def is_fresh() -> bool:
        cell = page.queues.table.item(0, withdrawn)
        return cell is not None and cell.text() == "3"

    desktop.qtbot.waitUntil(is_fresh, timeout=10_000)
    target = tmp_path / "queues.csv"
    monkeypatch.setattr(
        "annotator.ui.lead.statistics.table_with_export.ask_table", lambda *_: target
    )
    page.queues.save.click()
    desktop.qtbot.waitUntil(target.exists, timeout=10_000)
    _idle(desktop)
    rows = list(csv.reader(target.read_text(encoding="utf-8-sig").splitlines()))
    assert rows[0][:2] == ["Task type", "Stage"]
    assert sum(int(row[-1]) for row in rows[1:]) == 3


def test_findings_and_agreement_narrow_the_board(desktop: Desktop, team: Path) -> None:
    project = open_project(team)
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    project.work.people.sign_in(ann.id)
    record = project.work.claim_next()
    assert record is not None
    session = project.open_task(record.id)
    session.run(CreateTrack(track_id(), "pin", 0, Box(1, 1, 3, 3)))
    project.work.submit(session)
    lead_id = next(p.id for p in project.work.people.all() if p.has(Role.LEAD))
    project.work.people.sign_in(lead_id)
    project.close()
    lead = _open(desktop, team)
    board, page = lead.board, lead.numbers
    n_all = len(board.model.rows)
    lead.show_page(page)

    def has_findings() -> bool:
        page.read_now()
        _idle(desktop)
        return page.findings.table.rowCount() > 0

    desktop.qtbot.waitUntil(has_findings, timeout=10_000)
    titles = [page.findings.table.item(i, 0).text() for i in range(2)]
    assert sorted(titles) == ["Unchecked grid frames", "Very small box"]
    page.findings.table.doubleClicked.emit(page.findings.table.model().index(0, 0))
    desktop.qtbot.waitUntil(lambda: len(board.model.rows) == 1, timeout=10_000)
    assert board.model.task_id(0) == record.id
    board.filters.clear.click()
    desktop.qtbot.waitUntil(lambda: len(board.model.rows) == n_all, timeout=10_000)
    # Nothing was handed in twice, so that nothing could be compared.
    board.filters.agreement.setValue(100)
    assert board.filters.condition().agreement_below == 1.0
    desktop.qtbot.waitUntil(lambda: len(board.model.rows) == 0, timeout=10_000)


def test_my_work_of_another_person_begins_with_their_first_task(
    desktop: Desktop, team: Path
) -> None:
    lead = _open(desktop, team)
    start = desktop.window.assembly.pages.start
    project = desktop.window.context.workspace.project
    assert project is not None
    work = project.work
    ann = next(p for p in work.people.all() if p.name == "Ann")
    task_id = lead.board.model.task_id(0)
    work.lead.assign([task_id], ann.id)
    start.mine.refresh()
    start.mine.list.setCurrentRow(start.mine.list.count() - 1)

    desktop.run("person.change")
    (row,) = start.sign_in.list.findItems("Ann", Qt.MatchFlag.MatchStartsWith)
    start.sign_in.list.setCurrentItem(row)
    QTest.keyClick(start.sign_in.list, Qt.Key.Key_Return)
    start.mine.refresh()
    assert start.mine.count.text().startswith("2 tasks are waiting")
    QTest.keyClick(start.mine.list, Qt.Key.Key_Return)

    desktop.settle()
    assert desktop.window.context.workspace.task_id == task_id
    while work.claim_next() is not None:
        pass
    start.mine.refresh()
    assert start.mine.count.text().startswith("3 tasks are assigned to you.")


def test_who_comes_back_to_the_start_page_finds_the_begun_task_first(
    desktop: Desktop, team: Path
) -> None:
    _open(desktop, team).hide()
    desktop.window.activateWindow()
    workspace, mine = desktop.window.context.workspace, desktop.window.assembly.pages.start.mine
    mine.refresh()
    QTest.keyClick(mine.list, Qt.Key.Key_Return)
    desktop.settle()
    task_id = workspace.task_id
    assert task_id is not None

    desktop.run("work.mine")
    desktop.qtbot.waitUntil(
        lambda: mine.list.task_ids() == [task_id] and mine.list.currentRow() == 1
    )
    assert "In progress" in mine.list.item(0).text()


def test_people_come_and_leave(
    desktop: Desktop, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead = _open(desktop, team)
    desktop.run("lead.people")
    page = lead.people
    desktop.qtbot.waitUntil(lambda: page.table.rowCount() == 4, timeout=10_000)
    project = desktop.window.context.workspace.project
    assert project is not None
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    task_id = lead.board.model.task_id(0)
    project.work.lead.assign([task_id], ann.id)
    page.read_now()
    _idle(desktop)
    page.choose(ann.id)
    count = page.table.item(page.table.currentRow(), 3)
    assert count is not None
    assert Qt.AlignmentFlag(count.textAlignment()) & Qt.AlignmentFlag.AlignRight
    asked: list[str] = []

    def yes(person: object) -> bool:
        item = page.table.item(page.table.currentRow(), 3)
        asked.append(item.text() if item is not None else "")
        return True

    monkeypatch.setattr(page, "_ask_gone", yes)
    page.gone.click()
    assert asked == ["1"]
    assert project.work.record(task_id).holders == ()
    desktop.qtbot.waitUntil(lambda: page.gone.text() == "Reactivate", timeout=10_000)
    page.gone.click()
    assert project.work.people.person(ann.id).is_active
    _idle(desktop)


def test_feedback_reaches_everybody(desktop: Desktop, team: Path, qtbot: QtBot) -> None:
    lead = _open(desktop, team)
    mine = desktop.window.assembly.pages.start.mine
    mine.refresh()
    assert mine.due.isHidden(), "nothing has been handed in yet"
    desktop.run("lead.spot-checks")
    page = lead.spots
    qtbot.waitUntil(lambda: page.to.count() > 3, timeout=10_000)
    project = desktop.window.context.workspace.project
    assert project is not None
    me, ann = project.work.people.all()[:2]
    assert not page.send.isEnabled()
    page.message.setPlainText("Mind the edges.")
    page.send.click()
    project.work.people.sign_in(ann.id)
    assert [m.text for m in project.work.my_work().feedback] == ["Mind the edges."]
    project.work.people.sign_in(me.id)
    page.draw.click()
    _idle(desktop)
    assert project.work.lead.spot_checks() == []


def test_a_spot_check_shows_what_was_drawn(desktop: Desktop, team: Path) -> None:
    lead = _open(desktop, team)
    project = desktop.window.context.workspace.project
    assert project is not None
    work, people = project.work, {p.name: p.id for p in project.work.people.all()}
    me = work.people.all()[0].id
    for name, stage in (("Ann", "annotate"), ("Ben", "check")):
        work.people.sign_in(people[name])
        record = work.claim_next("object-tracks", stage)
        assert record is not None
        session = project.open_task(record.id)
        session.run(CreateTrack(track_id(), name, 0, Box(10, 10, 60, 60)))
        work.submit(session)
    work.people.sign_in(me)
    desktop.run("lead.spot-checks")
    page = lead.spots
    page.share.setValue(100)
    page.draw.click()
    desktop.qtbot.waitUntil(lambda: page.table.rowCount() == 2, timeout=30_000)
    rows = {page.table.item(y, 3).text(): y for y in range(2)}
    for name, labels in (("Ann", ["Ann"]), ("Ben", ["Ann", "Ben"])):
        page.table.selectRow(rows[name])
        page.look.click()
        desktop.settle()
        session = desktop.window.context.workspace.session
        assert session is not None
        assert [track.label for track in session.document.tracks] == labels

    # What was reviewed stays where it is: the next one is the row below.
    listed = [page.table.item(y, 3).text() for y in range(2)]
    page.table.selectRow(0)
    page.note.setText("Good")
    page.seen.click()
    desktop.qtbot.waitUntil(lambda: page.table.item(0, 6).text() == "Good", timeout=10_000)
    assert [page.table.item(y, 3).text() for y in range(2)] == listed
    # A note is kept while others work.
    page.table.selectRow(1)
    page.note.setText("Half a no")
    page.to.setCurrentIndex(0)
    page.table.item(0, 6).setText("")
    page.read_now()
    desktop.qtbot.waitUntil(lambda: page.table.item(0, 6).text() == "Good", timeout=10_000)
    assert (page.note.text(), page.to.currentIndex()) == ("Half a no", 0)


def test_work_goes_out_and_comes_back_by_file(
    desktop: Desktop, team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _open(desktop, team)
    window = desktop.window
    project = window.context.workspace.project
    assert project is not None
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    package, back, place = tmp_path / "ann.work", tmp_path / "ann.done", tmp_path / "ann.annot"

    def two_for_ann(dialog: AskDialog) -> None:
        assert isinstance(dialog, PackageDialog)
        dialog.person.setCurrentIndex(dialog.person.findData(ann.id))
        dialog.further.setValue(2)

    _answer(monkeypatch, PackageDialog, two_for_ann)
    monkeypatch.setattr("annotator.ui.lead.setup.package_actions._ask_save", lambda *_: package)
    desktop.run("lead.package")
    _told(desktop, "2 tasks").close()
    assert sum(1 for row in project.work.board() if row.holders == (ann.id,)) == 2

    # On another machine: the package becomes a project, the task is handed in and sent back.
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_project", lambda *_: package)
    monkeypatch.setattr(
        "annotator.ui.dialogs.file_dialogs.QFileDialog.getSaveFileName",
        lambda *_: (str(place), ""),
    )
    desktop.run("project.open")
    desktop.qtbot.waitUntil(
        lambda: (
            window.context.workspace.project is not None
            and window.context.workspace.project.path == place
        ),
        timeout=20_000,
    )
    away = window.context.workspace.project
    assert away is not None
    for dialog in _reports():
        dialog.close()
    assert window.context.table.action("package.return").isVisible()
    away.work.people.sign_in(ann.id)
    away.work.submit(away.open_task(away.tasks()[0].id))
    monkeypatch.setattr("annotator.ui.lead.setup.package_actions._ask_save", lambda *_: back)
    desktop.run("package.return")
    _told(desktop, "1 task is not submitted yet").close()

    lead = _open(desktop, team)
    broken = tmp_path / "broken.done"
    broken.write_bytes(b"nothing of ours")
    names = [str(back), str(broken)]
    monkeypatch.setattr(
        "annotator.ui.dialogs.file_dialogs.QFileDialog.getOpenFileNames",
        lambda *_: (names, ""),
    )
    desktop.run("lead.collect")
    told = _told(desktop, "1 new submission,")
    assert "broken.done" in told.list.item(0).text()
    told.close()
    _read(desktop, lead.board)
    assert [row.stage for row in lead.board.model.rows].count("check") == 1


def _reports() -> list[ReportDialog]:
    widgets = QApplication.topLevelWidgets()
    return [w for w in widgets if isinstance(w, ReportDialog) and w.isVisible()]


def _told(desktop: Desktop, text: str) -> ReportDialog:
    """Wait for a report that says something."""

    def found() -> list[ReportDialog]:
        return [
            w for w in _reports() if any(text in label.text() for label in w.findChildren(QLabel))
        ]

    desktop.qtbot.waitUntil(lambda: bool(found()), timeout=20_000)
    return found()[0]


def test_a_lead_gives_the_project_another_recipe(
    desktop: Desktop, team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _open(desktop, team)
    path = tmp_path / "mine.toml"
    monkeypatch.setattr("annotator.ui.commands.lead_actions.ask_recipe", lambda *_: path)
    path.write_text("no recipe")
    desktop.run("lead.recipe")
    assert "Invalid TOML:" in " ".join(desktop.window.context.banners.texts())
    text = shipped_recipe("perception-test").replace("version = 1", "version = 2", 1)
    path.write_text(text.replace('title = "Check"', 'title = "Look again"'))

    def yes(box: QMessageBox) -> None:
        assert "version 2" in box.text()
        box.buttons()[0].click()

    with answering(QMessageBox, yes):
        desktop.run("lead.recipe")
    # What was wrong with the first file is over.
    assert desktop.window.context.banners.texts() == []
    project = desktop.window.context.workspace.project
    assert project is not None
    desktop.qtbot.waitUntil(lambda: project.work.recipe.version == 2, timeout=10_000)
    _idle(desktop)
    kind = project.work.recipe.task_type("object-tracks")
    assert kind is not None
    assert kind.stages[1].title == "Look again"
    lead = desktop.window.assembly.lead_actions.window
    assert lead is not None
    assert lead.isVisible()
    titles = ["Questions", "Answers", "Qualification", "Studies"]
    desktop.qtbot.waitUntil(lambda: set(titles) <= set(_tab_titles(lead)), timeout=20_000)
    # The questions of a recipe have pages of their own; others have no use for them.
    path.write_text(shipped_recipe("annotate-review"))
    path.write_text(path.read_text().replace('kind = "object-tracks"', 'kind = "drawings"'))

    def warned(box: QMessageBox) -> None:
        assert "Object tracks (" in box.informativeText()
        box.buttons()[0].click()

    with answering(QMessageBox, warned):
        desktop.run("lead.recipe")
    desktop.qtbot.waitUntil(lambda: project.work.recipe.name == "annotate-review", timeout=10_000)
    _idle(desktop)
    kinds = {row.kind for row in project.work.board()}
    assert kinds == {"object-tracks", "drawings"}
    lead = desktop.window.assembly.lead_actions.window
    assert lead is not None
    assert lead.isVisible()
    usual = ["Board", "Statistics", "Data set", "Spot checks", "People"]
    desktop.qtbot.waitUntil(lambda: len(_tab_titles(lead)) == len(usual), timeout=20_000)
    assert _tab_titles(lead) == usual
    assert lead.toast.text() == "The project now uses the recipe “Annotate, then review”."
    # A dashboard that was closed stays closed.
    lead.close()
    path.write_text(path.read_text().replace("version = 1", "version = 2", 1))
    with answering(QMessageBox, lambda box: box.buttons()[0].click()):
        desktop.run("lead.recipe")
    desktop.qtbot.waitUntil(lambda: project.work.recipe.version == 2, timeout=10_000)
    _idle(desktop)
    assert desktop.window.assembly.lead_actions.window is None


def _tab_titles(lead: LeadWindow) -> list[str]:
    return [lead.tabs.tabText(i) for i in range(lead.tabs.count())]


def test_a_lead_saves_the_recipe_to_be_edited(
    desktop: Desktop, team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _open(desktop, team)
    path = tmp_path / "mine.toml"
    monkeypatch.setattr("annotator.ui.commands.lead_actions.ask_recipe_target", lambda *_: path)
    desktop.run("lead.save-recipe")
    project = desktop.window.context.workspace.project
    assert project is not None
    assert path.read_text(encoding="utf-8") == project.work.recipe_text()
    assert parse_recipe(path.read_text(encoding="utf-8")) == project.work.recipe


def test_the_lead_dashboard_fits_a_small_screen(desktop: Desktop, team: Path) -> None:
    project = open_project(team)
    table = team.with_name("splits.csv")
    table.write_text("video,split\nclip 0,train\nclip 1,validation\nclip 2,test\n")
    import_metadata(project, table)
    project.close()
    lead = _open(desktop, team)
    lead.tabs.setCurrentWidget(lead.dataset)
    lead.dataset.views.setCurrentWidget(lead.dataset.release)
    desktop.qtbot.waitUntil(lambda: bool(lead.dataset.release.withheld), timeout=20_000)
    desktop.qtbot.waitUntil(lambda: lead.tabs.count() > 8, timeout=20_000)
    _idle(desktop)
    lead.board.filters.more.setChecked(True)
    # What is done with a form is in view, however long the form is.
    for form in (lead.dataset.splits, lead.dataset.release):
        (area,) = form.findChildren(QScrollArea)
        assert not area.isAncestorOf(form.go)
    sizes = {lead.tabs.tabText(i): page.minimumSizeHint() for i, page in enumerate(lead.pages)}
    assert {name: s.width() for name, s in sizes.items() if s.width() > 1270} == {}
    assert {name: s.height() for name, s in sizes.items() if s.height() > 640} == {}
