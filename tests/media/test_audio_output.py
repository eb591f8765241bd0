"""Sound through the real PortAudio into a real sound server, recorded and compared."""

from __future__ import annotations

import sys
import threading
import time

import numpy as np
import pytest

from annotator.media.audio import output as audio_output
from annotator.media.audio.clock import Course
from annotator.media.audio.output import AudioOutput
from annotator.media.audio.reader import Audio
from annotator.media.audio.run import SoundRun
from tests.media.sounds import RATE, lag, signal, write_sound

pytest_plugins = ["tests.media.loopback"]

BEEPS_S = np.arange(0.4, 9.0, 0.3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("played")


@pytest.fixture(scope="module")
def beeps(folder):
    samples = np.zeros(10 * RATE, np.float32)
    burst = 0.8 * np.sin(2 * np.pi * 1000 * np.arange(960) / RATE)
    for at_s in BEEPS_S:
        first = round(at_s * RATE)
        samples[first : first + 960] = burst
    return Audio(write_sound(folder / "beeps.flac", samples, "flac"))


def wait_until(condition, seconds=10.0):
    """Wait for other threads, in small steps; True when the condition came."""
    pause = threading.Event()
    give_up_at = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > give_up_at:
            return False
        pause.wait(0.002)
    return True


def claims(output, until_s):
    """What the clock says at which moment, until it has reached `until_s`."""
    table = []

    def note():
        table.append((time.perf_counter(), output.elapsed()))
        return table[-1][1] >= until_s

    assert wait_until(note, seconds=until_s + 10)
    return np.array(table).T


def onsets(samples):
    """First sample of each beep."""
    loud = np.flatnonzero(np.abs(samples) > 0.3)
    return loud[np.diff(loud, prepend=-RATE) > RATE // 20]


@pytest.mark.parametrize("speed", [1.0, 2.0])
def test_what_the_clock_claims_is_what_is_heard(loopback, beeps, speed):
    recording = loopback.record()
    output = AudioOutput(beeps)
    output.prepare(Course(0.2, speed), 10.0)
    output.go()
    moments, elapsed = claims(output, 2.5)
    output.close()
    errors_s = []
    for heard_at in recording.moments(onsets(recording.finish())):
        claimed_s = 0.2 + speed * np.interp(heard_at, moments, elapsed)
        nearest = np.abs(BEEPS_S - claimed_s).argmin()
        errors_s.append((claimed_s - BEEPS_S[nearest]) / speed)
    assert len(errors_s) >= 7 * speed
    assert abs(np.median(errors_s)) <= 0.015
    middle = np.percentile(errors_s, [25, 75])  # a busy machine may starve the device once
    assert np.ptp(middle) <= (0.005 if speed == 1 else 0.03)


def test_every_sample_arrives_in_order(loopback, folder):
    truth = signal(4)
    audio = Audio(write_sound(folder / "whole.wav", truth, "pcm_f32le"))
    recording = loopback.record()
    output = AudioOutput(audio)
    output.set_volume(0.5)
    output.prepare(Course(0.5), 4.0)
    output.go()
    claims(output, 2.0)
    output.close()
    samples = recording.finish()
    begin = int(np.flatnonzero(np.abs(samples) > 1e-4)[0])
    heard = np.concatenate([np.zeros(RATE // 2, np.float32), samples[begin:]])
    exact = []
    for first in range(RATE, 2 * RATE, 4800):
        begins = first + lag(heard, truth, first, length=4800)
        piece = heard[begins : begins + 4800]
        exact.append(np.allclose(piece, 0.5 * truth[first : first + 4800], atol=1e-4))
    assert sum(exact) >= len(exact) - 2  # a busy machine may starve the device once


def test_a_second_start_is_quick_and_stop_is_silent(loopback, beeps):
    output = AudioOutput(beeps)
    output.prepare(Course(0.0), 10.0)
    output.go()
    claims(output, 0.2)
    output.stop()
    assert output.elapsed() == 0
    begin = time.perf_counter()
    output.prepare(Course(3.0), 10.0)
    output.go()
    moments, elapsed = claims(output, 0.1)
    assert moments[elapsed > 0][0] - begin < 0.5
    output.close()
    assert output.trouble is None


def test_nothing_sounds_before_it_may(loopback, beeps):
    output = AudioOutput(beeps)
    output.prepare(Course(0.0), 10.0)
    assert not wait_until(lambda: output.elapsed() > 0, seconds=0.5)
    output.go()
    assert wait_until(lambda: output.elapsed() > 0)
    output.close()


def test_a_snippet_is_heard_once(loopback, folder):
    tone = 0.5 * np.sin(2 * np.pi * 500 * np.arange(4 * RATE) / RATE)
    audio = Audio(write_sound(folder / "tone.wav", tone.astype(np.float32), "pcm_f32le"))
    recording = loopback.record()
    output = AudioOutput(audio)
    output.prepare(Course(0.0), 4.0)  # wakes the device, never sounds
    output.snippet(1.0, 1.05)
    assert wait_until(lambda: np.abs(recording.so_far()).max() > 0.1)
    length = len(recording.so_far())
    assert wait_until(lambda: len(recording.so_far()) > length + RATE // 2)
    output.close()
    samples = recording.finish()
    loud = np.flatnonzero(np.abs(samples) > 0.1)
    assert 0.03 * RATE < len(loud) < 0.06 * RATE
    assert loud[-1] - loud[0] < 0.06 * RATE


def test_a_server_that_dies_is_noticed(loopback, beeps):
    output = AudioOutput(beeps)
    output.prepare(Course(0.0), 10.0)
    output.go()
    claims(output, 0.2)
    loopback.stop()
    try:
        assert wait_until(lambda: output.trouble is not None, seconds=5)
        assert "does not respond" in output.trouble.reason
        output.prepare(Course(0.0), 10.0)  # a dead output takes orders and stays silent
        output.go()
        assert output.elapsed() == 0
        output.close()
    finally:
        loopback.start()


def test_a_device_that_went_to_sleep_wakes_again(loopback, beeps, monkeypatch):
    monkeypatch.setattr(audio_output, "_IDLE_AFTER_S", 0.1)
    output = AudioOutput(beeps)
    recording = loopback.record()
    for start_s in (0.25, 3.25):
        output.prepare(Course(start_s), 10.0)
        output.go()
        claims(output, 0.3)
        output.stop()
        length = len(recording.so_far())
        assert wait_until(lambda n=length: len(recording.so_far()) > n + RATE // 2)
    output.close()
    samples = recording.finish()
    assert 2 <= len(onsets(samples)) <= 4  # 0.4 and 3.4 s, perhaps a tail of the next
    assert output.trouble is None


def test_an_error_in_the_thread_is_told_and_not_swallowed(loopback, beeps, monkeypatch):
    class MistakeError(Exception):
        pass

    def fail(*_args):
        raise MistakeError

    reported = []
    monkeypatch.setattr(threading, "excepthook", lambda info: reported.append(info.exc_type))
    monkeypatch.setattr(SoundRun, "feed", fail)
    output = AudioOutput(beeps)
    output.prepare(Course(0.0), 10.0)
    assert wait_until(lambda: output.trouble is not None)
    assert wait_until(lambda: reported == [MistakeError])
    output.close()


def test_without_a_device_the_reason_is_given(beeps, monkeypatch):
    import sounddevice

    def refuse(*_args, **_kinds):
        raise sounddevice.PortAudioError("Error querying device -1")

    monkeypatch.setattr(sounddevice, "query_devices", refuse)
    output = AudioOutput(beeps)
    output.prepare(Course(0.0), 10.0)
    assert wait_until(lambda: output.trouble is not None)
    assert "No audio output: no audio device was found." in output.trouble.reason
    assert output.elapsed() == 0
    output.close()


def test_without_the_library_the_reason_is_given(beeps, monkeypatch):
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    output = AudioOutput(beeps)
    output.snippet(0.0, 0.1)
    assert wait_until(lambda: output.trouble is not None)
    assert "PortAudio library is missing" in output.trouble.reason
    output.close()


def test_a_file_that_is_gone_is_a_reason_too(folder):
    path = write_sound(folder / "gone.flac", signal(2), "flac")
    audio = Audio(path)
    path.unlink()
    output = AudioOutput(audio)
    output.prepare(Course(0.0), 2.0)
    assert wait_until(lambda: output.trouble is not None)
    assert "Cannot find the file." in output.trouble.reason
    output.close()


def test_an_output_that_never_played_closes_at_once(beeps):
    output = AudioOutput(beeps)
    begin = time.perf_counter()
    output.close()
    assert time.perf_counter() - begin < 0.5
    assert output.trouble is None
