"""Baselines: predictions that need no model, and people's own work as a line of reference."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.errors import UserError
from annotator.exchange.perception_test.records import columns_of
from annotator.exchange.predictions import (
    CHOICES,
    OBJECTS,
    POINTS,
    PredictedBoxes,
    PredictedPoints,
    Predictions,
)
from annotator.services.dataset.evaluating.raters import FirstSubmissions, Raters
from annotator.services.dataset.evaluating.scoring import start_of
from annotator.services.dataset.evaluating.trackers import OwnTrackers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.checks import Finding
    from annotator.exchange.perception_test.records import ObjectRecord, PointRecord, VideoRecord
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.evaluating.evaluation import Predictor
    from annotator.services.dataset.evaluating.reference import Reference, ReferenceVideo


class Baseline:
    """Predictions computed from what a model is given: the start of each track, each question."""

    def __init__(self, name: str, predict: Callable[[VideoRecord], Predictions]) -> None:
        self.name = name
        self._predict = predict
        self.findings: tuple[Finding, ...] = ()

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the predictions for a video."""
        return self._predict(video.record)

    def close(self) -> None:
        """There is nothing to release."""


def baseline(name: str, reference: Reference, token: JobToken, seed: int = 1) -> Predictor:
    """Return a baseline by its name; UserError for an unknown one, or one that cannot be had here.

    Close it in the end.
    """
    if name == "static":
        return Baseline(name, _static)
    if name == "linear":
        return Baseline(name, _linear)
    if name == "majority":
        return Baseline(name, _Majority(video.record for video in reference.videos(token)))
    if name == "random":
        return Baseline(name, lambda record: _random(record, seed))
    if name == "tracker":
        return OwnTrackers(name, reference, token)
    if name == "raters":
        return Raters(name, reference.needed_project(name), token)
    if name == "first":
        return FirstSubmissions(name, reference.needed_project(name), token)
    raise UserError(f"Unknown baseline “{name}”.", hint=f"Baselines: {', '.join(BASELINES)}.")


BASELINES: Final = {
    "static": "boxes and points stay where they start",
    "linear": "boxes and points move evenly from the first to the last annotated frame",
    "tracker": "the program's own trackers from the first box and the first visible point",
    "majority": "the most frequent correct answer to the same question in other videos",
    "random": "a random answer to each question",
    "raters": "people: one of two independent submissions against the other, answers in studies",
    "first": "people: first submissions against the result after all checks",
}


PEOPLE: Final = ("raters", "first")
"""Baselines that are people: their work is not drawn over the result."""


def _static(record: VideoRecord) -> Predictions:
    columns = record.columns or columns_of(record.objects)
    boxes = np.clip(columns.boxes, 0.0, 1.0)
    tracks: dict[int, PredictedBoxes] = {}
    bounds = zip(columns.bounds[:-1].tolist(), columns.bounds[1:].tolist(), strict=True)
    for track, (begin, end) in zip(record.objects, bounds, strict=True):
        still = boxes[[begin + start_of(track)] * (end - begin)]
        tracks[track.id] = PredictedBoxes(columns.frames[begin:end], still)
    points = {
        i: _point_path(point, record, lambda first, _last, _part: first)
        for i, point in enumerate(record.points)
    }
    return Predictions(frozenset((OBJECTS, POINTS)), tracks, points)


def _linear(record: VideoRecord) -> Predictions:
    tracks = {track.id: _even_motion(track) for track in record.objects}
    points = {
        i: _point_path(point, record, lambda first, last, part: first + (last - first) * part)
        for i, point in enumerate(record.points)
    }
    return Predictions(frozenset((OBJECTS, POINTS)), tracks, points)


def _even_motion(track: ObjectRecord) -> PredictedBoxes:
    start = start_of(track)
    frames = np.array(track.frames, np.int64)
    boxes = np.clip(np.array(track.boxes, np.float64), 0.0, 1.0)
    length = max(int(frames[-1] - frames[start]), 1)
    part = np.clip((frames - frames[start]) / length, 0.0, 1.0)[:, None]
    return PredictedBoxes(frames, boxes[start] + (boxes[-1] - boxes[start]) * part)


def _point_path(
    point: PointRecord,
    record: VideoRecord,
    place: Callable[..., NDArray[np.float64]],
) -> PredictedPoints:
    """Return a point that is visible from its first frame to the end of the video."""
    first = np.array([point.xs[0], point.ys[0]], np.float64)
    last = np.array([point.xs[-1], point.ys[-1]], np.float64)
    end = record.n_frames or point.frames[-1] + 1
    frames = np.arange(point.frames[0], end)
    length = max(point.frames[-1] - point.frames[0], 1)
    part = np.clip((frames - frames[0]) / length, 0.0, 1.0)[:, None]
    return PredictedPoints(frames, np.broadcast_to(place(first, last, part), (len(frames), 2)))


class _Majority:
    """The answer that is right most often where the same is asked about other videos."""

    def __init__(self, videos: Iterable[VideoRecord]) -> None:
        self._right: dict[str, Counter[str]] = {}
        for record in videos:
            for question, text in _answered(record):
                self._right.setdefault(question, Counter())[text] += 1

    def __call__(self, record: VideoRecord) -> Predictions:
        own: dict[str, Counter[str]] = {}
        for question, text in _answered(record):
            own.setdefault(question, Counter())[text] += 1
        answers: dict[int, int] = {}
        for asked in record.kept.get(CHOICES, []):
            number, options = asked.get("id"), asked.get("options")
            if not isinstance(number, int) or not isinstance(options, list) or not options:
                continue
            text = str(asked.get("question", ""))
            counts = self._right.get(text, Counter()) - own.get(text, Counter())
            # The first option of those that are right equally often.
            best = max(range(len(options)), key=lambda i: (counts[str(options[i])], -i))
            answers[number] = best
        return Predictions(frozenset((CHOICES,)), answers=answers)


def _answered(record: VideoRecord) -> Iterator[tuple[str, str]]:
    for asked in record.kept.get(CHOICES, []):
        options, answer = asked.get("options"), asked.get("answer_id")
        if isinstance(options, list) and isinstance(answer, int) and 0 <= answer < len(options):
            yield str(asked.get("question", "")), str(options[answer])


def _random(record: VideoRecord, seed: int) -> Predictions:
    """Return random answers: the same for a video whatever others there are."""
    own = int.from_bytes(hashlib.sha256(f"{seed} {record.name}".encode()).digest()[:8])
    rng = np.random.Generator(np.random.PCG64(own))
    answers: dict[int, int] = {}
    for asked in record.kept.get(CHOICES, []):
        number, options = asked.get("id"), asked.get("options")
        if isinstance(number, int) and isinstance(options, list) and options:
            answers[number] = int(rng.integers(len(options)))
    return Predictions(frozenset((CHOICES,)), answers=answers)
