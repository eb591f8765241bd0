"""When the frames of a video appear, in the microseconds of exchange files."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, overload

import numpy as np

from annotator.domain.annotation.document import VideoInfo

if TYPE_CHECKING:
    from numpy.typing import NDArray

MICROSECONDS: Final = 1_000_000

_LISTED_FRAMES: Final = 100_000
_MAX_PRODUCT: Final = 1 << 61


class FrameTimes(Sequence[int]):
    """The time of each frame in microseconds after frame 0, worked out when asked for.

    By ``table`` (bytes of a frame table), or by the rate where there is none.
    """

    def __init__(self, table: bytes | None, video: VideoInfo) -> None:
        self._n_frames = video.n_frames
        self._ends: list[int] | None = None
        if table is None:
            rate = Fraction(video.frame_rate or 30.0).limit_denominator(100_000)
            self._set_unit(MICROSECONDS / rate)
            return
        from annotator.media import FrameTable

        found = FrameTable.from_bytes(table)
        self._n_frames = len(found)
        self._ends = [
            *found.ticks.tolist(),
            int(found.ticks[-1] + max(int(found.duration[-1]), 0)),
        ]
        self._set_unit(found.time_base * MICROSECONDS)

    def __len__(self) -> int:
        return self._n_frames

    @overload
    def __getitem__(self, frame: int) -> int: ...
    @overload
    def __getitem__(self, frame: slice) -> list[int]: ...
    def __getitem__(self, frame: int | slice) -> int | list[int]:
        if isinstance(frame, slice):
            return [self.at(i) for i in range(*frame.indices(self._n_frames))]
        if not 0 <= frame < self._n_frames:
            raise IndexError(frame)
        return self.at(frame)

    def listed(self) -> Sequence[int]:
        """Return the times to look among often: as a list where that takes no time to make."""
        if not 0 < self._n_frames <= _LISTED_FRAMES:
            return self
        unit = self._numerator, self._denominator
        if self._ends is None:
            return _by_rate(self._n_frames, *unit) or self
        return _listed(np.array(self._ends[:-1], np.int64), *unit) or self

    def at(self, frame: int) -> int:
        """Return the time of a frame; for the one after the last, when the last ends."""
        ticks = frame if self._ends is None else self._ends[min(frame, len(self._ends) - 1)]
        # As a fraction is rounded, to even, which takes longer: it is asked for each box.
        whole, rest = divmod(ticks * self._numerator, self._denominator)
        is_up = 2 * rest > self._denominator
        is_half = 2 * rest == self._denominator
        return whole + (whole & 1 if is_half else is_up)

    def _set_unit(self, unit: Fraction) -> None:
        self._numerator, self._denominator = unit.numerator, unit.denominator


@lru_cache(maxsize=8)
def _by_rate(n_frames: int, numerator: int, denominator: int) -> Sequence[int]:
    """Return the times of frames that are equally far apart: videos of a data set are alike."""
    return _listed(np.arange(n_frames), numerator, denominator)


def _listed(ticks: NDArray[np.int64], numerator: int, denominator: int) -> list[int]:
    """Return the times of ticks; nothing of those that are too late for 64 bits."""
    if max(int(ticks[-1]), 1) * numerator > _MAX_PRODUCT:
        return []
    whole, rest = np.divmod(ticks * numerator, denominator)
    is_half = 2 * rest == denominator
    even, nearest = whole + (whole & 1), whole + (2 * rest > denominator)
    times: list[int] = np.where(is_half, even, nearest).tolist()
    return times
