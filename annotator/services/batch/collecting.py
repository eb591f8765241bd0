"""Results brought back into a project: proposals of drafts, and predictions of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Track, TrackInfo
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, track_id
from annotator.domain.proposals.runs import Origin, by_owner, replaced
from annotator.exchange.formats.base.converting import keyframes_of
from annotator.services.assist.box_plan import BoxJob
from annotator.services.batch.plan import Keys, TrackerNames
from annotator.services.batch.results import TrackedObject, read_objects, read_runs, result_path
from annotator.services.batch.wanted import (
    WantedDraft,
    models_in,
    wanted_detections,
    wanted_drafts,
)
from annotator.services.project.predictions import keep
from annotator.store.annotation.proposals import BOXES, POINTS, RunTable
from annotator.store.columns import id_bytes

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.services.project.projects import OpenProject


@dataclass(slots=True)
class Collected:
    """Result of collecting: gaps and videos that got proposals, and damaged results.

    ``n_objects`` is the number of objects that were tracked from detections.
    """

    n_gaps: int = 0
    n_objects: int = 0
    n_waiting: int = 0
    videos: set[str] = field(default_factory=set)
    damaged: list[str] = field(default_factory=list)


def collect(project: OpenProject, folder: Path, trackers: TrackerNames) -> Collected:
    """Bring results into the drafts they were made for, and keep what detections became.

    What was made from keyframes that have changed since is not taken; a damaged file is named and
    the rest goes on.
    """
    done, keys = Collected(), Keys(trackers)
    for draft in wanted_drafts(project):
        _collect_draft(project, folder, draft, keys, done)
    for model in models_in(project):
        for wanted in wanted_detections(project, model, trackers.boxes):
            entry = project.footage.video(wanted.video_id)
            path = result_path(folder, keys.detections(entry.content_hash or "", wanted.detections))
            if not path.exists():
                done.n_waiting += 1
                continue
            try:
                objects = read_objects(path, entry.info.n_frames)
            except UserError as error:
                done.damaged.append(str(error))
                continue
            keep(project.file, wanted.made, *_content(entry.info, objects))
            done.n_objects += len(objects)
            done.videos.add(entry.info.name)
    return done


def _collect_draft(
    project: OpenProject, folder: Path, draft: WantedDraft, keys: Keys, done: Collected
) -> None:
    entry, key = project.footage.video(draft.video_id), id_bytes(draft.draft_id)
    content = entry.content_hash or ""
    for job in draft.jobs:
        path = result_path(folder, keys.job(content, job))
        gaps: list[Any] = job.empty_runs(Origin("", ""))
        if not path.exists():
            done.n_waiting += len(gaps)
            continue
        try:
            found = read_runs(path, gaps)
        except UserError as error:
            done.damaged.append(str(error))
            continue
        table: RunTable[Any] = BOXES if isinstance(job, BoxJob) else POINTS
        kept = by_owner(table.read(project.file, key))
        for run in found:
            span, before = (run.start, run.end), kept.get(run.owner_id, ())
            gone, come, _ = replaced(before, span, [run])
            table.replace(project.file, key, run.owner_id, gone, come)
        done.n_gaps += len(found)
        done.videos.add(entry.info.name)


def _content(
    info: VideoInfo, objects: Sequence[TrackedObject]
) -> tuple[Document, dict[str, dict[int, float]]]:
    """Return objects as the content of a prediction, with their scores."""
    tracks: list[Track] = []
    scores: dict[str, dict[int, float]] = {}
    for number, each in enumerate(objects, 1):
        made = TrackInfo(track_id(), each.label, number, number - 1)
        rows = [(row.frame, Box(*row.box), row.is_occluded) for row in each.boxes]
        tracks.append(Track(made, tuple(keyframes_of(rows, info.n_frames))))
        scores[made.id] = {row.frame: row.score for row in each.boxes}
    return Document(DraftId(""), info, tracks), scores
