"""Stored pictures as RGB, as BGRA for the screen, as files, and as crops of an object.

Swscale's fast bilinear scaler is used throughout; its exact rounding modes cost 25 times as much
for differences nobody sees. Colors follow the matrix and range that the stream names, and
FFmpeg's default (BT.601) where it names none, so pictures agree with other FFmpeg-based readers.
"""

from __future__ import annotations

import math
import threading
from typing import Any, Final

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter
from numpy.typing import NDArray

from annotator.domain.geometry import Box
from annotator.media.index.frame_table import Area, FrameTable, Orientation


class Converter:
    """Turns stored pictures of one video into arrays; not thread-safe."""

    def __init__(self, table: FrameTable) -> None:
        self._table = table
        self._reformatter = VideoReformatter()

    def rgb(self, picture: VideoFrame) -> NDArray[np.uint8]:
        """Full-size uint8 RGB (height, width, 3) in display orientation, the caller's to keep."""
        table = self._table
        stored = self._convert(picture, table.width, table.height, "rgb24", 3)
        return table.orientation.apply(stored)

    def scaled_rgb(self, picture: VideoFrame, width: int, height: int) -> NDArray[np.uint8]:
        """uint8 RGB (height, width, 3), each pixel the mean of its source area."""
        orientation = self._table.orientation
        size = orientation.size(width, height)
        return orientation.apply(self._convert(picture, *size, "rgb24", 3, Interpolation.AREA))

    def bgra(self, picture: VideoFrame, width: int, height: int) -> NDArray[np.uint8]:
        """uint8 BGRA (height, width, 4) in display orientation; 0 x 0 means the full size."""
        table = self._table
        if width <= 0 or height <= 0:
            width, height = table.size
        stored_width, stored_height = table.orientation.size(width, height)
        stored = self._convert(picture, stored_width, stored_height, "bgra", 4)
        return table.orientation.apply(stored)

    def _convert(
        self,
        picture: VideoFrame,
        width: int,
        height: int,
        pixels: str,
        channels: int,
        interpolation: Interpolation = Interpolation.FAST_BILINEAR,
    ) -> NDArray[np.uint8]:
        out = self._reformatter.reformat(
            picture,
            width=width,
            height=height,
            format=pixels,
            interpolation=interpolation,
            threads=1,
        )
        return _plane(out, 0, width * channels, height).reshape(height, width, channels)


_COMPACT_FORMATS: Final = {"yuv420p", "yuvj420p"}
_local = threading.local()


class CompactImage:
    """A picture in YUV 4:2:0, which takes half the memory of RGB; several threads may read it.

    Pictures of other formats are converted, which loses depth and detail of color.
    """

    def __init__(self, picture: VideoFrame, orientation: Orientation) -> None:
        """Take a picture in stored orientation, and the way it is displayed."""
        if picture.format.name not in _COMPACT_FORMATS:
            picture = _reformatted(picture, "yuv420p")
        self._picture = picture
        self._orientation = orientation

    @property
    def nbytes(self) -> int:
        """Memory that the picture holds, in bytes."""
        return sum(plane.buffer_size for plane in self._picture.planes)

    def halved(self) -> CompactImage:
        """Return the picture at half the width and height, rounded down; each pixel is a mean."""
        import cv2

        one = self._picture
        other = VideoFrame(max(1, one.width // 2), max(1, one.height // 2), one.format.name)
        other.colorspace, other.color_range = one.colorspace, one.color_range
        for i, (before, after) in enumerate(zip(one.planes, other.planes, strict=True)):
            pixels = _plane(one, i, before.width, before.height)
            size = after.width, after.height
            _plane(other, i, *size)[:] = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        return CompactImage(other, self._orientation)

    @property
    def size(self) -> tuple[int, int]:
        """Displayed width and height."""
        return self._orientation.size(self._picture.width, self._picture.height)

    def part(self, area: Area) -> CompactImage:
        """Return a part of the displayed picture, whose pixels are the same.

        Two pixels share a color: all corners and the size of the picture are even.
        """
        x1, y1, x2, y2 = self._orientation.stored_area(area, *self.size)
        one = self._picture
        other = VideoFrame(x2 - x1, y2 - y1, one.format.name)
        other.colorspace, other.color_range = one.colorspace, one.color_range
        for i, (before, after) in enumerate(zip(one.planes, other.planes, strict=True)):
            pixels, step = _plane(one, i, before.width, before.height), 2 if i else 1
            rows, columns = slice(y1 // step, y2 // step), slice(x1 // step, x2 // step)
            _plane(other, i, after.width, after.height)[:] = pixels[rows, columns]
        return CompactImage(other, self._orientation)

    def rgb(self) -> NDArray[np.uint8]:
        """uint8 RGB (height, width, 3) in display orientation."""
        out = _reformatted(self._picture, "rgb24")
        width, height = out.width, out.height
        stored = _plane(out, 0, width * 3, height).reshape(height, width, 3)
        return self._orientation.apply(stored)


def _reformatted(picture: VideoFrame, pixels: str) -> VideoFrame:
    """Convert without a change of size; each thread has a converter for each format."""
    made = _local.__dict__
    reformatter: VideoReformatter = made.get(pixels) or made.setdefault(pixels, VideoReformatter())
    return reformatter.reformat(
        picture, format=pixels, interpolation=Interpolation.FAST_BILINEAR, threads=1
    )


def _plane(picture: VideoFrame, index: int, width: int, height: int) -> NDArray[np.uint8]:
    """Return the samples (height, width) of a plane without its padding, a view."""
    plane: Any = picture.planes[index]
    rows = np.frombuffer(plane, dtype=np.uint8).reshape(-1, plane.line_size)
    return rows[:height, :width]


def png_bytes(rgb: NDArray[np.uint8]) -> bytes:
    """Return a picture (uint8 RGB, height x width x 3) as PNG, every pixel kept."""
    import cv2

    is_encoded, data = cv2.imencode(".png", np.ascontiguousarray(rgb[:, :, ::-1]))
    assert is_encoded
    return data.tobytes()


def jpeg_bytes(rgb: NDArray[np.uint8]) -> bytes:
    """Return a picture (uint8 RGB, height x width x 3) as JPEG of quality 95."""
    import cv2

    settings = [cv2.IMWRITE_JPEG_QUALITY, 95]
    is_encoded, data = cv2.imencode(".jpg", np.ascontiguousarray(rgb[:, :, ::-1]), settings)
    assert is_encoded
    return data.tobytes()


def read_image(body: bytes) -> NDArray[np.uint8]:
    """Return the picture (uint8 RGB, height x width x 3) in a PNG or JPEG of this module."""
    import cv2

    image = cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.ascontiguousarray(image[:, :, ::-1]).astype(np.uint8)


MARGIN: Final = 1.25
"""The side of a cut-out, in longer sides of the box."""
RED: Final = (255, 0, 0)
LINE_PX: Final = 2


def cut_out(rgb: NDArray[np.uint8], box: Box, margin: float = MARGIN) -> NDArray[np.uint8]:
    """Return a square crop around the center of a box, ``margin`` x its longer side wide.

    ``rgb`` is uint8 (height, width, 3). What lies beyond the picture is black, so that the object
    stays in the middle.
    """
    height, width = rgb.shape[:2]
    side = max(1, round(margin * max(box.width, box.height)))
    left = math.floor(box.center.x - side / 2 + 0.5)
    top = math.floor(box.center.y - side / 2 + 0.5)
    made = np.zeros((side, side, 3), np.uint8)
    x1, y1 = max(0, left), max(0, top)
    x2, y2 = min(width, left + side), min(height, top + side)
    if x1 < x2 and y1 < y2:
        made[y1 - top : y2 - top, x1 - left : x2 - left] = rgb[y1:y2, x1:x2]
    return made


def outlined(
    rgb: NDArray[np.uint8],
    box: Box,
    color: tuple[int, int, int] = RED,
    line_px: int = LINE_PX,
) -> NDArray[np.uint8]:
    """Return the picture with a box drawn in; the line lies inside the box and the picture."""
    height, width = rgb.shape[:2]
    x1, y1 = min(max(0, round(box.x1)), width), min(max(0, round(box.y1)), height)
    x2, y2 = min(max(0, round(box.x2)), width), min(max(0, round(box.y2)), height)
    made = rgb.copy()
    made[y1:y2, x1:x2] = color
    inner = slice(y1 + line_px, max(y1, y2 - line_px)), slice(x1 + line_px, max(x1, x2 - line_px))
    made[inner] = rgb[inner]
    return made
