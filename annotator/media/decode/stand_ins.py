"""Small copies of pictures seen before, spread over the whole video, to show while scrubbing."""

from __future__ import annotations

from bisect import bisect_left, insort

from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter

_LONG_SIDE = 384
_COUNT = 300


class StandIns:
    """At most one small picture for each of 300 stretches of a video: some 30 MB in all."""

    def __init__(self, n_frames: int) -> None:
        self._stride = max(n_frames // _COUNT, 1)
        self._pictures: dict[int, tuple[int, VideoFrame]] = {}
        self._indices: list[int] = []
        self._reformatter = VideoReformatter()

    def offer(self, index: int, picture: VideoFrame) -> None:
        """Keep a small copy of a decoded picture if its stretch has none yet."""
        stretch = index // self._stride
        if stretch in self._pictures:
            return
        scale = min(_LONG_SIDE / max(picture.width, picture.height), 1.0)
        small = self._reformatter.reformat(
            picture,
            width=max(int(picture.width * scale) & ~1, 2),
            height=max(int(picture.height * scale) & ~1, 2),
            format="yuv420p",
            interpolation=Interpolation.FAST_BILINEAR,
            threads=1,
        )
        self._pictures[stretch] = (index, small)
        insort(self._indices, index)

    def nearest(self, index: int) -> int | None:
        """Index of the kept picture nearest to a frame; None when there is none."""
        place = bisect_left(self._indices, index)
        around = self._indices[max(place - 1, 0) : place + 1]
        return min(around, key=lambda i: abs(i - index), default=None)

    def get(self, index: int) -> VideoFrame:
        """The kept picture of a frame that ``nearest`` named."""
        return self._pictures[index // self._stride][1]
