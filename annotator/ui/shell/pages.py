"""Pages in the middle of the window, and the pictures of recent projects."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QImageWriter
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QTabBar, QWidget

from annotator.temporary import new_file
from annotator.ui.actions.table import ActionTable
from annotator.ui.bars.empty_page import EmptyPage
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.domain.ids import TaskId
    from annotator.services.project.projects import OpenProject
    from annotator.ui.bars.empty_page import RecentProjects
    from annotator.ui.canvas.canvas_view import CanvasView
    from annotator.ui.canvas.painting.shown_picture import ShownPicture
    from annotator.ui.state.stage import Stage
    from annotator.ui.work.shared.hub_exchange import SharedWork
    from annotator.ui.work.shared.video_fetching import VideoFetching
    from annotator.ui.work.start_page import StartPage


_KEPT: Final = QSize(160, 90)
_KEEP_AFTER_MS: Final = 1500


class Pages(QStackedWidget):
    """Shows ``work`` while a task with its video is open.

    In a project with people the start page comes first; ``startBuilt`` tells that it is there now.
    """

    startBuilt = Signal(object)  # StartPage
    workEntered = Signal()  # a task was opened, and nothing else needs the keyboard
    projectWanted = Signal(object)  # Path

    def __init__(
        self,
        workspace: Workspace,
        table: ActionTable,
        work: QWidget,
        shared: SharedWork,
        fetching: VideoFetching,
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._table = table
        self._work = work
        self._shared = shared
        self._fetching = fetching
        fetching.changed.connect(self._on_fetching_changed)
        self._start: StartPage | None = None
        hub, action = workspace.hub, table.action
        self._welcome = EmptyPage(
            hub,
            "project",
            self.tr("No project is open"),
            self.tr(
                "A project file stores all annotations and refers to your videos. Invitations and "
                "work packages are opened in the same way. To try the program, open the demo "
                "project."
            ),
            [action(i) for i in ("project.open", "project.new", "project.demo")],
        )
        self._recent: RecentProjects | None = None
        self._no_video = EmptyPage(
            hub,
            "video-add",
            self.tr("This project has no videos yet"),
            self.tr(
                "Add video files to start. The files stay in their folders and are not copied."
            ),
            [action("video.add")],
        )
        self._no_task = EmptyPage(
            hub,
            "to-do",
            self.tr("Select a task"),
            self.tr("The tasks of this project are listed on the left."),
            [],
        )
        self._missing = EmptyPage(
            hub,
            "search",
            self.tr("Video file not found"),
            "",
            [action("video.fetch"), action("video.locate")],
        )
        for page in (work, self._welcome, self._no_video, self._no_task, self._missing):
            self.addWidget(page)
        workspace.projectChanged.connect(self.choose)
        workspace.stageChanged.connect(self.choose)
        workspace.personChanged.connect(self.choose)
        self.choose()

    @property
    def is_working(self) -> bool:
        return self.currentWidget() is self._work

    @property
    def start(self) -> StartPage | None:
        """The start page of a project with people, once created."""
        return self._start

    @Slot()
    def choose(self) -> None:
        """Show the page that fits the open project and task."""
        project, stage = self._workspace.project, self._workspace.stage
        page: QWidget = self._work
        if project is None:
            page = self._welcome
            self._list_recent()
        elif stage is None and self._workspace.has_people:
            page = self._start_page()
        elif stage is None:
            page = self._no_task if project.tasks() else self._no_video
        elif stage.is_missing:
            self._say_what_is_missing(project, stage)
            page = self._missing
        focused, was_working = self.window().focusWidget(), self.is_working
        # A button that gets disabled passes the focus on, often to the tabs of the docks.
        had_focus = (
            focused is None
            or self.isAncestorOf(focused)
            or isinstance(focused, QTabBar | QAbstractButton)
        )
        self.setCurrentWidget(page)
        if had_focus and self.is_working and not was_working:
            self.workEntered.emit()

    def _list_recent(self) -> None:
        if self._recent is None:
            from annotator.ui.bars.empty_page import RecentProjects

            self._recent = RecentProjects(self._workspace)
            self._recent.openWanted.connect(self.projectWanted)
            self._welcome.add_below(self._recent)
        self._recent.refresh()

    def _say_what_is_missing(self, project: OpenProject, stage: Stage) -> None:
        """Show where the open task's video was searched, or its download source."""
        video = stage.session.document.video
        if self._fetching.missing:
            self._missing.heading.setText(self.tr("The video is not on this computer yet"))
            text = f"{video.name}\n{self._fetching.source_text}"
        else:
            self._missing.heading.setText(self.tr("Video file not found"))
            text = self._where_it_was_looked_for(project, video)
        self._missing.say(text)

    def _where_it_was_looked_for(self, project: OpenProject, video: VideoInfo) -> str:
        lines = []
        if places := project.media.seen_at(video.id)[:_MOST_PLACES]:
            lines.append(self.tr("“{name}” was not found at:").format(name=video.name))
            lines += [str(place) for place in places]
        lines.append(
            self.tr(
                "Nor was a file with the same content found in {folder} and its folders."
            ).format(folder=project.path.parent)
            if places
            else self.tr("“{name}” was not found in {folder} and its folders.").format(
                name=video.name, folder=project.path.parent
            )
        )
        lines.append(
            self.tr("Your annotations are not affected. Locate the video file to continue.")
        )
        return "\n".join(lines)

    @Slot()
    def _on_fetching_changed(self) -> None:
        project, stage = self._workspace.project, self._workspace.stage
        if project is not None and stage is not None and stage.is_missing:
            self._say_what_is_missing(project, stage)

    def _start_page(self) -> StartPage:
        if self._start is None:
            from annotator.ui.work.start_page import StartPage

            self._start = StartPage(self._workspace, self._table, self._shared, self._fetching)
            self.addWidget(self._start)
            self.startBuilt.emit(self._start)
        return self._start


class ProjectThumbnails(QObject):
    """Stores the canvas as the project's thumbnail shortly after a task was opened."""

    def __init__(self, workspace: Workspace, canvas: CanvasView) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._canvas = canvas
        self._done_for: tuple[Path, TaskId] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_KEEP_AFTER_MS)
        self._timer.timeout.connect(self._keep)
        workspace.stageChanged.connect(self._timer.start)
        self._timer.start()

    @Slot()
    def _keep(self) -> None:
        stage, project = self._workspace.stage, self._workspace.project
        if stage is None or project is None or stage.is_missing or self._workspace.jobs.is_closed:
            return
        shown = self._canvas.shown_picture
        if shown is None:
            self._timer.start()
        elif (project.path, stage.session.task_id) != self._done_for:
            self._done_for = project.path, stage.session.task_id
            path, recent = project.path, self._workspace.settings.recent
            self._workspace.jobs.submit(
                "Project picture",
                lambda _token: keep_picture(path, shown, recent),
                lambda _: None,
                is_quiet=True,
            )


def keep_picture(project: Path, shown_picture: ShownPicture, recent: Sequence[Path]) -> None:
    """Keep a picture of a project, and drop those of projects that are not recent any more.

    Where the disk does not take it there is none.
    """
    from annotator.ui.bars.empty_page import picture_path

    with contextlib.suppress(OSError):
        place = picture_path(project)
        place.parent.mkdir(mode=0o700, exist_ok=True)
        # Complete or not there: another window may be reading it.
        with new_file(place) as part:
            writer = QImageWriter(str(part), b"png")
            if not writer.write(shown_picture.small(_KEPT)):
                raise OSError(writer.errorString())
        picture_names = {picture_path(path).name for path in (project, *recent)}
        for old in place.parent.glob("*.png"):
            if old.name not in picture_names:
                old.unlink(missing_ok=True)


_MOST_PLACES: Final = 3
