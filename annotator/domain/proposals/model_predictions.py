"""Predictions of a model for a video, offered in a draft as proposals.

An object appears in the draft as a track without keyframes, and what the model says of its frames
as a proposal run; a point likewise. A segment appears as one that is proposed. Nothing of it is
annotation until a person accepts it: see `Document.decided`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import (
    ACCEPTED_FROM,
    OPEN_ROLE,
    PROPOSED_BY,
    Segment,
    normalized_roles,
)
from annotator.domain.annotation.track import Track
from annotator.domain.ids import SegmentId, TrackId, new_id, point_id, track_id
from annotator.domain.json_type import Json
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin

if TYPE_CHECKING:
    from numpy.typing import NDArray

CERTAIN: Final = 1.0
"""Score of what a file has no score for."""


@dataclass(frozen=True, slots=True)
class Model:
    """The model that was named at an import, with the file its predictions were in."""

    name: str
    version: str
    file: str
    sha256: str

    @property
    def origin(self) -> Origin:
        return Origin(self.name, self.version, {"file": self.file, "sha256": self.sha256})


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """Predictions of one model for one video.

    ``content`` has them as if they were annotation. ``scores`` are 0..1, by ID and frame, for the
    frames that the file has one for; a segment has one, on its first frame.
    """

    id: str
    model: Model
    content: Document
    scores: Mapping[str, Mapping[int, float]]


@dataclass(frozen=True, slots=True, eq=False)
class PredictedContent:
    """Tracks, points, segments and proposal runs that a prediction brings into a draft."""

    tracks: tuple[Track, ...]
    segments: tuple[Segment, ...]
    points: tuple[PointTrack, ...]
    runs: tuple[ProposalRun, ...]
    point_runs: tuple[PointProposalRun, ...]


def offer(prediction: Prediction, document: Document) -> PredictedContent:
    """Return the proposals of a prediction for a draft; every ID is new."""
    content, scores = prediction.content, prediction.scores
    new_ids = {track.id: track_id() for track in content.tracks}
    tracks: list[Track] = []
    runs: list[ProposalRun] = []
    origin = prediction.model.origin
    n_frames = document.video.n_frames
    for number, track in enumerate(content.tracks, document.next_number()):
        scores_of = scores.get(track.id, {})
        run = _run(track, new_ids[track.id], scores_of, origin, n_frames)
        if run is None:
            continue
        extra = {**track.info.extra, PROPOSED_BY: _named(prediction, scores_of)}
        info = replace(
            track.info,
            id=new_ids[track.id],
            number=number,
            color=number - 1,
            parent_id=new_ids.get(track.info.parent_id) if track.info.parent_id else None,
            is_begin_settled=False,
            extra=extra,
        )
        tracks.append(Track(info))
        runs.append(run)
    track_ids = {track.id for track in tracks}
    points: list[PointTrack] = []
    point_runs: list[PointProposalRun] = []
    for number, point in enumerate(content.points, document.next_point_number()):
        scores_of = scores.get(point.id, {})
        new_id = point_id()
        dense_runs = list(_point_runs(point, n_frames))
        if not dense_runs:
            continue
        owner = new_ids.get(point.info.track_id) if point.info.track_id else None
        extra = {**point.info.extra, PROPOSED_BY: _named(prediction, scores_of)}
        point_info = replace(
            point.info,
            id=new_id,
            track_id=owner if owner in track_ids else None,
            number=number,
            color=number - 1,
            extra=extra,
        )
        points.append(PointTrack(point_info))
        for start, xy, occluded in dense_runs:
            sure = _confidence(scores_of, np.arange(start, start + len(xy)))
            point_runs.append(PointProposalRun(new_id, start, xy, sure, origin, occluded))
    segments = tuple(
        _segment(s, new_ids, track_ids, _named(prediction, scores.get(s.id, {})), n_frames)
        for s in content.segments
        if s.start < n_frames
    )
    return PredictedContent(tuple(tracks), segments, tuple(points), tuple(runs), tuple(point_runs))


def model_of(extra: Mapping[str, Json]) -> str:
    """Return the model that proposed something, with its version; "" where no model did."""
    told = extra.get(PROPOSED_BY, extra.get(ACCEPTED_FROM))
    if not isinstance(told, dict):
        return ""
    return " ".join(str(told[key]) for key in ("model", "version") if told.get(key))


def score_of(extra: Mapping[str, Json]) -> float | None:
    """Return the mean score of a proposal of a model; None if its file has none."""
    told = extra.get(PROPOSED_BY, extra.get(ACCEPTED_FROM))
    score = told.get("score") if isinstance(told, dict) else None
    return float(score) if isinstance(score, int | float) else None


def _named(prediction: Prediction, scores: Mapping[int, float]) -> dict[str, Json]:
    model = prediction.model
    told: dict[str, Json] = {"model": model.name, "prediction": prediction.id}
    if model.version:
        told["version"] = model.version
    if scores:
        told["score"] = round(sum(scores.values()) / len(scores), 6)
    return told


def _run(
    track: Track, track_id: TrackId, scores: Mapping[int, float], origin: Origin, n_frames: int
) -> ProposalRun | None:
    """Return a run from the first box to the end of the video; None where no box is in it."""
    keys = track.keyframes
    first = next((key.frame for key in keys if key.box is not None), n_frames)
    if first >= n_frames:
        return None
    at = np.array(track.frames)
    sides = [key.box.as_tuple() if key.box is not None else (np.nan,) * 4 for key in keys]
    boxes = np.array(sides, np.float64)
    frames = np.arange(first, n_frames)
    lower = np.searchsorted(at, frames, "right") - 1
    upper = np.minimum(lower + 1, len(at) - 1)
    # The box is held where the object leaves, or nothing is said after it.
    upper = np.where(np.isnan(boxes[upper, 0]), lower, upper)
    length = np.maximum(at[upper] - at[lower], 1)
    share = ((frames - at[lower]) / length * (upper > lower))[:, None]
    dense = boxes[lower] + (boxes[upper] - boxes[lower]) * share
    sure = _confidence(scores, frames)
    sure[np.isnan(dense[:, 0])] = CERTAIN
    occluded = np.array([key.occluded for key in keys], np.uint8)[lower]
    return ProposalRun(track_id, first, dense.astype(np.float32), sure, origin, occluded)


def _confidence(scores: Mapping[int, float], frames: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the confidence on frames; between those with a score it changes evenly."""
    if not scores:
        return np.full(len(frames), CERTAIN, np.float32)
    at = sorted(scores)
    return np.interp(frames, at, [scores[frame] for frame in at]).astype(np.float32)


def _point_runs(
    point: PointTrack, n_frames: int
) -> Iterator[tuple[int, NDArray[np.float32], NDArray[np.uint8]]]:
    """Yield start, places and whether they are occluded, for stretches of marked frames."""
    frames = point.path.frames()
    frames = frames[frames < n_frames]
    cuts = np.flatnonzero(np.diff(frames) > 1) + 1
    for part in np.split(frames, cuts) if len(frames) else []:
        start, end = int(part[0]), int(part[-1]) + 1
        run = point.path.run(start, end)
        marks = [point.mark(frame) for frame in range(start, end)]
        occluded = np.array([mark is not None and mark.occluded for mark in marks], np.uint8)
        yield start, run.xy.astype(np.float32), occluded


def _segment(
    segment: Segment,
    new_ids: Mapping[TrackId, TrackId],
    track_ids: set[TrackId],
    named: dict[str, Json],
    n_frames: int,
) -> Segment:
    slots = tuple(
        new_ids[slot] if slot and new_ids.get(slot) in track_ids else OPEN_ROLE if slot else slot
        for slot in segment.slots
    )
    return replace(
        segment,
        id=SegmentId(new_id()),
        end=min(segment.end, n_frames),
        slots=normalized_roles(segment.lane, slots),
        extra={**segment.extra, PROPOSED_BY: named},
    )
