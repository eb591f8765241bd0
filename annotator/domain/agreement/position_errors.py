"""Errors of annotations, measured against a known result of the same video."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from annotator.domain.agreement.documents import (
    ious,
    places,
    same_points,
    same_segments,
    same_tracks,
)
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import OCCLUDED_BIT, OUTSIDE_BIT
from annotator.domain.annotation.segment import Lane

if TYPE_CHECKING:
    from annotator.domain.agreement.rater_pairs import Assign
    from annotator.domain.annotation.point_track import PointRun
    from annotator.domain.annotation.segment import Segment
    from annotator.domain.ids import TrackId

LEAST_TIOU: Final = 0.1
"""Segments with the same label and at least this temporal IoU are of the same event."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Errors of a document against a gold document; None where the gold document has nothing.

    ``iou`` is the mean overlap of boxes over the frames on which either has the object, 0 for
    objects that were not drawn. ``px`` is the mean distance of points in image pixels on frames
    where both are visible, ``visible`` the share of marked frames on which both say alike whether
    the point is visible. ``ms`` is the mean offset of the edges of segments in milliseconds.
    ``n_known`` objects, points and segments were to be drawn, ``n_found`` of them were, and
    ``n_extra`` others.
    """

    iou: float | None = None
    px: float | None = None
    visible: float | None = None
    ms: float | None = None
    n_known: int = 0
    n_found: int = 0
    n_extra: int = 0

    @property
    def found(self) -> float | None:
        """F1 of the annotations, 0 to 1; None if both documents have none."""
        n = self.n_known + self.n_found + self.n_extra
        return 2 * self.n_found / n if n else None


class _Part(NamedTuple):
    """Errors of one kind of annotation, and how many were known, found and drawn."""

    measures: dict[str, float | None]
    n_known: int
    n_found: int
    n_drawn: int


def errors(
    truth: Document,
    answer: Document,
    assign: Assign,
    *,
    boxes: bool = True,
    points: bool = True,
    lanes: Collection[Lane] = tuple(Lane),
) -> Errors:
    """Return the errors of a document against a gold document of the same video.

    Annotations are matched as `same_tracks`, `same_points` and `same_segments` do. Only the kinds
    that are requested are compared.
    """
    parts: list[_Part] = []
    if boxes:
        parts.append(_boxes(truth, answer, assign))
    if points:
        parts.append(_points(truth, answer, assign))
    if lanes:
        parts.append(_segments(truth, answer, assign, lanes))
    measures = {name: value for part in parts for name, value in part.measures.items()}
    n_found = sum(part.n_found for part in parts)
    return Errors(
        **measures,
        n_known=sum(part.n_known for part in parts),
        n_found=n_found,
        n_extra=sum(part.n_drawn for part in parts) - n_found,
    )


def offsets(one: Document, other: Document, assign: Assign) -> Iterator[tuple[str, str, float]]:
    """Yield method, label and value for each object, point and segment that both documents have.

    "box-iou" is the mean overlap on frames where both have the object, "point-px" the mean distance
    in image pixels where both see the point, "edge-ms" the mean offset of the edges of a segment in
    milliseconds.
    """
    frames = np.arange(one.video.n_frames)
    for mine, theirs in same_tracks(one, other, assign):
        overlap = ious(places(mine, frames), places(theirs, frames))
        if not np.isnan(overlap).all():
            yield "box-iou", mine.label, float(np.nanmean(overlap))
    for point, twin in same_points(one, other, assign):
        runs = [one_point.path.run(0, one.video.n_frames) for one_point in (point, twin)]
        both = _is_visible(runs[0]) & _is_visible(runs[1])
        if both.any():
            distances = np.hypot(*(runs[0].xy[both] - runs[1].xy[both]).T)
            yield "point-px", point.label, float(distances.mean())
    frame_ms = 1000.0 / one.video.frame_rate if one.video.frame_rate else 0.0
    for segment, same in same_segments(one, other, assign, LEAST_TIOU):
        yield "edge-ms", segment.label, _offset_ms(segment, same, frame_ms)


def aligned(truth: Document, answer: Document, assign: Assign) -> Document:
    """Return the gold document with the identifiers of the matching annotations.

    Two documents are then compared object by object.
    """
    tracks = {one.id: other.id for one, other in same_tracks(truth, answer, assign)}
    points = {one.id: other.id for one, other in same_points(truth, answer, assign)}
    segments = {one.id: other.id for one, other in same_segments(truth, answer, assign, LEAST_TIOU)}

    def track_of(name: TrackId | None) -> TrackId | None:
        return tracks.get(name, name) if name else name

    return Document(
        truth.draft_id,
        truth.video,
        [
            replace(
                annotation,
                info=replace(
                    annotation.info,
                    id=tracks.get(annotation.id, annotation.id),
                    parent_id=track_of(annotation.info.parent_id),
                ),
            )
            for annotation in truth.tracks
        ],
        [
            replace(
                annotation,
                id=segments.get(annotation.id, annotation.id),
                slots=tuple(map(track_of, annotation.slots)),
            )
            for annotation in truth.segments
        ],
        [
            replace(
                annotation,
                info=replace(
                    annotation.info,
                    id=points.get(annotation.id, annotation.id),
                    track_id=track_of(annotation.info.track_id),
                ),
            )
            for annotation in truth.points
        ],
    )


def _boxes(truth: Document, answer: Document, assign: Assign) -> _Part:
    frames = np.arange(truth.video.n_frames)
    total, count = 0.0, 0
    pairs = [(one, other) for one, other in same_tracks(truth, answer, assign) if one.keyframes]
    twin_of = {one.id: other for one, other in pairs}
    truth_tracks = [track for track in truth.tracks if track.keyframes]
    n_found = 0
    for track in truth_tracks:
        truth_boxes = places(track, frames)
        is_there = ~np.isnan(truth_boxes[:, 0])
        if track.id in twin_of:
            answer_boxes = places(twin_of[track.id], frames)
            is_there |= ~np.isnan(answer_boxes[:, 0])
            overlap = np.nan_to_num(ious(truth_boxes, answer_boxes))
            total += float(overlap.sum())
            n_found += bool(overlap.any())
        count += int(is_there.sum())
    n_drawn = sum(1 for track in answer.tracks if track.keyframes)
    return _Part({"iou": total / count if count else None}, len(truth_tracks), n_found, n_drawn)


def _points(truth: Document, answer: Document, assign: Assign) -> _Part:
    offsets_px: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
    n_alike, n_marked = 0, 0
    pairs = same_points(truth, answer, assign)
    for one, other in pairs:
        truth_run, answer_run = (point.path.run(0, truth.video.n_frames) for point in (one, other))
        is_here, is_there = _is_visible(truth_run), _is_visible(answer_run)
        both = is_here & is_there
        offsets_px.append(np.hypot(*(truth_run.xy[both] - answer_run.xy[both]).T))
        is_marked = truth_run.flags != 0
        n_alike += int((is_here == is_there)[is_marked].sum())
        n_marked += int(is_marked.sum())
    distances = np.concatenate(offsets_px) if offsets_px else np.empty(0)
    measures = {
        "px": float(distances.mean()) if len(distances) else None,
        "visible": n_alike / n_marked if n_marked else None,
    }
    return _Part(measures, len(truth.points), len(pairs), len(answer.points))


def _is_visible(run: PointRun) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    is_hidden = (run.flags & (OCCLUDED_BIT | OUTSIDE_BIT)) != 0
    is_visible: np.ndarray[tuple[int], np.dtype[np.bool_]] = (run.flags != 0) & ~is_hidden
    return is_visible


def _segments(known: Document, made: Document, assign: Assign, lanes: Collection[Lane]) -> _Part:
    pairs = [
        pair for pair in same_segments(known, made, assign, LEAST_TIOU) if pair[0].lane in lanes
    ]
    frame_ms = 1000.0 / known.video.frame_rate if known.video.frame_rate else 0.0
    offsets = [_offset_ms(one, other, frame_ms) for one, other in pairs]
    wanted, drawn = (
        sum(1 for segment in each.segments if segment.lane in lanes) for each in (known, made)
    )
    return _Part({"ms": float(np.mean(offsets)) if offsets else None}, wanted, len(pairs), drawn)


def _offset_ms(one: Segment, other: Segment, frame_ms: float) -> float:
    """Return the mean offset of the two edges: by their times where both have them."""
    if None not in (one.start_us, other.start_us, one.end_us, other.end_us):
        starts = one.start_us, other.start_us
        ends = one.end_us, other.end_us
        return sum(abs(a - b) / 1000 for a, b in (starts, ends)) / 2  # type: ignore[operator]
    return (abs(one.start - other.start) + abs(one.end - other.end)) * frame_ms / 2
