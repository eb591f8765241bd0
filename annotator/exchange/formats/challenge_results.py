"""Results of a model as the scorers of the Perception Test challenge take them (JSON).

Places are fractions of the image; objects and points have the IDs of those that they are results
for, segments have scores and names or IDs of labels, with times in seconds.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import numpy as np

from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.geometry import Box, Point
from annotator.exchange.formats.base.file_content import (
    PointContent,
    SegmentContent,
    TrackContent,
    VideoContent,
)
from annotator.exchange.formats.base.format import Format
from annotator.exchange.formats.base.plain_files import fail, label_of
from annotator.exchange.predictions import CHOICES, GROUNDED, PredictedBoxes, read_predictions
from annotator.exchange.strict_json import JsonObjectFile

_LIST: Final = re.compile(rb'\s*\{\s*"[^"]{1,200}"\s*:\s*\[\s*(?:\{\s*"(?:id|bounding_boxes)"|\])')
_SHARE: Final = 1e-9


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError names the JSON path of the first fault."""
    videos = []
    file = JsonObjectFile(path)
    try:
        for name in file.keys():  # noqa: SIM118 - no mapping
            predictions = read_predictions(name, file.member(name))
            wrong = next(iter(predictions.findings), None)
            if wrong is not None:
                raise fail(path, f"{wrong.where}: {wrong.text}")
            if predictions.tasks <= {CHOICES, GROUNDED} and predictions.tasks:
                text = f"The entry “{name}” has answers only; tracks and segments are read."
                raise fail(path, text)
            tracks = tuple(_track(number, boxes) for number, boxes in predictions.tracks.items())
            points = tuple(
                PointContent(
                    f"point {number}",
                    {
                        int(frame): Point(float(x), float(y))
                        for frame, (x, y) in zip(entry.frames, entry.places, strict=True)
                    },
                    str(number),
                )
                for number, entry in predictions.points.items()
            )
            segments = tuple(
                SegmentContent(
                    entry.lane,
                    "" if entry.label.isdecimal() else label_of(entry.label),
                    None,
                    (round(entry.start * 1e6), round(entry.end * 1e6)),
                    str(i),
                    entry.score,
                    label_id=int(entry.label) if entry.label.isdecimal() else None,
                )
                for i, entry in enumerate(predictions.segments)
            )
            videos.append(
                VideoContent(name, f"$.{name}", tracks, points, segments, is_fraction=True)
            )
    finally:
        file.close()
    return videos


def _track(number: int, told: PredictedBoxes) -> TrackContent:
    """Return a track; between frames that are apart it moves evenly, as scorers interpolate."""
    keys: list[Keyframe] = []
    for frame, sides in zip(told.frames.tolist(), told.boxes, strict=True):
        box = Box(*(float(side) for side in sides))
        is_there = bool(np.all(sides[2:] - sides[:2] > _SHARE))
        if is_there or keys:
            keys.append(Keyframe(frame, box if is_there else None, source=Source.IMPORTED))
    scores = {key.frame: told.score for key in keys if key.box is not None}
    return TrackContent(f"object {number}", tuple(keys), str(number), {}, scores)


FORMAT: Final = Format(
    "challenge-results",
    "Perception Test challenge results (JSON)",
    (".json",),
    "json",
    needs_videos=True,
    holds=("boxes", "points", "actions", "sounds"),
    source="Perception Test challenge, submission formats",
    read=read,
    writes=False,
    detect=lambda head: (
        _LIST.match(head.removeprefix(b"\xef\xbb\xbf")) is not None
        or (
            b'"score"' in head
            and b'"metadata"' not in head
            and re.search(rb'"(?:action|sound)_localisation"\s*:\s*\[', head) is not None
        )
    ),
)
