"""Sound cut exactly to the sample: codecs, containers, offsets, gaps, channels, damage."""

from __future__ import annotations

import shutil
import threading
import tracemalloc
from fractions import Fraction

import av
import numpy as np
import pytest

from annotator.domain.errors import MediaError
from annotator.media.audio.reader import Audio
from annotator.media.audio.streams import NoSoundError, streams
from tests.media.sounds import RATE, lag, signal, write_film, write_sound

# name, codec, delay of the encoder that the container cannot declare (FFmpeg plays it too)
KINDS = [
    ("pcm16.wav", "pcm_s16le", 0),
    ("pcm8.wav", "pcm_u8", 0),
    ("float.wav", "pcm_f32le", 0),
    ("pcm24.mov", "pcm_s24le", 0),
    ("lossless.flac", "flac", 0),
    ("lossless.mp4", "alac", 0),
    ("aac.mp4", "aac", 0),
    ("aac.mkv", "aac", 0),
    ("aac.ts", "aac", 1024),
    ("opus.webm", "libopus", 0),
    ("opus.ogg", "libopus", 0),
    ("opus.mp4", "libopus", 0),
    ("layer3.mp3", "libmp3lame", 0),
    ("layer3.avi", "libmp3lame", 1105),
    ("ac3.mkv", "ac3", 0),
]
SECONDS = 9


@pytest.fixture(scope="module")
def truth():
    return signal(SECONDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sounds")


@pytest.mark.parametrize(("name", "codec", "delay"), KINDS, ids=[k[0] for k in KINDS])
def test_every_codec_is_cut_exactly(folder, truth, name, codec, delay):
    path = write_sound(folder / name, truth, codec)
    with_whole = Audio(path)
    whole = with_whole.read(0, SECONDS)
    assert whole.shape == (SECONDS * RATE, 1)
    assert whole.dtype == np.float32
    assert with_whole.rate == RATE
    assert with_whole.start_s == 0
    assert with_whole.duration == pytest.approx(SECONDS, abs=0.1)
    for at_s in (0.5, 4.0, 8.5):
        assert lag(whole[:, 0], truth, int(at_s * RATE)) == delay
    jumping = Audio(path)
    for start_s in (7.31, 0.2, 5.002, 3.9999, 0.0):  # each a jump back or far ahead
        piece = jumping.read(start_s, start_s + 0.25)
        first = round(start_s * RATE)
        np.testing.assert_allclose(piece, whole[first : first + 12000], atol=2e-3)


@pytest.mark.parametrize("at_s", [0.0, 1.0, 2.4567])
def test_a_read_has_the_length_asked_for(folder, truth, at_s):
    audio = Audio(write_sound(folder / f"length{at_s}.flac", truth[:RATE], "flac"))
    assert len(audio.read(at_s, at_s + 0.1)) == 4800
    assert len(audio.read(at_s, at_s)) == 0
    assert len(audio.read(at_s, at_s - 1)) == 0
    assert not audio.read(-3.0, -2.5).any()
    assert not audio.read(50.0, 50.5).any()
    np.testing.assert_allclose(audio.read(-0.1, 0.2)[4800:, 0], truth[:9600], atol=1e-4)


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_sound_later_than_the_picture_reads_zeros_first(folder, truth, suffix):
    path = write_film(folder / f"late.{suffix}", truth[: 2 * RATE], sound_at_s=0.5)
    audio = Audio(path, origin_s=0.0)
    heard = audio.read(0, 2.4)[:, 0]
    assert 0.47 < audio.start_s < 0.502  # MP4 declares this delay without cutting the priming
    assert not heard[: round(0.47 * RATE)].any()
    assert abs(lag(heard[RATE // 2 :], truth, 24000)) <= RATE // 1000  # their clocks count 1 ms


def test_sound_earlier_than_the_picture_has_negative_time(folder, truth):
    path = write_film(folder / "early.mp4", truth[: 2 * RATE], sound_at_s=0.0, picture_at_s=0.25)
    audio = Audio(path, origin_s=0.25)
    assert audio.start_s == pytest.approx(-0.25, abs=1e-4)
    heard = audio.read(-0.25, 1.5)[:, 0]
    assert lag(heard, truth, 12000) == 0
    assert audio.read(-0.2, 0)[:, 0].any()


@pytest.mark.parametrize(("name", "codec"), [("gap.mkv", "flac"), ("gap.ts", "aac")])
def test_a_gap_in_the_time_stamps_is_silence_of_its_length(folder, truth, name, codec):
    cut = 3 * RATE
    path = write_sound(folder / name, truth, codec, starts=((0, 0.0), (cut, 3.75)))
    delay = 1024 if codec == "aac" else 0
    shifted = np.concatenate([truth[:cut], np.zeros(int(0.75 * RATE), np.float32), truth[cut:]])
    for first_s in (0.0, 4.5):  # through the gap, and by a jump behind it
        heard = np.zeros(len(shifted), np.float32)
        first = int(first_s * RATE)
        heard[first:] = Audio(path).read(first_s, len(shifted) / RATE)[:, 0]
        assert abs(lag(heard, shifted, int(5.0 * RATE)) - delay) <= 24
    assert not Audio(path).read(3.2, 3.6).any()


def test_small_steps_in_the_time_stamps_read_the_same_from_everywhere(folder, truth):
    starts = ((0, 0.0), (RATE, 1.0005), (4 * RATE, 4.003))
    path = write_sound(folder / "steps.mp4", truth, "alac", starts=starts)
    whole = Audio(path).read(0, 9)[:, 0]
    assert lag(whole, truth, 2 * RATE) == 24
    assert lag(whole, truth, 6 * RATE) == 144
    for start_s in (8.0, 6.1, 2.3):
        first = round(start_s * RATE)
        np.testing.assert_array_equal(
            Audio(path).samples(first, 4800)[:, 0], whole[first : first + 4800]
        )


def test_a_change_of_rate_in_the_stream_keeps_the_first_rate(folder, truth):
    other = signal(4, rate=32000, seed=2)
    one = write_sound(folder / "one.aac", truth[: 4 * RATE], "aac", container_format="adts")
    two = write_sound(folder / "two.aac", other, "aac", rate=32000, container_format="adts")
    both = folder / "both.aac"
    both.write_bytes(one.read_bytes() + two.read_bytes())
    audio = Audio(both)
    heard = audio.read(0, 9)[:, 0]
    assert audio.rate == RATE
    assert lag(heard, truth, RATE) == 1024
    spectrum = np.abs(np.fft.rfft(heard[5 * RATE : 7 * RATE]))
    assert spectrum[: 2 * 4200].sum() > 20 * spectrum[2 * 4200 :].sum() / 4  # still below 4 kHz


def test_a_layout_change_keeps_the_first_channels(folder, truth):
    one = write_sound(folder / "mono.aac", truth[: 2 * RATE], "aac", container_format="adts")
    pair = np.stack([truth[: 2 * RATE]] * 2, axis=1)
    two = write_sound(folder / "pair.aac", pair, "aac", layout="stereo", container_format="adts")
    both = folder / "mono_then_pair.aac"
    both.write_bytes(one.read_bytes() + two.read_bytes())
    heard = Audio(both).read(0, 3.9)
    assert heard.shape[1] == 1
    assert heard[3 * RATE :].any()


@pytest.mark.parametrize(
    ("name", "codec", "layout", "channels"),
    [
        ("surround.mp4", "aac", "5.1", 6),
        ("seven.mp4", "aac", "7.1", 8),
        ("seven.flac", "flac", "7.1", 8),
        ("many.wav", "pcm_s16le", "32 channels", 32),
    ],
)
def test_every_channel_stays_in_its_place(folder, truth, name, codec, layout, channels):
    columns = np.zeros((RATE, channels), np.float32)
    time = np.arange(RATE) / RATE
    for channel in range(channels):
        columns[:, channel] = 0.2 * np.sin(2 * np.pi * (200 + 100 * channel) * time)
    if "5.1" in layout or "7.1" in layout:
        columns[:, 3] = 0  # the low-frequency channel keeps nothing of such tones
    audio = Audio(write_sound(folder / name, columns, codec, layout=layout))
    assert audio.channels == len(audio.channel_names) == channels
    heard = audio.read(0.2, 0.7)
    loudest = np.abs(np.fft.rfft(heard, axis=0)).argmax(axis=0) * 2
    for channel in range(channels):
        if columns[:, channel].any():
            assert loudest[channel] == 200 + 100 * channel


def test_values_that_are_no_numbers_become_silence(folder, truth):
    broken = truth[:RATE].copy()
    broken[1000:1100] = np.nan
    broken[2000] = np.inf
    heard = Audio(write_sound(folder / "nan.wav", broken, "pcm_f32le")).read(0, 1)[:, 0]
    assert np.isfinite(heard).all()
    assert not heard[1000:1100].any()
    assert heard[2000] == 1.0
    np.testing.assert_array_equal(heard[3000:4000], truth[3000:4000])


def test_memory_stays_within_the_budget(folder):
    minutes = np.tile(signal(10), 12)
    path = write_sound(folder / "long.flac", minutes, "flac")
    audio = Audio(path, budget_bytes=2 << 20)
    tracemalloc.start()
    try:
        for second in range(0, 120, 1):
            assert audio.read(second, second + 1).any()
        for second in (3, 100, 50, 119, 0):
            np.testing.assert_allclose(
                audio.read(second, second + 1)[:, 0],
                minutes[second * RATE : (second + 1) * RATE],
                atol=1e-3,
            )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20  # two minutes are 23 MB


def test_two_threads_may_read_one_audio(folder, truth):
    audio = Audio(write_sound(folder / "shared.flac", truth, "flac"), budget_bytes=1 << 18)
    wrong = []

    def read(offset):
        for step in range(12):
            first = (step * 31 + offset * 7) % (8 * RATE // 1000) * 1000
            piece = audio.samples(first, 500)[:, 0]
            if not np.allclose(piece, truth[first : first + 500], atol=1e-3):
                wrong.append(first)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_independent_reader_gives_the_same(folder, truth):
    path = write_film(folder / "again.mp4", truth[: 2 * RATE], sound_at_s=0.5)
    audio = Audio(path, origin_s=0.1)
    other = audio.reopen()
    audio.close()
    assert other.start_s == audio.start_s
    assert other.read(0.5, 1.0).any()


def test_streams_are_listed_and_chosen(folder, truth):
    path = folder / "two.mka"
    with av.open(str(path), "w", format="matroska") as out:
        sounds = [out.add_stream("flac", rate=RATE, layout=kind) for kind in ("mono", "stereo")]
        sounds[1].metadata["language"] = "nor"
        for sound, channels in zip(sounds, (1, 2), strict=True):
            block = np.full((1, 4800 * channels), 1000 * channels, np.int16)
            frame = av.AudioFrame.from_ndarray(block, "s16", sound.layout.name)
            frame.sample_rate = RATE
            frame.time_base = Fraction(1, RATE)
            frame.pts = 0
            packets = [*sound.encode(frame), *sound.encode(None)]
            out.mux([packet for packet in packets if packet.size])
    listed = streams(path)
    assert [(s.stream, s.codec, s.rate, s.channels) for s in listed] == [
        (0, "flac", RATE, 1),
        (1, "flac", RATE, 2),
    ]
    assert listed[1].language == "nor"
    assert Audio(path, stream=1).read(0.01, 0.02)[0, 1] == pytest.approx(2000 / 32768)


def test_a_damaged_middle_does_not_shift_what_follows(folder, truth):
    path = write_sound(folder / "damaged.ts", truth, "aac")
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 188 * 188
    data[middle : middle + 188 * 20] = bytes(188 * 20)
    path.write_bytes(data)
    heard = Audio(path).read(0, SECONDS)[:, 0]
    assert abs(lag(heard, truth, 2 * RATE) - 1024) <= 1
    assert abs(lag(heard, truth, 8 * RATE) - 1024) <= 24


@pytest.mark.parametrize("name", ["cut.mkv", "cut.mp3", "cut.wav"])
def test_a_truncated_file_plays_as_far_as_it_goes(folder, truth, name):
    codec = {"mkv": "flac", "mp3": "libmp3lame", "wav": "pcm_s16le"}[name[-3:]]
    path = write_sound(folder / name, truth, codec)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    audio = Audio(path)
    heard = audio.read(0, SECONDS)[:, 0]
    assert lag(heard, truth, RATE) == 0
    assert not heard[int(SECONDS * 0.75 * RATE) :].any()
    assert not audio.read(8.0, 8.5).any()


def test_a_stream_without_declared_length_is_measured(folder, truth):
    path = folder / "live.webm"
    with av.open(str(path), "w", options={"live": "1"}) as out:
        sound = out.add_stream("libopus", rate=RATE, layout="mono")
        for at in range(0, 4 * RATE, 960):
            frame = av.AudioFrame.from_ndarray(truth[None, at : at + 960], "flt", "mono")
            frame.sample_rate = RATE
            frame.pts = at
            out.mux(sound.encode(frame))
        out.mux(sound.encode(None))
    audio = Audio(path)
    assert audio.duration == pytest.approx(4.0, abs=0.03)
    assert lag(audio.read(0, 4)[:, 0], truth, 3 * RATE) == 0


def bad_file(folder, kind):
    path = folder / f"{kind} ünï.mp4"
    if kind == "empty":
        path.write_bytes(b"")
    elif kind == "text":
        path.write_text("This is not a film.\n" * 200)
    elif kind == "folder":
        path.mkdir()
    elif kind == "silent":
        made = write_film(folder / "silent.mkv", np.zeros(2048, np.float32), sound_at_s=0)
        with av.open(str(made)) as source, av.open(str(path), "w") as out:
            copy = out.add_stream_from_template(source.streams.video[0])
            for packet in source.demux(source.streams.video[0]):
                if packet.dts is not None:
                    packet.stream = copy
                    out.mux(packet)
    return path


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("missing", r"Cannot find the file\."),
        ("empty", "damaged"),
        (
            "text",
            "Cannot open the file: it is not an audio or video file, or its beginning is",
        ),
        ("folder", "Cannot open the file:"),
        ("silent", r"The file has no audio stream\."),
    ],
)
def test_what_cannot_be_read_is_named(folder, kind, text):
    path = bad_file(folder, kind)
    with pytest.raises(MediaError, match=text) as caught:
        Audio(path)
    assert caught.value.where == str(path)
    assert isinstance(caught.value, NoSoundError) == (kind == "silent")


def test_an_unknown_stream_number_is_refused(folder, truth):
    path = write_sound(folder / "single.flac", truth[:RATE], "flac")
    with pytest.raises(MediaError, match="does not exist: the file has"):
        Audio(path, stream=3)


def test_a_deleted_file_is_reported_when_it_must_be_opened_again(folder, truth):
    path = write_sound(folder / "gone.flac", truth, "flac")
    copy = folder / "gone copy.flac"
    shutil.copy(path, copy)
    audio = Audio(copy, budget_bytes=1)
    assert audio.read(8.0, 8.5).any()
    copy.unlink()
    with pytest.raises(MediaError, match=r"Cannot find the file\."):
        audio.read(0.0, 0.5)
