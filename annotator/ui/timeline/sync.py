"""Keeps the timeline on the open task and on the playing position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

from annotator.ui.state.workspace import Workspace
from annotator.ui.timeline.timeline_view import TimelineView

if TYPE_CHECKING:
    from annotator.services.playback.player import PlayerState


_LOADED_EVERY_MS: Final = 200


class TimelineSync(QObject):
    """Shows on the timeline the draft, playhead, loop and loaded pictures of the open stage."""

    def __init__(self, workspace: Workspace, timeline: TimelineView) -> None:
        super().__init__(timeline)
        self._workspace = workspace
        self._timeline = timeline
        self._loop: tuple[int, int] | None = None
        self._loaded = QTimer(self)
        self._loaded.setSingleShot(True)
        self._loaded.setInterval(_LOADED_EVERY_MS)
        self._loaded.timeout.connect(self._show_loaded)
        workspace.rangeChanged.connect(timeline.set_range)
        workspace.stageChanged.connect(self.show_stage)
        workspace.frameChanged.connect(self._follow_picture)
        workspace.bridge.playerMoved.connect(self._move)

    @Slot()
    def show_stage(self) -> None:
        stage = self._workspace.stage
        self._timeline.set_session(stage.session if stage else None)
        self._loop = None
        if stage is not None:
            self._timeline.viewport.set_times(stage.times, stage.end_s)
            self._move(stage.player.state)

    @Slot(object)
    def _move(self, state: PlayerState) -> None:
        workspace = self._workspace
        if not workspace.n_frames:
            self._timeline.set_moment(state.time_s)
        elif not state.is_playing:
            self._timeline.set_playhead(state.frame)
        if state.loop != self._loop:
            self._loop = state.loop
            self._timeline.set_loop(state.loop)
        if not self._loaded.isActive():
            self._loaded.start()

    @Slot()
    def _show_loaded(self) -> None:
        stage = self._workspace.stage
        if stage is not None and stage.pictures is not None:
            self._timeline.set_loaded_spans(stage.pictures.loaded_spans())

    @Slot(int)
    def _follow_picture(self, frame: int) -> None:
        """In play the playhead goes with the picture; else it goes ahead of it."""
        stage = self._workspace.stage
        if stage is not None and stage.player.state.is_playing:
            self._timeline.set_playhead(frame)
