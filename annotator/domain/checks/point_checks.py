"""Rules on the points of one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import NO_MARK, PointTrack
from annotator.domain.annotation.track import Track
from annotator.domain.checks.finding import CheckStep, Finding, Severity, place
from annotator.domain.ids import PointId, TrackId
from annotator.domain.plurals import are, many

FEW_POINTS: Final = 3
"""Recommended number of points per object: fewer do not determine its rotation."""


def check_points(document: Document, pending: Mapping[PointId, int]) -> Iterator[Finding]:
    """Yield all issues of points, point by point, then object by object.

    ``pending`` counts, per point, the proposals not yet accepted.
    """
    for step in point_steps(document, pending):
        yield from step.find()


def point_steps(
    document: Document, pending: Mapping[PointId, int], *, on_all: bool = False
) -> Iterator[CheckStep]:
    """Yield the same check in pieces; ``on_all``: every object should have points."""
    counts: Counter[TrackId | None] = Counter()
    if on_all:
        counts.update({track.id: 0 for track in document.tracks})
    for point in document.points:
        count = pending.get(point.id, 0)
        find = partial(_point, document, point, count)
        subjects = (document.video, point, count, bool(document.tracks))
        yield CheckStep(("point", point.id), subjects, find)
        counts[point.info.track_id] += 1
    for track_id, number in counts.items():
        track = document.find_track(track_id) if track_id is not None else None
        if track is not None and number < FEW_POINTS:
            find = partial(_few, document, track, number)
            yield CheckStep(("few", track.id), (document.video, track, number), find)


def point_place(document: Document, point: PointTrack) -> str:
    """Return how findings name a point: video, number and label."""
    return f"{document.video.name}, point {point.info.number} “{point.label}”"


def _point(document: Document, point: PointTrack, count: int) -> Iterator[Finding]:
    if not point.label.strip():
        text = "The point has no name. Rename it."
        yield _finding("empty-name", document, point, text, Severity.ERROR)
    if point.info.track_id is None and document.tracks:
        text = "The point belongs to no object. Choose one in the inspector."
        yield _finding("no-object", document, point, text)
    yield from _unfinished(document, point)
    if count:
        text = f"{are(count, 'frame')} proposed but not accepted; not exported."
        yield _finding("pending-proposals", document, point, text)


def _unfinished(document: Document, point: PointTrack) -> Iterator[Finding]:
    """Yield the frames between the first mark and the last that have none, or a lonely mark."""
    frames = point.path.frames()
    if not len(frames):
        if point.is_proposed:
            return
        text = "The point is visible on no frame. Place it, or delete it."
        yield _finding("never-present", document, point, text, Severity.ERROR)
        return
    start, last = int(frames[0]), int(frames[-1])
    if last >= document.video.n_frames:
        text = f"Frame {last} does not exist (valid: 0 to {document.video.n_frames - 1})."
        yield _finding("beyond-video", document, point, text, Severity.ERROR)
    if start == last and document.video.n_frames > 1:
        text = f"Only frame {start} is annotated. Place the point where it is last visible."
        yield _finding("unfinished-point", document, point, text, frame=start)
    gaps = np.flatnonzero(point.path.run(start, last + 1).flags == NO_MARK)
    if len(gaps):
        first = start + int(gaps[0])
        text = f"{are(len(gaps), 'frame')} not annotated yet, the first is {first}."
        yield _finding("unfinished-point", document, point, text, frame=first)


def _finding(
    code: str,
    document: Document,
    point: PointTrack,
    text: str,
    severity: Severity = Severity.WARNING,
    *,
    frame: int | None = None,
) -> Finding:
    where, owner = point_place(document, point), point.info.track_id
    return Finding(code, where, text, severity, owner, frame=frame, point_id=point.id)


def _few(document: Document, track: Track, number: int) -> Iterator[Finding]:
    points = many(number, "point")
    text = f"Has {points}. Annotate at least {FEW_POINTS} to show the rotation of the object."
    where = place(document, track)
    yield Finding("few-points", where, text, Severity.NOTE, track_id=track.id)
