"""Unpacks Snappy, block format."""

from __future__ import annotations

from typing import Final

from annotator.domain.errors import ExchangeError

MAX_UNPACKED: Final = 256 << 20


def unpacked(data: bytes, where: str) -> bytes:
    """Return what was packed; ExchangeError where the data are damaged or unpack to too much."""
    length, at = _length(data)
    if at == 0 or length > MAX_UNPACKED:
        raise _damaged(where)
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            count = tag >> 2
            if count >= 60:
                extra = count - 59
                count = int.from_bytes(data[at : at + extra], "little")
                at += extra
            out += data[at : at + count + 1]
            at += count + 1
        else:
            at = _copy(out, data, tag, at, where)
        if len(out) > length or at > len(data):
            raise _damaged(where)
    if len(out) != length:
        raise _damaged(where)
    return bytes(out)


def _copy(out: bytearray, data: bytes, tag: int, at: int, where: str) -> int:
    """Append bytes that are in the output already; returns where the next tag is."""
    if tag & 3 == 1:
        count, offset, step = (
            (tag >> 2 & 7) + 4,
            tag >> 5 << 8 | int.from_bytes(data[at : at + 1], "little"),
            1,
        )
    else:
        step = 2 if tag & 3 == 2 else 4
        count, offset = (tag >> 2) + 1, int.from_bytes(data[at : at + step], "little")
    if not 0 < offset <= len(out):
        raise _damaged(where)
    begin = len(out) - offset
    piece = bytes(out[begin : begin + count])
    while len(piece) < count:  # it may reach into what it makes
        piece += piece[: count - len(piece)]
    out += piece
    return at + step


def _length(data: bytes) -> tuple[int, int]:
    """Return the length that is told and where it ends, 0 where it does not."""
    value = 0
    for i, byte in enumerate(data[:5]):
        value |= (byte & 0x7F) << 7 * i
        if not byte & 0x80:
            return value, i + 1
    return 0, 0


def _damaged(where: str) -> ExchangeError:
    return ExchangeError("Cannot decompress the file: it is damaged.", where=where)
