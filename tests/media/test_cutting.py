"""Copies that hold what may be seen and heard: frames in their places, and nothing beyond."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from annotator.domain.errors import MediaError
from annotator.media.audio.reader import Audio
from annotator.media.audio.streams import streams
from annotator.media.decode.video import Video
from annotator.media.files.cut_copies import write_cut, write_silent
from annotator.media.index.frame_table import FrameTable
from annotator.media.index.indexing import build_table
from tests.media.clips import make
from tests.media.encoding import add_sound, encode
from tests.media.pattern import read_number

N, CUT, MIDDLE = 24, 9, 12
UNEVEN = [1000 + 7 * i * i + 500 * i for i in range(N)]


def _clip(folder: Path, name: str) -> Path:
    """Write one of several kinds of file whose pictures say their numbers."""
    path = folder / name
    match name:
        case "sound.mp4":
            encode(folder / "silent.mp4", numbers=range(N), b_frames=2)
            add_sound(folder / "silent.mp4", path, start_s=0.1)
        case "uneven.mp4":
            encode(path, numbers=range(N), time_base=Fraction(1, 15360), pts=UNEVEN)
        case "old.avi":
            encode(path, numbers=range(N), codec="mpeg4")
        case "odd.mp4":
            encode(path, numbers=range(N), size=(97, 65), pixels="yuv444p")
        case _:
            encode(path, numbers=range(N))
    return path


def _numbers(path: Path, seen: frozenset[int]) -> list[int | None]:
    """Return which pictures can be had, decoded by FFmpeg alone; None for a plain one."""
    with av.open(str(path)) as file:
        images = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
    assert all(np.ptp(image) <= 2 for i, image in enumerate(images) if i not in seen)
    return [read_number(image) if i in seen else None for i, image in enumerate(images)]


@pytest.mark.parametrize("name", ["sound.mp4", "uneven.mp4", "plain.mkv", "old.avi", "odd.mp4"])
def test_a_copy_ends_at_the_cut_and_counts_as_the_whole(tmp_path: Path, name: str) -> None:
    path = _clip(tmp_path, name)
    table, seen, out = build_table(path), frozenset(range(CUT)), tmp_path / "copy.mp4"
    write_cut(path, table, out, seen, heard_until_s=None)
    made = build_table(out)
    assert _numbers(out, seen) == list(range(CUT))
    assert made.size == table.size
    assert made.time_base == table.time_base
    assert made.pts.tolist() == table.pts[:CUT].tolist()
    assert made.duration_s == pytest.approx(table.limited(0, CUT).duration_s)
    with Video(out) as video:
        assert [read_number(video.image(i)) for i in (8, 0, 4)] == [8, 0, 4]


def test_one_frame_keeps_its_number_among_plain_ones(tmp_path: Path) -> None:
    path, out = _clip(tmp_path, "uneven.mp4"), tmp_path / "copy.mp4"
    table = build_table(path)
    write_cut(path, table, out, frozenset((MIDDLE,)), heard_until_s=None)
    assert _numbers(out, frozenset((MIDDLE,))) == [None] * MIDDLE + [MIDDLE]
    assert build_table(out).pts.tolist() == table.pts[: MIDDLE + 1].tolist()


def test_sound_ends_with_the_last_sample_that_may_be_heard(tmp_path: Path) -> None:
    path, out = _clip(tmp_path, "sound.mp4"), tmp_path / "copy.mp4"
    table = build_table(path)
    until_s = table.limited(0, CUT).duration_s
    write_cut(path, table, out, frozenset(range(CUT)), heard_until_s=until_s)
    whole, copy = (Audio(p, origin_s=t.origin_s) for p, t in ((path, table), (out, _table(out))))
    assert copy.start_s == whole.start_s
    assert copy.rate == whole.rate
    assert copy.start_s + copy.duration <= until_s
    heard, given = copy.read(-0.1, 1.3), whole.read(-0.1, 1.3)
    end = round((until_s + 0.1) * whole.rate)
    assert np.abs(given[end + 100 :]).max() > 0.1
    assert not heard[end:].any()
    assert np.abs(heard[:end] - given[:end]).max() < 2 / 32768
    for each in (whole, copy):
        each.close()


def _with_sounds(silent: Path, path: Path) -> None:
    """Copy a video and give it four sounds: other pitches, rates, channels, names and times."""
    sounds = [
        ("pcm_s16le", 48_000, "mono", 440.0, 0.0, {"language": "eng", "title": "Room"}),
        ("pcm_s16le", 44_100, "stereo", 880.0, 0.1, {"language": "deu", "title": "Über Kopf"}),
        ("flac", 48_000, "mono", 660.0, 0.0, {}),
        ("pcm_s16le", 32_000, "mono", 550.0, 0.7, {"language": "fra"}),
    ]
    with av.open(str(silent)) as given, av.open(str(path), "w") as out:
        template = given.streams.video[0]
        video = out.add_stream_from_template(template)
        packets = [p for p in given.demux(template) if p.size]
        for codec, rate, layout, pitch, start_s, words in sounds:
            stream = out.add_stream(codec, rate=rate, layout=layout)
            stream.metadata.update(words)
            n = 2 if layout == "stereo" else 1
            wave = 0.3 * np.sin(2 * np.pi * pitch * np.arange(rate) / rate)
            pcm = np.repeat((wave * 32767).astype(np.int16), n).reshape(1, -1)
            frame = av.AudioFrame.from_ndarray(pcm, "s16", layout)
            frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
            frame.pts = round(start_s * rate)
            packets += [*stream.encode(frame), *stream.encode(None)]
        for packet in packets:
            if packet.stream is template:
                packet.stream = video
            out.mux(packet)


def _pitch(samples: np.ndarray, rate: int) -> float:
    strength = np.abs(np.fft.rfft(samples[:, 0] * np.hanning(len(samples))))
    return float(strength.argmax() * rate / len(samples))


def test_all_sounds_are_there_in_their_order_with_their_names(tmp_path: Path) -> None:
    silent, path, out = (tmp_path / name for name in ("silent.mkv", "sounds.mkv", "copy.mp4"))
    encode(silent, numbers=range(N))
    _with_sounds(silent, path)
    table = build_table(path)
    until_s = table.limited(0, CUT).duration_s
    write_cut(path, table, out, frozenset(range(CUT)), heard_until_s=until_s)
    given, made = streams(path), streams(out)
    assert [(s.language, s.title) for s in made] == [
        ("eng", "Room"),
        ("deu", "Über Kopf"),
        (None, None),
        ("fra", None),
    ]
    assert [(s.rate, s.channels) for s in made] == [(s.rate, s.channels) for s in given]
    origin_s = _table(out).origin_s
    for i, pitch in enumerate((440, 880, 660, None)):
        whole = Audio(path, i, table.origin_s)
        copy = Audio(out, i, origin_s)
        heard, wanted = copy.read(0.0, 1.0), whole.read(0.0, 1.0)
        end = int(until_s * whole.rate)
        assert not heard[end:].any()
        assert np.abs(heard[: end - 1] - wanted[: end - 1]).max() < 2 / 32768
        assert np.abs(wanted[end + round(0.45 * whole.rate) :]).max() > 0.1
        if pitch is not None:
            assert _pitch(heard[end // 2 : end], whole.rate) == pytest.approx(pitch, abs=20)
        whole.close()
        copy.close()


def test_a_sound_that_cannot_be_read_keeps_its_place_in_silence(tmp_path: Path) -> None:
    silent, path, out = (tmp_path / name for name in ("silent.mkv", "sounds.mkv", "copy.mp4"))
    encode(silent, numbers=range(N))
    _with_sounds(silent, path)
    path.write_bytes(path.read_bytes().replace(b"A_FLAC", b"A_XLAC"))
    table = build_table(path)
    with pytest.raises(MediaError):
        Audio(path, 2, table.origin_s)
    write_cut(path, table, out, frozenset(range(CUT)), heard_until_s=0.3)
    assert len(streams(out)) == 4
    origin_s = _table(out).origin_s
    loud = []
    for i in range(4):
        audio = Audio(out, i, origin_s)
        loud.append(bool(audio.read(0.0, 0.3).any()))
        audio.close()
    assert loud == [True, True, False, False]


@pytest.mark.parametrize(
    "name", ["h264_b_frames_avi", "mpeg4_packed_avi", "wraps_ts", "double_times_mkv", "joined_ts"]
)
def test_hard_files_keep_their_frames_in_copies(tmp_path: Path, name: str) -> None:
    path, out = make(name, tmp_path), tmp_path / "copy.mp4"
    table = build_table(path)
    with Video(path, table=table) as given:
        numbers = [read_number(given.image(i)) for i in range(len(table))]
    write_silent(path, table, out)
    with Video(out) as copy:
        assert [read_number(copy.image(i)) for i in range(len(copy))] == numbers
    cut = len(table) // 2
    write_cut(path, table, out, frozenset(range(cut)), heard_until_s=None)
    with Video(out) as copy:
        assert [read_number(copy.image(i)) for i in range(len(copy))] == numbers[:cut]
    assert build_table(out).times == pytest.approx(table.times[:cut], abs=0.002)


@pytest.mark.parametrize("name", ["sound.mp4", "uneven.mp4", "plain.mkv"])
def test_a_copy_without_sound_has_the_very_packets(tmp_path: Path, name: str) -> None:
    path, out = _clip(tmp_path, name), tmp_path / "copy.mp4"
    table = build_table(path)
    write_silent(path, table, out)
    assert _table(out).pts.tolist() == table.pts.tolist()
    with av.open(str(out)) as file:
        assert not file.streams.audio
    with Video(path, table=table) as given, Video(out) as copy:
        assert all(np.array_equal(given.image(i), copy.image(i)) for i in range(N))


def test_what_cannot_be_copied_is_encoded_anew(tmp_path: Path) -> None:
    path, out = tmp_path / "flash.flv", tmp_path / "copy.mp4"
    encode(path, numbers=range(N), codec="flv")
    table = build_table(path)
    write_silent(path, table, out)
    assert _numbers(out, frozenset(range(N))) == list(range(N))
    assert _table(out).times.tolist() == pytest.approx(table.times.tolist())


def test_a_copy_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    path = _clip(tmp_path, "plain.mp4")
    table, nowhere = build_table(path), tmp_path / "nowhere" / "copy.mp4"
    with pytest.raises(MediaError, match="Cannot write the video copy for raters:"):
        write_cut(path, table, nowhere, frozenset((0,)), heard_until_s=None)
    with pytest.raises(MediaError, match="Cannot write the video copy for raters:"):
        write_silent(path, table, nowhere)


def _table(path: Path) -> FrameTable:
    return build_table(path)
