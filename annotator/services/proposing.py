"""Keeps proposals up to date: which gaps want a run, in which order, and what came of it.

Every keyframe of a track is an anchor. An edit changes the anchors of the gaps it touches, so only
those run again; a run remembers its anchors in its origin, so that one kept in the project file
is known to be good (or not) when the project is opened again.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import msgspec
import numpy as np

from annotator.domain import proposal
from annotator.domain.changes import ChangeSet
from annotator.domain.document import Document
from annotator.domain.errors import UserError
from annotator.domain.ids import TrackId
from annotator.domain.proposal import Gap, Origin, ProposalRun
from annotator.domain.track import Track
from annotator.services.assist_messages import Batch, Failed, Reply, Request, anchor_records
from annotator.services.listeners import Listeners
from annotator.services.notices import Notice
from annotator.services.proposing_jobs import Job, open_job

_DELIVER_S: Final = 0.2
_LOOK_FRAMES: Final = 16


class ProposalBoard(Protocol):
    """Where tracks are read and proposals are put: the session."""

    document: Document
    changed: Listeners[ChangeSet]
    video_path: Path | None
    table_bytes: bytes | None

    @property
    def is_read_only(self) -> bool: ...

    def runs(self, track_id: TrackId) -> tuple[ProposalRun, ...]: ...

    def replace_runs(
        self, track_id: TrackId, span: tuple[int, int], runs: Iterable[ProposalRun]
    ) -> None: ...


class ProposalWorker(Protocol):
    """What runs trackers: `AssistWorker`."""

    def run(self, request: Request) -> None: ...

    def cancel(self, request_id: int) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ProposingStatus:
    """What is going on: the gap in work, how far it is, and how many gaps wait."""

    is_paused: bool
    track_id: TrackId | None
    done_frames: int
    total_frames: int
    n_waiting: int

    @property
    def is_busy(self) -> bool:
        return self.track_id is not None


class _Running:
    """A job at the worker and what has come back so far."""

    def __init__(self, request_id: int, job: Job, tracker: str) -> None:
        n = job.end - job.start
        self.id = request_id
        self.job = job
        self.is_wanted = True
        self.origin = Origin(tracker, "")
        self.boxes = np.full((n, 4), np.nan, np.float32)
        self.confidence = np.full(n, np.nan, np.float32)
        self.delivered_s = -math.inf

    def take(self, batch: Batch) -> None:
        rows = batch.proposals()
        at = rows["frame"] - self.job.start
        rows, at = rows[(at >= 0) & (at < len(self.boxes))], at[(at >= 0) & (at < len(self.boxes))]
        self.boxes[at], self.confidence[at] = rows["box"], rows["confidence"]

    def result(self, *, is_complete: bool) -> ProposalRun:
        parameters = {
            **self.origin.parameters,
            "anchors": self.job.signature,
            "is_complete": is_complete,
        }
        origin = Origin(self.origin.name, self.origin.version, parameters)
        boxes, confidence = self.boxes.copy(), self.confidence.copy()
        return ProposalRun(self.job.track_id, self.job.start, boxes, confidence, origin)


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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.progressed: Listeners[ProposingStatus] = Listeners()
        self.noticed: Listeners[Notice] = Listeners()
        self._board = board
        self._tracker = tracker
        self._clock = clock
        self._worker = make_worker(lambda reply: post(lambda: self._on_reply(reply)))
        self._ids = itertools.count(1)
        self._jobs: dict[TrackId, list[Job]] = {}
        self._failed: set[Job] = set()
        self._running: _Running | None = None
        self._selected: TrackId | None = None
        self._frame = 0
        self._is_paused = False
        self._is_closed = False
        board.changed.add(self._on_changed)
        self._plan(t.id for t in board.document.tracks)

    @property
    def status(self) -> ProposingStatus:
        waiting = sum(len(jobs) for jobs in self._jobs.values())
        running = self._running if self._running and self._running.is_wanted else None
        if running is None:
            return ProposingStatus(self._is_paused, None, 0, 0, waiting)
        done = int(np.isfinite(running.confidence).sum())
        total = len(running.confidence)
        return ProposingStatus(self._is_paused, running.job.track_id, done, total, waiting - 1)

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
            self._failed.add(self._running.job)
            self._plan([self._running.job.track_id])

    def rerun(self, track_id: TrackId, *, tracker: str | None = None) -> None:
        """Throw the proposals in a track's open gaps away and make new ones."""
        self._tracker = tracker or self._tracker
        track = self._board.document.find_track(track_id)
        if track is None:
            return
        self._failed = {job for job in self._failed if job.track_id != track_id}
        self._stop()
        for gap in self._gaps(track):
            self._put(track_id, _around(gap.start, gap.end), [])
        self._plan([track_id])

    def close(self) -> None:
        """End the worker; nothing is delivered any more."""
        self._is_closed = True
        self._board.changed.remove(self._on_changed)
        self._worker.close()

    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.track_ids:
            self._plan(changes.track_ids)

    def _plan(self, track_ids: Iterable[TrackId]) -> None:
        """Find out what some tracks want, stop what is wanted no more, and go on."""
        for track_id in track_ids:
            track = self._board.document.find_track(track_id)
            jobs = self._wanted(track) if track else []
            self._jobs[track_id] = jobs
            if not jobs:
                del self._jobs[track_id]
            running = self._running
            if running and running.job.track_id == track_id and running.job not in jobs:
                self._stop()
        self._next()

    def _wanted(self, track: Track) -> list[Job]:
        jobs = []
        every = self._board.runs(track.id)
        by_start = {run.start: [run] for run in every}
        for gap in self._gaps(track):
            # A gap between two keyframes has one run; a track may have a thousand of them.
            is_closed = gap.lower is not None and gap.upper is not None
            runs = by_start.get(gap.start, []) if is_closed else every
            look_at = self._frame if track.id == self._selected else None
            job = open_job(gap, runs, look_at)
            if job is not None and job not in self._failed:
                jobs.append(job)
        return jobs

    def _gaps(self, track: Track) -> Sequence[Gap]:
        if track.info.is_locked or self._board.is_read_only or self._board.video_path is None:
            return []
        return proposal.open_gaps(track, self._board.document.video.n_frames)

    def _next(self) -> None:
        """Start the most wanted job, if the worker is free."""
        if self._is_closed:
            return
        if self._running is None and not self._is_paused and self._jobs:
            jobs = [job for found in self._jobs.values() for job in found]
            self._start(min(jobs, key=self._urgency))
        self._report()

    def _urgency(self, job: Job) -> tuple[bool, int, int]:
        distance = max(job.start - self._frame, self._frame - job.end + 1, 0)
        return (job.track_id != self._selected, distance, job.start)

    def _start(self, job: Job) -> None:
        running = _Running(next(self._ids), job, self._tracker)
        self._running = running
        table = self._board.table_bytes
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
        if isinstance(reply, Batch):
            running.take(reply)
            if running.is_wanted and self._clock() - running.delivered_s >= _DELIVER_S:
                self._deliver(running, is_complete=False)
                self._report()
            return
        self._running = None
        if isinstance(reply, Failed):
            self._failed.add(running.job)
            if running.is_wanted:
                self.noticed.notify(Notice("warning", reply.text))
        elif running.is_wanted:
            name, version, settings = reply.origin
            running.origin = Origin(name, version, msgspec.json.decode(settings))
            self._deliver(running, is_complete=not reply.is_cancelled)
        self._plan([running.job.track_id])

    def _deliver(self, running: _Running, *, is_complete: bool) -> None:
        job = running.job
        running.delivered_s = self._clock()
        if not self._board.is_read_only:
            run = running.result(is_complete=is_complete)
            self._put(job.track_id, self._span(job), [run])

    def _put(self, track_id: TrackId, span: tuple[int, int], runs: Sequence[ProposalRun]) -> None:
        """Hand proposals over; a project that cannot be written pauses the work."""
        try:
            self._board.replace_runs(track_id, span, runs)
        except UserError as error:
            self.noticed.notify(Notice("warning", error.text, error.hint))
            self.pause()

    def _span(self, job: Job) -> tuple[int, int]:
        """The job's frames and the keyframes beside them, where older runs may have left some."""
        track = self._board.document.find_track(job.track_id)
        before = track is not None and track.keyframe_at(job.start - 1) is not None
        after = track is not None and track.keyframe_at(job.end) is not None
        return job.start - int(before), job.end + int(after)

    def _report(self) -> None:
        self.progressed.notify(self.status)


def _around(start: int, end: int) -> tuple[int, int]:
    return max(0, start - 1), end + 1
