"""Questions about two videos: side by side, on one play button or each on its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from annotator.ui.forms.second_video import SecondVideo
from tests.e2e.asking_floor import make_asking
from tests.e2e.conftest import Desktop, make_clip
from tests.e2e.test_questions import begin


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pair")
    return [make_clip(folder / "dark.mp4"), make_clip(folder / "bright.mp4", shade=200)]


def _second(desktop: Desktop) -> SecondVideo:
    found = desktop.window.questions.second
    assert found is not None
    desktop.qtbot.waitUntil(lambda: found.picture.index is not None)
    return found


def test_two_videos_follow_one_play_button(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    floor = make_asking(tmp_path, clips, head="is_pair = true\n")
    begin(desktop, floor)
    window, second = desktop.window, _second(desktop)
    assert second.isVisible()
    assert not second.bar.isVisible()
    names = {window.desk.pair[0], second.other.name}
    assert names == {"dark.mp4", "bright.mp4"}
    assert second.name.text().startswith("2 · ")
    window.playback.seek(50)
    desktop.settle()
    desktop.qtbot.waitUntil(lambda: second.picture.index == 50)
    stage = window.desk.stage
    assert stage is not None
    window.canvas.setFocus()
    window.refresh()
    QTest.keySequence(window.canvas, "Space")
    assert second.other.player.state.is_playing
    QTest.keySequence(window.canvas, "Space")
    assert not second.other.player.state.is_playing
    desktop.settle()
    assert second.other.player.state.frame == stage.player.state.frame
    window.task_actions.show_mine()
    assert window.questions.second is None
    assert window.desk.pair == ()


def test_two_videos_play_each_by_itself(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    head = 'is_pair = true\nviewing = { layout = "apart" }\n'
    begin(desktop, make_asking(tmp_path, clips, head=head))
    window, second = desktop.window, _second(desktop)
    assert second.bar.isVisible()
    window.playback.seek(50)
    desktop.settle()
    assert second.other.player.state.frame == 0
    window.refresh()
    QTest.keySequence(window.canvas, "Shift+K")
    assert second.other.player.state.is_playing
    stage = window.desk.stage
    assert stage is not None
    QTest.keySequence(window.canvas, "Space")
    assert stage.player.state.is_playing
    assert not second.other.player.state.is_playing
    QTest.keySequence(window.canvas, "Shift+K")
    assert not stage.player.state.is_playing
    second.toggle()
    assert not second.other.player.state.is_playing
    second.slider.setSliderDown(True)
    second.slider.sliderMoved.emit(30)
    second.slider.setSliderDown(False)
    desktop.qtbot.waitUntil(lambda: second.other.player.state.frame == 30)


def test_what_may_not_be_heard_or_seen_is_not_there(
    desktop: Desktop, clips: list[Path], tmp_path: Path
) -> None:
    head = 'is_pair = true\nviewing = { extent = "middle-frame", is_muted = true }\n'
    begin(desktop, make_asking(tmp_path, clips, head=head))
    window, second = desktop.window, _second(desktop)
    stage = window.desk.stage
    assert stage is not None
    stage.finish()
    assert window.desk.frame == second.picture.index == 45
    assert window.desk.n_frames == len(second.other.times) == 46
    window.playback.seek(3)
    desktop.settle()
    assert window.desk.frame == 45
    assert stage.sound is None
