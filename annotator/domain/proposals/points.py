"""Proposals for points: what a follower suggests between two places a person has fixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from annotator.domain.annotation.point_path import PointMark, PointRun, run_of
from annotator.domain.annotation.point_track import PointTrack, open_point_gaps
from annotator.domain.annotation.segment import DISMISSED
from annotator.domain.annotation.track import Source
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId
from annotator.domain.json_type import Json
from annotator.domain.proposals.boxes import Origin, most_doubtful

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "PointProposalRun",
    "ProposedPoint",
    "accepted_run",
    "is_point_run_current",
    "most_doubtful",
    "pending_point_at",
    "pending_points",
]


class ProposedPoint(NamedTuple):
    """A suggestion for one frame, with confidence 0..1.

    ``xy`` is None where no place is known: hidden when ``occluded``, else out of view.
    """

    frame: int
    xy: Point | None
    occluded: bool
    confidence: float

    @property
    def mark(self) -> PointMark:
        """The mark that accepting this makes."""
        return PointMark(self.xy, self.occluded, Source.ACCEPTED)


@dataclass(frozen=True, slots=True, eq=False)
class PointProposalRun:
    """Suggestions for consecutive frames from ``start`` on, in one gap of one point.

    ``xy`` is float32 [n, 2] in pixels, NaN where there is no place; ``occluded`` is uint8 [n],
    0 or 1; ``confidence`` is float32 [n], 0..1, NaN where nothing has been computed yet.
    """

    point_id: PointId
    start: int
    xy: NDArray[np.float32]
    occluded: NDArray[np.uint8]
    confidence: NDArray[np.float32]
    origin: Origin

    def __post_init__(self) -> None:
        n = len(self.confidence)
        if self.xy.shape != (n, 2) or self.occluded.shape != (n,):
            raise ValueError("a run has one place, one flag and one confidence for each frame")

    @property
    def end(self) -> int:
        """The frame after the last."""
        return self.start + len(self.confidence)

    def at(self, frame: int) -> ProposedPoint | None:
        """Return the suggestion for a frame, None where there is none (yet)."""
        i = frame - self.start
        if not 0 <= i < len(self.confidence) or np.isnan(self.confidence[i]):
            return None
        x, y = (float(v) for v in self.xy[i])
        place = None if np.isnan(x) else Point(x, y)
        return ProposedPoint(frame, place, bool(self.occluded[i]), float(self.confidence[i]))

    def items(self) -> Iterator[ProposedPoint]:
        """Yield every suggestion, ascending by frame."""
        for frame in range(self.start, self.end):
            proposed = self.at(frame)
            if proposed is not None:
                yield proposed

    def part(self, start: int, end: int) -> PointProposalRun:
        """Return the frames ``start <= f < end`` of this run, which must lie in it."""
        rows = slice(start - self.start, end - self.start)
        return PointProposalRun(
            self.point_id,
            start,
            self.xy[rows],
            self.occluded[rows],
            self.confidence[rows],
            self.origin,
        )


def is_point_run_current(point: PointTrack, run: PointProposalRun) -> bool:
    """Tell whether a run was made from the very marks that are at the ends of its gap now.

    A run whose origin tells no anchors is taken as it is.
    """
    held = run.origin.parameters.get("anchors")
    if not isinstance(held, list):
        return True
    # The run's first frame is itself an end if a person has placed the point there since.
    lower, upper = point.path.human_around(run.start + 1)[0], point.path.human_around(run.start)[1]
    ends: list[Json] = []
    for frame in (lower, upper):
        mark = point.mark(frame) if frame is not None else None
        if frame is None or mark is None or mark.xy is None:
            return False
        ends.append([frame, float(mark.xy.x), float(mark.xy.y)])
    return held == ends


def pending_points(point: PointTrack, runs: Iterable[PointProposalRun]) -> list[ProposedPoint]:
    """Return the suggestions that wait for a judgement: in open gaps, on frames without a mark.

    Those made from other marks than the gap has now are left out. What a model's file says holds
    wherever the point has no mark.
    """
    runs = [run for run in runs if is_point_run_current(point, run)]
    if not runs:
        return []
    found = {}
    gaps = [(gap.start, gap.end) for gap in open_point_gaps(point)]
    for run in runs:
        for start, end in [(run.start, run.end)] if run.origin.is_file else gaps:
            first, last = max(start, run.start), min(end, run.end)
            if first < last:
                free = point.path.run(first, last).flags == 0
                part = run.part(first, last)
                found.update({p.frame: p for p in part.items() if free[p.frame - first]})
    if DISMISSED in point.info.extra:
        found = {frame: p for frame, p in found.items() if not point.is_dismissed(frame)}
    return [found[frame] for frame in sorted(found)]


def pending_point_at(
    point: PointTrack, runs: Iterable[PointProposalRun], frame: int
) -> ProposedPoint | None:
    """Return the suggestion that waits for a judgement on one frame."""
    for run in runs:
        if run.start <= frame < run.end:
            proposed = run.at(frame)
            if proposed is None or point.mark(frame) is not None or point.is_dismissed(frame):
                return None
            if not is_point_run_current(point, run):
                return None
            is_open = run.origin.is_file or None not in point.path.human_around(frame)
            return proposed if is_open else None
    return None


def accepted_run(proposals: Sequence[ProposedPoint]) -> PointRun:
    """Return suggestions, ascending by frame, as the marks that accepting them makes.

    Frames between them that have none stay without a mark. ValueError when there are none at all.
    """
    if not proposals:
        raise ValueError("nothing to accept")
    marks = {p.frame: p.mark for p in proposals}
    start, end = proposals[0].frame, proposals[-1].frame + 1
    return run_of(start, [marks.get(frame) for frame in range(start, end)])
