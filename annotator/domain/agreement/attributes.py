"""Agreement on attributes: the same values for the same objects, points and segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from annotator.domain.agreement.boxes import same_tracks
from annotator.domain.agreement.matching import Assign
from annotator.domain.agreement.segments import same_segments
from annotator.domain.annotation.attributes import changes_of, raw_at
from annotator.domain.annotation.document import Document
from annotator.domain.json_type import Json


def attribute_agreement(first: Document, second: Document, assign: Assign) -> dict[str, float]:
    """Return by key the mean share of each annotation on which both have the same value.

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
