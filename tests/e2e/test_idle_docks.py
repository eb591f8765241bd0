"""Docks, lanes and tools without content stay away, and come once there is some."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QToolBar, QToolButton
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.domain.forms.field import Option
from annotator.domain.ids import item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import create_project
from annotator.services.settings import Settings
from annotator.ui.shell.main_window import MainWindow
from annotator.ui.timeline.model.lane_contents import SegmentLane
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import CHOICE, STAGE
from tests.e2e.review_team import make_team


def _docks(window: MainWindow) -> dict[str, QDockWidget]:
    return {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}


def _shown(window: MainWindow) -> set[str]:
    return {name for name, dock in _docks(window).items() if not dock.isHidden()}


def _tools(window: MainWindow) -> set[str]:
    bar = window.findChild(QToolBar, "tools")
    assert isinstance(bar, QToolBar)
    return {b.objectName() for b in bar.findChildren(QToolButton) if b.isVisible()}


def test_docks_come_with_their_content_and_go_with_it(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    window, docks = desktop.window, _docks(desktop.window)
    assert {"objects", "inspector"} <= _shown(window)
    assert not {"tasks", "segments"} & _shown(window)
    desktop.draw((20, 60), (80, 120))
    desktop.press("1", "I", "F", "F", "O", "Return")
    desktop.settle()
    assert docks["segments"].isVisible()
    assert not docks["objects"].visibleRegion().isEmpty(), "the list in front stays in front"
    desktop.press("Esc", "Ctrl+Z")
    assert docks["segments"].isHidden()


def test_a_few_objects_leave_the_inspector_more_height(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    docks = _docks(desktop.window)
    desktop.qtbot.waitUntil(lambda: docks["inspector"].height() > docks["objects"].height())


def test_a_dock_that_was_opened_although_empty_stays(
    settings: Settings, project: Path, qtbot: QtBot
) -> None:
    QSettings().clear()
    for run in range(3):
        window = app.make_window(settings)
        window.show()
        assert window.context.projects.open_path(project)
        window.staging.finish()
        docks = _docks(window)
        assert docks["segments"].isHidden()
        assert docks["tasks"].isHidden() == (run != 1), run
        if run == 0:
            docks["tasks"].show()
        elif run == 1:
            docks["tasks"].hide()
        window.close()
        window.deleteLater()
        qtbot.wait(1)
    QSettings().clear()


def test_a_second_video_brings_the_list_of_tasks(
    desktop: Desktop, project: Path, clip: Path
) -> None:
    desktop.open(project)
    assert "tasks" not in _shown(desktop.window)
    second = project.parent / "second.mp4"
    second.write_bytes(clip.read_bytes() + bytes(1))
    desktop.window.context.projects.add_dropped([second])
    desktop.qtbot.waitUntil(lambda: "tasks" in _shown(desktop.window), timeout=10_000)


def test_a_task_with_boxes_alone_has_no_places_for_points_and_segments(
    desktop: Desktop, tmp_path: Path, clip: Path
) -> None:
    team = make_team(tmp_path, clip, ("Ann",))
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    assert window.assembly.pages.start is not None
    page = window.assembly.pages.start.sign_in
    (item,) = page.list.findItems("Ann", Qt.MatchFlag.MatchStartsWith)
    page.list.setCurrentItem(item)
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    desktop.run("task.next")
    desktop.settle()
    assert not {"segments", "labels", "changes"} & _shown(window)
    assert {"tasks", "objects", "checklist"} <= _shown(window)
    assert "tool.box" in _tools(window)
    assert "tool.point" not in _tools(window)
    rows = window.assembly.timeline.viewport.layout.rows
    assert not [row for row in rows if isinstance(row, SegmentLane)]


_THREE_KINDS = f"""
name = "asking"
version = 1
title = "Three kinds"

[[task_types]]
kind = "object-tracks"
title = "Object tracks"
tools = ["boxes"]
[[task_types.stages]]
key = "annotate"
title = "Annotate"
act = "annotate"

[[task_types]]
kind = "point-tracks"
title = "Point tracks"
tools = ["points"]
[[task_types.stages]]
key = "annotate"
title = "Annotate"
act = "annotate"

[[task_types]]
kind = "questions"
title = "Multiple choice"
{STAGE}[task_types.form]
{CHOICE}
"""


def test_each_task_has_its_docks_also_after_questions(
    desktop: Desktop, tmp_path: Path, clip: Path
) -> None:
    path = _make_three_kinds(tmp_path, clip)
    window = desktop.window
    assert window.context.projects.open_path(path)
    workspace = window.context.workspace
    assert workspace.project is not None
    (ann,) = (p for p in workspace.project.work.people.all() if p.name == "Ann")
    workspace.sign_in(ann.id)
    for _ in range(2):
        _claim(desktop, "object-tracks", "annotate")
        assert "objects" in _shown(window)
        assert not {"segments", "labels"} & _shown(window)
        _claim(desktop, "questions", "answer")
        assert "question" in _shown(window)
        assert not {"objects", "segments"} & _shown(window)
        _claim(desktop, "point-tracks", "annotate")
        assert window.context.middle.hint.text() == "Press P and click the position of a point"
        assert "objects" in _shown(window)
        assert not {"question", "segments"} & _shown(window)


def _claim(desktop: Desktop, kind: str, stage: str) -> None:
    """Open the task of a kind: claim it, or go on with it."""
    project, context = desktop.window.context.workspace.project, desktop.window.context
    assert project is not None
    mine = [held.task_id for held in project.work.in_hand() if held.kind == kind]
    if mine:
        context.tasks.open_task_or_explain(mine[0])
    else:
        context.tasks.claim_next(kind, stage)
    desktop.settle()
    desktop.qtbot.wait(1)


def _make_three_kinds(folder: Path, clip: Path) -> Path:
    project = create_project(folder / "three", title="Three kinds")
    project.work.use_recipe(_THREE_KINDS)
    video = folder / clip.name
    video.write_bytes(clip.read_bytes())
    (video_id,) = project.add_videos([video]).added
    project.work.people.add("Ann", (Role.RATER,))
    options = tuple(Option(key, key) for key in "ab")
    item = Item(item_id(), "questions", (video_id,), "What is it?", options=options)
    assert project.questions.add([item]).refused == ()
    project.close()
    return project.path
