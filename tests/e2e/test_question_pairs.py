"""Questions about two videos: side by side, on one play button or each on its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from annotator.domain.answer import FrameBox
from annotator.domain.geometry import Box
from annotator.services.project.projects import open_project
from annotator.ui.forms.second_video import SecondVideo
from tests.e2e.conftest import Desktop, make_clip
from tests.e2e.question_team import make_asking
from tests.e2e.test_questions import begin


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pair")
    return [make_clip(folder / "dark.mp4"), make_clip(folder / "bright.mp4", shade=200)]


def _second(desktop: Desktop) -> SecondVideo:
    found = desktop.window.assembly.questions.second
    assert found is not None
    desktop.qtbot.waitUntil(lambda: found.picture.index is not None)
    return found


def test_two_videos_follow_one_play_button(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    team = make_asking(tmp_path, clips, head="is_pair = true\n")
    begin(desktop, team)
    window, second = desktop.window, _second(desktop)
    assert second.isVisible()
    assert not second.bar.isVisible()
    names = {window.context.workspace.pair[0], second.other.name}
    assert names == {"dark.mp4", "bright.mp4"}
    assert second.name.text().startswith("2 · ")
    assert (
        second.picture.mapTo(window, QPoint()).y()
        == window.context.canvas.mapTo(window, QPoint()).y()
    )
    window.context.playback.seek(50)
    desktop.settle()
    desktop.qtbot.waitUntil(lambda: second.picture.index == 50)
    stage = window.context.workspace.stage
    assert stage is not None
    window.context.canvas.setFocus()
    window.context.updates.refresh()
    QTest.keySequence(window.context.canvas, "Space")
    assert second.other.player.state.is_playing
    QTest.keySequence(window.context.canvas, "Space")
    assert not second.other.player.state.is_playing
    desktop.settle()
    assert second.other.player.state.frame == stage.player.state.frame
    window.context.tasks.show_mine()
    assert window.assembly.questions.second is None
    assert window.context.workspace.pair == ()


def test_nobody_answers_about_a_pair_with_a_missing_video(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    team = make_asking(tmp_path, clips, head="is_pair = true\n")
    begin(desktop, team)
    window = desktop.window
    (other,) = window.assembly.questions.asking.other_videos
    project = window.context.workspace.project
    assert project is not None
    path = project.media.path(other)
    assert path is not None
    assert window.assembly.questions.asking.can_answer
    window.context.tasks.show_mine()
    away = path.rename(tmp_path.parent / f"{tmp_path.name}-away.mp4")
    said: list[str] = []
    window.context.workspace.failed.connect(lambda error: said.append(str(error)))
    (held,) = project.work.my_work().in_progress
    window.context.tasks.open_task_or_explain(held.task_id)
    desktop.settle()
    assert "”: the file is not at its stored location." in said[0]
    assert window.assembly.questions.second is None
    panel = window.assembly.questions.panel
    assert panel is not None
    assert panel.view is not None
    assert not panel.view.isEnabled()
    desktop.press("1")
    assert window.assembly.questions.asking.values() == {}
    window.context.updates.refresh()
    assert window.context.table.action("video.locate").isEnabled()
    away.rename(path.with_name("found.mp4"))
    # It is looked for in the background, and the task is opened again with it.
    project.videos()
    desktop.qtbot.waitUntil(lambda: window.assembly.questions.second is not None, timeout=20_000)
    assert not any(
        "”: the file is not at its stored location." in text
        for text in window.context.banners.texts()
    )
    _second(desktop)
    desktop.settle()
    desktop.press("1")
    assert set(window.assembly.questions.asking.values()) == {"answer"}


def test_two_videos_play_each_by_itself(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    head = 'is_pair = true\nviewing = { layout = "apart" }\n'
    begin(desktop, make_asking(tmp_path, clips, head=head))
    window, second = desktop.window, _second(desktop)
    assert second.bar.isVisible()
    window.context.playback.seek(50)
    desktop.settle()
    assert second.other.player.state.frame == 0
    window.context.updates.refresh()
    QTest.keySequence(window.context.canvas, "Shift+K")
    assert second.other.player.state.is_playing
    stage = window.context.workspace.stage
    assert stage is not None
    QTest.keySequence(window.context.canvas, "Space")
    assert stage.player.state.is_playing
    assert not second.other.player.state.is_playing
    QTest.keySequence(window.context.canvas, "Shift+K")
    assert not stage.player.state.is_playing
    second.toggle()
    assert not second.other.player.state.is_playing
    second.slider.setSliderDown(True)
    second.slider.sliderMoved.emit(30)
    second.slider.setSliderDown(False)
    desktop.qtbot.waitUntil(lambda: second.other.player.state.frame == 30)


def _say_what_is_meant(path: Path) -> None:
    """Box the square of both clips, on another frame of each."""
    project = open_project(path)
    items = [item for _, item in project.questions.list()]
    frames = {info.id: frame for (info, _), frame in zip(project.media.all(), (0, 45), strict=True)}
    made = [
        replace(item, boxes=tuple(_square(frames[video_id]) for video_id in item.video_ids))
        for item in items
    ]
    project.questions.replace(made)
    project.close()


def _square(frame: int) -> FrameBox:
    return FrameBox(frame, Box(20 + 2 * frame, 60, 80 + 2 * frame, 120))


def test_what_is_meant_in_each_video_is_boxed_above_the_question(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    team = make_asking(tmp_path, clips, head="is_pair = true\n")
    _say_what_is_meant(team.path)
    begin(desktop, team)
    panel = desktop.window.assembly.questions.panel
    assert panel is not None
    strip = panel.meant
    assert strip.isVisible()
    assert [pane.accessibleName() for pane in strip.panes] == [
        "Object 1 with box",
        "Object 2 with box",
    ]
    desktop.qtbot.waitUntil(
        lambda: all(pane.picture is not None for pane in strip.panes), timeout=20_000
    )
    for pane in strip.panes:
        picture = pane.picture
        assert picture is not None
        # The light square of the clip fills the box.
        box = picture.box.box
        rows, columns = slice(64, 116), slice(round(box.x1) + 4, round(box.x2) - 4)
        assert picture.rgb[rows, columns, 0].min() > 210
        image = pane.grab().toImage()
        line = {image.pixelColor(x, image.height() // 2).name() for x in range(image.width())}
        assert "#ff0000" in line
    desktop.window.context.tasks.show_mine()
    assert not strip.isVisible()


def test_nothing_is_boxed_where_nothing_is_said_of_it(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, clips, head="is_pair = true\n"))
    panel = desktop.window.assembly.questions.panel
    assert panel is not None
    assert panel.meant.panes == []
    assert not panel.meant.isVisible()


def test_what_may_not_be_heard_or_seen_is_not_there(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    head = 'is_pair = true\nviewing = { extent = "middle-frame", is_muted = true }\n'
    begin(desktop, make_asking(tmp_path, clips, head=head))
    window, second = desktop.window, _second(desktop)
    stage = window.context.workspace.stage
    assert stage is not None
    stage.finish()
    assert window.context.workspace.frame == second.picture.index == 45
    assert window.context.workspace.n_frames == len(second.other.times) == 46
    window.context.playback.seek(3)
    desktop.settle()
    assert window.context.workspace.frame == 45
    assert stage.sound is None
