"""A project opens on the picture it was left at, before anything else of the window is there."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.services.playback.early_picture import first_look
from annotator.services.settings import Settings
from annotator.ui.shell.main_window import MainWindow

_BUDGET = 64 << 20
_MOST_MODULES = 70
_TASKS_PX = 190


@pytest.fixture
def left(qtbot: QtBot, settings: Settings, project: Path) -> Iterator[QRect]:
    """Leave the project at its third frame; give the place of the canvas in the window."""
    QSettings().clear()
    # At the first time all parts find their sizes; from the second on they keep them.
    for _ in range(2):
        made = app.make_window(settings, is_staged=True)
        made.resize(790, 700)
        assert made.context.projects.open_path(project)
        with qtbot.waitSignal(made.staging.completed, timeout=10_000):
            made.show()
        # With all of them there is no room to tell one width from another.
        for dock in made.findChildren(QDockWidget):
            dock.setVisible(dock.objectName() == "tasks")
        made.resizeDocks([_tasks(made)], [_TASKS_PX], Qt.Orientation.Horizontal)
        made.context.playback.seek(2)
        qtbot.waitUntil(lambda made=made: made.context.workspace.frame == 2)
        place = QRect(made.context.canvas.mapTo(made, QPoint(0, 0)), made.context.canvas.size())
        made.close()
        made.deleteLater()
    QSettings().sync()
    yield place
    QSettings().clear()


@pytest.fixture
def window(settings: Settings, project: Path, left: QRect) -> Iterator[MainWindow]:
    look = first_look(project, _BUDGET)
    assert look is not None
    made = app.first_window(settings, project, look)
    assert made is not None
    yield made
    made.close()
    made.deleteLater()


def _tasks(window: MainWindow) -> QDockWidget:
    dock = window.findChild(QDockWidget, "tasks")
    assert isinstance(dock, QDockWidget)
    return dock


def _shown(window: MainWindow, qtbot: QtBot) -> None:
    assert window.opening.first is not None
    with qtbot.waitSignal(window.opening.first.settled):
        window.show()


def test_the_picture_is_seen_alone_and_stays_at_its_place(
    window: MainWindow, left: QRect, qtbot: QtBot
) -> None:
    _shown(window, qtbot)
    first = window.opening.first
    assert first is not None
    assert not window.has_parts
    assert first.picture is not None
    assert first.picture.index == 2
    assert QRect(first.mapTo(window, QPoint(0, 0)), first.size()) == left
    with qtbot.waitSignal(window.staging.completed, timeout=10_000):
        pass
    qtbot.waitUntil(lambda: window.context.workspace.frame == 2)
    assert window.context.canvas.mapTo(window, QPoint(0, 0)).y() == left.y()
    assert window.context.canvas.size() == left.size()
    assert _tasks(window).width() == _TASKS_PX
    assert window.context.workspace.stage is not None
    assert window.context.workspace.stage.later == {}


def test_keys_go_to_other_frames_at_once(window: MainWindow, qtbot: QtBot) -> None:
    _shown(window, qtbot)
    window.staging._timer.stop()
    first = window.opening.first
    assert first is not None
    last = first.n_frames - 1
    handle = window.windowHandle()
    for key, frame in (
        (Qt.Key.Key_Right, 3),
        (Qt.Key.Key_D, 2),
        (Qt.Key.Key_End, last),
        (Qt.Key.Key_Right, last),
        (Qt.Key.Key_Left, last - 1),
    ):
        with contextlib.ExitStack() as stack:
            if frame != first.frame:
                stack.enter_context(qtbot.waitSignal(first.picturePainted))
            QTest.keyClick(handle, key)
        assert first.frame == frame
        assert first.picture is not None
        assert first.picture.index == frame
    assert not window.has_parts
    window.staging.finish()
    qtbot.waitUntil(lambda: window.context.workspace.frame == last - 1)
    window.context.table.run("go.frame-forward")
    qtbot.waitUntil(lambda: window.context.workspace.frame == last)


def test_any_other_key_waits_for_the_parts_and_is_not_lost(
    window: MainWindow, qtbot: QtBot
) -> None:
    _shown(window, qtbot)
    window.staging._timer.stop()
    window.activateWindow()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert window.has_parts
    assert not window.staging.is_complete
    qtbot.waitUntil(lambda: window.context.workspace.frame > 2)


def test_the_keys_of_the_person_count(project: Path, left: QRect, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "mine.toml")
    settings.set_bindings({"go.frame-forward": ("W",)})
    look = first_look(project, _BUDGET)
    assert look is not None
    made = app.first_window(settings, project, look)
    assert made is not None
    made.show()
    assert made.opening.first is not None
    QTest.keyClick(made.windowHandle(), Qt.Key.Key_W)
    assert made.opening.first.frame == 3
    assert not made.has_parts
    made.close()
    made.deleteLater()


@pytest.mark.parametrize("kept", [None, "nonsense", "1 2 3", "1 2 3 x"])
def test_without_a_place_for_it_there_is_no_first_picture(
    settings: Settings, project: Path, left: QRect, kept: str | None
) -> None:
    QSettings().setValue("window/canvas", kept)
    look = first_look(project, _BUDGET)
    assert look is not None
    assert app.first_window(settings, project, look) is None
    look.close()


def test_rows_that_were_never_seen_are_not_kept(
    qtbot: QtBot, settings: Settings, left: QRect
) -> None:
    rows = QSettings().value("window/splitter")
    made = app.make_window(settings)
    made.show()
    made.close()
    made.deleteLater()
    assert QSettings().value("window/splitter") == rows


def test_what_decoded_the_first_picture_goes_on_for_the_task(
    settings: Settings, project: Path, left: QRect
) -> None:
    look = first_look(project, _BUDGET)
    assert look is not None
    pictures = look.pictures
    made = app.first_window(settings, project, look)
    assert made is not None
    made.show()
    made.staging.finish()
    assert made.context.workspace.stage is not None
    assert made.context.workspace.stage.pictures is pictures
    assert look.pictures is None
    made.close()
    made.deleteLater()


def test_little_is_imported_before_the_first_picture(project: Path, left: QRect) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from annotator.cli.common import window_start\n"
        "from annotator.services.settings import Settings\n"
        "from annotator.services.playback.early_picture import first_look\n"
        "settings, path = Settings(), Path(sys.argv[1])\n"
        "look = first_look(path, 64 << 20)\n"
        "with window_start.window_libraries():\n"
        "    from annotator import app\n"
        "application = app.make_application(settings)\n"
        "from PySide6.QtCore import QSettings\n"
        "QSettings().setValue('window/canvas', '100 50 100 100')\n"
        "window = app.first_window(settings, path, look)\n"
        "def tell():\n"
        "    print(*sorted(sys.modules))\n"
        "    window.close()\n"
        "window.opening.first.settled.connect(tell)\n"
        "window.show()\n"
        "application.exec()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(project)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    modules = done.stdout.split()
    ours = [name for name in modules if name.split(".")[0] == "annotator"]
    assert 20 < len(ours) <= _MOST_MODULES, ours
    later = {
        "click",
        "msgspec",
        "annotator.services.project.projects",
        "annotator.services.session",
        "annotator.services.workflow.work",
        "annotator.ui.state.workspace",
        "annotator.ui.actions.table",
        "annotator.ui.canvas.canvas_view",
    }
    assert later.isdisjoint(modules)
