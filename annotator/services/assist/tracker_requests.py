"""Requests to a tracker: the gaps to fill and the results so far."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from annotator.domain.annotation.document import Document
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin, RunT
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.messages import AnyRequest, ProposalBatch

Urgency: TypeAlias = tuple[bool, int, bool, int]


class Runs(Protocol[RunT]):
    """Proposals of a draft, by track or by point: `session.RunsInDraft`."""

    def of(self, owner_id: str) -> tuple[RunT, ...]: ...

    def replace(self, owner_id: str, span: tuple[int, int], runs: Iterable[RunT]) -> None: ...


class ProposalBoard(Protocol):
    """Where tracks and points are read and proposals are put: the session."""

    @property
    def document(self) -> Document: ...
    @property
    def box_runs(self) -> Runs[ProposalRun]: ...
    @property
    def point_runs(self) -> Runs[PointProposalRun]: ...
    @property
    def is_read_only(self) -> bool: ...

    def has_tool(self, tool: Tool) -> bool: ...


class TrackingJob(Protocol[RunT]):
    """Gaps of one object, to be filled in one pass: `BoxJob` and `PointJob`."""

    @property
    def track_id(self) -> TrackId | None: ...
    @property
    def owners(self) -> Sequence[TrackId | PointId]: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def signatures(self) -> Sequence[Json]:
        """Anchors of each gap, stored with a run to test later whether it is still valid."""

    def empty_runs(self, origin: Origin) -> list[RunT]: ...

    def request(
        self, request_id: int, path: str, table: bytes | None, tracker: str
    ) -> AnyRequest: ...


J = TypeVar("J", bound=TrackingJob[Any])


class GapPlan(Protocol[J]):
    """Gaps of a draft without up-to-date proposals: `BoxPlan` and `PointPlan`."""

    @property
    def n_gaps(self) -> int: ...

    def refresh(self, owner_id: str) -> None: ...

    def wants(self, job: J) -> bool: ...

    def has_mates(self, job: J) -> bool:
        """Whether more gaps are to be filled in the same pass as a job."""
        ...

    def best(self, viewpoint: Viewpoint) -> J | None: ...

    def prepare(self, job: J) -> J:
        """Return a job with all that its request contains, before it starts."""
        ...

    def leave_out(self, job: J) -> None: ...

    def start_over(self, owner_id: str) -> None: ...

    def deliver(self, running: RunningJob[Any], *, is_complete: bool) -> None: ...


@dataclass(slots=True)
class Viewpoint:
    """The selected object and the playhead."""

    selected: TrackId | None = None
    frame: int = 0

    def urgency(self, job: TrackingJob[Any]) -> Urgency:
        """Return the place of a job in the queue: the selected object and the nearest gap first.

        Of two gaps beside the playhead the later one comes first.
        """
        distance = max(job.start - self.frame, self.frame - job.end + 1, 0)
        return (job.track_id != self.selected, distance, job.end <= self.frame, job.start)


class RunningJob(Generic[RunT]):
    """A job at the tracker process and its results so far."""

    def __init__(
        self, request_id: int, plan: GapPlan[Any], job: TrackingJob[RunT], tracker: str
    ) -> None:
        self.id = request_id
        self.plan = plan
        self.job = job
        self.is_wanted = True
        self.origin = Origin(tracker, "")
        self.delivered_s = -math.inf
        self._runs = job.empty_runs(self.origin)

    @property
    def n_gaps(self) -> int:
        return len(self._runs)

    @property
    def progress(self) -> tuple[int, int]:
        """How many frames have a proposal, of how many."""
        return (
            sum(run.n_known for run in self._runs),
            sum(len(run.confidence) for run in self._runs),
        )

    def take(self, batch: ProposalBatch) -> None:
        rows = batch.proposals()
        for i, run in enumerate(self._runs):
            is_inside = (rows["frame"] >= run.start) & (rows["frame"] < run.end)
            mine = rows[is_inside & (rows["gap"] == i)]
            at = mine["frame"] - run.start
            run.values[at], run.confidence[at] = mine["place"], mine["confidence"]
            run.occluded[at] = mine["occluded"]

    def runs(self, *, is_complete: bool) -> list[RunT]:
        """Return the results so far, one run per gap."""
        return [
            replace(
                run,
                values=run.values.copy(),
                confidence=run.confidence.copy(),
                occluded=np.array(run.occluded),
                origin=self.origin.finished(signature, is_complete=is_complete),
            )
            for run, signature in zip(self._runs, self.job.signatures, strict=True)
        ]
