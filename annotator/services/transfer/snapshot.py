"""What is exported: the request, the drafts as they were then, and what was written of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from annotator.domain.checks import Finding
from annotator.domain.document import Document
from annotator.domain.errors import UserError
from annotator.domain.ids import PointId, TrackId
from annotator.domain.labels import LabelSet
from annotator.domain.segment import Lane
from annotator.services.projects import OpenProject, VideoEntry
from annotator.services.transfer.formats import PERCEPTION_TEST
from annotator.services.transfer.results import result_of
from annotator.store import videos


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to export and how.

    ``videos`` are names with or without ending, all where empty. ``frames`` is "grid", "keys" or
    "all" (see ``annotator.exchange.perception_test.sampling``). ``split`` replaces the videos' own.
    ``format_name`` is one of ``FORMATS``; points alone go into TAP-Vid files.
    """

    path: Path
    split: str | None = None
    videos: tuple[str, ...] = ()
    frames: str = "grid"
    format_name: str = PERCEPTION_TEST


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A draft as it was when the export was asked for; later edits do not reach it."""

    document: Document
    video_path: Path | None
    table: bytes | None
    pending: dict[TrackId, int] = field(default_factory=dict)
    pending_points: dict[PointId, int] = field(default_factory=dict)
    label_sets: tuple[LabelSet, ...] = ()
    remarks: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What was written of one video; ``frames`` are those that something was written for."""

    name: str
    item: Snapshot
    n_tracks: int
    n_boxes: int
    n_points: int
    n_segments: int
    frames: tuple[int, ...]


def snapshots(project: OpenProject, names: Sequence[str] = ()) -> list[Snapshot]:
    """Return the drafts to export, on the main thread; UserError when there are none."""
    wanted = set(names)
    found: list[Snapshot] = []
    label_sets = tuple(project.label_set(lane) for lane in Lane)
    for video in project.videos():
        own_names = {video.name, Path(video.name).stem}
        if names and not own_names & wanted:
            continue
        wanted -= own_names
        item = _result(project, video) or _draft(project, video)
        if item is not None:
            found.append(replace(item, label_sets=label_sets))
    if wanted:
        hint = "Videos are named as in the project, with or without ending."
        text = f"The project has no video “{min(wanted)}”."
        raise UserError(text, hint=hint, where=str(project.path))
    if not found:
        hint = "Draw a box or import a file first."
        raise UserError("There is nothing to export yet.", hint=hint, where=str(project.path))
    return found


def _result(project: OpenProject, video: VideoEntry) -> Snapshot | None:
    """Return what was handed in, in a project with stages; None where nothing was."""
    if project.work.is_plain:
        return None
    document, remarks = result_of(project, project.footage.video(video.id).info)
    if document is None:
        return None
    table = videos.frame_table(project.file, video.id)
    return Snapshot(document, video.path, table, remarks=remarks)


def _draft(project: OpenProject, video: VideoEntry) -> Snapshot | None:
    """Return what is being drawn; None where nobody has begun."""
    for task in project.tasks():
        if task.video_id != video.id or task.draft_id is None:
            continue
        session = project.open_task(task.id, takes=False)
        old = session.document
        document = Document(old.draft_id, old.video, old.tracks, old.segments, old.points)
        counts = {t.id: len(session.pending(t.id)) for t in old.tracks}
        waiting = {p.id: len(session.pending_points(p.id)) for p in old.points}
        return Snapshot(document, video.path, session.table_bytes, counts, waiting)
    return None
