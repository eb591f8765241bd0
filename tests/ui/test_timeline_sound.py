"""The sound on the timeline: real files, measured in the background, shown on the common axis."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.services.sound.soundscape import Soundscape
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection
from annotator.ui.state.threads import Bridge
from annotator.ui.timeline.model.layout import RULER_END_PX, Strips
from annotator.ui.timeline.model.rows import LANE_PX
from annotator.ui.timeline.painting import header_painter
from annotator.ui.timeline.sound_strips import MIN_STRIP_PX
from annotator.ui.timeline.timeline_view import TimelineView
from tests.ui.drafts import N_FRAMES, Draft

RATE = 8000
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CLAP_S = 4.2


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten seconds: silence, and a clap with a tone after it from 4.2 s to 6 s."""
    samples = np.zeros(10 * RATE)
    times = np.arange(round(CLAP_S * RATE), 6 * RATE) / RATE
    samples[round(CLAP_S * RATE) : 6 * RATE] = 0.5 * np.sin(2 * np.pi * 1000 * times)
    return _write(tmp_path_factory.mktemp("sound") / "clap.wav", samples)


def _write(path: Path, samples: NDArray[np.float64]) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return path


class Listener:
    """A timeline with sound, and what it asks for written down."""

    def __init__(self, draft: Draft, recording: Path) -> None:
        self.session = draft.session
        self.bridge = Bridge()
        self.sound = Soundscape(recording, post=self.bridge.post)
        self.view = TimelineView(ThemeHub("light"), Selection(self.bridge))
        self.view.resize(900, 420)
        self.view.set_session(self.session)
        self.view.viewport.set_times(np.arange(N_FRAMES) / 30, N_FRAMES / 30)
        self.view.strips.set_strips(Strips(60, 70))
        self.view.strips.set_sound(self.sound)
        self.view.show()
        self.seeks: list[tuple[float, bool]] = []
        self.sizes: list[tuple[int, int]] = []
        self.view.timeSeekRequested.connect(lambda at, exact: self.seeks.append((at, exact)))
        self.view.stripsResized.connect(lambda *sizes: self.sizes.append(sizes))

    def x(self, seconds: float) -> int:
        return round(
            self.view.viewport.layout.axis_left + self.view.viewport.axis.x_of_time(seconds)
        )

    def ink(self, image: QImage, seconds: float) -> int:
        """Return how many pixels of the waveform's column at a moment are not background."""
        plane = ThemeHub("light").theme.color("timeline").name()
        strip = range(RULER_END_PX + 2, RULER_END_PX + 56)
        return sum(image.pixelColor(self.x(seconds), y).name() != plane for y in strip)


@pytest.fixture
def listener(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, recording: Path
) -> Iterator[Listener]:
    draft = Draft(tmp_path)
    made = Listener(draft, recording)
    qtbot.waitUntil(lambda: made.sound.state.is_complete)
    yield made
    made.view.strips.set_sound(None)
    made.sound.close()
    made.view.close()
    draft.close()


def test_the_waveform_stands_where_the_sound_is(listener: Listener, qtbot: QtBot) -> None:
    def is_drawn() -> bool:
        return listener.ink(listener.view.grab().toImage(), 5.0) > 30

    qtbot.waitUntil(is_drawn)
    image = listener.view.grab().toImage()
    assert listener.ink(image, CLAP_S - 0.1) <= 3
    assert listener.ink(image, CLAP_S + 0.1) > 30
    assert listener.ink(image, 6.1) <= 3


def test_beside_a_scroll_bar_the_strips_end_in_plain_plane(listener: Listener) -> None:
    for number in range(20):
        listener.session.run(CreateTrack(track_id(), f"cup {number}", 0, Box(1, 1, 9, 9)))
    listener.view.set_session(listener.session)
    QApplication.processEvents()
    layout = listener.view.viewport.layout
    assert layout.bar > 0
    image = listener.view.grab().toImage()
    plane = ThemeHub("light").theme.color("timeline").name()
    beyond = range(layout.width - layout.bar + 2, layout.width - 3)
    strips = range(RULER_END_PX + 4, RULER_END_PX + 126)
    assert {image.pixelColor(x, y).name() for x in beyond for y in strips} == {plane}


def test_the_spectrogram_shows_the_pitch_of_the_tone(listener: Listener, qtbot: QtBot) -> None:
    bottom = RULER_END_PX + 60 + 68

    def darkness(seconds: float) -> float:
        image = listener.view.grab().toImage()
        rows = range(RULER_END_PX + 62, bottom)
        return min(image.pixelColor(listener.x(seconds), y).lightnessF() for y in rows)

    qtbot.waitUntil(lambda: darkness(5.0) < 0.5)
    assert darkness(2.0) > 0.8


def test_the_mouse_scrubs_the_sound_by_time(listener: Listener) -> None:
    y = RULER_END_PX + 20
    QTest.mousePress(listener.view, LEFT, NONE, QPoint(listener.x(2.0), y))
    QTest.mouseRelease(listener.view, LEFT, NONE, QPoint(listener.x(3.0), y))
    assert [exact for _, exact in listener.seeks] == [False, True]
    assert listener.seeks[0][0] == pytest.approx(2.0, abs=0.02)
    assert listener.seeks[1][0] == pytest.approx(3.0, abs=0.02)


def test_the_lower_edge_of_a_strip_is_dragged(listener: Listener) -> None:
    edge = RULER_END_PX + 60
    QTest.mousePress(listener.view, LEFT, NONE, QPoint(500, edge))
    QTest.mouseMove(listener.view, QPoint(500, edge + 30))
    QTest.mouseRelease(listener.view, LEFT, NONE, QPoint(500, edge + 30))
    assert listener.sizes == [(90, 70)]
    assert listener.view.viewport.layout.strips == Strips(90, 70)
    listener.view.strips.set_strips(Strips(0, 70))
    assert listener.view.viewport.layout.header == RULER_END_PX + 70


def test_the_strips_of_a_video_without_sound_take_no_room(listener: Listener) -> None:
    assert listener.view.viewport.layout.strips.height > 0
    listener.view.strips.set_sound(None)
    assert listener.view.viewport.layout.strips.height == 0


def test_a_silent_sound_takes_one_low_row(listener: Listener, qtbot: QtBot, tmp_path: Path) -> None:
    hiss = np.random.default_rng(0).uniform(-0.0005, 0.0005, 10 * RATE)
    with closing(
        Soundscape(_write(tmp_path / "hiss.wav", hiss), post=listener.bridge.post)
    ) as quiet:
        listener.view.strips.set_sound(quiet)
        qtbot.waitUntil(lambda: quiet.state.is_complete)
        qtbot.waitUntil(lambda: listener.view.viewport.layout.strips.height < MIN_STRIP_PX)
        assert quiet.is_silent
        assert listener.view.strips.fitting(rows_px=10_000).height < MIN_STRIP_PX
        assert not listener.sound.is_silent
        listener.view.strips.set_sound(listener.sound)
        assert listener.view.viewport.layout.strips.height > MIN_STRIP_PX


def test_the_wheel_zooms_to_single_samples_and_the_ruler_counts_them(listener: Listener) -> None:
    at = QPointF(listener.view.viewport.layout.axis_left + 300, RULER_END_PX + 20)
    for _ in range(80):
        wheel = QWheelEvent(
            at,
            listener.view.mapToGlobal(at),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(listener.view, wheel)
    axis = listener.view.viewport.axis
    assert axis.scale / RATE >= 10
    labels = [t.text for t in header_painter.sample_ticks(axis, 84) if 0 <= t.x <= axis.width]
    numbers = [int(text.replace(",", "")) for text in labels]
    assert len(numbers) >= 4
    assert len(set(np.diff(numbers))) == 1
    times = [t for t in header_painter.time_ticks(axis, 84) if t.text]
    assert len({t.text for t in times}) == len(times)


def test_an_edge_snaps_to_the_beginning_of_a_sound(listener: Listener) -> None:
    tap = segment_id()
    listener.session.run(CreateSegment(Segment(tap, Lane.SOUND, "clap", 60, 110)))
    layout = listener.view.viewport.layout
    y = next(
        layout.top_of(i) + 12
        for i, row in enumerate(layout.rows)
        if getattr(row, "lane", None) is Lane.SOUND
    )
    QTest.mousePress(listener.view, LEFT, NONE, QPoint(listener.x(110 / 30) - 1, y))
    target = listener.x(CLAP_S) + 4
    for x in (target - 40, target):
        where = QPointF(x, y)
        at = listener.view.mapToGlobal(where)
        move = QMouseEvent(QEvent.Type.MouseMove, where, at, LEFT, LEFT, NONE)
        QApplication.sendEvent(listener.view, move)
    QTest.mouseRelease(listener.view, LEFT, NONE, QPoint(target, y))
    end_us = listener.session.document.segment(tap).end_us
    assert end_us is not None
    assert end_us / 1e6 == pytest.approx(CLAP_S, abs=0.02)


@pytest.mark.parametrize(("height", "shows_spectrogram"), [(420, True), (270, True), (200, False)])
def test_lanes_keep_their_room_on_a_small_screen(
    listener: Listener, height: int, shows_spectrogram: bool
) -> None:
    """Both lanes of segments and three objects; the spectrogram goes before it cannot be read."""
    listener.view.resize(900, height)
    strips = listener.view.viewport._layout.strips
    assert strips.waveform >= 20
    assert bool(strips.spectrogram) is shows_spectrogram
    if shows_spectrogram:
        assert listener.view.viewport._layout.lanes_height >= 5 * 26 - 1


def test_no_lane_is_cut_where_lanes_are_scrolled(listener: Listener) -> None:
    for number in range(20):
        listener.session.run(CreateTrack(track_id(), f"cup {number}", 0, Box(1, 1, 9, 9)))
    listener.view.set_session(listener.session)
    for height in range(270, 420, 7):
        listener.view.resize(900, height)
        layout = listener.view.viewport.layout
        assert layout.lanes_height % LANE_PX == 0, height
        assert layout.header + layout.lanes_height == height
