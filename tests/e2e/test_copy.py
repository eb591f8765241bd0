"""A copy of the project is saved from the menu, also when the project's own file is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.services.project.projects import open_project
from annotator.ui.dialogs import file_dialogs
from tests.e2e.conftest import Desktop


def test_copy_rescues_a_project_whose_file_was_taken_away(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    project.unlink()
    desktop.draw((120, 60), (180, 120))
    assert any(
        "moved, deleted or replaced" in text for text in desktop.window.context.banners.texts()
    )
    copy = tmp_path / "rescued.annot"
    monkeypatch.setattr(file_dialogs, "ask_copy", lambda *_: copy)
    desktop.run("project.copy")
    desktop.qtbot.waitUntil(copy.exists)
    rescued = open_project(copy)
    assert len(rescued.open_task(rescued.tasks()[0].id).document.tracks) == 1
    rescued.close()
