"""Planning of box proposals: the gaps of tracks that need a run, and boxes of other objects."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import MIN_SIDE_PX
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.box_proposals import (
    AHEAD_FRAMES,
    Anchor,
    Gap,
    ProposalRun,
    contradicts,
    covers,
    has_keyframe_in,
    is_current,
    is_superseded,
    nearest_boxes,
    open_gaps,
    return_frame,
    signature,
)
from annotator.domain.proposals.runs import Origin, ReplacedRuns
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.messages import Request, anchor_records
from annotator.services.assist.tracker_requests import ProposalBoard, RunningJob, Viewpoint

_MOST_OBJECTS: Final = 8
MOST_BOXES: Final = 8000
"""Boxes of all other objects together, at most: a request stays below 128 kB."""
_LEAST_CONFIDENCE: Final = 0.9


@dataclass(frozen=True, slots=True)
class BoxJob:
    """A span of frames of one gap, and the anchors its trackers hold on to."""

    track_id: TrackId
    start: int
    end: int
    anchors: tuple[Anchor, ...]
    looks: tuple[Anchor, ...] = field(default=(), compare=False)
    """More keyframes that show the object; a change of these makes no other job."""
    others: NDArray[np.float32] | None = field(default=None, compare=False)
    """Boxes of other objects [m, n, 4] on its frames and one on each side."""
    hidden_is_absent: bool = field(default=False, compare=False)
    """Hidden objects are proposed as out of view."""
    earlier: tuple[ProposalRun, ...] = field(default=(), compare=False)
    """Proposals on its frames before the job."""

    @property
    def owners(self) -> tuple[TrackId]:
        return (self.track_id,)

    @property
    def ends(self) -> tuple[Anchor, ...]:
        """The keyframes around its gap, one or two; a further anchor is a proposal."""
        first, last = self.anchors[0], self.anchors[-1]
        is_closed = first.frame < self.start and last.frame >= self.end
        return self.anchors if is_closed else (first,)

    @property
    def signatures(self) -> list[Json]:
        return [signature(self.anchors)]

    def empty_runs(self, origin: Origin) -> list[ProposalRun]:
        """Return the run for its span, with nothing computed yet."""
        return [ProposalRun.empty(self.track_id, self.start, self.end, origin)]

    def request(self, request_id: int, path: str, table: bytes | None, tracker: str) -> Request:
        """Return what the worker is asked."""
        anchors = anchor_records((*self.looks, *self.anchors))
        others = self.others.tobytes() if self.others is not None else b""
        return Request(
            request_id,
            path,
            table,
            anchors,
            self.start,
            self.end,
            tracker,
            others=others,
            others_start=max(0, self.start - 1),
            hidden_is_absent=self.hidden_is_absent,
        )


class BoxPlan:
    """Open gaps without up-to-date proposals, of every track."""

    def __init__(
        self,
        board: ProposalBoard,
        viewpoint: Viewpoint,
        hidden_is_absent: Callable[[], bool] = lambda: False,
    ) -> None:
        self._board = board
        self._viewpoint = viewpoint
        self._hidden_is_absent = hidden_is_absent
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
        if self._failed:
            self._retry_where_changed(track_id)
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

    def prepare(self, job: BoxJob) -> BoxJob:
        """Return a job with all that it needs besides its anchors."""
        others, is_absent = boxes_of_others(self._board, job), self._hidden_is_absent()
        # A track may have a thousand runs, and these are looked at with every delivery.
        every = self._board.box_runs.of(job.track_id)
        earlier = tuple(run for run in every if run.overlaps(job.start, job.end))
        return replace(job, others=others, hidden_is_absent=is_absent, earlier=earlier)

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
        """Replace older proposals by new ones; they stay visible until then.

        Boxes that were clearly surer stay, unless an anchor contradicts them.
        """
        runs, video = self._board.box_runs, self._board.document.video
        for run in running.runs(is_complete=is_complete):
            found = replace(run, values=_cut(run.values, (video.width, video.height)))
            if isinstance(running.job, BoxJob):
                found = _with_surer(found, running.job)
            self._replaced.add(runs.of(run.track_id), run.start, run.end)
            if is_complete:
                runs.replace(run.track_id, self._span(run), [found])
                continue
            for part in found.known_parts():
                runs.replace(part.track_id, (part.start, part.end), [part])

    def return_frame(self, job: BoxJob) -> int | None:
        """Return the first frame with a box after a person marked the object as out of view.

        None if it was not found, and for jobs that search for nothing.
        """
        track = self._board.document.find_track(job.track_id)
        if track is None or any(anchor.box is not None for anchor in job.anchors):
            return None
        runs = self._board.box_runs.of(job.track_id)
        for gap in self._gaps(track):
            if gap.is_after_leaving:
                frame = min((return_frame(gap, run, runs) for run in runs), default=gap.end)
                return frame if frame < gap.end else None
        return None

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
                jobs.append(replace(job, looks=more_anchors) if more_anchors else job)
        return jobs

    def _retry_where_changed(self, track_id: TrackId) -> None:
        """Leave jobs out no longer whose gap has other ends now: it may be the same again later."""
        track = self._board.document.find_track(track_id)
        ends = {_ends(gap) for gap in self._gaps(track)} if track is not None else set()
        self._failed = {job for job in self._failed if job.track_id != track_id or job.ends in ends}

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


def _with_surer(found: ProposalRun, job: BoxJob) -> ProposalRun:
    """Return a run with the boxes of the same tracker from before that are clearly surer.

    What was tracked from a keyframe that is gone does not count.
    """
    earlier = ProposalRun.empty(found.track_id, found.start, found.end, found.origin)
    earlier.fill(
        run
        for run in job.earlier
        if run.origin.name == found.origin.name and not has_keyframe_in(run, job.start, job.end)
    )
    return found if contradicts(job.anchors, earlier) else found.with_surer(earlier)


def _other_anchors(track: Track, gap: Gap) -> tuple[Anchor, ...]:
    """Return the nearest keyframes that show the whole object, for a gap with one box or none."""
    ends = [each for each in (gap.lower, gap.upper) if each is not None and each.box is not None]
    if gap.is_after_leaving and gap.lower is not None:
        ends = [gap.lower]
    if len(ends) != 1:
        return ()
    whole = (Anchor(k.frame, k.box) for k in track.keyframes if not k.occluded)
    return tuple(nearest_boxes(whole, ends[0].frame))


def open_job(gap: Gap, runs: Sequence[ProposalRun], look_at: int | None) -> BoxJob | None:
    """Return the next job in a gap; None where its proposals are up to date.

    Before the first and after the last box the frames are done a piece at a time: the first piece
    always, a further one when the playhead (`look_at`, None if the track is not selected), or what
    was accepted, comes near its end. After an out-of-view keyframe of a person the object is
    searched for if the track is selected; there is a further piece if it was found.
    """
    anchors = _ends(gap)
    full_job = BoxJob(gap.track_id, gap.start, gap.end, anchors)
    has_left = gap.lower is not None and gap.lower.box is None and gap.upper is None
    if has_left and (look_at is None or not gap.is_after_leaving):
        return None  # it may have left for good; later proposals of an accepted absence stay
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


def _ends(gap: Gap) -> tuple[Anchor, ...]:
    """Return the keyframes around a gap, one or two."""
    return tuple(a for a in (gap.lower, gap.upper) if a is not None)


def _piece(full_job: BoxJob, good: Sequence[ProposalRun], look_at: int | None) -> BoxJob | None:
    """Return the next piece before the first or after the last box; `good` is ascending."""
    is_after = full_job.anchors[0].frame < full_job.start
    reached, limit = _next_hole(full_job, good, is_after=is_after)
    frames = [full_job.anchors[0].frame]
    if look_at is not None:
        frames.append(look_at)
    if is_after:
        start, end = reached, min(reached + AHEAD_FRAMES, limit)
        last = reached - 1
        is_near = max(frames) > reached - AHEAD_FRAMES // 2
    else:
        start, end = max(limit, reached - AHEAD_FRAMES), reached
        last = reached
        is_near = min(frames) < reached + AHEAD_FRAMES // 2
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


def boxes_of_others(board: ProposalBoard, job: BoxJob) -> NDArray[np.float32]:
    """Return the boxes of at most 8 other objects, float32 [m, n, 4] in image pixels.

    They are those nearest the first box of an object, on the frames of a job and one on each side:
    keyframes, proposals with a confidence of at least 0.9, and what is interpolated where that was
    found to be right; NaN elsewhere.
    """
    span = max(0, job.start - 1), job.end + 1
    start = next((anchor for anchor in job.anchors if anchor.box is not None), None)
    tracks = _nearest_tracks(board.document, job.track_id, start) if start is not None else []
    tracks = tracks[: MOST_BOXES // (span[1] - span[0])]
    n_frames = board.document.video.n_frames
    paths = [_sure_boxes(track, board.box_runs.of(track.id), span, n_frames) for track in tracks]
    paths = [boxes for boxes in paths if np.isfinite(boxes).any()]
    return np.stack(paths) if paths else np.empty((0, span[1] - span[0], 4), np.float32)


def _nearest_tracks(document: Document, track_id: TrackId, start: Anchor) -> list[Track]:
    """Return the other objects nearest a box, judged by the keyframes beside its frame."""
    frame, box = start.frame, start.box

    def distance(track: Track) -> float:
        here = track.keyframe_at(frame)
        beside = [here] if here else [track.keyframe_before(frame), track.keyframe_after(frame)]
        boxes = [key.box for key in beside if key is not None and key.box is not None]
        return min((_distance(box, other) for other in boxes if box is not None), default=math.inf)

    others = (track for track in document.tracks if track.id != track_id and track.keyframes)
    return nsmallest(_MOST_OBJECTS, others, key=distance)


def _distance(one: Box, other: Box) -> float:
    a, b = one.center, other.center
    return math.hypot(a.x - b.x, a.y - b.y)


def _sure_boxes(
    track: Track, every: Sequence[ProposalRun], span: tuple[int, int], n_frames: int
) -> NDArray[np.float32]:
    """Return the known boxes of one object, float32 [n, 4]."""
    start, end = span
    before, after = track.keyframe_before(start), track.keyframe_after(end - 1)
    keys = [key for key in (before, *track.keyframes_in(start, end), after) if key is not None]
    boxes = _interpolated(keys, np.arange(start, end))
    # A track may have thousands of keyframes and runs: only those in the span are looked at.
    runs = [run for run in every if run.overlaps(start, end)]
    ends = [run.end for run in runs]
    for gap in open_gaps(track.with_keyframes(keys), n_frames) if runs else ():
        for run in runs[bisect_right(ends, gap.start) :]:
            first, last = max(start, gap.start, run.start), min(end, gap.end, run.end)
            if run.start >= gap.end:
                break
            if first < last and is_current(run, gap, runs):
                rows = slice(first - run.start, last - run.start)
                is_sure = run.confidence[rows] >= _LEAST_CONFIDENCE
                boxes[first - start : last - start][is_sure] = run.boxes[rows][is_sure]
    return boxes


def _interpolated(keys: Sequence[Keyframe], frames: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return boxes [n, 4] on keyframes and in checked gaps between them, NaN elsewhere."""
    boxes = np.full((len(frames), 4), np.nan, np.float32)
    if not keys:
        return boxes
    at = np.array([key.frame for key in keys])
    corners = np.array([key.box.as_tuple() if key.box else (np.nan,) * 4 for key in keys])
    is_settled = np.array([key.settled for key in keys[:-1]] + [False])
    lower = np.searchsorted(at, frames, side="right") - 1
    is_between = (lower >= 0) & is_settled[lower]
    for side in range(4):
        boxes[is_between, side] = np.interp(frames[is_between], at, corners[:, side])
    is_keyframe = (lower >= 0) & (at[lower] == frames)
    boxes[is_keyframe] = corners[lower[is_keyframe]]
    return boxes
