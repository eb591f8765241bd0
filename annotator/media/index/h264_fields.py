"""Finds H.264 packets that hold only one field, and streams without B-pictures."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.media.index.bitstream import BitReader, nal_units, unescape

_HIGH_PROFILES = {100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135}


@dataclass(frozen=True, slots=True)
class SequenceParameters:
    """The part of an H.264 sequence parameter set that slice headers depend on."""

    frame_num_bits: int
    is_frames_only: bool
    has_colour_planes: bool


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
    """Tell whether a packet is one field; None when it holds no picture slice."""
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
    """Whether the picture in a packet is bidirectional; True if that cannot be told."""
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
    if parameters.has_colour_planes:
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
