"""The frame table: times, look-up by time, the bytes it is cached as, and where it refuses."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.errors import MediaError
from annotator.media import FrameTable, Video
from annotator.media.index import packet_scan
from annotator.media.index.indexing import build_table

CASES = ["jitter_mkv", "dropped_ticks_mp4", "starts_late_ts", "wraps_ts", "joined_ts", "mpeg4_avi"]


@pytest.fixture(scope="module")
def table(clip):
    return build_table(clip("h264_b_frames_mp4"))


@pytest.mark.parametrize("name", [*CASES, "double_times_mkv", "edit_list_pre_roll_mp4"])
def test_times_start_at_zero_and_never_run_back(name, clip):
    table = build_table(clip(name))
    assert table.time(0) == 0.0
    assert np.all(np.diff(table.times) >= 0)
    assert table.duration_s > table.times[-1]
    assert len(table.pts) == len(table.duration) == len(table.sync) == len(table)
    assert table.sync[0] == (name != "edit_list_pre_roll_mp4")  # there it is never shown


@pytest.mark.parametrize("name", CASES)
def test_a_time_leads_back_to_its_frame(name, clip):
    with Video(clip(name)) as video:
        assert [video.index_at(video.time(i)) for i in range(len(video))] == list(range(len(video)))
        for index in range(len(video) - 1):
            between = (video.time(index) + video.time(index + 1)) / 2
            assert video.index_at(between) == index


def test_of_frames_with_one_time_the_last_is_shown(clip):
    table = build_table(clip("double_times_mkv"))
    assert table.index_at(table.time(10)) == 11
    assert table.times[10] == table.times[11]


@pytest.mark.parametrize(("seconds", "index"), [(-5.0, 0), (0.0, 0), (1e9, 47), (math.inf, 47)])
def test_times_outside_are_clamped(table, seconds, index):
    assert table.index_at(seconds) == index


def test_pts_are_the_files_own(clip):
    with Video(clip("jitter_mp4")) as video:
        assert [video.pts(i) * 1000 / 90000 for i in range(3)] == [
            float(video.pts(i) * video.time_base * 1000) for i in range(3)
        ]
    late = build_table(clip("starts_late_mkv"))
    assert late.pts[0] == 10_000
    assert late.time(0) == 0.0


def test_variable_rate_is_told_from_rounding(clip):
    assert build_table(clip("jitter_mkv")).is_variable_rate
    assert not build_table(clip("h264_open_gop_mkv")).is_variable_rate  # 33, 33, 34 ms
    assert build_table(clip("h264_open_gop_mkv")).frame_rate == pytest.approx(30, abs=0.1)


def test_bytes_give_the_same_table(table):
    again = FrameTable.from_bytes(table.to_bytes())
    for field in dataclasses.fields(table):
        mine, other = getattr(table, field.name), getattr(again, field.name)
        assert np.array_equal(mine, other) if isinstance(mine, np.ndarray) else mine == other
    assert again.digest() == table.digest()


def test_missing_times_survive_the_bytes(clip):
    table = build_table(clip("h264_raw"))
    again = FrameTable.from_bytes(table.to_bytes())
    assert np.array_equal(again.packet_pts, table.packet_pts)


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_no_flipped_bit_goes_unnoticed(table, place, bit):
    data = bytearray(table.to_bytes())
    data[place % len(data)] ^= 1 << bit
    with pytest.raises(MediaError):
        FrameTable.from_bytes(bytes(data))


@given(end=st.integers(0, 10_000))
def test_no_lost_end_goes_unnoticed(table, end):
    data = table.to_bytes()
    with pytest.raises(MediaError):
        FrameTable.from_bytes(data[: end % len(data)])


def test_bytes_of_another_version_are_refused(table):
    data = table.to_bytes()
    with pytest.raises(MediaError, match="another version"):
        FrameTable.from_bytes(data[:4] + b"\xff\x7f" + data[6:])


def test_digest_tells_tables_apart(clip, table):
    others = [build_table(clip(name)) for name in ("h264_baseline_mp4", "h264_b_pyramid_mp4")]
    assert len({table.digest(), *(other.digest() for other in others)}) == 3


def test_no_sync_point_is_used_for_pictures_before_it(clip):
    table = build_table(clip("h264_open_gop_mp4"))
    assert len(table.sync_packet) > 2
    for index in range(len(table)):
        place = table.sync_before(index)
        assert table.sync_frame[place] <= index
        assert table.sync_packet[place] <= table.frame_packet[index]
    last_sync = np.searchsorted(table.sync_packet, table.frame_packet, side="right") - 1
    passed_over = [i for i in range(len(table)) if table.sync_before(i) < last_sync[i]]
    assert passed_over  # leading pictures of the open groups


@pytest.mark.parametrize("name", ["h264_b_frames_mp4", "h264_open_gop_mkv", "vp9_webm", "h264_raw"])
def test_indexing_tells_how_far_it_is_and_can_be_stopped(name, clip, monkeypatch):
    monkeypatch.setattr(packet_scan, "_CHUNK", 5)
    path, told = clip(name), []
    table = build_table(path, told.append)
    assert len(told) > 3
    assert all(0 <= share <= 1 for share in told)

    class EnoughError(Exception):
        pass

    def stop(_share):
        raise EnoughError

    before = open_files()
    with pytest.raises(EnoughError):
        build_table(path, stop)
    assert open_files() == before
    assert build_table(path).digest() == table.digest()


def open_files():
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0
