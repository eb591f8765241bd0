"""A real window on a real project with a real clip, and a check that it gives everything back."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.domain.geometry import Point
from annotator.services.project.projects import create_project
from annotator.services.settings import Settings
from annotator.ui.dialogs.project.import_plan_dialog import ImportPlanDialog
from annotator.ui.shell.main_window import MainWindow
from tests.media.encoding import Image, write_video

SIZE = (320, 180)
N_FRAMES = 90


def make_clip(path: Path, *, shade: int = 60) -> Path:
    """Write a clip of 90 frames at 30 per second: a light square goes to the right."""

    def image(i: int) -> Image:
        picture = np.full((SIZE[1], SIZE[0], 3), shade, np.uint8)
        picture[60:120, 20 + 2 * i : 80 + 2 * i] = (230, 180, 60)
        return picture

    return write_video(path, map(image, range(N_FRAMES)), preset="ultrafast", g="30")


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_clip(tmp_path_factory.mktemp("clips") / "square.mp4")


@pytest.fixture
def project(tmp_path: Path, clip: Path) -> Path:
    """A project file with the clip beside it and a task waiting."""
    video = tmp_path / clip.name
    video.write_bytes(clip.read_bytes())
    made = create_project(tmp_path / "day", title="First day")
    report = made.add_videos([video])
    assert report.failed == ()
    path = made.path
    made.close()
    return path


@dataclass
class Desktop:
    """A window, and hands to work it with."""

    window: MainWindow
    qtbot: QtBot

    def open(self, path: Path) -> None:
        assert self.window.context.projects.open_path(path)
        self.settle()

    def settle(self) -> None:
        """Wait until the frame asked for is on the screen and actions and inspector know of it."""
        stage = self.window.context.workspace.stage
        assert stage is not None

        def is_shown() -> None:
            assert self.window.context.canvas.index == stage.player.state.frame
            assert self.window.context.workspace.frame == stage.player.state.frame

        self.qtbot.waitUntil(_without_error(is_shown), timeout=10_000)
        self.window.context.updates.refresh()
        self.window.context.panels.inspector.refresh()

    def press(self, *keys: str) -> None:
        """Press keys as on the keyboard, the canvas having the focus."""
        if not self.window.isActiveWindow():
            self.window.activateWindow()
            self.qtbot.waitUntil(self.window.isActiveWindow)
        self.window.context.canvas.setFocus()
        for key in keys:
            self.window.context.updates.refresh()
            type_key(self.window.context.canvas, key)
            if self.window.context.workspace.stage is not None:
                self.settle()

    def at(self, x: float, y: float) -> QPoint:
        """Return where on the canvas an image point is."""
        place = self.window.context.canvas.board.viewport.to_widget(Point(x, y))
        return QPoint(round(place[0]), round(place[1]))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag with the left button between two image points."""
        canvas, left = self.window.context.canvas, Qt.MouseButton.LeftButton
        first, last = self.at(*start), self.at(*end)
        QTest.mousePress(canvas, left, Qt.KeyboardModifier.NoModifier, first)
        for part in (0.3, 0.6, 1.0):
            step = QPointF(first) + (QPointF(last) - QPointF(first)) * part
            QTest.mouseMove(canvas, step.toPoint())
        QTest.mouseRelease(canvas, left, Qt.KeyboardModifier.NoModifier, last)
        self.settle()

    def draw(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a box as a new object."""
        self.press("N")
        self.drag(start, end)

    def run(self, action_id: str) -> None:
        self.window.context.updates.refresh()
        assert self.window.context.table.action(action_id).isEnabled(), action_id
        self.window.context.table.run(action_id)


def type_key(widget: QWidget, key: str) -> None:
    """Press and release a key given by its portable name."""
    QTest.keySequence(widget, key)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(tmp_path / "settings.toml")
    # No tracker process: the tests of proposals start their own.
    settings.set("proposals.automatic", False)
    settings.set("objects.ask_name", False)
    # Reading a dictionary takes a moment; the test of it reads one of its own.
    settings.set("answers.spelling", False)
    return settings


@pytest.fixture
def make_desktop(qtbot: QtBot, settings: Settings) -> Iterator[Callable[[], Desktop]]:
    """Make windows; afterwards each is closed, its threads have ended and nothing keeps it."""
    QSettings().clear()
    made: list[weakref.ref[MainWindow]] = []

    def make() -> Desktop:
        window = app.make_window(settings)
        made.append(weakref.ref(window))
        window.setWindowState(Qt.WindowState.WindowNoState)  # a small screen maximizes it
        window.resize(1200, 800)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        window.context.canvas.setFocus()
        return Desktop(window, qtbot)

    yield make
    for reference in made:
        window = reference()
        if window is not None:
            window.close()
            window.deleteLater()
            del window
    QApplication.sendPostedEvents(None, 52)  # DeferredDelete
    QApplication.processEvents()
    gc.collect()
    # What listens to a tracker's process ends a moment after that.
    qtbot.waitUntil(lambda: _own_threads() == [])
    assert [w for w in QApplication.topLevelWidgets() if w.isVisible()] == []


def _own_threads() -> list[str]:
    names = [t.name for t in threading.enumerate() if t is not threading.main_thread()]
    return [n for n in names if n.startswith(("decode", "job", "assist"))]


@pytest.fixture(autouse=True)
def accepted_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept import plans as they are; tests of the dialog answer it themselves."""
    monkeypatch.setattr(ImportPlanDialog, "exec", lambda _: QDialog.DialogCode.Accepted)


@pytest.fixture
def desktop(make_desktop: Callable[[], Desktop]) -> Desktop:
    return make_desktop()


def _without_error(check: Callable[[], None]) -> Callable[[], bool]:
    def holds() -> bool:
        try:
            check()
        except AssertionError:
            return False
        return True

    return holds
