"""What is odd about a sound is named: gaps, changes, no numbers, other times than the picture's."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.media.audio.check import check_sound
from annotator.media.files.probe import probe
from tests.media.sounds import RATE, signal, write_film, write_sound, write_two_streams


def codes(facts):
    return [finding.code for finding in facts.findings]


def text_of(facts, code):
    (text,) = [finding.text for finding in facts.findings if finding.code == code]
    return text


def test_a_good_sound_is_counted_and_nothing_is_said(tmp_path):
    path = write_sound(tmp_path / "a.flac", signal(1.5), "flac")
    facts = check_sound(path)
    assert (facts.samples, facts.rate, facts.findings) == (72_000, RATE, ())


def test_samples_that_are_no_numbers_are_counted_and_placed(tmp_path):
    samples = np.full((60_000, 2), 0.5, np.float32)
    samples[48_000:48_007, 1] = np.nan
    samples[50_000, 0] = np.inf
    path = write_sound(tmp_path / "n.wav", samples, "pcm_f32le", layout="stereo")
    text = text_of(check_sound(path), "sound-no-numbers")
    assert text.startswith("8 audio samples")
    assert "1.000 s" in text
    assert "sound-no-numbers" in codes(probe(path))


def test_gaps_are_named_with_the_longest(tmp_path):
    starts = ((0, 0.0), (48_000, 1.5), (96_000, 4.0))
    path = write_sound(tmp_path / "gap.mkv", signal(3), "flac", starts=starts)
    text = text_of(check_sound(path), "sound-gaps")
    assert "gaps, the longest of" in text
    assert "1.500 s at 2.5" in text


def test_a_change_of_rate_is_named(tmp_path):
    first = write_sound(tmp_path / "1.aac", signal(1), "aac", container_format="adts")
    second = write_sound(
        tmp_path / "2.aac", signal(1, 44100), "aac", rate=44100, container_format="adts"
    )
    path = tmp_path / "both.aac"
    path.write_bytes(first.read_bytes() + second.read_bytes())
    text = text_of(check_sound(path), "sound-changes")
    assert "44100 Hz" in text
    assert text.endswith("48000 Hz.")


@pytest.mark.parametrize(
    ("sound_at_s", "seconds", "expected"),
    [
        (0.5, 1.0, ["sound-late"]),
        (0.0, 3.5, ["sound-longer"]),
        (0.0, 1.9, []),
    ],
)
def test_sound_beside_the_picture_is_named(tmp_path, sound_at_s, seconds, expected):
    path = write_film(tmp_path / "f.mp4", signal(seconds), sound_at_s=sound_at_s)
    assert [code for code in codes(probe(path)) if code.startswith("sound-")] == expected


def test_sound_before_the_picture_is_named(tmp_path):
    path = write_film(tmp_path / "f.mkv", signal(1.5), sound_at_s=0.0, picture_at_s=0.4)
    assert "0.4" in text_of(probe(path), "sound-early")


def test_each_of_several_streams_is_looked_at(tmp_path):
    path = write_two_streams(tmp_path / "two.mkv", signal(1), signal(2, seed=2))
    facts = check_sound(path)
    assert facts.samples == RATE
    assert codes(facts) == ["several-sounds"]


def test_checking_tells_how_far_it_is_and_can_be_stopped(tmp_path):
    path = write_sound(tmp_path / "a.flac", signal(4), "flac")
    told = []
    check_sound(path, progress=told.append)
    assert told == sorted(told)
    assert len(told) >= 3

    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_sound(path, progress=stop)
