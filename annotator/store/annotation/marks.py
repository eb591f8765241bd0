"""Marks of a point in the event log: short runs as numbers, long ones packed into text."""

from __future__ import annotations

import base64
import zlib
from typing import Final, TypeAlias

import numpy as np

from annotator.domain.annotation.changes import Entity, PointKey
from annotator.domain.annotation.point_path import PointRun

Marks: TypeAlias = list[tuple[int, float | None, float | None]] | str | None

_LISTED_FRAMES: Final = 8
_FRAME_BYTES: Final = 17


def pack(run: Entity | None) -> Marks:
    """Return marks as ``[[flags, x, y], …]``, or as text from a few frames on; None for none.

    The text is base64 of zlib of all flags, then all places as float64 with their bytes sorted by
    significance (all lowest bytes first): what a follower found then takes half the room.
    """
    if not isinstance(run, PointRun):
        return None
    if len(run.flags) <= _LISTED_FRAMES:
        places = np.where(np.isnan(run.xy), None, run.xy).tolist()  # type: ignore[call-overload]
        return [(int(f), x, y) for f, (x, y) in zip(run.flags, places, strict=True)]
    planes = np.ascontiguousarray(run.xy, dtype="<f8").view(np.uint8).reshape(-1, 8).T
    packed = zlib.compress(run.flags.tobytes() + planes.tobytes())
    return base64.b64encode(packed).decode("ascii")


def unpack(key: PointKey, marks: Marks) -> PointRun | None:
    """Return the marks of a log entry; ValueError when they are damaged."""
    if marks is None:
        return None
    length = key.end - key.start
    if isinstance(marks, str):
        flags, xy = _unpacked(marks, length)
    else:
        flags = np.array([m[0] for m in marks], dtype=np.uint8)
        xy = np.array([m[1:] for m in marks], dtype=np.float64)
    if len(flags) != length:
        raise ValueError("the marks do not fit their frames")
    return PointRun(key.start, xy, flags)


def _unpacked(text: str, length: int) -> tuple[np.ndarray, np.ndarray]:
    size = length * _FRAME_BYTES
    unzip = zlib.decompressobj()
    try:
        body = unzip.decompress(base64.b64decode(text, validate=True), size + 1)
    except zlib.error as error:
        raise ValueError("the marks are damaged") from error
    if len(body) != size:
        raise ValueError("the marks do not fit their frames")
    flags = np.frombuffer(body, dtype=np.uint8, count=length)
    planes = np.frombuffer(body, dtype=np.uint8, offset=length).reshape(8, -1)
    return flags, np.ascontiguousarray(planes.T).view("<f8").reshape(-1, 2)
