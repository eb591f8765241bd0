"""Reach and names: all that takes the focus can be told by a screen reader; sound alone opens."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QScrollArea, QTabBar, QWidget

from annotator.services.projects import create_project
from tests.e2e.conftest import Desktop


def _name(widget: QWidget) -> str:
    if widget.accessibleName():
        return widget.accessibleName()
    if isinstance(widget, QAbstractButton):
        action = getattr(widget, "defaultAction", lambda: None)()
        return widget.text() or widget.toolTip() or (action.text() if action else "")
    return ""


def test_all_that_takes_the_focus_has_a_name(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    nameless = [
        widget
        for widget in desktop.window.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and not isinstance(widget, QScrollArea | QTabBar)
        and not isinstance(widget.parentWidget(), QAbstractScrollArea)
        and not widget.objectName().startswith("qt_")
        and not _name(widget)
    ]
    assert nameless == []
    assert "frame 0" in desktop.window.canvas.summary().lower()


def test_tab_reaches_the_panels_and_comes_back(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    window = desktop.window
    window.tasks.filter.setFocus()
    seen: list[QWidget | None] = []
    for _ in range(60):
        window.focusNextChild()
        seen.append(window.focusWidget())
    assert {window.canvas, window.timeline, window.objects.filter, window.tasks.list} <= set(seen)


def test_keys_alone_leave_the_picture(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    window = desktop.window
    visited = []
    for _ in range(5):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_F6)
        visited.append(window.focusWidget())
    assert visited == [
        window.timeline,
        window.objects.view,
        window.inspector.name,
        window.tasks.list,
        window.canvas,
    ]
    QTest.keyClick(window.canvas, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert window.focusWidget() is window.tasks.list


def test_sound_without_a_picture_opens_and_moves(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "tap.wav"
    samples = (8000 * np.sin(np.arange(16_000) / 10)).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(samples.tobytes())
    made = create_project(tmp_path / "sound", title="Sound")
    assert made.add_videos([path]).failed == ()
    made.close()
    window = desktop.window
    assert window.projects.open_path(made.path)
    assert window.desk.stage is not None
    assert window.desk.stage.has_sound
    assert window.desk.stage.pictures is None
    window.refresh()
    window.table.run("go.second-forward")
    assert window.desk.stage.player.state.time_s > 0.9
    window.table.run("go.grid-forward")
    window.table.run("go.last")
    assert not window.table.action("key.set").isEnabled()
