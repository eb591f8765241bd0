"""Writes TAP-Vid pickles: protocol 4, a dictionary and arrays of numpy, nothing else.

Written operation by operation: pictures pass through without being held, the same content gives
the same bytes, and arrays are named ``numpy.core`` as every NumPy from 1 to 2 reads them (NumPy 2
itself names ``numpy._core``, which readers with an older NumPy cannot import).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PROTOCOL: Final = b"\x80\x04"
_STOP: Final = b"."
_DTYPES: Final = {"u1": b"|", "f4": b"<", "b1": b"|"}


@dataclass(frozen=True, slots=True, eq=False)
class VideoPictures:
    """The pictures of a video, uint8 RGB (height, width, 3) each; ``frames`` is read once."""

    n_frames: int
    width: int
    height: int
    frames: Iterable[NDArray[np.uint8]]

    @property
    def n_bytes(self) -> int:
        return self.n_frames * self.height * self.width * 3


def encode(
    videos: Iterable[tuple[str, VideoPictures, NDArray[np.float64], NDArray[np.bool_]]],
) -> Iterator[bytes]:
    """Yield a file in parts; each video is its name, pictures, points and occlusion."""
    yield _PROTOCOL + b"}"
    for name, pictures, points, occluded in videos:
        yield _text(name) + b"}("
        yield _text("video")
        shape = (pictures.n_frames, pictures.height, pictures.width, 3)
        yield from _array("u1", shape, pictures.n_bytes, _bodies(pictures))
        yield _text("points")
        body = np.ascontiguousarray(points, dtype="<f4").tobytes()
        yield from _array("f4", points.shape, len(body), [body])
        yield _text("occluded")
        body = np.ascontiguousarray(occluded, dtype=np.bool_).tobytes()
        yield from _array("b1", occluded.shape, len(body), [body])
        yield b"us"
    yield _STOP


def _bodies(pictures: VideoPictures) -> Iterator[bytes]:
    for picture in pictures.frames:
        yield np.ascontiguousarray(picture).tobytes()


def _array(
    code: str, shape: Sequence[int], length: int, bodies: Iterable[bytes]
) -> Iterator[bytes]:
    """Yield the operations that make an array of ``length`` bytes in C order."""
    yield _name("numpy.core.multiarray", "_reconstruct") + _name("numpy", "ndarray")
    yield _number(0) + b"\x85" + b"C\x01b" + b"\x87R"
    yield b"(" + _number(1) + b"(" + b"".join(map(_number, shape)) + b"t"
    yield _name("numpy", "dtype") + _text(code) + b"\x89\x88\x87R"
    order = b"\x8c\x01" + _DTYPES[code]
    yield b"(" + _number(3) + order + b"NNN" + b"J\xff\xff\xff\xff" * 2 + _number(0) + b"tb"
    yield b"\x89\x8e" + struct.pack("<Q", length)
    written = 0
    for body in bodies:
        written += len(body)
        yield body
    if written != length:
        raise ValueError(f"{written} bytes for an array of {length}")
    yield b"tb"


def _text(text: str) -> bytes:
    body = text.encode("utf-8")
    return b"X" + struct.pack("<I", len(body)) + body


def _name(module: str, name: str) -> bytes:
    return _text(module) + _text(name) + b"\x93"


def _number(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)
