"""Tiles of the spectrogram: a tone at its height, a click at its time, colors for everybody."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.media.audio import spectrogram as color_maps
from annotator.media.audio.spectrogram import (
    FLOOR_DB,
    SCALES,
    STEP_DB,
    Overview,
    SpectrogramStyle,
    draw,
    level_for,
    loudness,
    place_of,
    window_for,
)
from annotator.media.audio.waveform import Grid, Transients

RATE = 48000


def tone(hz, count, loud=1.0):
    return (loud * np.sin(2 * np.pi * hz * np.arange(count) / RATE)).astype(np.float32)


@pytest.mark.parametrize("window", [256, 1024, 2048])
@pytest.mark.parametrize("loud_db", [0.0, -40.0])
def test_a_tone_has_its_loudness_and_its_bin(window, loud_db):
    bin_hz = RATE / window
    samples = tone(32 * bin_hz, 20 * 64 + window, 10 ** (loud_db / 20))
    columns = loudness(samples, 20, 64, window)
    assert columns.shape == (20, window // 2 + 1)
    assert (columns.argmax(axis=1) == 32).all()
    assert FLOOR_DB + STEP_DB * columns.max() == pytest.approx(loud_db, abs=0.6)


def test_the_overview_of_a_long_sound_is_that_of_a_short_one():
    short, long = (Overview(Grid.of(RATE, 0, length)) for length in (1 << 20, 30_000_000))
    samples = tone(700, 1 << 20) + 0.01 * np.random.default_rng(2).standard_normal(1 << 20, "f4")
    for overview in (short, long):
        overview.write(0, samples)
    n_columns = (1 << 20) >> long.level
    coarse = short.columns.reshape(n_columns, -1, 1025).max(axis=1)
    assert np.abs(long.columns[:n_columns].astype(int) - coarse).max() <= 1


def test_silence_is_the_floor():
    assert loudness(np.zeros(1 << 14, np.float32), 2, 1 << 13, 2048).max() == 0


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("hz", [200.0, 1000.0, 9000.0])
def test_a_tone_is_drawn_at_the_height_that_the_axis_names(scale, hz):
    look = SpectrogramStyle(height=200, scale=scale, colors="gray", gain_db=0.0)
    columns = loudness(tone(hz, 1 << 14), 2, 1 << 13, 2048)
    picture = draw(columns, look, RATE)
    assert picture.shape == (200, 2, 4)
    assert picture.flags.c_contiguous
    brightest = 199 - picture[:, 0, 1].argmax()
    assert (brightest + 0.5) / 200 == pytest.approx(place_of(hz, scale, RATE / 2), abs=0.03)


def test_the_overview_is_the_same_in_any_order_and_at_coarser_levels():
    grid = Grid.of(RATE, 0, 2_500_000)
    samples = np.zeros(grid.n_stretches * grid.stretch, np.float32)
    samples[1_500_000:1_510_000] = tone(3000, 10_000)
    overview = Overview(grid)
    overview.sketch(2, tone(500, 2048))
    for number in (2, 0, 1):
        assert not overview.tile(overview.level, 0)[1]
        overview.write(number, samples[number * grid.stretch : (number + 1) * grid.stretch])
    fine, is_final = overview.tile(overview.level, 0)
    assert is_final
    assert abs(int(fine.max(axis=1).argmax()) - (1_505_000 >> overview.level)) <= 1
    coarse, _ = overview.tile(overview.level + 2, 0)
    joined = overview.columns[: len(overview.columns) // 4 * 4].reshape(-1, 4, 1025).max(axis=1)
    assert (coarse[: len(joined)] == joined).all()


def test_levels_and_windows_follow_the_zoom():
    assert level_for(RATE, 1 / RATE) == 4
    assert level_for(RATE, 512 / RATE) == 9
    assert [window_for(level) for level in (4, 6, 8, 12)] == [256, 512, 1024, 2048]


def lightness(bgra):
    rgb = bgra[:, 2::-1] / 255.0
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722]), linear


DEFECTS = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


@pytest.mark.parametrize("is_dark", [True, False])
@pytest.mark.parametrize("name", color_maps.NAMES)
def test_louder_is_always_lighter_or_always_darker_for_every_eye(name, is_dark):
    table = color_maps.table(name, is_dark=is_dark)
    seen, linear = lightness(table)
    sign = 1 if is_dark else -1
    assert (sign * np.diff(seen) > -0.004).all()
    assert (sign * np.diff(seen[::8]) > 0).all()
    for matrix in DEFECTS.values():
        other = linear @ np.array(matrix).T @ np.array([0.2126, 0.7152, 0.0722])
        assert (sign * np.diff(other[::16]) > 0).all()
    assert abs(seen[-1] - seen[0]) > 0.7


def test_beginnings_of_sounds_are_found_and_hum_is_not():
    grid = Grid.of(RATE, -480, 20 * RATE)
    samples = np.zeros(grid.n_stretches * grid.stretch, np.float32)
    samples += 0.01 * tone(50, len(samples))
    wanted = [2.0, 5.5, 5.8, 11.123]
    for at in wanted:
        first = round(at * RATE) + 480
        samples[first : first + 9600] += tone(1500, 9600) * np.linspace(0.6, 0, 9600, dtype="f4")
    found = Transients(grid)
    assert len(found.find(0, 20)) == 0
    found.write(0, samples[: grid.stretch])
    assert found.find(0, 20) == pytest.approx(wanted, abs=0.006)
    assert found.find(5.6, 6.0) == pytest.approx([5.8], abs=0.006)
