"""One opened project: its videos, its tasks, and where the user was."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import msgspec

from annotator.domain.annotation.changes import Change, ChangeSet, VideoExtra
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.labels import LabelSet
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import ProjectError, UserError
from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.ids import DraftId, ItemId, PersonId, TaskId, VideoId
from annotator.domain.json_type import Json
from annotator.domain.workflow import Task
from annotator.paths import PROJECT_SUFFIX
from annotator.services.background.jobs import (
    BackgroundCall,
    CanceledError,
    JobRunner,
    JobToken,
    Listeners,
    inline,
)
from annotator.services.notices import Notice
from annotator.services.project.backup import DamagedError, backups, maintain_backups, restore
from annotator.services.project.labels import LabelSets, read_label_set, write_label_set
from annotator.services.project.metadata import with_facts
from annotator.services.project.predictions import is_waiting, offer_waiting
from annotator.services.project.restricted_video import SeenVideo, allowed_viewing, seen_video
from annotator.services.project.videos import ProjectMedia, VideoEntry
from annotator.services.project.view_state import ViewState
from annotator.services.questions.items import Questions
from annotator.services.questions.qualification.submission_grading import Qualification
from annotator.services.questions.voting.form_rules import QuestionRules
from annotator.services.session import Session
from annotator.services.sound.sound_checks import SoundChecks
from annotator.services.undo import RENAME_LABEL
from annotator.services.workflow.drafts import held_by
from annotator.services.workflow.work import Work, WorkChanged
from annotator.store.annotation.drafts import DraftStore
from annotator.store.annotation.points import point_names
from annotator.store.catalog import videos, views
from annotator.store.file.failures import soundly
from annotator.store.file.file_opening import create_file, open_file
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "AddReport",
    "DamagedError",
    "OpenProject",
    "VideoEntry",
    "ViewState",
    "backups",
    "create_project",
    "open_project",
    "restore",
    "with_suffix",
]

TASK_TITLE = "Annotations"

_COMMITS_PER_CHECKPOINT = 200
_MOST_TICKED = 50

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AddReport:
    """Result of adding files: new videos, known ones, and refusals with reasons."""

    added: tuple[VideoId, ...]
    known: tuple[VideoId, ...]
    failed: tuple[tuple[Path, str], ...]


class OpenProject:
    """A project in use; made by `open_project` and `create_project`."""

    def __init__(
        self, file: ProjectFile, jobs: JobRunner | None = None, background: BackgroundCall = inline
    ) -> None:
        self.notices: list[Notice] = [Notice("warning", *remark) for remark in file.remarks]
        self._file = file
        self._jobs = jobs
        self._background = background
        self._media = ProjectMedia(file)
        self._labels = LabelSets(file)
        self.notices += self._labels.notices
        self.work = Work(
            file, self._pts_of, QuestionRules, background=background, in_background=bool(jobs)
        )
        self.notices += self.work.notices
        self.questions = Questions(self.work.transactions)
        self.qualification = Qualification(self.work.transactions)
        self.work.people.changed.add(self._on_people_changed)
        self.work.changed.add(self._on_work_changed)
        self._sessions: WeakValueDictionary[TaskId, Session] = WeakValueDictionary()
        self._commits = 0
        self._looking_for: set[VideoId] = set()
        self.videos_found: Listeners[tuple[VideoId, ...]] = Listeners()
        self._sound_checks = SoundChecks(file, self._media, jobs) if jobs else None
        if self._sound_checks is not None:
            self._sound_checks.done.add(self._on_heard)
        self.video_heard: Listeners[VideoId] = Listeners()

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def title(self) -> str:
        return self._file.meta("title") or self.path.stem

    @property
    def background(self) -> BackgroundCall:
        """Runs slow work in the background."""
        return self._background

    @property
    def is_read_only(self) -> bool:
        return self._file.is_read_only

    @property
    def holder(self) -> str | None:
        """Person and computer that edit the project while it is read-only here, as text."""
        return str(self._file.holder) if self._file.holder else None

    def videos(self) -> list[VideoEntry]:
        """Return all videos in order of addition; missing files are searched.

        That takes long, so with jobs it runs in the background and emits ``videos_found``.
        """
        entries = self._media.entries()
        missing = [entry.id for entry in entries if entry.is_missing]
        return self._media.entries() if self._look_for(missing) else entries

    def _look_for(self, missing: list[VideoId]) -> bool:
        """Look for video files, here where there are no jobs; True when that found some."""
        new = [video_id for video_id in missing if video_id not in self._looking_for]
        if not new:
            return False
        if self._jobs is None:
            return bool(self._media.look_for(new))
        self._looking_for.update(new)

        def work(token: JobToken) -> list[VideoId]:
            try:
                return self._media.look_for(new, token.check)
            finally:
                self._looking_for.difference_update(new)

        self._jobs.submit("Searching for missing videos", work, self._on_found, is_quiet=True)
        return False

    def _on_found(self, found: list[VideoId]) -> None:
        if not found:
            return
        for session in self._sessions.values():
            if session.document.video.id in found:
                session.video_path = self._media.path(session.document.video.id)
        self.videos_found.notify(tuple(found))

    def own_files(self) -> list[Path]:
        """Return the files that no output may replace: the project and its videos."""
        return [self.path, *self._media.places()]

    @property
    def file(self) -> ProjectFile:
        """The project file, for services that carry work from one copy to another."""
        return self._file

    @property
    def media(self) -> ProjectMedia:
        """The video files of the project."""
        return self._media

    def set_extra(self, extras: Mapping[VideoId, dict[str, Json]]) -> None:
        """Replace the extra fields of videos in one transaction; their sessions are notified."""
        with self._file.transaction():
            for video_id, extra in extras.items():
                videos.save_extra(self._file, video_id, extra)
        self._tell_of_extra(extras)

    def _tell_of_extra(self, extras: Mapping[VideoId, dict[str, Json]]) -> None:
        for session in list(self._sessions.values()):
            video = session.document.video
            if video.id in extras and not video.n_hidden:
                old, new = VideoExtra(video.extra), VideoExtra(extras[video.id])
                change = Change("video", video.id, old, new)
                session.take_in(ChangeSet("metadata", (change,)))

    def tasks(self, *, with_gold: bool = False) -> list[Task]:
        """Return all tasks in order of creation; gold tasks on request."""
        with soundly(self.path):
            return tasks.list_tasks(self._file, with_gold=with_gold)

    @property
    def n_tasks(self) -> int:
        """The number of tasks, gold tasks not counted."""
        return tasks.count_tasks(self._file)

    def task(self, task_id: TaskId) -> Task:
        """Return a task; ProjectError when the project has no such task."""
        task = tasks.find_task(self._file, task_id)
        if task is None:
            raise ProjectError("Cannot find the task in the project.", where=str(self.path))
        return task

    def open_task(
        self, task_id: TaskId, *, takes: bool = True, whose: PersonId | None = None
    ) -> Session:
        """Return the draft of a task, created if needed; an open session is reused.

        With ``takes`` a waiting task is claimed if that is allowed; otherwise it is opened
        read-only. See `Work.open`.
        """
        with soundly(self.path):
            return self._opened(self.task(task_id), takes=takes, whose=whose)

    def _opened(self, task: Task, *, takes: bool, whose: PersonId | None) -> Session:
        task_id = task.id
        seen_video = self.restricted_video(task.video_id, self.work.viewing_of(task_id))
        opened = self.work.open(task_id, seen_video.info, takes=takes, whose=whose)
        session = self._sessions.get(task_id)
        if session is not None and session.document.draft_id == opened.draft_id:
            if session.is_submitted != opened.is_locked:
                session.follow_workflow(is_submitted=opened.is_locked)
            session.video_path = seen_video.path
            return session
        session = Session(
            DraftStore(self._file, opened.draft_id, pts=self._media.pts(seen_video.table_bytes)),
            seen_video.info,
            task_id=task_id,
            video_path=seen_video.path,
            table_bytes=seen_video.table_bytes,
            is_submitted=opened.is_locked,
            up_to_date=self._up_to_date,
            background=self._background,
            why_locked=partial(self.work.why_locked, task_id),
            tools=self.work.tools_of(task_id),
            viewing=seen_video.viewing,
            disputed=opened.disputed,
        )
        session.changed.add(self._on_session_changed)
        self._sessions[task_id] = session
        self.offer_predictions(session)
        return session

    def is_open(self, task_id: TaskId) -> bool:
        """Return whether a session of a task is in use in this program."""
        return task_id in self._sessions

    def offer_predictions(self, session: Session) -> int:
        """Add stored predictions for the video of a new draft as proposals.

        Return their number. Later stages, and people with a partial view, get none.
        """
        video = session.document.video
        is_part = bool(video.n_hidden or video.first_seen)
        if session.is_read_only or is_part or not is_waiting(self._file, session):
            return 0
        me, record = self.work.me, self.work.record(session.task_id)
        held = held_by(record, me.id) if me is not None else None
        if held is None or held.base_id is not None:
            return 0
        return offer_waiting(self._file, session, self._background)

    def restricted_video(self, video_id: VideoId, viewing: Viewing) -> SeenVideo:
        """Return a video as a task of that viewing may see and hear it: for the second of a pair.

        An opened task's own video is limited already. In a project that was made of a work package
        nothing shows more than the tasks in it do.
        """
        viewing = allowed_viewing(self._file, video_id, viewing)
        info = self._media.video(video_id).info
        table = videos.frame_table(self._file, video_id)
        return seen_video(info, self._path_of(video_id), table, viewing)

    def _path_of(self, video_id: VideoId) -> Path | None:
        """Return where a video's file lies; one that is missing is looked for."""
        path = self._media.path(video_id)
        return self._media.path(video_id) if path is None and self._look_for([video_id]) else path

    def add_videos(
        self,
        paths: Iterable[Path],
        *,
        task_title: str = TASK_TITLE,
        grid_step: int | None = None,
        on_progress: Callable[[float, str], object] | None = None,
        is_canceled: Callable[[], bool] | None = None,
    ) -> AddReport:
        """Add video files, each with a task; slow for large files, so run it as a job.

        A failing file is reported and skipped. ``on_progress`` gets the fraction done and the name
        of the current file; after a cancellation finished files stay. ``grid_step`` is the distance
        of grid frames; None: one second by the rate of each file. With jobs the sound is checked
        later: see `listen_later`.
        """
        added: list[VideoId] = []
        video_ids: list[VideoId] = []
        failed: list[tuple[Path, str]] = []
        files = [Path(p).absolute() for p in paths]
        for i, path in enumerate(files):
            tell = partial(_tell_share, on_progress, is_canceled, (i, len(files)), path.name)
            try:
                tell(0.0)
                video_id, is_new = self._media.add(
                    path, grid_step=grid_step, progress=tell, listens=self._jobs is None
                )
            except CanceledError:
                break
            except UserError as error:
                failed.append((path, str(error)))
                continue
            (added if is_new else video_ids).append(video_id)
            if not tasks.has_task(self._file, video_id):
                self._add_tasks(video_id, task_title)
        return AddReport(tuple(added), tuple(video_ids), tuple(failed))

    def listen_later(self) -> None:
        """Check the sound of unheard videos in the background; ``video_heard`` reports each.

        Call this on the main thread.
        """
        if self._sound_checks is not None:
            self._sound_checks.start()

    def _on_heard(self, video_id: VideoId) -> None:
        self._tell_of_extra({video_id: videos.read_extra(self._file, video_id)})
        self.video_heard.notify(video_id)

    def add_absent_video(self, info: VideoInfo) -> TaskId:
        """Add a video known only from an imported file, with its task."""
        videos.add_video(self._file, info, None)
        return self.add_task(info.id)

    def add_task(self, video_id: VideoId, *, title: str = TASK_TITLE) -> TaskId:
        """Add the tasks of the recipe for a video and return the first of them.

        ProjectError if the recipe has only tasks with forms.
        """
        made = self._add_tasks(video_id, title)
        if not made:
            text = "This project has no drawing tasks: its tasks are created for questions."
            raise ProjectError(text, where=str(self.path))
        return made[0]

    def _add_tasks(self, video_id: VideoId, title: str) -> list[TaskId]:
        is_plain = self.work.is_plain
        return self.work.add_tasks([video_id], title=title if is_plain else None)

    def locate(
        self, video_id: VideoId, path: Path, progress: Callable[[float], object] | None = None
    ) -> None:
        """Set the path of a missing video; ProjectError if that file has other content.

        Reads the whole file, so run it as a job; sessions on the video have its frame table then.
        ``progress`` is called with the share done; raising in it cancels, nothing is stored.
        """
        self._media.locate(video_id, Path(path).absolute(), progress)
        for session in self._sessions.values():
            if session.document.video.id == video_id:
                seen = self.restricted_video(video_id, session.viewing)
                session.video_path, session.table_bytes = seen.path, seen.table_bytes

    @property
    def labels_changed(self) -> Listeners[LabelSet]:
        """Sent after a label set was replaced."""
        return self._labels.changed

    def label_set(self, lane: Lane) -> LabelSet:
        """Return the label set of a lane."""
        return self._labels.get(lane)

    def set_label_set(self, labels: LabelSet) -> None:
        """Replace the labels of a lane; a label is the same as before when its number is.

        A new text is given to the segments that had the old one, in all drafts. EditError, with
        nothing changed, when the set is not possible or lacks a label that is used.
        """
        if labels == self.label_set(labels.lane):
            return
        changed = self._background(partial(self._labels.replace, labels))
        for session in list(self._sessions.values()):
            changes = changed.get(session.document.draft_id)
            if changes:
                session.take_in(ChangeSet(RENAME_LABEL, changes))
        self._labels.changed.notify(labels)
        self.work.submission_statistics.start_over()

    def import_label_set(self, path: Path) -> LabelSet:
        """Replace the labels of a lane by those in a file, as `set_label_set` does.

        ExchangeError, naming the row and the reason, when the file is no label set.
        """
        labels = read_label_set(path)
        self.set_label_set(labels)
        return labels

    def export_label_set(self, lane: Lane, path: Path) -> None:
        """Write the labels of a lane into a file; UserError when that cannot be."""
        write_label_set(self.label_set(lane), path)

    def point_names(self, object_label: str | None) -> list[str]:
        """Return the point names used for objects with a label, most frequent first.

        None: of the points without an object.
        """
        return point_names(self._file, object_label)

    def view_state(self) -> ViewState | None:
        """Return the last position of the user; None in a new project."""
        text = views.load_view(self._file)
        if text is None:
            return None
        try:
            return msgspec.json.decode(text, type=ViewState)
        except msgspec.MsgspecError:
            _logger.info("view state cannot be read: %s", text)
            return None

    def save_view_state(self, state: ViewState) -> None:
        """Remember where the user is; does nothing while the project is read-only."""
        if not self.is_read_only:
            state = state.keeping(self._stored_state)
            views.save_view(self._file, msgspec.json.encode(state).decode())

    def sound_choice(self, video_id: VideoId) -> tuple[int, int | None]:
        """Return the sound stream chosen for a video, and the channel drawn; None: all mixed."""
        return self._stored_state.sounds.get(video_id, (0, None))

    def save_sound_choice(self, video_id: VideoId, stream: int, channel: int | None) -> None:
        """Remember which sound of a video was chosen."""
        sounds = {**self._stored_state.sounds, video_id: (stream, channel)}
        self._keep(replace(self._stored_state, sounds=sounds))

    @property
    def last_person(self) -> PersonId | None:
        """The person who signed in last on this computer."""
        return self._stored_state.person_id

    def save_last_person(self, person_id: PersonId) -> None:
        """Remember who signed in, to offer them first the next time."""
        self._keep(replace(self._stored_state, person_id=person_id))

    def ticked(self, draft_id: DraftId) -> frozenset[str]:
        """Return the points of the checklist that were ticked in a draft, by their texts."""
        return frozenset(self._stored_state.ticked.get(draft_id, ()))

    def save_ticked(self, draft_id: DraftId, texts: Iterable[str]) -> None:
        """Remember which points of the checklist are ticked in a draft: those of the latest few."""
        wanted = tuple(sorted(texts))
        rest = {k: v for k, v in self._stored_state.ticked.items() if k != draft_id}
        ticked = [*rest.items(), *([(draft_id, wanted)] if wanted else [])]
        self._keep(replace(self._stored_state, ticked=dict(ticked[-_MOST_TICKED:])))

    def item_at_hand(self, draft_id: DraftId) -> ItemId | None:
        """Return which of the items asked in a draft was last put before the person."""
        return self._stored_state.items.get(draft_id)

    def save_item_at_hand(self, draft_id: DraftId, item_id: ItemId) -> None:
        """Remember which item is before the person: in the drafts of the latest few."""
        self._keep(self._stored_state.with_item(draft_id, item_id))

    def revealed_items(self, draft_id: DraftId) -> frozenset[ItemId]:
        """Return the items of a draft of which the right answers have been shown."""
        return frozenset(self._stored_state.told.get(draft_id, ()))

    def save_shown_answer(self, draft_id: DraftId, item_id: ItemId) -> None:
        """Remember that the right answers of an item were shown."""
        self._keep(self._stored_state.with_shown_answer(draft_id, item_id))

    def _keep(self, kept: ViewState) -> None:
        state = self.view_state() or ViewState()
        self._stored_state = kept
        self.save_view_state(state)

    @cached_property
    def _stored_state(self) -> ViewState:
        """Settings stored for all people."""
        return self.view_state() or ViewState()

    def save_copy(self, path: Path) -> Path:
        """Write the whole project into another file and return it; works without the original.

        ProjectError when that cannot be, or when there is a file of that name already.
        """
        target = with_suffix(path).absolute()
        if target.exists():
            raise ProjectError(
                "Cannot write the copy: a file of this name exists.",
                hint="Use another name.",
                where=str(target),
            )
        self._file.copy_to(target)
        return target

    def close(self) -> None:
        """Close the file; sessions must not be used any more. Twice is no error."""
        if self._sound_checks is not None:
            self._sound_checks.close()
        self.work.flush()
        self._file.close()

    def _pts_of(self, video_id: VideoId) -> NDArray[np.int64] | None:
        return self._media.pts(videos.frame_table(self._file, video_id))

    def _on_people_changed(self, _: None) -> None:
        self._lock(list(self._sessions.values()))

    def _on_work_changed(self, changed: WorkChanged) -> None:
        self._lock([s for s in self._sessions.values() if s.task_id in changed.task_ids])

    def _lock(self, sessions: Iterable[Session]) -> None:
        """Lock the drafts that the person at the keyboard must not change now; unlock others."""
        for session in sessions:
            is_locked = not self.work.may_edit(session)
            if is_locked != session.is_submitted:
                session.follow_workflow(is_submitted=is_locked)

    def _up_to_date(self, changes: Iterable[Change]) -> tuple[Change, ...]:
        """Return changes from the log, with the present table metadata."""
        return tuple(
            replace(c, after=with_facts(c.after, videos.read_extra(self._file, VideoId(str(c.id)))))
            if isinstance(c.after, VideoExtra)
            else c
            for c in self._labels.up_to_date(changes)
        )

    def _on_session_changed(self, _changes: ChangeSet) -> None:
        self._commits += 1
        if self._jobs and self._commits % _COMMITS_PER_CHECKPOINT == 0:
            self._jobs.submit("Optimizing the project file", lambda _: self._file.checkpoint())


def _tell_share(
    on_progress: Callable[[float, str], object] | None,
    is_canceled: Callable[[], bool] | None,
    place: tuple[int, int],
    name: str,
    share: float,
) -> None:
    """Report the total progress, from the share done of one file and its place in the list."""
    if is_canceled and is_canceled():
        raise CanceledError
    if on_progress:
        on_progress((place[0] + share) / place[1], name)


def create_project(
    path: Path,
    *,
    title: str,
    recipe: str | None = None,
    jobs: JobRunner | None = None,
    background: BackgroundCall = inline,
) -> OpenProject:
    """Create a project file and open it; ProjectError when there is one or none can be written."""
    make = partial(create_file, with_suffix(path), title=title, recipe=recipe)
    return OpenProject(background(make), jobs, background)


def open_project(
    path: Path,
    *,
    read_only: bool = False,
    jobs: JobRunner | None = None,
    background: BackgroundCall = inline,
) -> OpenProject:
    """Open a project; read-only if another process has it or it cannot be written.

    ProjectError when it is missing, too new, or damaged (DamagedError). A backup is made when it
    has changed since the last: by ``jobs`` in the background, else before this returns.
    """

    def opened() -> OpenProject:
        file = open_file(Path(path), read_only=read_only)
        try:
            with soundly(file.path):
                project = OpenProject(file, jobs, background)
                project.work.people.all()
                return project
        except BaseException:
            file.close()  # the lock must not outlive a project that could not be opened
            raise

    # Reading recipe, labels and people takes longer than a frame, too.
    project = background(opened)
    if project.is_read_only:
        return project
    if jobs:
        jobs.submit("Backing up the project", lambda _: maintain_backups(project.path))
        project.listen_later()
        return project
    try:
        maintain_backups(project.path)
    except ProjectError as error:
        project.notices.append(Notice("warning", error.text, error.hint))
    return project


def with_suffix(path: Path) -> Path:
    """Return the path, named as a project file."""
    path = Path(path)
    return path if path.suffix == PROJECT_SUFFIX else path.with_name(path.name + PROJECT_SUFFIX)
