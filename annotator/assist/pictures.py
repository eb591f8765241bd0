"""Working pictures for trackers: decoded once, scaled so that an object fills about 80 pixels.

Trackers gain nothing from an object larger than that, and their cost grows with its area. Levels
are halves (and one doubling for tiny objects), so that objects of like size share their pictures.

What was decoded stays in memory in the form in which video stores it, in the largest size that was
requested: a gap of 286 frames takes 0.4 GB at 720p, and not 1.1. RGB and gray are made from it as
often as they are needed, which takes less time than one step of any tracker.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final, Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4

Image = NDArray[np.uint8]

OBJECT_PX: Final = 80.0
_SMALLEST_PX: Final = 34.0
_DEEPEST_LEVEL: Final = 5
_DOUBLED_PX: Final = 1_000_000
_RECENT_BYTES: Final = 96 << 20
_LOOK_AGAIN_S: Final = 0.005  # whether another thread has read the frame meanwhile


class Compact(Protocol):
    """A picture held in little memory, which several threads may read.

    ``nbytes`` is what it holds, `halved` the picture of half the width and height (rounded down),
    `rgb` its pixels, uint8 [height, width, 3].
    """

    @property
    def nbytes(self) -> int: ...

    def halved(self) -> Compact: ...

    def rgb(self) -> Image: ...


class FrameSource(Protocol):
    """Pictures by frame index: RGB uint8 [height, width, 3]. `annotator.media.Video` is one."""

    def __len__(self) -> int: ...

    def image(self, index: int, /) -> Image: ...


@runtime_checkable
class CompactSource(FrameSource, Protocol):
    """Pictures that are to be had in less memory, too."""

    def compact(self, index: int, /) -> Compact: ...


class _Plain:
    """A picture of a source that has nothing smaller than RGB."""

    def __init__(self, image: Image) -> None:
        self._image = image

    @property
    def nbytes(self) -> int:
        return self._image.nbytes

    def halved(self) -> _Plain:
        height, width = self._image.shape[:2]
        size = (max(1, width // 2), max(1, height // 2))
        return _Plain(
            np.asarray(cv2.resize(self._image, size, interpolation=cv2.INTER_AREA), np.uint8)
        )

    def rgb(self) -> Image:
        return self._image


def use_threads(count: int) -> None:
    """Bound the threads OpenCV may use in this process."""
    cv2.setNumThreads(count)


class Pictures:
    """Scaled and gray pictures of one video, kept within a byte budget, shared by all objects.

    Several threads may ask for pictures.
    """

    def __init__(self, source: FrameSource, *, budget_bytes: int = 400_000_000) -> None:
        self._source = source
        self._read = source.compact if isinstance(source, CompactSource) else self._read_plain
        self._budget = budget_bytes
        self._used = 0
        self._held: OrderedDict[int, tuple[int, Compact]] = OrderedDict()
        self._reading = Lock()
        self._recent: OrderedDict[tuple[int, int, str], Image] = OrderedDict()
        self._recent_bytes = 0
        self._recent_budget = min(budget_bytes, _RECENT_BYTES)
        self._lock = Lock()
        height, width = self.color(0, 0).shape[:2]
        self.size = (width, height)
        self._full_bytes = self._held[0][1].nbytes

    @classmethod
    def of(cls, source: FrameSource) -> Pictures:
        """Return the source itself if it is one, so that several runs share their pictures."""
        return source if isinstance(source, Pictures) else cls(source)

    def __len__(self) -> int:
        return len(self._source)

    def image(self, index: int, /) -> Image:
        """Return the full picture; colors may be coarser than in the source: 4:2:0."""
        return self.color(index, 0)

    def color(self, frame: int, level: int) -> Image:
        """Return the RGB picture at a level: 0 = full size, 1 = half, -1 = doubled."""
        key = (frame, level, "rgb")
        found = self._find(key)
        if found is None:
            found = self._compact(frame, level).rgb()
            if level < 0:
                found = np.asarray(
                    cv2.resize(found, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8
                )
            self._remember(key, found)
        return found

    def gray(self, frame: int, level: int) -> Image:
        """Return the gray picture at a level."""
        key = (frame, level, "gray")
        found = self._find(key)
        if found is None:
            found = np.asarray(cv2.cvtColor(self.color(frame, level), cv2.COLOR_RGB2GRAY), np.uint8)
            self._remember(key, found)
        return found

    def hold(self, frame: int, level: int) -> None:
        """Read a frame ahead of its use at a level."""
        self._compact(frame, level)

    def can_hold(self, n_frames: int, level: int) -> bool:
        """Return whether so many frames at a level fit into the budget."""
        n_bytes = self._full_bytes >> (2 * max(level, 0))
        return n_bytes * n_frames <= self._budget

    def view(self, object_px: float) -> View:
        """Return the pictures at the level that suits an object of a given side in pixels."""
        side = max(object_px, 1.0)
        level = int(np.clip(round(np.log2(side / OBJECT_PX)), 0, _DEEPEST_LEVEL))
        if side < _SMALLEST_PX and self.size[0] * self.size[1] * 4 <= _DOUBLED_PX:
            level = -1
        return View(self, level)

    def _compact(self, frame: int, level: int) -> Compact:
        """Return a picture at a level (-1: full size); read it unless it is held that large."""
        level = max(level, 0)
        picture = self._take(frame, level)
        # A thread that reads one frame after the other hardly lets others in between.
        while picture is None and not self._reading.acquire(timeout=_LOOK_AGAIN_S):
            picture = self._take(frame, level)
        if picture is not None:
            return picture
        try:
            picture = self._take(frame, level)
            if picture is None:
                picture = self._read(frame)
                for _ in range(level):
                    picture = picture.halved()
                self._keep(frame, level, picture)
        finally:
            self._reading.release()
        return picture

    def _take(self, frame: int, level: int) -> Compact | None:
        with self._lock:
            held_level, found = self._held.get(frame, (level + 1, None))
            if found is None or held_level > level:
                return None
            self._held.move_to_end(frame)
        for _ in range(level - held_level):
            found = found.halved()
        return found

    def _read_plain(self, frame: int) -> Compact:
        return _Plain(np.ascontiguousarray(self._source.image(frame)))

    def _keep(self, frame: int, level: int, picture: Compact) -> None:
        with self._lock:
            if frame in self._held:
                self._used -= self._held.pop(frame)[1].nbytes
            self._held[frame] = (level, picture)
            self._used += picture.nbytes
            while self._used > self._budget and len(self._held) > 1:
                _, (_, dropped) = self._held.popitem(last=False)
                self._used -= dropped.nbytes

    def _find(self, key: tuple[int, int, str]) -> Image | None:
        with self._lock:
            found = self._recent.get(key)
            if found is not None:
                self._recent.move_to_end(key)
        return found

    def _remember(self, key: tuple[int, int, str], image: Image) -> None:
        with self._lock:
            if key in self._recent:
                return
            self._recent[key] = image
            self._recent_bytes += image.nbytes
            while self._recent_bytes > self._recent_budget and len(self._recent) > 1:
                _, dropped = self._recent.popitem(last=False)
                self._recent_bytes -= dropped.nbytes


class View:
    """Pictures at one level, with boxes converted to its pixels and back."""

    def __init__(self, pictures: Pictures, level: int) -> None:
        self._pictures = pictures
        self.level = level
        width, height = pictures.size
        for _ in range(level):
            width, height = max(1, width // 2), max(1, height // 2)
        self.size = (width * 2, height * 2) if level < 0 else (width, height)
        factor_x, factor_y = (
            mine / full for mine, full in zip(self.size, pictures.size, strict=True)
        )
        self._factor = np.array([factor_x, factor_y, factor_x, factor_y])

    def color(self, frame: int) -> Image:
        return self._pictures.color(frame, self.level)

    def gray(self, frame: int) -> Image:
        return self._pictures.gray(frame, self.level)

    def hold(self, frame: int) -> None:
        """Read a frame ahead of its use."""
        self._pictures.hold(frame, self.level)

    def for_object(self, object_px: float) -> View:
        """Return the pictures at the level that suits another object (image pixels)."""
        return self._pictures.view(object_px)

    def inward(self, box: Box4) -> Box4:
        """Convert from picture pixels to this level's pixels."""
        return np.asarray(box * self._factor)

    def outward(self, boxes: Box4) -> Box4:
        """Convert this level's pixels (any [..., 4]) to picture pixels."""
        return np.asarray(boxes / self._factor)
