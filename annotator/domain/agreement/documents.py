"""Inter-rater agreement of drawn work: boxes, points, actions and sounds of two documents.

Objects are the same when they have the same identifier (one draft began from the other), else by
the pairs that overlap most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.domain.agreement.rater_pairs import Assign, matched
from annotator.domain.annotation.attributes import changes_of, raw_at
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import OCCLUDED_BIT, OUTSIDE_BIT, PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Track
from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Boxes: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = NDArray[np.float64]

_LOOKS: Final = 200
"""Number of evenly spaced frames on which tracks are compared for matching."""


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
        found = matched(_box_overlaps(left, right, first.video.n_frames), assign)
        pairs += [(left[i], right[j]) for i, j in found]
    return pairs


def places(track: Track, frames: NDArray[np.int64]) -> Boxes:
    """Return the boxes of a track on frames (ascending): [n, 4], NaN where it is out of view."""
    frame_boxes = np.full((len(frames), 4), np.nan)
    if not track.frames:
        return frame_boxes
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
    frame_boxes[is_begun] = np.where(
        is_held, boxes[low], boxes[low] * (1 - part) + boxes[up] * part
    )
    return frame_boxes


def _box_overlaps(left: Sequence[Track], right: Sequence[Track], n_frames: int) -> Boxes:
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
        (_visible_places(one, first.video), _visible_places(other, second.video))
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
        overlap = _point_overlaps(left, right, first.video, second.video)
        pairs += [(left[i], right[j]) for i, j in matched(overlap, assign)]
    return pairs


def _point_overlaps(
    left: Sequence[PointTrack], right: Sequence[PointTrack], mine: VideoInfo, other: VideoInfo
) -> Places:
    """Return on how many frames each two lie together, by the widest threshold."""
    theirs = [_visible_places(point, other) for point in right]
    return np.array(
        [
            [_hits(seen, each)[-1] for each in theirs]
            for seen in (_visible_places(p, mine) for p in left)
        ]
    )


def _visible_places(point: PointTrack, video: VideoInfo) -> Places:
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


TIOU: Final = 0.5


def segment_f1(
    first: Document, second: Document, assign: Assign, tiou: float = TIOU
) -> float | None:
    """Return the share of segments that both have: 2 · both / (all of one + all of the other).

    Two are the same when lane and label are, and they share at least ``tiou`` of the frames that
    either covers. None when neither has any.
    """
    n = len(first.segments) + len(second.segments)
    return 2 * len(same_segments(first, second, assign, tiou)) / n if n else None


def same_segments(
    first: Document, second: Document, assign: Assign, tiou: float = TIOU
) -> list[tuple[Segment, Segment]]:
    """Return the segments that both documents have, as `segment_f1` counts them."""
    mine, theirs = _segments_by_label(first), _segments_by_label(second)
    pairs: list[tuple[Segment, Segment]] = []
    for key in mine.keys() & theirs.keys():
        one, other = _spans(mine[key]), _spans(theirs[key])
        shared = np.minimum(one[:, 1:], other[:, 1]) - np.maximum(one[:, :1], other[:, 0])
        lengths = np.diff(one, axis=1) + np.diff(other, axis=1).T
        overlap = np.maximum(shared, 0.0) / np.maximum(lengths - np.maximum(shared, 0.0), 1.0)
        found = matched(np.where(overlap >= tiou, overlap, 0.0), assign)
        pairs += [(mine[key][i], theirs[key][j]) for i, j in found]
    return pairs


def _segments_by_label(document: Document) -> dict[tuple[Lane, str], list[Segment]]:
    found: dict[tuple[Lane, str], list[Segment]] = {}
    for segment in document.segments:
        found.setdefault((segment.lane, segment.label), []).append(segment)
    return found


def _spans(segments: Sequence[Segment]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([(s.start, s.end) for s in segments], dtype=np.float64)


ATTRIBUTE: Final = "attribute "
"""Begins the name of a method: agreement on the attribute of the key that follows."""


def attribute_agreement(first: Document, second: Document, assign: Assign) -> dict[str, float]:
    """Return by key the mean share of equal values over matched annotations.

    Only what both have counts, and only where one of them has a value. A value that changes within
    a track is compared on all frames from the first keyframe of the two to the last.
    """
    totals: dict[str, tuple[float, int]] = {}
    for one, other, span in _pairs(first, second, assign):
        for key in one.keys() | other.keys():
            total, count = totals.get(key, (0.0, 0))
            totals[key] = (total + _same(one.get(key), other.get(key), span), count + 1)
    return {key: total / count for key, (total, count) in sorted(totals.items())}


def _pairs(
    first: Document, second: Document, assign: Assign
) -> Iterator[tuple[Mapping[str, Json], Mapping[str, Json], tuple[int, int]]]:
    """Yield the attributes of each pair of annotations, with the frames that they cover."""
    for track, other in same_tracks(first, second, assign):
        frames = (*track.frames, *other.frames)
        span = (min(frames), max(frames) + 1) if frames else (0, 1)
        yield track.info.attributes, other.info.attributes, span
    points = {point.id: point for point in second.points}
    for point in first.points:
        if point.id in points:
            span = (0, first.video.n_frames)
            yield point.attributes, points[point.id].attributes, span
    for segment, twin in same_segments(first, second, assign):
        yield segment.attributes, twin.attributes, (segment.start, segment.end)


def _same(one: Json, other: Json, span: tuple[int, int]) -> float:
    """Return the share of the frames on which two values are the same."""
    if not isinstance(one, dict) and not isinstance(other, dict):
        return float(one == other)
    start, end = span
    cuts = {frame for value in (one, other) for frame, _ in changes_of(value)}
    edges = [start, *sorted(frame for frame in cuts if start < frame < end), end]
    same = sum(b - a for a, b in pairwise(edges) if raw_at(one, a) == raw_at(other, a))
    return same / max(1, end - start)


@dataclass(frozen=True, slots=True)
class Agreement:
    """An agreement value, 0..1; ``params`` are the parameters of its method."""

    method: str
    value: float
    params: dict[str, float] = field(default_factory=dict)


def agreements(first: Document, second: Document, assign: Assign) -> tuple[Agreement, ...]:
    """Return the agreement of two documents of one video; nothing for parts that both lack."""
    found = []
    for name, (method, params) in _DOCUMENT_METHODS.items():
        value = method(first, second, assign)
        if value is not None:
            found.append(Agreement(name, min(max(value, 0.0), 1.0), dict(params)))
    for key, value in attribute_agreement(first, second, assign).items():
        found.append(Agreement(f"{ATTRIBUTE}{key}", value))
    return tuple(found)


_DocumentMethod = Callable[[Document, Document, Assign], float | None]
_DOCUMENT_METHODS: Final[dict[str, tuple[_DocumentMethod, dict[str, float]]]] = {
    "box-iou": (box_iou, {}),
    "object-f1": (object_f1, {}),
    "average-jaccard": (average_jaccard, {}),
    "segment-f1": (segment_f1, {"tiou": TIOU}),
}
