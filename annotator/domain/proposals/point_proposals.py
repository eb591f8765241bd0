"""Proposals for points between two marks set by a person, and beside a point's only one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from annotator.domain.annotation.point_track import (
    HUMAN_CODE,
    NO_MARK,
    OCCLUDED_BIT,
    SOURCE_BITS,
    PointMark,
    PointRun,
    PointTrack,
    open_point_gaps,
    run_of,
)
from annotator.domain.annotation.segment import DISMISSED
from annotator.domain.annotation.track import Source, ranges_in
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId
from annotator.domain.json_type import Json
from annotator.domain.proposals.runs import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MARK_REACH: Final = 30  # frames
_OVERRULED: Final = 0.7  # confidence below which an occluded mark nearby holds


class ProposedPoint(NamedTuple):
    """A suggestion for one frame, with confidence 0..1.

    ``xy`` is None where no place is known: hidden when ``occluded``, else out of view.
    """

    frame: int
    xy: Point | None
    occluded: bool
    confidence: float

    @property
    def place(self) -> tuple[float, ...] | None:
        return (self.xy.x, self.xy.y) if self.xy is not None else None

    @property
    def mark(self) -> PointMark:
        """The mark that accepting this makes."""
        return PointMark(self.xy, self.occluded, Source.ACCEPTED)


@dataclass(frozen=True, slots=True, eq=False)
class PointProposalRun(Run[PointId, ProposedPoint]):
    """Proposed places in one gap of a point.

    ``values`` is float32 [n, 2] in pixels (x, y), NaN where there is no place.
    """

    WIDTH = 2

    @property
    def point_id(self) -> PointId:
        return self.owner_id

    @property
    def xy(self) -> NDArray[np.float32]:
        return self.values

    def suggestion(
        self, frame: int, place: Sequence[float] | None, confidence: float, occluded: bool
    ) -> ProposedPoint:
        """Return the place of one frame."""
        xy = None if place is None else Point(*place)
        return ProposedPoint(frame, xy, occluded, confidence)


def is_point_run_current(point: PointTrack, run: PointProposalRun) -> bool:
    """Return whether a run was made from the present marks at the ends of its gap.

    A run whose origin names no anchors is used as it is.
    """
    anchor_frames = run.origin.parameters.get("anchors")
    if not isinstance(anchor_frames, list):
        return True
    # The run's first frame is itself an end if a person has placed the point there since.
    lower, upper = point.path.human_around(run.start + 1)[0], point.path.human_around(run.start)[1]
    if not _is_open(point, lower, upper):
        return False
    ends: list[Json] = []
    for frame in (lower, upper):
        mark = point.mark(frame) if frame is not None else None
        if mark is not None and mark.xy is not None:
            ends.append([frame, float(mark.xy.x), float(mark.xy.y)])
    return anchor_frames == ends


def _is_open(point: PointTrack, lower: int | None, upper: int | None) -> bool:
    """Return whether frames between these human marks get proposals: two, or a point's only one."""
    if lower is None or upper is None:
        only = lower if upper is None else upper
        return only is not None and point.path.human_around(only) == (None, None)
    return True


def with_marks(point: PointTrack, run: PointProposalRun) -> PointProposalRun:
    """Return a run with what a person's occluded marks say of the proposals around them.

    From such a mark on, up to 30 frames to each side, proposals of a confidence below 0.7 are
    occluded as well; the first one with more ends that, and the first mark that is not occluded.
    """
    start = max(0, run.start - _MARK_REACH)
    flags = point.path.run(start, run.end + _MARK_REACH).flags
    is_occluded = (flags & OCCLUDED_BIT) != 0
    is_source = is_occluded & ((flags & SOURCE_BITS) == HUMAN_CODE)
    if not is_source.any():
        return run
    rows = slice(run.start - start, run.end - start)
    is_open = np.zeros(len(flags), np.bool_)
    is_open[rows] = (flags[rows] == NO_MARK) & (run.confidence < _OVERRULED)
    passes = is_occluded | is_open
    is_near = _after(is_source, passes) | _after(is_source[::-1], passes[::-1])[::-1]
    changed = (is_near & is_open)[rows]
    return replace(run, occluded=run.occluded | changed)


def _after(is_source: NDArray[np.bool_], passes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which frames can be reached from a source before them, bool [n] as both arguments."""
    frames = np.arange(len(passes))
    last_source = np.maximum.accumulate(np.where(is_source, frames, -_MARK_REACH - 1))
    last_stop = np.maximum.accumulate(np.where(passes, -1, frames))
    return (last_source > last_stop) & (frames - last_source <= _MARK_REACH)


def _pending_parts(
    point: PointTrack, runs: Iterable[PointProposalRun], n_frames: int
) -> Iterator[PointProposalRun]:
    """Yield the parts of runs that lie in open gaps, with nothing on frames that are not pending.

    Those made from other marks than the gap has now are left out. What a model's file says holds
    wherever the point has no mark.
    """
    runs = [run for run in runs if is_point_run_current(point, run)]
    if not runs:
        return  # asked for every point after each edit
    gaps = [(gap.start, gap.end) for gap in open_point_gaps(point, n_frames)]
    dismissed = ranges_in(point.info.extra.get(DISMISSED))
    for run in runs:
        marked = with_marks(point, run)
        for start, end in [(run.start, run.end)] if run.origin.is_file else gaps:
            first, last = max(start, run.start), min(end, run.end)
            if first >= last:
                continue
            part = marked.part(first, last)
            is_free = point.path.run(first, last).flags == NO_MARK
            for begin, stop in dismissed:
                is_free[max(0, begin - first) : max(0, stop - first)] = False
            yield replace(part, confidence=np.where(is_free, part.confidence, np.float32(np.nan)))


def pending_points(
    point: PointTrack,
    runs: Iterable[PointProposalRun],
    n_frames: int,
    *,
    below: float | None = None,
) -> list[ProposedPoint]:
    """Return the point proposals to review: in open gaps, on frames without a mark, ascending.

    With ``below`` only those of a lower confidence.
    """
    parts = _pending_parts(point, runs, n_frames)
    pending = [p for part in parts for p in part.between(part.start, part.end, below=below)]
    return sorted(pending, key=attrgetter("frame"))


def n_pending_points(point: PointTrack, runs: Iterable[PointProposalRun], n_frames: int) -> int:
    """Return the number of point proposals to review."""
    return sum(part.n_known for part in _pending_parts(point, runs, n_frames))


def pending_point_at(
    point: PointTrack, runs: Iterable[PointProposalRun], frame: int
) -> ProposedPoint | None:
    """Return the point proposal to review on one frame."""
    found = suggested_point_at(point, runs, frame)
    return found[0] if found is not None and not found[1] else None


def suggested_point_at(
    point: PointTrack, runs: Iterable[PointProposalRun], frame: int
) -> tuple[ProposedPoint, bool] | None:
    """Return the suggestion on a frame of an open gap, and whether it is outdated."""
    for run in runs:
        if run.start <= frame < run.end:
            proposed = _at(point, run, frame)
            if proposed is None or point.mark(frame) is not None or point.is_dismissed(frame):
                return None
            is_open = run.origin.is_file or _is_open(point, *point.path.human_around(frame))
            return (proposed, not is_point_run_current(point, run)) if is_open else None
    return None


def _at(point: PointTrack, run: PointProposalRun, frame: int) -> ProposedPoint | None:
    """Return the suggestion for a frame as `with_marks` has it."""
    proposed = run.at(frame)
    if proposed is None or proposed.confidence >= _OVERRULED:
        return proposed
    # Asked for every point on every frame: only the marks that can reach it.
    first, last = max(run.start, frame - _MARK_REACH), min(run.end, frame + _MARK_REACH + 1)
    return with_marks(point, run.part(first, last)).at(frame)


def accepted_run(proposals: Sequence[ProposedPoint]) -> PointRun:
    """Return suggestions, ascending by frame, as the marks that accepting them makes.

    Frames between them that have none stay without a mark. ValueError when there are none at all.
    """
    if not proposals:
        raise ValueError("nothing to accept")
    marks = {p.frame: p.mark for p in proposals}
    start, end = proposals[0].frame, proposals[-1].frame + 1
    return run_of(start, [marks.get(frame) for frame in range(start, end)])
