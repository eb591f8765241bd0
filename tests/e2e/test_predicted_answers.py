"""Predicted answers in the window: imported by a lead, shown below their field, used by a click."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QToolButton

from annotator.domain.answer import Picked
from annotator.services.project.projects import open_project
from annotator.services.questions.asking.model_answers import import_answers
from annotator.ui.forms.fields.block import FieldBlock
from annotator.ui.lead.answers.questions_page import QuestionsPage
from annotator.ui.work.guideline_panels import ChecklistPanel
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import CHOICE, WHY, make_asking
from tests.e2e.test_questions import asking, begin, view

ALONE = ('raters = 2\nresolution = "majority"', "shows_predictions = true")


def _texts(block: FieldBlock) -> list[str]:
    return [label.text() for label in block.predicted.findChildren(QLabel)]


@pytest.fixture
def shown(desktop: Desktop, clip: Path, tmp_path: Path) -> Desktop:
    team = make_asking(tmp_path, [clip], fields=CHOICE + WHY, n=2)
    project = open_project(team.path)
    text = project.work.recipe_text().replace(*ALONE).replace("version = 1", "version = 2")
    project.work.use_recipe(text)
    first = project.questions.list()[0][1]
    for name, said in (("tiny", "It turns"), ("<b>huge</b>", "It moves to the right")):
        path = tmp_path / "answers.json"
        path.write_text(json.dumps([{"id": first.id, "answer": said, "confidence": 0.25}]))
        import_answers(project, path, name)
    project.close()
    begin(desktop, team, "Ann")
    return desktop


def test_a_prediction_is_used_by_its_button_and_taken_back_by_undo(shown: Desktop) -> None:
    block = view(shown.window).block("answer")
    assert block is not None
    assert _texts(block) == [
        "Predicted by tiny (25%): It turns",
        "Predicted by <b>huge</b> (25%): It moves to the right",
    ]
    at = asking(shown.window)
    assert at.values() == {}
    block.predicted.findChildren(QToolButton)[0].click()
    assert at.values() == {"answer": Picked(("b",))}
    shown.press("Ctrl+Z")
    assert at.values() == {}
    why = view(shown.window).block("why")
    assert why is not None
    assert _texts(why) == []
    at.go_to(1)
    block = view(shown.window).block("answer")
    assert block is not None
    assert _texts(block) == []


def test_a_lead_imports_predictions_in_the_window(
    desktop: Desktop, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = make_asking(tmp_path, [clip], fields=CHOICE, n=1)
    project = open_project(team.path)
    text = project.work.recipe_text().replace(*ALONE).replace("version = 1", "version = 2")
    project.work.use_recipe(text)
    (item,) = (each for _, each in project.questions.list())
    lead = project.work.me
    assert lead is not None
    project.close()
    path = tmp_path / "tiny.csv"
    path.write_text(f"id,answer,confidence\n{item.id},It turns,0.5\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    window.context.workspace.sign_in(lead.id)
    assert window.context.workspace.project is not None
    page = QuestionsPage(window.context.workspace, window.context.workspace.project)
    desktop.qtbot.addWidget(page)
    page.show()
    desktop.qtbot.waitUntil(lambda: "predictions" in page.buttons, timeout=10_000)
    page.buttons["predictions"].click()
    told = page.results["predictions"]
    desktop.qtbot.waitUntil(lambda: told.text() == "1 imported, 0 imported before", timeout=10_000)


def test_a_task_without_a_checklist_is_not_called_no_task(shown: Desktop) -> None:
    panel = shown.window.findChild(ChecklistPanel)
    assert panel is not None
    (word,) = [label.text() for label in panel.findChildren(QLabel) if label.text()]
    assert word == "This task has no checklist."
