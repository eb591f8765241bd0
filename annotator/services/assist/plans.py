"""Planning of proposals: the gaps of tracks and points that need a run.

Gaps of one object's points that overlap in time are one job: they share pictures and motion.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.edits import MIN_SIDE_PX
from annotator.domain.annotation.point_track import PointGap, PointTrack, open_point_gaps
from annotator.domain.annotation.track import Track
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.box_proposals import (
    Anchor,
    Gap,
    ProposalRun,
    covers,
    is_current,
    is_superseded,
    nearest_boxes,
    open_gaps,
    signature,
)
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin, ReplacedRuns
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.messages import PointRequest, Request, anchor_records
from annotator.services.assist.tracker_requests import ProposalBoard, RunningJob, Viewpoint

AHEAD_FRAMES: Final = 300


@dataclass(frozen=True, slots=True)
class BoxJob:
    """A span of frames of one gap, and the anchors its trackers hold on to."""

    track_id: TrackId
    start: int
    end: int
    anchors: tuple[Anchor, ...]
    others: tuple[Anchor, ...] = field(default=(), compare=False)
    """More keyframes that show the object; a change of these makes no other job."""

    @property
    def owners(self) -> tuple[TrackId]:
        return (self.track_id,)

    @property
    def signatures(self) -> list[Json]:
        return [signature(self.anchors)]

    def empty_runs(self, origin: Origin) -> list[ProposalRun]:
        """Return the run for its span, with nothing computed yet."""
        return [ProposalRun.empty(self.track_id, self.start, self.end, origin)]

    def request(self, request_id: int, path: str, table: bytes | None, tracker: str) -> Request:
        """Return what the worker is asked."""
        anchors = anchor_records((*self.others, *self.anchors))
        return Request(request_id, path, table, anchors, self.start, self.end, tracker)


class BoxPlan:
    """Open gaps without up-to-date proposals, of every track."""

    def __init__(self, board: ProposalBoard, viewpoint: Viewpoint) -> None:
        self._board = board
        self._viewpoint = viewpoint
        self._wanted: dict[TrackId, list[BoxJob]] = {}
        self._failed: set[BoxJob] = set()
        self._replaced: ReplacedRuns[ProposalRun] = ReplacedRuns()

    @property
    def n_gaps(self) -> int:
        """Number of gaps without proposals."""
        return sum(map(len, self._wanted.values()))

    def has_mates(self, _job: BoxJob) -> bool:
        """Return False: each gap of boxes is a job of its own."""
        return False

    def refresh(self, owner_id: str) -> None:
        """Look at a track again."""
        track_id = TrackId(owner_id)
        self._wanted.pop(track_id, None)
        track = self._board.document.find_track(track_id)
        jobs = self._wanted_of(track) if track is not None else []
        if jobs:
            self._wanted[track_id] = jobs

    def has_work(self, track_id: TrackId | None) -> bool:
        return track_id in self._wanted

    def wants(self, job: BoxJob) -> bool:
        return job in self._wanted.get(job.track_id, ())

    def jobs(self) -> list[BoxJob]:
        """Return all gaps without proposals."""
        return [job for found in self._wanted.values() for job in found]

    def best(self, viewpoint: Viewpoint) -> BoxJob | None:
        """Return the most urgent job."""
        near = (job for found in self._wanted.values() for job in _nearest(found, viewpoint.frame))
        return min(near, key=viewpoint.urgency, default=None)

    def leave_out(self, job: BoxJob) -> None:
        """Try a job no more until it changes or its track starts over."""
        self._failed.add(job)

    def start_over(self, owner_id: str) -> None:
        """Throw the proposals in a track's open gaps away."""
        track = self._board.document.find_track(TrackId(owner_id))
        if track is None or not track.keyframes:
            return
        self._failed = {job for job in self._failed if job.track_id != track.id}
        self._replaced.forget(track.id)
        runs, gaps = self._board.box_runs, self._gaps(track)
        if any(run.origin.is_file for run in runs.of(track.id)):
            runs.replace(track.id, (0, self._board.document.video.n_frames), [])
        for gap in gaps:
            runs.replace(track.id, (max(0, gap.start - 1), gap.end + 1), [])

    def deliver(self, running: RunningJob[ProposalRun], *, is_complete: bool) -> None:
        """Replace older proposals by new ones; they stay visible until then."""
        runs, video = self._board.box_runs, self._board.document.video
        for run in running.runs(is_complete=is_complete):
            found = replace(run, values=_cut(run.values, (video.width, video.height)))
            self._replaced.add(runs.of(run.track_id), run.start, run.end)
            if is_complete:
                runs.replace(run.track_id, self._span(run), [found])
                continue
            for part in found.known_parts():
                runs.replace(part.track_id, (part.start, part.end), [part])

    def _wanted_of(self, track: Track) -> list[BoxJob]:
        if any(run.origin.is_file for run in self._board.box_runs.of(track.id)):
            # Proposals of a model stay until the object is tracked.
            return []
        jobs = []
        for gap in self._gaps(track):
            job = self._open_job(gap)
            # Working out the hash of every job would take longer than all the rest.
            if job is not None and not (self._failed and job in self._failed):
                more_anchors = _other_anchors(track, gap)
                jobs.append(replace(job, others=more_anchors) if more_anchors else job)
        return jobs

    def _open_job(self, gap: Gap) -> BoxJob | None:
        """Return the next job in a gap, after replaced runs that are valid again are put back."""
        job = self._without_proposals(gap)
        while job is not None and self._put_back(gap, job):
            rest = self._without_proposals(gap)
            if rest == job:
                break
            job = rest
        return job

    def _without_proposals(self, gap: Gap) -> BoxJob | None:
        """Return the next job in a gap as the proposals are now."""
        every = self._board.box_runs.of(gap.track_id)
        is_closed = gap.lower is not None and gap.upper is not None
        # Runs do not overlap; a track may have a thousand of them.
        first = max(0, bisect_right(every, gap.start, key=lambda run: run.start) - 1)
        last = bisect_left(every, gap.end, key=lambda run: run.start)
        is_selected = gap.track_id == self._viewpoint.selected
        look_at = self._viewpoint.frame if is_selected else None
        return open_job(gap, every[first:last] if is_closed else every, look_at)

    def _gaps(self, track: Track) -> Sequence[Gap]:
        board = self._board
        if board.is_read_only or not board.has_tool(Tool.BOXES):
            return []
        if track.info.is_locked or not track.keyframes:
            return []
        return open_gaps(track, board.document.video.n_frames)

    def _span(self, run: ProposalRun) -> tuple[int, int]:
        """The run's frames, and the keyframes beside them where an older run has another box."""
        track = self._board.document.find_track(run.track_id)
        start, end = run.start, run.end
        if track is not None:
            runs = self._board.box_runs.of(run.track_id)
            start -= int(is_superseded(track, runs, start - 1))
            end += int(is_superseded(track, runs, end))
        return start, end

    def _put_back(self, gap: Gap, job: BoxJob) -> bool:
        """Put a replaced run back that has the proposals of a job; return whether there is one."""
        first, last = job.start, job.end - 1
        if gap.lower is None:
            first = last
        elif gap.upper is None:
            last = first
        runs = self._board.box_runs
        for run in self._replaced.newest_first(gap.track_id):
            has_frames = run.start <= first and last < run.end
            if has_frames and is_current(run, gap, runs.of(gap.track_id)):
                start, end = max(run.start, gap.start), min(run.end, gap.end)
                self._replaced.add(runs.of(gap.track_id), start, end)
                runs.replace(gap.track_id, (start, end), [run.part(start, end)])
                return True
        return False


def _other_anchors(track: Track, gap: Gap) -> tuple[Anchor, ...]:
    """Return the nearest keyframes that show the whole object, for a gap with one box only."""
    ends = [each for each in (gap.lower, gap.upper) if each is not None and each.box is not None]
    if len(ends) != 1:
        return ()
    whole = (Anchor(k.frame, k.box) for k in track.keyframes if not k.occluded)
    return tuple(nearest_boxes(whole, ends[0].frame))


def open_job(gap: Gap, runs: Sequence[ProposalRun], look_at: int | None) -> BoxJob | None:
    """Return the next job in a gap; None where its proposals are up to date.

    Before the first and after the last box the frames are done a piece at a time: the first piece
    always, a further one when the playhead (`look_at`, None if the track is not selected) comes
    near its end.
    """
    anchors = tuple(a for a in (gap.lower, gap.upper) if a is not None)
    full_job = BoxJob(gap.track_id, gap.start, gap.end, anchors)
    if gap.lower is not None and gap.lower.box is None and gap.upper is None:
        return None  # out of view, as accepted: later proposals stay
    if len(anchors) == 2:
        return None if covers(runs, gap) else full_job
    good = [
        run
        for run in runs
        if run.origin.is_complete
        and run.overlaps(gap.start, gap.end)
        and is_current(run, gap, runs)
    ]
    return _piece(full_job, good, look_at)


def _piece(full_job: BoxJob, good: Sequence[ProposalRun], look_at: int | None) -> BoxJob | None:
    """Return the next piece before the first or after the last box; `good` is ascending."""
    is_after = full_job.anchors[0].frame < full_job.start
    reached, limit = _next_hole(full_job, good, is_after=is_after)
    if is_after:
        start, end = reached, min(reached + AHEAD_FRAMES, limit)
        last = reached - 1
        is_near = look_at is not None and look_at > reached - AHEAD_FRAMES // 2
    else:
        start, end = max(limit, reached - AHEAD_FRAMES), reached
        last = reached
        is_near = look_at is not None and look_at < reached + AHEAD_FRAMES // 2
    if start >= end:
        return None
    if not full_job.start <= last < full_job.end:
        return BoxJob(full_job.track_id, start, end, full_job.anchors)
    is_hole = full_job.start < limit < full_job.end
    last_box = next((proposal.box for run in good if (proposal := run.at(last))), None)
    if last_box is None and is_hole:
        start, end = (full_job.start, limit) if is_after else (limit, full_job.end)
        return BoxJob(full_job.track_id, start, end, full_job.anchors)
    if last_box is None or not (is_near or is_hole):
        return None
    return BoxJob(full_job.track_id, start, end, (*full_job.anchors, Anchor(last, last_box)))


def _next_hole(full_job: BoxJob, good: Sequence[ProposalRun], *, is_after: bool) -> tuple[int, int]:
    """Return where proposals end, seen from the box, and where the next ones or all frames do.

    The numbers are those of `range`, for pieces after the box and for pieces before it.
    """
    if is_after:
        reached = full_job.start
        for run in good:
            if run.start > reached:
                return reached, run.start
            reached = max(reached, run.end)
        return reached, full_job.end
    reached = full_job.end
    for run in reversed(good):
        if run.end < reached:
            return reached, run.end
        reached = min(reached, run.start)
    return reached, full_job.start


def _nearest(jobs: Sequence[BoxJob], frame: int) -> Sequence[BoxJob]:
    """Return those of a track's jobs, ascending, of which one is nearest a frame."""
    after = bisect_right(jobs, frame, key=lambda job: job.start)
    return jobs[max(0, after - 1) : after + 1]


def _cut(boxes: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """Return boxes, float32 [n, 4], cut to a frame; NaN where too little is left."""
    cut: NDArray[np.float32] = np.clip(boxes, 0, np.array(size * 2, np.float32))
    is_small = (cut[:, 2:] - cut[:, :2]).min(axis=1, initial=math.inf) < MIN_SIDE_PX
    cut[is_small] = np.nan
    return cut


@dataclass(frozen=True, slots=True)
class PointJob:
    """Gaps of one object's points to be followed in one pass."""

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
        gaps = [
            gap
            for gap in open_point_gaps(point, self._board.document.video.n_frames)
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
    """Return a gap with all of its object's that overlap it."""
    if first.track_id is None:
        return first
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
