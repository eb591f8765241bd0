"""Cut, flipped and overwritten files: refused in words or read as far as they go, never a crash."""

from __future__ import annotations

import random

import pytest

from annotator.domain.errors import MediaError
from annotator.media import Video
from annotator.media.audio.reader import Audio
from annotator.media.audio.scan import SoundScan
from annotator.media.files.probe import probe
from tests.media.sounds import signal, write_film

NAMES = ["h264_b_frames_mp4", "h264_open_gop_mkv", "vp9_webm", "mpeg4_avi", "dropped_ticks_ts"]
N_EACH = 5


def spoilt(data, rng):
    """A copy of a file with one kind of damage."""
    data = bytearray(data)
    kind = rng.choice(["cut", "flip", "zero", "repeat", "head"])
    at = rng.randrange(1, len(data))
    if kind == "cut":
        del data[at:]
    elif kind == "flip":
        for _ in range(rng.choice([1, 4, 40])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "zero":
        data[at : at + 900] = bytes(len(data[at : at + 900]))
    elif kind == "repeat":
        data[at:at] = data[-500:]
    else:
        for _ in range(6):
            data[rng.randrange(min(600, len(data)))] = rng.randrange(256)
    return bytes(data)


def picture_errors(path):
    """What was refused, in words, when everything was asked of the pictures."""
    refused = []
    try:
        report = probe(path, check_frames=True)
        assert report.n_frames == 0 or len(report.table) == report.n_frames
        with Video(path) as video:
            for index in (*range(len(video)), 0, len(video) // 2):
                try:
                    assert video.image(index).shape[2] == 3
                except MediaError as error:
                    refused.append(error)
    except MediaError as error:
        refused.append(error)
    return refused


def sound_errors(path):
    """The same of the sound."""
    refused = []
    try:
        audio = Audio(path)
        assert len(audio.read(0.2, 0.4)) == round(0.2 * audio.rate)
        audio.close()
        scan = SoundScan(path)
        assert scan.stretch(0, lambda: False).shape == (scan.grid.stretch,)
        scan.close()
    except MediaError as error:
        refused.append(error)
    return refused


@pytest.mark.parametrize("name", NAMES)
def test_damaged_pictures_are_refused_in_words_or_read(name, clip, tmp_path):
    rng = random.Random(name)
    source = clip(name)
    for number in range(N_EACH):
        path = tmp_path / f"{number}{source.suffix}"
        path.write_bytes(spoilt(source.read_bytes(), rng))
        assert all(error.text and error.where == str(path) for error in picture_errors(path))


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".ts"])
def test_damaged_sound_is_refused_in_words_or_read(suffix, tmp_path):
    rng = random.Random(suffix)
    data = write_film(tmp_path / f"whole{suffix}", signal(1), sound_at_s=0.0, seconds=1)
    data = data.read_bytes()
    for number in range(N_EACH):
        path = tmp_path / f"{number}{suffix}"
        path.write_bytes(spoilt(data, rng))
        assert all(error.text and error.where == str(path) for error in sound_errors(path))


def test_a_stream_that_appears_in_the_midst_is_passed_over(clip, tmp_path):
    silent = clip("dropped_ticks_ts").read_bytes()
    film = write_film(tmp_path / "s.ts", signal(1), sound_at_s=0.0, seconds=1)
    path = tmp_path / "joined.ts"
    path.write_bytes(silent + film.read_bytes())
    report = probe(path, check_frames=True)
    assert report.n_frames > 24
