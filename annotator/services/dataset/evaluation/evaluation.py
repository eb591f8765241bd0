"""Metrics of predictions against a data set, with bootstrap intervals, by metadata and label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from annotator.domain.agreement.resampling import Bootstrap, Interval, Resampled, Watch, intervals
from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding
from annotator.domain.metrics.average_precision import (
    ACTIVITYNET_TIOUS,
    TIOUS,
    Detections,
    Matched,
    match_detections,
    mean_average_precision,
)
from annotator.domain.metrics.multi_object_tracking import Clear, Hota, TrackingSums
from annotator.exchange.perception_test.records import LANES, TASK_KEYS
from annotator.exchange.predictions import CHOICES, GROUNDED, MANY, OBJECTS, POINTS, Predictions
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.evaluation.reference import CAMERA, SPLIT, ReferenceVideo
from annotator.services.dataset.evaluation.video_scores import (
    BEST_TIOU,
    ItemScore,
    SegmentRow,
    predicted_segments,
    score_many,
    score_video,
    true_segments,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALL: Final = "all"
USUAL_COLUMNS: Final = (SPLIT, CAMERA, "length", "occlusion", "area", "reasoning", "tag")
"""Columns by which results are listed unless others are asked for."""

MAIN_METRICS: Final = {
    OBJECTS: "mean_iou",
    POINTS: "average_jaccard_first",
    LANES[Lane.ACTION]: "map",
    LANES[Lane.SOUND]: "map",
    CHOICES: "top1",
    GROUNDED: "hota",
    "questions": "accuracy",
}
"""The metric of each task that its benchmark ranks by."""

QUESTIONS: Final = "questions"
"""Task of the questions that benchmarks define themselves."""

ITEM_METRICS: Final = MAIN_METRICS | dict.fromkeys(LANES.values(), BEST_TIOU)
"""The metric by which the single tracks, segments and questions of each task are listed."""

_BY_VIDEO: Final = frozenset((OBJECTS, POINTS))
_SHARE_OF_SCORING: Final = 0.6


class Predictor(Protocol):
    """A model: a file of its results, or a baseline that is computed."""

    @property
    def name(self) -> str: ...

    @property
    def findings(self) -> Sequence[Finding]:
        """Findings about the predictions as a whole, once all videos have been asked for."""
        ...

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the results for a video, None where there are none."""
        ...

    def close(self) -> None:
        """Release all open files."""
        ...


@dataclass(frozen=True, slots=True)
class MetricResult:
    """A metric over videos: of all, or of a group of the column ``by``.

    ``n_items`` counts tracks, questions or segments; ``interval`` is None where it is unknown.
    """

    model: str
    task: str
    metric: str
    by: str
    group: str
    value: float
    interval: Interval
    n_videos: int
    n_items: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results of all models, and the scores behind them by model."""

    results: tuple[MetricResult, ...]
    items: dict[str, tuple[ItemScore, ...]]
    findings: tuple[Finding, ...]


def evaluate(
    videos: Iterable[ReferenceVideo],
    models: Sequence[Predictor],
    token: JobToken,
    *,
    columns: Sequence[str] = USUAL_COLUMNS,
    bootstrap: Bootstrap | None = None,
    n_videos: int = 0,
) -> Evaluation:
    """Compare the predictions of several models with the annotations of the same videos.

    ``n_videos`` is for the progress. Raises WorkError or CanceledError when canceled.
    """
    bootstrap = bootstrap or Bootstrap()
    sums = [_Sums(model.name, tuple(columns)) for model in models]
    findings: list[Finding] = []
    for n, video in enumerate(videos):
        token.check()
        token.report(_SHARE_OF_SCORING * n / n_videos if n_videos else None, video.name)
        for model, model_sums in zip(models, sums, strict=True):
            predicted = model.predict(video)
            if predicted is None:
                model_sums.add_missing(video)
                continue
            findings += _beyond(video, predicted)
            findings += predicted.findings
            own = predicted.reference
            if own is not None:
                compared = ReferenceVideo(own, video.facts, predicted.reference_tracks)
            model_sums.add(video if own is None else compared, predicted)
    results: list[MetricResult] = []
    for i, model_sums in enumerate(sums):
        start = _SHARE_OF_SCORING + (1 - _SHARE_OF_SCORING) * i / len(sums)
        watch = Watch(
            lambda done, start=start: token.report(  # type: ignore[misc]
                start + (1 - _SHARE_OF_SCORING) * done / len(sums), "confidence intervals"
            ),
            lambda: token.is_canceled,
        )
        results += model_sums.results(bootstrap, watch)
        findings += model_sums.findings()
    for model in models:
        findings += model.findings
    items = {s.model: tuple(s.items) for s in sums}
    return Evaluation(tuple(results), items, tuple(dict.fromkeys(findings)))


def _beyond(video: ReferenceVideo, predicted: Predictions) -> Iterator[Finding]:
    """Yield predictions for frames and IDs that the video does not have."""
    record = video.record
    object_ids = {track.id for track in record.objects}
    parts: list[tuple[str, set[int]]] = [("track", set(predicted.tracks) - object_ids)]
    parts.append(("point", set(predicted.points) - set(range(len(record.points)))))
    for subject, extra in parts:
        if extra:
            text = f"Ignored: the reference has no {subject} with the ID {min(extra)}"
            text += f" (and {len(extra) - 1} more)." if len(extra) > 1 else "."
            yield Finding("unknown-id", video.name, text)
    n_frames = record.n_frames
    if n_frames is None:
        return
    frames = [t.frames for t in predicted.tracks.values()]
    frames += [p.frames for p in predicted.points.values()]
    last = max((int(f[-1]) for f in frames if len(f)), default=0)
    if last >= n_frames:
        text = f"Ignored: frame {last} does not exist in the video ({n_frames} frames)."
        yield Finding("extra-frames", video.name, text)


_TASKS: Final = (MANY, *TASK_KEYS, QUESTIONS)


def results_of_items(
    model: str, items: Sequence[ItemScore], columns: Sequence[str], bootstrap: Bootstrap
) -> list[MetricResult]:
    """Return the metrics of scores by their own groups."""
    sums = _Sums(model, tuple(columns), list(items))
    sums.names = list(dict.fromkeys(item.video for item in items))
    sums.facts = [{} for _ in sums.names]
    return sums.results(bootstrap, Watch())


@dataclass(slots=True)
class _Sums:
    """Sums of one model so far."""

    model: str
    columns: tuple[str, ...]
    items: list[ItemScore] = field(default_factory=list)
    facts: list[dict[str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    tasks: set[str] = field(default_factory=set)
    true: dict[Lane, list[list[SegmentRow]]] = field(
        default_factory=lambda: {lane: [] for lane in Lane}
    )
    predicted: dict[Lane, list[list[SegmentRow]]] = field(
        default_factory=lambda: {lane: [] for lane in Lane}
    )
    labels: dict[Lane, dict[str, str]] = field(default_factory=lambda: {lane: {} for lane in Lane})
    many: list[tuple[dict[str, str], Hota, Clear]] = field(default_factory=list)
    _absent: list[ReferenceVideo] = field(default_factory=list)

    def add(self, video: ReferenceVideo, predicted: Predictions) -> None:
        """Score the predictions for a video."""
        self.tasks |= predicted.tasks
        scores = score_video(video.record, predicted, video.tracks)
        self.items += (s for s in scores if not (s.is_missing and predicted.is_partial))
        if MANY in predicted.tasks and video.record.objects:
            self.many.append((video.facts, *score_many(video.record, predicted)))
        self._add_segments(video, predicted)

    def add_missing(self, video: ReferenceVideo) -> None:
        """Take note that nothing was predicted for a video; that counts as nothing found."""
        self.missing.append(video.name)
        self._absent.append(video)
        self._add_segments(video, Predictions())

    def _add_segments(self, video: ReferenceVideo, predicted: Predictions) -> None:
        self.names.append(video.name)
        self.facts.append(video.facts)
        for lane in Lane:
            ids = self.labels[lane]
            for segment in video.record.segments:
                if segment.lane is lane:
                    ids.setdefault(segment.label, str(segment.label_id))
            is_left_out = predicted.is_partial and LANES[lane] not in predicted.tasks
            self.true[lane].append([] if is_left_out else true_segments(video.record, lane))
            # Under what names stand in the file: which label has which ID is known in the end.
            self.predicted[lane].append(predicted_segments(predicted.segments, lane, {}))

    def findings(self) -> Iterator[Finding]:
        if self.missing:
            text = f"No predictions for {len(self.missing)} of {len(self.names)} videos"
            text += f", for example “{self.missing[0]}”. They count as nothing found."
            yield Finding("missing-videos", self.model, text)
        absent = [item for item in self.items if item.is_missing]
        by_task: dict[str, list[ItemScore]] = {}
        for item in absent:
            by_task.setdefault(item.task, []).append(item)
        for task, found in by_task.items():
            text = f"No predictions for {len(found)} of {task}"
            text += f", for example ID {found[0].id} of “{found[0].video}”. They score 0."
            yield Finding("missing-items", self.model, text)

    def results(self, bootstrap: Bootstrap, watch: Watch) -> list[MetricResult]:
        """Return all metrics of all groups."""
        empty = Predictions(frozenset(self.tasks))
        for video in self._absent:
            self.items += score_video(video.record, empty)
            if MANY in self.tasks and video.record.objects:
                self.many.append((video.facts, *score_many(video.record, empty)))
        self._absent = []
        lanes = [lane for lane in Lane if LANES[lane] in self.tasks]
        found = [*self._of_items(bootstrap), *self._of_many(bootstrap)]
        for i, lane in enumerate(lanes):
            found += self._of_segments(
                lane, bootstrap, watch.part(i / len(lanes), (i + 1) / len(lanes))
            )
        return sorted(found, key=lambda r: _TASKS.index(r.task))

    def _of_items(self, bootstrap: Bootstrap) -> Iterator[MetricResult]:
        facts = dict(zip(self.names, self.facts, strict=True))
        groups: dict[tuple[str, str, str], list[ItemScore]] = {}
        for item in self.items:
            groups.setdefault((item.task, ALL, ""), []).append(item)
            for column, group in (*item.groups, *facts[item.video].items()):
                if column in self.columns:
                    groups.setdefault((item.task, column, group), []).append(item)
        for task, by, group in sorted(groups, key=self._place):
            items = groups[task, by, group]
            if by != ALL and task in LANES.values():
                continue  # average precision says it
            metrics = list(dict.fromkeys(m for item in items for m in item.values))
            for metric in metrics if by == ALL else metrics[:1]:
                numerators, denominators = _per_video(items, metric, is_mean=task in _BY_VIDEO)
                value = _ratio(numerators, denominators)
                yield MetricResult(
                    self.model,
                    task,
                    metric,
                    by,
                    group,
                    value,
                    _interval(numerators, denominators, bootstrap),
                    len(numerators),
                    len(items),
                )

    def _place(self, key: tuple[str, str, str]) -> tuple[int, int, str]:
        task, by, group = key
        column = -1 if by == ALL else self.columns.index(by)
        return _TASKS.index(task), column, group

    def _of_many(self, bootstrap: Bootstrap) -> Iterator[MetricResult]:
        """Return the metrics of all tracks together: sums over videos, as the challenges report."""
        groups: dict[tuple[str, str], list[int]] = {}
        for i, (facts, _, _) in enumerate(self.many):
            groups.setdefault((ALL, ""), []).append(i)
            for column, group in facts.items():
                if column in self.columns:
                    groups.setdefault((column, group), []).append(i)
        for (by, group), rows in groups.items():
            sums = TrackingSums([self.many[i][1:] for i in rows])
            n = len(rows)
            values = _tracking_values(sums, np.ones(n))
            measure = Resampled(
                np.arange(n),
                n,
                lambda weight_sets, sums=sums: np.array(  # type: ignore[misc]
                    [list(_tracking_values(sums, weights).values()) for weights in weight_sets]
                ),
                len(values),
            )
            how = bootstrap if by == ALL else Bootstrap(0)
            (spans,) = intervals([measure], how)
            n_true = sum(self.many[i][2].n_true for i in rows)
            metrics = list(values) if by == ALL else ["hota"]
            for metric in metrics:
                span = spans[list(values).index(metric)]
                value = values[metric]
                yield MetricResult(self.model, MANY, metric, by, group, value, span, n, n_true)

    def _of_segments(
        self, lane: Lane, bootstrap: Bootstrap, watch: Watch
    ) -> Iterator[MetricResult]:
        ids = self.labels[lane]
        names = {number: name for name, number in ids.items()}
        predicted = [
            [SegmentRow(ids.get(s.label, s.label), s.start, s.end, s.score) for s in rows]
            for rows in self.predicted[lane]
        ]
        true = self.true[lane]
        labels = sorted({row.label for rows in true for row in rows})
        for metric, tious in (("map", TIOUS), ("map_activitynet", ACTIVITYNET_TIOUS)):
            matched = _matched(true, predicted, labels, tious)
            how = bootstrap if metric == "map" else Bootstrap(0)
            yield self._precision(lane, metric, (ALL, ""), matched, None, how, watch)
            if metric != "map":
                continue
            quick = Bootstrap(0)
            if "label" in self.columns:
                for label in labels:
                    key = "label", names.get(label, label)
                    yield self._precision(
                        lane, metric, key, {label: matched[label]}, None, quick, watch
                    )
            for column in self.columns:
                values = sorted({facts[column] for facts in self.facts if column in facts})
                for value in values:
                    chosen = np.array([f.get(column) == value for f in self.facts])
                    if not any(any(rows) for rows, c in zip(true, chosen, strict=True) if c):
                        continue
                    yield self._precision(
                        lane, metric, (column, value), matched, chosen, quick, watch
                    )

    def _precision(
        self,
        lane: Lane,
        metric: str,
        key: tuple[str, str],
        matched: dict[str, Matched],
        chosen: NDArray[np.bool_] | None,
        bootstrap: Bootstrap,
        watch: Watch,
    ) -> MetricResult:
        """Return the mean average precision of some labels on some videos."""
        n = len(self.names)
        weights = np.ones(n) if chosen is None else chosen.astype(np.float64)
        value = mean_average_precision(matched, weights)
        every = Resampled(
            np.arange(n),
            n,
            lambda weight_sets: np.array(
                [[mean_average_precision(matched, row)] for row in weight_sets]
            ),
        )
        (spans,) = intervals([every], bootstrap, watch)
        count = sum(int(matches.n_true @ weights) for matches in matched.values())
        return MetricResult(
            self.model, LANES[lane], metric, *key, value, spans[0], int(weights.sum()), count
        )


def _tracking_values(sums: TrackingSums, weights: NDArray[np.float64]) -> dict[str, float]:
    """Return the metrics of weighted videos."""
    whole, counted = sums.weighted(weights)
    return {
        "hota": whole.hota,
        "det_a": whole.det_a,
        "ass_a": whole.ass_a,
        "loc_a": whole.loc_a,
        "mota": counted.mota,
        "motp": counted.motp,
        "idf1": counted.idf1,
    }


def _matched(
    true: list[list[SegmentRow]],
    predicted: list[list[SegmentRow]],
    labels: Sequence[str],
    tious: Sequence[float],
) -> dict[str, Matched]:
    """Match the predictions of each label that is annotated; others do not count."""
    truths, guesses = _by_label(true), _by_label(predicted)
    nothing = _detections([])
    return {
        label: match_detections(
            truths.get(label, nothing), guesses.get(label, nothing), len(true), tious
        )
        for label in labels
    }


def _by_label(videos: list[list[SegmentRow]]) -> dict[str, Detections]:
    found: dict[str, list[tuple[int, SegmentRow]]] = {}
    for number, rows in enumerate(videos):
        for row in rows:
            found.setdefault(row.label, []).append((number, row))
    return {label: _detections(rows) for label, rows in found.items()}


def _detections(rows: list[tuple[int, SegmentRow]]) -> Detections:
    return Detections(
        np.array([number for number, _ in rows], np.int64),
        np.array([(row.start, row.end) for _, row in rows], np.float64).reshape(-1, 2),
        np.array([row.score for _, row in rows], np.float64),
    )


def _per_video(
    items: Sequence[ItemScore], metric: str, *, is_mean: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by video the sum of the values and how many they are; 1 where videos count alike."""
    values: dict[str, list[float]] = {}
    for item in items:
        value = item.values.get(metric, float("nan"))
        if not np.isnan(value):
            values.setdefault(item.video, []).append(value)
    sums = np.array([sum(v) / (len(v) if is_mean else 1) for v in values.values()], np.float64)
    counts = np.array([1 if is_mean else len(v) for v in values.values()], np.float64)
    return sums, counts


def _ratio(numerators: NDArray[np.float64], denominators: NDArray[np.float64]) -> float:
    total = float(denominators.sum())
    return float(numerators.sum()) / total if total else float("nan")


def _interval(
    numerators: NDArray[np.float64], denominators: NDArray[np.float64], bootstrap: Bootstrap
) -> Interval:
    n = len(numerators)
    each = Resampled(
        np.arange(n),
        n,
        lambda drawn: (drawn @ numerators / (drawn @ denominators))[:, None],
    )
    (spans,) = intervals([each], bootstrap)
    return spans[0]


@dataclass(frozen=True, slots=True)
class VideoScore:
    """Mean of the main metric of a task over a video, and the worst item there."""

    mean: float
    worst: ItemScore


def by_video(items: Iterable[ItemScore]) -> dict[str, dict[str, VideoScore]]:
    """Return the scores of each task by video; of those that have the main metric."""
    found: dict[tuple[str, str], list[ItemScore]] = {}
    for item in items:
        if not np.isnan(item.values[ITEM_METRICS[item.task]]):
            found.setdefault((item.task, item.video), []).append(item)
    scores: dict[str, dict[str, VideoScore]] = {}
    for (task, video), theirs in found.items():
        values = [item.values[ITEM_METRICS[task]] for item in theirs]
        worst = theirs[values.index(min(values))]
        scores.setdefault(task, {})[video] = VideoScore(sum(values) / len(values), worst)
    return scores


def worst_first(items: Iterable[ItemScore]) -> list[ItemScore]:
    """Return the scores from the lowest main metric of their task up."""
    return sorted(items, key=lambda item: (item.values[ITEM_METRICS[item.task]], item.video))
