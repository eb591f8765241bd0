"""In the window a video that is shown up to its cut ends there, with its sound and all strips."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.services.project.metadata import CUT_FRAME, KEY
from annotator.services.project.projects import open_project
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import make_asking
from tests.e2e.test_questions import begin
from tests.media.encoding import add_sound, encode
from tests.media.pattern import read_number

N, CUT = 48, 20


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cut")
    encode(folder / "silent.mp4", numbers=range(N))
    add_sound(folder / "silent.mp4", folder / "clip.mp4", seconds=N / 30)
    return folder / "clip.mp4"


def test_a_single_frame_has_no_controls_of_time(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], head='viewing = { extent = "middle-frame" }\n'))
    window = desktop.window
    assert not window.assembly.transport.isVisible()
    assert not window.assembly.timeline.isVisible()
    window.context.updates.refresh()
    assert not window.context.table.action("play.toggle").isEnabled()
    assert not window.context.table.action("question.replay").isEnabled()
    window.context.tasks.show_mine()
    assert not window.assembly.transport.isHidden()
    assert not window.assembly.timeline.isHidden()


def test_a_video_ends_at_its_cut(desktop: Desktop, clip: Path, tmp_path: Path) -> None:
    team = make_asking(tmp_path, [clip], head='viewing = { extent = "before-cut" }\n')
    project = open_project(team.path)
    (video,) = project.videos()
    project.set_extra({video.id: {KEY: {CUT_FRAME: CUT}}})
    project.close()
    begin(desktop, team)
    window = desktop.window
    stage = window.context.workspace.stage
    assert stage is not None
    stage.finish()
    assert window.context.workspace.n_frames == CUT
    assert stage.end_s == pytest.approx(CUT / 30)
    window.context.playback.seek(N)
    desktop.settle()
    assert window.context.workspace.frame == CUT - 1
    thumbnails, sound = stage.thumbnails, stage.sound
    assert thumbnails is not None
    assert sound is not None
    desktop.qtbot.waitUntil(lambda: len(thumbnails.pictures) == CUT, timeout=30_000)
    shown = {read_number(thumb.bgra[:, :, 2::-1]) for thumb in thumbnails.pictures}
    assert shown <= set(range(CUT))
    desktop.qtbot.waitUntil(lambda: sound.state.is_complete, timeout=30_000)
    assert sound.state.end_s == pytest.approx(CUT / 30, abs=0.001)
