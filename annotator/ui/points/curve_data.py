"""The numbers behind the curves of a point: only for the frames in sight. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.point_path import OCCLUDED_BIT, OUTSIDE_BIT, SOURCE_BITS
from annotator.domain.annotation.point_track import PointTrack
from annotator.ui.canvas.model.dots import places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.services.session import Session

HUMAN_CODE: Final = 1
# A step counts as a jump when it is so many times those around it, and longer than this.
_JUMP_TIMES: Final = 4.0
_JUMP_PX: Final = 4.0
_AROUND_FRAMES: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """A point on the frames from ``start`` on.

    ``xy`` is float64 [n, 2] in pixels, NaN where it is not seen; ``speed`` is float64 [n], pixels
    from the frame before, NaN where one of the two is not known; the rest are bool [n].
    """

    start: int
    xy: NDArray[np.float64]
    speed: NDArray[np.float64]
    is_human: NDArray[np.bool_]
    is_marked: NDArray[np.bool_]
    is_occluded: NDArray[np.bool_]
    is_outside: NDArray[np.bool_]

    @property
    def end(self) -> int:
        """The frame after the last."""
        return self.start + len(self.speed)

    def jumps(self) -> NDArray[np.int64]:
        """Return the frames that the point jumps to, int64 [n], ascending."""
        fast = np.flatnonzero(np.nan_to_num(self.speed) > _JUMP_PX)
        if not len(fast):
            return fast
        padded = np.pad(self.speed, _AROUND_FRAMES, constant_values=np.nan)
        around = np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND_FRAMES + 1)[fast]
        usual = np.nanmedian(around, axis=1)
        return fast[self.speed[fast] > _JUMP_TIMES * usual] + self.start


def curves(session: Session, point: PointTrack, start: int, end: int) -> Curves:
    """Return the curves of ``start <= frame < end``."""
    before = max(0, start - 1)
    xy = places(session, point, before, end)
    steps = np.hypot(*np.diff(xy, axis=0).T) if len(xy) > 1 else np.zeros(0)
    if before == start:
        steps = np.concatenate([[np.nan], steps])[: max(0, end - start)]
    else:
        xy = xy[1:]
    flags = point.path.run(start, end).flags
    source = flags & SOURCE_BITS
    return Curves(
        start,
        xy,
        steps,
        source == HUMAN_CODE,
        source > 0,
        (flags & OCCLUDED_BIT) > 0,
        (flags & OUTSIDE_BIT) > 0,
    )


def columns(
    x: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the pixels that hold known values, with the least and the greatest value in each.

    ``x`` is ascending; so a curve of any length is drawn with a stroke per pixel, and no spike is
    lost.
    """
    known = ~np.isnan(values)
    pixels = np.floor(x[known]).astype(np.int64)
    if not len(pixels):
        empty = np.zeros(0)
        return pixels, empty, empty
    firsts = np.flatnonzero(np.diff(pixels, prepend=pixels[0] - 1))
    kept = values[known]
    return pixels[firsts], np.minimum.reduceat(kept, firsts), np.maximum.reduceat(kept, firsts)
