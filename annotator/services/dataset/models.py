"""Where predictions come from: files of results, and baselines that need no model."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError, UserError
from annotator.exchange.formats.converting import boxes_on_frames
from annotator.exchange.perception_test.records import LANES
from annotator.exchange.predictions import (
    CHOICES,
    MANY,
    OBJECTS,
    POINTS,
    PredictedBoxes,
    PredictedPoints,
    PredictedSegment,
    Predictions,
    read_predictions,
)
from annotator.exchange.strict_json import JsonObjectFile
from annotator.services.dataset.reference import ReferenceVideo
from annotator.services.dataset.scoring import start_of
from annotator.services.transfer.formats import format_of_content

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.exchange.formats.content import SegmentContent
    from annotator.exchange.perception_test.records import ObjectRecord, PointRecord, VideoRecord


class PredictionFile:
    """Results of a model in a file: JSON as the scorers of the challenges take it.

    ExchangeError when the file cannot be read. Close it in the end.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self.name = name or path.stem
        self._file = JsonObjectFile(path)
        self._names = set(self._file.keys())
        self._asked: set[str] = set()
        self._problems: list[Finding] = []

    def __enter__(self) -> PredictionFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    @property
    def findings(self) -> tuple[Finding, ...]:
        unknown = sorted(self._names - self._asked)
        if not unknown:
            return tuple(self._problems)
        text = f"Ignored: {len(unknown)} videos that the reference does not have, for example "
        text += f"“{unknown[0]}”."
        return (*self._problems, Finding("unknown-video", self.name, text))

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the results for a video; an entry that cannot be used counts as none."""
        self._asked.add(video.name)
        if video.name not in self._names:
            return None
        try:
            return read_predictions(video.name, self._file.member(video.name))
        except ExchangeError as error:
            where = error.where or video.name
            self._problems.append(Finding("bad-entry", where, error.text, Severity.ERROR))
            return None


class ContentFile:
    """Tracks and segments of a model in a format of another program, such as MOT or CVAT.

    A file with one entry is for the video of its name, else for the only video. ExchangeError when
    it cannot be read.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.name = name or path.stem
        form = format_of_content(path)
        if form.read is None:
            raise ExchangeError(
                f"Predictions cannot be read from the format {form.name}.", where=str(path)
            )
        self._contents = {content.name: content for content in form.read(path)}
        self._asked: set[str] = set()
        self._problems: list[Finding] = []

    def close(self) -> None:
        """Release what was read."""
        self._contents = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        unknown = sorted(set(self._contents) - self._asked)
        if not unknown:
            return tuple(self._problems)
        text = f"Ignored: {len(unknown)} videos that the reference does not have, for example "
        return (*self._problems, Finding("unknown-video", self.name, f"{text}“{unknown[0]}”."))

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the predictions for a video; one of another image size has none."""
        self._asked.add(video.name)
        content = self._contents.get(video.name)
        if content is None:
            return None
        width, height = video.record.size or (0, 0)
        if not width or content.size not in (None, (width, height)):
            text = "The image size differs from the reference; the predictions were not used."
            self._problems.append(Finding("other-size", video.name, text, Severity.ERROR))
            return None
        scale = np.array([1.0, 1.0, 1.0, 1.0] if content.is_fraction else [width, height] * 2)
        n_frames = video.record.n_frames or content.n_frames or 0
        free = []
        for track in content.tracks:
            rows = [(frame, box.as_tuple()) for frame, box, _ in boxes_on_frames(track, n_frames)]
            if rows:
                frames = np.array([frame for frame, _ in rows], np.int64)
                boxes = np.clip(np.array([box for _, box in rows]) / scale, 0.0, 1.0)
                score = max(track.scores, default=1.0)
                free.append(PredictedBoxes(frames, boxes, score))
        rate = video.record.frame_rate or 30.0
        segments = tuple(
            PredictedSegment(
                each.lane,
                each.label,
                *_seconds(each, rate),
                each.score if each.score is not None else 1.0,
            )
            for each in content.segments
        )
        lanes = {LANES[each.lane] for each in segments}
        tasks = frozenset({MANY} if free else ()) | lanes
        return Predictions(tasks, segments=segments, free=tuple(free))


def _seconds(segment: SegmentContent, rate: float) -> tuple[float, float]:
    if segment.times_us is not None:
        return segment.times_us[0] / 1e6, segment.times_us[1] / 1e6
    start, end = segment.frames or (0, 0)
    return start / rate, end / rate


def prediction_file(path: Path, name: str = "") -> PredictionFile | ContentFile:
    """Open a file of predictions by its content: results as JSON, or a format of other programs.

    ExchangeError when it cannot be read.
    """
    form = format_of_content(path)
    return ContentFile(path, name) if form.read is not None else PredictionFile(path, name)


class Baseline:
    """Predictions computed from what a model is given: the start of each track, each question."""

    def __init__(self, name: str, predict: Callable[[VideoRecord], Predictions]) -> None:
        self.name = name
        self._predict = predict
        self.findings: tuple[Finding, ...] = ()

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the predictions for a video."""
        return self._predict(video.record)


def baseline(name: str, videos: Callable[[], Iterable[VideoRecord]], seed: int) -> Baseline:
    """Return a baseline by its name; UserError for an unknown one.

    ``videos`` gives all annotations, for a baseline that looks at them as a whole.
    """
    if name == "static":
        return Baseline(name, _static)
    if name == "linear":
        return Baseline(name, _linear)
    if name == "majority":
        return Baseline(name, _Majority(videos()))
    if name == "random":
        return Baseline(name, lambda record: _random(record, seed))
    raise UserError(f"Unknown baseline “{name}”.", hint=f"Baselines: {', '.join(BASELINES)}.")


BASELINES: Final = {
    "static": "boxes and points stay where they start",
    "linear": "boxes and points move evenly from the first to the last annotated frame",
    "majority": "the most frequent correct answer to the same question in other videos",
    "random": "a random answer to each question",
}


def _static(record: VideoRecord) -> Predictions:
    tracks: dict[int, PredictedBoxes] = {}
    for track in record.objects:
        start = start_of(track)
        frames = np.array(track.frames, np.int64)
        boxes = np.repeat(np.clip([track.boxes[start]], 0.0, 1.0), len(frames), axis=0)
        tracks[track.id] = PredictedBoxes(frames, boxes)
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
