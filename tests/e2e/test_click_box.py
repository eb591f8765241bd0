"""A click on an object draws its box, by a model of the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator import paths
from annotator.assist.models.installed import add_model
from annotator.domain.geometry import Point
from tests.assist.tiny_models import fit_model
from tests.e2e.conftest import Desktop


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setattr(paths, "data_dir", lambda: folder)


def test_a_click_draws_the_box_of_an_object(
    desktop: Desktop, project: Path, tmp_path: Path
) -> None:
    add_model(fit_model(tmp_path / "mine"))
    desktop.open(project)
    window = desktop.window
    session = window.context.workspace.session
    assert session is not None
    desktop.run("tool.box-click")
    assert window.context.canvas.tools.tool == "box-click"
    window.context.canvas.board.clicked.emit(Point(50, 90), False)
    desktop.qtbot.waitUntil(lambda: len(session.document.tracks) == 1, timeout=20_000)
    box = session.document.tracks[0].keyframes[0].box
    assert box is not None
    # The light square of the clip on its first frame.
    assert box.as_tuple() == pytest.approx((20, 60, 80, 120), abs=5)
    window.context.canvas.board.clicked.emit(Point(250, 20), False)
    desktop.qtbot.waitUntil(lambda: not window.context.workspace.is_at_work, timeout=20_000)
    assert len(session.document.tracks) == 1


def test_without_a_model_it_is_said_how_to_get_one(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    told: list[str] = []
    desktop.window.context.workspace.failed.connect(lambda error: told.append(str(error)))
    desktop.window.context.canvas.board.clicked.emit(Point(50, 90), False)
    desktop.qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    assert "Models of your own" in told[0]
