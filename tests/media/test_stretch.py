"""Speed at the same pitch, resampling and folding to two channels."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.media.audio.run import Stretcher, mix_matrix

RATE = 48000


def stretched(samples, **settings):
    stretcher = Stretcher(["FC"], RATE, **{"output_rate": RATE, **settings})
    parts = [stretcher.push(samples[at : at + 2400]) for at in range(0, len(samples), 2400)]
    return np.concatenate([*parts, stretcher.flush()]), stretcher.lead_s


@pytest.mark.parametrize("speed", [0.1, 0.25, 0.5, 0.8, 1.0, 1.25, 2.0, 3.0, 4.0])
def test_length_follows_the_speed_and_pitch_stays(speed):
    time = np.arange(2 * RATE) / RATE
    tone = (0.5 * np.sin(2 * np.pi * 440 * time)).astype(np.float32)[:, None]
    out, _ = stretched(tone, speed=speed)
    assert len(out) * speed == pytest.approx(len(tone), abs=0.15 * RATE)
    middle = out[len(out) // 4 : len(out) // 4 + 9600, 0] * np.hanning(9600)
    heard_hz = np.abs(np.fft.rfft(middle)).argmax() * RATE / 9600
    assert heard_hz == pytest.approx(440, abs=6)
    assert np.abs(out).max() <= 0.6


@pytest.mark.parametrize("speed", [0.5, 0.75, 1.5, 2.0])
@pytest.mark.parametrize("output_rate", [48000, 44100])
def test_a_sound_comes_when_its_picture_does(speed, output_rate):
    beeps_s = np.arange(0.5, 6.0, 0.37)
    samples = np.zeros((7 * RATE, 1), np.float32)
    burst = 0.8 * np.sin(2 * np.pi * 1000 * np.arange(960) / RATE)
    for at_s in beeps_s:
        first = round(at_s * RATE)
        samples[first : first + 960, 0] = burst
    out, lead_s = stretched(samples, speed=speed, output_rate=output_rate)
    early_s = []
    for at_s in beeps_s:
        expected = round((at_s - lead_s) / speed * output_rate)
        window = np.abs(out[expected - 4800 : expected + 4800, 0])
        early_s.append((4800 - (window > 0.3).argmax()) / output_rate * speed)
    assert abs(np.median(early_s)) < 0.006
    assert np.abs(early_s).max() < 0.025  # the filter moves waves to join them


def test_normal_speed_passes_samples_untouched():
    noise = np.random.default_rng(3).uniform(-0.5, 0.5, (4800, 1)).astype(np.float32)
    out, lead_s = stretched(noise, outputs=1)
    np.testing.assert_array_equal(out, noise)
    assert lead_s == 0


def test_another_rate_keeps_time_and_amplitude():
    time = np.arange(RATE) / RATE
    tone = (0.5 * np.sin(2 * np.pi * 500 * time)).astype(np.float32)[:, None]
    out, _ = stretched(tone, output_rate=44100)
    assert len(out) == pytest.approx(44100, abs=2)
    ideal = 0.5 * np.sin(2 * np.pi * 500 * np.arange(len(out)) / 44100)
    np.testing.assert_allclose(out[2000:-2000, 1], ideal[2000:-2000], atol=2e-3)


def test_nothing_in_gives_nothing_out():
    stretcher = Stretcher(["FC"], RATE, output_rate=44100, speed=2.0)
    assert stretcher.push(np.zeros((0, 1), np.float32)).shape == (0, 2)
    assert stretcher.flush().shape == (0, 2)


@pytest.mark.parametrize(
    "names",
    [
        ["FC"],
        ["FL", "FR"],
        ["FL", "FR", "FC", "LFE", "BL", "BR"],
        ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"],
        [f"AUX{n}" for n in range(32)],
        ["LFE"],
    ],
    ids=len,
)
@pytest.mark.parametrize("outputs", [1, 2])
def test_no_layout_clips_and_none_falls_silent(names, outputs):
    matrix = mix_matrix(names, outputs)
    assert matrix.shape == (len(names), outputs)
    assert matrix.sum(axis=0).max() <= 1.0 + 1e-6
    assert (matrix.sum(axis=0) > 0).all()


def test_sides_stay_on_their_side():
    matrix = mix_matrix(["FL", "FR", "FC", "LFE", "BL", "BR"], 2)
    assert matrix[0, 1] == matrix[1, 0] == matrix[4, 1] == matrix[5, 0] == 0
    assert matrix[2, 0] == matrix[2, 1] > 0
    assert not matrix[3].any()
    assert matrix[0, 0] == matrix[1, 1] > matrix[4, 0]
