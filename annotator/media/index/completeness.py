"""Tells from a container's own size fields whether the end of a file is missing."""

from __future__ import annotations

from pathlib import Path

_SEGMENT = b"\x18\x53\x80\x67"
_TS_PACKETS = ((188, 0), (192, 4))  # packet size and where its sync byte is: plain, camcorder


def is_cut_short(path: Path, container: str) -> bool:
    """Whether the file is shorter than its header says; False where a format says nothing.

    ``container`` is libav's name of the format. MP4 is not covered: there the sample index tells.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(4096)
    if container == "avi":
        return int.from_bytes(head[4:8], "little") + 8 > size
    if container == "mpegts":
        for packet, at in _TS_PACKETS:
            if head[at : at + 1] == head[at + packet : at + packet + 1] == b"G":
                return size % packet != 0
    if "matroska" in container:
        return _matroska_end(head) > size
    return False


def _matroska_end(head: bytes) -> int:
    """Where the segment of a Matroska file ends; 0 when its length is open."""
    at = head.find(_SEGMENT)
    if at < 0 or at + 12 > len(head):
        return 0
    at += len(_SEGMENT)
    width = 9 - head[at].bit_length()  # leading zeros of the first byte give the field's length
    value = int.from_bytes(head[at : at + width], "big") & ((1 << 7 * width) - 1)
    return 0 if value == (1 << 7 * width) - 1 else at + width + value
