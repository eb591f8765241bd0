"""Open work for points, given their proposal runs and new results.

Gaps of one object's points that overlap in time are one job: they share pictures and motion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointGap, PointTrack, open_point_gaps
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.boxes import Origin
from annotator.domain.proposals.points import PointProposalRun
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.messages import Batch, PointBatch, PointRequest

Urgency: TypeAlias = tuple[bool, int, int]


class PointBoard(Protocol):
    """Where points are read and their proposals are found: the session."""

    document: Document

    @property
    def is_read_only(self) -> bool: ...

    def has_tool(self, tool: Tool) -> bool: ...

    def point_runs(self, point_id: PointId) -> tuple[PointProposalRun, ...]: ...


@dataclass(frozen=True, slots=True)
class PointJob:
    """Gaps of one object's points to be followed in one pass."""

    track_id: TrackId | None
    gaps: tuple[PointGap, ...]

    @property
    def start(self) -> int:
        return min(gap.start for gap in self.gaps)

    @property
    def end(self) -> int:
        return max(gap.end for gap in self.gaps)

    def request(
        self, request_id: int, path: str, table: bytes | None, tracker: str
    ) -> PointRequest:
        """Return what the worker is asked."""
        paths = tuple(tuple(ends_of(gap)) for gap in self.gaps)
        return PointRequest(request_id, path, table, paths, self.start, self.end, tracker)


class PointPlan:
    """Knows for every point which open gaps lack up-to-date proposals."""

    def __init__(self, board: PointBoard) -> None:
        self._board = board
        self._wanted: dict[PointId, list[PointGap]] = {}
        self._failed: set[PointGap] = set()

    @property
    def n_gaps(self) -> int:
        """How many gaps are wanted."""
        return sum(len(gaps) for gaps in self._wanted.values())

    def refresh(self, point_ids: Iterable[PointId]) -> None:
        """Look at some points again."""
        can_edit = not self._board.is_read_only and self._board.has_tool(Tool.POINTS)
        for point_id in point_ids:
            point = self._board.document.find_point(point_id)
            self._wanted.pop(point_id, None)
            if point is None or not can_edit or self._is_locked(point):
                continue
            every = self._board.point_runs(point_id)
            if any(run.origin.is_file for run in every):
                continue
            runs = {run.start: run for run in every}
            gaps = [
                gap
                for gap in open_point_gaps(point)
                if gap not in self._failed and not _is_good(runs.get(gap.start), gap)
            ]
            if gaps:
                self._wanted[point_id] = gaps

    def wants(self, gap: PointGap) -> bool:
        return gap in self._wanted.get(gap.point_id, ())

    def fail(self, gaps: Iterable[PointGap]) -> None:
        """Leave gaps out until their ends change or their point is forgiven."""
        self._failed.update(gaps)
        self.refresh({gap.point_id for gap in gaps})

    def forgive(self, point_id: PointId) -> None:
        """Try the gaps of a point again that were left out."""
        self._failed = {gap for gap in self._failed if gap.point_id != point_id}

    def best(self, urgency: Callable[[PointJob], Urgency]) -> PointJob | None:
        """Return the most urgent gap, with all wanted ones of its object that overlap it."""
        singles = self._singles()
        return _with_mates(min(singles, key=urgency), singles) if singles else None

    def jobs(self) -> list[PointJob]:
        """Return all wanted gaps, each in one job."""
        singles, found = self._singles(), list[PointJob]()
        while singles:
            job = _with_mates(min(singles, key=lambda each: each.start), singles)
            singles = [each for each in singles if each.gaps[0] not in job.gaps]
            found.append(job)
        return found

    def _singles(self) -> list[PointJob]:
        return [PointJob(self._owner(p), (g,)) for p, gaps in self._wanted.items() for g in gaps]

    def _is_locked(self, point: PointTrack) -> bool:
        owner = point.info.track_id
        track = self._board.document.find_track(owner) if owner else None
        return point.info.is_locked or (track is not None and track.info.is_locked)

    def _owner(self, point_id: PointId) -> TrackId | None:
        point = self._board.document.find_point(point_id)
        return point.info.track_id if point else None


class PointsRunning:
    """A job at the worker and what has come back so far."""

    def __init__(self, request_id: int, job: PointJob, tracker: str) -> None:
        self.id = request_id
        self.job = job
        self.is_wanted = True
        self.origin = Origin(tracker, "")
        self.delivered_s = -math.inf
        lengths = [gap.end - gap.start for gap in job.gaps]
        self._xy = [np.full((n, 2), np.nan, np.float32) for n in lengths]
        self._occluded = [np.zeros(n, np.uint8) for n in lengths]
        self._confidence = [np.full(n, np.nan, np.float32) for n in lengths]

    @property
    def progress(self) -> tuple[int, int]:
        """How many frames have a proposal, of how many."""
        done = sum(int(np.isfinite(c).sum()) for c in self._confidence)
        return done, sum(len(c) for c in self._confidence)

    def take(self, batch: Batch | PointBatch) -> None:
        if not isinstance(batch, PointBatch):
            return
        rows = batch.proposals()
        for i, gap in enumerate(self.job.gaps):
            inside = (rows["path"] == i) & (rows["frame"] >= gap.start) & (rows["frame"] < gap.end)
            mine = rows[inside]
            at = mine["frame"] - gap.start
            self._xy[i][at], self._occluded[i][at] = mine["xy"], mine["occluded"]
            self._confidence[i][at] = mine["confidence"]

    def results(self, *, is_complete: bool) -> list[tuple[PointGap, PointProposalRun]]:
        """Return the proposals of every gap; before completion, of those that have any."""
        found = []
        for i, gap in enumerate(self.job.gaps):
            if not is_complete and np.isnan(self._confidence[i]).all():
                continue
            parameters = {
                **self.origin.parameters,
                "anchors": _signature(gap),
                "is_complete": is_complete,
            }
            origin = Origin(self.origin.name, self.origin.version, parameters)
            values = (self._xy[i].copy(), self._occluded[i].copy(), self._confidence[i].copy())
            found.append((gap, PointProposalRun(gap.point_id, gap.start, *values, origin)))
        return found


def _with_mates(first: PointJob, singles: Iterable[PointJob]) -> PointJob:
    """Return a gap with all of its object's that overlap it."""
    if first.track_id is None:
        return first
    mates = (
        job.gaps[0]
        for job in singles
        if job.track_id == first.track_id and job.start < first.end and first.start < job.end
    )
    return PointJob(first.track_id, tuple(sorted(mates, key=lambda gap: gap.start)))


def dismissal(gap: PointGap) -> PointProposalRun:
    """Return the run that says that no proposals are wanted in a gap, as long as its ends hold."""
    n = gap.end - gap.start
    return PointProposalRun(
        gap.point_id,
        gap.start,
        np.full((n, 2), np.nan, np.float32),
        np.zeros(n, np.uint8),
        np.full(n, np.nan, np.float32),
        Origin("dismissed", "", {"anchors": _signature(gap), "is_complete": True}),
    )


def ends_of(gap: PointGap) -> list[tuple[int, float, float]]:
    """Return the two fixed places around a gap: frame, x, y in image pixels."""
    return [
        (gap.start - 1, float(gap.lower.x), float(gap.lower.y)),
        (gap.end, float(gap.upper.x), float(gap.upper.y)),
    ]


def _signature(gap: PointGap) -> list[Json]:
    """The ends as JSON, kept in the origin of a run to tell later whether it still holds."""
    return [list(end) for end in ends_of(gap)]


def _is_good(run: PointProposalRun | None, gap: PointGap) -> bool:
    if run is None or run.end != gap.end or not run.origin.parameters.get("is_complete"):
        return False
    return run.origin.parameters.get("anchors") == _signature(gap)
