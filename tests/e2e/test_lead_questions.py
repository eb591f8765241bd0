"""A lead has questions made and writes the data set from the window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QToolButton

from annotator.services.project.projects import create_project
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.answers.questions_page import QuestionsPage
from tests.e2e.conftest import Desktop, make_clip

NOTHING_NEW = "Nothing new: everything exists, or earlier steps are not resolved."


def _page(desktop: Desktop, folder: Path, recipe: str) -> QuestionsPage:
    made = create_project(folder / "asked", title="Asked", recipe=recipe)
    made.add_videos([make_clip(folder / "clip1.mp4", shade=40)])
    path = made.path
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(path)
    desktop.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    lead.show_page(lead.questions)
    desktop.qtbot.waitUntil(lambda: bool(lead.questions.buttons), timeout=10_000)
    return lead.questions


def _click(desktop: Desktop, page: QuestionsPage, name: str, told: str) -> None:
    page.buttons[name].click()
    desktop.qtbot.waitUntil(lambda: page.results[name].text() == told, timeout=20_000)
    for dialog in page.findChildren(ReportDialog):
        dialog.close()


def test_acts_make_questions_and_say_how_many(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = _page(desktop, tmp_path, "perception-test")
    imported = ["add-imported", "assign-imported", "resolve-imported"]
    acts = ["create-questions", "sample-options", *imported, "create-grounded", "resolve-grounded"]
    assert list(page.buttons) == ["sets", *acts, "dataset"]
    known = {"kind": "questions", "purpose": "gold", "video": "clip1", "question": "How many?"}
    known |= {"options": ["one", "two"], "right": {"answer": "two"}}
    items = tmp_path / "items.json"
    items.write_text(json.dumps([known]), encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(items), ""))
    _click(desktop, page, "sets", "1 new")
    _click(desktop, page, "create-questions", "4 new")
    _click(desktop, page, "create-questions", NOTHING_NEW)
    desktop.qtbot.waitUntil(
        lambda: page.so_far["create-questions"].text() == "4 so far, 0 resolved", timeout=20_000
    )
    assert page.so_far["create-grounded"].text() == ""
    _click(desktop, page, "create-grounded", "0 new")
    out = tmp_path / "cut.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    _click(desktop, page, "dataset", "cut.json: videos 0, cut 0")
    assert json.loads(out.read_text()) == {}


def test_proposed_sets_are_brought_in(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = _page(desktop, tmp_path, "neptune")
    assert list(page.buttons) == ["sets", "dataset"]
    known = {"video_id": "clip1", "question": "Why?", "answer": "a", "decoys": ["b", "c", "d", "e"]}
    sets = tmp_path / "sets.json"
    sets.write_text(json.dumps([known, {**known, "video_id": "elsewhere"}]), encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(sets), ""))
    _click(desktop, page, "sets", "1 new")


def test_a_lead_of_a_new_project_is_shown_where_tasks_come_from(
    desktop: Desktop, tmp_path: Path, clip: Path
) -> None:
    made = create_project(tmp_path / "new", title="New", recipe="video-tt")
    made.add_videos([clip])
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(made.path)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)
    mine = window.assembly.pages.start.mine
    desktop.qtbot.waitUntil(mine.begin.isVisible)

    (button,) = mine.begin.findChildren(QToolButton)
    desktop.qtbot.waitUntil(button.isEnabled)
    button.click()
    lead = window.assembly.lead_actions.window
    assert lead is not None
    assert lead.tabs.currentWidget() is lead.questions
    desktop.qtbot.waitUntil(lambda: "create-screening" in lead.questions.buttons, timeout=20_000)
    lead.show_page(lead.board)
    (hint,) = lead.board.table.viewport().findChildren(QLabel)
    desktop.qtbot.waitUntil(lambda: hint.text().startswith("No tasks yet."), timeout=20_000)
    lead.show_page(lead.questions)
    _click(desktop, lead.questions, "create-screening", "1 new")
    desktop.qtbot.waitUntil(lambda: not mine.begin.isVisibleTo(mine), timeout=20_000)
