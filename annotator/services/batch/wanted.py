"""Finds what can be tracked in advance: gaps of drafts in hand, and detections of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.errors import UserError
from annotator.domain.ids import DraftId, PointId, VideoId
from annotator.domain.proposals.boxes import Gap, ProposalRun, open_gaps
from annotator.domain.proposals.points import PointProposalRun
from annotator.domain.proposals.predicted import Model
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.gaps import AHEAD_FRAMES, open_job
from annotator.services.assist.point_proposing import PointJob, PointPlan
from annotator.services.project.predictions import read
from annotator.store.annotation import predictions
from annotator.store.annotation import proposals as stored
from annotator.store.annotation.drafts import read_draft
from annotator.store.columns import id_bytes
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.services.project.projects import OpenProject


class Detection(NamedTuple):
    """A box of a model on one frame; ``score`` is 0..1."""

    frame: int
    label: str
    box: tuple[float, float, float, float]
    score: float


@dataclass(frozen=True, slots=True)
class WantedDraft:
    """A draft with gaps that want proposals, and the proposals it has."""

    draft_id: DraftId
    video_id: VideoId
    kept: Sequence[ProposalRun]
    kept_points: Sequence[PointProposalRun]
    gaps: Sequence[Gap]
    point_jobs: Sequence[PointJob]


@dataclass(frozen=True, slots=True)
class WantedDetections:
    """Detections in a video, and the model that what is tracked from them is kept as."""

    video_id: VideoId
    made: Model
    detections: Sequence[Detection]


@dataclass(slots=True)
class _Board:
    """A draft as `PointPlan` reads it."""

    document: Document
    runs: Sequence[PointProposalRun]
    is_read_only: bool = False

    def has_tool(self, tool: Tool) -> bool:
        return tool is Tool.POINTS

    def point_runs(self, point_id: PointId) -> tuple[PointProposalRun, ...]:
        return tuple(run for run in self.runs if run.point_id == point_id)


def wanted_drafts(project: OpenProject) -> Iterator[WantedDraft]:
    """Yield the drafts in hand that want proposals, but for those open in this program."""
    for task in project.tasks():
        record, tools = project.work.record(task.id), project.work.tools_of(task.id)
        if not record.holders or not {Tool.BOXES, Tool.POINTS} & set(tools):
            continue
        if project.is_open(task.id):
            continue
        with project.file.reading() as connection:
            found = [tasks.find_draft(connection, held.id) for held in record.holders]
        for draft_id in found:
            if draft_id is None:
                continue
            info = project.footage.video(task.video_id).info
            document = read_draft(project.file, draft_id, info)
            kept = stored.read_runs(project.file, id_bytes(draft_id))
            points = stored.read_point_runs(project.file, id_bytes(draft_id))
            gaps = list(_gaps(document, kept)) if Tool.BOXES in tools else []
            plan = PointPlan(_Board(document, points))
            if Tool.POINTS in tools:
                plan.refresh([point.id for point in document.points])
            if gaps or plan.n_gaps:
                yield WantedDraft(draft_id, task.video_id, kept, points, gaps, plan.jobs())


def _gaps(document: Document, kept: Sequence[ProposalRun]) -> Iterator[Gap]:
    for track in document.tracks:
        runs = [run for run in kept if run.track_id == track.id]
        if not track.keyframes or track.info.is_locked or any(run.origin.is_file for run in runs):
            continue
        for gap in open_gaps(track, document.video.n_frames):
            if open_job(gap, runs, None) is not None:
                yield gap


def bounded(gap: Gap) -> tuple[int, int]:
    """Return the half-open span of a gap that is filled in advance."""
    if gap.upper is None:
        return gap.start, min(gap.end, gap.start + AHEAD_FRAMES)
    if gap.lower is None:
        return max(gap.start, gap.end - AHEAD_FRAMES), gap.end
    return gap.start, gap.end


def model_named(project: OpenProject, text: str) -> tuple[str, str]:
    """Return name and version of the model called “NAME” or “NAME VERSION”; UserError for none."""
    known = models_in(project)
    found = [each for each in known if text in (each[0], " ".join(each).strip())]
    if not found:
        names = ", ".join(" ".join(each).strip() for each in known)
        hint = f"Use one of: {names}." if names else "Import its detections as proposals first."
        raise UserError(f"The project has no predictions of a model “{text}”.", hint=hint)
    return found[-1]


def models_in(project: OpenProject) -> list[tuple[str, str]]:
    """Return name and version of the models whose predictions are in a project."""
    return predictions.models(project.file)


def wanted_detections(
    project: OpenProject, model: tuple[str, str], tracker: str
) -> Iterator[WantedDetections]:
    """Yield what a model detected in each video where it has not been tracked from yet."""
    for entry in project.footage.entries():
        rows = predictions.predictions_of(project.file, entry.id)
        row = next((r for r in rows if (r.model, r.version) == model), None)
        if row is None:
            continue
        made = Model(f"{row.model} + {tracker}", row.version, row.file, row.sha256)
        told = made.name, made.version, made.sha256
        if predictions.has_prediction(project.file, entry.id, *told):
            continue
        prediction = read(row, project.footage.video(entry.id).info)
        found = [
            Detection(
                key.frame,
                track.label,
                key.box.as_tuple(),
                prediction.scores.get(track.id, {}).get(key.frame, 1.0),
            )
            for track in prediction.content.tracks
            for key in _single(track)
            if key.box is not None
        ]
        if found:
            yield WantedDetections(entry.id, made, sorted(found))


def _single(track: Track) -> tuple[Keyframe, ...]:
    """Return the one keyframe with a box of a detection; none for what has been tracked."""
    boxed = tuple(key for key in track.keyframes if key.box is not None)
    return boxed if len(boxed) == 1 else ()
