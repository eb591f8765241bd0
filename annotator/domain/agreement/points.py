"""Agreement on points: average Jaccard, as the benchmarks of tracked points measure it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.domain.agreement.pairing import Assign, matched
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_path import OCCLUDED_BIT, OUTSIDE_BIT
from annotator.domain.annotation.point_track import PointTrack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.float64]

THRESHOLDS: Final = (1, 2, 4, 8, 16)
"""Two places are the same below these distances, in pixels of a picture stretched to 256 × 256."""
_SIDE: Final = 256.0


def average_jaccard(first: Document, second: Document, assign: Assign) -> float | None:
    """Return how far two people place the same points alike, the mean over `THRESHOLDS`.

    At each: of all frames on which either sees the point, counting those on which both do but not
    in the same place twice, the share on which both see it in the same place (strictly nearer).
    Points are the same when they have the same identifier, else by the pairs that lie together most
    often. A frame without a mark counts as not visible. None when no point is of both.
    """
    pairs = [
        (_seen(one, first.video), _seen(other, second.video))
        for one, other in same_points(first, second, assign)
    ]
    n_seen = sum(_count(one) + _count(other) for one, other in pairs)
    if not n_seen:
        return None
    both = sum((_hits(one, other) for one, other in pairs), np.zeros(len(THRESHOLDS)))
    return float(np.mean(both / (n_seen - both)))


def same_points(
    first: Document, second: Document, assign: Assign
) -> list[tuple[PointTrack, PointTrack]]:
    """Return the points of two documents that are of the same place on an object."""
    theirs = {point.id: point for point in second.points}
    pairs = [(point, theirs[point.id]) for point in first.points if point.id in theirs]
    known = {point.id for point, _ in pairs}
    left = [point for point in first.points if point.id not in known]
    right = [point for point in second.points if point.id not in known]
    if left and right:
        overlap = _overlaps(left, right, first.video, second.video)
        pairs += [(left[i], right[j]) for i, j in matched(overlap, assign)]
    return pairs


def _overlaps(
    left: Sequence[PointTrack], right: Sequence[PointTrack], mine: VideoInfo, other: VideoInfo
) -> Places:
    """Return on how many frames each two lie together, by the widest threshold."""
    theirs = [_seen(point, other) for point in right]
    return np.array(
        [[_hits(seen, each)[-1] for each in theirs] for seen in (_seen(p, mine) for p in left)]
    )


def _seen(point: PointTrack, video: VideoInfo) -> Places:
    """Return the places [frames, 2] in a picture of 256 × 256, NaN where it is not visible."""
    run = point.path.run(0, video.n_frames)
    is_hidden = (run.flags & (OCCLUDED_BIT | OUTSIDE_BIT)) != 0
    places = run.xy * (_SIDE / np.maximum((video.width, video.height), 1))
    return np.where(is_hidden[:, None], np.nan, places)


def _count(seen: Places) -> int:
    return int((~np.isnan(seen[:, 0])).sum())


def _hits(one: Places, other: Places) -> Places:
    """Return by threshold on how many frames both are visible and nearer than it."""
    n = min(len(one), len(other))
    apart = np.hypot(*(one[:n] - other[:n]).T)
    return np.array([(apart < threshold).sum() for threshold in THRESHOLDS], np.float64)
