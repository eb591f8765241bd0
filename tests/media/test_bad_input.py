"""What bad files get: a MediaError that names the file, the fault and the next step."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from annotator.domain.errors import MediaError
from annotator.media import Video
from annotator.media.files.probe import probe
from tests.media.encoding import encode
from tests.media.pattern import read_number

NOBODY = 65534


def _refusal(path: Path) -> MediaError:
    with pytest.raises(MediaError) as caught:
        Video(path)
    error = caught.value
    assert str(path) in str(error)
    assert error.hint
    return error


def _sound_only(path: Path) -> None:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=48000)
        stream.layout = "mono"
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 48000
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            out.mux(packet)


def _no_frames(path: Path) -> None:
    with av.open(str(path), "w", options={"movflags": "empty_moov+frag_keyframe"}) as out:
        stream = out.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        out.start_encoding()


def _cover_only(path: Path) -> None:
    _sound_only(path)
    with av.open(str(path)) as given, av.open(str(path) + ".m4a", "w", format="mp4") as out:
        sound = out.add_stream_from_template(given.streams.audio[0])
        cover = out.add_stream("mjpeg", rate=1)
        cover.width, cover.height, cover.pix_fmt = 96, 64, "yuvj420p"
        cover.disposition = av.stream.Disposition.attached_pic
        image = av.VideoFrame.from_ndarray(np.zeros((64, 96, 3), np.uint8), "rgb24")
        for packet in [*cover.encode(image.reformat(format="yuvj420p")), *cover.encode(None)]:
            out.mux(packet)
        for packet in given.demux(given.streams.audio[0]):
            if packet.size:
                packet.stream = sound
                out.mux(packet)
    Path(f"{path}.m4a").replace(path)


def _without_index(path: Path) -> None:
    encode(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _absurd_size(path: Path, size: int = 65535) -> None:
    encode(path, codec="rawvideo", numbers=range(3), container="avi")
    data = path.read_bytes()
    at = data.index(b"strf") + 12
    assert struct.unpack("<ii", data[at : at + 8]) == (96, 64)
    path.write_bytes(data[:at] + struct.pack("<ii", size, size) + data[at + 8 :])


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "empty"),
    "text": (lambda path: path.write_text("This is not a video.\n" * 200), "not a video"),
    "noise": (lambda path: path.write_bytes(bytes(range(256)) * 40), "not a video"),
    "one byte": (lambda path: path.write_bytes(b"\x00"), "Cannot open"),
    "index cut off": (_without_index, "damaged or missing"),
    "sound only": (_sound_only, "audio but no video"),
    "cover only": (_cover_only, "audio but no video"),
    "no frames": (_no_frames, "No picture|claims pictures|Cannot"),
    "absurd size": (_absurd_size, "specifies an invalid size"),
    "huge size": (lambda path: _absurd_size(path, 15000), "specifies 15000 x 15000"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_file_is_refused_in_plain_words(kind, tmp_path):
    make, words = BAD[kind]
    path = tmp_path / "video.mp4"
    make(path)
    error = _refusal(path)
    assert re.search(words, error.text), error.text
    assert "Errno" not in str(error)
    assert "Traceback" not in str(error)


def test_missing_file_is_named(tmp_path):
    assert "No such file" in _refusal(tmp_path / "gone.mp4").text


def test_folder_is_refused(tmp_path):
    with pytest.raises(MediaError, match="folder"):
        Video(tmp_path)


def test_unreadable_folder_is_named(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    encode(folder / "video.mp4", numbers=range(3))
    folder.chmod(0)
    was_root = os.geteuid() == 0
    if was_root:  # root may read everything, so look through the eyes of somebody else
        os.seteuid(NOBODY)
    try:
        error = _refusal(folder / "video.mp4")
    finally:
        if was_root:
            os.seteuid(0)
        folder.chmod(0o755)
    assert "Permission denied" in error.text


@pytest.mark.parametrize(
    "name",
    [
        "with space.mp4",
        "häß–日本語 🎥.mp4",
        "two\nlines.mp4",
        "tab\tand 'quotes\".mp4",
        "a:b.mp4",
        "http:x.mp4",
        "frame%03d.mp4",
        "-i.mp4",
        "C#?&=.mp4",
        os.fsdecode(b"not-utf8-\xff.mp4"),
    ],
)
def test_any_file_name_works(name, tmp_path):
    plain = tmp_path / "plain.mp4"
    encode(plain, numbers=range(5))
    path = tmp_path / name
    plain.rename(path)
    with Video(path) as video:
        assert [read_number(video.image(i)) for i in range(5)] == [0, 1, 2, 3, 4]


def test_relative_path_works(tmp_path, monkeypatch):
    encode(tmp_path / "video.mp4", numbers=range(3))
    monkeypatch.chdir(tmp_path)
    with Video("video.mp4") as video:
        assert len(video) == 3


@pytest.mark.parametrize("index", [-1, 48, 10**12])
def test_frame_outside_is_an_index_error(index, clip):
    with Video(clip("h264_baseline_mp4")) as video, pytest.raises(IndexError):
        video.image(index)


def test_video_that_changes_on_disk_is_noticed(tmp_path):
    path = tmp_path / "video.mp4"
    encode(path, numbers=range(40))
    with Video(path, budget_bytes=1) as video:
        video.image(3)
        encode(path, numbers=range(100, 140), crf="35")
        with pytest.raises(MediaError, match="changed on disk") as caught:
            video.image(30)
    assert str(path) in str(caught.value)


def test_video_that_disappears_is_noticed(tmp_path):
    path = tmp_path / "video.mp4"
    encode(path, numbers=range(40))
    with Video(path, budget_bytes=1) as video:
        video.image(30)
        path.unlink()
        with pytest.raises(MediaError, match="No such file"):
            video.image(3)


def test_table_of_another_file_is_refused(tmp_path, clip):
    path = tmp_path / "video.mp4"
    encode(path, numbers=range(40))
    with Video(path) as video:
        table = video.table
    with pytest.raises(MediaError, match="changed on disk"):
        Video(clip("h264_b_frames_mp4"), table=table)


def test_packets_that_are_not_the_tables_are_called_damage_in_a_file_that_is_the_same(clip):
    path = clip("h264_b_frames_mp4")
    with Video(path) as video:
        table = replace(video.table, packet_pos=video.table.packet_pos + 1)
    with (
        Video(path, table=table) as video,
        pytest.raises(
            MediaError, match=r"Cannot decode the video: its packets differ from the frame table\."
        ) as caught,
    ):
        video.image(3)
    assert "changed" not in str(caught.value)
    assert caught.value.hint


def test_a_bare_packet_before_the_end_is_passed_over(tmp_path, clip):
    data = bytearray(clip("dropped_ticks_ts").read_bytes())
    data[-187] ^= 0x40  # the last transport packet claims to begin a packet of the stream
    path = tmp_path / "torn.ts"
    path.write_bytes(data)
    report = probe(path, check_frames=True)
    assert report.table is not None
    assert report.table.packet_pos[-1] == -1
    assert report.n_frames > 20


def test_damage_in_the_middle_shifts_nothing(tmp_path):
    path = tmp_path / "video.mp4"
    encode(path, numbers=range(60), gop=12)
    with Video(path) as video:
        places = video.table.packet_pos
        first, last = int(places[30]), int(places[33])
    data = bytearray(path.read_bytes())
    data[first + 4 : last] = b"\xff" * (last - first - 4)
    path.write_bytes(data)
    with Video(path) as video:
        assert len(video) == 60
        assert [read_number(video.image(i)) for i in range(30)] == list(range(30))
        assert [read_number(video.image(i)) for i in range(36, 60)] == list(range(36, 60))
        # A damaged frame is shown as far as it decodes, or refused by its number.
        assert {_outcome(video, index) for index in (30, 31, 32)} <= {
            None,
            29,
            30,
            31,
            32,
            "refused",
        }


def _outcome(video: Video, index: int) -> int | str | None:
    try:
        return read_number(video.image(index))
    except MediaError as error:
        return (
            "refused" if f"Cannot decode frame {index}: it is damaged" in error.text else error.text
        )
