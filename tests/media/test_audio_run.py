"""The ring buffer between the feeding thread and the audio callback, without a device."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.media.audio.clock import Course
from annotator.media.audio.reader import Audio
from annotator.media.audio.run import SoundRun
from tests.media.sounds import RATE, signal, write_sound

SECONDS = 4
FADE = 240


@pytest.fixture(scope="module")
def truth():
    return signal(SECONDS)


@pytest.fixture(scope="module")
def audio(truth, tmp_path_factory):
    return Audio(write_sound(tmp_path_factory.mktemp("run") / "sound.wav", truth, "pcm_f32le"))


def play(run, audio, samples, *, block=480, rate=RATE):
    """Feed and take in turns, as the two threads do."""
    heard = []
    run.may_sound = True
    for number in range(samples // block):
        run.feed(audio, rate, 2, lambda _run: True)
        out = np.full((block, 2), 9.0, np.float32)
        run.take(out, number * block / rate)
        heard.append(out)
    return np.concatenate(heard)


def test_what_is_heard_is_the_sound_sample_by_sample(audio, truth):
    heard = play(SoundRun(Course(1.0), SECONDS, lambda: 0.0), audio, 2 * RATE)
    expected = truth[RATE : 3 * RATE]
    np.testing.assert_allclose(heard[FADE:, 0], expected[FADE:], atol=1e-6)
    np.testing.assert_array_equal(heard[:, 0], heard[:, 1])
    assert np.abs(heard[0]).max() < 1e-3  # begins softly


def test_after_the_end_there_is_silence(audio):
    heard = play(SoundRun(Course(SECONDS - 0.5), SECONDS, lambda: 0.0), audio, RATE)
    assert heard[RATE // 2 - 4800 : RATE // 2].any()
    assert not heard[RATE // 2 :].any()


def test_a_loop_has_no_seam_and_never_drifts(audio, truth):
    first_s, last_s = 0.5, 0.5 + 1001 / 30000  # no whole number of samples
    course = Course(0.51, 1.0, (first_s, last_s))
    heard = play(SoundRun(course, SECONDS, lambda: 0.0), audio, 3 * RATE)[:, 0]
    length_s = last_s - first_s
    for lap in (0, 1, 40, 85):
        begins = round((last_s + lap * length_s) * RATE) - round(0.51 * RATE)
        expected = truth[round(first_s * RATE) :][:1500]
        np.testing.assert_allclose(heard[begins : begins + 1500], expected, atol=1e-6)


def test_a_snippet_ends_by_itself_and_softly(audio, truth):
    run = SoundRun(Course(2.0), 2.04, lambda: 0.0, is_snippet=True)
    heard = play(run, audio, 4800)[:, 0]
    length = round(0.04 * RATE)
    np.testing.assert_allclose(
        heard[FADE : length - FADE], truth[2 * RATE :][FADE : length - FADE], atol=1e-6
    )
    assert abs(heard[length - 1]) < 1e-3
    assert not heard[length:].any()
    assert run.is_played_out


def test_a_starved_run_gives_zeros_and_loses_nothing(audio, truth):
    run = SoundRun(Course(0.0), SECONDS, lambda: 0.0)
    run.feed(audio, RATE, 2, lambda _run: True)
    out = np.full((2 * RATE, 2), 9.0, np.float32)
    run.take(out, 0.0)
    filled = int(np.flatnonzero(out[:, 0])[-1]) + 1
    assert 0.5 * RATE < filled < RATE
    np.testing.assert_allclose(out[FADE:filled, 0], truth[FADE:filled], atol=1e-6)
    run.feed(audio, RATE, 2, lambda _run: True)
    run.take(out[:480], 1.0)
    np.testing.assert_allclose(out[:480, 0], truth[filled : filled + 480], atol=1e-6)


def test_what_gives_way_fades_into_what_comes(audio, truth):
    run = SoundRun(Course(0.0), SECONDS, lambda: 0.0)
    heard = play(run, audio, 4800)
    out = np.zeros((480, 2), np.float32)
    run.fade_out(out)
    steps = np.linspace(1, 0, FADE)
    np.testing.assert_allclose(out[:FADE, 0], truth[4800 : 4800 + FADE] * steps, atol=1e-5)
    assert not out[FADE:].any()
    assert abs(out[0, 0] - heard[-1, 0]) < 0.1  # no click


def test_a_run_nobody_wants_is_not_filled(audio):
    run = SoundRun(Course(0.0), SECONDS, lambda: 0.0)
    run.may_sound = True
    run.feed(audio, RATE, 2, lambda _run: False)
    assert not run.is_sounding


def test_double_speed_takes_twice_the_sound(audio):
    run = SoundRun(Course(0.0, 2.0), SECONDS, lambda: 0.0)
    heard = play(run, audio, 3 * RATE)
    assert heard[int(1.5 * RATE) : int(1.8 * RATE)].any()
    assert not heard[int(2.2 * RATE) :].any()


def test_the_clock_follows_what_was_taken(audio):
    now = 0.0
    run = SoundRun(Course(0.0), SECONDS, lambda: now)
    assert run.elapsed() == 0
    play(run, audio, RATE)  # blocks sound one after the other from 0 on
    now = 0.5
    assert run.elapsed() == pytest.approx(0.5)
    now = 9.0
    assert run.elapsed() == pytest.approx(1.0)
