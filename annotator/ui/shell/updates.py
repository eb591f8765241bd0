"""Keeps actions, messages and canvas hints up to date with the open task and the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QMainWindow

from annotator.ui.actions.table import ActionTable
from annotator.ui.shell.middle import Middle
from annotator.ui.shell.view_keeper import ViewKeeper
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.errors import UserError
    from annotator.services.playback.player import PlayerState

_WHILE_PLAYING_MS: Final = 150


class Updates(QObject):
    """Listens to the workspace; ``refreshed`` is emitted after each update once all parts exist."""

    refreshed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        table: ActionTable,
        frame: QMainWindow,
        middle: Middle,
        keeper: ViewKeeper,
    ) -> None:
        super().__init__(frame)
        self._workspace = workspace
        self._frame = frame
        self._table = table
        self._middle = middle
        self._canvas = middle.canvas
        self._keeper = keeper
        self._is_complete = False
        self._failures: dict[str, str] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)

    def begin(self) -> None:
        """Hear of changes from now on."""
        workspace, canvas, middle = self._workspace, self._canvas, self._middle
        for signal in (
            workspace.selection.changed,
            workspace.frameChanged,
            workspace.rangeChanged,
            workspace.edited,
            workspace.projectChanged,
            workspace.personChanged,
            workspace.bridge.workChanged,
            workspace.bridge.runsChanged,
            workspace.bridge.pointRunsChanged,
        ):
            signal.connect(self.soon)
        workspace.stageChanged.connect(self.show_stage)
        workspace.pairChanged.connect(self._show_badge)
        workspace.projectChanged.connect(self._on_project_changed)
        workspace.failed.connect(self.report)
        workspace.message.connect(middle.toast.show_message)
        workspace.hintChanged.connect(self._show_hint)
        workspace.bridge.playerMoved.connect(self._on_player_moved)
        workspace.bridge.noticed.connect(middle.banners.add_notice)
        self._table.began.connect(self._on_action_began)
        self._table.failed.connect(self._report_action)
        self._table.refused.connect(self._tell_obstacle)
        canvas.picturePainted.connect(self.soon)
        canvas.message.connect(middle.toast.show_message)
        canvas.failed.connect(self.report)

    @Slot()
    def complete(self) -> None:
        """All parts are there: bring them up to date, too, from now on."""
        self._is_complete = True
        self.refresh()

    @Slot(object)
    def report(self, error: UserError) -> None:
        """Show a message about something that was refused; it stays until it is closed."""
        self._middle.banners.add("error", str(error))

    @Slot(str, object)
    def _report_action(self, action_id: str, error: UserError) -> None:
        """Show why an action failed, until it is tried again or another task is open."""
        text = self._failures[action_id] = str(error)
        self._middle.banners.add("error", text, is_of_video=True)

    @Slot(str)
    def _on_action_began(self, action_id: str) -> None:
        text = self._failures.pop(action_id, None)
        if text is not None:
            self._middle.banners.remove(text)

    @Slot(str)
    def _tell_obstacle(self, text: str) -> None:
        # On other pages nobody expects that keys act on a video.
        if self._workspace.stage is not None:
            self._middle.toast.show_message(text)

    @Slot()
    def refresh(self) -> None:
        """Update actions, badge and hint for the selection and the view."""
        from annotator.ui.actions.conditions import conditions, tool_rules

        self._table.set_conditions(conditions(self._workspace), tool_rules(self._workspace))
        if self._is_complete:
            self._name_undo()
            self._check_states()
            self.refreshed.emit()
        self._show_hint()

    @Slot()
    def soon(self) -> None:
        """Refresh once for many changes; seldom enough not to cost frames while playing."""
        if not self._timer.isActive():
            stage = self._workspace.stage
            is_playing = stage is not None and stage.player.state.is_playing
            self._timer.start(_WHILE_PLAYING_MS if is_playing else 0)

    @Slot()
    def show_stage(self) -> None:
        """Show the task that was opened, or that none is open any more."""
        stage = self._workspace.stage
        self._canvas.set_session(stage.session if stage else None)
        self._canvas.tools.fit_tool()
        self._middle.banners.leave_video()
        if stage is not None:
            for text in stage.notices:
                self._middle.banners.add("info", text, is_of_video=True)
            self._keeper.come_back()
        self._show_badge()
        self.refresh()

    def _name_undo(self) -> None:
        from annotator.ui.look.texts import op_text

        session, table = self._workspace.session, self._table
        for action_id, op in (
            ("edit.undo", session.undo_op if session else None),
            ("edit.redo", session.redo_op if session else None),
        ):
            word = table.spec(action_id).text
            table.set_text(action_id, f"{word} {op_text(op)}" if op else word)

    def _check_states(self) -> None:
        workspace, table = self._workspace, self._table
        track, state = (
            workspace.track,
            workspace.track.state_at(workspace.frame) if workspace.track else None,
        )
        table.set_checked("track.occluded", bool(state and state.occluded))
        segment = workspace.segment if workspace.selection.is_on_segment else None
        is_outside = bool(state and state.lower is not None and not state.is_present)
        if segment is not None:
            is_outside = not segment.is_visible
        table.set_checked("track.outside", is_outside)
        table.set_checked("track.hide", bool(track and track.info.is_hidden))
        table.set_checked("track.lock", bool(track and track.info.is_locked))

    @Slot()
    def _show_hint(self) -> None:
        from annotator.ui.actions.conditions import first_step_hint
        from annotator.ui.actions.keymap import shown

        keys = {tool: self._table.keymap.keys(f"tool.{tool}") for tool in ("box", "point")}
        first = {tool: shown(found[0]) for tool, found in keys.items() if found}
        self._middle.hint.say(self._workspace.hint or first_step_hint(self._workspace, first))

    @Slot()
    def _on_project_changed(self) -> None:
        project, banners = self._workspace.project, self._middle.banners
        banners.clear()
        self._frame.setWindowTitle(project.title if project else "annotator")
        if project is None:
            return
        for notice in project.notices:
            banners.add_notice(notice)

    @Slot()
    def _show_badge(self) -> None:
        """Name the first video of a pair, and what is unusual about a video."""
        stage, pair = self._workspace.stage, self._workspace.pair
        names = [f"1 · {pair[0]}"] if stage is not None and pair else []
        self._middle.badge.say(" · ".join([*names, *(stage.badges if stage is not None else ())]))

    @Slot(object)
    def _on_player_moved(self, state: PlayerState) -> None:
        if state.notice:
            self._middle.banners.add("info", state.notice, is_of_video=True)
