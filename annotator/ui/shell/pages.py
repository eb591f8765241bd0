"""Pages in the middle of the window, and the docks and tools that are shown with each."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QImageWriter
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QToolBar, QWidget

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
                "A project file stores all annotations and refers to your videos. To try the "
                "program, open the demo project."
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
        self.setCurrentWidget(page)

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


class IdleDocks(QObject):
    """Hides docks and tool bars on pages that are not about a video, and shows them again."""

    broughtBack = Signal()  # after docks are shown again; raise one now

    def __init__(self, workspace: Workspace, pages: Pages, window: QMainWindow) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._pages = pages
        self._window = window
        self._hidden: list[QDockWidget] = []
        self._front: list[QDockWidget] = []
        self._bars: list[QToolBar] = []
        self._was_working = False
        pages.currentChanged.connect(self.refresh)
        workspace.projectChanged.connect(self.refresh)

    def holds(self, dock: QDockWidget) -> bool:
        """Return whether a dock is hidden only because it would be empty."""
        return dock in self._hidden

    @Slot()
    def refresh(self) -> None:
        """Hide docks without content; show them again once they have some."""
        if self._pages.is_working:
            self.bring_back()
            return
        for bar in self._window.findChildren(QToolBar):
            if not bar.isHidden():
                self._bars.append(bar)
                bar.hide()
        # In a project with people the start page itself lists the tasks.
        lists_tasks = self._workspace.project is not None and not self._workspace.has_people
        for dock in self._window.findChildren(QDockWidget):
            keeps = lists_tasks and dock.objectName() in _OF_PROJECT
            if keeps and dock in self._hidden:
                self._hidden.remove(dock)
                dock.show()
            elif not keeps and not dock.isHidden():
                # What comes up only now was not in front of anybody.
                if self._was_working and not dock.visibleRegion().isEmpty():
                    self._front.append(dock)
                self._hidden.append(dock)
                dock.hide()
        self._was_working = False

    def bring_back(self) -> None:
        """Show the hidden docks again, with the same ones in front."""
        self._was_working = True
        hidden, front = self._hidden, self._front
        self._hidden, self._front = [], []
        for dock in hidden:
            if dock.toggleViewAction().isVisible():  # else it is not for this project or person
                dock.show()
        # Before the window was ever on the screen nothing was in front.
        to_show = front or [dock for dock in hidden if dock.objectName() in _IN_FRONT]
        for dock in to_show:
            dock.raise_()
        for bar in self._bars:
            bar.show()
        self._bars = []
        if hidden:
            self.broughtBack.emit()


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
_OF_PROJECT: Final = frozenset({"tasks"})
_IN_FRONT: Final = frozenset({"objects", "inspector"})
