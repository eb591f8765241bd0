"""Content of one video in the terms of no format: tracks, points, segments."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import overload

from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.checks import Finding
from annotator.domain.geometry import Box, Point
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

    Size, frame count, rate and duration are None where the file does not give them (or, on
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


_SIDES = 4
_OUTSIDE, _OCCLUDED = 1, 2


class PackedKeyframes(Sequence[Keyframe]):
    """Imported keyframes, each made when it is asked for; a sequence that never changes."""

    __slots__ = ("_flags", "_frames", "_sides")

    def __init__(self, keyframes: Iterable[Keyframe]) -> None:
        self._frames, self._sides, self._flags = array("q"), array("d"), bytearray()
        for key in keyframes:
            self._frames.append(key.frame)
            self._flags.append((key.box is None) * _OUTSIDE + key.occluded * _OCCLUDED)
            self._sides.extend(key.box.as_tuple() if key.box is not None else (0.0,) * _SIDES)

    def __len__(self) -> int:
        return len(self._frames)

    @overload
    def __getitem__(self, index: int) -> Keyframe: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Keyframe, ...]: ...
    def __getitem__(self, index: int | slice) -> Keyframe | tuple[Keyframe, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        frame = self._frames[index]
        at = index % len(self)
        flags = self._flags[at]
        sides = self._sides[_SIDES * at : _SIDES * (at + 1)]
        box = None if flags & _OUTSIDE else Box(*sides)
        return Keyframe(frame, box, bool(flags & _OCCLUDED), Source.IMPORTED)

    def __iter__(self) -> Iterator[Keyframe]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class PackedScores(Mapping[int, float]):
    """Scores by frame, in the order of the frames."""

    __slots__ = ("_frames", "_values")

    def __init__(self, scores: Iterable[tuple[int, float]]) -> None:
        """The last score of a frame counts when it has several."""
        self._frames, self._values = array("q"), array("d")
        for (frame, score), (following, _) in pairwise((*sorted(scores, key=_first), (-1, 0.0))):
            if frame != following:
                self._frames.append(frame)
                self._values.append(score)

    def __getitem__(self, frame: int) -> float:
        i = bisect_left(self._frames, frame)
        if i == len(self._frames) or self._frames[i] != frame:
            raise KeyError(frame)
        return self._values[i]

    def __iter__(self) -> Iterator[int]:
        return iter(self._frames)

    def __len__(self) -> int:
        return len(self._frames)

    def __repr__(self) -> str:
        return repr(dict(self))


def _first(pair: tuple[int, float]) -> int:
    return pair[0]
