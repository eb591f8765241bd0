"""Imports that create tasks: new videos in batches, with their content as submissions.

The tasks then wait at a later stage, or are complete. All of a file or nothing is imported so, in
one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical import canonical_bytes, content_id, document_value
from annotator.domain.annotation.document import Document
from annotator.domain.checks import Finding
from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, DraftId, SubmissionId, TaskId, VideoId, new_id
from annotator.domain.people import Role
from annotator.domain.recipes.recipe import Resolution, Tool
from annotator.domain.work.acts import Assign, Claim, Close, Reopen, Submit, WorkAct
from annotator.domain.work.event_replay import begin
from annotator.domain.work.records import TaskStatus, Verdict, VerdictKind
from annotator.domain.work.rules import may_take
from annotator.domain.work.transitions import create
from annotator.services.project.projects import TASK_TITLE, OpenProject
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.imports.label_sync import named
from annotator.services.transfer.imports.parallel_reading import ArrivingVideo, VideoBatch
from annotator.services.workflow.transactions import new_assignment
from annotator.services.workflow.work import WorkChanged
from annotator.store.annotation.bulk_drafts import take_part
from annotator.store.catalog import videos
from annotator.store.columns import now_text
from annotator.store.workflow import submissions, tasks, travel

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.domain.recipes.recipe import TaskType
    from annotator.domain.work.records import TaskRecord
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import OpenProject
    from annotator.services.transfer.imports.import_sources import SourceEntry


@dataclass(frozen=True, slots=True)
class ImportedVideo:
    """Result of importing one entry; ``is_new``: the project did not have the video before.

    ``n_known`` counts the records that an earlier import had brought.
    """

    name: str
    task_id: TaskId
    n_tracks: int
    n_points: int
    n_segments: int
    is_new: bool
    n_known: int = 0


def may_arrive(project: OpenProject) -> bool:
    """Return whether the signed-in person may take the tasks of new videos as they come."""
    work = project.work
    me, kinds = work.me, work.recipe.followers("")
    if me is None or work.people.needs_sign_in or not me.has(Role.LEAD) or not kinds:
        return False
    made = create(TaskId(""), VideoId(""), kinds[0], by=me.id, now=work.transactions.now())
    return may_take(begin(made), me, kinds[0]) is None


def take_in(project: OpenProject, batch: VideoBatch) -> list[ImportedVideo]:
    """Bring a batch in, all of it or nothing; on the main thread. ProjectError where that fails.

    Each video gets its tasks, and its content is the draft of the first, assigned to the person who
    imports.
    """
    with _announcing(project) as made:
        return project.background(lambda: _submit_batch(project, batch, made))


@contextmanager
def _announcing(project: OpenProject) -> Iterator[set[TaskId]]:
    """Send the new tasks after the commit."""
    made: set[TaskId] = set()
    yield made
    project.work.changed.notify(WorkChanged(frozenset(made)))


def _submit_batch(
    project: OpenProject, batch: VideoBatch, made: set[TaskId]
) -> list[ImportedVideo]:
    file = project.file
    brought: list[ImportedVideo] = []
    drafts: list[tuple[DraftId, AssignmentId, VideoId]] = []
    with file.attached(batch.part), file.transaction():
        for arrived in batch.arrived:
            videos.add_video(file, arrived.info, None)
            task_ids, assignment = _tasks(project, arrived)
            made.update(task_ids)
            new = arrived.newcomer
            drafts.append((new.draft_id, assignment, new.video_id))
            counts = (arrived.n_tracks, arrived.n_points, arrived.n_segments)
            brought.append(ImportedVideo(new.place.name, task_ids[0], *counts, True))
        take_part(file, "import", drafts)
    return brought


def _tasks(project: OpenProject, arrived: ArrivingVideo) -> tuple[list[TaskId], AssignmentId]:
    """Make the tasks of a video and take the first, as opening it would."""
    work, transactions = project.work, project.work.transactions
    me, now = work.people.signed_in(), transactions.now()
    task_ids: list[TaskId] = []
    for task_type in work.recipe.followers(""):
        task_id = TaskId(new_id())
        event = create(task_id, arrived.info.id, task_type, by=me.id, now=now)
        transactions.create(event, TASK_TITLE if work.is_plain else task_type.title)
        if not task_ids:
            first = begin(event)
        task_ids.append(task_id)
    held = new_assignment()
    transactions.write(first, (Claim(me.id, held, is_chosen=True),), work.people.crew())
    return task_ids, held


COMPLETE: Final = "complete"
"""Key of the state after the last stage."""


@dataclass(frozen=True, slots=True)
class Read:
    """An entry of a file with its video; ``is_new``: the project does not have the video yet."""

    name: str
    entry: SourceEntry
    video: VideoInfo
    is_new: bool


def stages_after_import(project: OpenProject) -> list[tuple[str, str]]:
    """Return key and title of the stages that can follow an import, `COMPLETE` last."""
    found = {stage.key: stage.title for kind in _drawing(project) for stage in kind.stages[1:]}
    return [*found.items(), (COMPLETE, "")]


def check_stage(project: OpenProject, stage: str) -> None:
    """Raise WorkError if imported tasks cannot continue at a stage."""
    if project.work.is_plain:
        text = "This project has no stages: imports become drafts."
        raise WorkError(text, code="no-stages", hint="Use a recipe with stages.")
    known = [key for key, _ in stages_after_import(project)]
    if stage not in known:
        text = f"Imported tasks cannot go on at “{stage}”. Available stages: {', '.join(known)}."
        raise WorkError(text, code="no-stage")


def submit_entries(
    project: OpenProject,
    path: Path,
    entries: Iterator[Read],
    stage: str,
    token: JobToken,
    n_entries: int,
) -> tuple[list[ImportedVideo], list[Finding]]:
    """Submit entries and continue their tasks at a stage, or complete them.

    Started tasks are left as they are, with a finding. WorkError if
    the current person is not a lead.
    """
    check_stage(project, stage)
    work = _Submitting(project, path, stage)
    imported: list[ImportedVideo] = []
    with project.work.transactions.together():
        for i, read in enumerate(entries):
            token.check()
            token.report(0.5 + 0.5 * i / n_entries, read.name)
            imported.append(work.submit(read))
    return imported, work.findings


class _Submitting:
    """One import: the same file, person and text for all its videos."""

    def __init__(self, project: OpenProject, path: Path, stage: str) -> None:
        self._project, self._stage = project, stage
        self._transactions = project.work.transactions
        self._me = project.work.people.signed_in()
        self._text = f"Imported from {path.name}"
        self._source = {"file": path.name, "stage": stage}
        self._kinds = _drawing(project)
        self.findings: list[Finding] = []

    def submit(self, read: Read) -> ImportedVideo:
        """Submit the content of one video for each kind of task that draws such content."""
        file = self._project.file
        document = Document(DraftId(""), read.video)
        table = videos.frame_table(file, read.video.id) if not read.is_new else None
        added, findings = read.entry.command(document, FrameTimes(table, read.video).listed())
        added = named(self._project, added)
        self.findings += findings
        if read.is_new:
            self._add(replace(read.video, extra=added.extra or {}))
        elif added.extra is not None:
            self._project.set_extra({read.video.id: added.extra})
        document.apply(added.plan(document))
        first: TaskId | None = None
        for kind in self._kinds:
            task_id = self._task(read.video, kind)
            if task_id is None or not _has_content(document, kind.tools):
                continue
            if self._go_on(self._transactions.record(task_id), kind, document):
                first = first or task_id
        if first is None and not read.is_new:
            task_id = self._task(read.video, self._kinds[0]) or TaskId("")
            return ImportedVideo(read.name, task_id, 0, 0, 0, False)
        counts = (len(added.tracks), len(added.points), len(added.segments))
        return ImportedVideo(read.name, first or TaskId(""), *counts, read.is_new)

    def _add(self, video: VideoInfo) -> None:
        """Add a video known only from the file, with its tasks."""
        videos.add_video(self._project.file, video, None)
        for kind in self._project.work.recipe.followers(""):
            event = create(
                TaskId(new_id()), video.id, kind, by=self._me.id, now=self._transactions.now()
            )
            self._transactions.create(event, kind.title)

    def _task(self, video: VideoInfo, kind: TaskType) -> TaskId | None:
        with self._project.file.reading() as connection:
            return tasks.find_by_kind(connection, video.id, kind.kind)

    def _go_on(self, record: TaskRecord, kind: TaskType, document: Document) -> bool:
        """Submit for one task and move it on; False where that is not possible."""
        refusal = _refusal(record, kind)
        if refusal:
            where = f"{document.video.name}, {kind.title}"
            self.findings.append(Finding("not-submitted", where, refusal))
            return False
        me, held_id = self._me.id, new_assignment()
        assign = Assign(me, held_id, me, is_overruling=True, text=self._text)
        record = self._transactions.act(record.id, assign)
        assignment = record.assignment(held_id)
        assert assignment is not None
        verdict = Verdict(VerdictKind.DONE)
        file = self._project.file
        with file.transaction() as connection:
            tag = self._project.work.transactions.recipe.tag
            head = submissions.head_of(connection, me, record, assignment, verdict, recipe=tag)
            body = canonical_bytes({**head, "source": self._source, **document_value(document)})
            name = SubmissionId(content_id(body))
            travel.take_in(
                connection,
                file.author()[1],
                travel.Arrival(
                    name,
                    record.id,
                    held_id,
                    me,
                    1,
                    body,
                    submissions.FORMAT,
                    head["media_hash"],  # type: ignore[arg-type]
                    tag,
                    now_text(),
                    None,
                ),
            )
        record = self._transactions.act(record.id, Submit(me, held_id, name, verdict))
        self._transactions.act(record.id, *self._rest(record, kind))
        return True

    def _rest(self, record: TaskRecord, kind: TaskType) -> Iterator[WorkAct]:
        """Yield the events that move a task from its second stage to the target."""
        if record.status is TaskStatus.COMPLETE:
            return
        if self._stage == COMPLETE:
            yield Close(self._me.id, self._text)
        elif record.stage != self._stage and kind.stage(self._stage) is not None:
            yield Reopen(self._me.id, self._text, stage=self._stage)


def _drawing(project: OpenProject) -> list[TaskType]:
    return [kind for kind in project.work.recipe.task_types if kind.form is None]


def _refusal(record: TaskRecord, kind: TaskType) -> str:
    """Return why a task cannot take an import as its submission, "" if it can."""
    if kind.first.raters > 1 or kind.first.resolution is not Resolution.SINGLE:
        return "Not submitted: several raters annotate this task independently."
    is_fresh = record.status is TaskStatus.WAITING and record.stage == kind.first.key
    if not is_fresh or any(each.submissions for each in record.assignments):
        return "Not submitted: this task was already started."
    return ""


def _has_content(document: Document, tools: tuple[Tool, ...]) -> bool:
    lanes = {segment.lane.value for segment in document.segments}
    has = {
        Tool.BOXES: bool(document.tracks),
        Tool.POINTS: bool(document.points),
        Tool.ACTIONS: "action" in lanes,
        Tool.SOUNDS: "sound" in lanes,
    }
    return any(has[tool] for tool in tools)
