"""Gaps of tracks that want boxes, given their proposal runs."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.edits import MIN_SIDE_PX
from annotator.domain.annotation.track import Track
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.boxes import (
    Anchor,
    Gap,
    ProposalRun,
    covers,
    is_current,
    is_superseded,
    open_gaps,
    signature,
)
from annotator.domain.proposals.runs import Origin
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.messages import Request, anchor_records
from annotator.services.assist.running import ProposalBoard, RunningJob, Viewpoint

AHEAD_FRAMES: Final = 300
_SHELF: Final = 16


@dataclass(frozen=True, slots=True)
class BoxJob:
    """A span of frames of one gap, and the anchors its trackers hold on to."""

    track_id: TrackId
    start: int
    end: int
    anchors: tuple[Anchor, ...]

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
        anchors = anchor_records(self.anchors)
        return Request(request_id, path, table, anchors, self.start, self.end, tracker)


class BoxPlan:
    """Knows for every track which open gaps lack up-to-date proposals."""

    def __init__(self, board: ProposalBoard, viewpoint: Viewpoint) -> None:
        self._board = board
        self._viewpoint = viewpoint
        self._wanted: dict[TrackId, list[BoxJob]] = {}
        self._failed: set[BoxJob] = set()
        self._shelf: dict[TrackId, list[ProposalRun]] = {}

    @property
    def n_gaps(self) -> int:
        """How many gaps are wanted."""
        return sum(map(len, self._wanted.values()))

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
        """Return all that is wanted."""
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
        runs, gaps = self._board.box_runs, self._gaps(track)
        if any(run.origin.is_file for run in runs.of(track.id)):
            runs.replace(track.id, (0, self._board.document.video.n_frames), [])
        for gap in gaps:
            runs.replace(track.id, (max(0, gap.start - 1), gap.end + 1), [])

    def deliver(self, running: RunningJob[ProposalRun], *, is_complete: bool) -> None:
        """Put what was found in the place of older proposals, which stay visible until then."""
        runs, video = self._board.box_runs, self._board.document.video
        for run in running.runs(is_complete=is_complete):
            found = replace(run, values=_cut(run.values, (video.width, video.height)))
            self._shelve(run.track_id, run.start, run.end)
            if is_complete:
                runs.replace(run.track_id, self._span(run), [found])
                continue
            for part in found.known_parts():
                runs.replace(part.track_id, (part.start, part.end), [part])

    def _wanted_of(self, track: Track) -> list[BoxJob]:
        jobs = []
        every = self._board.box_runs.of(track.id)
        if any(run.origin.is_file for run in every):
            # What a model says of an object stands until somebody has it tracked.
            return []
        starts = [run.start for run in every]
        for gap in self._gaps(track):
            # Runs do not overlap; a track may have a thousand of them.
            is_closed = gap.lower is not None and gap.upper is not None
            first = max(0, bisect_right(starts, gap.start) - 1)
            runs = every[first : bisect_left(starts, gap.end)] if is_closed else every
            look_at = self._viewpoint.frame if track.id == self._viewpoint.selected else None
            job = open_job(gap, runs, look_at)
            if job is not None and self._from_shelf(track.id, gap):
                continue
            # Working out the hash of every job would take longer than all the rest.
            if job is not None and not (self._failed and job in self._failed):
                jobs.append(job)
        return jobs

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

    def _shelve(self, track_id: TrackId, start: int, end: int) -> None:
        """Keep the finished runs that new ones replace, for an undo that makes them hold again."""
        shelf = self._shelf.setdefault(track_id, [])
        for run in self._board.box_runs.of(track_id):
            is_done = bool(run.origin.parameters.get("is_complete"))
            if is_done and run.overlaps(start, end) and run not in shelf:
                shelf.append(run)
        del shelf[:-_SHELF]

    def _from_shelf(self, track_id: TrackId, gap: Gap) -> bool:
        """Put shelved runs back if they cover a closed gap; return whether they do."""
        shelf = self._shelf.get(track_id, [])
        if not shelf or gap.lower is None or gap.upper is None:
            return False
        for run in reversed(shelf):
            if run.start <= gap.start and gap.end <= run.end and covers([run], gap):
                shelf.remove(run)
                self._shelve(track_id, run.start, run.end)
                self._board.box_runs.replace(track_id, (run.start, run.end), [run])
                return True
        return False


def open_job(gap: Gap, runs: Sequence[ProposalRun], look_at: int | None) -> BoxJob | None:
    """Return the next job in a gap; None where its proposals are up to date.

    Before the first and after the last box the frames are done a piece at a time: the first piece
    always, a further one when the playhead (`look_at`, None if the track is not selected) comes
    near its end.
    """
    anchors = tuple(a for a in (gap.lower, gap.upper) if a is not None)
    whole = BoxJob(gap.track_id, gap.start, gap.end, anchors)
    if gap.lower is not None and gap.lower.box is None and gap.upper is None:
        return None  # out of view, as accepted: what was proposed after that stays
    if len(anchors) == 2:
        return None if covers(runs, gap) else whole
    good = [
        run
        for run in runs
        if run.origin.is_complete
        and run.overlaps(gap.start, gap.end)
        and is_current(run, gap, runs)
    ]
    return _piece(whole, good, look_at)


def _piece(whole: BoxJob, good: Sequence[ProposalRun], look_at: int | None) -> BoxJob | None:
    is_after = whole.anchors[0].frame < whole.start
    if is_after:
        reached = max((run.end for run in good), default=whole.start)
        start, end = reached, min(reached + AHEAD_FRAMES, whole.end)
        last = reached - 1
        is_near = look_at is not None and look_at > reached - AHEAD_FRAMES // 2
    else:
        reached = min((run.start for run in good), default=whole.end)
        start, end = max(whole.start, reached - AHEAD_FRAMES), reached
        last = reached
        is_near = look_at is not None and look_at < reached + AHEAD_FRAMES // 2
    if start >= end:
        return None
    if not good:
        return BoxJob(whole.track_id, start, end, whole.anchors)
    held = next((found for run in good if (found := run.at(last))), None)
    if not is_near or held is None or held.box is None:
        return None
    return BoxJob(whole.track_id, start, end, (*whole.anchors, Anchor(last, held.box)))


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
