"""Working pictures for trackers: decoded once, scaled so that an object fills about 80 pixels.

Trackers gain nothing from an object larger than that, and their cost grows with its area. Levels
are halves (and one doubling for tiny objects), so that objects of like size share their pictures.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import RLock
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4

Image = NDArray[np.uint8]

OBJECT_PX: Final = 80.0
_SMALLEST_PX: Final = 34.0
_DEEPEST_LEVEL: Final = 5
_DOUBLED_PX: Final = 1_000_000
_FULL: Final = 4  # full pictures for other levels: two passes, each with the frame before
_PIXEL_BYTES: Final = 4  # color and gray


class FrameSource(Protocol):
    """Pictures by frame index: RGB uint8 [height, width, 3]. `annotator.media.Video` is one."""

    def __len__(self) -> int: ...

    def image(self, index: int, /) -> Image: ...


def use_threads(count: int) -> None:
    """Bound the threads OpenCV may use in this process."""
    cv2.setNumThreads(count)


class Pictures:
    """Scaled and gray pictures of one video, kept within a byte budget, shared by all objects.

    Several threads may ask for pictures.
    """

    def __init__(self, source: FrameSource, *, budget_bytes: int = 400_000_000) -> None:
        self._source = source
        self._budget = budget_bytes
        self._used = 0
        self._kept: OrderedDict[tuple[int, int, str], Image] = OrderedDict()
        self._full: OrderedDict[int, Image] = OrderedDict()
        self._lock = RLock()
        height, width = self.color(0, 0).shape[:2]
        self.size = (width, height)

    @classmethod
    def of(cls, source: FrameSource) -> Pictures:
        """Return the source itself if it is one, so that several runs share their pictures."""
        return source if isinstance(source, Pictures) else cls(source)

    def __len__(self) -> int:
        return len(self._source)

    def image(self, index: int, /) -> Image:
        """Return the full picture, as the source does."""
        return self.color(index, 0)

    def color(self, frame: int, level: int) -> Image:
        """Return the RGB picture at a level: 0 = full size, 1 = half, -1 = doubled."""
        key = (frame, level, "rgb")
        with self._lock:
            found = self._find(key)
            if found is None:
                found = self._make_color(frame, level)
                self._keep(key, found)
        return found

    def gray(self, frame: int, level: int) -> Image:
        """Return the gray picture at a level."""
        key = (frame, level, "gray")
        with self._lock:
            found = self._find(key)
            if found is None:
                found = np.asarray(cv2.cvtColor(self.color(frame, level), cv2.COLOR_RGB2GRAY))
                self._keep(key, found)
        return found

    def can_hold(self, n_frames: int, level: int) -> bool:
        """Return whether so many frames at a level fit into the budget, in color and in gray."""
        width, height = self.size
        return bool(n_frames * width * height * _PIXEL_BYTES / 4**level <= self._budget)

    def view(self, object_px: float) -> View:
        """Return the pictures at the level that suits an object of a given side in pixels."""
        side = max(object_px, 1.0)
        level = int(np.clip(round(np.log2(side / OBJECT_PX)), 0, _DEEPEST_LEVEL))
        if side < _SMALLEST_PX and self.size[0] * self.size[1] * 4 <= _DOUBLED_PX:
            level = -1
        return View(self, level)

    def _make_color(self, frame: int, level: int) -> Image:
        full = self._read(frame)
        if level < 0:
            return np.asarray(cv2.resize(full, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
        picture = full
        for _ in range(level):
            height, width = (max(1, side // 2) for side in picture.shape[:2])
            picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA))
        return picture

    def _read(self, frame: int) -> Image:
        """Return the full picture; the last few are kept for other levels, not all."""
        found = self._find((frame, 0, "rgb"))
        if found is None:
            found = self._full.get(frame)
        if found is None:
            found = self._full[frame] = np.ascontiguousarray(self._source.image(frame))
            if len(self._full) > _FULL:
                self._full.popitem(last=False)
        return found

    def _find(self, key: tuple[int, int, str]) -> Image | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def _keep(self, key: tuple[int, int, str], image: Image) -> None:
        self._kept[key] = image
        self._used += image.nbytes
        while self._used > self._budget and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._used -= dropped.nbytes


class View:
    """Pictures at one level, with boxes converted to its pixels and back."""

    def __init__(self, pictures: Pictures, level: int) -> None:
        self._pictures = pictures
        self.level = level
        first = pictures.color(0, level)
        self.size = (first.shape[1], first.shape[0])
        factor_x, factor_y = (
            mine / full for mine, full in zip(self.size, pictures.size, strict=True)
        )
        self._factor = np.array([factor_x, factor_y, factor_x, factor_y])

    def color(self, frame: int) -> Image:
        return self._pictures.color(frame, self.level)

    def gray(self, frame: int) -> Image:
        return self._pictures.gray(frame, self.level)

    def for_object(self, object_px: float) -> View:
        """Return the pictures at the level that suits another object (image pixels)."""
        return self._pictures.view(object_px)

    def inward(self, box: Box4) -> Box4:
        """Convert from picture pixels to this level's pixels."""
        return np.asarray(box * self._factor)

    def outward(self, boxes: Box4) -> Box4:
        """Convert this level's pixels (any [..., 4]) to picture pixels."""
        return np.asarray(boxes / self._factor)
