"""The questions of a recipe as raters see them, tried before anybody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.domain.answer import Flagged, Picked
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.ui.forms.fields.choice_fields import ChoiceEditor
from annotator.ui.forms.preview import FormPreview
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import CHOICE, WHY, make_asking

RECIPES = ("perception-test", "pacs", "neptune", "video-tt")


@pytest.fixture
def asking(desktop: Desktop, clip: Path, tmp_path: Path) -> Desktop:
    team = make_asking(tmp_path, [clip], fields=CHOICE + WHY, n=1)
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)
    return desktop


def _shown(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> FormPreview:
    found: list[FormPreview] = []

    def show(preview: FormPreview) -> int:
        found.append(preview)
        preview.show()
        preview.activateWindow()
        desktop.qtbot.waitUntil(preview.isActiveWindow)
        return 0

    monkeypatch.setattr(FormPreview, "exec", show)
    monkeypatch.setattr(FormPreview, "deleteLater", lambda _: None)
    desktop.run("lead.preview")
    return found[0]


def test_a_lead_answers_by_keys_and_nothing_is_kept(
    asking: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    preview = _shown(asking, monkeypatch)
    view = preview.view
    assert view is not None
    assert [block.field.key for block in view.visible_blocks][:2] == ["answer", "why"]
    editor = view.blocks[0].editor
    assert isinstance(editor, ChoiceEditor)
    assert [b.accessibleName() for b in editor.buttons][:2] == ["First option", "Second option"]
    QTest.keyClick(preview, Qt.Key.Key_2)
    assert preview.values == {"answer": Picked(("b",))}
    assert not preview.word.text()
    view.go(1)
    assert "next question" in preview.word.text()
    # Where the question has no options, there is nothing to pick.
    preview.with_options.setChecked(False)
    assert preview.values == {}
    preview.reject()
    project = asking.window.context.workspace.project
    assert project is not None
    (first,) = [task_id for task_id, _ in project.questions.list()]
    assert first is not None
    assert project.work.submissions(first) == []


@pytest.mark.parametrize("name", RECIPES)
def test_forms_of_all_recipes_are_shown(asking: Desktop, name: str) -> None:
    recipe = parse_recipe(shipped_recipe(name))
    around = asking.window.assembly.questions.surroundings()
    preview = FormPreview(around, recipe)
    asking.qtbot.addWidget(preview)
    preview.show()
    seen = set()
    for at in range(preview.kind.count()):
        preview.kind.setCurrentIndex(at)
        assert preview.view is not None
        for block in preview.view.visible_blocks:
            seen.add(block.field.kind)
            block.editor.take_focus()
        assert preview.view.visible_blocks, preview.kind.currentText()
        preview.view.press_digit(1)
    assert len(seen) >= 3
    preview.reject()
    assert preview.view is None


def test_options_beyond_the_tenth_have_keys_with_alt(asking: Desktop) -> None:
    recipe = parse_recipe(shipped_recipe("video-tt"))
    preview = FormPreview(asking.window.assembly.questions.surroundings(), recipe)
    asking.qtbot.addWidget(preview)
    preview.show()
    assert preview.view is not None
    block = next(b for b in preview.view.visible_blocks if b.field.key == "capability")
    editor = block.editor
    assert isinstance(editor, ChoiceEditor)
    assert [button.face.digit for button in editor.buttons[8:12]] == ["9", "0", "Alt+1", "Alt+2"]
    preview.view.take("capability")
    QTest.keyClick(preview, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert preview.values == {"capability": Picked((editor.options[11].key,))}


def test_what_is_refused_in_a_task_is_refused_here(asking: Desktop) -> None:
    recipe = parse_recipe(shipped_recipe("video-tt"))
    preview = FormPreview(asking.window.assembly.questions.surroundings(), recipe)
    asking.qtbot.addWidget(preview)
    preview.show()
    assert preview.view is not None
    key = preview.view.visible_blocks[0].field.key
    preview.view.answered.emit(key, Flagged("no such reason"))
    assert preview.values == {}
    block = preview.view.block(key)
    assert block is not None
    assert block.refusal.text()
