"""Fetching the videos of a person's tasks in the background, and the line that shows it."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from annotator.ui.actions.table import ActionTable
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.shared.hub_exchange import SharedWork

if TYPE_CHECKING:
    from annotator.domain.errors import UserError
    from annotator.domain.ids import VideoId
    from annotator.services.background.jobs import Job, JobToken
    from annotator.services.project.projects import OpenProject

_AGAIN_MS: Final = 60_000
_LOOK_S: Final = 0.2


class VideoFetching(QObject):
    """Fetches one video after the other, the open task's first; it waits while a video plays.

    It starts once the person has agreed to downloads from a server, and ``changed`` is sent with
    news: ``missing`` videos, their server, and the ``problem`` of the last attempt.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, shared: SharedWork) -> None:
        super().__init__(workspace)
        self.missing: tuple[VideoId, ...] = ()
        self.source = ""
        self.problem = ""
        self.is_allowed = False
        self._workspace = workspace
        self._project: OpenProject | None = None
        self._job: Job[VideoId] | None = None
        self._is_looking = False
        self._failed: set[VideoId] = set()
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._try_again)
        workspace.projectLeaving.connect(self.cancel)
        workspace.projectChanged.connect(self._begin)
        workspace.personChanged.connect(self.look)
        workspace.stageChanged.connect(self._on_stage_changed)
        shared.changed.connect(self.look)

    @property
    def is_busy(self) -> bool:
        """Whether a video is being fetched."""
        return self._job is not None and not self._job.status.is_final

    @property
    def text(self) -> str:
        """The sentences about missing videos; "" if none is missing."""
        if not self.missing:
            return ""
        n_missing = counted(
            len(self.missing),
            self.tr("1 video of your tasks is not on this computer yet."),
            self.tr("{n} videos of your tasks are not on this computer yet."),
        )
        return f"{n_missing} {self.source_text}"

    @property
    def source_text(self) -> str:
        """The sentence about where videos come from, or about the last attempt."""
        if self.is_busy:
            text = self.tr("Fetching from {source}…")
        else:
            text = self.problem or self.tr("The source is {source}.")
        return text.replace("{source}", self.source)

    @Slot()
    def start(self) -> None:
        """Agree to the server and fetch what is missing, also what failed before."""
        project = self._project
        if project is None or not self.source:
            return
        from annotator.services.fetching.fetch import allow, template_of

        allow(self._workspace.settings, template_of(project))
        self._failed.clear()
        self.problem = ""
        self.look()

    @Slot()
    def cancel(self) -> None:
        """Stop fetching; the next start continues where it ended."""
        if self._job is not None:
            self._job.cancel()

    @Slot()
    def look(self) -> None:
        """Look in the background which videos are missing; then fetch them, if that is allowed."""
        project, workspace = self._project, self._workspace
        if project is None or self._is_looking or workspace.jobs.is_closed:
            return
        from annotator.services.fetching.fetch import is_allowed, source_of, template_of

        template = template_of(project)
        self.source = source_of(template) if template else ""
        if not template:
            self._take(project, self._open_ones(), ())
            return
        self.is_allowed = is_allowed(workspace.settings, template)
        first = self._open_ones()
        self._is_looking = True
        workspace.jobs.submit(
            self.tr("Search for missing videos"),
            partial(_missing, project, first),
            partial(self._take, project, first),
            is_quiet=True,
        )

    def _open_ones(self) -> list[VideoId]:
        stage, lacking = self._workspace.stage, self._workspace.lacking
        found = [lacking.id] if lacking is not None else []
        if stage is not None and stage.is_missing:
            found.append(stage.session.document.video.id)
        return found

    def _take(
        self, project: OpenProject, first: list[VideoId], missing: tuple[VideoId, ...]
    ) -> None:
        if project is not self._project:
            return
        self._is_looking = False
        if first != self._open_ones():
            self.look()  # another task was opened meanwhile
            return
        self.missing = missing
        self._workspace.can_fetch = bool(missing)
        wanted = [each for each in missing if each not in self._failed]
        if wanted and self.is_allowed and not self.is_busy:
            self._fetch(project, wanted[0])
        self.changed.emit()

    def _fetch(self, project: OpenProject, video_id: VideoId) -> None:
        from annotator.services.fetching.fetch import fetch_video
        from annotator.services.fetching.video_cache import video_cache

        cache = video_cache(self._workspace.settings)
        name = project.media.video(video_id).info.name

        def work(token: JobToken) -> VideoId:
            def wait() -> None:
                token.check()
                while self._is_playing():
                    token.report(None, self.tr("Paused while a video plays"))
                    token.check()
                    time.sleep(_LOOK_S)

            fetch_video(project, video_id, cache, progress=token.follow(name), wait=wait)
            return video_id

        self._job = self._workspace.jobs.submit(
            self.tr("Fetch “{name}”").format(name=name),
            work,
            partial(self._on_fetched, project),
            failed=partial(self._on_failed, project, video_id),
        )

    def _is_playing(self) -> bool:
        """Asked by the thread that fetches."""
        stage = self._workspace.stage
        return stage is not None and stage.player.state.is_playing

    def _on_fetched(self, project: OpenProject, video_id: VideoId) -> None:
        if project is self._project:
            self.problem = ""
            project.videos_found.notify((video_id,))
            self.look()

    def _on_failed(self, project: OpenProject, video_id: VideoId, error: UserError) -> None:
        if project is not self._project:
            return
        self._failed.add(video_id)
        self.problem = str(error)
        self._again.start()
        self.look()

    @Slot()
    def _try_again(self) -> None:
        self._failed.clear()
        self.look()

    @Slot()
    def _begin(self) -> None:
        project = self._workspace.project
        self._project = project if project is not None and not project.is_read_only else None
        self.missing, self.source, self.problem = (), "", ""
        self._job, self._is_looking = None, False
        self._failed.clear()
        self._again.stop()
        self._workspace.can_fetch = False
        self.look()
        self.changed.emit()

    @Slot()
    def _on_stage_changed(self) -> None:
        if self._open_ones():
            self.look()


class FetchLine(QFrame):
    """Shows how many videos are missing, their source, and the problems."""

    def __init__(self, table: ActionTable, fetching: VideoFetching) -> None:
        super().__init__()
        self._fetching = fetching
        self.line = plain(QLabel())
        self.line.setWordWrap(True)
        self.button = QToolButton()
        self.button.setDefaultAction(table.action("video.fetch"))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 8, 0)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        fetching.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say how it stands now; nothing while no video is missing."""
        self.setVisible(bool(self._fetching.missing))
        self.line.setText(self._fetching.text)
        self.button.setVisible(not self._fetching.is_busy)


def _missing(project: OpenProject, first: list[VideoId], _token: JobToken) -> tuple[VideoId, ...]:
    from annotator.services.fetching.fetch import lacking

    wanted = [each for each in first if project.media.path(each) is None]
    return tuple(dict.fromkeys([*wanted, *lacking(project)]))
