"""What is exported: the request, the drafts as they were then, and what was written of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.document import Document
from annotator.domain.errors import UserError
from annotator.domain.ids import PointId, TrackId
from annotator.domain.labels import LabelSet
from annotator.domain.segment import Lane
from annotator.services.projects import OpenProject
from annotator.services.transfer.formats import PERCEPTION_TEST


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
        tasks = [t for t in project.tasks() if t.video_id == video.id and t.draft_id is not None]
        for task in tasks[:1]:
            session = project.open_task(task.id, takes=False)
            old = session.document
            document = Document(old.draft_id, old.video, old.tracks, old.segments, old.points)
            counts = {t.id: len(session.pending(t.id)) for t in old.tracks}
            waiting = {p.id: len(session.pending_points(p.id)) for p in old.points}
            found.append(
                Snapshot(document, video.path, session.table_bytes, counts, waiting, label_sets)
            )
    if wanted:
        hint = "Videos are named as in the project, with or without ending."
        text = f"The project has no video “{min(wanted)}”."
        raise UserError(text, hint=hint, where=str(project.path))
    if not found:
        hint = "Draw a box or import a file first."
        raise UserError("There is nothing to export yet.", hint=hint, where=str(project.path))
    return found
