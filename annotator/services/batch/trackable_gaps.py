"""Gaps of open drafts and detections of a model that can be tracked in advance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, NamedTuple

from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.errors import UserError
from annotator.domain.ids import DraftId, VideoId
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.model_predictions import Model
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import RunT, by_owner, replaced
from annotator.domain.recipes.recipe import HiddenObjects, Tool
from annotator.services.assist.box_plan import BoxJob, BoxPlan
from annotator.services.assist.point_plan import PointJob, PointPlan
from annotator.services.assist.tracker_requests import ProposalBoard, Viewpoint
from annotator.services.project.predictions import read
from annotator.store.annotation import predictions
from annotator.store.annotation.drafts import read_draft
from annotator.store.annotation.proposals import BOXES, POINTS
from annotator.store.columns import id_bytes
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document, VideoInfo
    from annotator.services.project.projects import OpenProject
    from annotator.store.file.project import ProjectFile


class Detection(NamedTuple):
    """A box of a model on one frame; ``score`` is 0..1."""

    frame: int
    label: str
    box: tuple[float, float, float, float]
    score: float


@dataclass(frozen=True, slots=True)
class DraftGaps:
    """A draft with gaps that need proposals."""

    draft_id: DraftId
    video_id: VideoId
    board: ProposalBoard
    jobs: Sequence[BoxJob | PointJob]


@dataclass(frozen=True, slots=True)
class UntrackedDetections:
    """Detections in a video, and the model name for the tracks made from them."""

    video_id: VideoId
    made: Model
    detections: Sequence[Detection]


class _StoredProposals(Generic[RunT]):
    """Proposals as they are in the file; what replaces them stays in memory."""

    def __init__(self, runs: Sequence[RunT]) -> None:
        self._runs = by_owner(runs)

    def of(self, owner_id: str) -> tuple[RunT, ...]:
        return self._runs.get(owner_id, ())

    def replace(self, owner_id: str, span: tuple[int, int], runs: Iterable[RunT]) -> None:
        *_, self._runs[owner_id] = replaced(self.of(owner_id), span, runs)


@dataclass(frozen=True, slots=True)
class _Board:
    """A closed draft, as plans read it."""

    document: Document
    box_runs: _StoredProposals[ProposalRun]
    point_runs: _StoredProposals[PointProposalRun]
    tools: Collection[Tool]
    is_read_only: bool = False

    def has_tool(self, tool: Tool) -> bool:
        return tool in self.tools


def drafts_with_gaps(project: OpenProject) -> Iterator[DraftGaps]:
    """Yield drafts in progress that need proposals, except those open in this program."""
    for task in project.tasks():
        record, tools = project.work.record(task.id), project.work.tools_of(task.id)
        if not record.holders or not {Tool.BOXES, Tool.POINTS} & set(tools):
            continue
        if project.is_open(task.id):
            continue
        task_type = project.work.recipe.task_type(record.kind)
        is_absent = task_type is not None and task_type.hidden is HiddenObjects.OUT_OF_VIEW
        with project.file.reading() as connection:
            drafts = [tasks.find_draft(connection, assignment.id) for assignment in record.holders]
        for draft_id in drafts:
            if draft_id is None:
                continue
            info = project.media.video(task.video_id).info
            board = _board(project.file, draft_id, info, tools)
            jobs = _jobs(board, hidden_is_absent=is_absent)
            if jobs:
                yield DraftGaps(draft_id, task.video_id, board, jobs)


def _board(
    file: ProjectFile, draft_id: DraftId, info: VideoInfo, tools: Collection[Tool]
) -> _Board:
    key = id_bytes(draft_id)
    return _Board(
        read_draft(file, draft_id, info),
        _StoredProposals(BOXES.read(file, key)),
        _StoredProposals(POINTS.read(file, key)),
        tools,
    )


def _jobs(board: ProposalBoard, *, hidden_is_absent: bool) -> list[BoxJob | PointJob]:
    boxes, points = BoxPlan(board, Viewpoint()), PointPlan(board)
    for track in board.document.tracks:
        boxes.refresh(track.id)
    for point in board.document.points:
        points.refresh(point.id)
    box_jobs = (replace(job, hidden_is_absent=hidden_is_absent) for job in boxes.jobs())
    return [*box_jobs, *points.jobs()]


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
    """Return name and version of the models with predictions in a project."""
    return predictions.models(project.file)


def untracked_detections(
    project: OpenProject, model: tuple[str, str], tracker: str
) -> Iterator[UntrackedDetections]:
    """Yield detections of a model in videos that are not tracked from them yet."""
    for entry in project.media.entries():
        rows = predictions.predictions_of(project.file, entry.id)
        row = next((r for r in rows if (r.model, r.version) == model), None)
        if row is None:
            continue
        combined = Model(f"{row.model} + {tracker}", row.version, row.file, row.sha256)
        model_key = combined.name, combined.version, combined.sha256
        if predictions.has_prediction(project.file, entry.id, *model_key):
            continue
        prediction = read(row, project.media.video(entry.id).info)
        detections = [
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
        if detections:
            yield UntrackedDetections(entry.id, combined, sorted(detections))


def _single(track: Track) -> tuple[Keyframe, ...]:
    """Return the one keyframe with a box of a detection; none for what has been tracked."""
    boxed = tuple(key for key in track.keyframes if key.box is not None)
    return boxed if len(boxed) == 1 else ()
