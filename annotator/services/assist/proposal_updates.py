"""Keeps proposals up to date: the gaps that need a run, in order, and the results.

Every keyframe of a track is an anchor. An edit changes the anchors of the gaps it touches, so only
those run again; a run remembers its anchors in its origin, so that one kept in the project file
is known to be good (or not) when the project is opened again.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import msgspec

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.errors import UserError
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.runs import Origin
from annotator.services.assist.box_plan import BoxJob, BoxPlan
from annotator.services.assist.messages import AnyRequest, Failed, ProposalBatch, Reply
from annotator.services.assist.point_plan import PointPlan
from annotator.services.assist.tracker_requests import (
    GapPlan,
    ProposalBoard,
    RunningJob,
    TrackingJob,
    Viewpoint,
)
from annotator.services.background.jobs import Listeners
from annotator.services.notices import Notice

_DELIVER_S: Final = 0.2
_LOOK_FRAMES: Final = 16
_PLAN_S: Final = 0.003
_PLAN_AT_ONCE: Final = 8

AnyPlan: TypeAlias = GapPlan[Any]


class ProposingBoard(ProposalBoard, Protocol):
    """A draft whose edits can be followed, with its video: the session.

    ``is_tracked``: trackers make proposals wherever an edit opens a gap.
    """

    is_tracked: bool

    @property
    def changed(self) -> Listeners[ChangeSet]: ...
    @property
    def video_path(self) -> Path | None: ...
    @property
    def table_bytes(self) -> bytes | None: ...


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


class Return(NamedTuple):
    """An object that a person marked as out of view, and the first frame with a proposal of it."""

    track_id: TrackId
    frame: int


class Proposing:
    """Runs trackers wherever an open gap has no up-to-date proposals. Main thread only.

    `make_worker` gets a callable for replies, which may come on any thread; `post` brings them to
    the main thread. The selected track goes first, and of its gaps the one nearest the playhead.
    `hidden_is_absent` tells whether hidden objects are proposed as out of view.
    """

    def __init__(
        self,
        board: ProposingBoard,
        make_worker: Callable[[Callable[[Reply], None]], ProposalWorker],
        *,
        post: Callable[[Callable[[], None]], None],
        tracker: str = "fused",
        point_tracker: str = "flow-points",
        hidden_is_absent: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.progressed: Listeners[ProposingStatus] = Listeners()
        self.noticed: Listeners[Notice] = Listeners()
        self.returned: Listeners[Return] = Listeners()
        self._board = board
        self._clock = clock
        self._post = post
        self._worker = make_worker(lambda reply: post(lambda: self._on_reply(reply)))
        self._ids = itertools.count(1)
        self._viewpoint = Viewpoint()
        self._boxes = BoxPlan(board, self._viewpoint, hidden_is_absent)
        self._points = PointPlan(board)
        self._trackers: dict[AnyPlan, str] = {self._boxes: tracker, self._points: point_tracker}
        self._running: RunningJob[Any] | None = None
        self._is_closed = False
        self._is_planning = False
        self._to_plan: dict[tuple[AnyPlan, str], None] = {}
        board.changed.add(self._on_changed)
        self._set_paused(False)
        self._note(self._boxes, (track.id for track in board.document.tracks))
        self._note(self._points, (point.id for point in board.document.points))
        self._start_planning()

    @property
    def status(self) -> ProposingStatus:
        waiting = self._boxes.n_gaps + self._points.n_gaps
        running = self._running if self._running and self._running.is_wanted else None
        if running is None:
            return ProposingStatus(self._is_paused, None, 0, 0, waiting)
        waiting = max(waiting - running.n_gaps, 0)
        are_points = running.plan is self._points
        progress, track_id = running.progress, running.job.track_id
        return ProposingStatus(self._is_paused, track_id, *progress, waiting, are_points)

    def look(self, track_id: TrackId | None, frame: int) -> None:
        """Set the selected track and the playhead; their gaps come first."""
        viewpoint, running = self._viewpoint, self._running
        is_near = frame // _LOOK_FRAMES == viewpoint.frame // _LOOK_FRAMES
        is_same = track_id == viewpoint.selected and is_near
        viewpoint.selected, viewpoint.frame = track_id, frame
        if is_same or self._is_closed:
            return
        if track_id is not None:
            self._plan(self._boxes, [track_id])
        if self._boxes.has_work(track_id) and running and running.job.track_id != track_id:
            self._stop()

    def pause(self) -> None:
        """Stop the run in work and start none; edits are still followed."""
        self._set_paused(True)
        self._stop()
        self._report()

    def resume(self) -> None:
        """Continue with the open gaps."""
        self._set_paused(False)
        self._next()

    def cancel(self) -> None:
        """Stop the run in work and leave its gap as it is until it changes or `rerun` is called."""
        if self._running is not None:
            self._leave_out(self._running)

    def rerun(self, track_id: TrackId, *, tracker: str | None = None) -> None:
        """Throw the proposals in a track's open gaps away and make new ones."""
        self._trackers[self._boxes] = tracker or self._trackers[self._boxes]
        self._start_over(self._boxes, track_id)

    def rerun_points(self, point_ids: Iterable[PointId]) -> None:
        """Throw the proposals of points away and make new ones."""
        for point_id in point_ids:
            self._start_over(self._points, point_id)

    def replan_points(self, point_ids: Iterable[PointId]) -> None:
        """Plan some points again after their proposals were dismissed."""
        self._plan(self._points, point_ids)

    def close(self) -> None:
        """End the worker; nothing is delivered any more."""
        self._is_closed = True
        self._board.is_tracked = False
        self._board.changed.remove(self._on_changed)
        self._worker.close()

    def _set_paused(self, is_paused: bool) -> None:
        self._is_paused = is_paused
        self._board.is_tracked = not is_paused and self._board.video_path is not None

    def _on_changed(self, changes: ChangeSet) -> None:
        of_tracks = {p.id for t in changes.track_ids for p in self._board.document.points_of(t)}
        self._note(self._boxes, changes.track_ids)
        self._note(self._points, of_tracks.union(changes.point_ids))
        if self._to_plan:
            self._start_planning()

    def _plan(self, plan: AnyPlan, owner_ids: Iterable[str]) -> None:
        """Plan some tracks or points, stop runs that are no longer needed, and continue."""
        self._note(plan, owner_ids)
        self._start_planning()

    def _note(self, plan: AnyPlan, owner_ids: Iterable[str]) -> None:
        self._to_plan.update(dict.fromkeys((plan, owner_id) for owner_id in owner_ids))

    def _start_over(self, plan: AnyPlan, owner_id: str) -> None:
        """Make the proposals of a track or a point again, before all other work."""
        self._stop()
        self._store(partial(plan.start_over, owner_id))
        self._plan(plan, [owner_id])

    def _start_planning(self) -> None:
        """Look at what an edit touched here and now; at much in turns of its own."""
        if len(self._to_plan) <= _PLAN_AT_ONCE:
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
        while self._to_plan:
            if time.thread_time() > until:
                self._is_planning = True
                self._post(self._go_on_planning)
                return
            plan, owner_id = next(iter(self._to_plan))
            del self._to_plan[plan, owner_id]
            self._store(partial(plan.refresh, owner_id))
            running = self._running
            if running is not None and running.plan is plan and self._is_outdated(running):
                self._stop()
        self._next()

    def _is_outdated(self, running: RunningJob[Any]) -> bool:
        """Return whether a job is to be stopped: nobody needs it, or it has only begun without gaps
        that are better filled in the same pass.
        """
        done, total = running.progress
        plan, job = running.plan, running.job
        return not plan.wants(job) or (done < total / 2 and plan.has_mates(job))

    def _next(self) -> None:
        """Start the most urgent job, if the worker is free."""
        if self._is_closed:
            return
        if self._running is None and not self._is_paused and self._board.video_path is not None:
            plans: tuple[AnyPlan, ...] = (self._boxes, self._points)
            viewpoint = self._viewpoint
            found = [(job, plan) for plan in plans if (job := plan.best(viewpoint)) is not None]
            if found:
                self._start(*min(found, key=lambda each: viewpoint.urgency(each[0])))
        self._report()

    def _start(self, job: TrackingJob[Any], plan: AnyPlan) -> None:
        number, tracker, job = next(self._ids), self._trackers[plan], plan.prepare(job)
        self._running = RunningJob(number, plan, job, tracker)
        path, table = str(self._board.video_path), self._board.table_bytes
        self._worker.run(job.request(number, path, table, tracker))

    def _stop(self) -> None:
        if self._running is not None and self._running.is_wanted:
            self._running.is_wanted = False
            self._worker.cancel(self._running.id)

    def _on_reply(self, reply: Reply) -> None:
        running = self._running
        if self._is_closed or running is None or reply.id != running.id:
            return
        if isinstance(reply, ProposalBatch):
            running.take(reply)
            if running.is_wanted and self._clock() - running.delivered_s >= _DELIVER_S:
                self._deliver(running, is_complete=False)
                self._report()
            return
        self._running = None
        if isinstance(reply, Failed):
            running.plan.leave_out(running.job)
            if running.is_wanted:
                self.noticed.notify(Notice("warning", reply.text))
        elif running.is_wanted:
            name, version, settings = reply.origin
            running.origin = Origin(name, version, msgspec.json.decode(settings))
            self._deliver(running, is_complete=not reply.is_canceled)
            self._tell_return(running.job)
        self._plan(running.plan, running.job.owners)

    def _tell_return(self, job: TrackingJob[Any]) -> None:
        frame = self._boxes.return_frame(job) if isinstance(job, BoxJob) else None
        if job.track_id is not None and frame is not None:
            self.returned.notify(Return(job.track_id, frame))

    def _leave_out(self, running: RunningJob[Any]) -> None:
        """Try the work no more until it changes."""
        running.plan.leave_out(running.job)
        self._plan(running.plan, running.job.owners)

    def _deliver(self, running: RunningJob[Any], *, is_complete: bool) -> None:
        running.delivered_s = self._clock()
        if not self._board.is_read_only:
            self._store(partial(running.plan.deliver, running, is_complete=is_complete))

    def _store(self, put: Callable[[], None]) -> None:
        """Hand proposals over; a project that cannot be written pauses the work."""
        try:
            put()
        except UserError as error:
            self._pause_because(error)

    def _pause_because(self, error: UserError) -> None:
        """Report an error; tracking pauses until it is resumed."""
        text = f"Tracking is paused because proposals cannot be saved. {error.text}"
        self.noticed.notify(Notice("warning", text, error.hint))
        self.pause()

    def _report(self) -> None:
        self.progressed.notify(self.status)
