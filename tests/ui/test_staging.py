"""What the window builds after its first picture: in small steps, without moving anything."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.services.settings import Settings
from annotator.ui.shell.main_window import MainWindow

_FRAME_S = 0.016


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    settings = Settings(tmp_path / "settings.toml")
    made = app.make_window(settings, remembers_place=False, is_staged=True)
    qtbot.addWidget(made)
    yield made
    made.close()


def _places(window: MainWindow) -> dict[str, tuple[int, int, int, int]]:
    parts: dict[str, QWidget] = {
        "canvas": window.context.canvas,
        "transport": window.assembly.transport,
        "menus": window.menuBar(),
        "status": window.statusBar(),
        "splitter": window.context.middle.splitter,
    }
    return {name: w.geometry().getRect() for name, w in parts.items() if w.isVisible()}


def test_what_comes_later_takes_the_place_that_was_kept(window: MainWindow, qtbot: QtBot) -> None:
    window.assembly.pages.setCurrentWidget(
        window.context.middle.splitter
    )  # behind another page nobody sees it move
    with qtbot.waitExposed(window):
        window.show()
    window.staging._timer.stop()
    before = _places(window)
    assert len(before) == 5
    assert not window.staging.is_complete
    window.staging.finish()
    qtbot.wait(1)
    assert _places(window) == before


def test_steps_run_by_themselves_once_shown(window: MainWindow, qtbot: QtBot) -> None:
    assert window.staging.names
    with qtbot.waitSignal(window.staging.completed):
        window.show()
    assert window.staging.names == []
    assert window.context.table.unhandled() == []


def test_an_action_that_nobody_has_yet_asks_for_what_it_needs(window: MainWindow) -> None:
    window.context.table.run("view.fit")
    assert "tool.box" in window.context.table.unhandled()
    window.context.table.unknown.emit("tool.box")
    assert "tool.box" not in window.context.table.unhandled()
    assert not window.staging.is_complete


def test_a_menu_that_is_still_empty_asks_for_all(window: MainWindow) -> None:
    window.context.table.unknown.emit("")
    assert window.staging.is_complete
    assert window.context.table.unhandled() == []


def test_each_step_leaves_time_for_keys(window: MainWindow) -> None:
    # What is imported for the first time is counted by the benchmark; here it is loaded before.
    taken = {}
    while not window.staging.is_complete:
        name = window.staging.names[0]
        begin = time.thread_time()
        window.staging._go_on()
        taken[name] = time.thread_time() - begin
    # Once in a while the system interrupts; the bound is for the typical step.
    slow = {name: t for name, t in taken.items() if t > 2 * _FRAME_S}
    assert slow == {}
