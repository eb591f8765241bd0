"""Point tracks: a named part of an object, followed on every frame."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from annotator.domain.annotation.attributes import attributes_in
from annotator.domain.annotation.point_path import PointMark, PointPath, PointRun
from annotator.domain.annotation.segment import DISMISSED, PROPOSED_BY
from annotator.domain.annotation.track import ranges_in
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json


@dataclass(frozen=True, slots=True)
class PointInfo:
    """Description of a point track: a part (``label``) of the object ``track_id``.

    ``number`` counts within the draft; ``color`` counts into the object palette.
    """

    id: PointId
    track_id: TrackId | None
    label: str
    number: int
    color: int
    is_locked: bool = False
    is_hidden: bool = False
    extra: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PointTrack:
    """A point's description and its marks."""

    info: PointInfo
    path: PointPath = field(default_factory=PointPath)

    @property
    def id(self) -> PointId:
        return self.info.id

    @property
    def attributes(self) -> dict[str, Json]:
        """Values of the point's attributes by key; see ``annotation.attributes``."""
        return attributes_in(self.info.extra)

    @property
    def label(self) -> str:
        return self.info.label

    @property
    def is_proposed(self) -> bool:
        """True for the point of a model of which nobody has accepted a frame: no annotation."""
        return PROPOSED_BY in self.info.extra and not self.path.blocks

    def is_dismissed(self, frame: int) -> bool:
        """Tell whether somebody dismissed the proposals of a range with this frame."""
        ranges = ranges_in(self.info.extra.get(DISMISSED))
        return any(start <= frame < end for start, end in ranges)

    def mark(self, frame: int) -> PointMark | None:
        """Return the mark of a frame, None where nobody has made one."""
        return self.path.mark(frame)

    def with_run(self, run: PointRun) -> PointTrack:
        """Return this track with the marks of the run's frames replaced."""
        return replace(self, path=self.path.with_run(run))


class PointGap(NamedTuple):
    """Frames ``start <= f < end`` without a person's mark, between two marks with a place.

    ``lower`` and ``upper`` are those places, on frames ``start - 1`` and ``end``.
    """

    point_id: PointId
    start: int
    end: int
    lower: Point
    upper: Point


def open_point_gaps(point: PointTrack) -> list[PointGap]:
    """Return the stretches between two visible human marks that hold a frame without any mark.

    A person's "occluded" or "out of view" between them stays as it is: it is no end of a gap.
    """
    path = point.path
    frames = path.human_frames()
    # Where fewer frames are marked than there are, at least one is open. Counted in one pass: a
    # point placed by hand all along has thousands of neighbours.
    is_open = np.diff(np.searchsorted(path.frames(), frames)) < np.diff(frames)
    gaps = []
    for i in np.flatnonzero(is_open).tolist():
        start, end = int(frames[i]), int(frames[i + 1])
        lower, upper = path.mark(start), path.mark(end)
        if lower is not None and upper is not None and lower.xy and upper.xy:
            gaps.append(PointGap(point.id, start + 1, end, lower.xy, upper.xy))
    return gaps
