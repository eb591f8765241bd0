"""A rater's first day in the real window: draw, step, rename, flags, undo, close, come back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from annotator.services.project.projects import create_project, open_project
from annotator.ui.shell.main_window import MainWindow
from tests.e2e.conftest import N_FRAMES, Desktop


def _labels(window: MainWindow) -> list[str]:
    assert window.context.workspace.session is not None
    return [t.label for t in window.context.workspace.session.document.tracks]


def _rename(desktop: Desktop, name: str) -> None:
    selected = desktop.window.context.workspace.selection.tracks
    desktop.press("Ctrl+R")
    assert desktop.window.context.workspace.selection.tracks == selected
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, name)
    QTest.keyClick(field, Qt.Key.Key_Return)
    desktop.qtbot.waitUntil(lambda: name in _labels(desktop.window))
    desktop.qtbot.waitUntil(desktop.window.context.canvas.hasFocus)


def test_draws_names_flags_and_takes_back(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    track = desktop.window.context.workspace.track
    assert track is not None
    box = track.keyframes[0].box
    assert box is not None
    assert box.as_tuple() == pytest.approx((20, 60, 80, 120), abs=1.0)

    _rename(desktop, "mug")
    assert _labels(desktop.window) == ["mug"]

    desktop.press("V")
    assert desktop.window.context.workspace.frame == 30
    desktop.press("Q")
    assert desktop.window.context.workspace.track is not None
    assert desktop.window.context.workspace.track.state_at(30).occluded
    desktop.press("F", "W")
    assert not desktop.window.context.workspace.track.state_at(31).is_present

    session = desktop.window.context.workspace.session
    assert session is not None
    assert session.undo_op == "set-outside"
    desktop.press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert _labels(desktop.window) == ["object"]
    wanted = [
        "Undo Edit object (0)",
        "Undo Occluded (30)",
        "Undo Out of view (31)",
        "Out of view (31)",
        "Occluded (30)",
        "Edit object (0)",
        "Create object (0)",
    ]

    def told() -> list[str]:
        lines = desktop.window.context.panels.inspector._history.text().splitlines()
        return [line.split("  ", 1)[1] for line in lines]

    desktop.qtbot.waitUntil(lambda: told() == wanted)
    desktop.press("Ctrl+Shift+Z", "Ctrl+Y")
    assert _labels(desktop.window) == ["mug"]
    assert desktop.window.context.workspace.frame == 30


def test_comes_back_to_where_it_was(make_desktop: Callable[[], Desktop], project: Path) -> None:
    first = make_desktop()
    first.open(project)
    first.draw((20, 60), (80, 120))
    first.press("Shift+Right", "F", "F", "Ctrl+=", "Ctrl+=")
    frame = first.window.context.workspace.frame
    selected = first.window.context.workspace.selection.tracks
    view = first.window.context.canvas.zooming.view()
    assert frame > 20
    assert len(selected) == 1
    assert view[0] > 0
    first.window.close()

    second = make_desktop()
    second.open(project)
    assert second.window.context.workspace.frame == frame
    assert second.window.context.workspace.selection.tracks == selected
    assert second.window.context.canvas.zooming.view() == pytest.approx(view, rel=0.02)
    second.press("Ctrl+Z")
    assert _labels(second.window) == []


def test_another_project_does_not_lose_the_place_in_this_one(
    desktop: Desktop, project: Path, tmp_path: Path
) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    desktop.window.context.playback.seek(41)
    desktop.settle()
    selected = desktop.window.context.workspace.selection.tracks
    other = create_project(tmp_path / "other", title="Other")
    other.close()
    assert desktop.window.context.projects.open_path(other.path)
    desktop.open(project)
    assert desktop.window.context.workspace.frame == 41
    assert desktop.window.context.workspace.selection.tracks == selected


def test_keys_step_through_grid_keyframes_and_ends(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    desktop.press("V", "V", "S")
    workspace = desktop.window.context.workspace
    assert workspace.track is not None
    assert workspace.track.frames == (0, 60)
    visited = []
    for key in ("E", "R", "D", "Left", ",", "Shift+R", "End", "Home", "C", "Shift+Right"):
        desktop.press(key)
        visited.append(workspace.frame)
    assert visited == [0, 60, 59, 58, 57, 30, N_FRAMES - 1, 0, 0, 30]


def test_plays_and_stops_on_the_frame_shown(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    window = desktop.window
    assert window.context.workspace.stage is not None
    player = window.context.workspace.stage.player
    QTest.keyClick(window.context.canvas, Qt.Key.Key_Space)
    assert player.state.is_playing
    desktop.qtbot.waitUntil(lambda: window.context.workspace.frame >= 5, timeout=10_000)
    QTest.keyClick(window.context.canvas, Qt.Key.Key_Space)
    assert not player.state.is_playing
    desktop.settle()
    assert window.context.canvas.index == player.state.frame
    assert window.assembly.transport.frame.value() == player.state.frame


def test_k_held_makes_single_steps_of_j_and_l(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    canvas = desktop.window.context.canvas
    assert desktop.window.context.workspace.stage is not None
    player = desktop.window.context.workspace.stage.player
    QTest.keyPress(canvas, Qt.Key.Key_K)
    QTest.keyClick(canvas, Qt.Key.Key_L)
    QTest.keyClick(canvas, Qt.Key.Key_L)
    QTest.keyClick(canvas, Qt.Key.Key_J)
    assert not player.state.is_playing
    assert player.state.frame == 1
    QTest.keyRelease(canvas, Qt.Key.Key_K)
    QTest.keyClick(canvas, Qt.Key.Key_L)
    assert player.state.is_playing
    QTest.keyClick(canvas, Qt.Key.Key_K)
    desktop.settle()


def test_marked_range_takes_flags_and_loses_keyframes(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    workspace = desktop.window.context.workspace
    desktop.press("V", "S", "I", "F", "F", "F", "O")
    assert workspace.range == (30, 34)
    desktop.press("Shift+Q")
    assert workspace.track is not None
    assert [workspace.track.state_at(f).occluded for f in (29, 30, 33, 34)] == [
        False,
        True,
        True,
        False,
    ]
    desktop.press("Shift+W")
    assert [workspace.track.state_at(f).is_present for f in (29, 30, 33, 34)] == [
        True,
        False,
        False,
        True,
    ]
    desktop.press("Shift+X")
    assert workspace.track.keyframes_in(30, 34) == ()
    desktop.press("Ctrl+Shift+X")
    assert workspace.range is None


def test_splits_joins_hides_locks_and_deletes(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    workspace = desktop.window.context.workspace
    desktop.press("V", "Alt+M")
    assert workspace.session is not None
    first, second = workspace.session.document.tracks
    assert second.first_frame == 30
    workspace.selection.set_tracks([second.id, first.id])
    desktop.press("M")
    assert len(workspace.session.document.tracks) == 1
    desktop.press("H", "Ctrl+L")
    info = workspace.session.document.tracks[0].info
    assert (info.is_hidden, info.is_locked) == (True, True)
    desktop.press("Del")
    assert len(workspace.session.document.tracks) == 1
    assert "locked" in desktop.window.context.middle.toast.text()
    desktop.press("Ctrl+L", "Del")
    assert workspace.session.document.tracks == ()


def test_typing_a_name_starts_no_action(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    workspace = desktop.window.context.workspace
    frame = workspace.frame
    field = desktop.window.context.panels.inspector.name
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "fvb dqwx,. 3")
    for key in ("Ctrl+B", "Ctrl+L", "Home", "Shift+Left", "Del", "Ctrl+A"):
        QTest.keySequence(field, key)
    QTest.keyClicks(field, "cafetiere")
    assert workspace.frame == frame
    assert desktop.window.context.canvas.tools.tool == "select"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert workspace.track is not None
    assert workspace.track.label == "cafetiere"
    assert not workspace.track.info.is_locked
    assert workspace.track.frames == (0,)


def test_submitted_task_is_read_only_until_reopened(
    desktop: Desktop, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.ui.work.submit.ask_submit", lambda *_: True)
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    desktop.run("task.submit")
    desktop.settle()
    table = desktop.window.context.table
    assert not table.action("key.set").isEnabled()
    assert not table.action("task.submit").isEnabled()
    desktop.run("task.reopen")
    desktop.settle()
    desktop.press("V", "S")
    assert desktop.window.context.workspace.track is not None
    assert desktop.window.context.workspace.track.frames == (0, 30)


def test_second_window_says_who_holds_the_project(
    make_desktop: Callable[[], Desktop], project: Path
) -> None:
    holder = open_project(project)
    session = holder.open_task(holder.tasks()[0].id)
    desktop = make_desktop()
    desktop.open(project)
    assert not desktop.window.context.workspace.can_edit
    assert not desktop.window.context.table.action("tool.box").isEnabled()
    assert any("process" in text for text in desktop.window.context.banners.texts())
    del session
    holder.close()
