"""Agreement on boxes: of the places of objects, and of which objects there are.

Objects are the same when they have the same identifier (one draft began from the other), else by
the pairs that overlap most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.domain.agreement.pairing import Assign, matched
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Track

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Boxes: TypeAlias = NDArray[np.float64]

_LOOKS: Final = 200
"""On so many frames, spread evenly, tracks are compared to find out which are the same."""


def box_iou(first: Document, second: Document, assign: Assign) -> float | None:
    """Return the mean overlap (IoU) of boxes over all frames on which both have the object.

    None when there is no such frame.
    """
    frames = np.arange(first.video.n_frames)
    total, count = 0.0, 0
    for one, other in same_tracks(first, second, assign):
        found = ious(places(one, frames), places(other, frames))
        total, count = total + float(np.nansum(found)), count + int((~np.isnan(found)).sum())
    return total / count if count else None


def object_f1(first: Document, second: Document, assign: Assign) -> float | None:
    """Return the share of objects that both have: 2 · both / (all of one + all of the other).

    None when neither has any.
    """
    n = len(first.tracks) + len(second.tracks)
    return 2 * len(same_tracks(first, second, assign)) / n if n else None


def same_tracks(first: Document, second: Document, assign: Assign) -> list[tuple[Track, Track]]:
    """Return the tracks of two documents that are of the same object."""
    theirs = {track.id: track for track in second.tracks}
    pairs = [(track, theirs[track.id]) for track in first.tracks if track.id in theirs]
    known = {track.id for track, _ in pairs}
    left = [track for track in first.tracks if track.id not in known]
    right = [track for track in second.tracks if track.id not in known]
    if left and right:
        found = matched(_overlaps(left, right, first.video.n_frames), assign)
        pairs += [(left[i], right[j]) for i, j in found]
    return pairs


def places(track: Track, frames: NDArray[np.int64]) -> Boxes:
    """Return the boxes of a track on frames (ascending): [n, 4], NaN where it is out of view."""
    found = np.full((len(frames), 4), np.nan)
    if not track.frames:
        return found
    at = np.array(track.frames)
    boxes = np.array([k.box.as_tuple() if k.box else (np.nan,) * 4 for k in track.keyframes])
    lower = np.searchsorted(at, frames, "right") - 1
    is_begun = lower >= 0
    low = lower[is_begun]
    up = np.minimum(low + 1, len(at) - 1)
    gap = np.maximum(at[up] - at[low], 1)
    part = ((frames[is_begun] - at[low]) / gap)[:, None]
    # Before a keyframe out of view, and after the last, the box is held.
    is_held = (up == low)[:, None] | np.isnan(boxes[up])
    found[is_begun] = np.where(is_held, boxes[low], boxes[low] * (1 - part) + boxes[up] * part)
    return found


def _overlaps(left: Sequence[Track], right: Sequence[Track], n_frames: int) -> Boxes:
    """Return the sum of overlaps on some frames of each track with each other one."""
    frames = np.unique(np.linspace(0, max(n_frames - 1, 0), _LOOKS).astype(np.int64))
    theirs = [places(track, frames) for track in right]
    return np.array(
        [
            [float(np.nansum(ious(mine, other))) for other in theirs]
            for mine in (places(track, frames) for track in left)
        ]
    )


def ious(first: Boxes, second: Boxes) -> NDArray[np.float64]:
    """Return the IoU of boxes [n, 4] row by row, NaN where one is missing: [n]."""
    low = np.maximum(first[:, :2], second[:, :2])
    high = np.minimum(first[:, 2:], second[:, 2:])
    both = np.prod(np.maximum(high - low, 0.0), axis=1)
    one, other = (np.prod(b[:, 2:] - b[:, :2], axis=1) for b in (first, second))
    together = one + other - both
    found: NDArray[np.float64] = both / np.where(together > 0, together, 1.0)
    return found
