"""Reads the few bits of coded pictures that decide whether a decoder shows them.

Only what a container does not say: whether a packet holds a shown picture (VP8, VP9), several
(MPEG-4 packed B-frames) or half of one (H.264 fields), and from where an H.264 or HEVC stream
can be entered. Every reader returns a harmless default for data it cannot make sense of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


class BitReader:
    """Big-endian bits of a byte string; IndexError past the end."""

    def __init__(self, data: bytes, position: int = 0) -> None:
        self._data = data
        self._position = position

    def bit(self) -> int:
        byte = self._data[self._position >> 3]
        value = (byte >> (7 - (self._position & 7))) & 1
        self._position += 1
        return value

    def bits(self, count: int) -> int:
        value = 0
        for _ in range(count):
            value = (value << 1) | self.bit()
        return value

    def ue(self) -> int:
        """Unsigned Exp-Golomb code."""
        zeros = 0
        while self.bit() == 0:
            zeros += 1
            if zeros > 32:
                raise IndexError("not an Exp-Golomb code")
        return (1 << zeros) - 1 + self.bits(zeros)

    def se(self) -> int:
        """Signed Exp-Golomb code."""
        code = self.ue()
        return (code + 1) // 2 if code & 1 else -(code // 2)


# --- VP8, VP9 -------------------------------------------------------------------------------


def vp8_is_shown(first_byte: int) -> bool:
    """Return whether a VP8 packet is presented (alternate reference frames are not)."""
    return bool(first_byte & 0x10)


def vp9_is_shown(first_byte: int, last_byte: int) -> bool:
    """Whether a VP9 packet is presented: superframes always carry exactly one shown frame."""
    if last_byte & 0xE0 == 0xC0:
        return True
    profile = ((first_byte >> 5) & 1) | ((first_byte >> 3) & 2)
    shift = 1 if profile == 3 else 0  # profile 3 has a reserved bit before show_existing_frame
    if (first_byte >> (3 - shift)) & 1:  # show_existing_frame
        return True
    return bool((first_byte >> (1 - shift)) & 1)


# --- MPEG-4 part 2 --------------------------------------------------------------------------

_VOP_START = b"\x00\x00\x01\xb6"
_I, _P, _B, _S = range(4)


@dataclass(frozen=True, slots=True)
class Vop:
    """Header of one MPEG-4 picture: coding type (0 I, 1 P, 2 B, 3 S) and whether it is coded."""

    kind: int
    is_coded: bool

    @property
    def is_b(self) -> bool:
        return self.kind == _B


def mpeg4_time_bits(config: bytes) -> int:
    """Number of bits of a VOP's time increment, from the video object layer header; 0 if absent."""
    for code in range(0x20, 0x30):
        at = config.find(b"\x00\x00\x01" + bytes([code]))
        if at >= 0:
            try:
                return _vol_time_bits(BitReader(config[at + 4 :]))
            except IndexError:
                return 0
    return 0


def _vol_time_bits(bits: BitReader) -> int:
    bits.bits(9)  # random accessible, object type
    version = 1
    if bits.bit():
        version = bits.bits(4)
        bits.bits(3)
    if bits.bits(4) == 15:  # extended pixel aspect ratio
        bits.bits(16)
    if bits.bit():  # control parameters
        bits.bits(3)
        if bits.bit():  # video buffering verifier
            bits.bits(79)
    shape = bits.bits(2)
    if shape == 3 and version != 1:
        bits.bits(4)
    bits.bit()
    resolution = bits.bits(16)
    return max((resolution - 1).bit_length(), 1)


def mpeg4_vops(data: bytes, time_bits: int) -> list[Vop]:
    """List the pictures of one packet in coding order."""
    found = []
    at = data.find(_VOP_START)
    while at >= 0:
        try:
            bits = BitReader(data[at + 4 : at + 24])
            kind = bits.bits(2)
            while bits.bit():
                pass
            bits.bits(1 + time_bits + 1)
            found.append(Vop(kind, bool(bits.bit())))
        except IndexError:
            pass
        at = data.find(_VOP_START, at + 4)
    return found


def mpeg4_is_packed(data: bytes) -> bool:
    """Return whether user data announces packed B-frames (DivX 5: ``DivX503b1393p``)."""
    at = data.find(b"\x00\x00\x01\xb2DivX")
    if at < 0:
        return False
    text = data[at + 4 : at + 40].split(b"\x00")[0]
    return text.rstrip(b"\r\n ").endswith(b"p")


# --- H.264 and HEVC -------------------------------------------------------------------------


def nal_units(data: bytes, length_size: int, limit: int = 64) -> Iterator[bytes]:
    """Yield NAL units (emulation bytes still in); ``length_size`` 0 means start codes."""
    if length_size:
        at = 0
        while at + length_size < len(data) and limit:
            size = int.from_bytes(data[at : at + length_size], "big")
            yield data[at + length_size : at + length_size + size]
            at += length_size + size
            limit -= 1
        return
    at = data.find(b"\x00\x00\x01")
    while at >= 0 and limit:
        end = data.find(b"\x00\x00\x01", at + 3)
        yield data[at + 3 : end if end >= 0 else len(data)]
        at = end
        limit -= 1


def nal_length_size(codec: str, extradata: bytes | None) -> int:
    """Bytes of a NAL length prefix (avcC, hvcC); 0 for start codes."""
    if not extradata or extradata[0] != 1:
        return 0
    at = 4 if codec == "h264" else 21
    return (extradata[at] & 3) + 1 if len(extradata) > at else 0


def unescape(nal: bytes) -> bytes:
    """Remove emulation prevention bytes."""
    return nal.replace(b"\x00\x00\x03", b"\x00\x00")


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """How an H.264 or HEVC sync packet may be entered.

    ``is_clean``: IDR, nothing after it looks back. ``delay``: pictures until the content is
    exact (gradual refresh); None when exactness is never promised.
    """

    is_clean: bool
    delay: int | None = 0


def h264_entry(data: bytes, length_size: int) -> EntryPoint:
    """Classify a sync packet of H.264 by its NAL units."""
    delay: int | None = 0
    for nal in nal_units(data, length_size):
        if not nal:
            continue
        kind = nal[0] & 31
        if kind == 5:
            return EntryPoint(is_clean=True)
        if kind == 1:
            break
        if kind == 6:
            found = _recovery_point(unescape(nal[1:]))
            delay = delay if found is _NO_RECOVERY else found
    return EntryPoint(is_clean=False, delay=delay)


_NO_RECOVERY = -1


def _recovery_point(sei: bytes) -> int | None:
    at = 0
    while at + 2 < len(sei):
        kind = size = 0
        while at < len(sei) and sei[at] == 255:
            kind, at = kind + 255, at + 1
        kind, at = kind + sei[at], at + 1
        while at < len(sei) and sei[at] == 255:
            size, at = size + 255, at + 1
        if at >= len(sei):
            break
        size, at = size + sei[at], at + 1
        if kind == 6:
            try:
                bits = BitReader(sei[at : at + size])
                count = bits.ue()
                return count if bits.bit() or count == 0 else None
            except IndexError:
                break
        at += size
    return _NO_RECOVERY


def hevc_entry(data: bytes, length_size: int) -> EntryPoint:
    """Classify a sync packet of HEVC: only IDR has no pictures that look back past it."""
    for nal in nal_units(data, length_size):
        kind = (nal[0] >> 1) & 63 if nal else 64
        if kind in (19, 20):
            return EntryPoint(is_clean=True)
        if kind <= 21:
            break
    return EntryPoint(is_clean=False)
