"""State of one window: project, open task, selection, frame, range."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from PySide6.QtCore import QEventLoop, QObject, Qt, QThread, QTimer, Signal, Slot

from annotator.domain import commands
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.annotation.keyframe_reduction import Tolerance
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.domain.errors import EditError, UserError
from annotator.domain.forms.restricted_view import Extent
from annotator.domain.proposals.box_proposals import pending_at
from annotator.domain.recipes.recipe import HiddenObjects, Tool
from annotator.services.background.jobs import Job, JobRunner, JobStatus, JobToken
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import LabelChoice, Selection
from annotator.ui.state.stage import OtherBuilder, OtherVideo, Stage, StageBuilder
from annotator.ui.state.threads import Bridge, GarbageOnMain, send

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.domain.commands import Command
    from annotator.domain.ids import PersonId, TaskId, TrackId, VideoId
    from annotator.domain.people import Person
    from annotator.services.project.projects import OpenProject
    from annotator.services.session import Session
    from annotator.services.settings import Settings
    from annotator.services.workflow.work import WorkChanged
    from annotator.ui.state.stage import TaskRole


T = TypeVar("T")

_LASTING_MS: Final = 200


class WindowBackground(QObject):
    """The window's ``services.jobs.Aside``.

    Until the work is done an event loop of its own paints and plays. Keys and clicks wait in Qt's
    queue, results of other threads in the bridge: nothing can come between an edit and its
    consequences. ``lasting`` is sent when that takes long enough to be shown, and at its end.
    """

    lasting = Signal(bool)

    _ended = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_LASTING_MS)
        self._timer.timeout.connect(partial(self.lasting.emit, True))
        self._loop: QEventLoop | None = None
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    def __call__(self, work: Callable[[], T], /) -> T:
        if QThread.currentThread() is not self.thread():
            return work()  # a job's thread: no one waits for it
        if self._loop is not None:
            # Asked from within the loop below: the one who waits there must not wait for longer.
            return work()
        self._bridge.hold()
        self._loop = QEventLoop()
        self._timer.start()
        try:
            with (
                GarbageOnMain.put_off(),
                ThreadPoolExecutor(1, thread_name_prefix="background") as thread,
            ):
                future = thread.submit(work)
                future.add_done_callback(self._tell)
                self._loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        finally:
            self._loop = None
            self._timer.stop()
            self.lasting.emit(False)
            self._bridge.release()
        return future.result()

    def release_large(self, things: list[object]) -> None:
        """Free large objects in a thread, once nothing here refers to them."""
        thread = Thread(target=things.clear, name="background")
        QTimer.singleShot(0, self, thread.start)

    def _tell(self, _future: Future[T]) -> None:
        """Called in the thread."""
        send(self._ended)

    @Slot()
    def _on_ended(self) -> None:
        if self._loop is not None:
            self._loop.quit()


_TOLD_EVERY_MS: Final = 250


class WorkNews(QObject):
    """Sends ``workChanged`` of a bridge; thousands of acts in a row do not make panels read more.

    All on the main thread.
    """

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._waits: WorkChanged | None = None
        self._told = QTimer(self)
        self._told.setSingleShot(True)
        self._told.setInterval(_TOLD_EVERY_MS)
        self._told.timeout.connect(self._tell_rest)

    def tell(self, changed: WorkChanged) -> None:
        """Emit a change: now, or together with other changes shortly."""
        if self._told.isActive():
            self._waits = changed if self._waits is None else self._waits | changed
            return
        self._told.start()
        self._bridge.workChanged.emit(changed)

    @Slot()
    def _tell_rest(self) -> None:
        changed, self._waits = self._waits, None
        if changed is not None:
            self.tell(changed)


class _Work(Protocol):
    """A job, whatever it results in."""

    status: JobStatus

    def cancel(self) -> None: ...


class Workspace(QObject):
    """The state that canvas, panels and actions of one window share.

    ``frame`` is the frame on the screen: what a person sees is what an edit acts on.
    """

    projectLeaving = Signal()  # everything is still open, for the last time
    projectChanged = Signal()
    personChanged = Signal()  # sign-in, sign-out, or changed permissions
    pairChanged = Signal()
    stageLeaving = Signal()  # the open task is still there, for the last time
    stageChanged = Signal()
    frameChanged = Signal(int)
    rangeChanged = Signal(object)  # half-open span of frames, or None
    edited = Signal(object)  # ChangeSet
    failed = Signal(object)  # UserError
    message = Signal(str)  # a short message that disappears by itself
    hintChanged = Signal(str)  # what to do next; empty when there is nothing to say

    def __init__(
        self,
        hub: ThemeHub,
        settings: Settings,
        build_stage: StageBuilder,
        build_other: OtherBuilder,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.hub = hub
        self.settings = settings
        self.bridge = Bridge(self)
        self.background = WindowBackground(self.bridge)
        self.jobs = JobRunner(self.bridge.post)
        self.jobs.status_changed.add(self.bridge.jobChanged.emit)
        self.selection = Selection(self)
        self.labels = LabelChoice(self)
        self.project: OpenProject | None = None
        self.stage: Stage | None = None
        self._build_stage = build_stage
        self._build_other = build_other
        self.puts_off = False
        self.takes = True
        self.whose: PersonId | None = None
        self._news = WorkNews(self.bridge)
        self._is_signed_in = False
        self._task_role: TaskRole | None = None
        self.pair: tuple[str, ...] = ()
        """The names of both videos, where two are looked at side by side."""
        self.asks = False
        self.lacking: VideoInfo | None = None
        """The second video of a pair whose file is not where it was."""
        self.is_told = False
        """Whether right answers were shown in the open task: one's own stay as they are."""
        """Whether questions are asked in the open task."""
        self._work: list[_Work] = []
        # What a review of the open task has to show.
        self.has_before = self.has_changes = self.can_fetch = False
        self._frame = 0
        self._range: tuple[int, int] | None = None
        self._hint = ""
        self.bridge.changed.connect(self._on_bridge_changed)
        self.bridge.workChanged.connect(self._on_bridge_work_changed)
        self.bridge.peopleChanged.connect(self.personChanged)

    # What is open

    @property
    def session(self) -> Session | None:
        return self.stage.session if self.stage else None

    @property
    def task_id(self) -> TaskId | None:
        return self.stage.task_id if self.stage else None

    @property
    def has_people(self) -> bool:
        """True in a project with stages: people sign in, and are given their tasks."""
        project = self.project
        return project is not None and not project.is_read_only and not project.work.is_plain

    @property
    def person(self) -> Person | None:
        """The signed-in person; None before sign-in and in a plain project."""
        if self.project is None or not self.has_people or not self._is_signed_in:
            return None
        return self.project.work.me

    @property
    def task_role(self) -> TaskRole | None:
        """Role of the signed-in person in the open task; None in a plain project."""
        project, task_id = self.project, self.task_id
        if project is None or task_id is None or not self.has_people:
            return None
        if self._task_role is None:
            from annotator.ui.state.stage import task_role

            self._task_role = task_role(project.work, task_id, self.person)
        return self._task_role

    @property
    def can_edit(self) -> bool:
        session = self.session
        return session is not None and not session.is_read_only

    def may_change(self, tool: Tool) -> bool:
        """Return whether what a tool makes can be changed in the open draft."""
        session = self.session
        return session is not None and self.can_edit and session.has_tool(tool)

    @property
    def track(self) -> Track | None:
        """The primary track: the one selected last."""
        session, primary = self.session, self.selection.primary
        if session is None or primary is None:
            return None
        return session.document.find_track(primary)

    @property
    def tolerance(self) -> Tolerance:
        """How closely keyframes fit accepted proposals: by the recipe, else by the preferences."""
        task_type = self.task_role.task_type if self.task_role is not None else None
        if task_type is not None and task_type.tolerance is not None:
            return task_type.tolerance
        settings = self.settings
        return Tolerance(
            settings.number("proposals.tolerance_px"), settings.number("proposals.tolerance_iou")
        )

    @property
    def hidden_is_absent(self) -> bool:
        """Whether hidden objects are proposed as out of view, by the recipe or the preferences."""
        task_type = self.task_role.task_type if self.task_role is not None else None
        if task_type is not None and task_type.hidden is not None:
            return task_type.hidden is HiddenObjects.OUT_OF_VIEW
        return self.settings.text("proposals.hidden") == HiddenObjects.OUT_OF_VIEW

    @property
    def point(self) -> PointTrack | None:
        """The primary point: the one selected last."""
        session, primary = self.session, self.selection.primary_point
        if session is None or primary is None:
            return None
        return session.document.find_point(primary)

    @property
    def tracks(self) -> list[Track]:
        """All selected tracks."""
        session = self.session
        if session is None:
            return []
        found = (session.document.find_track(t) for t in self.selection.tracks)
        return [t for t in found if t is not None]

    @property
    def is_still(self) -> bool:
        """Whether a single picture without sound is open: an image, or one frame of a video."""
        stage, session = self.stage, self.session
        if stage is None or session is None or stage.has_sound:
            return False
        return self.n_frames == 1 or session.viewing.extent is Extent.MIDDLE_FRAME

    @property
    def has_picture(self) -> bool:
        """Whether the open task has frames to be seen; False for a sound alone."""
        return self.n_frames > 0

    @property
    def n_frames(self) -> int:
        return self.session.document.video.n_frames if self.session else 0

    @property
    def frame(self) -> int:
        return self._frame

    @property
    def range(self) -> tuple[int, int] | None:
        """The marked range, half-open in frames; in milliseconds of a sound without picture."""
        return self._range

    @property
    def segment(self) -> Segment | None:
        """The selected segment."""
        session = self.session
        return session.document.find_segment(self.selection.segment) if session else None

    @property
    def span(self) -> tuple[int, int] | None:
        """Range to play once or in a loop: the marked range, else the selected segment."""
        segment = self.segment
        return self._range or ((segment.start, segment.end) if segment else None)

    @property
    def hint(self) -> str:
        """Next step that the user is asked to do; empty for none."""
        return self._hint

    def set_hint(self, text: str) -> None:
        if text != self._hint:
            self._hint = text
            self.hintChanged.emit(text)

    def set_frame(self, frame: int) -> None:
        """Note which frame is on the screen now."""
        if frame != self._frame:
            self._frame = frame
            self.frameChanged.emit(frame)

    def set_range(self, span: tuple[int, int] | None) -> None:
        if span != self._range:
            self._range = span
            self.rangeChanged.emit(span)

    def name_of(self, person_id: PersonId) -> str:
        """Return the name of a person of the project."""
        person = self.project.work.people.find(person_id) if self.project is not None else None
        return person.name if person is not None else self.tr("Unknown person")

    def is_pending_here(self) -> bool:
        """Return whether the primary point, else the primary track, has a proposal here.

        So has, in a way, a track that was accepted here without having been shown.
        """
        session, track = self.session, self.track
        if session is not None and self.point is not None:
            return session.pending_point_at(self.point.id, self._frame) is not None
        if session is None or track is None:
            return False
        runs = session.box_runs.of(track.id)
        is_pending = pending_at(track, runs, self._frame, self.n_frames) is not None
        return is_pending or self._frame in track.unseen

    # Changing what is open

    def take_project(self, project: OpenProject | None) -> None:
        """Work on another project, or on none; the old one is closed."""
        old = self.project
        if old is not None:
            self.projectLeaving.emit()
        self._swap_stage(None)
        self.project = project
        self._is_signed_in = project is not None and _is_alone(project)
        self.labels.take_project(project)
        if project is not None:
            project.work.changed.add(self._on_work_changed)
            project.work.people.changed.add(self._on_people_changed)
        if old is not None:
            old.close()
        self.projectChanged.emit()

    def open_task(
        self,
        task_id: TaskId,
        opened: Callable[[], object] | None = None,
        *,
        takes: bool = True,
        whose: PersonId | None = None,
    ) -> bool:
        """Open a task of the project; the old one stays open when that fails.

        Without ``takes`` it is opened read-only, for a person who may take it later; ``whose``
        selects the author where several people did it. A video that was never read is read in the
        background first: returns False, and ``opened`` is called when the task is open.
        """
        if self.project is None:
            return False
        self.takes, self.whose = takes, whose
        try:
            if self._is_to_be_read(self.project, task_id, opened):
                return False
            stage = self._build_stage(self.project, task_id, self)
        except UserError as error:
            self.failed.emit(error)
            return False
        if self.puts_off:
            # Once, for a window that is still being built; it finishes the stage in its own time.
            self.puts_off = False
        else:
            stage.finish()
        self._swap_stage(stage)
        if opened is not None:
            opened()
        return True

    def set_pair(self, names: tuple[str, ...]) -> None:
        """Say which two videos are looked at; none for one alone."""
        if names != self.pair:
            self.pair = names
            self.pairChanged.emit()

    def open_other(self, video_id: VideoId) -> OtherVideo | None:
        """Open the second video of a pair beside the one of the task; UserError when it cannot be.

        One whose file is missing is looked for, and kept as ``lacking`` meanwhile.
        """
        if self.project is None or self.stage is None:
            return None
        self.lacking = self.project.media.video(video_id).info
        self.stage.other = self._build_other(self.project, video_id, self)
        self.lacking = None
        return self.stage.other

    def close_task(self) -> None:
        """Leave the task; everything in it is saved."""
        self._swap_stage(None)

    def sign_in(self, person_id: PersonId, pin: str | None = None) -> None:
        """Sign in a person in this window; WorkError if the PIN is wrong."""
        project = self.project
        if project is None:
            return
        self._swap_stage(None)
        project.work.people.sign_in(person_id, pin)
        project.save_last_person(person_id)
        self._is_signed_in = True
        self.personChanged.emit()

    def sign_out(self) -> None:
        """Ask who is there, as when the project is opened."""
        self._swap_stage(None)
        self._is_signed_in = False
        self.personChanged.emit()

    def _is_to_be_read(
        self, project: OpenProject, task_id: TaskId, opened: Callable[[], object] | None
    ) -> bool:
        """Start reading the task's video if that was never done; the task is opened after that."""
        takes, whose = self.takes, self.whose
        session = project.open_task(task_id, takes=takes, whose=whose)
        video, path = session.document.video, session.video_path
        if path is None or not video.n_frames or session.table_bytes is not None:
            return False

        def work(token: JobToken) -> Session:
            project.locate(video.id, path, token.follow(video.name))
            # Given back so that it lives until then: it is what the frame table was given to.
            return session

        def done(_: Session) -> None:
            if self.project is project:
                self.open_task(task_id, opened, takes=takes, whose=whose)

        self.start_job(self.tr("Reading video…"), work, done)
        return True

    def _swap_stage(self, stage: Stage | None) -> None:
        old = self.stage
        self._task_role = None
        if stage is None and old is None:
            return
        if old is not None:
            self.stageLeaving.emit()
        self.stage = stage
        self.selection.clear()
        self._range = None
        self.set_hint("")
        self._frame = stage.player.state.frame if stage else 0
        if stage is not None:
            self.labels.follow(stage.session.tools)
            stage.session.changed.add(self.bridge.changed.emit)
            stage.session.box_runs.changed.add(self.bridge.runsChanged.emit)
            stage.session.point_runs.changed.add(self.bridge.pointRunsChanged.emit)
            stage.player.listeners.add(self.bridge.playerMoved.emit)
        self.stageChanged.emit()
        self.rangeChanged.emit(None)
        if old is not None:
            old.close()
            self.background.release_large([old.session.document])

    def start_job(
        self,
        title: str,
        work: Callable[[JobToken], T],
        done: Callable[[T], object],
        *,
        failed: Callable[[UserError], object] | None = None,
        unwanted: Callable[[T], object] | None = None,
    ) -> Job[T]:
        """Do something in the background; a refusal is said when it comes, or goes to ``failed``.

        A result that comes after the work was stopped goes to ``unwanted``.
        """
        self._work = [job for job in self._work if not job.status.is_final]
        failed = failed or self.failed.emit
        job = self.jobs.submit(title, work, done, failed=failed, unwanted=unwanted)
        self._work.append(job)
        return job

    def cancel_jobs(self) -> None:
        """Ask all background work that the person started to stop."""
        for job in self._work:
            job.cancel()

    @property
    def is_at_work(self) -> bool:
        """True while background work that the person started runs in the project."""
        return any(not job.status.is_final for job in self._work)

    # Editing

    def run(self, command: Command) -> bool:
        """Execute an edit; an impossible edit shows a message and changes nothing."""
        session = self.session
        if session is None:
            return False
        try:
            session.run(command)
        except NothingToDoError:
            return False
        except EditError as error:
            self.message.emit(str(error))
            return False
        except UserError as error:
            self.failed.emit(error)
            return False
        return True

    def rename(self, track_id: TrackId, label: str) -> bool:
        """Name an object; where several are selected and it is among them, all of them."""
        chosen = self.selection.tracks
        ids = chosen if track_id in chosen else (track_id,)
        parts = tuple(commands.SetTrack(each, label=label) for each in ids)
        return self.run(commands.Together(parts, self._frame))

    def _on_work_changed(self, changed: WorkChanged) -> None:
        """Called on the thread of the change: jobs add videos and assign tasks."""
        self._task_role = None
        self.bridge.post(partial(self._news.tell, changed))

    def _on_people_changed(self, _: None) -> None:
        self._task_role = None
        self.bridge.post(self.bridge.peopleChanged.emit)

    @Slot(object)
    def _on_bridge_work_changed(self, news: WorkChanged) -> None:
        if news.recipe:
            self.personChanged.emit()

    @Slot(object)
    def _on_bridge_changed(self, change_set: ChangeSet) -> None:
        session = self.session
        if session is not None:
            self.selection.prune(session.document)
        self.edited.emit(change_set)


def _is_alone(project: OpenProject) -> bool:
    """Return whether the project has one person only."""
    people = project.work.people
    return people.able == [people.me] and not people.needs_sign_in
