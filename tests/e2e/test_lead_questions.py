"""A lead has questions made and writes the data set from the window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from annotator.services.project.projects import create_project
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.answers.questions_page import QuestionsPage
from tests.e2e.conftest import Desktop, make_clip


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
    _click(desktop, page, "create-questions", "0 new")
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
