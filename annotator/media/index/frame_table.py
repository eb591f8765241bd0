"""The frame table: number, time, packets and orientation of every frame.

A frame is one picture that FFmpeg's sequential decode presents, counted from 0 in presentation
order. Interlaced video counts full frames, both fields woven as decoded, never deinterlaced. The
table is made from packets alone (see ``indexing``) and is plain numbers: it can be cached, sent to
another process and compared by digest.

libav hands out stored pictures; phones store portrait videos sideways with a matrix that says
how to turn them. All coordinates of this program are in display orientation.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
import zlib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.domain.errors import MediaError
from annotator.media.values import MediaFinding

_Scalar = TypeVar("_Scalar", bound=np.generic)


Area = tuple[int, int, int, int]
"""Part of a picture: x1, y1, x2, y2 in whole pixels, right and lower edge excluded."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a stored picture becomes the displayed one: mirrored first (left to right), then turned.

    ``rotation`` is clockwise, one of 0, 90, 180, 270.
    """

    rotation: int = 0
    is_flipped: bool = False

    @property
    def swaps_sides(self) -> bool:
        """Whether width and height change places."""
        return self.rotation in (90, 270)

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Displayed (width, height) of a stored size, and the other way round."""
        return (height, width) if self.swaps_sides else (width, height)

    def apply(self, image: NDArray[_Scalar]) -> NDArray[_Scalar]:
        """Turn a stored picture (height, width, ...) into display orientation, C-contiguous."""
        if self.is_flipped:
            image = image[:, ::-1]
        if self.rotation:
            image = np.rot90(image, k=-(self.rotation // 90))
        return np.ascontiguousarray(image)

    def stored_area(self, area: Area, width: int, height: int) -> Area:
        """Return where a part of a displayed picture of a width and height is in the stored one."""
        (x1, y1, x2, y2), quarter = area, self.rotation // 90
        for _ in range(quarter):  # undo a quarter turn clockwise
            x1, y1, x2, y2 = y1, width - x2, y2, width - x1
            width, height = height, width
        return (width - x2, y1, width - x1, y2) if self.is_flipped else (x1, y1, x2, y2)


def from_matrix(raw: bytes) -> tuple[Orientation, float]:
    """Read a libav display matrix (nine int32, 16.16 and 2.30 fixed point).

    Returns the nearest quarter turn and by how many degrees the matrix differs from it.
    """
    if len(raw) < 36:
        return Orientation(), 0.0
    a, b, _, c, d = struct.unpack("<5i", raw[:20])
    is_flipped = a * d - b * c < 0
    if is_flipped:  # undo the mirroring of x, which comes first
        a, b = -a, -b
    if a == 0 and b == 0:
        return Orientation(0, is_flipped), 0.0
    angle = math.degrees(math.atan2(b, a)) % 360.0  # y grows downwards: positive is clockwise
    quarter = round(angle / 90.0) * 90
    return Orientation(int(quarter) % 360, is_flipped), abs(angle - quarter)


Int64s = NDArray[np.int64]
NO_PTS = np.iinfo(np.int64).min
_MAGIC = b"ANFT"
_VERSION = 1
_ARRAYS = (
    "pts",
    "duration",
    "frame_packet",
    "packet_pts",
    "packet_dts",
    "packet_pos",
    "sync_packet",
    "sync_frame",
)


@dataclass(frozen=True, eq=False)
class FrameTable:
    """Frames of one video stream in presentation order, and the packets that carry them.

    ``pts`` and ``duration`` int64[n], in units of ``time_base`` seconds, as the stream says them;
    ``frame_packet`` int64[n]: the packet (counted in file order) that carries each frame.
    ``packet_pts``, ``packet_dts``, ``packet_pos`` int64[p]: identity of every packet, ``NO_PTS``
    and -1 where unknown. ``sync_packet`` int64[s]: packets where decoding may start, ascending;
    ``sync_frame`` int64[s]: first frame that is exact when it starts there.
    ``width`` and ``height`` are stored pixels, before ``orientation`` is applied.

    A limited table (see `limited`) ends where the video may be seen no further; ``first`` is its
    first frame that may be seen. Whatever decodes by it gives no other pictures.
    """

    pts: Int64s
    duration: Int64s
    time_base: Fraction
    frame_packet: Int64s
    packet_pts: Int64s
    packet_dts: Int64s
    packet_pos: Int64s
    sync_packet: Int64s
    sync_frame: Int64s
    width: int
    height: int
    stream_index: int
    file_size: int
    fingerprint: str
    orientation: Orientation = field(default_factory=Orientation)
    sample_aspect_ratio: Fraction = Fraction(1)
    findings: tuple[MediaFinding, ...] = field(default=())
    first: int = 0
    is_limited: bool = False

    def __len__(self) -> int:
        return len(self.pts)

    @cached_property
    def ticks(self) -> Int64s:
        """Media time of each frame in units of ``time_base``: 0 for frame 0, never decreasing.

        Equals ``pts - pts[0]`` unless the time stamps run backwards somewhere; there the frame is
        placed one frame duration after the one before.
        """
        steps = np.diff(self.pts, prepend=self.pts[:1])
        bad = steps < 0
        if bad.any():
            good = steps[steps > 0]
            steps[bad] = int(np.median(good)) if len(good) else 1
        return np.cumsum(steps)

    @cached_property
    def times(self) -> NDArray[np.float64]:
        """Media time of each frame in seconds, float64[n]."""
        times: NDArray[np.float64] = self.ticks.astype(np.float64) * float(self.time_base)
        return times

    @cached_property
    def sync(self) -> NDArray[np.bool_]:
        """Frames from which decoding can start, bool[n]."""
        marks = np.zeros(len(self), dtype=np.bool_)
        marks[np.isin(self.frame_packet, self.sync_packet)] = True
        return marks

    @cached_property
    def duration_s(self) -> float:
        """Seconds from the start of frame 0 to the end of the last frame."""
        return float((self.ticks[-1] + max(int(self.duration[-1]), 0)) * self.time_base)

    @cached_property
    def frame_rate(self) -> float:
        """Average frames per second; for people and grids, never for finding a frame."""
        return len(self) / self.duration_s if self.duration_s > 0 else 0.0

    @cached_property
    def is_variable_rate(self) -> bool:
        """Whether frames are spaced unevenly beyond the rounding of the time base."""
        if len(self) < 3:
            return False
        steps = np.diff(self.ticks)
        middle = float(np.median(steps))
        slack = max(1.0, 0.02 * middle)
        return bool(np.any(np.abs(steps - middle) > slack))

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in display orientation."""
        return self.orientation.size(self.width, self.height)

    @property
    def origin_s(self) -> float:
        """The stream's own time of frame 0 in seconds: media time 0."""
        return float(int(self.pts[0]) * self.time_base)

    def time(self, index: int) -> float:
        """Media time of a frame in seconds."""
        return float(int(self.ticks[index]) * self.time_base)

    def limited(self, start: int, end: int) -> FrameTable:
        """Return the table as if the video had no frames but ``start`` <= frame < ``end``.

        Frames keep their numbers and times.
        """
        if not 0 <= start < end <= len(self):
            raise IndexError(f"frames {start} to {end} are outside 0 .. {len(self)}")
        is_whole = start == 0 and end == len(self)
        if is_whole:
            return self
        return replace(
            self,
            pts=self.pts[:end],
            duration=self.duration[:end],
            frame_packet=self.frame_packet[:end],
            first=start,
            is_limited=True,
        )

    @property
    def until_s(self) -> float | None:
        """Where a limited table ends, in seconds of media time; None where it is whole."""
        return self.duration_s if self.is_limited else None

    def index_at(self, seconds: float) -> int:
        """Frame shown at a media time; before the first the first, after the last the last."""
        # A millionth of a tick forgives the rounding of a time that was made from a frame.
        ticks = seconds / float(self.time_base) + 1e-6 * max(1.0, abs(seconds))
        place = int(np.searchsorted(self.ticks, ticks, side="right")) - 1
        return min(max(place, self.first), len(self) - 1)

    def sync_before(self, index: int, skip: int = 0) -> int:
        """Position in ``sync_packet`` from which a frame decodes exactly; 0 is the file's start.

        ``skip`` asks for one that many places earlier.
        """
        packet = int(self.frame_packet[index])
        place = int(np.searchsorted(self.sync_packet, packet, side="right")) - 1
        while place > 0 and self.sync_frame[place] > index:
            place -= 1
        return max(place - skip, 0)

    def frames_of(self, packet: int) -> tuple[int, ...]:
        """Frames (ascending) that a packet carries; mostly one, none for hidden pictures."""
        several = self._several.get(packet)
        if several is not None:
            return several
        frame = int(self._frame_of_packet[packet])
        return (frame,) if frame >= 0 else ()

    @cached_property
    def _frame_of_packet(self) -> Int64s:
        frames = np.full(len(self.packet_pos), -1, dtype=np.int64)
        frames[self.frame_packet] = np.arange(len(self))
        return frames

    @cached_property
    def _several(self) -> dict[int, tuple[int, ...]]:
        """Frames of the packets that carry more than one."""
        packets, counts = np.unique(self.frame_packet, return_counts=True)
        return {
            int(packet): tuple(np.flatnonzero(self.frame_packet == packet).tolist())
            for packet in packets[counts > 1]
        }

    def is_packet(self, number: int, pos: int | None, pts: int | None, dts: int | None) -> bool:
        """Whether a packet from the file is the packet with this number in the table."""
        if number >= len(self.packet_pos):
            return False
        if self._has_own_pos:
            return int(self.packet_pos[number]) == pos
        return (
            int(self.packet_pos[number]) == (-1 if pos is None else pos)
            and int(self.packet_pts[number]) == (NO_PTS if pts is None else pts)
            and int(self.packet_dts[number]) == (NO_PTS if dts is None else dts)
        )

    def packets_like(self, pos: int | None, pts: int | None, dts: int | None) -> list[int]:
        """Numbers of the packets with this identity: place in the file, and times if need be."""
        at = -1 if pos is None else pos
        low, high = (int(np.searchsorted(self._sorted_pos, at, side=s)) for s in ("left", "right"))
        return [n for n in self._by_pos[low:high].tolist() if self.is_packet(n, pos, pts, dts)]

    @cached_property
    def _has_own_pos(self) -> bool:
        """Whether every packet has a place in the file of its own."""
        places = self._sorted_pos
        return bool(places[0] >= 0 and np.all(np.diff(places) > 0))

    @cached_property
    def _by_pos(self) -> Int64s:
        return np.argsort(self.packet_pos, kind="stable")

    @cached_property
    def _sorted_pos(self) -> Int64s:
        return self.packet_pos[self._by_pos]

    def digest(self) -> str:
        """SHA-256 (hex) of the frame definition: time base, PTS, packets, size, orientation."""
        head = (self.time_base, self.size, self.orientation, len(self))
        state = hashlib.sha256(repr(head).encode())
        state.update(self.pts.astype("<i8").tobytes())
        state.update(self.frame_packet.astype("<i8").tobytes())
        return state.hexdigest()

    def to_bytes(self) -> bytes:
        """Serialize: magic, version, SHA-256, then compressed header and arrays."""
        arrays = [np.ascontiguousarray(getattr(self, name), dtype="<i8") for name in _ARRAYS]
        head: dict[str, Any] = {
            "lengths": [len(a) for a in arrays],
            "time_base": [self.time_base.numerator, self.time_base.denominator],
            "width": self.width,
            "height": self.height,
            "stream": self.stream_index,
            "file_size": self.file_size,
            "fingerprint": self.fingerprint,
            "orientation": [self.orientation.rotation, self.orientation.is_flipped],
            "aspect": [self.sample_aspect_ratio.numerator, self.sample_aspect_ratio.denominator],
            "findings": [[f.code, f.text, f.frame] for f in self.findings],
        }
        if self.is_limited:
            head["first"] = self.first
        text = json.dumps(head).encode()
        # Differences of neighbors are small and alike, which zlib likes.
        deltas = b"".join(np.diff(a, prepend=np.int64(0)).tobytes() for a in arrays)
        body = zlib.compress(struct.pack("<I", len(text)) + text + deltas, 6)
        return _MAGIC + struct.pack("<H", _VERSION) + hashlib.sha256(body).digest() + body

    @classmethod
    def from_bytes(cls, data: bytes) -> FrameTable:
        """Read the output of ``to_bytes``; MediaError if damaged or of another version."""
        if len(data) < 38 or data[:4] != _MAGIC:
            raise MediaError(
                "The cached frame table is invalid.", hint="It is rebuilt automatically."
            )
        if struct.unpack("<H", data[4:6])[0] != _VERSION:
            raise MediaError(
                "The cached frame table has another version.", hint="It is rebuilt automatically."
            )
        if hashlib.sha256(data[38:]).digest() != data[6:38]:
            raise MediaError(
                "The cached frame table is damaged.", hint="It is rebuilt automatically."
            )
        return cls(**_unpack(zlib.decompress(data[38:])))


def _unpack(body: bytes) -> dict[str, Any]:
    (size,) = struct.unpack("<I", body[:4])
    head = json.loads(body[4 : 4 + size])
    flat = np.frombuffer(body, dtype="<i8", offset=4 + size)
    parts = np.split(flat, np.cumsum(head["lengths"])[:-1])
    values: dict[str, Any] = {
        name: np.cumsum(part).astype(np.int64) for name, part in zip(_ARRAYS, parts, strict=True)
    }
    values["time_base"] = Fraction(*head["time_base"])
    values["width"], values["height"] = head["width"], head["height"]
    values["stream_index"], values["file_size"] = head["stream"], head["file_size"]
    values["fingerprint"] = head["fingerprint"]
    values["orientation"] = Orientation(*head["orientation"])
    values["sample_aspect_ratio"] = Fraction(*head["aspect"])
    values["findings"] = tuple(MediaFinding(*f) for f in head["findings"])
    values["first"], values["is_limited"] = head.get("first", 0), "first" in head
    return values
