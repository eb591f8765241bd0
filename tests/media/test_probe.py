"""The probe report: what a file is, and where OpenCV would count differently."""

from __future__ import annotations

from fractions import Fraction

import pytest

from annotator.domain.errors import MediaError
from annotator.media.files.probe import probe
from tests.media.encoding import encode


def _codes(report):
    return {finding.code for finding in report.findings}


def test_reports_an_ordinary_video(clip):
    report = probe(clip("sound_later_mp4"))
    assert (report.codec, report.size, report.n_frames) == ("h264", (96, 64), 48)
    assert report.rate == pytest.approx(30)
    assert not report.is_variable_rate
    assert [sound.codec for sound in report.audio] == ["aac"]
    assert report.opencv_count == 48
    assert report.opencv_frames is None
    assert _codes(report) == {"sound-late"}


def test_reports_orientation_and_pixel_aspect(clip):
    turned = probe(clip("mirrored_turned_90_mp4"))
    assert (turned.rotation, turned.is_flipped, turned.size) == (90, True, (64, 96))
    assert probe(clip("pixel_aspect_mp4")).sar == Fraction(4, 3)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("jitter_mkv", "variable-rate"),
        ("field_coded_ts", "interlaced"),
        ("truncated_mkv", "truncated"),
        ("truncated_faststart_mp4", "truncated"),
        ("truncated_avi", "truncated"),
        ("truncated_ts", "truncated"),
        ("starts_mid_gop_ts", "head-not-decodable"),
        ("joined_ts", "times-run-back"),
        ("double_times_mkv", "double-times"),
        ("two_videos_mkv", "several-videos"),
        ("h264_b_frames_avi", "order-by-decoding"),
    ],
)
def test_reports_what_is_peculiar(name, code, clip):
    assert code in _codes(probe(clip(name)))


def test_tells_where_opencv_counts_differently(clip):
    report = probe(clip("edit_list_pre_roll_mp4"), check_frames=True)
    assert report.n_frames == 41
    assert report.opencv_frames is not None
    assert ("opencv-frames-differ" in _codes(report)) == (report.opencv_frames != 41)
    assert ("opencv-count-differs" in _codes(report)) == (report.opencv_count != 41)
    assert "opencv-count-differs" in _codes(probe(clip("vp8_hidden_frames_webm")))


def test_checking_frames_finds_the_damaged_ones(tmp_path):
    path = tmp_path / "video.mkv"
    encode(path, codec="mjpeg", pixels="yuvj420p", numbers=range(30))
    sound = probe(path, check_frames=True)
    assert not _codes(sound) & {"frames-lost", "frames-damaged"}
    data = bytearray(path.read_bytes())
    start, end = (int(place) for place in sound.table.packet_pos[11:13])
    at = data.index(b"\xff\xd8", start)
    data[at : end - 16] = b"\x55" * (end - 16 - at)
    path.write_bytes(data)
    steps: list[tuple[int, int]] = []
    report = probe(path, check_frames=True, progress=lambda *step: steps.append(step))
    assert report.n_frames == 30
    lost = next(f for f in report.findings if f.code == "frames-lost")
    assert lost.frame == 11
    assert "(11)" in lost.text
    assert report.opencv_frames != 30
    assert "opencv-frames-differ" in _codes(report)
    assert steps[-1] == (25, 30)


def test_sound_file_has_no_picture(tmp_path):
    from tests.media.test_bad_input import _sound_only

    path = tmp_path / "sound.m4a"
    _sound_only(path)
    report = probe(path)
    assert (report.codec, report.size, report.n_frames) == (None, (0, 0), 0)
    assert len(report.audio) == 1


def test_refuses_what_is_no_media_file(tmp_path):
    path = tmp_path / "notes.mp4"
    path.write_text("notes")
    with pytest.raises(MediaError, match="not a video"):
        probe(path)
