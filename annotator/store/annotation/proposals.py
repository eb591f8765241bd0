"""Proposals in the project file: not annotation, not in the log, replaced run by run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, cast

import numpy as np

from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin, RunT
from annotator.store.columns import id_bytes, id_text, json_object, json_text
from annotator.store.file.project import ProjectFile
from annotator.store.file.readable import Readable

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RunTable(Generic[RunT]):
    """The table that keeps the proposals of tracks, or those of points."""

    name: str
    owner: str
    values: str
    made: type[RunT]

    @property
    def _columns(self) -> str:
        return (
            f"{self.owner}, start_frame, {self.values}, confidence, occluded,"
            " tool, version, parameters"
        )

    def read(self, file: Readable, draft_id: bytes) -> list[RunT]:
        """Return all proposals of a draft, by track or point, and frame."""
        rows = file.rows(
            f"SELECT {self._columns} FROM {self.name} WHERE draft_id = ?"
            f" ORDER BY {self.owner}, start_frame",
            (draft_id,),
        )
        runs = cast("list[tuple[bytes, int, bytes, bytes, bytes, str, str, str]]", rows)
        return [
            self.made(
                id_text(owner),
                start,
                np.frombuffer(values, dtype="<f4").reshape(-1, self.made.WIDTH),
                np.frombuffer(confidence, dtype="<f4"),
                Origin(tool, version, json_object(parameters)),
                np.frombuffer(occluded, dtype=np.uint8),
            )
            for owner, start, values, confidence, occluded, tool, version, parameters in runs
        ]

    def replace(
        self,
        file: ProjectFile,
        draft_id: bytes,
        owner_id: str,
        removed: Iterable[RunT],
        new: Iterable[RunT],
    ) -> None:
        """Drop some runs of a track or a point and keep others instead, in one transaction."""
        key = id_bytes(owner_id)
        with file.transaction() as connection:
            connection.executemany(
                f"DELETE FROM {self.name}"
                f" WHERE draft_id = ? AND {self.owner} = ? AND start_frame = ?",
                [(draft_id, key, run.start) for run in removed],
            )
            connection.executemany(
                f"INSERT INTO {self.name} (draft_id, {self._columns})"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        *(draft_id, key, run.start, _f4(run.values), _f4(run.confidence)),
                        run.occluded.astype(np.uint8).tobytes(),
                        *(run.origin.name, run.origin.version, json_text(run.origin.parameters)),
                    )
                    for run in new
                ],
            )


BOXES: Final = RunTable("proposal_run", "track_id", "boxes", ProposalRun)
POINTS: Final = RunTable("point_proposal_run", "point_id", "xy", PointProposalRun)


def _f4(values: NDArray[np.float32]) -> bytes:
    return np.ascontiguousarray(values, dtype="<f4").tobytes()
