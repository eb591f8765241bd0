"""The first picture of a window that is still being built stays where it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.domain.people import Role
from annotator.services.project.projects import create_project
from annotator.services.settings import Settings
from annotator.ui.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = app.make_window(settings, remembers_place=False, is_staged=True)
    made.resize(1200, 800)
    yield made
    made.close()
    made.deleteLater()


def _place(window: MainWindow) -> QRect:
    return QRect(window.context.canvas.mapTo(window, QPoint(0, 0)), window.context.canvas.size())


def test_what_is_opened_after_the_rest_was_built_is_whole(
    window: MainWindow, tmp_path: Path, clip: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "line.annot"
    made = create_project(path, title="Line", recipe="perception-test")
    made.work.people.add("Ann", (Role.RATER,))
    made.add_videos([clip])
    made.close()
    assert window.context.projects.open_path(path)
    with qtbot.waitSignal(window.staging.completed, timeout=30_000):
        window.show()
    assert window.context.workspace.stage is None, "nobody has signed in"
    project = window.context.workspace.project
    assert project is not None
    window.context.workspace.sign_in(
        next(p.id for p in project.work.people.all() if p.name == "Ann")
    )
    window.context.tasks.claim_next()
    stage = window.context.workspace.stage
    assert stage is not None
    assert stage.later == {}
    assert stage.thumbnails is not None
    assert stage.proposing is not None
    qtbot.waitUntil(lambda: window.assembly.timeline.isVisible(), timeout=30_000)
    rows = window.context.middle.splitter.sizes()
    assert rows[1] > 0.35 * sum(rows), "the timeline gets its share behind the first page, too"


def test_the_picture_does_not_move_while_the_rest_is_built(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    places: list[QRect] = []
    window.context.canvas.picturePainted.connect(lambda _: places.append(_place(window)))
    assert window.context.projects.open_path(project)
    with qtbot.waitSignal(window.staging.completed, timeout=30_000):
        window.show()
    assert places
    qtbot.waitUntil(lambda: window.assembly.timeline.isVisible())
    assert _place(window) == places[0]
    assert window.assembly.timeline.height() > 100
    assert window.context.panels.objects.isVisible()
    assert window.context.workspace.stage is not None
    assert window.context.workspace.stage.later == {}
    assert window.focusWidget() is window.context.canvas
