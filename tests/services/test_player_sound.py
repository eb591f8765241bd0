"""The player with real sound: flash and beep together, a lost device, the cost of a tick."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from annotator.media.audio.reader import Audio
from annotator.services.playback.player import Player
from tests.media.sounds import RATE, write_sound

pytest_plugins = ["tests.media.loopback"]

FPS = 30000 / 1001
SECONDS = 8
TIMES = np.arange(round(SECONDS * FPS)) / FPS
BEEP_EVERY = 12  # frames
TICKS = 120  # per second


@pytest.fixture(scope="module")
def audio(tmp_path_factory):
    """A beep at the start of every twelfth frame."""
    samples = np.zeros(SECONDS * RATE, np.float32)
    burst = 0.8 * np.sin(2 * np.pi * 1000 * np.arange(960) / RATE)
    for frame in range(BEEP_EVERY, len(TIMES) - 3, BEEP_EVERY):
        first = round(TIMES[frame] * RATE)
        samples[first : first + 960] = burst
    return Audio(write_sound(tmp_path_factory.mktemp("player") / "beeps.m4a", samples, "aac"))


@pytest.fixture
def player(audio):
    player = Player(TIMES, len(TIMES) / FPS, audio)
    player.shown(0)
    yield player
    player.close()


class View:
    """Ticks like a window and notes when which frame comes on."""

    def __init__(self, player):
        self.player = player
        self.changes = []
        self.late = set()  # moments of changes that this loop came late for, held up by other work
        self.costs_s = []
        self._pace = threading.Event()

    def run_until(self, condition, seconds=15.0):
        give_up_at = time.monotonic() + seconds
        last = self.player.state.frame
        ticked_at = time.perf_counter()
        while not condition(self.player.state):
            assert time.monotonic() < give_up_at, self.player.state
            self._pace.wait(1 / TICKS)
            begin = time.perf_counter()
            is_late = begin - ticked_at > 1.5 / TICKS
            ticked_at = begin
            frame = self.player.tick(ahead_s=0.5 / TICKS).frame
            self.costs_s.append(time.perf_counter() - begin)
            self.player.shown(frame)
            if frame != last:
                self.changes.append((begin, frame))
                if is_late:
                    self.late.add(begin)
            last = frame


def beeps_heard(recording):
    """Moments (perf_counter) at which a beep began."""
    loud = np.flatnonzero(np.abs(recording.finish()) > 0.3)
    return recording.moments(loud[np.diff(loud, prepend=-RATE) > RATE // 20])


def offsets_s(view, heard):
    """Flash minus beep, for each beep whose flash was not held up by other work."""
    moments = np.array([at for at, frame in view.changes if frame % BEEP_EVERY == 0])
    flashes = [moments[np.abs(moments - at).argmin()] for at in heard]
    pairs = zip(flashes, heard, strict=True)
    return np.array([flash - at for flash, at in pairs if flash not in view.late])


def best_of(offsets: np.ndarray) -> float:
    """Return what the best quarter keeps within: a busy machine shows many a picture late."""
    return float(np.percentile(np.abs(offsets), 25))


def test_flash_and_beep_come_together_also_after_a_seek(loopback, player):
    recording = loopback.record()
    view = View(player)
    player.play()
    view.run_until(lambda state: state.time_s > 2.0)
    player.seek(125)
    view.run_until(lambda state: state.time_s > 6.5)
    player.pause()
    frames = [0, *(frame for _, frame in view.changes)]
    jumps = [b - a for a, b in pairwise(frames) if not a < 125 <= b]
    assert player.state.dropped == sum(jump - 1 for jump in jumps)
    heard = beeps_heard(recording)
    found = offsets_s(view, heard)
    assert len(heard) >= 9
    assert best_of(found) <= 0.015
    assert np.percentile(view.costs_s, 25) < 0.0002  # the rest is the machine's other work


@pytest.mark.parametrize("speed", [0.5, 2.0])
def test_flash_and_beep_come_together_at_other_speeds(loopback, player, speed):
    recording = loopback.record()
    view = View(player)
    player.set_speed(speed)
    player.play()
    view.run_until(lambda state: state.time_s > 1.2 + 1.6 * speed)
    player.pause()
    heard = beeps_heard(recording)
    found = offsets_s(view, heard)
    assert len(heard) >= 3
    assert best_of(found) <= 0.025


def test_a_loop_repeats_its_beep_on_the_beat(loopback, player):
    recording = loopback.record()
    view = View(player)
    player.loop((BEEP_EVERY, 2 * BEEP_EVERY))
    player.play()
    view.run_until(lambda state: sum(f == BEEP_EVERY for _, f in view.changes) >= 5)
    player.pause()
    heard = beeps_heard(recording)
    assert len(heard) >= 5
    # A busy machine may starve the device once; the beat is that of the others.
    assert np.median(np.diff(heard)) == pytest.approx(BEEP_EVERY / FPS, abs=0.003)
    assert best_of(offsets_s(view, heard)) <= 0.015


def test_a_lost_device_leaves_the_picture_running(loopback, player):
    view = View(player)
    player.play()
    view.run_until(lambda state: state.time_s > 0.5)
    loopback.stop()
    try:
        view.run_until(lambda state: state.notice is not None)
        lost_at_s = player.state.time_s
        begin = time.perf_counter()
        view.run_until(lambda state: state.time_s > lost_at_s + 1.0)
        assert time.perf_counter() - begin == pytest.approx(1.0, abs=0.3)
        assert player.state.is_silent
        frames = [frame for _, frame in view.changes]
        assert frames == sorted(frames)
    finally:
        loopback.start()
    player.pause()
    player.play()
    view.run_until(lambda state: state.notice is None)
    assert not player.state.is_silent


def test_a_step_is_heard(loopback, player):
    player.play()  # wakes the device
    view = View(player)
    view.run_until(lambda state: state.time_s > 0.1)
    player.pause()
    player.seek(4 * BEEP_EVERY - 1)
    recording = loopback.record()
    player.step(1)
    assert player.state.frame == 4 * BEEP_EVERY
    begin = len(recording.so_far())
    wait = threading.Event()
    while len(recording.so_far()) < begin + RATE // 2:
        wait.wait(0.01)
    assert len(beeps_heard(recording)) == 1
