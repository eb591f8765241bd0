"""Of a video with two sound streams the rater chooses: heard, drawn, and remembered."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment
from annotator.domain.ids import segment_id
from annotator.services.project.projects import create_project
from annotator.ui.timeline.model.layout import RULER_END_PX, Zone
from tests.e2e.conftest import Desktop
from tests.media.sounds import RATE, signal


def write_film(path: Path, clip: Path, streams: dict[str, np.ndarray]) -> Path:
    """Put sounds, float32 [n, channels] by language, beside the pictures of a clip."""
    with av.open(str(clip)) as given, av.open(str(path), "w") as out:
        picture = out.add_stream_from_template(given.streams.video[0])
        tones = []
        for language, samples in streams.items():
            layout = "stereo" if samples.shape[1] == 2 else "mono"
            tone = out.add_stream("pcm_s16le", rate=RATE, layout=layout)
            tone.metadata.update({"language": language, "title": f"In {language} & more"})
            tones.append((tone, layout, samples))
        for packet in given.demux(video=0):
            if packet.size:
                packet.stream = picture
                out.mux(packet)
        for tone, layout, samples in tones:
            block = (samples.reshape(1, -1) * 32767).astype(np.int16)
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(block), "s16", layout)
            frame.sample_rate, frame.time_base, frame.pts = RATE, Fraction(1, RATE), 0
            out.mux(tone.encode(frame))
    return path


@pytest.fixture
def project(tmp_path: Path, clip: Path) -> Path:
    """A project with a video that has a stereo and a mono stream; its right channel is silent."""
    loud = signal(3)
    film = write_film(
        tmp_path / "two.mkv",
        clip,
        {"eng": np.stack([loud, 0 * loud], axis=1), "deu": 0.1 * loud[:, None]},
    )
    made = create_project(tmp_path / "sounds", title="Sounds")
    assert made.add_videos([film]).failed == ()
    path = made.path
    made.close()
    return path


def entries(menu: QMenu) -> dict[str, bool]:
    return {a.text(): a.isChecked() for a in menu.actions()}


def loudest(desktop: Desktop) -> float:
    sound = desktop.window.context.workspace.stage.sound
    desktop.qtbot.waitUntil(lambda: sound.state.is_complete, timeout=10_000)
    return float(np.nanmax(sound.peaks(0.5, 2.5, 50).high))


def tracks_menu(desktop: Desktop) -> QMenu:
    """The menu "Sound track" as it is when Playback was opened."""
    menu = desktop.window.findChild(QMenu, "sound-tracks")
    menu.parent().aboutToShow.emit()
    return menu


def test_the_stream_chosen_is_heard_and_drawn_and_found_again(
    make_desktop: Callable[[], Desktop], project: Path
) -> None:
    desktop = make_desktop()
    desktop.open(project)
    stage = desktop.window.context.workspace.stage
    before = loudest(desktop)
    menu = tracks_menu(desktop)
    assert menu.menuAction().isVisible()
    names = ["1 · eng · In eng && more · stereo", "2 · deu · In deu && more · mono"]
    assert entries(menu) == {names[0]: True, names[1]: False}
    menu.actions()[1].trigger()
    assert entries(tracks_menu(desktop)) == {names[0]: False, names[1]: True}
    assert len(stage.tracks.channel_names) == 1
    assert stage.sound.state.choice.stream == 1
    assert loudest(desktop) == pytest.approx(0.2 * before, rel=0.1)
    desktop.window.close()

    again = make_desktop()
    again.open(project)
    assert again.window.context.workspace.stage.tracks.choice.stream == 1
    assert loudest(again) == pytest.approx(0.2 * before, rel=0.1)


def test_a_sound_said_to_be_heard_in_silence_is_found(
    desktop: Desktop, tmp_path: Path, clip: Path
) -> None:
    heard = signal(3)
    heard[RATE * 3 // 2 :] = 0
    film = write_film(tmp_path / "half.mkv", clip, {"eng": heard[:, None]})
    made = create_project(tmp_path / "half", title="Half silent")
    assert made.add_videos([film]).failed == ()
    label = made.label_set(Lane.SOUND).labels[0]
    made.close()
    desktop.open(made.path)
    session, live = desktop.window.context.workspace.session, desktop.window.context.panels.live
    loud, silent = (
        Segment(segment_id(), Lane.SOUND, label.text, start, start + 20, label.id)
        for start in (10, 60)
    )
    for segment in (loud, silent):
        session.run(CreateSegment(segment))

    def codes(segment: Segment) -> set[str]:
        return {f.code for f in live.of(segment.id)}

    desktop.qtbot.waitUntil(lambda: "silence" in codes(silent), timeout=10_000)
    assert "silence" not in codes(loud)


def test_a_channel_and_the_look_are_chosen_on_the_strips(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    rows, settings = desktop.window.assembly.sound_rows, desktop.window.context.workspace.settings
    before = loudest(desktop)
    menus = {a.text(): a.menu() for a in rows.menu.menu_of(Zone.WAVEFORM).actions()}
    assert list(menus) == ["Audio track", "Channel"]
    assert entries(menus["Channel"]) == {"All channels (mix)": True, "1": False, "2": False}
    menus["Channel"].actions()[1].trigger()
    assert loudest(desktop) == pytest.approx(2 * before, rel=0.05)
    menus = {a.text(): a.menu() for a in rows.menu.menu_of(Zone.WAVEFORM).actions()}
    menus["Channel"].actions()[2].trigger()
    assert loudest(desktop) < 0.01
    menus = {a.text(): a.menu() for a in rows.menu.menu_of(Zone.SPECTROGRAM).actions()}
    assert list(menus)[2:] == ["Frequency scale", "Gain", "Dynamic range", "Color map"]
    menus["Frequency scale"].actions()[0].trigger()
    menus["Gain"].actions()[0].trigger()
    assert settings.text("spectrogram.scale") == "linear"
    assert settings.number("spectrogram.gain_db") == -20.0


def test_the_menu_opens_on_a_strip_and_only_there(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    timeline = desktop.window.assembly.timeline
    asked = []
    timeline.contextMenuAt.connect(lambda *_: asked.append("object"))

    def click(y: int) -> QMenu | None:
        at = QPoint(400, y)
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(timeline, QContextMenuEvent(reason, at, timeline.mapToGlobal(at)))
        found = QApplication.activePopupWidget()
        assert found is None or isinstance(found, QMenu)
        return found

    menu = click(RULER_END_PX + 10)
    assert menu is not None
    assert [a.text() for a in menu.actions()][:2] == ["Audio track", "Channel"]
    assert asked == []
    menu.close()
    click(5)
    assert asked == ["object"]
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()


def test_a_video_with_one_stream_offers_none(desktop: Desktop, tmp_path: Path, clip: Path) -> None:
    film = write_film(tmp_path / "one.mkv", clip, {"eng": signal(3)[:, None]})
    made = create_project(tmp_path / "one", title="One")
    made.add_videos([film])
    made.close()
    desktop.open(made.path)
    assert not tracks_menu(desktop).menuAction().isVisible()
    assert desktop.window.assembly.sound_rows.menu.menu_of(Zone.WAVEFORM).isEmpty()


def test_the_axis_reaches_as_far_as_the_sound(desktop: Desktop, tmp_path: Path, clip: Path) -> None:
    samples = np.zeros((5 * RATE, 1), np.float32)
    samples[4 * RATE : round(4.5 * RATE)] = signal(0.5)[:, None]
    film = write_film(tmp_path / "long.mkv", clip, {"eng": samples})
    made = create_project(tmp_path / "long", title="Long")
    made.add_videos([film])
    (entry,) = made.videos()
    assert any("2.000 s" in text for text in entry.findings)
    made.close()
    desktop.open(made.path)
    tasks, findings = (
        desktop.window.context.panels.tasks.list,
        desktop.window.context.panels.findings.list,
    )
    assert "2.000 s" in tasks.item(0).toolTip()
    assert "file notes: " in tasks.item(0).text()
    rows = [findings.item(i).text() for i in range(findings.count())]
    assert any(row.startswith("File note") and "continues" in row for row in rows)
    timeline = desktop.window.assembly.timeline
    desktop.qtbot.waitUntil(lambda: timeline.viewport.axis.high_s == pytest.approx(5.0, abs=0.01))
    assert timeline.viewport.axis.is_whole
    assert timeline.viewport.whole.end_s == pytest.approx(5.0, abs=0.01)
    loudest(desktop)
    axis, edge = timeline.viewport.axis, timeline.viewport.layout.axis_left
    middle = RULER_END_PX + timeline.strips.heights.waveform // 2

    def is_drawn() -> bool:
        image = timeline.grab().toImage()
        columns = [
            round((edge + axis.x_of_time(at)) * image.devicePixelRatio()) for at in (3.7, 4.2)
        ]
        quiet, loud = (
            {image.pixelColor(x, y).name() for y in range(middle - 15, middle + 15)}
            for x in columns
        )
        return len(loud - quiet) > 0

    desktop.qtbot.waitUntil(is_drawn, timeout=5000)
    timeline.viewport.zoom_in()
    timeline.viewport.scroll_time(10_000)
    assert timeline.viewport.axis.end_s == pytest.approx(5.0, abs=0.01)
    assert timeline.viewport.frame_at(QPoint(timeline.width() - 30, 60).toPointF()) == 89
