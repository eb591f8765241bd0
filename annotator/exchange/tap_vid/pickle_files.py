"""Reads and writes TAP-Vid pickles: videos by name with their arrays.

Written operation by operation: pictures pass through without being held, the same content gives
the same bytes, and arrays are named ``numpy.core`` as every NumPy from 1 to 2 reads them (NumPy 2
itself names ``numpy._core``, which readers with an older NumPy cannot import).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.exchange.fractions import MAX_MARKS
from annotator.exchange.node import member_path
from annotator.exchange.pickles import Array, PickleFile, Span, Value
from annotator.exchange.tap_vid.marks import Example, checked_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEYS: Final = ("video", "points", "occluded")
_JPEG: Final = b"\xff\xd8"


class PickleExamples:
    """The videos of a pickle, read one at a time; a list calls them 0, 1, 2 …

    ExchangeError when the file is no such pickle, or carries anything but data.
    """

    def __init__(self, path: Path) -> None:
        self._file = PickleFile(path)
        found = self._file.value
        if isinstance(found, dict):
            self._videos: dict[str, Value] = {str(key): value for key, value in found.items()}
        elif isinstance(found, list):
            self._videos = {str(i): value for i, value in enumerate(found)}
        else:
            self._file.close()
            text = "contains neither a dictionary nor a list of videos."
            raise ExchangeError(text, where=str(path))

    def names(self) -> list[str]:
        """Return the names of the videos in file order."""
        return list(self._videos)

    def read(self, name: str) -> Example:
        """Return one video; ExchangeError, by its path, where it is not sound."""
        path = member_path("$", name)
        value = self._videos[name]
        if not isinstance(value, dict):
            raise ExchangeError(
                "Each video must be a dictionary with the keys points and occluded.", where=path
            )
        points, occluded = (
            self._numbers(value, "points", path),
            self._numbers(value, "occluded", path),
        )
        if points.dtype.kind != "f" or points.ndim != 3 or points.shape[2] != 2:
            text = (
                f"Expected a numeric array [points, frames, 2], found {points.dtype} "
                f"{points.shape}."
            )
            raise ExchangeError(text, where=f"{path}.points")
        if occluded.dtype.kind not in "bu" or occluded.shape != points.shape[:2]:
            text = (
                f"Expected a flag array {points.shape[:2]}, found {occluded.dtype} "
                f"{occluded.shape}."
            )
            raise ExchangeError(text, where=f"{path}.occluded")
        self._check_pictures(value, points.shape[1], f"{path}.video")
        hidden = occluded.astype(np.bool_)
        places, styles, findings = checked_places(points.astype(np.float64), hidden, path)
        unknown = [str(key) for key in value if key not in _KEYS]
        if unknown:
            text = f"Keys not imported: {', '.join(unknown)[:200]}."
            findings = (*findings, Finding("unknown-key", path, text, Severity.NOTE))
        return Example(name, path, places, hidden, styles, findings=findings)

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _numbers(
        self, video: Mapping[str | int, Value], key: str, path: str
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
        found = video.get(key)
        if not isinstance(found, Array):
            raise ExchangeError("Expected a numeric array.", where=f"{path}.{key}")
        if math.prod(found.shape) > 2 * MAX_MARKS:
            text = f"Too many points: more than {MAX_MARKS} point marks in one video."
            raise ExchangeError(text, where=f"{path}.{key}")
        try:
            return self._file.array(found)
        except ValueError as error:
            raise ExchangeError("Expected a numeric array.", where=f"{path}.{key}") from error

    def _check_pictures(self, video: Mapping[str | int, Value], n_frames: int, path: str) -> None:
        """Make sure that there are as many pictures as frames; they are not needed otherwise."""
        pictures_node = video.get("video")
        if pictures_node is None:
            return
        if isinstance(pictures_node, Array):
            is_sound = self._are_pictures(pictures_node)
            count = pictures_node.shape[0] if pictures_node.shape else 0
        else:
            is_sound = isinstance(pictures_node, list) and all(map(self._is_jpeg, pictures_node))
            count = len(pictures_node) if isinstance(pictures_node, list) else 0
        if not is_sound:
            text = "Expected images: uint8 [frames, height, width, 3], or JPEG bytes."
            raise ExchangeError(text, where=path)
        if count != n_frames:
            text = (
                f"Expected one image per frame, found {count} images and {n_frames} frames "
                "of points."
            )
            raise ExchangeError(text, where=path)

    def _are_pictures(self, found: Array) -> bool:
        code = found.dtype.code if found.dtype is not None else ""
        if code == "u1":
            return len(found.shape) == 4 and found.shape[3] == 3
        if len(found.shape) != 1 or not code:
            return False
        if isinstance(found.data, list):
            return all(map(self._is_jpeg, found.data))
        return code[0] == "S" and (found.shape[0] == 0 or self._is_jpeg(found.data))

    def _is_jpeg(self, value: Value) -> bool:
        return isinstance(value, Span | bytes) and self._file.head(value, 2) == _JPEG


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
