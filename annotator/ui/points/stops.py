"""Frames of a point at which a person changed its state; without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.point_track import NO_MARK, OCCLUDED_BIT, OUTSIDE_BIT, SOURCE_BITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.annotation.point_track import PointPath

_HUMAN: Final = 1
_HIDDEN: Final = OCCLUDED_BIT | OUTSIDE_BIT


def stops(path: PointPath) -> NDArray[np.int64]:
    """Return the frames that a person placed, and where each hidden stretch begins; ascending.

    A stretch is a run of frames that a person marked occluded, or out of view: a hundred of them
    are one stop.
    """
    frames = path.frames()
    if not len(frames):
        return frames
    flags = path.run(int(frames[0]), int(frames[-1]) + 1).flags
    is_human = (flags & SOURCE_BITS) == _HUMAN
    hidden = np.where(is_human, flags & _HIDDEN, NO_MARK)
    is_new = np.diff(hidden, prepend=NO_MARK) != 0
    found: NDArray[np.int64] = np.flatnonzero(is_human & ((hidden == NO_MARK) | is_new))
    found += frames[0]
    return found


def stop_beside(path: PointPath, frame: int, step: int) -> int | None:
    """Return the nearest stop before (-1) or after (+1) a frame."""
    found = stops(path)
    beside = found[found < frame][-1:] if step < 0 else found[found > frame][:1]
    return int(beside[0]) if len(beside) else None
