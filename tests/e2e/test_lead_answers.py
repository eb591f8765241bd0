"""A lead looks at answers in the window: items, known answers, agreement, open answers."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QTableView

from annotator.domain.questions.items.item import Purpose
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.answers.agreement_box import AgreementBox
from annotator.ui.lead.answers.items_box import EditItemDialog
from annotator.ui.lead.answers.open_answers_box import MergeDialog
from annotator.ui.lead.answers.page import AnswersPage
from annotator.ui.lead.board.board_dialogs import StageReasonDialog
from annotator.ui.lead.statistics import table_with_export
from annotator.ui.lead.statistics.table_with_export import TableWithExport
from tests.e2e.conftest import Desktop
from tests.services.questions.question_team import QuestionTeam, item
from tests.services.questions.test_merging import RECIPE, two_tasks


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """Two of three tasks are decided, one item is discarded, one answer is known."""
    team = QuestionTeam(tmp_path, n_videos=3)
    one, two, three = (video.id for video in team.videos)
    known = item(one, "Known", purpose=Purpose.GOLD, right={"which": ("o1",)}, area="Memory")
    decided = [
        team.add(item(one, "First", area="Physics", tags=("motion",)), known),
        team.add(item(two, "Second")),
    ]
    out = item(three, "Out")
    team.add(out, item(three, "Open"))
    team.questions.discard([out.id], "Nobody can see it.")
    for task, picks in zip(decided, ("o1", "o2"), strict=True):
        for name in ("Ann", "Ben"):
            team.hand_in(name, task, picks)
    team.lead_again()
    path = team.project.path
    team.project.close()
    return path


def _open(desktop: Desktop, path: Path) -> AnswersPage:
    window = desktop.window
    assert window.context.projects.open_path(path)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)
    desktop.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    lead.show_page(lead.answers)
    desktop.qtbot.waitUntil(lambda: lead.answers.agreement.kind.count() > 0, timeout=10_000)
    return lead.answers


def _shown(table: TableWithExport) -> list[list[str]]:
    return [
        [table.table.item(y, x).text() for x in range(table.table.columnCount())]
        for y in range(table.table.rowCount())
    ]


def test_items_reasons_and_raters_are_there_at_once(desktop: Desktop, answered: Path) -> None:
    page = _open(desktop, answered)
    desktop.qtbot.waitUntil(lambda: bool(_shown(page.items)), timeout=10_000)
    assert _shown(page.items) == [["Questions", "1", "3", "1", "5"]]
    assert _shown(page.reasons) == [["Questions", "Nobody can see it.", "1"]]
    names = [row[:6] for row in _shown(page.raters)]
    assert names == [
        [name, "Questions", "gold questions", "1", "1", "100.0% (21–100)"]
        for name in ("Ann", "Ben")
    ]
    assert page.agreement.model.rows == []
    assert not page.agreement.stop.isVisible()


def test_single_items_are_listed_with_reasons_and_taken_out(
    desktop: Desktop, answered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = _open(desktop, answered)
    box = page.single
    page.parts.setCurrentWidget(box)

    def lines() -> dict[str, list[str]]:
        found = (_cells(box.table, row) for row in range(len(box.model.rows)))
        return {cells[0]: cells[1:] for cells in found}

    desktop.qtbot.waitUntil(lambda: len(lines()) == 5, timeout=10_000)
    assert lines()["Out"] == ["v2", "", "discarded", "Nobody can see it.", "", "", "", ""]
    assert lines()["Known"][:4] == ["v0", "gold questions", "resolved", ""]
    box.search.setText("nobody")
    assert list(lines()) == ["Out"]
    box.table.selectRow(0)
    assert not box.discard.isEnabled()
    box.search.setText("open")
    assert list(lines()) == ["Open"]
    box.table.selectRow(0)
    assert box.edit.isEnabled()

    def change(dialog: EditItemDialog) -> bool:
        dialog.fields["o1"].setEditText("A lid")
        dialog.reason.setText("Too much alike.")
        return True

    monkeypatch.setattr(EditItemDialog, "ask", change)
    box.edit.click()
    desktop.qtbot.waitUntil(lambda: lines()["Open"][3] == "Too much alike.", timeout=10_000)
    (row,) = box.model.rows
    assert row.item is not None
    assert [option.text for option in row.item.options] == ["Option 0", "A lid", "Option 2"]
    box.table.selectRow(0)

    def say(dialog: StageReasonDialog) -> bool:
        dialog.reason.setText("It is dark.")
        return True

    monkeypatch.setattr(StageReasonDialog, "ask", say)
    box.discard.click()
    box.search.clear()
    desktop.qtbot.waitUntil(
        lambda: lines()["Open"][2:4] == ["discarded", "It is dark."], timeout=10_000
    )


def test_known_answers_are_exported_with_their_method(
    desktop: Desktop, answered: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = _open(desktop, answered)
    desktop.qtbot.waitUntil(lambda: bool(_shown(page.raters)), timeout=10_000)
    out = tmp_path / "known.csv"
    monkeypatch.setattr(table_with_export, "ask_table", lambda *_: out)
    page.raters.save.click()
    desktop.qtbot.waitUntil(out.exists, timeout=10_000)
    with out.open(encoding="utf-8-sig", newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["Person"], first["method"], first["level"]) == (
        "Ann",
        "right-share-wilson",
        "0.95",
    )
    assert len(first["digest"]) == 64


def test_agreement_is_worked_out_beside_the_work_and_exported(
    desktop: Desktop, answered: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    box = _agreement(desktop, answered)
    box.start.click()
    assert box.stop.isVisible()
    desktop.qtbot.waitUntil(lambda: bool(box.status_label.text()), timeout=60_000)
    assert box.status_label.text() == "Questions: median answer time 0.9 s"
    rows = _lines(box)
    assert rows[0] == ["Which?", "all", "Percent agreement", "1.000", "1.000", "1.000", "3", "2"]
    heads = [row[:3] for row in rows]
    assert ["Which?", "Rater: Ann", "Percent agreement"] in heads
    assert ["Which?", "Area: Physics", "Percent agreement"] in heads
    assert ["Which?", "Tag: motion", "Fleiss' kappa (Gwet 2014)"] in heads
    assert ["Questions", "All fields", "Percent agreement"] in heads
    assert not [head for head in heads if head[1].startswith("Item")]
    assert box.start.isVisible()
    out = tmp_path / "agreement.csv"
    monkeypatch.setattr(table_with_export, "ask_table", lambda *_: out)
    box.save.click()
    desktop.qtbot.waitUntil(out.exists, timeout=10_000)
    with out.open(encoding="utf-8-sig", newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["field"], first["value"], first["votes"]) == ("which", "1.0", "6")
    assert "draws=1000" in first["parameters"]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(out), ""))
    box.check.click()
    desktop.qtbot.waitUntil(lambda: bool(box.findChildren(ReportDialog)), timeout=60_000)
    (dialog,) = box.findChildren(ReportDialog)
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert f"agreement.csv: {box.model.n_all:,} reproduced" in said
    dialog.reject()


def test_single_items_are_shown_when_asked_for_sorted_and_searched(
    desktop: Desktop, answered: Path
) -> None:
    box = _agreement(desktop, answered)
    box.start.click()
    desktop.qtbot.waitUntil(lambda: bool(box.status_label.text()), timeout=60_000)
    box.part.setCurrentIndex(box.part.findData("item"))
    shown = [line[:4] for line in _lines(box) if line[0] == "Which?"]
    assert sorted(shown) == [
        ["Which?", f"Item: {name}", "Percent agreement", "1.000"]
        for name in ("First (v0.mp4)", "Known (v0.mp4)", "Second (v1.mp4)")
    ]
    box.search.setText("second")
    assert {line[1] for line in _lines(box)} == {"Item: Second (v1.mp4)"}
    assert box.count.text() == f"2 of {box.model.n_all:,}"
    box.search.clear()
    box.part.setCurrentIndex(box.part.findData("rater"))
    box.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    names = [line[1] for line in _lines(box)]
    assert names == sorted(names, reverse=True)
    assert set(names) == {"Rater: Ann", "Rater: Ben"}


def test_votes_that_nobody_handed_in_are_told_of(desktop: Desktop, answered: Path) -> None:
    with closing(sqlite3.connect(answered)) as connection:
        connection.execute("UPDATE vote SET value = '{}' WHERE field = 'which' AND visit = 1")
        connection.commit()
    box = _agreement(desktop, answered)
    box.start.click()
    desktop.qtbot.waitUntil(lambda: bool(box.status_label.text()), timeout=60_000)
    text = box.status_label.text()
    assert "invalid votes are ignored. Run “annotator check” to list them." in text
    assert _lines(box)[0][:4] == ["Which?", "all", "Percent agreement", "no resolved items yet"]


def test_working_out_can_be_canceled(desktop: Desktop, answered: Path) -> None:
    box = _agreement(desktop, answered)
    box.start.click()
    box.stop.click()
    assert box.start.isVisible()
    desktop.qtbot.waitUntil(
        lambda: not desktop.window.context.workspace.jobs.active, timeout=60_000
    )
    assert box.model.n_all == 0
    assert box.status_label.text() == ""


@pytest.fixture
def said(tmp_path: Path) -> Path:
    """One task is decided, in the other two people differ in their words."""
    team = QuestionTeam(tmp_path, n_videos=3, text=RECIPE)
    two_tasks(team)
    path = team.project.path
    team.project.close()
    return path


def test_open_answers_are_merged_split_and_undone(
    desktop: Desktop, said: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = _open(desktop, said)
    box = page.open_answers
    page.parts.setCurrentWidget(box)

    def titles() -> list[str]:
        return [group.title for group in box.model.rows]

    def wait(*wanted: str) -> None:
        desktop.qtbot.waitUntil(lambda: titles() == list(wanted), timeout=10_000)

    wait("Mug.", "cup")
    assert _cells(box.table, 0) == [
        "What is held?",
        "Mug.",
        "3",
        "2",
        "Mug. ×1, a mug ×1, mug ×1",
        "",
    ]
    assert not box.merge.isEnabled()
    box.table.selectAll()
    assert box.merge.isEnabled()
    assert not box.undo.isEnabled()

    def agree(dialog: MergeDialog) -> bool:
        assert [dialog.title.itemText(i) for i in range(2)] == ["Mug.", "cup"]
        dialog.title.setEditText("drinking cup")
        return True

    monkeypatch.setattr(MergeDialog, "ask", agree)
    box.merge.click()
    wait("drinking cup")
    # The result stays when the table is read again, as after every change of the project.
    with desktop.qtbot.waitSignal(box.model.modelReset):
        box.read()
    assert box.status_label.text() == "Tasks resolved by this change: 1"
    assert _cells(box.table, 0)[5].startswith("by ")
    box.table.selectAll()
    assert box.part.isEnabled()
    box.part.click()
    wait("Mug.", "cup")
    box.table.selectAll()
    box.merge.click()
    wait("drinking cup")
    box.undo.click()
    wait("Mug.", "cup")
    box.search.setText("cu")
    wait("cup")


def _agreement(desktop: Desktop, path: Path) -> AgreementBox:
    page = _open(desktop, path)
    page.parts.setCurrentWidget(page.agreement)
    return page.agreement


def _lines(box: AgreementBox) -> list[list[str]]:
    return [_cells(box.table, y) for y in range(box.model.rowCount())]


def _cells(table: QTableView, y: int) -> list[str]:
    model = table.model()
    return [str(model.index(y, x).data()) for x in range(model.columnCount())]
