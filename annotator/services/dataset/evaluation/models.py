"""Predictions in files: results as JSON, or tracks and segments in formats of other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.domain.plurals import many
from annotator.exchange.formats import challenge_results
from annotator.exchange.formats.base.document_conversion import boxes_on_frames
from annotator.exchange.perception_test.records import LANES
from annotator.exchange.predictions import (
    MANY,
    PredictedBoxes,
    PredictedSegment,
    Predictions,
    read_predictions,
)
from annotator.exchange.strict_json import JsonObjectFile
from annotator.services.dataset.evaluation.baselines import BASELINES
from annotator.services.dataset.evaluation.reference import ReferenceVideo
from annotator.services.transfer.formats import format_of_content

if TYPE_CHECKING:
    from annotator.exchange.formats.base.file_content import SegmentContent


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
        text = (
            f"Ignored: {many(len(unknown), 'video')} that the reference does not have, for example "
        )
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
        """Release the file."""
        self._contents = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        unknown = sorted(set(self._contents) - self._asked)
        if not unknown:
            return tuple(self._problems)
        text = (
            f"Ignored: {many(len(unknown), 'video')} that the reference does not have, for example "
        )
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
                score = max(track.scores.values(), default=1.0)
                free.append(PredictedBoxes(frames, boxes, score))
        rate = video.record.frame_rate or 30.0
        segments = tuple(
            PredictedSegment(
                segment.lane,
                segment.label,
                *_seconds(segment, rate),
                segment.score if segment.score is not None else 1.0,
            )
            for segment in content.segments
        )
        lanes = {LANES[segment.lane] for segment in segments}
        tasks = frozenset({MANY} if free else ()) | lanes
        return Predictions(tasks, segments=segments, free=tuple(free))


def _seconds(segment: SegmentContent, rate: float) -> tuple[float, float]:
    if segment.times_us is not None:
        return segment.times_us[0] / 1e6, segment.times_us[1] / 1e6
    start, end = segment.frames or (0, 0)
    return start / rate, end / rate


def named_predictions(paths: Iterable[Path]) -> dict[str, Path]:
    """Return files of predictions by the name of their model: that of the file.

    Where several files, or a baseline, have the same name, it is the whole path.
    """
    files = list(dict.fromkeys(paths))
    stems = Counter([*BASELINES, *(path.stem for path in files)])
    return {path.stem if stems[path.stem] == 1 else str(path): path for path in files}


def prediction_file(path: Path, name: str = "") -> PredictionFile | ContentFile:
    """Open a file of predictions by its content: results as JSON, or a format of other programs.

    ExchangeError when it cannot be read.
    """
    form = format_of_content(path)
    # Only the challenge reader keeps the task of each result.
    is_content = form.read is not None and form is not challenge_results.FORMAT
    return ContentFile(path, name) if is_content else PredictionFile(path, name)
