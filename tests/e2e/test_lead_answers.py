"""A lead looks at answers in the window: items, known answers, and agreement worked out."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from annotator.domain.questions.item import Purpose
from annotator.ui.lead import export
from annotator.ui.lead.answers_page import AnswersPage
from annotator.ui.lead.figure_table import FigureTable
from tests.e2e.conftest import Desktop
from tests.services.questions.asking_floor import AskingFloor, item


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """Two of three tasks are decided, one item is discarded, one answer is known."""
    floor = AskingFloor(tmp_path, n_videos=3)
    one, two, three = (video.id for video in floor.videos)
    known = item(one, "Known", purpose=Purpose.GOLD, right={"which": ("o1",)}, area="Memory")
    decided = [floor.add(item(one, "First", area="Physics"), known), floor.add(item(two, "Second"))]
    out = item(three, "Out")
    floor.add(out, item(three, "Open"))
    floor.questions.discard([out.id], "Nobody can see it.")
    for task, picks in zip(decided, ("o1", "o2"), strict=True):
        for name in ("Ann", "Ben"):
            floor.hand_in(name, task, picks)
    floor.lead_again()
    path = floor.project.path
    floor.project.close()
    return path


def _open(desktop: Desktop, path: Path) -> AnswersPage:
    window = desktop.window
    assert window.projects.open_path(path)
    project = window.desk.project
    assert project is not None
    assert project.work.me is not None
    window.desk.sign_in(project.work.me.id)
    desktop.run("lead.board")
    lead = window.lead_actions.window
    assert lead is not None
    lead.show_page(lead.answers)
    desktop.qtbot.waitUntil(lambda: lead.answers.kind.count() > 0, timeout=10_000)
    return lead.answers


def _shown(table: FigureTable) -> list[list[str]]:
    return [
        [table.table.item(y, x).text() for x in range(table.table.columnCount())]
        for y in range(table.table.rowCount())
    ]


def test_items_reasons_and_raters_are_there_at_once(desktop: Desktop, answered: Path) -> None:
    page = _open(desktop, answered)
    assert _shown(page.items) == [["Questions", "1", "3", "1", "5"]]
    assert _shown(page.reasons) == [["Questions", "Nobody can see it.", "1"]]
    names = [row[:6] for row in _shown(page.raters)]
    assert names == [
        [name, "Questions", "known answers", "1", "1", "100%"] for name in ("Ann", "Ben")
    ]
    assert _shown(page.agreement) == []
    assert not page.stop.isVisible()


def test_agreement_is_worked_out_beside_the_work_and_exported(
    desktop: Desktop, answered: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = _open(desktop, answered)
    page.start.click()
    assert page.stop.isVisible()
    desktop.qtbot.waitUntil(lambda: bool(page.told.text()), timeout=60_000)
    assert page.told.text() == "Questions: an answer took 0.9 s in the median"
    rows = _shown(page.agreement)
    assert rows[0] == ["Which?", "all", "Agreement", "1.000", "1.000", "1.000", "3", "2"]
    assert ["Which?", "Rater: Ann", "Agreement"] in [row[:3] for row in rows]
    assert ["Which?", "Area: Physics", "Agreement"] in [row[:3] for row in rows]
    assert page.start.isVisible()
    out = tmp_path / "agreement.csv"
    monkeypatch.setattr(export, "ask_table", lambda *_: out)
    page.agreement.save.click()
    desktop.qtbot.waitUntil(out.exists, timeout=10_000)
    with out.open(encoding="utf-8-sig", newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["Asked"], first["Value"], first["votes"]) == ("Which?", "1.0", "6")
    assert "draws=1000" in first["parameters"]


def test_working_out_can_be_cancelled(desktop: Desktop, answered: Path) -> None:
    page = _open(desktop, answered)
    page.start.click()
    page.stop.click()
    assert page.start.isVisible()
    desktop.qtbot.waitUntil(lambda: not desktop.window.desk.jobs.active, timeout=60_000)
    assert _shown(page.agreement) == []
    assert page.told.text() == ""
