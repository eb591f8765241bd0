"""Working pictures for trackers: decoded once, scaled so that an object fills about 80 pixels.

Trackers gain nothing from an object larger than that, and their cost grows with its area. Levels
are halves (and one doubling for tiny objects), so that objects of like size share their pictures.

What was decoded stays in memory in the form in which video stores it, in the largest size that was
requested: a gap of 286 frames takes 0.4 GB at 720p, and not 1.1. RGB and gray are made from it as
often as they are needed, and only of the part that is looked at: most trackers see the
surroundings of their object.
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
_READ_SHARE: Final = 0.5  # of a picture; once parts add up to more, all of it is converted
_SMALL_PX: Final = 300_000  # pixels of a picture that is converted at once
_PIXELS_PER_READ: Final = 50_000  # that are converted in the time that any part takes
_RECENT_BYTES: Final = 288 << 20
_RECENT: Final = (12, 64)  # pictures: two passes look at two frames each or more
_LOOK_AGAIN_S: Final = 0.005  # whether another thread has read the frame meanwhile


class Compact(Protocol):
    """A picture held in little memory, which several threads may read.

    ``nbytes`` is what it holds, ``size`` its width and height, `part` a part of it (x1, y1, x2, y2,
    the last two excluded; they and the size are even), `halved` the picture of half the width and
    height (rounded down), `rgb` its pixels, uint8 [height, width, 3].
    """

    @property
    def nbytes(self) -> int: ...

    @property
    def size(self) -> tuple[int, int]: ...

    def part(self, area: tuple[int, int, int, int], /) -> Compact: ...

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

    @property
    def size(self) -> tuple[int, int]:
        height, width = self._image.shape[:2]
        return width, height

    def part(self, area: tuple[int, int, int, int], /) -> _Plain:
        x1, y1, x2, y2 = area
        return _Plain(self._image[y1:y2, x1:x2])

    def halved(self) -> _Plain:
        width, height = self.size
        size = (max(1, width // 2), max(1, height // 2))
        return _Plain(
            np.asarray(cv2.resize(self._image, size, interpolation=cv2.INTER_AREA), np.uint8)
        )

    def rgb(self) -> Image:
        return self._image


class LazyImage:
    """One frame at one level, of which only what is looked at is converted.

    Parts are read as those of an RGB array [height, width, 3]: ``picture[y1:y2, x1:x2]``, uint8.
    Several threads may read it.
    """

    def __init__(self, compact: Compact, level: int) -> None:
        """Take what is held of a frame, and how often it is halved; -1: doubled."""
        self._compact, self._level = compact, level
        width, height = compact.size
        self._step = 2 ** (max(level, 0) + 1)  # pixels of `compact` on whose multiples parts begin
        is_even = width % self._step == height % self._step == 0
        for _ in range(level):
            width, height = max(1, width // 2), max(1, height // 2)
        self._has_parts = level >= 0 and is_even and width * height > _SMALL_PX
        self.shape = (height, width, 3) if level >= 0 else (2 * height, 2 * width, 3)
        self._n_read = 0
        self._color: Image | None = None
        self._gray: Image | None = None

    def __getitem__(self, part: tuple[slice, slice]) -> Image:
        """Return a part, by its rows and columns."""
        rows, columns = part
        y1, y2, _ = rows.indices(self.shape[0])
        x1, x2, _ = columns.indices(self.shape[1])
        if x2 <= x1 or y2 <= y1:
            return np.empty((max(0, y2 - y1), max(0, x2 - x1), 3), np.uint8)
        self._n_read += (y2 - y1) * (x2 - x1) + _PIXELS_PER_READ
        is_much = self._n_read > _READ_SHARE * self.shape[0] * self.shape[1]
        if self._color is not None or is_much or not self._has_parts:
            return self.color()[y1:y2, x1:x2]
        left, top = x1 // 2 * 2, y1 // 2 * 2
        right, bottom = (x2 + 1) // 2 * 2, (y2 + 1) // 2 * 2
        factor = self._step // 2
        held = self._compact.part((left * factor, top * factor, right * factor, bottom * factor))
        return self._scaled(held)[y1 - top : y2 - top, x1 - left : x2 - left]

    def color(self) -> Image:
        """Return all of it: RGB, uint8 [height, width, 3]."""
        if self._color is None:
            self._color = self._scaled(self._compact)
        return self._color

    def gray(self) -> Image:
        """Return all of it in gray, uint8 [height, width]."""
        if self._gray is None:
            self._gray = grayed(self.color())
        return self._gray

    def _scaled(self, held: Compact) -> Image:
        for _ in range(self._level):
            held = held.halved()
        if self._level >= 0:
            return held.rgb()
        cubic = cv2.INTER_CUBIC
        return np.asarray(cv2.resize(held.rgb(), None, fx=2, fy=2, interpolation=cubic), np.uint8)


Pixels = Image | LazyImage
"""RGB pixels, [height, width, 3], whose parts are read by rows and columns."""


def grayed(color: Image) -> Image:
    """Return an RGB image [height, width, 3] in gray, uint8 [height, width]."""
    return np.asarray(cv2.cvtColor(color, cv2.COLOR_RGB2GRAY), np.uint8)


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
        self._recent: OrderedDict[tuple[int, int], LazyImage] = OrderedDict()
        self._lock = Lock()
        self._n_recent = 1
        height, width, _ = self.picture(0, 0).shape
        self.size = (width, height)
        self._full_bytes = self._held[0][1].nbytes
        frame_bytes = self._full_bytes + 4 * width * height  # as it is held, in RGB, and in gray
        self._n_recent = int(np.clip(min(_RECENT_BYTES, budget_bytes) // frame_bytes, *_RECENT))

    @classmethod
    def of(cls, source: FrameSource) -> Pictures:
        """Return the source itself if it is one, so that several runs share their pictures."""
        return source if isinstance(source, Pictures) else cls(source)

    def __len__(self) -> int:
        return len(self._source)

    def image(self, index: int, /) -> Image:
        """Return the full picture; colors may be coarser than in the source: 4:2:0."""
        return self.color(index, 0)

    def picture(self, frame: int, level: int) -> LazyImage:
        """Return a picture at a level, to look at: 0 = full size, 1 = half, -1 = doubled."""
        with self._lock:
            recent = self._recent.get((frame, level))
            if recent is not None:
                self._recent.move_to_end((frame, level))
                return recent
        held_level, compact = self._compact(frame, max(level, 0))
        return self._remember((frame, level), LazyImage(compact, level - held_level))

    def color(self, frame: int, level: int) -> Image:
        """Return a whole RGB picture at a level."""
        return self.picture(frame, level).color()

    def gray(self, frame: int, level: int) -> Image:
        """Return a whole gray picture at a level."""
        return self.picture(frame, level).gray()

    def hold(self, frame: int, level: int) -> None:
        """Read a frame ahead of its use at a level."""
        self._compact(frame, max(level, 0))

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

    def _compact(self, frame: int, level: int) -> tuple[int, Compact]:
        """Return the level of a picture that is held, and it; read it unless it is that large."""
        stored = self._take(frame, level)
        # A thread that reads one frame after the other hardly lets others in between.
        while stored is None and not self._reading.acquire(timeout=_LOOK_AGAIN_S):
            stored = self._take(frame, level)
        if stored is not None:
            return stored
        try:
            stored = self._take(frame, level)
            if stored is None:
                picture = self._read(frame)
                for _ in range(level):
                    picture = picture.halved()
                self._keep(frame, level, picture)
                stored = level, picture
        finally:
            self._reading.release()
        return stored

    def _take(self, frame: int, level: int) -> tuple[int, Compact] | None:
        with self._lock:
            held = self._held.get(frame)
            if held is None or held[0] > level:
                return None
            self._held.move_to_end(frame)
        return held

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

    def _remember(self, key: tuple[int, int], picture: LazyImage) -> LazyImage:
        """Keep a picture for a while; return it, or the one that another thread has kept before."""
        with self._lock:
            if key in self._recent:
                return self._recent[key]
            self._recent[key] = picture
            if len(self._recent) > self._n_recent:
                self._recent.popitem(last=False)
        return picture


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

    def picture(self, frame: int) -> LazyImage:
        """Return a picture to look at parts of."""
        return self._pictures.picture(frame, self.level)

    def color(self, frame: int) -> Image:
        """Return a whole RGB picture, uint8 [height, width, 3]."""
        return self._pictures.color(frame, self.level)

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
