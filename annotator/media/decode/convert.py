"""Stored pictures to RGB for programs and BGRA for the screen: colour, size and orientation.

Swscale's fast bilinear scaler is used throughout; its exact rounding modes cost 25 times as much
for differences nobody sees. Colours follow the matrix and range that the stream names, and
FFmpeg's default (BT.601) where it names none, so pictures agree with other FFmpeg-based readers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter
from numpy.typing import NDArray

from annotator.media.index.frame_table import FrameTable


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
        """uint8 RGB (height, width, 3), each pixel the mean of those it stands for."""
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
        plane: Any = out.planes[0]
        rows = np.frombuffer(plane, dtype=np.uint8).reshape(-1, plane.line_size)
        return rows[:height, : width * channels].reshape(height, width, channels)
