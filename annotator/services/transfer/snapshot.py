"""Export request, and the documents at the moment of the request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, overload

from annotator.domain.annotation.canonical import read_document
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.labels import LabelSet
from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding
from annotator.domain.errors import ProjectError, UserError
from annotator.domain.ids import DraftId, PointId, SubmissionId, TrackId, VideoId
from annotator.domain.plurals import many
from annotator.domain.proposals.box_proposals import pending
from annotator.domain.proposals.point_proposals import n_pending_points
from annotator.domain.proposals.runs import by_owner
from annotator.domain.questions.items.item import Item
from annotator.domain.recipes.recipe import TaskType, Tool
from annotator.domain.recipes.result_merge import merged_document, tools_first
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.services.project.projects import OpenProject, VideoEntry
from annotator.services.transfer.formats import PERCEPTION_TEST
from annotator.store.annotation.drafts import read_draft
from annotator.store.annotation.proposals import BOXES, POINTS
from annotator.store.catalog import videos
from annotator.store.catalog import videos as whole
from annotator.store.catalog.videos import UsedLabel
from annotator.store.columns import id_bytes
from annotator.store.file.file_state import FilePosition, FileState, state_of
from annotator.store.file.readable import Readable
from annotator.store.questions import items
from annotator.store.workflow import submissions, tasks

Parts: TypeAlias = tuple[tuple[tuple[Tool, ...], SubmissionId], ...]
"""The last submission for each kind of task, with the tools the kind draws with."""


def parts_of(
    project: OpenProject, video_id: VideoId, name: str
) -> tuple[Parts, tuple[Finding, ...]]:
    """Return the last submission of each task type on a video, and the missing ones.

    For projects with stages: unfinished work there is a person's draft, not a result.
    """
    parts: list[tuple[tuple[Tool, ...], SubmissionId]] = []
    remarks: list[Finding] = []
    for task_type in project.work.recipe.task_types:
        if task_type.form is not None:  # answered questions became items
            continue
        with project.file.reading() as connection:
            task_id = tasks.find_by_kind(connection, video_id, task_type.kind)
        record = project.work.record(task_id) if task_id is not None else None
        if record is None or record.status is not TaskStatus.COMPLETE:
            remarks.append(_unfinished(name, task_type, record))
        if record is not None and record.base_id is not None:
            parts.append((task_type.tools, record.base_id))
    return tuple(parts), tuple(remarks)


def result_of(file: Readable, parts: Parts, video: VideoInfo) -> Document:
    """Return the submissions on a video as one document."""
    found = [
        (tools, read_document(submissions.read_body(file, name), DraftId(""), video))
        for tools, name in parts
    ]
    return merged_document(found[0][1], tools_first(found))


def _unfinished(name: str, task_type: TaskType, record: TaskRecord | None) -> Finding:
    stage = task_type.stage(record.stage) if record is not None else None
    place = f"is at the stage “{stage.title}”" if stage is not None else "has not started"
    text = f"“{task_type.title}” {place}; the latest submission is exported."
    return Finding("not-complete", name, text)


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Settings of an export.

    ``videos`` are names with or without ending, all where empty. ``frames`` is "grid", "keys" or
    "all" (see ``annotator.exchange.perception_test.objects``). ``split`` replaces the videos' own.
    ``format_name`` is one of ``FORMATS``; points alone go into TAP-Vid files. Of a Perception Test
    file ``variant`` is "full" or "test", and ``tasks`` are the keys to be filled, all where empty;
    a "submission" or "submission-wrapped" has the answers to one task, as its scorer reads them.
    ``about`` says what the project does not know: "license", "url", "creator", "citation".
    """

    path: Path
    split: str | None = None
    videos: tuple[str, ...] = ()
    frames: str = "grid"
    format_name: str = PERCEPTION_TEST
    variant: str = "full"
    tasks: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ContentPlace:
    """Location of the content of one video: a draft, or submissions (``parts``).

    ``video_path`` is None where its file is not at hand.
    """

    video_id: VideoId
    name: str
    video_path: Path | None
    draft_id: DraftId | None = None
    parts: Parts = ()
    remarks: tuple[Finding, ...] = ()

    def read(self, file: Readable) -> Snapshot:
        """Return the content; ProjectError when it cannot be read."""
        stored = videos.find_video(file, self.video_id)
        if stored is None:
            raise ProjectError("Cannot find the video in the project.", where=str(file.path))
        table = videos.frame_table(file, self.video_id)
        asked_items = items.list_items(file, items.ItemFilter(video_id=self.video_id))
        questions = tuple(item for _, item in asked_items)
        if self.draft_id is None:
            document = Document(DraftId(""), stored.info)
            if self.parts:
                document = result_of(file, self.parts, stored.info)
            return Snapshot(document, self.video_path, table, {}, {}, (), questions)
        draft_document = read_draft(file, self.draft_id, stored.info)
        document = Document(
            draft_document.draft_id,
            draft_document.video,
            draft_document.tracks,
            draft_document.segments,
            draft_document.points,
        )
        pending = _pending(file, document), _pending_points(file, document)
        remarks = tuple(_undecided(document))
        return Snapshot(document.decided(), self.video_path, table, *pending, remarks, questions)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Content and questions of one video at the moment of the request.

    ``remarks`` say what of the draft is not in the document.
    """

    document: Document
    video_path: Path | None
    table: bytes | None
    pending: dict[TrackId, int] = field(default_factory=dict)
    pending_points: dict[PointId, int] = field(default_factory=dict)
    remarks: tuple[Finding, ...] = ()
    questions: tuple[Item, ...] = ()


class Snapshots(Sequence[Snapshot]):
    """The videos to export as they were at the request; each is read on demand.

    Later edits do not reach them. ``own_files`` lists the project and its videos, which an
    export must not replace. Close it in the end.
    """

    def __init__(
        self,
        state: FileState,
        places: Sequence[ContentPlace],
        label_sets: tuple[LabelSet, ...],
        own_files: Callable[[], Sequence[Path]],
    ) -> None:
        self.places = tuple(places)
        self.label_sets = label_sets
        self.state = state
        self.own_files = own_files

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...
    @overload
    def __getitem__(self, index: slice) -> list[Snapshot]: ...
    def __getitem__(self, index: int | slice) -> Snapshot | list[Snapshot]:
        if isinstance(index, slice):
            return [place.read(self.state) for place in self.places[index]]
        return self.places[index].read(self.state)

    def __len__(self) -> int:
        return len(self.places)

    @property
    def moment(self) -> FilePosition | None:
        """Snapshot that other processes can open; None where they cannot."""
        return self.state.moment

    def table(self, place: ContentPlace) -> bytes | None:
        """Return the frame table of a video, None while its file has not been seen."""
        return videos.frame_table(self.state, place.video_id)

    def used_labels(self) -> Iterator[UsedLabel]:
        """Yield the label of each segment, video after video."""
        for place in self.places:
            if place.draft_id is not None:
                with self.state.reading() as connection:
                    found = list(whole.labels_in_drafts(connection, [place.draft_id]))
                yield from found
            for _, name in place.parts:
                yield from whole.labels_in_body(submissions.read_body(self.state, name))

    def infos(self) -> dict[VideoId, videos.StoredVideo]:
        """Return the video values of its videos."""
        return {stored.info.id: stored for stored in videos.list_videos(self.state)}

    def close(self) -> None:
        """Release the project; may be called twice."""
        self.state.close()


@dataclass(frozen=True, slots=True)
class WrittenContent:
    """Written content of one video; ``frames`` are those with content.

    ``table`` gives its frame table.
    """

    name: str
    video_path: Path | None
    table: Callable[[], bytes | None]
    n_tracks: int
    n_boxes: int
    n_points: int
    n_segments: int
    n_questions: int
    frames: tuple[int, ...]


def snapshots(project: OpenProject, names: Sequence[str] = ()) -> Snapshots:
    """Return the drafts to export, on the main thread; UserError when there are none."""
    entries, label_sets = project.videos(), tuple(project.label_set(lane) for lane in Lane)
    places = list(_places(project, entries, names))
    if not places:
        hint = "Draw a box, or import a file first."
        raise UserError(
            "The project has no annotations to export.", hint=hint, where=str(project.path)
        )
    return Snapshots(state_of(project.file), places, label_sets, project.own_files)


def _places(
    project: OpenProject, entries: Iterable[VideoEntry], names: Sequence[str]
) -> Iterator[ContentPlace]:
    missing_names = set(names)
    chosen: list[VideoEntry] = []
    for video in entries:
        own_names = {video.name, Path(video.name).stem}
        if not names or own_names & set(names):
            missing_names -= own_names
            chosen.append(video)
    if missing_names:
        hint = "Use the video names of the project, with or without extension."
        text = f"Unknown video “{min(missing_names)}”."
        raise UserError(text, hint=hint, where=str(project.path))
    if project.work.is_plain:
        drafts = _shown_drafts(project)
        for video in chosen:
            if video.id in drafts:
                yield ContentPlace(video.id, video.name, video.path, drafts[video.id])
        return
    yield from project.background(lambda: list(_results(project, chosen)))


def _shown_drafts(project: OpenProject) -> dict[VideoId, DraftId]:
    people = project.work.people
    me = None if people.needs_sign_in else people.me
    with project.file.reading() as connection:
        return whole.shown_drafts(connection, me.id if me is not None else None)


def _results(project: OpenProject, chosen: Iterable[VideoEntry]) -> Iterator[ContentPlace]:
    """Yield the submitted content of a project with stages, else the drafts.

    Finished questions include a video without annotations.
    """
    drawing = {
        task_type.kind for task_type in project.work.recipe.task_types if task_type.form is None
    }
    tasks = [t for t in project.tasks() if t.draft_id is not None and t.kind in drawing]
    begun = {t.video_id: t for t in reversed(tasks)}
    for video in chosen:
        parts, remarks = parts_of(project, video.id, video.name)
        if parts:
            yield ContentPlace(video.id, video.name, video.path, None, parts, remarks)
        elif video.id in begun:
            info = project.media.video(video.id).info
            opened = project.work.open(begun[video.id].id, info, takes=False)
            yield ContentPlace(video.id, video.name, video.path, opened.draft_id)
        elif _has_questions(project, video.id):
            text = "The video has no submitted annotations; only its questions are exported."
            remark = Finding("not-drawn", video.name, text)
            yield ContentPlace(video.id, video.name, video.path, remarks=(remark,))


def _has_questions(project: OpenProject, video_id: VideoId) -> bool:
    """Return whether there are finished questions about a video."""
    from annotator.exchange.perception_test.questions import is_finished

    asked = items.list_items(project.file, items.ItemFilter(video_id=video_id))
    return any(is_finished(item) for _, item in asked)


def _undecided(document: Document) -> Iterator[Finding]:
    """Yield findings about unaccepted proposals of models."""
    n_objects = sum(track.is_proposed for track in document.tracks)
    n_points = sum(point.is_proposed for point in document.points)
    n_segments = sum(segment.is_proposed for segment in document.segments)
    if n_objects or n_points or n_segments:
        text = (
            "Proposals not accepted or dismissed are not exported: "
            f"{many(n_objects, 'object')}, {many(n_points, 'point')}, "
            f"{many(n_segments, 'segment')}."
        )
        yield Finding("pending-proposals", document.video.name, text)


def _pending(file: Readable, document: Document) -> dict[TrackId, int]:
    """Count the proposals without a decision, by track."""
    counts: dict[TrackId, int] = {}
    for key, runs in by_owner(BOXES.read(file, id_bytes(document.draft_id))).items():
        track = document.find_track(TrackId(key))
        if track is not None:
            counts[track.id] = len(pending(track, runs, document.video.n_frames))
    return counts


def _pending_points(file: Readable, document: Document) -> dict[PointId, int]:
    counts: dict[PointId, int] = {}
    for key, runs in by_owner(POINTS.read(file, id_bytes(document.draft_id))).items():
        point = document.find_point(PointId(key))
        if point is not None:
            counts[point.id] = n_pending_points(point, runs, document.video.n_frames)
    return counts
