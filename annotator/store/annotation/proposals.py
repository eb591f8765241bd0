"""Proposals in the project file: not annotation, not in the log, replaced run by run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import numpy as np

from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.boxes import Origin, ProposalRun
from annotator.domain.proposals.points import PointProposalRun
from annotator.store.columns import id_bytes, id_text, json_object, json_text
from annotator.store.file.project import ProjectFile
from annotator.store.file.readable import Readable

if TYPE_CHECKING:
    from numpy.typing import NDArray


def read_runs(file: Readable, draft_id: bytes) -> list[ProposalRun]:
    """Return the proposals of all tracks of a draft, by track and frame."""
    rows = file.rows(
        "SELECT track_id, start_frame, boxes, confidence, tool, version, parameters, occluded"
        " FROM proposal_run WHERE draft_id = ? ORDER BY track_id, start_frame",
        (draft_id,),
    )
    found = cast("list[tuple[bytes, int, bytes, bytes, str, str, str, bytes]]", rows)
    return [
        ProposalRun(
            TrackId(id_text(track_id)),
            start,
            np.frombuffer(boxes, dtype="<f4").reshape(-1, 4),
            np.frombuffer(confidence, dtype="<f4"),
            Origin(tool, version, json_object(parameters)),
            np.frombuffer(occluded, dtype=np.uint8),
        )
        for track_id, start, boxes, confidence, tool, version, parameters, occluded in found
    ]


def replace_runs(
    file: ProjectFile,
    draft_id: bytes,
    track_id: TrackId,
    gone: Iterable[ProposalRun],
    new: Iterable[ProposalRun],
) -> None:
    """Drop some proposal runs of a track and keep others instead, in one transaction."""
    key = id_bytes(track_id)
    with file.transaction() as connection:
        connection.executemany(
            "DELETE FROM proposal_run WHERE draft_id = ? AND track_id = ? AND start_frame = ?",
            [(draft_id, key, run.start) for run in gone],
        )
        connection.executemany(
            "INSERT INTO proposal_run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(draft_id, key, run.start, _f4(run.boxes), _f4(run.confidence)),
                    *(*_tool(run.origin), run.occluded.tobytes()),
                )
                for run in new
            ],
        )


def read_point_runs(file: Readable, draft_id: bytes) -> list[PointProposalRun]:
    """Return the proposals of all points of a draft, by point and frame."""
    rows = file.rows(
        "SELECT point_id, start_frame, xy, occluded, confidence, tool, version, parameters"
        " FROM point_proposal_run WHERE draft_id = ? ORDER BY point_id, start_frame",
        (draft_id,),
    )
    found = cast("list[tuple[bytes, int, bytes, bytes, bytes, str, str, str]]", rows)
    return [
        PointProposalRun(
            PointId(id_text(point_id)),
            start,
            np.frombuffer(xy, dtype="<f4").reshape(-1, 2),
            np.frombuffer(occluded, dtype=np.uint8),
            np.frombuffer(confidence, dtype="<f4"),
            Origin(tool, version, json_object(parameters)),
        )
        for point_id, start, xy, occluded, confidence, tool, version, parameters in found
    ]


def replace_point_runs(
    file: ProjectFile,
    draft_id: bytes,
    point_id: PointId,
    gone: Iterable[PointProposalRun],
    new: Iterable[PointProposalRun],
) -> None:
    """Drop some proposal runs of a point and keep others instead, in one transaction."""
    key = id_bytes(point_id)
    with file.transaction() as connection:
        connection.executemany(
            "DELETE FROM point_proposal_run"
            " WHERE draft_id = ? AND point_id = ? AND start_frame = ?",
            [(draft_id, key, run.start) for run in gone],
        )
        connection.executemany(
            "INSERT INTO point_proposal_run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    draft_id,
                    key,
                    run.start,
                    _f4(run.xy),
                    run.occluded.astype(np.uint8).tobytes(),
                    _f4(run.confidence),
                    *_tool(run.origin),
                )
                for run in new
            ],
        )


def _f4(values: NDArray[np.float32]) -> bytes:
    return np.ascontiguousarray(values, dtype="<f4").tobytes()


def _tool(origin: Origin) -> tuple[str, str, str]:
    return (origin.name, origin.version, json_text(origin.parameters))
