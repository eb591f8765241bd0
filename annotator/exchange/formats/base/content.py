"""Content of one video in the terms of no format: tracks, points, segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Keyframe
from annotator.domain.checks import Finding
from annotator.domain.geometry import Point
from annotator.domain.json_type import Json


@dataclass(frozen=True, slots=True)
class TrackContent:
    """Box track. ``keyframes`` ascend by frame; one without a box says "out of view" from there.

    ``key`` is the track's identity in the file, ``attributes`` what else the file says of it,
    ``scores`` the score of each frame that the file has one for. Where the file has times only,
    ``times_us`` is the time of each keyframe, and its frame is a placeholder.
    """

    label: str
    keyframes: Sequence[Keyframe]
    key: str = ""
    attributes: dict[str, Json] = field(default_factory=dict)
    scores: Mapping[int, float] = field(default_factory=dict)
    times_us: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PointContent:
    """Point track: places by frame, in pixels; None where the point is occluded. ``scores`` are by
    frame, where the file has them; ``owner`` is the key of the track that it belongs to.
    """

    label: str
    places: dict[int, Point | None]
    key: str = ""
    scores: dict[int, float] = field(default_factory=dict)
    owner: str = ""
    attributes: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SegmentContent:
    """Segment: half-open ``frames``, or ``times_us`` from the start of the video where the file
    has times only. ``objects`` are the keys of the tracks that take part. Where the file has
    numbers of labels, ``label`` is empty and ``label_id`` the number in the project's label set.
    """

    lane: Lane
    label: str
    frames: tuple[int, int] | None = None
    times_us: tuple[int, int] | None = None
    key: str = ""
    score: float | None = None
    attributes: dict[str, Json] = field(default_factory=dict)
    objects: tuple[str, ...] = ()
    label_id: int | None = None


@dataclass(frozen=True, slots=True)
class VideoContent:
    """Content of one video: ``name`` without extension, ``path`` its place in the file.

    Size, frame count, rate and duration are None where the file does not tell them (or, on
    writing, are those of the video). ``times_us`` is when each frame appears and the last one ends;
    only writers have it. ``is_fraction``: places are fractions of width and height, not pixels.
    """

    name: str
    path: str
    tracks: tuple[TrackContent, ...] = ()
    points: tuple[PointContent, ...] = ()
    segments: tuple[SegmentContent, ...] = ()
    size: tuple[int, int] | None = None
    n_frames: int | None = None
    rate: float | None = None
    findings: tuple[Finding, ...] = ()
    times_us: tuple[int, ...] = ()
    file_name: str = ""
    is_fraction: bool = False

    @property
    def duration_s(self) -> float:
        """Seconds until the last frame ends; 0 where no times are known."""
        return self.times_us[-1] / 1e6 if self.times_us else 0.0
