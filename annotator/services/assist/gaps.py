"""Open work in the gaps of a track, given its proposal runs and new results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.edits import MIN_SIDE_PX
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.boxes import (
    Anchor,
    Gap,
    Origin,
    ProposalRun,
    covers,
    is_current,
    signature,
)
from annotator.services.assist.messages import Batch, PointBatch

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

    def __init__(self, request_id: int, job: Job, tracker: str, size: tuple[int, int]) -> None:
        """``size`` is that of the frames, in pixels: proposals are cut to it."""
        n = job.end - job.start
        self._size = size
        self.id = request_id
        self.job = job
        self.is_wanted = True
        self.origin = Origin(tracker, "")
        self.boxes = np.full((n, 4), np.nan, np.float32)
        self.confidence = np.full(n, np.nan, np.float32)
        self.occluded = np.zeros(n, np.uint8)
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
        self.boxes[at] = self._cut(rows["box"])
        self.confidence[at] = rows["confidence"]
        self.occluded[at] = rows["occluded"]

    def _cut(self, boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return boxes, float32 [n, 4], cut to the frame; NaN where too little is left."""
        size = np.array(self._size * 2, np.float32)
        cut: NDArray[np.float32] = np.clip(boxes, 0, size)
        is_small = (cut[:, 2:] - cut[:, :2]).min(axis=1, initial=math.inf) < MIN_SIDE_PX
        cut[is_small] = np.nan
        return cut

    def finished(self) -> list[ProposalRun]:
        """Return what there is so far: one unfinished run for each stretch of known frames."""
        whole = self.result(is_complete=False)
        known = np.flatnonzero(np.isfinite(self.confidence))
        parts = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1) if len(known) else []
        start = self.job.start
        return [whole.part(start + int(part[0]), start + int(part[-1]) + 1) for part in parts]

    def result(self, *, is_complete: bool) -> ProposalRun:
        parameters = {
            **self.origin.parameters,
            "anchors": self.job.signature,
            "is_complete": is_complete,
        }
        origin = Origin(self.origin.name, self.origin.version, parameters)
        boxes, confidence = self.boxes.copy(), self.confidence.copy()
        occluded = self.occluded.copy()
        return ProposalRun(self.job.track_id, self.job.start, boxes, confidence, origin, occluded)


def open_job(gap: Gap, runs: Sequence[ProposalRun], look_at: int | None) -> Job | None:
    """Return the next job in a gap; None where its proposals are up to date.

    Before the first and after the last box the frames are done a piece at a time: the first piece
    always, a further one when the playhead (`look_at`, None if the track is not selected) comes
    near its end.
    """
    anchors = tuple(a for a in (gap.lower, gap.upper) if a is not None)
    whole = Job(gap.track_id, gap.start, gap.end, anchors)
    if gap.lower is not None and gap.lower.box is None and gap.upper is None:
        return None  # out of view, as accepted: what was proposed after that stays
    if len(anchors) == 2:
        return None if covers(runs, gap) else whole
    return _piece(whole, [run for run in runs if _is_good(run, gap, runs)], look_at)


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


def _is_good(run: ProposalRun, gap: Gap, runs: Sequence[ProposalRun]) -> bool:
    """Return whether a run in a gap with one anchor was finished, and still holds."""
    told = run.origin.parameters
    if not told.get("is_complete") or "anchors" not in told:
        return False
    return gap.start < run.end and run.start < gap.end and is_current(run, gap, runs)
