"""The outline of a sound: every sample inside it, at every zoom, from every kind of file."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.media.audio import waveform
from annotator.media.audio.reader import Audio
from annotator.media.audio.scan import SoundChoice, SoundScan
from annotator.media.audio.waveform import Grid, PeakPyramid, sample_peaks
from tests.media.sounds import RATE, signal, write_film, write_sound

ONE = 1.5 / 32767


def pyramid_of(samples, first=0):
    grid = Grid.of(RATE, first, first + len(samples))
    pyramid = PeakPyramid(grid)
    padded = np.zeros(grid.n_stretches * grid.stretch, np.float32)
    padded[: len(samples)] = samples
    for number in reversed(range(grid.n_stretches)):
        at = number * grid.stretch
        pyramid.write(number, padded[at : at + grid.stretch])
    return pyramid


@pytest.fixture(scope="module")
def noise():
    return (0.3 * np.random.default_rng(4).standard_normal(1_300_000)).astype(np.float32)


@pytest.mark.parametrize("n_columns", [3, 100, 1000, 4000])
def test_every_sample_lies_within_its_column(noise, n_columns):
    peaks = pyramid_of(noise).query(0.0, len(noise) / RATE, n_columns)
    edges = np.linspace(0, len(noise), n_columns + 1).astype(int)
    for column in range(0, n_columns, max(1, n_columns // 50)):
        part = np.clip(noise[edges[column] : edges[column + 1]], -1, 1)
        assert peaks.low[column] <= part.min() + ONE
        assert peaks.high[column] >= part.max() - ONE
        assert peaks.rms[column] == pytest.approx(np.sqrt((part**2).mean()), rel=0.25)


def test_before_after_and_unmeasured_parts_are_not_drawn(noise):
    grid = Grid.of(RATE, -4800, len(noise))
    pyramid = PeakPyramid(grid)
    assert np.isnan(pyramid.query(0.0, 20.0, 50).low).all()
    pyramid.write(0, noise[: grid.stretch])
    peaks = pyramid.query(-2.0, 60.0, 62)
    assert not peaks.is_final
    assert np.isnan(peaks.low[:1]).all()
    assert np.isfinite(peaks.low[2:22]).all()
    assert np.isnan(peaks.low[30:]).all()


def test_half_a_day_stays_small():
    pyramid = PeakPyramid(Grid.of(RATE, 0, 12 * 3600 * RATE))
    assert sum(level.nbytes for level in pyramid.levels) < 80 << 20


def test_single_samples_are_drawn_as_a_line_through_them():
    samples = np.zeros(200, np.float32)
    samples[100] = 1.0
    peaks = sample_peaks(lambda first, count: samples[first : first + count], 100, 0.9, 1.1, 80)
    assert peaks.high.argmax() in (39, 40)
    assert peaks.high.max() == pytest.approx(1.0)
    assert peaks.high[10] == 0.0
    # 4 columns per sample: the line rises in quarters
    assert peaks.high[37] == pytest.approx(0.5)


def scanned(path, channel=None, origin_s=None, order=reversed):
    scan = SoundScan(path, SoundChoice(0, channel), origin_s)
    found = {}
    for number in order(range(scan.grid.n_stretches)):
        found[number] = scan.stretch(number, lambda: False).copy()
    scan.close()
    return scan.grid, np.concatenate([found[n] for n in sorted(found)])


def assert_as_audio(path, origin_s=None, *, channels=(None,), exact=1e-3):
    audio = Audio(path, origin_s=origin_s)
    for channel in channels:
        for order in (list, reversed):
            grid, samples = scanned(path, channel, origin_s, order)
            truth = audio.samples(grid.first, len(samples))
            truth = truth.mean(axis=1) if channel is None else truth[:, channel]
            assert np.abs(samples - truth).max() <= exact
    audio.close()
    return grid, samples


@pytest.mark.parametrize(
    ("name", "codec", "layout"),
    [("a.m4a", "aac", "stereo"), ("b.wav", "pcm_s16le", "mono"), ("c.flac", "flac", "5.1")],
)
def test_stretches_in_any_order_are_what_the_decoder_gives(tmp_path, name, codec, layout):
    channels = {"mono": 1, "stereo": 2, "5.1": 6}[layout]
    tone = signal(28 if channels < 3 else 7)
    samples = np.stack([tone * (1 - 0.1 * c) for c in range(channels)], axis=1)
    path = write_sound(tmp_path / name, samples, codec, layout=layout)
    assert_as_audio(path, channels=(None, channels - 1))


@pytest.mark.parametrize(("name", "codec"), [("o.webm", "libopus"), ("a.mkv", "aac")])
def test_coarse_time_stamps_do_not_shift_the_sound(tmp_path, name, codec, monkeypatch):
    monkeypatch.setattr(waveform, "_STRETCH", 1 << 16)
    path = write_sound(tmp_path / name, signal(8), codec)
    _, samples = assert_as_audio(path, exact=0.05)
    assert np.abs(samples).max() > 0.2


def test_32_channels_keep_their_order(tmp_path):
    samples = np.linspace(0, 0.9, 32, dtype=np.float32)[None, :].repeat(70_000, axis=0)
    path = write_sound(tmp_path / "w.wav", samples, "pcm_s16le", layout="32 channels")
    assert_as_audio(path)
    for channel in (0, 13, 31):
        _, found = scanned(path, channel)
        assert found[1000] == pytest.approx(samples[0, channel], abs=1e-4)


def test_a_channel_that_is_not_there_is_the_mean(tmp_path):
    samples = np.stack([signal(2), np.zeros_like(signal(2))], axis=1)
    path = write_sound(tmp_path / "s.flac", samples, "flac", layout="stereo")
    assert (scanned(path, 7)[1] == scanned(path)[1]).all()


def test_a_gap_stays_silent_at_its_place(tmp_path):
    path = write_sound(tmp_path / "gap.mkv", signal(6), "flac", starts=((0, 0.0), (96_000, 4.0)))
    _, samples = assert_as_audio(path)
    assert np.abs(samples[2 * RATE + 5000 : 4 * RATE - 5000]).max() == 0.0
    assert np.abs(samples[4 * RATE : 5 * RATE]).max() > 0.1


def test_sound_that_starts_late_or_early_keeps_media_time(tmp_path):
    late = write_film(tmp_path / "late.mp4", signal(1.5), sound_at_s=0.5)
    grid, _ = assert_as_audio(late, 0.0)
    assert grid.first / RATE == pytest.approx(0.5, abs=0.03)
    grid, _ = assert_as_audio(late, 1.0)
    assert grid.first / RATE == pytest.approx(-0.5, abs=0.03)


def test_not_a_number_and_direct_current_are_measured(tmp_path):
    samples = np.full((60_000, 1), 0.5, np.float32)
    samples[30_000:30_010] = np.nan
    path = write_sound(tmp_path / "n.wav", samples, "pcm_f32le")
    grid, found = assert_as_audio(path)
    peaks = pyramid_of(found[: grid.end - grid.first]).query(0.0, 1.25, 10)
    assert np.isfinite(peaks.low).all()
    assert peaks.low.min() == 0.0
    assert peaks.low[0] == pytest.approx(0.5, abs=1e-3)
