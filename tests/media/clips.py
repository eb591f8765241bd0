"""The hard clips: small videos that each have one property readers stumble over.

Every function writes one file; ``CLIPS`` maps a name to a maker, an extension and, where it is
known without decoding, the numbers that frames 0, 1, 2 ... must carry.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.packet import Packet
from av.stream import Disposition

from tests.media.encoding import RATE, SIZE, add_sound, copied, encode, remux
from tests.media.pattern import picture
from tests.media.pcm_h264 import HEIGHT, WIDTH, field_stream

N = 48
ALL = range(N)
MS = Fraction(1, 1000)
MPEG_TICK = Fraction(1, 90000)
_INTERLACED = (1 << 18) | (1 << 29)  # AV_CODEC_FLAG_INTERLACED_DCT, _ME


@dataclass(frozen=True)
class Clip:
    """How to make a clip and what its frames show."""

    make: Callable[[Path], None]
    extension: str
    numbers: Sequence[int] | None


CLIPS: dict[str, Clip] = {}


def clip(
    extension: str, numbers: Sequence[int] | None = ALL
) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    def register(make: Callable[[Path], None]) -> Callable[[Path], None]:
        CLIPS[make.__name__] = Clip(make, extension, numbers)
        return make

    return register


def _plain(
    name: str, extension: str, numbers: Sequence[int] | None = ALL, **options: object
) -> None:
    given = {} if numbers is None else {"numbers": numbers}
    CLIPS[name] = Clip(lambda path: encode(path, **given, **options), extension, numbers)


def make(name: str, folder: Path) -> Path:
    """Write a clip once into a folder and return its path."""
    path = folder / f"{name}.{CLIPS[name].extension}"
    if not path.exists():
        scratch = folder / f"_{name}.{CLIPS[name].extension}"
        CLIPS[name].make(scratch)
        scratch.replace(path)
    return path


# --- codecs and structures ------------------------------------------------------------------

_plain("h264_baseline_mp4", "mp4", params="ref=1")
_plain("h264_b_frames_mp4", "mp4", b_frames=3)
_plain("h264_b_pyramid_mp4", "mp4", b_frames=7, gop=24, params="b-pyramid=normal:b-adapt=0:ref=4")
_plain("h264_open_gop_mp4", "mp4", b_frames=3, params="open-gop=1:b-adapt=0")
_plain("h264_open_gop_mkv", "mkv", b_frames=3, params="open-gop=1:b-adapt=0")
_plain("h264_open_gop_ts", "ts", b_frames=3, params="open-gop=1:b-adapt=0")
_plain("h264_gop_600_mp4", "mp4", numbers=range(620), gop=600, b_frames=2, size=(64, 64))
_plain("h264_intra_refresh_mp4", "mp4", gop=12, params="intra-refresh=1:ref=1")
_plain("h264_all_intra_mov", "mov", gop=1)
_plain("h264_slices_mp4", "mp4", b_frames=2, params="slices=4")
_plain("h264_interlaced_mp4", "mp4", b_frames=2, params="interlaced=1:tff=1", flags=_INTERLACED)
_plain("h264_interlaced_ts", "ts", b_frames=2, params="tff=1", flags=_INTERLACED)
_plain("h264_10_bit_mkv", "mkv", b_frames=2, pixels="yuv420p10le")
_plain("h264_444_odd_mp4", "mp4", size=(97, 65), pixels="yuv444p", b_frames=2)
_plain("h264_lossless_mkv", "mkv", b_frames=2, crf="0")
_plain("hevc_open_gop_mp4", "mp4", codec="libx265", b_frames=4, params="open-gop=1:b-adapt=0")
_plain("hevc_closed_mkv", "mkv", codec="libx265", b_frames=3, params="open-gop=0")
_plain("hevc_open_gop_ts", "ts", codec="libx265", b_frames=4, params="open-gop=1:b-adapt=0")
_plain("hevc_10_bit_mov", "mov", codec="libx265", b_frames=3, pixels="yuv420p10le")
_plain("hevc_temporal_layers_mp4", "mp4", codec="libx265", b_frames=4, params="temporal-layers=3")
_plain("vp8_webm", "webm", codec="libvpx")
_plain("vp9_webm", "webm", codec="libvpx-vp9")
_plain("vp9_odd_webm", "webm", codec="libvpx-vp9", size=(97, 65))
_plain("av1_mp4", "mp4", codec="libsvtav1")
_plain("av1_webm_10_bit", "webm", codec="libsvtav1", pixels="yuv420p10le")
_plain("mpeg4_avi", "avi", codec="mpeg4")
_plain("mpeg4_b_frames_avi", "avi", codec="mpeg4", b_frames=2)
_plain("mpeg4_b_frames_mp4", "mp4", codec="mpeg4", b_frames=2)
_plain("mpeg2_b_frames_ts", "ts", codec="mpeg2video", b_frames=2)
_plain("mpeg2_interlaced_ps", "mpg", codec="mpeg2video", b_frames=2, flags=_INTERLACED)
_plain("mjpeg_avi", "avi", codec="mjpeg", pixels="yuvj420p")
_plain("mjpeg_odd_mov", "mov", codec="mjpeg", pixels="yuvj444p", size=(97, 65))
_plain("ffv1_mkv", "mkv", codec="ffv1", pixels="yuv422p10le")
_plain("prores_mov", "mov", codec="prores_ks", pixels="yuv422p10le")
_plain("h264_avi", "avi", b_frames=0, params="ref=1")
_plain("h264_b_frames_avi", "avi", b_frames=2)
_plain("h264_interlaced_avi", "avi", params="interlaced=1:tff=1", flags=_INTERLACED)
_plain("h264_raw", "h264", b_frames=2, container="h264")
_plain("hevc_raw", "hevc", codec="libx265", b_frames=2, container="hevc")
_plain("mjpeg_raw", "mjpeg", codec="mjpeg", pixels="yuvj420p", container="mjpeg")
_plain("pixel_aspect_mp4", "mp4", aspect=Fraction(4, 3), b_frames=2)
_plain("one_frame_mp4", "mp4", numbers=[0])
_plain("two_frames_mkv", "mkv", numbers=[0, 1], b_frames=2)

# --- containers and times -------------------------------------------------------------------

_FRAGMENTS = {"movflags": "frag_keyframe+empty_moov+default_base_moof"}
_plain("fragmented_mp4", "mp4", b_frames=2, mux_options=_FRAGMENTS)
_plain(
    "fragmented_each_frame_mp4",
    "mp4",
    mux_options={"movflags": "frag_every_frame+empty_moov"},
)
_plain("faststart_mp4", "mp4", b_frames=2, mux_options={"movflags": "faststart"})
_plain("no_edit_list_mp4", "mp4", b_frames=3, mux_options={"use_editlist": "0"})
_plain(
    "negative_composition_mp4",
    "mp4",
    b_frames=3,
    mux_options={"movflags": "negative_cts_offsets"},
)
_plain("live_webm", "webm", codec="libvpx", mux_options={"live": "1"})
_plain("live_mkv", "mkv", b_frames=3, mux_options={"live": "1"})
_plain("starts_late_mkv", "mkv", b_frames=2, pts=[i + 300 for i in ALL])
_plain("starts_late_mp4", "mp4", b_frames=2, pts=[i + 45 for i in ALL])
_plain("starts_late_ts", "ts", b_frames=2, pts=[i + 900 for i in ALL])
_plain(
    "wraps_ts",
    "ts",
    b_frames=2,
    time_base=MPEG_TICK,
    pts=[(1 << 33) - 45000 + 3000 * i for i in ALL],
    mux_options={"mpegts_copyts": "1"},
)
_plain("half_rate_slides_mp4", "mp4", pts=[i * 30 for i in ALL], b_frames=2)
_plain("one_tick_apart_mkv", "mkv", time_base=MS, pts=list(ALL), rate=1000)

_rng = np.random.default_rng(7)
_jitter = [int(33 * i + j) for i, j in zip(ALL, _rng.integers(0, 20, N), strict=True)]
_dropped = [p for p in range(80) if p % 7 not in (3, 4) or p < 6][:N]
_plain("jitter_mkv", "mkv", time_base=MS, pts=_jitter, b_frames=2)
_plain("jitter_webm", "webm", codec="libvpx", time_base=MS, pts=_jitter)
_plain("jitter_mp4", "mp4", time_base=MPEG_TICK, pts=[90 * p for p in _jitter], b_frames=2)
_plain("dropped_ticks_mp4", "mp4", pts=_dropped, b_frames=2)
_plain("dropped_ticks_avi", "avi", codec="mpeg4", pts=_dropped)
_plain("dropped_ticks_ts", "ts", pts=_dropped, b_frames=2)


@clip("mkv")
def double_times_mkv(path: Path) -> None:
    """Pairs of frames that share a time stamp, in a codec without reordering."""
    encode(
        path,
        codec="mjpeg",
        pixels="yuvj420p",
        tamper=lambda packets: [_timed(p, 33 * (i // 2)) for i, p in enumerate(packets)],
    )


def _timed(packet: Packet, ms: int) -> Packet:
    packet.time_base, packet.pts, packet.dts, packet.duration = MS, ms, ms, 33
    return packet


# --- edit lists, rotation -------------------------------------------------------------------


@clip("mp4", range(7, N))
def edit_list_pre_roll_mp4(path: Path) -> None:
    """Seven frames before the start of the edit: decoded, never shown."""
    encode(path, b_frames=2, tamper=lambda packets: [_shifted(p, -7) for p in packets])


@clip("mp4", range(15, N))
def edit_list_past_sync_mp4(path: Path) -> None:
    """The edit starts three frames after the second sync frame."""
    encode(path, b_frames=0, tamper=lambda packets: [_shifted(p, -15) for p in packets])


def _shifted(packet: Packet, ticks: int) -> Packet:
    packet.pts, packet.dts = packet.pts + ticks, packet.dts + ticks
    return packet


@clip("mp4", None)
def edit_list_cuts_end_mp4(path: Path) -> None:
    """The edit is shorter than the media: the last frames are not presented."""
    encode(path, b_frames=2)
    data = bytearray(path.read_bytes())
    at = data.index(b"elst")
    (duration,) = struct.unpack(">I", data[at + 12 : at + 16])
    data[at + 12 : at + 16] = struct.pack(">I", duration * 2 // 3)
    path.write_bytes(data)


TURNS = {  # name: (clockwise turn, mirrored first), matrix a b c d
    "turned_90_mp4": ((90, False), (0, 1, -1, 0)),
    "turned_180_mp4": ((180, False), (-1, 0, 0, -1)),
    "turned_270_mov": ((270, False), (0, -1, 1, 0)),
    "mirrored_mp4": ((0, True), (-1, 0, 0, 1)),
    "mirrored_turned_90_mp4": ((90, True), (0, -1, -1, 0)),
    "mirrored_turned_180_mp4": ((180, True), (1, 0, 0, -1)),
    "mirrored_turned_270_mp4": ((270, True), (0, 1, 1, 0)),
}


def _turned(
    turn: int, is_mirrored: bool, matrix: tuple[int, int, int, int]
) -> Callable[[Path], None]:
    def paint(number: int) -> np.ndarray:
        shown = picture(number, *(SIZE[::-1] if turn in (90, 270) else SIZE))
        stored = np.rot90(shown, turn // 90)  # counter-clockwise: what the turn will undo
        return np.ascontiguousarray(stored[:, ::-1] if is_mirrored else stored)

    def write(path: Path) -> None:
        encode(path, b_frames=2, numbers=range(24), paint=paint)
        set_matrix(path, matrix)

    return write


def set_matrix(path: Path, matrix: tuple[int, int, int, int]) -> None:
    """Overwrite the display matrix in the track header of an MP4 or MOV."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    a, b, c, d = (value << 16 for value in matrix)
    data[at : at + 36] = struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(data)


for _name, (_turn, _matrix) in TURNS.items():
    CLIPS[_name] = Clip(_turned(*_turn, _matrix), _name[-3:], range(24))

# --- packets that are not one picture each --------------------------------------------------

_N_VOP = b"\x00\x00\x01\xb6"


@clip("avi", None)
def mpeg4_packed_avi(path: Path) -> None:
    """DivX 5 packed B-frames: a packet holds P and the first B, an empty P follows."""
    encode(path, codec="mpeg4", b_frames=1, tamper=_pack, bf="1", b_strategy="0")


@clip("avi", None)
def mpeg4_packed_twos_avi(path: Path) -> None:
    """The same with two B-frames in a row."""
    encode(path, codec="mpeg4", b_frames=2, tamper=_pack, bf="2", b_strategy="0")


def _pack(packets: list[Packet]) -> list[Packet]:
    mark = b"\x00\x00\x01\xb2DivX503b1393p\x00"
    out: list[Packet] = []
    for place, packet in enumerate(packets):
        data = bytes(packet)
        at = data.find(_N_VOP)
        is_b = data[at + 4] >> 6 == 2
        if place == 0:
            data = data[:at] + mark + data[at:]
        new = copied(packet, data)
        if is_b and out:
            out[-1] = copied(out[-1], bytes(out[-1]) + data)
            new = copied(packet, _not_coded(data[at:]))
            new.is_keyframe = False
        out.append(new)
    for place, packet in enumerate(out):
        packet.pts = packet.dts = place
    return out


def _not_coded(vop: bytes) -> bytes:
    """A P picture without content, with the time of another picture."""
    bits = "".join(format(byte, "08b") for byte in vop[4:16])[2:]
    modulo = bits.index("0") + 1
    head = "01" + bits[:modulo] + "1" + bits[modulo + 1 : modulo + 6] + "1" + "0" + "1"
    head += "0" * (-len(head) % 8)
    return _N_VOP + int(head, 2).to_bytes(len(head) // 8, "big")


@clip("avi", None)
def mpeg4_not_coded_avi(path: Path) -> None:
    """Pictures replaced by empty ones, which a decoder does not present."""

    def tamper(packets: list[Packet]) -> list[Packet]:
        out = []
        for place, packet in enumerate(packets):
            data = bytes(packet)
            is_empty = place % 7 == 5
            new = copied(packet, _not_coded(data[data.find(_N_VOP) :]) if is_empty else data)
            new.is_keyframe = packet.is_keyframe
            out.append(new)
        return out

    encode(path, codec="mpeg4", gop=48, tamper=tamper)


@clip("webm", [i for i in ALL if i % 9 != 4])
def vp8_hidden_frames_webm(path: Path) -> None:
    """Frames like alternate references: decoded and used, never shown."""

    def tamper(packets: list[Packet]) -> list[Packet]:
        hidden = [i % 9 == 4 for i in range(len(packets))]
        return [
            copied(p, bytes([p0[0] & ~0x10]) + p0[1:]) if hide else p
            for p, p0, hide in ((p, bytes(p), h) for p, h in zip(packets, hidden, strict=True))
        ]

    encode(path, codec="libvpx", gop=24, tamper=tamper)


@clip("mkv")
def vp9_split_superframes_mkv(path: Path) -> None:
    """Hidden VP9 frames in packets of their own, next to the shown ones."""
    scratch = path.with_suffix(".whole.webm")
    encode(
        scratch, codec="libvpx-vp9", gop=48, deadline="good", lag_in_frames="16", auto_alt_ref="1"
    )

    def tamper(packets: list[Packet]) -> list[Packet]:
        with av.open(str(scratch)) as given:
            splitter = av.BitStreamFilterContext("vp9_superframe_split", given.streams.video[0])
            out = []
            for packet in packets:
                for part in splitter.filter(packet):
                    part.pts = part.dts = packet.pts
                    part.time_base = MS
                    out.append(part)
        return out

    remux(scratch, path, tamper=tamper)
    scratch.unlink()


def _fields(path: Path, container: str) -> None:
    raw = path.with_suffix(".h264")
    parts = field_stream(range(24))
    raw.write_bytes(b"".join(parts))

    def tamper(_: list[Packet]) -> list[Packet]:
        out = []
        joined = (
            parts
            if container == "mpegts"
            else [a + b for a, b in zip(*[iter(parts)] * 2, strict=True)]
        )
        step = 1800 if container == "mpegts" else 3600
        for place, data in enumerate(joined):
            packet = Packet(data)
            packet.pts = packet.dts = place * step
            packet.time_base, packet.duration = MPEG_TICK, step
            packet.is_keyframe = container != "mpegts" or place % 2 == 0
            out.append(packet)
        return out

    remux(raw, path, container=container, tamper=tamper)
    raw.unlink()


@clip("ts", range(24))
def field_coded_ts(path: Path) -> None:
    """Fields coded as pictures: two packets make one frame."""
    _fields(path, "mpegts")


@clip("mkv", range(24))
def field_coded_mkv(path: Path) -> None:
    """Fields coded as pictures, both in one packet."""
    _fields(path, "matroska")


assert (WIDTH, HEIGHT) == (64, 64)

# --- starts, ends and joins -----------------------------------------------------------------


def _cut(data: bytes, start: float, end: float) -> bytes:
    first, last = (int(len(data) // 188 * part) * 188 for part in (start, end))
    return data[first:last]


@clip("ts", None)
def starts_mid_gop_ts(path: Path) -> None:
    encode(path, b_frames=2)
    path.write_bytes(_cut(path.read_bytes(), 0.4, 1.0))


@clip("ts", None)
def hevc_starts_mid_gop_ts(path: Path) -> None:
    encode(path, codec="libx265", b_frames=4, params="open-gop=1:b-adapt=0")
    path.write_bytes(_cut(path.read_bytes(), 0.4, 1.0))


@clip("ts", None)
def mpeg2_starts_mid_gop_ts(path: Path) -> None:
    encode(path, codec="mpeg2video", b_frames=2)
    path.write_bytes(_cut(path.read_bytes(), 0.4, 1.0))


def _without_first_gop(packets: list[Packet]) -> list[Packet]:
    second = [i for i, p in enumerate(packets) if p.is_keyframe][1]
    return packets[second:]


@clip("mp4", None)
def hevc_starts_with_leading_mp4(path: Path) -> None:
    """Starts at an open group: the leading pictures have nothing to refer to."""
    encode(
        path,
        codec="libx265",
        b_frames=4,
        params="open-gop=1:b-adapt=0",
        tamper=_without_first_gop,
        mux_options={"use_editlist": "0"},
    )


@clip("mkv", None)
def h264_starts_with_leading_mkv(path: Path) -> None:
    encode(path, b_frames=3, params="open-gop=1:b-adapt=0", tamper=_without_first_gop)


@clip("m2ts")
def camcorder_m2ts(path: Path) -> None:
    """Packets of 192 bytes, as AVCHD has them."""
    encode(path, b_frames=2, container="mpegts", mux_options={"mpegts_m2ts_mode": "1"})


@clip("ts", [*range(24), *range(100, 124)])
def joined_ts(path: Path) -> None:
    """Two recordings joined: time stamps start again in the middle."""
    other = path.with_suffix(".two.ts")
    encode(path, b_frames=2, numbers=range(24))
    encode(other, b_frames=2, numbers=range(100, 124))
    path.write_bytes(path.read_bytes() + other.read_bytes())
    other.unlink()


@clip("mp4", None)
def truncated_faststart_mp4(path: Path) -> None:
    encode(path, b_frames=2, mux_options={"movflags": "faststart"})
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])


@clip("mkv", None)
def truncated_mkv(path: Path) -> None:
    encode(path, b_frames=2)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])


@clip("ts", None)
def truncated_ts(path: Path) -> None:
    encode(path, b_frames=2)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])


@clip("avi", None)
def truncated_avi(path: Path) -> None:
    encode(path, codec="mjpeg", pixels="yuvj420p")
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])


@clip("mp4", None)
def truncated_fragments_mp4(path: Path) -> None:
    encode(path, b_frames=2, mux_options=_FRAGMENTS)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])


# --- several streams ------------------------------------------------------------------------


def _with_sound(start_s: float, seconds: float) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        scratch = path.with_suffix(f".silent{path.suffix}")
        encode(scratch, b_frames=2)
        add_sound(scratch, path, start_s=start_s, seconds=seconds)
        scratch.unlink()

    return write


CLIPS["sound_later_mp4"] = Clip(_with_sound(0.5, 1.0), "mp4", ALL)
CLIPS["sound_shorter_mkv"] = Clip(_with_sound(0.0, 0.4), "mkv", ALL)
CLIPS["sound_longer_ts"] = Clip(_with_sound(0.0, 3.0), "ts", ALL)


@clip("mp4")
def cover_picture_mp4(path: Path) -> None:
    """The cover is not video."""
    _two_streams(path, is_cover=True)


@clip("mkv")
def two_videos_mkv(path: Path) -> None:
    _two_streams(path, is_cover=False)


def _two_streams(path: Path, *, is_cover: bool) -> None:
    main, other = path.with_suffix(".a.mp4"), path.with_suffix(".b.mov")
    encode(main, b_frames=2)
    encode(other, codec="mjpeg", pixels="yuvj420p", numbers=[900] if is_cover else range(900, 930))
    with av.open(str(main)) as a, av.open(str(other)) as b, av.open(str(path), "w") as out:
        pairs = [(b, None), (a, None)] if is_cover else [(a, None), (b, None)]
        streams = [out.add_stream_from_template(given.streams.video[0]) for given, _ in pairs]
        if is_cover:
            streams[0].disposition = Disposition.attached_pic
        packets = [
            (float(p.dts * p.time_base), place, p)
            for place, (given, _) in enumerate(pairs)
            for p in given.demux(given.streams.video[0])
            if p.size
        ]
        for _, place, packet in sorted(packets, key=lambda item: item[:2]):
            packet.stream = streams[place]
            out.mux(packet)
    main.unlink()
    other.unlink()


assert RATE == 30
