"""What is still to be proposed in a gap, given the runs there are, and what has come back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from annotator.domain.ids import TrackId
from annotator.domain.proposal import Anchor, Gap, Origin, ProposalRun, is_current, signature
from annotator.domain.track import Json
from annotator.services.assist_messages import Batch, PointBatch

AHEAD_FRAMES: Final = 300


@dataclass(frozen=True, slots=True)
class Job:
    """A span of frames of one gap, and the anchors its trackers hold on to."""

    track_id: TrackId
    start: int
    end: int
    anchors: tuple[Anchor, ...]

    @property
    def signature(self) -> list[Json]:
        """The anchors as JSON, kept in the origin of a run to tell later whether it still holds."""
        return signature(self.anchors)


class BoxesRunning:
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

    @property
    def progress(self) -> tuple[int, int]:
        """How many frames have a proposal, of how many."""
        return int(np.isfinite(self.confidence).sum()), len(self.confidence)

    def take(self, batch: Batch | PointBatch) -> None:
        if not isinstance(batch, Batch):
            return
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


def open_job(gap: Gap, runs: Sequence[ProposalRun], look_at: int | None) -> Job | None:
    """Return the next job in a gap; None where its proposals are up to date.

    Before the first and after the last box the frames are done a piece at a time: the first piece
    always, a further one when the playhead (`look_at`, None if the track is not selected) comes
    near its end.
    """
    anchors = tuple(a for a in (gap.lower, gap.upper) if a is not None)
    whole = Job(gap.track_id, gap.start, gap.end, anchors)
    inside = [run for run in runs if gap.start <= run.start < run.end <= gap.end]
    good = [run for run in inside if _is_good(run, gap)]
    if len(anchors) == 2:
        return None if good else whole
    return _piece(whole, good, look_at)


def _piece(whole: Job, good: Sequence[ProposalRun], look_at: int | None) -> Job | None:
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
        return Job(whole.track_id, start, end, whole.anchors)
    held = next((found for run in good if (found := run.at(last))), None)
    if not is_near or held is None or held.box is None:
        return None
    return Job(whole.track_id, start, end, (*whole.anchors, Anchor(last, held.box)))


def _is_good(run: ProposalRun, gap: Gap) -> bool:
    """Whether a run was finished on the gap's anchors, and on all its frames between two."""
    told = run.origin.parameters
    if not told.get("is_complete") or "anchors" not in told:
        return False
    is_whole = run.start == gap.start and run.end == gap.end
    is_closed = gap.lower is not None and gap.upper is not None
    return is_current(run, gap) and (is_whole or not is_closed)
