"""The sound made visible while it is measured: progress, tiles, cache, and what bad files get."""

from __future__ import annotations

import queue
import time
from itertools import pairwise

import numpy as np
import pytest

from annotator.media.audio.reader import Audio
from annotator.services.sound.soundscape import SoundChoice, Soundscape, SpectrogramStyle
from tests.media.sounds import RATE, signal, write_sound, write_two_streams

SECONDS = 50


class Desk:
    """A main thread that takes posted calls and knows what was told."""

    def __init__(self):
        self.calls = queue.Queue()
        self.open = []

    def sound(self, path, **options):
        sound = Soundscape(path, post=self.calls.put, **options)
        self.open.append(sound)
        return sound

    def until(self, condition, seconds=20.0):
        give_up_at = time.monotonic() + seconds
        while not condition():
            left = give_up_at - time.monotonic()
            assert left > 0, "it did not come"
            self.calls.get(timeout=left)()

    def tile(self, sound, key):
        self.until(lambda: (tile := sound.tile(key)) is not None and tile.is_final)
        return sound.tile(key)


@pytest.fixture
def desk():
    desk = Desk()
    yield desk
    for sound in desk.open:
        sound.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    samples = np.stack([signal(SECONDS), 0.5 * signal(SECONDS, seed=2)], axis=1)
    samples[20 * RATE : 21 * RATE] = 0.0
    return write_sound(tmp_path_factory.mktemp("s") / "s.flac", samples, "flac", layout="stereo")


def test_all_zooms_show_what_the_sound_is(desk, path):
    sound = desk.sound(path)
    told = []
    sound.changed.add(told.append)
    assert sound.state.fraction == 0.0
    desk.until(lambda: sound.state.is_complete)
    assert told
    assert sound.state.channel_names == ("FL", "FR")
    assert (sound.state.start_s, sound.state.end_s) == pytest.approx((0.0, SECONDS))
    audio = Audio(path)
    for channel in (None, 0, 1):
        sound.choose(SoundChoice(0, channel))
        desk.until(lambda: sound.state.is_complete)
        assert sound.state.choice == SoundChoice(0, channel)
        for asked in [(0, 50, 900), (10, 30, 900), (19.9, 20.1, 900)]:
            desk.until(lambda asked=asked: sound.peaks(*asked).is_final)
            peaks = sound.peaks(*asked)
            samples = audio.read(*asked[:2])
            samples = samples.mean(axis=1) if channel is None else samples[:, channel]
            edges = np.linspace(0, len(samples), 901).astype(int)
            low = np.minimum.reduceat(samples, edges[:-1])
            assert (peaks.low <= low + 1e-4).all()
            assert abs(peaks.low.min() - samples.min()) < 1e-3
    quiet = sound.peaks(20.1, 20.9, 50)
    assert np.abs(quiet.high).max() < 1e-3
    audio.close()


def test_single_samples_come_from_the_file(desk, path):
    sound = desk.sound(path)
    desk.until(lambda: sound.state.is_open)
    start_s, end_s = 30.0, 30.0 + 16 / RATE
    desk.until(lambda: sound.peaks(start_s, end_s, 160).is_final)
    peaks = sound.peaks(start_s, end_s, 160)
    audio = Audio(path)
    truth = audio.samples(30 * RATE, 16).mean(axis=1)
    audio.close()
    assert peaks.high[::10] == pytest.approx(np.maximum(truth, peaks.high[::10]), abs=1e-6)
    assert peaks.low[5] <= max(truth[0], truth[1])
    assert peaks.low[5] >= min(truth[0], truth[1]) - 1e-6


def test_what_is_looked_at_comes_before_the_rest(desk, path):
    sound = desk.sound(path)
    sound.look_at(40.0, 45.0)
    desk.until(lambda: sound.state.is_open)
    desk.until(lambda: sound.peaks(44.0, 45.0, 20).is_final)
    assert np.isfinite(sound.peaks(44.0, 45.0, 20).low).all()


@pytest.mark.parametrize("seconds_per_pixel", [0.05, 0.0005])
def test_tiles_cover_the_span_and_hear_the_silence(desk, path, seconds_per_pixel):
    sound = desk.sound(path)
    desk.until(lambda: sound.state.is_complete)
    look = SpectrogramStyle(height=40, gain_db=0.0, range_db=110.0, colors="gray")
    keys = sound.tile_keys(19.5, 21.5, seconds_per_pixel, look)
    tiles = [desk.tile(sound, key) for key in keys]
    assert tiles[0].start_s <= 19.5
    assert tiles[-1].end_s >= 21.5
    assert all(a.end_s == pytest.approx(b.start_s) for a, b in pairwise(tiles))
    quiet, loud = [], []
    for tile in tiles:
        assert tile.bgra.shape == (40, 256, 4)
        step = (tile.end_s - tile.start_s) / 256
        times = tile.start_s + (np.arange(256) + 0.5) * step
        bright = tile.bgra[:, :, 1].mean(axis=0)
        quiet += list(bright[(times > 20.1 + step) & (times < 20.9 - step)])
        loud += list(bright[(times > 21.1 + step) & (times < 21.5)])
    assert max(quiet) + 20 < min(loud)


def test_a_channel_of_its_own_has_its_own_spectrogram(desk, path):
    sound = desk.sound(path)
    desk.until(lambda: sound.state.is_complete)
    look, both = SpectrogramStyle(height=20), []
    for choice in (SoundChoice(), SoundChoice(0, 1)):
        sound.choose(choice)
        desk.until(lambda: sound.state.is_complete)
        (key,) = sound.tile_keys(0.0, 50.0, 0.25, look)
        both.append(desk.tile(sound, key).bgra)
    assert (both[0] != both[1]).any()


def test_of_two_streams_the_other_can_be_shown(desk, tmp_path):
    path = write_two_streams(tmp_path / "two.mkv", signal(3), 0.2 * signal(2, seed=5))
    sound = desk.sound(path, cache_folder=tmp_path)
    desk.until(lambda: sound.state.is_complete)
    assert [(s.language, s.title) for s in sound.state.streams] == [
        ("eng", None),
        ("deu", "Commentary"),
    ]
    assert sound.state.end_s == pytest.approx(3.0, abs=0.05)
    told = []
    sound.changed.add(told.append)
    sound.choose(SoundChoice(1))
    assert told[0].state
    desk.until(lambda: sound.state.is_complete)
    heard = sound.peaks(0.0, 3.0, 30).high
    assert 0.05 < heard[:19].max() < 0.3
    assert heard[21:].max() == 0.0


def test_measures_are_kept_and_a_damaged_file_of_them_is_made_anew(desk, path, tmp_path):
    first = desk.sound(path, cache_folder=tmp_path)
    desk.until(lambda: first.state.is_complete)
    before = first.peaks(0.0, 50.0, 400)
    onsets = first.transients(0.0, 50.0)
    give_up_at = time.monotonic() + 10
    while not (kept := list(tmp_path.glob("*.sound"))):
        assert time.monotonic() < give_up_at
    first.close()
    assert len(kept) == 1

    second = desk.sound(path, cache_folder=tmp_path)
    desk.until(lambda: second.state.is_open)
    assert second.state.is_complete
    assert (second.peaks(0.0, 50.0, 400).low == before.low).all()
    assert (second.transients(0.0, 50.0) == onsets).all()
    second.close()

    data = bytearray(kept[0].read_bytes())
    data[len(data) // 2] ^= 1
    kept[0].write_bytes(data)
    third = desk.sound(path, cache_folder=tmp_path)
    desk.until(lambda: third.state.is_open)
    desk.until(lambda: third.state.is_complete)
    assert (third.peaks(0.0, 50.0, 400).low == before.low).all()


def test_a_file_without_sound_says_so(desk, tmp_path):
    wrong = tmp_path / "x.wav"
    wrong.write_bytes(b"no sound at all" * 100)
    sound = desk.sound(wrong)
    desk.until(lambda: sound.state.problem is not None)
    assert "damaged" in sound.state.problem
    assert sound.peaks(0.0, 1.0, 10) is None
    assert sound.tile_keys(0.0, 1.0, 0.01, SpectrogramStyle()) == []
    assert len(sound.transients(0.0, 1.0)) == 0


def test_closing_is_prompt_and_final(desk, path):
    sound = desk.sound(path)
    desk.until(lambda: sound.state.is_open)
    told = []
    sound.changed.add(told.append)
    begin = time.perf_counter()
    sound.close()
    assert time.perf_counter() - begin < 1.0
    while not desk.calls.empty():
        desk.calls.get()()
    assert told == []
