"""Keeps proposals up to date: which gaps want a run, in which order, and what came of it.

Every keyframe of a track is an anchor. An edit changes the anchors of the gaps it touches, so only
those run again; a run remembers its anchors in its origin, so that one kept in the project file
is known to be good (or not) when the project is opened again.
"""

from __future__ import annotations

import itertools
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import msgspec

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Track
from annotator.domain.errors import UserError
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals import boxes as proposal
from annotator.domain.proposals.boxes import Gap, Origin, ProposalRun, covers, is_superseded
from annotator.domain.proposals.points import PointProposalRun
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.gaps import BoxesRunning, Job, open_job
from annotator.services.assist.messages import (
    AnyRequest,
    Batch,
    Failed,
    PointBatch,
    Reply,
    Request,
    anchor_records,
)
from annotator.services.assist.point_proposing import PointJob, PointPlan, PointsRunning
from annotator.services.background.listeners import Listeners
from annotator.services.notices import Notice

_DELIVER_S: Final = 0.2
_LOOK_FRAMES: Final = 16
_PLAN_S: Final = 0.003
_PLAN_AT_ONCE: Final = 8
_SHELF: Final = 16


class ProposalBoard(Protocol):
    """Where tracks are read and proposals are put: the session."""

    document: Document
    changed: Listeners[ChangeSet]
    video_path: Path | None
    table_bytes: bytes | None

    @property
    def is_read_only(self) -> bool: ...

    def has_tool(self, tool: Tool) -> bool: ...

    def runs(self, track_id: TrackId) -> tuple[ProposalRun, ...]: ...

    def replace_runs(
        self, track_id: TrackId, span: tuple[int, int], runs: Iterable[ProposalRun]
    ) -> None: ...

    def point_runs(self, point_id: PointId) -> tuple[PointProposalRun, ...]: ...

    def replace_point_runs(
        self, point_id: PointId, span: tuple[int, int], runs: Iterable[PointProposalRun]
    ) -> None: ...


class ProposalWorker(Protocol):
    """Protocol of the process that runs trackers: `AssistWorker`."""

    def run(self, request: AnyRequest) -> None: ...

    def cancel(self, request_id: int) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ProposingStatus:
    """State of tracking: the current gap, its progress, and how many gaps wait."""

    is_paused: bool
    track_id: TrackId | None
    done_frames: int
    total_frames: int
    n_waiting: int
    are_points: bool = False  # points of the track, or of no track, are being followed

    @property
    def is_busy(self) -> bool:
        return self.track_id is not None or self.are_points


class Proposing:
    """Runs trackers wherever an open gap has no up-to-date proposals. Main thread only.

    `make_worker` gets a callable for replies, which may come on any thread; `post` brings them to
    the main thread. The selected track goes first, and of its gaps the one nearest the playhead.
    """

    def __init__(
        self,
        board: ProposalBoard,
        make_worker: Callable[[Callable[[Reply], None]], ProposalWorker],
        *,
        post: Callable[[Callable[[], None]], None],
        tracker: str = "fused",
        point_tracker: str = "flow-points",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.progressed: Listeners[ProposingStatus] = Listeners()
        self.noticed: Listeners[Notice] = Listeners()
        self._board = board
        self._tracker = tracker
        self._point_tracker = point_tracker
        self._clock = clock
        self._post = post
        self._worker = make_worker(lambda reply: post(lambda: self._on_reply(reply)))
        self._ids = itertools.count(1)
        self._jobs: dict[TrackId, list[Job]] = {}
        self._failed: set[Job] = set()
        self._shelf: dict[TrackId, list[ProposalRun]] = {}
        self._points = PointPlan(board)
        self._running: BoxesRunning | PointsRunning | None = None
        self._selected: TrackId | None = None
        self._frame = 0
        self._is_paused = False
        self._is_closed = False
        self._is_planning = False
        self._to_plan: dict[TrackId, None] = {}
        self._points_to_plan: dict[PointId, None] = {}
        board.changed.add(self._on_changed)
        self._points_to_plan.update(dict.fromkeys(p.id for p in board.document.points))
        self._plan(t.id for t in board.document.tracks)

    @property
    def status(self) -> ProposingStatus:
        waiting = sum(len(jobs) for jobs in self._jobs.values()) + self._points.n_gaps
        running = self._running if self._running and self._running.is_wanted else None
        if running is None:
            return ProposingStatus(self._is_paused, None, 0, 0, waiting)
        done, total = running.progress
        are_points = isinstance(running, PointsRunning)
        waiting -= len(running.job.gaps) if isinstance(running.job, PointJob) else 1
        track_id = running.job.track_id
        return ProposingStatus(self._is_paused, track_id, done, total, max(waiting, 0), are_points)

    def look(self, track_id: TrackId | None, frame: int) -> None:
        """Say which track is selected and where the playhead is: that work comes first."""
        is_near = frame // _LOOK_FRAMES == self._frame // _LOOK_FRAMES
        is_same = track_id == self._selected and is_near
        self._selected, self._frame = track_id, frame
        if is_same or self._is_closed:
            return
        if track_id is not None:
            self._plan([track_id])
        running = self._running
        if track_id in self._jobs and running and running.job.track_id != track_id:
            self._stop()

    def pause(self) -> None:
        """Stop the run in work and start none; edits are still followed."""
        self._is_paused = True
        self._stop()
        self._report()

    def resume(self) -> None:
        """Go on with what is open."""
        self._is_paused = False
        self._next()

    def cancel(self) -> None:
        """Stop the run in work and leave its gap as it is until it changes or `rerun` is called."""
        if self._running is not None:
            self._leave_out(self._running)

    def rerun(self, track_id: TrackId, *, tracker: str | None = None) -> None:
        """Throw the proposals in a track's open gaps away and make new ones."""
        self._tracker = tracker or self._tracker
        track = self._board.document.find_track(track_id)
        if track is None or not track.keyframes:
            return
        self._failed = {job for job in self._failed if job.track_id != track_id}
        self._stop()
        gaps = self._gaps(track)
        if any(run.origin.is_file for run in self._board.runs(track_id)):
            self._put(track_id, (0, self._board.document.video.n_frames), [])
        for gap in gaps:
            self._put(track_id, _around(gap.start, gap.end), [])
        self._plan([track_id])

    def rerun_points(self, point_ids: Iterable[PointId]) -> None:
        """Throw the proposals of points away and make new ones."""
        for point_id in point_ids:
            self._points.forgive(point_id)
            if isinstance(self._running, PointsRunning):
                self._stop()
            for run in self._board.point_runs(point_id):
                self._put_point(point_id, (run.start, run.end), [])
            self._plan_points([point_id])

    def replan_points(self, point_ids: Iterable[PointId]) -> None:
        """Look again at what some points want: their proposals were dismissed."""
        self._plan_points(point_ids)

    def close(self) -> None:
        """End the worker; nothing is delivered any more."""
        self._is_closed = True
        self._board.changed.remove(self._on_changed)
        self._worker.close()

    def _on_changed(self, changes: ChangeSet) -> None:
        of_tracks = {p.id for t in changes.track_ids for p in self._board.document.points_of(t)}
        points = of_tracks.union(changes.point_ids)
        if changes.track_ids:
            self._plan(changes.track_ids)
        if points:
            self._plan_points(points)

    def _plan(self, track_ids: Iterable[TrackId]) -> None:
        """Find out what some tracks want, stop what is wanted no more, and go on."""
        self._to_plan.update(dict.fromkeys(track_ids))
        self._start_planning()

    def _plan_points(self, point_ids: Iterable[PointId]) -> None:
        """The same for points; a pass goes on while one of its gaps is wanted."""
        self._points_to_plan.update(dict.fromkeys(point_ids))
        self._start_planning()

    def _start_planning(self) -> None:
        """Look at what an edit touched here and now; at much in turns of its own."""
        if len(self._to_plan) + len(self._points_to_plan) <= _PLAN_AT_ONCE:
            self._go_on_planning()
        elif not self._is_planning:
            self._is_planning = True
            self._post(self._go_on_planning)

    def _go_on_planning(self) -> None:
        """Look at tracks and points for a moment, and at the rest in another turn."""
        self._is_planning = False
        if self._is_closed:
            return
        until = time.thread_time() + _PLAN_S
        while self._to_plan or self._points_to_plan:
            if time.thread_time() > until:
                self._is_planning = True
                self._post(self._go_on_planning)
                return
            if self._to_plan:
                track_id = next(iter(self._to_plan))
                del self._to_plan[track_id]
                self._plan_track(track_id)
            else:
                point_id = next(iter(self._points_to_plan))
                del self._points_to_plan[point_id]
                self._plan_point(point_id)
        self._next()

    def _plan_track(self, track_id: TrackId) -> None:
        track = self._board.document.find_track(track_id)
        jobs = self._wanted(track) if track else []
        self._jobs[track_id] = jobs
        if not jobs:
            del self._jobs[track_id]
        running = self._running
        if (
            isinstance(running, BoxesRunning)
            and running.job.track_id == track_id
            and running.job not in jobs
        ):
            self._stop()

    def _plan_point(self, point_id: PointId) -> None:
        self._points.refresh([point_id])
        running = self._running
        if isinstance(running, PointsRunning) and not any(
            map(self._points.wants, running.job.gaps)
        ):
            self._stop()

    def _wanted(self, track: Track) -> list[Job]:
        jobs = []
        every = self._board.runs(track.id)
        if any(run.origin.is_file for run in every):
            # What a model says of an object stands until somebody has it tracked.
            return []
        starts = [run.start for run in every]
        for gap in self._gaps(track):
            # Runs do not overlap; a track may have a thousand of them.
            is_closed = gap.lower is not None and gap.upper is not None
            first = max(0, bisect_right(starts, gap.start) - 1)
            runs = every[first : bisect_left(starts, gap.end)] if is_closed else every
            look_at = self._frame if track.id == self._selected else None
            job = open_job(gap, runs, look_at)
            if job is not None and self._from_shelf(track.id, gap):
                continue
            # Working out the hash of every job would take longer than all the rest.
            if job is not None and not (self._failed and job in self._failed):
                jobs.append(job)
        return jobs

    def _gaps(self, track: Track) -> Sequence[Gap]:
        board = self._board
        if board.is_read_only or board.video_path is None or not board.has_tool(Tool.BOXES):
            return []
        if track.info.is_locked or not track.keyframes:
            return []
        return proposal.open_gaps(track, board.document.video.n_frames)

    def _next(self) -> None:
        """Start the most wanted job, if the worker is free."""
        if self._is_closed:
            return
        if self._running is None and not self._is_paused and self._board.video_path is not None:
            jobs: list[Job | PointJob] = [
                job for found in self._jobs.values() for job in self._nearest(found)
            ]
            points = self._points.best(self._urgency)
            jobs.extend([points] if points else [])
            if jobs:
                self._start(min(jobs, key=self._urgency))
        self._report()

    def _nearest(self, jobs: Sequence[Job]) -> Sequence[Job]:
        """Return those of a track's jobs, ascending, of which one is nearest the playhead."""
        after = bisect_right(jobs, self._frame, key=lambda job: job.start)
        return jobs[max(0, after - 1) : after + 1]

    def _urgency(self, job: Job | PointJob) -> tuple[bool, int, int]:
        distance = max(job.start - self._frame, self._frame - job.end + 1, 0)
        return (job.track_id != self._selected, distance, job.start)

    def _start(self, job: Job | PointJob) -> None:
        number, table = next(self._ids), self._board.table_bytes
        if isinstance(job, PointJob):
            self._running = PointsRunning(number, job, self._point_tracker)
            path = str(self._board.video_path)
            self._worker.run(job.request(number, path, table, self._point_tracker))
            return
        video = self._board.document.video
        size = video.width, video.height
        running = self._running = BoxesRunning(number, job, self._tracker, size)
        self._worker.run(
            Request(
                id=running.id,
                path=str(self._board.video_path),
                table=table,
                anchors=anchor_records(job.anchors),
                start=job.start,
                end=job.end,
                tracker=self._tracker,
            )
        )

    def _stop(self) -> None:
        if self._running is not None and self._running.is_wanted:
            self._running.is_wanted = False
            self._worker.cancel(self._running.id)

    def _on_reply(self, reply: Reply) -> None:
        running = self._running
        if self._is_closed or running is None or reply.id != running.id:
            return
        if isinstance(reply, Batch | PointBatch):
            running.take(reply)
            if running.is_wanted and self._clock() - running.delivered_s >= _DELIVER_S:
                self._deliver(running, is_complete=False)
                self._report()
            return
        self._running = None
        if isinstance(reply, Failed):
            self._leave_out(running)
            if running.is_wanted:
                self.noticed.notify(Notice("warning", reply.text))
        elif running.is_wanted:
            name, version, settings = reply.origin
            running.origin = Origin(name, version, msgspec.json.decode(settings))
            self._deliver(running, is_complete=not reply.is_cancelled)
        if isinstance(running, PointsRunning):
            self._plan_points({gap.point_id for gap in running.job.gaps})
        else:
            self._plan([running.job.track_id])

    def _leave_out(self, running: BoxesRunning | PointsRunning) -> None:
        """Try the work no more until it changes."""
        if isinstance(running, PointsRunning):
            self._points.fail(running.job.gaps)
            self._plan_points({gap.point_id for gap in running.job.gaps})
        else:
            self._failed.add(running.job)
            self._plan([running.job.track_id])

    def _deliver(self, running: BoxesRunning | PointsRunning, *, is_complete: bool) -> None:
        running.delivered_s = self._clock()
        if isinstance(running, PointsRunning):
            for gap, found in running.results(is_complete=is_complete):
                if self._points.wants(gap):
                    self._put_point(gap.point_id, (gap.start - 1, gap.end + 1), [found])
            return
        job = running.job
        if self._board.is_read_only:
            return
        self._shelve(job.track_id, job.start, job.end)
        if is_complete:
            self._put(job.track_id, self._span(job), [running.result(is_complete=True)])
            return
        # Older proposals stay visible until new ones take their place.
        for run in running.finished():
            self._put(job.track_id, (run.start, run.end), [run])

    def _put(self, track_id: TrackId, span: tuple[int, int], runs: Sequence[ProposalRun]) -> None:
        """Hand proposals over; a project that cannot be written pauses the work."""
        try:
            self._board.replace_runs(track_id, span, runs)
        except UserError as error:
            self._pause_because(error)

    def _put_point(
        self, point_id: PointId, span: tuple[int, int], runs: Sequence[PointProposalRun]
    ) -> None:
        if self._board.is_read_only:
            return
        try:
            self._board.replace_point_runs(point_id, span, runs)
        except UserError as error:
            self._pause_because(error)

    def _pause_because(self, error: UserError) -> None:
        """Say what is wrong, and that nothing more is tracked until somebody goes on."""
        text = f"Tracking is paused because proposals cannot be saved. {error.text}"
        self.noticed.notify(Notice("warning", text, error.hint))
        self.pause()

    def _span(self, job: Job) -> tuple[int, int]:
        """The job's frames, and the keyframes beside them where an older run has another box."""
        track = self._board.document.find_track(job.track_id)
        start, end = job.start, job.end
        if track is not None:
            runs = self._board.runs(job.track_id)
            start -= int(is_superseded(track, runs, start - 1))
            end += int(is_superseded(track, runs, end))
        return start, end

    def _shelve(self, track_id: TrackId, start: int, end: int) -> None:
        """Keep the finished runs that new ones replace, for an undo that makes them hold again."""
        shelf = self._shelf.setdefault(track_id, [])
        for run in self._board.runs(track_id):
            is_done = bool(run.origin.parameters.get("is_complete"))
            if is_done and run.start < end and start < run.end and run not in shelf:
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
                self._put(track_id, (run.start, run.end), [run])
                return True
        return False

    def _report(self) -> None:
        self.progressed.notify(self.status)


def _around(start: int, end: int) -> tuple[int, int]:
    return max(0, start - 1), end + 1
