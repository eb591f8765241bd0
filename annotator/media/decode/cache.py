"""Decoded pictures in memory within a byte budget; the ones farthest from the playhead go first."""

from __future__ import annotations

from av.video.frame import VideoFrame


class FrameCache:
    """Stored pictures by frame index. Not thread-safe: its owner is one thread."""

    def __init__(self, budget_bytes: int) -> None:
        self.budget_bytes = budget_bytes
        self._focus = 0
        self._frames: dict[int, VideoFrame] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._frames)

    def __contains__(self, index: int) -> bool:
        return index in self._frames

    @property
    def used_bytes(self) -> int:
        return self._bytes

    def lean(self, index: int, direction: int) -> None:
        """Keep pictures around a frame, three quarters of them in the direction of travel."""
        self._focus = index + direction * (len(self._frames) // 4)

    def get(self, index: int) -> VideoFrame | None:
        return self._frames.get(index)

    def put(self, index: int, picture: VideoFrame) -> None:
        """Keep a picture; when over budget drop those farthest from the focus."""
        if index in self._frames:
            return
        self._frames[index] = picture
        self._bytes += picture_bytes(picture)
        while self._bytes > self.budget_bytes and len(self._frames) > 1:
            farthest = self._farthest()
            self._bytes -= picture_bytes(self._frames.pop(farthest))

    def capacity(self, picture: VideoFrame) -> int:
        """How many pictures like this one the budget holds."""
        return max(self.budget_bytes // max(picture_bytes(picture), 1), 1)

    def nearest(self, index: int) -> int | None:
        """The kept frame nearest to an index; None when nothing is kept."""
        return min(self._frames, key=lambda i: abs(i - index), default=None)

    def spans(self) -> list[tuple[int, int]]:
        """Kept frames as ascending half-open spans."""
        spans: list[tuple[int, int]] = []
        for index in sorted(self._frames):
            if spans and spans[-1][1] == index:
                spans[-1] = (spans[-1][0], index + 1)
            else:
                spans.append((index, index + 1))
        return spans

    def clear(self) -> None:
        self._frames.clear()
        self._bytes = 0

    def _farthest(self) -> int:
        low, high = min(self._frames), max(self._frames)
        return low if self._focus - low > high - self._focus else high


def picture_bytes(picture: VideoFrame) -> int:
    """Memory that a decoded picture holds."""
    return sum(plane.buffer_size for plane in picture.planes)
