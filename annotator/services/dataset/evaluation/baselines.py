"""Baselines: predictions without a model, the program's own trackers, and people's own work.

Tracks and points of two submissions are matched by overlap; segments and answers need no match.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import MediaError, UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import SubmissionId, VideoId
from annotator.domain.metrics.overlap import iou_matrix
from annotator.domain.metrics.point_accuracy import SIDE
from annotator.domain.proposals.box_proposals import Anchor
from annotator.domain.work.records import TaskStatus
from annotator.domain.work.rules import hidden_from
from annotator.exchange.perception_test.from_domain import ExportSettings, entry_name
from annotator.exchange.perception_test.labels import numbered
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.perception_test.records import columns_of
from annotator.exchange.predictions import (
    CHOICES,
    MANY,
    OBJECTS,
    POINTS,
    PredictedBoxes,
    PredictedPoints,
    Predictions,
    read_predictions,
)
from annotator.services.dataset.evaluation.video_scores import start_of
from annotator.services.matching import assigned
from annotator.services.questions.agreement.agreement import drawn_by_several
from annotator.services.questions.studies.reference_scores import (
    answers_in_study,
    is_right_in,
    judged_in,
)
from annotator.services.questions.studies.studies import studies
from annotator.services.transfer.perception_test import make
from annotator.services.transfer.snapshot import ContentPlace, Parts, Snapshots, parts_of
from annotator.store.file.file_state import state_of
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from annotator.domain.annotation.labels import LabelSet
    from annotator.domain.checks import Finding
    from annotator.exchange.perception_test.records import ObjectRecord, PointRecord, VideoRecord
    from annotator.media import Video
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.evaluation.evaluation import Predictor
    from annotator.services.dataset.evaluation.reference import Reference, ReferenceVideo
    from annotator.services.project.projects import OpenProject


class OwnTrackers:
    """Follows each object from the box that a tracker is given, each point from its first place.

    Videos without a file have no predictions, which counts as nothing found.
    """

    def __init__(self, name: str, reference: Reference, token: JobToken) -> None:
        self.name = name
        self._reference, self._token = reference, token
        self._problems: list[Finding] = []

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(self._problems)

    def close(self) -> None:
        """There is nothing to release."""

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return tracks and points of a video; CanceledError when canceled."""
        from annotator.media import Video

        record, nothing = video.record, Predictions(frozenset((OBJECTS, POINTS)))
        if not record.objects and not record.points:
            return nothing
        path = self._reference.media_path(video.name)
        if path is None:
            text = "The video file is missing; the trackers cannot run."
            self._problems.append(Finding("missing-media", video.name, text, Severity.ERROR))
            return nothing
        try:
            with Video(path) as source:
                tracks = {t.id: self._tracked(source, t) for t in record.objects}
                points = dict(self._followed(source, record))
        except MediaError as error:
            self._problems.append(Finding("bad-media", video.name, error.text, Severity.ERROR))
            return nothing
        return Predictions(frozenset((OBJECTS, POINTS)), tracks, points)

    def _tracked(self, source: Video, track: ObjectRecord) -> PredictedBoxes:
        from annotator.assist import propose

        size = np.array([*source.size, *source.size], np.float64)
        start = start_of(track)
        first = np.clip(np.array(track.boxes[start], np.float64), 0.0, 1.0)
        boxes = {track.frames[start]: first}
        span = track.frames[start] + 1, min(track.frames[-1] + 1, len(source))
        anchors = [Anchor(track.frames[start], Box(*(first * size).tolist()))]
        if span[0] < span[1]:
            for proposal in propose(source, anchors, span, cancel=lambda: self._token.is_canceled):
                self._token.check()
                if proposal.box is None:
                    boxes.pop(proposal.frame, None)
                else:
                    box = np.array(proposal.box.as_tuple()) / size
                    boxes[proposal.frame] = np.clip(box, 0.0, 1.0)
        frames = sorted(boxes)
        return PredictedBoxes(np.array(frames), np.array([boxes[f] for f in frames]))

    def _followed(
        self, source: Video, record: VideoRecord
    ) -> Iterator[tuple[int, PredictedPoints]]:
        from annotator.assist import propose_points

        if not record.points:
            return
        size = np.array(source.size, np.float64)
        anchors = {
            str(i): [(p.frames[0], Point(p.xs[0] * size[0], p.ys[0] * size[1]))]
            for i, p in enumerate(record.points)
        }
        paths: dict[str, dict[int, tuple[float, float]]] = {
            str(i): {p.frames[0]: (p.xs[0], p.ys[0])} for i, p in enumerate(record.points)
        }
        for name, point_proposals in propose_points(
            source, anchors, cancel=lambda: self._token.is_canceled
        ):
            self._token.check()
            if point_proposals.xy is None or point_proposals.occluded:
                paths[name].pop(point_proposals.frame, None)
            else:
                paths[name][point_proposals.frame] = (
                    point_proposals.xy.x / size[0],
                    point_proposals.xy.y / size[1],
                )
        for i in range(len(record.points)):
            frames = sorted(paths[str(i)])
            places = np.array([paths[str(i)][f] for f in frames]).reshape(-1, 2)
            yield i, PredictedPoints(np.array(frames, np.int64), places)


_NEAR_PX = 16.0  # of 256: farther apart two points are of different places
_LEAST = 0.1  # below this overlap two tracks are of different objects


class _Submissions:
    """Compares two sets of submissions about each video: ``pairs`` are theirs and the others'."""

    def __init__(
        self, name: str, project: OpenProject, pairs: Mapping[str, tuple[Parts, Parts]]
    ) -> None:
        from annotator.domain.annotation.segment import Lane

        self.name = name
        self.findings: tuple[Finding, ...] = ()
        infos = {entry_name(info): info for info, _ in project.media.all()}
        self._places = {
            video: tuple(
                ContentPlace(infos[video].id, infos[video].name, None, None, p) for p in both
            )
            for video, both in pairs.items()
            if video in infos
        }
        sets: tuple[LabelSet, ...] = tuple(project.label_set(lane) for lane in Lane)
        every = [place for both in self._places.values() for place in both]
        self._items = Snapshots(state_of(project.file), every, sets, project.own_files)
        labels = numbered(self._items.used_labels(), sets)
        self._settings = ExportSettings(label_ids=labels)

    def close(self) -> None:
        """Release the project."""
        self._items.close()

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the work of the second person, with that of the first as its reference."""
        places = self._places.get(video.name)
        if places is None:
            return Predictions(is_partial=True)
        both = make(self._items.state, places, self._settings)
        values: list[dict[str, Any]] = [
            msgspec.json.decode(b"{%b}" % entry.body)[entry.name] for entry in both
        ]
        one, other = (read_video(video.name, value) for value in values)
        predictions = read_predictions(video.name, values[1])
        tasks_drawn = frozenset(
            task
            for task in predictions.tasks
            if task not in (CHOICES, "grounded_question") and (values[0][task] or values[1][task])
        )
        predictions = replace(predictions, tasks=tasks_drawn, reference_tracks=both[0].tracks)
        return _matched(one, other, predictions)


class FirstSubmissions(_Submissions):
    """First submission for each task, against the final result."""

    def __init__(self, name: str, project: OpenProject, token: JobToken) -> None:
        kinds = [t for t in project.work.recipe.task_types if t.form is None]
        pairs: dict[str, tuple[Parts, Parts]] = {}
        for info, _ in project.media.all():
            token.check()
            final, _ = parts_of(project, info.id, info.name)
            first: list[Any] = []
            last: list[Any] = []
            for kind in kinds:
                with project.file.reading() as connection:
                    task_id = tasks.find_by_kind(connection, info.id, kind.kind)
                if task_id is None:
                    continue
                record = project.work.record(task_id)
                if record.status is not TaskStatus.COMPLETE or hidden_from(
                    record, project.work.people.check_lead()
                ):
                    continue
                begun = [a for a in record.assignments if a.submissions]
                ended = [part for part in final if part[0] == kind.tools]
                if begun and ended:
                    first.append((kind.tools, begun[0].submissions[0].submission_id))
                    last += ended
            if first:
                pairs[entry_name(info)] = tuple(last), tuple(first)
        super().__init__(name, project, pairs)


class Raters(_Submissions):
    """Independent submissions for one task, the first against the second; answers in studies."""

    def __init__(self, name: str, project: OpenProject, token: JobToken) -> None:
        answers_of: dict[VideoId, dict[str, list[Any]]] = {}
        for kind in project.work.recipe.task_types:
            if kind.form is not None or not any(stage.raters > 1 for stage in kind.stages):
                continue
            for work in drawn_by_several(project, kind, token):
                by_kind = answers_of.setdefault(work.document.video.id, {})
                by_kind.setdefault(kind.kind, []).append((kind.tools, SubmissionId(work.digest)))
        pairs: dict[str, tuple[Parts, Parts]] = {}
        for info, _ in project.media.all():
            both = [works[:2] for works in answers_of.get(info.id, {}).values() if len(works) > 1]
            if both:
                pairs[entry_name(info)] = (
                    tuple(works[0] for works in both),
                    tuple(works[1] for works in both),
                )
        super().__init__(name, project, pairs)
        self._rights = _rights(project)

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the work of the second person, and which share of people answered rightly."""
        found = super().predict(video) or Predictions(is_partial=True)
        shares: dict[int, float] = {}
        for asked in video.record.kept.get(CHOICES, []):
            number, options = asked.get("id"), asked.get("options")
            if isinstance(number, int) and isinstance(options, list):
                key = video.name, str(asked.get("question")), tuple(map(str, options))
                if rights := self._rights.get(key):
                    shares[number] = sum(rights) / len(rights)
        if not shares:
            return found
        return replace(found, tasks=found.tasks | {CHOICES}, shares=shares)


def _rights(project: OpenProject) -> dict[tuple[str, str, tuple[str, ...]], list[bool]]:
    """Return which answers in studies are right, by video, question and options."""
    names = {info.id: entry_name(info) for info, _ in project.media.all()}
    found: dict[tuple[str, str, tuple[str, ...]], list[bool]] = {}
    for study in studies(project):
        judged = judged_in(project, study)
        for answer in answers_in_study(project, study):
            is_right = is_right_in(answer, judged)
            item = answer.item
            if is_right is not None and item.video_ids and item.video_ids[0] in names:
                texts = tuple(option.text for option in item.options)
                key = names[item.video_ids[0]], item.text, texts
                found.setdefault(key, []).append(is_right)
    return found


def _matched(one: VideoRecord, other: VideoRecord, predictions: Predictions) -> Predictions:
    """Return what the other person did, under the IDs of what the first did of the same."""
    pairs = _pairs(
        [[_overlap(a, b) for b in other.objects] for a in one.objects], len(other.objects)
    )
    tracks = {
        one.objects[i].id: predictions.tracks[other.objects[j].id]
        for i, j in pairs
        if other.objects[j].id in predictions.tracks
    }
    near = [
        [_nearness((a.frames, a.xs, a.ys), (b.frames, b.xs, b.ys)) for b in other.points]
        for a in one.points
    ]
    numbers = list(predictions.points)
    points = {
        i: predictions.points[numbers[j]]
        for i, j in _pairs(near, len(other.points))
        if j < len(numbers)
    }
    free = tuple(predictions.tracks.values())
    tasks = predictions.tasks | ({MANY} if OBJECTS in predictions.tasks else set())
    return replace(
        predictions,
        tasks=tasks,
        tracks=tracks,
        points=points,
        free=free,
        reference=one,
        is_partial=True,
    )


def _pairs(matrix: list[list[float]], n_columns: int) -> Iterable[tuple[int, int]]:
    if not matrix or not n_columns:
        return []
    table = np.array(matrix)
    return [(i, j) for i, j in assigned(table) if table[i, j] >= _LEAST]


def _overlap(one: ObjectRecord, other: ObjectRecord) -> float:
    """Return the mean IoU of two tracks over the frames on which either has a box."""
    first = dict(zip(one.frames, one.boxes, strict=True))
    second = dict(zip(other.frames, other.boxes, strict=True))
    common = sorted(first.keys() & second.keys())
    if not common:
        return 0.0
    a, b = (np.array([boxes[f] for f in common], np.float64) for boxes in (first, second))
    each: NDArray[np.float64] = np.diagonal(iou_matrix(a, b))
    return float(each.sum() / len(first.keys() | second.keys()))


_PlacesOf = tuple[Any, Any, Any]


def _nearness(one: _PlacesOf, other: _PlacesOf) -> float:
    """Return the share of frames, of those on which either is visible, on which two are near."""
    first, second = ({f: (x, y) for f, x, y in zip(*each, strict=True)} for each in (one, other))
    common = sorted(first.keys() & second.keys())
    if not common:
        return 0.0
    a, b = (np.array([path[f] for f in common]) * SIDE for path in (first, second))
    near = np.linalg.norm(a - b, axis=1) <= _NEAR_PX
    return float(near.sum() / len(first.keys() | second.keys()))


class Baseline:
    """Predictions computed from the inputs of a model: the start of each track, each question."""

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
