"""One pass over the packets of a video: positions, times and headers.

Nothing is decoded. The loop runs in C as far as it can: a two-hour file has 200,000 packets.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream
from numpy.typing import NDArray

from annotator.media.index import bitstream
from annotator.media.index.bitstream import BitReader, EntryPoint, Vop, nal_units, unescape
from annotator.media.index.container import open_video, packets
from annotator.media.index.frame_table import NO_PTS, Int64s
from annotator.media.values import Progress

_HIGH_PROFILES = {100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135}


@dataclass(frozen=True, slots=True)
class SequenceParameters:
    """The part of an H.264 sequence parameter set that slice headers depend on."""

    frame_num_bits: int
    is_frames_only: bool
    has_color_planes: bool


@dataclass(frozen=True, slots=True)
class PictureStructure:
    """Structure of one packet: a field alone (``is_single``), its parity and frame number."""

    is_single: bool
    is_bottom: bool
    frame_num: int


def sequence_parameters(data: bytes, length_size: int) -> SequenceParameters | None:
    """Read the first parameter set in extradata (avcC or start codes) or in a packet."""
    if data[:1] == b"\x01" and len(data) > 8:
        size = int.from_bytes(data[6:8], "big")
        units = [data[8 : 8 + size]]
    else:
        units = list(nal_units(data, length_size))
    for nal in units:
        if nal and nal[0] & 31 == 7:
            try:
                return _read_parameters(unescape(nal[1:]))
            except IndexError:
                return None
    return None


def field_kind(
    data: bytes, length_size: int, parameters: SequenceParameters
) -> PictureStructure | None:
    """Return whether a packet is one field; None when it holds no picture slice."""
    first: tuple[bool, bool, int] | None = None
    for nal in nal_units(data, length_size, limit=512):
        if not nal or nal[0] & 31 not in (1, 5):
            continue
        try:
            is_field, is_bottom, frame_num = _read_slice(unescape(nal[1:24]), parameters)
        except IndexError:
            continue
        if not is_field:
            return PictureStructure(False, False, frame_num)
        if first is None:
            first = (is_field, is_bottom, frame_num)
        elif first[1] != is_bottom:
            return PictureStructure(False, False, frame_num)
    if first is None:
        return None
    return PictureStructure(True, first[1], first[2])


def has_b_slice(data: bytes, length_size: int) -> bool:
    """Whether the picture in a packet is bidirectional; True if unknown."""
    for nal in nal_units(data, length_size):
        if nal and nal[0] & 31 in (1, 5):
            try:
                bits = BitReader(unescape(nal[1:16]))
                bits.ue()
                return bits.ue() % 5 == 1
            except IndexError:
                break
    return True


def second_fields(kinds: list[PictureStructure | None]) -> list[bool]:
    """Mark the packets that complete the frame of the packet before them."""
    marks = [False] * len(kinds)
    opened: PictureStructure | None = None
    for at, kind in enumerate(kinds):
        if kind is None or not kind.is_single:
            opened = None
        elif (
            opened is not None
            and opened.is_bottom != kind.is_bottom
            and opened.frame_num == kind.frame_num
        ):
            marks[at] = True
            opened = None
        else:
            opened = kind
    return marks


def _read_slice(data: bytes, parameters: SequenceParameters) -> tuple[bool, bool, int]:
    bits = BitReader(data)
    bits.ue()
    bits.ue()
    bits.ue()
    if parameters.has_color_planes:
        bits.bits(2)
    frame_num = bits.bits(parameters.frame_num_bits)
    if parameters.is_frames_only or not bits.bit():
        return False, False, frame_num
    return True, bool(bits.bit()), frame_num


def _read_parameters(data: bytes) -> SequenceParameters:
    profile = data[0]
    bits = BitReader(data, 24)
    bits.ue()
    has_planes = False
    if profile in _HIGH_PROFILES:
        chroma = bits.ue()
        if chroma == 3:
            has_planes = bool(bits.bit())
        bits.ue()
        bits.ue()
        bits.bit()
        if bits.bit():
            for at in range(8 if chroma != 3 else 12):
                if bits.bit():
                    _skip_scaling_list(bits, 16 if at < 6 else 64)
    frame_num_bits = bits.ue() + 4
    order_type = bits.ue()
    if order_type == 0:
        bits.ue()
    elif order_type == 1:
        bits.bit()
        bits.se()
        bits.se()
        for _ in range(bits.ue()):
            bits.se()
    bits.ue()
    bits.bit()
    bits.ue()
    bits.ue()
    return SequenceParameters(frame_num_bits, bool(bits.bit()), has_planes)


def _skip_scaling_list(bits: BitReader, size: int) -> None:
    last = following = 8
    for _ in range(size):
        if following:
            following = (last + bits.se() + 256) % 256
        last = following or last


_FIELDS = attrgetter(
    "pts", "dts", "pos", "size", "duration", "is_keyframe", "is_discard", "is_corrupt"
)
_MP4_FIELDS = attrgetter("pts", "dts", "pos", "is_keyframe", "is_discard")
_HEAD_BYTES = 2048  # enough of a sync packet for its headers
_HEAD_PACKETS = 100
_CHUNK = 2048  # packets between two reports of progress: some hundredths of a second
Packets = Iterable["Packet[VideoStream]"]


@dataclass
class PacketScan:
    """Packets of one stream in file order; arrays of length p.

    ``shown`` is the number of pictures each packet presents (0: hidden, discarded by an edit list,
    empty, or the second field of a frame). ``entries`` describes the sync packets of H.264 and
    HEVC, ``vops`` the presented pictures of MPEG-4. ``error`` is libav's reason when reading
    stopped before the end of the file. ``last_duration`` is that of the last packet, 0 if unknown.
    ``is_in_order``: known to be decoded in the order of presentation.
    """

    pts: Int64s
    dts: Int64s
    pos: Int64s
    is_key: NDArray[np.bool_]
    is_corrupt: NDArray[np.bool_]
    shown: Int64s
    entries: dict[int, EntryPoint] = field(default_factory=dict)
    vops: list[Vop | None] | None = None
    error: str | None = None
    last_duration: int = 0
    is_in_order: bool = False

    def __len__(self) -> int:
        return len(self.pts)


def scan_packets(
    container: InputContainer, stream: VideoStream, path: Path, progress: Progress | None = None
) -> PacketScan:
    """Read all packets of a stream from its start."""
    if "mp4" in container.format.name:
        scan = _scan_mp4(stream, path, progress)
        if scan is not None and _is_alike(scan, container, stream):
            return scan
        container, stream = open_video(path)
        with container:
            return _scan_any(container, stream, path.stat().st_size, progress)
    return _scan_any(container, stream, path.stat().st_size, progress)


def _scan_any(
    container: InputContainer, stream: VideoStream, size: int, progress: Progress | None
) -> PacketScan:
    watch = _watcher(stream)
    rows: list[tuple[Any, ...]] = []
    error = None
    try:
        coming = map(_FIELDS, watch.watch(packets(container, stream)))
        before = -1
        while len(rows) > before:
            before = len(rows)
            rows.extend(islice(coming, _CHUNK))
            _tell(progress, (rows[-1][2] or 0) / size if rows else 0.0)
        rows.pop()  # libav's closing packet, which is empty
    except av.error.FFmpegError as fault:
        error = str(fault.strerror or fault)
    columns = list(zip(*rows, strict=True)) or [()] * 8
    pts, dts, pos, size_of, duration = (
        _numbers(column, missing)
        for column, missing in zip(columns[:5], (NO_PTS, NO_PTS, -1, 0, 0), strict=True)
    )
    is_key, is_discard, is_corrupt = (np.array(c, dtype=np.bool_) for c in columns[5:])
    is_shown = np.where(is_discard | (size_of == 0), 0, 1).astype(np.int64)
    scan = PacketScan(pts, dts, pos, is_key, is_corrupt, is_shown, error=error)
    scan.last_duration = int(duration[-1]) if len(duration) else 0
    watch.finish(scan)
    return scan


def _scan_mp4(stream: VideoStream, path: Path, progress: Progress | None) -> PacketScan | None:
    """Scan an MP4 of a codec whose packets need no parsing; None when that is not enough.

    Times and positions of samples are always known there, so that the numbers go straight into a
    flat array, and libav need not parse the packets: a long file takes no longer than a plain
    reading of its packets.
    """
    watch = _watcher(stream)
    if type(watch) not in (_Watcher, _EntryWatcher):
        return None
    flat = array("q")
    size = path.stat().st_size
    quick, stream = open_video(path, is_parsed=False)
    with quick:
        rows = map(_MP4_FIELDS, quick.demux(stream))
        try:
            while True:
                before = len(flat)
                flat.extend(chain.from_iterable(islice(rows, _CHUNK)))
                if len(flat) == before:
                    break
                _tell(progress, flat[-3] / size)
        except TypeError:  # a time that is None: the closing packet's, or one that needs more care
            if next(rows, None) is not None:
                return None
        except av.error.FFmpegError:
            return None
        if not flat or len(flat) % 5:
            return None
        table = np.frombuffer(flat, dtype=np.int64).reshape(-1, 5)
        pts, dts, pos = (np.ascontiguousarray(table[:, i]) for i in range(3))
        if np.any(pos[1:] == pos[:-1]):  # empty samples
            return None
        scan = PacketScan(
            pts,
            dts,
            pos,
            is_key=table[:, 3].astype(np.bool_),
            is_corrupt=np.zeros(len(pts), np.bool_),
            shown=1 - table[:, 4],
        )
        if not _read_last(scan, quick, stream):
            return None
    scan.is_key &= ~scan.is_corrupt
    if isinstance(watch, _EntryWatcher):
        with path.open("rb") as file:
            for place in np.flatnonzero(scan.is_key).tolist():
                file.seek(int(pos[place]))
                scan.entries[place] = watch.classify(file.read(_HEAD_BYTES))
    return scan


def _is_alike(scan: PacketScan, container: InputContainer, stream: VideoStream) -> bool:
    """Whether packets read without parsing are those that the decoder will be fed."""
    identity = attrgetter("pts", "dts", "pos")
    try:
        head = list(map(identity, islice(container.demux(stream), min(_HEAD_PACKETS, len(scan)))))
    except av.error.FFmpegError:
        return False
    rows = zip(scan.pts.tolist(), scan.dts.tolist(), scan.pos.tolist(), strict=True)
    return head == list(islice(rows, len(head)))


def _tell(progress: Progress | None, share: float) -> None:
    if progress is not None:
        progress(min(max(share, 0.0), 1.0))


def _read_last(scan: PacketScan, container: InputContainer, stream: VideoStream) -> bool:
    """Read the last packet again for its duration and completeness."""
    try:
        container.seek(int(scan.dts[-1]), stream=stream, any_frame=True)
        for packet in container.demux(stream):
            if packet.pos == scan.pos[-1] and packet.pts == scan.pts[-1]:
                scan.last_duration = packet.duration or 0
                scan.is_corrupt[-1] = packet.is_corrupt
                return True
    except av.error.FFmpegError:
        pass
    return False


class _Watcher:
    """Looks into packets as they pass; this one does not."""

    def watch(self, packets: Packets) -> Packets:
        return packets

    def finish(self, scan: PacketScan) -> None:
        """Store the collected values in the scan."""


class _EntryWatcher(_Watcher):
    """H.264 and HEVC: classifies sync packets only."""

    def __init__(self, codec: str, length_size: int) -> None:
        self._read_entry = bitstream.h264_entry if codec == "h264" else bitstream.hevc_entry
        self._length_size = length_size
        self._heads: list[bytes] = []

    def watch(self, packets: Packets) -> Iterator[Packet[VideoStream]]:
        keep = self._heads.append
        for packet in packets:
            if packet.is_keyframe:
                keep(_head_of(packet))
            yield packet

    def finish(self, scan: PacketScan) -> None:
        places = np.flatnonzero(scan.is_key).tolist()
        for place, head in zip(places, self._heads, strict=False):
            scan.entries[place] = self.classify(head)

    def classify(self, head: bytes) -> EntryPoint:
        """How the stream may be entered at a sync packet that starts like this."""
        return self._read_entry(head, self._length_size)


class _FieldWatcher(_EntryWatcher):
    """H.264 that may be coded in fields: looks at every packet."""

    def __init__(self, stream: VideoStream, parameters: SequenceParameters) -> None:
        self._size = bitstream.nal_length_size("h264", stream.codec_context.extradata)
        super().__init__("h264", self._size)
        self._parameters = parameters
        self._kinds: list[PictureStructure | None] = []

    def watch(self, packets: Packets) -> Iterator[Packet[VideoStream]]:
        for packet in super().watch(packets):
            self._kinds.append(field_kind(bytes(packet), self._size, self._parameters))
            yield packet

    def finish(self, scan: PacketScan) -> None:
        super().finish(scan)
        marks = np.array(second_fields(self._kinds[: len(scan)]), dtype=np.bool_)
        scan.shown[marks] = 0
        scan.is_key[marks] = False


class _OrderWatcher(_EntryWatcher):
    """H.264 in a container without presentation times: are there pictures to reorder?"""

    def __init__(self, length_size: int) -> None:
        super().__init__("h264", length_size)
        self._size = length_size
        self._has_b = False

    def watch(self, packets: Packets) -> Iterator[Packet[VideoStream]]:
        for packet in super().watch(packets):
            if not self._has_b and packet.size:
                self._has_b = has_b_slice(_head_of(packet), self._size)
            yield packet

    def finish(self, scan: PacketScan) -> None:
        super().finish(scan)
        scan.is_in_order = not self._has_b


class _ByteWatcher(_Watcher):
    """VP8 and VP9: first and last byte of each packet decide whether it is shown."""

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._shown: list[bool] = []

    def watch(self, packets: Packets) -> Iterator[Packet[VideoStream]]:
        for packet in packets:
            view = memoryview(packet)
            if len(view) == 0:
                self._shown.append(False)
            elif self._codec == "vp8":
                self._shown.append(bitstream.vp8_is_shown(view[0]))
            else:
                self._shown.append(bitstream.vp9_is_shown(view[0], view[-1]))
            yield packet

    def finish(self, scan: PacketScan) -> None:
        scan.shown[~np.array(self._shown[: len(scan)], dtype=np.bool_)] = 0


class _VopWatcher(_Watcher):
    """MPEG-4: follows FFmpeg's decoder through not-coded pictures and packed B-frames."""

    def __init__(self, extradata: bytes | None) -> None:
        self._time_bits = bitstream.mpeg4_time_bits(extradata or b"")
        self._is_packed = bitstream.mpeg4_is_packed(extradata or b"")
        self._pending: Vop | None = None
        self._vops: list[Vop | None] = []

    def watch(self, packets: Packets) -> Iterator[Packet[VideoStream]]:
        for packet in packets:
            data = bytes(packet)
            if not self._time_bits:
                self._time_bits = bitstream.mpeg4_time_bits(data)
            self._is_packed = self._is_packed or bitstream.mpeg4_is_packed(data)
            self._vops.append(self._presented(data))
            yield packet

    def finish(self, scan: PacketScan) -> None:
        scan.vops = self._vops[: len(scan)]
        hidden = np.array([vop is None for vop in scan.vops], dtype=np.bool_)
        scan.shown[hidden] = 0

    def _presented(self, data: bytes) -> Vop | None:
        """The picture that decoding this packet yields, None when it yields none."""
        vops = bitstream.mpeg4_vops(data, self._time_bits)
        if not data:
            return None
        if self._pending is not None:
            # A B-frame kept from the packet before is decoded now, in place of this packet's
            # picture, which is an empty one that only keeps the count.
            vop, rest = self._pending, vops
        else:
            vop, rest = (vops[0] if vops else Vop(1, False)), vops[1:]
        self._pending = rest[0] if self._is_packed and rest and rest[0].kind in (0, 2) else None
        return vop if vop.is_coded else None


def _head_of(packet: Packet[VideoStream]) -> bytes:
    return bytes(memoryview(packet)[:_HEAD_BYTES])


def _watcher(stream: VideoStream) -> _Watcher:
    context = stream.codec_context
    codec, extradata = context.codec.canonical_name, context.extradata
    if codec in ("h264", "hevc"):
        size = bitstream.nal_length_size(codec, extradata)
        if codec == "h264" and extradata:
            parameters = sequence_parameters(extradata, size)
            if parameters and not parameters.is_frames_only:
                return _FieldWatcher(stream, parameters)
        if codec == "h264" and stream.container.format.name in ("avi", "h264"):
            return _OrderWatcher(size)
        return _EntryWatcher(codec, size)
    if codec in ("vp8", "vp9"):
        return _ByteWatcher(codec)
    if codec == "mpeg4":
        return _VopWatcher(extradata)
    return _Watcher()


def _numbers(column: tuple[int | None, ...], missing: int) -> Int64s:
    try:
        return np.array(column, dtype=np.int64)
    except TypeError:
        return np.array([missing if v is None else v for v in column], dtype=np.int64)
