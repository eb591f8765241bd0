"""Planning of point proposals: the gaps of points that need a run.

Gaps of one object's points that overlap in time are one job: they share pictures and motion. So
are those of all points without an object.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from annotator.domain.annotation.point_track import PointGap, PointTrack, open_point_gaps
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin, ReplacedRuns
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.messages import PointRequest
from annotator.services.assist.tracker_requests import ProposalBoard, RunningJob, Viewpoint


@dataclass(frozen=True, slots=True)
class PointJob:
    """Gaps of the points of one object, or of those without, to be followed in one pass."""

    track_id: TrackId | None
    gaps: tuple[PointGap, ...]
    urgent: PointGap | None = field(default=None, compare=False)
    """The gap that the others overlap."""

    @property
    def owners(self) -> tuple[PointId, ...]:
        return tuple(dict.fromkeys(gap.point_id for gap in self.gaps))

    @property
    def start(self) -> int:
        return min(gap.start for gap in self.gaps)

    @property
    def end(self) -> int:
        return max(gap.end for gap in self.gaps)

    @property
    def is_closed(self) -> bool:
        """Whether each of its gaps lies between two places."""
        return all(gap.lower is not None and gap.upper is not None for gap in self.gaps)

    @property
    def signatures(self) -> list[Json]:
        return [_signature(gap) for gap in self.gaps]

    def empty_runs(self, origin: Origin) -> list[PointProposalRun]:
        """Return a run for each gap, with nothing computed yet."""
        return [PointProposalRun.empty(g.point_id, g.start, g.end, origin) for g in self.gaps]

    def request(
        self, request_id: int, path: str, table: bytes | None, tracker: str
    ) -> PointRequest:
        """Return what the worker is asked."""
        paths = tuple(tuple(ends_of(gap)) for gap in self.gaps)
        return PointRequest(request_id, path, table, paths, self.start, self.end, tracker)


class PointPlan:
    """Open gaps without up-to-date proposals, of every point."""

    def __init__(self, board: ProposalBoard) -> None:
        self._board = board
        self._wanted: dict[PointId, list[PointGap]] = {}
        self._failed: set[PointGap] = set()
        self._replaced: ReplacedRuns[PointProposalRun] = ReplacedRuns()

    @property
    def n_gaps(self) -> int:
        """Number of gaps without proposals."""
        return sum(map(len, self._wanted.values()))

    def refresh(self, owner_id: str) -> None:
        """Look at a point again."""
        point_id = PointId(owner_id)
        self._wanted.pop(point_id, None)
        point = self._board.document.find_point(point_id)
        can_edit = not self._board.is_read_only and self._board.has_tool(Tool.POINTS)
        if point is None or not can_edit or self._is_locked(point):
            return
        every = self._board.point_runs.of(point_id)
        if any(run.origin.is_file for run in every):
            return
        runs = {run.start: run for run in every}
        open_gaps = open_point_gaps(point, self._board.document.video.n_frames)
        # A gap that is no longer there may come back; it is tried again then.
        self._failed -= {gap for gap in self._failed if gap.point_id == point_id} - {*open_gaps}
        gaps = [
            gap
            for gap in open_gaps
            if gap not in self._failed
            and not _is_good(runs.get(gap.start), gap)
            and not self._put_back(gap)
        ]
        if gaps:
            self._wanted[point_id] = gaps

    def wants(self, job: PointJob) -> bool:
        """Return whether any of its gaps still needs proposals."""
        return any(map(self._wants, job.gaps))

    def has_mates(self, job: PointJob) -> bool:
        """Return whether gaps of the same object overlap the urgent one of a job without them."""
        urgent = PointJob(job.track_id, (job.urgent or job.gaps[0],))
        return bool(set(_with_mates(urgent, self._singles()).gaps) - set(job.gaps))

    def jobs(self) -> list[PointJob]:
        """Return all gaps between two places that have no proposals, each in one job."""
        singles, found = [j for j in self._singles() if j.is_closed], list[PointJob]()
        while singles:
            job = _with_mates(min(singles, key=lambda each: each.start), singles)
            singles = [each for each in singles if each.gaps[0] not in job.gaps]
            found.append(job)
        return found

    def best(self, viewpoint: Viewpoint) -> PointJob | None:
        """Return the most urgent gap, with all overlapping ones of its object."""
        singles = self._singles()
        return _with_mates(min(singles, key=viewpoint.urgency), singles) if singles else None

    def prepare(self, job: PointJob) -> PointJob:
        """Return the job: it needs nothing more."""
        return job

    def leave_out(self, job: PointJob) -> None:
        """Try gaps no more until their ends change or their point starts over."""
        self._failed.update(job.gaps)

    def start_over(self, owner_id: str) -> None:
        """Throw the proposals of a point away."""
        self._failed = {gap for gap in self._failed if gap.point_id != owner_id}
        self._replaced.forget(owner_id)
        runs = self._board.point_runs
        for run in () if self._board.is_read_only else runs.of(owner_id):
            runs.replace(owner_id, (run.start, run.end), [])

    def deliver(self, running: RunningJob[PointProposalRun], *, is_complete: bool) -> None:
        """Replace older proposals in gaps that still need new ones; the others stay visible."""
        runs = self._board.point_runs
        for run in running.runs(is_complete=is_complete):
            ends = run.origin.parameters["anchors"]
            if not any(_signature(g) == ends for g in self._wanted.get(run.point_id, ())):
                continue
            self._replaced.add(runs.of(run.point_id), run.start - 1, run.end + 1)
            if is_complete:
                runs.replace(run.point_id, (run.start - 1, run.end + 1), [run])
                continue
            for part in run.known_parts():
                runs.replace(part.point_id, (part.start, part.end), [part])

    def _put_back(self, gap: PointGap) -> bool:
        """Put a replaced run back that is valid in a gap again; return whether there is one."""
        runs = self._board.point_runs
        for run in self._replaced.newest_first(gap.point_id):
            if run.start == gap.start and _is_good(run, gap):
                self._replaced.add(runs.of(gap.point_id), run.start, run.end)
                runs.replace(gap.point_id, (run.start, run.end), [run])
                return True
        return False

    def _wants(self, gap: PointGap) -> bool:
        return gap in self._wanted.get(gap.point_id, ())

    def _singles(self) -> list[PointJob]:
        return [PointJob(self._owner(p), (g,)) for p, gaps in self._wanted.items() for g in gaps]

    def _is_locked(self, point: PointTrack) -> bool:
        owner = point.info.track_id
        track = self._board.document.find_track(owner) if owner else None
        return point.info.is_locked or (track is not None and track.info.is_locked)

    def _owner(self, point_id: PointId) -> TrackId | None:
        point = self._board.document.find_point(point_id)
        return point.info.track_id if point else None


def _with_mates(first: PointJob, singles: Iterable[PointJob]) -> PointJob:
    """Return a gap with all of its object's that overlap it; so for points without an object."""
    mates = (
        job.gaps[0]
        for job in singles
        if job.track_id == first.track_id and job.start < first.end and first.start < job.end
    )
    gaps = tuple(sorted(mates, key=lambda gap: gap.start))
    return PointJob(first.track_id, gaps, first.gaps[0])


def dismissal(gap: PointGap) -> PointProposalRun:
    """Return the run that marks a gap as dismissed, while its ends are unchanged."""
    origin = Origin("dismissed", "").finished(_signature(gap), is_complete=True)
    return PointProposalRun.empty(gap.point_id, gap.start, gap.end, origin)


def ends_of(gap: PointGap) -> list[tuple[int, float, float]]:
    """Return the fixed places around a gap, one or two: frame, x, y in image pixels."""
    ends = (gap.start - 1, gap.lower), (gap.end, gap.upper)
    return [(frame, float(xy.x), float(xy.y)) for frame, xy in ends if xy is not None]


def _signature(gap: PointGap) -> list[Json]:
    """The ends as JSON, stored in the origin of a run to test its validity later."""
    return [list(end) for end in ends_of(gap)]


def _is_good(run: PointProposalRun | None, gap: PointGap) -> bool:
    if run is None or run.end != gap.end or not run.origin.parameters.get("is_complete"):
        return False
    return run.origin.parameters.get("anchors") == _signature(gap)
