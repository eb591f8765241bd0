"""Predictions for one video as a document, to be shown over its annotations."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, PointId, SegmentId, TrackId, new_id
from annotator.domain.metrics.overlap import span_iou
from annotator.exchange.perception_test.from_domain import ExportSettings, make_entry
from annotator.exchange.perception_test.labels import numbered
from annotator.exchange.perception_test.read import read_video
from annotator.services.dataset.evaluation.reference import ReferenceVideo
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.snapshot import snapshots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from annotator.exchange.predictions import PredictedBoxes, PredictedPoints, Predictions
    from annotator.services.dataset.evaluation.evaluation import Predictor
    from annotator.services.project.projects import OpenProject

_LIKELY: Final = 0.5
"""Segments that a model is less sure of are not shown."""


def overlay_of(project: OpenProject, video: VideoInfo, model: Predictor) -> Document:
    """Return what a model predicts for a video: tracks and points have the IDs of those that they
    are predictions for. UserError when there is nothing.
    """
    with closing(snapshots(project, [video.name])) as found:
        item = found[0]
        settings = ExportSettings(label_ids=numbered(found.used_labels(), found.label_sets))
    times = FrameTimes(item.table, item.document.video)
    entry = make_entry(item.document, times.at, None, settings, item.questions)
    # As it is read from a file: numbers and lists, nothing that is shared with the document.
    record = read_video(entry.name, msgspec.json.decode(msgspec.json.encode(entry.value)))
    predicted = model.predict(ReferenceVideo(record, {}))
    if predicted is None:
        text = f"The model has no predictions for the video “{video.name}”."
        raise UserError(text, where=model.name)
    return _Maker(item.document, entry.tracks, entry.points).document_of(predicted)


class _Maker:
    """Makes the document; ``names`` and ``point_names`` are tracks and points by record ID."""

    def __init__(
        self, truth: Document, names: tuple[TrackId, ...], point_names: tuple[PointId, ...]
    ) -> None:
        self._truth, self._names, self._point_names = truth, names, point_names
        self._video = truth.video

    def document_of(self, predicted: Predictions) -> Document:
        tracks = list(self._tracks(predicted))
        segments = list(self._segments(predicted))
        points = list(self._points(predicted))
        return Document(DraftId(""), self._video, tracks, segments, points)

    def _tracks(self, predicted: Predictions) -> Iterator[Track]:
        for number, boxes in predicted.tracks.items():
            own = self._names[number] if 0 <= number < len(self._names) else None
            true = self._truth.find_track(own) if own is not None else None
            if true is not None:
                yield Track(true.info, tuple(self._keyframes(boxes)))
        if predicted.tracks:
            return
        for number, boxes in enumerate(predicted.free, 1):
            info = TrackInfo(TrackId(new_id()), f"prediction {number}", number, number - 1)
            yield Track(info, tuple(self._keyframes(boxes)))

    def _keyframes(self, boxes: PredictedBoxes) -> Iterator[Keyframe]:
        """Yield the boxes; between two of them that are farther apart than usual there is none."""
        size = np.array([self._video.width, self._video.height] * 2)
        usual = int(np.median(np.diff(boxes.frames))) if len(boxes.frames) > 1 else 1
        n_frames, last = self._video.n_frames, None
        for frame, box in zip(boxes.frames.tolist(), (boxes.boxes * size).tolist(), strict=True):
            if frame >= n_frames:
                return
            if last is not None and frame - last > 2 * usual:
                yield Keyframe(last + 1, None, source=Source.IMPORTED)
            yield Keyframe(frame, Box(*box), source=Source.IMPORTED)
            last = frame
        if last is not None and last + 1 < n_frames:
            yield Keyframe(last + 1, None, source=Source.IMPORTED)

    def _points(self, predicted: Predictions) -> Iterator[PointTrack]:
        for number, path in predicted.points.items():
            own = self._point_names[number] if 0 <= number < len(self._point_names) else None
            true = self._truth.find_point(own) if own is not None else None
            if true is not None:
                info: PointInfo = true.info
                yield PointTrack(info, self._path(path))

    def _path(self, path: PredictedPoints) -> PointPath:
        size = self._video.width, self._video.height
        places = {
            frame: Point(x * size[0], y * size[1])
            for frame, (x, y) in zip(path.frames.tolist(), path.places.tolist(), strict=True)
            if frame < self._video.n_frames
        }
        if not places:
            return PointPath()
        first, last = min(places), max(places)
        marks = [
            PointMark(places.get(frame), occluded=frame not in places, source=Source.IMPORTED)
            for frame in range(first, last + 1)
        ]
        return PointPath().with_run(run_of(first, marks))

    def _segments(self, predicted: Predictions) -> Iterator[Segment]:
        rate = self._video.frame_rate or 30.0
        free = list(self._truth.segments)
        for segment in sorted(predicted.segments, key=lambda s: -s.score):
            if segment.score < _LIKELY:
                continue
            start = round(segment.start * rate)
            span = start, max(start + 1, round(segment.end * rate))
            near = [
                s for s in free if s.lane is segment.lane and span_iou((s.start, s.end), span) > 0.5
            ]
            same = next((s for s in near if segment.label in (s.label, str(s.label_id))), None)
            if same is not None:
                free.remove(same)
            yield Segment(
                same.id if same is not None else SegmentId(new_id()),
                segment.lane,
                same.label if same is not None else segment.label,
                *span,
                label_id=same.label_id if same is not None else None,
                slots=same.slots if same is not None else (),
            )
