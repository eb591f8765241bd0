"""Reach and names: all that takes the focus can be told by a screen reader; sound alone opens."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QDockWidget,
    QLabel,
    QScrollArea,
    QTabBar,
    QToolButton,
    QWidget,
)

from annotator.domain.annotation.segment import Lane
from annotator.domain.recipes.recipe import Tool
from annotator.services.project.projects import create_project
from annotator.ui.timeline.model import timeline_texts
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.model.layout import RULER_END_PX
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
    assert "frame 0" in desktop.window.context.canvas.summary().lower()


def _show_tasks(desktop: Desktop) -> None:
    """Open the panel that a project with a single task does not need."""
    dock = desktop.window.findChild(QDockWidget, "tasks")
    assert isinstance(dock, QDockWidget)
    assert dock.isHidden()
    dock.show()


def test_tab_reaches_the_panels_and_comes_back(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    window = desktop.window
    _show_tasks(desktop)
    window.context.panels.tasks.filter.setFocus()
    seen: list[QWidget | None] = []
    for _ in range(60):
        window.focusNextChild()
        seen.append(window.focusWidget())
    assert {
        window.context.canvas,
        window.assembly.timeline,
        window.context.panels.objects.filter,
        window.context.panels.tasks.list,
    } <= set(seen)


def test_keys_alone_leave_the_picture(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    _show_tasks(desktop)
    window = desktop.window
    visited = []
    for _ in range(5):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_F6)
        visited.append(window.focusWidget())
    assert visited == [
        window.assembly.timeline,
        window.context.panels.objects.view,
        window.context.panels.inspector.name,
        window.context.panels.tasks.list,
        window.context.canvas,
    ]
    QTest.keyClick(window.context.canvas, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert window.focusWidget() is window.context.panels.tasks.list


def test_sound_without_a_picture_opens_and_moves(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "tap.wav"
    _write_tone(path)
    made = create_project(tmp_path / "sound", title="Sound")
    assert made.add_videos([path]).failed == ()
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(made.path)
    assert window.context.workspace.stage is not None
    assert window.context.workspace.stage.has_sound
    assert window.context.workspace.stage.pictures is None
    window.context.updates.refresh()
    window.context.table.run("go.second-forward")
    assert window.context.workspace.stage.player.state.time_s > 0.9
    window.context.table.run("go.grid-forward")
    window.context.table.run("go.last")
    assert not window.context.table.action("key.set").isEnabled()


def test_sound_without_a_picture_is_seen_and_marked(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "tap.wav"
    _write_tone(path)
    made = create_project(tmp_path / "sound", title="Sound")
    assert made.add_videos([path]).failed == ()
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(made.path)
    stage, timeline = window.context.workspace.stage, window.assembly.timeline
    assert stage is not None
    desktop.qtbot.waitUntil(lambda: timeline.viewport.layout.axis_width > 100)
    assert "Draw a box" not in timeline_texts.empty_text(timeline.viewport.axis)

    layout = timeline.viewport.layout
    left, right = Qt.MouseButton.LeftButton, round(layout.axis_left + layout.axis_width / 2)
    still = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(timeline, left, still, QPoint(right, RULER_END_PX - 10))
    assert 0.9 < stage.player.state.time_s < 1.1
    assert timeline.viewport.moment_s == stage.player.state.time_s
    assert "00:0" in timeline.summary()
    window.context.updates.refresh()
    window.context.table.run("play.toggle")
    before = timeline.viewport.moment_s
    desktop.qtbot.waitUntil(lambda: timeline.viewport.moment_s > before + 0.05, timeout=10_000)
    stage.player.pause()

    lane = next(i for i, r in enumerate(layout.rows) if getattr(r, "lane", None) is Lane.SOUND)
    y = layout.top_of(lane) + 8
    window.context.workspace.labels.set_lane(Lane.SOUND)
    label = window.context.workspace.labels.by_digit("1")
    assert label is not None
    window.context.workspace.labels.choose(label)
    QTest.mousePress(timeline, left, still, QPoint(right, y))
    QTest.mouseMove(timeline, QPoint(right + 40, y))
    QTest.mouseMove(timeline, QPoint(right + 80, y))
    QTest.mouseRelease(timeline, left, still, QPoint(right + 80, y))
    (segment,) = stage.session.document.segments
    assert segment.start_us is not None
    assert 900_000 < segment.start_us < 1_100_000


def test_keys_mark_play_and_repeat_a_stretch_of_sound_alone(
    desktop: Desktop, tmp_path: Path
) -> None:
    path = tmp_path / "tap.wav"
    _write_tone(path)
    made = create_project(tmp_path / "sound", title="Sound")
    assert made.add_videos([path]).failed == ()
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(made.path)
    workspace, table = window.context.workspace, window.context.table
    stage = workspace.stage
    assert stage is not None
    assert stage.session.tools == {Tool.SOUNDS}
    shown = {d.objectName() for d in window.findChildren(QDockWidget) if not d.isHidden()}
    assert "labels" in shown
    assert not {"objects", "inspector"} & shown
    assert window.assembly.transport.frame.isHidden()
    heights = window.context.middle.splitter.sizes()
    assert heights[1] > heights[0], "the timeline has most of the room"

    def at(seconds: float, action_id: str) -> None:
        stage.player.seek_time(seconds)
        window.context.updates.refresh()
        table.run(action_id)

    at(0.5, "range.in")
    assert workspace.range == (500, 2000)
    at(1.25, "range.out")
    assert workspace.range == (500, 1250)
    table.run("go.range-in")
    assert stage.player.state.time_s == pytest.approx(0.5)
    table.action("play.loop").trigger()
    assert stage.player.state.loop_s == pytest.approx((0.5, 1.25))
    table.action("play.loop").trigger()
    label = workspace.labels.by_digit("1")
    assert label is not None
    workspace.labels.choose(label)
    window.context.updates.refresh()
    table.run("segment.commit")
    (segment,) = stage.session.document.segments
    assert (segment.start_us, segment.end_us) == (500_000, 1_250_000)
    assert not window.findChild(QDockWidget, "inspector").isHidden(), "it shows the segment"
    window.context.panels.inspector.refresh()
    texts = [label.text() for label in window.assembly.card.findChildren(QLabel)]
    assert "0.750 s" in texts
    assert not any("frame" in text for text in texts), texts
    assert workspace.span == (500, 1250), "the new segment is what is played next"
    window.context.updates.refresh()
    table.run("play.range")
    desktop.qtbot.waitUntil(lambda: not stage.player.state.is_playing, timeout=10_000)
    assert stage.player.state.time_s == pytest.approx(1.249, abs=0.05)
    at(1.0, "segment.split")
    table.run("segment.previous")
    head, rest = stage.session.document.segments
    assert (head.end_us, rest.start_us) == (1_000_000, 1_000_000)
    at(0.75, "segment.end-here")
    head, rest = stage.session.document.segments
    assert (head.start_us, head.end_us) == (500_000, 750_000)
    table.run("segment.next-edge")
    assert stage.player.state.time_s == pytest.approx(1.0, abs=0.002)
    rows = window.assembly.timeline.viewport.layout.rows
    assert [row.row for row in rows if isinstance(row, SegmentLane)] == [0], "not stacked"
    workspace.selection.set_segments([head.id, rest.id])
    window.context.updates.refresh()
    table.run("track.join")
    assert len(stage.session.document.segments) == 2, "they do not touch"


def _write_tone(path: Path) -> None:
    samples = (8000 * np.sin(np.arange(16_000) / 10)).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(samples.tobytes())


def test_the_window_fits_a_small_screen(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    window = desktop.window
    assert window.minimumSizeHint().width() <= 800
    assert window.minimumSizeHint().height() <= 500
    window.resize(800, 500)
    desktop.qtbot.waitUntil(lambda: window.width() == 800)
    desktop.settle()
    assert window.size().height() == 500
    submit = next(
        button
        for button in window.assembly.header.findChildren(QToolButton)
        if button.defaultAction() is window.context.table.action("task.submit")
    )
    right = submit.mapTo(window, submit.rect().topRight()).x()
    assert submit.isVisible()
    assert 0 < right < 800
    assert window.assembly.timeline.viewport.layout.axis_width >= 200
