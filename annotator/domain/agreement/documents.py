"""All figures of agreement between two documents, attributes included, by name of the method."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from annotator.domain.agreement.boxes import box_iou, object_f1, same_tracks
from annotator.domain.agreement.pairing import Assign
from annotator.domain.agreement.points import average_jaccard
from annotator.domain.agreement.segments import TIOU, same_segments, segment_f1
from annotator.domain.annotation.attributes import changes_of, raw_at
from annotator.domain.annotation.document import Document
from annotator.domain.json_type import Json

ATTRIBUTE: Final = "attribute "
"""Begins the name of a method: agreement on the attribute of the key that follows."""


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


@dataclass(frozen=True, slots=True)
class Agreement:
    """A figure, 0..1; ``params`` are what its method was told."""

    method: str
    value: float
    params: dict[str, float] = field(default_factory=dict)


def agreements(first: Document, second: Document, assign: Assign) -> tuple[Agreement, ...]:
    """Return how far two documents of one video agree; nothing for what neither has."""
    found = []
    for name, (method, params) in _METHODS.items():
        value = method(first, second, assign)
        if value is not None:
            found.append(Agreement(name, min(max(value, 0.0), 1.0), dict(params)))
    for key, value in attribute_agreement(first, second, assign).items():
        found.append(Agreement(f"{ATTRIBUTE}{key}", value))
    return tuple(found)


_Method = Callable[[Document, Document, Assign], float | None]
_METHODS: Final[dict[str, tuple[_Method, dict[str, float]]]] = {
    "box-iou": (box_iou, {}),
    "object-f1": (object_f1, {}),
    "average-jaccard": (average_jaccard, {}),
    "segment-f1": (segment_f1, {"tiou": TIOU}),
}
