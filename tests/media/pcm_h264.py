"""A tiny H.264 encoder of field pictures: every macroblock is stored as plain samples (I_PCM).

No encoder at hand codes the two fields of a frame as pictures of their own, but broadcast
recorders do, and then two packets make one frame.
"""

from __future__ import annotations

import numpy as np

from tests.media.pattern import picture

WIDTH, HEIGHT = 64, 64


class _Bits:
    def __init__(self) -> None:
        self._text = ""

    def u(self, count: int, value: int) -> _Bits:
        self._text += format(value, f"0{count}b")
        return self

    def ue(self, value: int) -> _Bits:
        code = format(value + 1, "b")
        self._text += "0" * (len(code) - 1) + code
        return self

    def align(self, bit: str = "0") -> _Bits:
        self._text += bit * (-len(self._text) % 8)
        return self

    def stop(self) -> _Bits:
        self._text += "1"
        return self.align()

    def bytes(self) -> bytes:
        return int(self._text, 2).to_bytes(len(self._text) // 8, "big") if self._text else b""


def _nal(head: int, payload: bytes) -> bytes:
    escaped = bytearray()
    zeros = 0
    for byte in payload:
        if zeros >= 2 and byte <= 3:
            escaped.append(3)
            zeros = 0
        escaped.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return b"\x00\x00\x00\x01" + bytes([head]) + bytes(escaped)


def _parameter_sets() -> bytes:
    sps = _Bits().u(8, 77).u(8, 0).u(8, 30).ue(0)
    sps.ue(0)  # 4 bits of frame_num
    sps.ue(0).ue(0)  # order by 4 bits of picture order count
    sps.ue(1).u(1, 0)  # one reference, no gaps
    sps.ue(WIDTH // 16 - 1).ue(HEIGHT // 32 - 1)
    sps.u(1, 0).u(1, 0)  # fields allowed, no MBAFF
    sps.u(1, 1).u(1, 0).u(1, 0).stop()
    pps = _Bits().ue(0).ue(0).u(1, 0).u(1, 0).ue(0).ue(0).ue(0).u(1, 0).u(2, 0)
    pps.ue(0).ue(0).ue(0)  # qp, qs, chroma offset: all 0
    pps.u(1, 1).u(1, 0).u(1, 0).stop()  # deblocking control present
    return _nal(0x67, sps.bytes()) + _nal(0x68, pps.bytes())


def _field(luma: np.ndarray, *, is_bottom: bool) -> bytes:
    """One field as an I slice; the top field is an IDR picture, the bottom one is not."""
    bits = _Bits().ue(0).ue(7).ue(0)
    bits.u(4, 0)  # frame_num
    bits.u(1, 1).u(1, int(is_bottom))
    if not is_bottom:
        bits.ue(0)  # idr_pic_id
    bits.u(4, int(is_bottom))  # picture order count
    bits.u(2, 0) if not is_bottom else bits.u(1, 0)  # reference marking
    bits.ue(0)  # slice_qp_delta
    bits.ue(1)  # deblocking off
    out = b""
    for top in range(0, HEIGHT // 2, 16):
        for left in range(0, WIDTH, 16):
            bits.ue(25).align()
            block = luma[top : top + 16, left : left + 16]
            samples = np.clip(block, 1, 254).astype(np.uint8).tobytes()
            out += bits.bytes() + samples + b"\x80" * 128
            bits = _Bits()
    return _nal(0x65 if not is_bottom else 0x61, out + b"\x80")


def field_stream(numbers: range) -> list[bytes]:
    """Packets of a field-coded stream, two for each frame (top, bottom); Annex B."""
    packets = []
    for number in numbers:
        luma = picture(number, WIDTH, HEIGHT)[..., 1]
        packets.append(_parameter_sets() + _field(luma[0::2], is_bottom=False))
        packets.append(_field(luma[1::2], is_bottom=True))
    return packets
