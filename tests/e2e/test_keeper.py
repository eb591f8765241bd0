"""The place in a project is kept while a video plays, not only when it rests."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer

from tests.e2e.conftest import Desktop


def test_the_place_is_saved_during_a_long_play(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    workspace = desktop.window.context.workspace
    opened = workspace.project
    assert opened is not None
    desktop.window.context.playback.seek(85)
    desktop.settle()
    playing = QTimer()
    playing.timeout.connect(lambda: workspace.frameChanged.emit(85))
    playing.start(30)

    def is_saved() -> bool:
        view = opened.view_state()
        return view is not None and view.frame == 85

    assert not is_saved()
    desktop.qtbot.waitUntil(is_saved, timeout=4000)
    playing.stop()
