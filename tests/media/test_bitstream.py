"""Reading the bits that decide what is shown, and turning pictures upright."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.media.decode.cache import FrameCache, picture_bytes
from annotator.media.index import bitstream, packet_scan
from annotator.media.index.frame_table import Orientation, from_matrix
from tests.media.clips import TURNS
from tests.media.pcm_h264 import field_stream


def test_vp8_show_bit():
    assert bitstream.vp8_is_shown(0x10)
    assert not bitstream.vp8_is_shown(0xEF)


@pytest.mark.parametrize(
    ("first", "last", "is_shown"),
    [
        (0b1000_0010, 0, True),
        (0b1000_0000, 0, False),
        (0b1000_1000, 0, True),  # shows an existing frame
        (0b1000_0000, 0b1100_0001, True),  # superframe
        (0b1011_0001, 0, True),  # profile 3 has one bit more
        (0b1011_0010, 0, False),
    ],
)
def test_vp9_show_bit(first, last, is_shown):
    assert bitstream.vp9_is_shown(first, last) is is_shown


def test_fields_are_paired():
    parts = field_stream(range(3))
    parameters = packet_scan.sequence_parameters(parts[0], 0)
    assert parameters is not None
    assert not parameters.is_frames_only
    kinds = [packet_scan.field_kind(part, 0, parameters) for part in parts]
    assert [kind.is_bottom for kind in kinds if kind] == [False, True] * 3
    assert packet_scan.second_fields(kinds) == [False, True] * 3
    joined = packet_scan.field_kind(parts[0] + parts[1], 0, parameters)
    assert joined is not None
    assert not joined.is_single


def test_a_lost_field_does_not_shift_the_pairs():
    parts = field_stream(range(3))
    parameters = packet_scan.sequence_parameters(parts[0], 0)
    kinds = [packet_scan.field_kind(part, 0, parameters) for part in [*parts[:1], *parts[2:]]]
    assert packet_scan.second_fields(kinds) == [False, False, True, False, True]


@given(st.binary(max_size=200), st.sampled_from([0, 1, 2, 4]))
def test_no_bytes_break_the_readers(data, length_size):
    bitstream.mpeg4_vops(data, bitstream.mpeg4_time_bits(data))
    assert isinstance(bitstream.mpeg4_is_packed(data), bool)
    bitstream.hevc_entry(data, length_size)
    bitstream.h264_entry(data, length_size)
    parameters = packet_scan.SequenceParameters(4, False, True)
    packet_scan.field_kind(data, length_size, parameters)
    packet_scan.sequence_parameters(data, length_size)


def test_recovery_point_after_some_pictures():
    sei = bytes([6, 6, 2, 0b0011_0100, 0x80, 0x80])  # after 5 pictures, exact match
    found = bitstream.h264_entry(b"\0\0\1" + sei + b"\0\0\1\x41\x9a", 0)
    assert found == bitstream.EntryPoint(is_clean=False, delay=5)


@pytest.mark.parametrize("name", TURNS)
def test_display_matrices_are_understood(name):
    (turn, is_mirrored), (a, b, c, d) = TURNS[name]
    raw = struct.pack("<9i", a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
    assert from_matrix(raw) == (Orientation(turn, is_mirrored), 0.0)


def test_a_slanted_matrix_is_reported():
    value = int(65536 * 2**-0.5)
    raw = struct.pack("<9i", value, value, 0, -value, value, 0, 0, 0, 1 << 30)
    assert from_matrix(raw)[1] == pytest.approx(45)
    assert from_matrix(bytes(36)) == (Orientation(), 0.0)
    assert from_matrix(b"") == (Orientation(), 0.0)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turning_clockwise(turn):
    image = np.arange(6, dtype=np.uint8).reshape(2, 3)
    turned = Orientation(turn).apply(image)
    assert turned.shape[::-1] == Orientation(turn).size(3, 2)
    corner = {0: (0, 0), 90: (0, -1), 180: (-1, -1), 270: (-1, 0)}[turn]
    assert turned[corner] == 0  # where the stored top-left pixel went
    assert turned.flags.c_contiguous


@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_part_of_the_displayed_picture_is_found_in_the_stored_one(turn, is_mirrored):
    image, orientation = np.arange(24).reshape(4, 6), Orientation(turn, is_mirrored)
    turned = orientation.apply(image)
    height, width = turned.shape
    x1, y1, x2, y2 = orientation.stored_area((1, 0, 3, 2), width, height)
    assert np.array_equal(orientation.apply(image[y1:y2, x1:x2]), turned[0:2, 1:3])


def _frames(count):
    import av

    return [av.VideoFrame(64, 64, "yuv420p") for _ in range(count)]


def test_cache_keeps_what_is_nearest():
    frames = _frames(20)
    cache = FrameCache(8 * picture_bytes(frames[0]))
    cache.lean(10, 0)
    for index, frame in enumerate(frames):
        cache.put(index, frame)
    assert cache.used_bytes <= cache.budget_bytes
    ((first, last),) = cache.spans()
    assert first >= 5
    assert last <= 16
    assert cache.nearest(0) == first
    cache.clear()
    assert (len(cache), cache.used_bytes, cache.nearest(3)) == (0, 0, None)


def test_cache_leans_to_where_travel_goes():
    frames = _frames(40)
    cache = FrameCache(12 * picture_bytes(frames[0]))
    for index in range(14, 26):
        cache.put(index, frames[index])
    cache.lean(20, -1)
    for index in range(8, 20):
        cache.put(index, frames[index])
    behind = sum(1 for index in range(40) if index in cache and index < 20)
    assert behind > 8
