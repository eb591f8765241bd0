"""The program's own trackers as a baseline: from the first box, and the first visible point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import MediaError
from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.boxes import Anchor
from annotator.exchange.predictions import (
    OBJECTS,
    POINTS,
    PredictedBoxes,
    PredictedPoints,
    Predictions,
)
from annotator.services.dataset.evaluating.scoring import start_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from annotator.exchange.perception_test.records import ObjectRecord, VideoRecord
    from annotator.media import Video
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.evaluating.reference import Reference, ReferenceVideo


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
        """Return tracks and points of a video; CancelledError when canceled."""
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
        found = {track.frames[start]: first}
        span = track.frames[start] + 1, min(track.frames[-1] + 1, len(source))
        anchors = [Anchor(track.frames[start], Box(*(first * size).tolist()))]
        if span[0] < span[1]:
            for each in propose(source, anchors, span, cancel=lambda: self._token.is_cancelled):
                self._token.check()
                if each.box is None:
                    found.pop(each.frame, None)
                else:
                    box = np.array(each.box.as_tuple()) / size
                    found[each.frame] = np.clip(box, 0.0, 1.0)
        frames = sorted(found)
        return PredictedBoxes(np.array(frames), np.array([found[f] for f in frames]))

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
        found: dict[str, dict[int, tuple[float, float]]] = {
            str(i): {p.frames[0]: (p.xs[0], p.ys[0])} for i, p in enumerate(record.points)
        }
        for name, each in propose_points(source, anchors, cancel=lambda: self._token.is_cancelled):
            self._token.check()
            if each.xy is None or each.occluded:
                found[name].pop(each.frame, None)
            else:
                found[name][each.frame] = each.xy.x / size[0], each.xy.y / size[1]
        for i in range(len(record.points)):
            frames = sorted(found[str(i)])
            places = np.array([found[str(i)][f] for f in frames]).reshape(-1, 2)
            yield i, PredictedPoints(np.array(frames, np.int64), places)
