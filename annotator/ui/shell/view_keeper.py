"""Remembers where the person is in a project, and brings them back there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from annotator.domain.errors import ProjectError
from annotator.domain.ids import TaskId
from annotator.services.project.projects import ViewState
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.commands.playback_actions import Playback
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.state.stage import Stage
    from annotator.ui.timeline.timeline_view import TimelineView

_SAVE_AFTER_MS = 1500


class ViewKeeper(QObject):
    """Saves task, frame, zoom and selection into the project: on leaving, and soon after a move."""

    def __init__(self, workspace: Workspace, canvas: CanvasView, playback: Playback) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._canvas = canvas
        self._timeline: TimelineView | None = None
        self._left: ViewState | None = None
        self._playback = playback
        self._saved: ViewState | None = None
        self._places: dict[TaskId, ViewState] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SAVE_AFTER_MS)
        self._timer.timeout.connect(self.save)
        workspace.frameChanged.connect(self._note)
        workspace.selection.changed.connect(self._note)
        workspace.stageChanged.connect(self._note)
        workspace.projectLeaving.connect(self.save)
        workspace.projectLeaving.connect(self._forget)
        workspace.stageLeaving.connect(self._leave)
        canvas.zooming.zoomChanged.connect(self._note)

    def restore(self) -> bool:
        """Open the task that was open last, with its view; else the first one.

        In a project with people the person signs in first and then selects a task.
        """
        project = self._workspace.project
        if project is None or self._workspace.has_people:
            return False
        tasks = project.tasks()
        view = project.view_state()
        if view is not None and any(t.id == view.task_id for t in tasks):
            assert view.task_id is not None
            return self._workspace.open_task(view.task_id, partial(self._look, view))
        return bool(tasks) and self._workspace.open_task(tasks[0].id)

    def look_again(self) -> None:
        """Show the task that has been opened as it was left, if it was the last one."""
        project = self._workspace.project
        view = project.view_state() if project is not None else None
        if view is not None and view.task_id == self._workspace.task_id:
            self._look(view)

    def _look(self, view: ViewState) -> None:
        session = self._workspace.session
        assert session is not None
        known = [t for t in view.selection if session.document.find_track(t) is not None]
        self._workspace.selection.set_tracks(known)
        self._playback.seek(min(view.frame, max(0, self._workspace.n_frames - 1)))
        self._canvas.zooming.set_view(view.zoom, view.center_x, view.center_y)
        self._left = view
        self._look_at_timeline()

    def take_timeline(self, timeline: TimelineView) -> None:
        """Bring the timeline, which is built late, to where it was, and ask it from now on."""
        self._timeline = timeline
        self._look_at_timeline()
        timeline.lanes.foldedChanged.connect(self._note)

    def _look_at_timeline(self) -> None:
        view, timeline = self._left, self._timeline
        if view is None or timeline is None:
            return
        timeline.lanes.set_folded(view.folded)
        if view.timeline_end_s > view.timeline_start_s:
            timeline.viewport.set_view_range(view.timeline_start_s, view.timeline_end_s)

    @Slot()
    def _note(self) -> None:
        """Save later. A running timer is not restarted, since a playing video would postpone it for
        ever."""
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def save(self) -> None:
        """Save where the person is now, if it is somewhere else than at the last time."""
        project, stage = self._workspace.project, self._workspace.stage
        if project is None or stage is None or project.is_read_only or self._timeline is None:
            return
        state = self._now(stage, self._timeline)
        if state == self._saved:
            return
        try:
            project.save_view_state(state)
        except ProjectError as error:
            # The annotation is safe; only the place in it will not be found again.
            self._workspace.message.emit(str(error))
        self._saved = state

    def _now(self, stage: Stage, timeline: TimelineView) -> ViewState:
        zoom, x, y = self._canvas.zooming.view()
        start_s, end_s = timeline.viewport.view_range()
        return ViewState(
            stage.task_id,
            stage.player.state.frame,
            zoom,
            x,
            y,
            self._workspace.selection.tracks,
            start_s,
            end_s,
            folded=tuple(sorted(timeline.lanes.folded)),
        )

    @Slot()
    def _leave(self) -> None:
        """Remember where the person is in the task that is left for another one."""
        stage = self._workspace.stage
        if stage is not None and self._timeline is not None and not self._workspace.asks:
            self._places[stage.task_id] = self._now(stage, self._timeline)

    def come_back(self) -> None:
        """Show a task that was open before as it was left."""
        task_id = self._workspace.task_id
        place = self._places.get(task_id) if task_id is not None else None
        if place is not None and not self._workspace.asks:
            self._look(place)

    @Slot()
    def _forget(self) -> None:
        self._places.clear()
