"""Scores of the predictions for one video: of each track, point track, question; segments apart.

The values are those of the published scorers: see the modules of `annotator.domain.metrics`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.segment import Lane
from annotator.domain.metrics.multi_object_tracking import Clear, Frame, Hota, clear, hota
from annotator.domain.metrics.overlap import iou_matrix, pixel_iou
from annotator.domain.metrics.point_accuracy import SIDE, THRESHOLDS, Queries, score_points
from annotator.domain.recipes.recipe import Tool
from annotator.exchange.perception_test.records import (
    LANES,
    ObjectRecord,
    VideoRecord,
    columns_of,
)
from annotator.exchange.predictions import CHOICES, GROUNDED, OBJECTS, POINTS
from annotator.services.matching import assigned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.json_type import Json
    from annotator.exchange.predictions import (
        PredictedBoxes,
        PredictedPoints,
        PredictedSegment,
        Predictions,
    )

_BEST: Final = 10  # this many tracks count as the answer to a question, by score
_LENGTHS_S: Final = ((5.0, "under 5 s"), (15.0, "5 to 15 s"), (float("inf"), "over 15 s"))
_SHARES: Final = ((0.0, "never"), (0.25, "up to 25%"), (1.0, "over 25%"))
UNSEEN: Final = "–"
BEST_TIOU: Final = "best_tiou"
TOOLS: Final = {
    OBJECTS: Tool.BOXES,
    POINTS: Tool.POINTS,
    LANES[Lane.ACTION]: Tool.ACTIONS,
    LANES[Lane.SOUND]: Tool.SOUNDS,
}
"""Tools that draw what the scores of a task are about."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """Scores of one track, point track or question, 0..1 by metric.

    ``groups`` are its groups besides those of its video, by column; ``frame`` is its first frame.
    ``is_missing``: nothing was predicted for it. ``mark_id`` is the track in a project.
    """

    task: str
    video: str
    id: int
    label: str
    values: dict[str, float]
    groups: tuple[tuple[str, str], ...]
    frame: int = 0
    is_missing: bool = False
    mark_id: str = ""


def score_video(
    record: VideoRecord, predicted: Predictions, names: Sequence[str] = ()
) -> Iterator[ItemScore]:
    """Yield a score for everything of the tasks that the predictions speak of.

    ``names`` are the tracks of a project by record ID.
    """
    if OBJECTS in predicted.tasks:
        yield from _tracks(record, predicted.tracks, names)
    if POINTS in predicted.tasks:
        yield from _points(record, predicted.points)
    for lane, task in LANES.items():
        if task in predicted.tasks:
            yield from _segments(record, predicted.segments, lane)
    if CHOICES in predicted.tasks:
        yield from _choices(record, predicted)
    if GROUNDED in predicted.tasks:
        yield from _grounded(record, predicted.grounded)


def _tracks(
    record: VideoRecord, predicted: dict[int, PredictedBoxes], names: Sequence[str]
) -> Iterator[ItemScore]:
    """Yield the mean overlap of each track after its start; a missing frame has none."""
    width, height = record.size or (1, 1)
    columns = record.columns or columns_of(record.objects)
    guess = np.zeros_like(columns.boxes)
    is_there = np.zeros(len(guess), np.bool_)
    spans: list[tuple[int, int, int]] = []
    for track, begin, end in zip(
        record.objects, columns.bounds[:-1].tolist(), columns.bounds[1:].tolist(), strict=True
    ):
        start = start_of(track)
        first = begin + start + 1
        spans.append((start, first, end))
        boxes = predicted.get(track.id)
        if boxes is None or not len(boxes.frames) or first >= end:
            continue
        frames = columns.frames[first:end]
        at = np.minimum(np.searchsorted(boxes.frames, frames), len(boxes.frames) - 1)
        is_there[first:end] = boxes.frames[at] == frames
        guess[first:end] = boxes.boxes[at]
    overlap = np.zeros(len(guess))
    if is_there.any():
        truth = np.clip(columns.boxes[is_there], 0.0, 1.0)
        overlap[is_there] = pixel_iou(truth, guess[is_there], width, height)
    sums = np.concatenate([[0.0], np.cumsum(overlap)])
    for track, (start, first, end) in zip(record.objects, spans, strict=True):
        if first >= end:
            continue
        hidden = sum(track.masked) / len(track.masked) if track.masked else 0.0
        yield ItemScore(
            OBJECTS,
            record.name,
            track.id,
            track.label,
            {"mean_iou": float(sums[end] - sums[first]) / (end - first)},
            (
                ("label", track.label),
                ("length", _class_of(_seconds(record, track), _LENGTHS_S)),
                ("occlusion", _class_of(hidden, _SHARES)),
            ),
            track.frames[start],
            track.id not in predicted,
            names[track.id] if 0 <= track.id < len(names) else "",
        )


def _segments(
    record: VideoRecord, predicted: Sequence[PredictedSegment], lane: Lane
) -> Iterator[ItemScore]:
    """Yield for each annotated segment the best temporal IoU of a prediction of its label."""
    segments = [s for s in record.segments if s.lane is lane]
    guesses = [s for s in predicted if s.lane is lane]
    if not segments:
        return
    true = np.array([s.times for s in segments], np.float64) / 1e6
    codes: dict[str, int] = {}
    for i, segment in enumerate(segments):
        codes.setdefault(segment.label, i)
        codes[str(segment.label_id)] = codes[segment.label]
    kinds = np.array([codes[s.label] for s in segments])
    label_codes = np.array([codes.get(s.label, -1) for s in guesses], np.int64)
    spans = np.array([(s.start, s.end) for s in guesses], np.float64).reshape(-1, 2)
    low = np.maximum(true[:, None, 0], spans[None, :, 0])
    both = np.maximum(np.minimum(true[:, None, 1], spans[None, :, 1]) - low, 0.0)
    lengths = (true[:, 1] - true[:, 0])[:, None] + (spans[:, 1] - spans[:, 0])[None, :] - both
    overlap = np.where(
        label_codes == kinds[:, None], both / np.where(lengths > 0, lengths, 1.0), 0.0
    )
    best = overlap.max(axis=1, initial=0.0)
    for i, (segment, value) in enumerate(zip(segments, best.tolist(), strict=True)):
        groups = (("label", segment.label),)
        yield ItemScore(
            LANES[lane],
            record.name,
            i,
            segment.label,
            {BEST_TIOU: value},
            groups,
            segment.frames[0],
        )


def start_of(track: ObjectRecord) -> int:
    """Return the place of the box that a tracker is given."""
    marks = track.raw.get("initial_tracking_box")
    return marks.index(1) if isinstance(marks, list) and 1 in marks else 0


def _seconds(record: VideoRecord, track: ObjectRecord) -> float:
    return (track.frames[-1] - track.frames[0]) / (record.frame_rate or 30.0)


def _class_of(value: float, classes: tuple[tuple[float, str], ...]) -> str:
    return next(name for most, name in classes if value <= most)


def _points(record: VideoRecord, predicted: dict[int, PredictedPoints]) -> Iterator[ItemScore]:
    """Yield the scores of the points of a video, together: that is how they are counted."""
    if not record.points:
        return
    ends = [p.frames[-1] + 1 for p in record.points]
    n_frames = record.n_frames or max(ends)
    truth = np.zeros((len(record.points), n_frames, 2))
    is_hidden = np.ones(truth.shape[:2], np.bool_)
    predicted_xy, is_hidden_in = truth.copy(), is_hidden.copy()
    for i, point in enumerate(record.points):
        _fill(truth[i], is_hidden[i], point.frames, np.stack([point.xs, point.ys], axis=1))
        if i in predicted:
            has_frame = predicted[i].frames < n_frames
            _fill(
                predicted_xy[i],
                is_hidden_in[i],
                predicted[i].frames[has_frame],
                predicted[i].places[has_frame],
            )
    values: dict[str, float] = {}
    for queries in Queries:
        scores = score_points(truth, is_hidden, predicted_xy, is_hidden_in, queries)
        values[f"average_jaccard_{queries.value}"] = scores.average_jaccard
        values[f"position_accuracy_{queries.value}"] = scores.position_accuracy
        values[f"occlusion_accuracy_{queries.value}"] = scores.occlusion_accuracy
        for threshold, jaccard in zip(THRESHOLDS, scores.jaccard, strict=True):
            values[f"jaccard_{threshold}px_{queries.value}"] = jaccard
    # The notebook of the challenge takes each predicted point for visible on all frames.
    is_counted = np.zeros_like(is_hidden_in)
    scores = score_points(truth, is_hidden, predicted_xy, is_counted, Queries.WHOLE)
    values["average_jaccard_challenge"] = scores.average_jaccard
    is_missing = not any(i in predicted for i in range(len(record.points)))
    first = min(p.frames[0] for p in record.points)
    yield ItemScore(
        POINTS, record.name, 0, f"{len(record.points)} points", values, (), first, is_missing
    )


def _fill(
    places: NDArray[np.float64],
    is_hidden: NDArray[np.bool_],
    frames: tuple[int, ...] | NDArray[np.int64],
    xy: NDArray[np.float64],
) -> None:
    at = np.asarray(frames, np.int64)
    places[at] = xy * SIDE
    is_hidden[at] = False


def _choices(record: VideoRecord, predicted: Predictions) -> Iterator[ItemScore]:
    """Yield whether each question with a known answer was answered correctly; of several people
    the share that did.
    """
    answers = predicted.answers
    for question in record.kept.get(CHOICES, []):
        number, answer = question.get("id"), question.get("answer_id")
        if not isinstance(number, int) or not isinstance(answer, int):
            continue
        yield ItemScore(
            CHOICES,
            record.name,
            number,
            str(question.get("question", "")),
            {"top1": predicted.shares.get(number, float(answers.get(number) == answer))},
            tuple(_question_groups(question)),
            is_missing=number not in answers and number not in predicted.shares,
        )


def _question_groups(question: dict[str, Json]) -> Iterator[tuple[str, str]]:
    for column in ("area", "reasoning"):
        yield column, str(question.get(column, UNSEEN))
    tags = question.get("tag")
    for tag in tags if isinstance(tags, list) else []:
        yield "tag", str(tag)


def _grounded(
    record: VideoRecord, predicted: dict[int, tuple[PredictedBoxes, ...]]
) -> Iterator[ItemScore]:
    """Yield HOTA of each question: the tracks that answer it against the best predicted ones."""
    tracks = {track.id: track for track in record.objects}
    for question in record.kept.get(GROUNDED, []):
        number, answers = question.get("id"), question.get("answers")
        if not isinstance(number, int) or not isinstance(answers, list):
            continue
        answer_tracks = [tracks[a] for a in answers if isinstance(a, int) and a in tracks]
        best = sorted(predicted.get(number, ()), key=lambda track: -track.score)[:_BEST]
        scores = hota(_frames_of(answer_tracks, best), assigned)
        values = {
            "hota": scores.hota,
            "det_a": scores.det_a,
            "ass_a": scores.ass_a,
            "loc_a": scores.loc_a,
        }
        yield ItemScore(
            GROUNDED,
            record.name,
            number,
            str(question.get("question", "")),
            values,
            tuple(_question_groups(question)),
            min((track.frames[start_of(track)] for track in answer_tracks), default=0),
            number not in predicted,
        )


def _frames_of(tracks: list[ObjectRecord], predicted: list[PredictedBoxes]) -> list[Frame]:
    """Return the frames on which an answer has a box, from each answer's start on."""
    true: dict[int, list[tuple[int, tuple[float, ...]]]] = {}
    for i, track in enumerate(tracks):
        start = start_of(track)
        for frame, box in zip(track.frames[start:], track.boxes[start:], strict=True):
            true.setdefault(frame, []).append((i, tuple(box)))
    guessed: dict[int, list[tuple[int, NDArray[np.float64]]]] = {frame: [] for frame in true}
    for i, guess in enumerate(predicted):
        for frame, box in zip(guess.frames.tolist(), guess.boxes, strict=True):
            if frame in guessed:
                guessed[frame].append((i, box))
    return [
        Frame(
            np.array([i for i, _ in true[frame]], np.int64),
            np.array([i for i, _ in guessed[frame]], np.int64),
            iou_matrix(
                np.clip(np.array([b for _, b in true[frame]]).reshape(-1, 4), 0.0, 1.0),
                np.array([b for _, b in guessed[frame]]).reshape(-1, 4),
            ),
        )
        for frame in sorted(true)
    ]


def score_many(record: VideoRecord, predicted: Predictions) -> tuple[Hota, Clear]:
    """Return the sums behind HOTA, MOTA and IDF1 of all tracks of a video.

    Frames on which the reference has boxes are compared, from the start of each of its tracks.
    """
    frames = _frames_of(list(record.objects), list(predicted.free))
    return hota(frames, assigned), clear(frames, assigned)


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A segment of a video in seconds, true or predicted."""

    label: str
    start: float
    end: float
    score: float = 1.0


def true_segments(record: VideoRecord, lane: Lane) -> list[SegmentRow]:
    """Return the annotated segments of a lane under their label IDs."""
    return [
        SegmentRow(str(s.label_id), s.times[0] / 1e6, s.times[1] / 1e6)
        for s in record.segments
        if s.lane is lane
    ]


def predicted_segments(
    predicted: tuple[PredictedSegment, ...], lane: Lane, ids: dict[str, str]
) -> list[SegmentRow]:
    """Return the predicted segments of a lane; ``ids`` are the label IDs by name."""
    return [
        SegmentRow(ids.get(s.label, s.label), s.start, s.end, s.score)
        for s in predicted
        if s.lane is lane
    ]
