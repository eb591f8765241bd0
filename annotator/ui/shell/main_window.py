"""The window: puts canvas, timeline and panels together and keeps actions and words up to date."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QSize, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.shell import window_places
from annotator.ui.shell.first_keys import FirstKeys
from annotator.ui.shell.staging import Staging

if TYPE_CHECKING:
    from annotator.domain.errors import UserError
    from annotator.services.playback.player import PlayerState
    from annotator.ui.actions.keymap import Keymap
    from annotator.ui.bars.status_line import StatusLine
    from annotator.ui.bars.transport import TransportBar
    from annotator.ui.canvas.painting.first_picture import FirstPicture
    from annotator.ui.commands.help import HelpActions
    from annotator.ui.commands.lead import LeadActions
    from annotator.ui.commands.objects import ObjectActions
    from annotator.ui.commands.points import PointActions
    from annotator.ui.commands.proposals import ProposalActions
    from annotator.ui.commands.segments import SegmentActions
    from annotator.ui.dialogs.tone import ToneDialog
    from annotator.ui.forms.question_actions import QuestionActions
    from annotator.ui.look.theme import ThemeHub
    from annotator.ui.panels.inspector import Inspector
    from annotator.ui.panels.objects import ObjectsPanel
    from annotator.ui.panels.segment_card import SegmentCard
    from annotator.ui.points.curves import CurvesPanel
    from annotator.ui.points.panel import PointsPanel
    from annotator.ui.review.actions import ReviewActions
    from annotator.ui.review.comment_actions import CommentActions
    from annotator.ui.review.verdicts import Verdicts
    from annotator.ui.shell.assembly import Assembly
    from annotator.ui.shell.idle_docks import IdleDocks
    from annotator.ui.shell.pages import Pages
    from annotator.ui.state.desk import Desk
    from annotator.ui.timeline.sound_rows import SoundRows
    from annotator.ui.timeline.view import TimelineView
    from annotator.ui.work.rater import Rater
    from annotator.ui.work.task_header import TaskHeader
    from annotator.ui.work.tasks_panel import TasksPanel


_SIZE: Final = QSize(1360, 860)
_PATIENCE_MS: Final = 1000


class MainWindow(QMainWindow):
    """One project in one window; closing it gives everything back.

    With ``remembers_place`` size and panels are as at the last time, and kept for the next.
    Where it is known what was on the screen at the last time, that picture alone is shown at first;
    ``staging`` builds all parts behind it. Meanwhile `FirstKeys` goes through the video; any other
    key or press of the mouse waits for canvas and project, and hastens them.
    """

    assembly: Assembly
    first_keys: FirstKeys
    timeline: TimelineView
    curves: CurvesPanel
    transport: TransportBar
    header: TaskHeader
    splitter: QSplitter
    pages: Pages
    status: StatusLine
    object_actions: ObjectActions
    proposal_actions: ProposalActions
    point_actions: PointActions
    segment_actions: SegmentActions
    help_actions: HelpActions
    lead_actions: LeadActions
    questions: QuestionActions
    sound_rows: SoundRows
    card: SegmentCard
    panes: QSplitter
    rater: Rater
    review_actions: ReviewActions
    comment_actions: CommentActions
    verdicts: Verdicts
    idle_docks: IdleDocks

    def __init__(self, hub: ThemeHub, *, remembers_place: bool = True) -> None:
        super().__init__()
        self.hub = hub
        self.remembers_place = remembers_place
        self.first: FirstPicture | None = None
        self.has_parts = False
        self.staging = Staging(self)
        self.resize(_SIZE)
        if remembers_place:
            self.resize(_SIZE.boundedTo(self.screen().availableSize()))
            window_places.restore_size(self)

    # The first picture

    def show_first(self, first: FirstPicture, keymap: Callable[[], Keymap]) -> bool:
        """Show a picture where the canvas will be; False where that is not known from before."""
        margins = window_places.canvas_margins() if self.remembers_place else None
        if margins is None:
            return False
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(*margins)
        column.addWidget(first)
        self.setCentralWidget(holder)
        self.first = first
        self.first_keys = FirstKeys(first, keymap)
        first.settled.connect(self.staging.start)
        return True

    def prepare_canvas(self) -> None:
        """Give the canvas the size it will have, so that it asks for pictures of that size."""
        if self.first is not None:
            self.canvas.resize(self.first.size())

    def follow_first(self) -> None:
        """Go to where somebody has gone with the first picture."""
        first, stage = self.first, self.desk.stage
        if first is None or stage is None or stage.pictures is not first.pictures:
            return
        self.first_keys.stop()
        if first.has_moved:
            self.playback.seek(first.frame)

    def take_first(self) -> None:
        """Let the canvas show the picture on screen until it has one of its own."""
        first, self.first = self.first, None
        if first is None:
            return
        self.first_keys.stop()
        if first.picture is not None and self.desk.stage is not None:
            self.canvas.show_picture(first.picture)

    # The parts

    def make_parts(self, desk: Desk) -> None:
        """Make what acts and what is seen at first; `Assembly` puts it in its place."""
        from annotator.ui.actions.key_router import KeyRouter
        from annotator.ui.actions.keymap import Keymap
        from annotator.ui.actions.table import ActionTable
        from annotator.ui.bars.banners import Banners
        from annotator.ui.bars.overlay import FrameBadge, Hint, Toast
        from annotator.ui.canvas.view import CanvasView
        from annotator.ui.commands.playback import Playback
        from annotator.ui.commands.projects import ProjectActions
        from annotator.ui.shell.side_panels import SidePanels
        from annotator.ui.shell.view_keeper import ViewKeeper
        from annotator.ui.work.people_docks import PeopleDocks
        from annotator.ui.work.task_actions import TaskActions

        desk.setParent(self)
        self.desk = desk
        keymap = Keymap(desk.settings.text("keys.preset"), desk.settings.bindings)
        self.table = ActionTable(self, desk.hub, keymap)
        is_by_place = desk.settings.flag("keys.by_place")
        self.router = KeyRouter(self.table, is_by_place=is_by_place)
        self.canvas = CanvasView(desk.hub, desk.selection)
        self.panels = SidePanels(desk)
        self.people_docks = PeopleDocks(desk, self)
        self.banners = Banners(desk.hub)
        self.badge = FrameBadge(desk.hub, self.canvas)
        self.hint = Hint(desk.hub, self.canvas)
        self.playback = Playback(desk, self.canvas, self.table, self.router.is_held)
        self.projects = ProjectActions(desk, self.table, self)
        self.keeper = ViewKeeper(desk, self.canvas, self.playback)
        self.task_actions = TaskActions(desk, self.table, self.keeper, self)
        self.middle = QWidget()
        self._tone_dialog: ToneDialog | None = None
        self.toast = Toast(desk.hub, self.middle)
        self._refresher = QTimer(self)
        self._refresher.setSingleShot(True)
        self._refresher.timeout.connect(self.refresh)
        self._take_actions()
        self.has_parts = True

    def _take_actions(self) -> None:
        self.table.on("view.zoom-in", self.canvas.zoom_in)
        self.table.on("view.zoom-out", self.canvas.zoom_out)
        self.table.on("view.fit", self.canvas.zoom_fit)
        self.table.on("view.actual", self.canvas.zoom_actual)
        self.table.on("view.tone", self._show_tone)
        self.table.on("view.curves", self.show_curves)
        self.table.on("view.full-screen", self._toggle_full_screen)
        self.table.on("view.next-panel", partial(self._step_panel, 1))
        self.table.on("view.previous-panel", partial(self._step_panel, -1))
        self.table.on("app.quit", self.close)
        self.table.bind_canvas([self.canvas])

    def connect_parts(self) -> None:
        """Let the parts hear of each other."""
        desk = self.desk
        for signal in (
            desk.selection.changed,
            desk.frameChanged,
            desk.rangeChanged,
            desk.edited,
            desk.projectChanged,
            desk.personChanged,
            desk.bridge.workChanged,
            desk.bridge.runsChanged,
            desk.bridge.pointRunsChanged,
        ):
            signal.connect(self.refresh_soon)
        self.task_actions.fetching.changed.connect(self.refresh_soon)
        self.projects.opened.connect(self.keeper.restore)
        desk.stageChanged.connect(self.on_stage_changed)
        desk.pairChanged.connect(self._on_pair_changed)
        desk.projectChanged.connect(self._on_project_changed)
        desk.frameChanged.connect(self._on_frame_changed)
        # Together with the picture: painted after it, it would have the picture painted twice.
        self.canvas.pictureShown.connect(self._on_frame_changed)
        desk.failed.connect(self.report)
        desk.said.connect(self.toast.show_message)
        desk.hintChanged.connect(self._show_hint)
        desk.bridge.playerMoved.connect(self._on_player_moved)
        desk.bridge.noticed.connect(self.banners.add_notice)
        self.table.failed.connect(self.report)
        self.canvas.picturePainted.connect(self.refresh_soon)
        self.canvas.message.connect(self.toast.show_message)
        self.canvas.failed.connect(self.report)
        self.canvas.contextMenuAt.connect(self.show_object_menu)

    @property
    def objects(self) -> ObjectsPanel:
        return self.panels.objects

    @property
    def tasks(self) -> TasksPanel:
        return self.panels.tasks

    @property
    def inspector(self) -> Inspector:
        return self.panels.inspector

    @property
    def points(self) -> PointsPanel:
        return self.panels.points

    def add_above(self, widget: QWidget) -> None:
        """Put a strip between the banners and what is in the middle of the window."""
        self.assembly.rows.insertWidget(1, widget)

    # What changed

    @Slot(object)
    def report(self, error: UserError) -> None:
        """Show a message about something that was refused; it stays until it is closed."""
        self.banners.add("error", str(error))

    @Slot()
    def refresh(self) -> None:
        """Bring actions, badge and hint up to date with what is selected and shown."""
        from annotator.domain.recipes.recipe import Tool
        from annotator.ui.actions.conditions import conditions
        from annotator.ui.actions.tool_rules import tool_rules
        from annotator.ui.look.words import op_text

        desk, session = self.desk, self.desk.session
        self.table.set_conditions(conditions(desk), tool_rules(desk))
        if not self.staging.is_complete:
            self._show_hint()
            return
        for action_id, op in (
            ("edit.undo", session.undo_op if session else None),
            ("edit.redo", session.redo_op if session else None),
        ):
            word = self.table.spec(action_id).text
            self.table.set_text(action_id, f"{word} {op_text(op)}" if op else word)
        track, state = desk.track, desk.track.state_at(desk.frame) if desk.track else None
        self.table.set_checked("track.occluded", bool(state and state.occluded))
        segment = desk.segment if desk.selection.is_on_segment else None
        is_outside = bool(state and state.lower is not None and not state.is_present)
        if segment is not None:
            is_outside = not segment.is_visible
        self.table.set_checked("track.outside", is_outside)
        self.table.set_checked("track.hide", bool(track and track.info.is_hidden))
        self.table.set_checked("track.lock", bool(track and track.info.is_locked))
        self.point_actions.refresh()
        has_boxes = session is None or session.has_tool(Tool.BOXES)
        self.status.say(self.canvas.summary(has_boxes=has_boxes) if desk.stage else "")
        self._show_hint()

    @Slot()
    def refresh_soon(self) -> None:
        """Refresh once for many changes; seldom enough not to cost frames while playing."""
        if not self._refresher.isActive():
            stage = self.desk.stage
            is_playing = stage is not None and stage.player.state.is_playing
            self._refresher.start(150 if is_playing else 0)

    @Slot()
    def _show_hint(self) -> None:
        from annotator.ui.actions.keymap import shown
        from annotator.ui.actions.tool_rules import how_to_begin

        keys = {tool: self.table.keymap.keys(f"tool.{tool}") for tool in ("box", "point")}
        first = {tool: shown(found[0]) for tool, found in keys.items() if found}
        self.hint.say(self.desk.hint or how_to_begin(self.desk, first))

    def _show_tone(self) -> None:
        from annotator.ui.dialogs.tone import ToneDialog

        if self._tone_dialog is None:
            self._tone_dialog = ToneDialog(self.canvas.tone, self)
            self._tone_dialog.toneChanged.connect(self.canvas.set_tone)
        self._tone_dialog.show()
        self._tone_dialog.raise_()
        self._tone_dialog.activateWindow()

    @Slot()
    def _on_project_changed(self) -> None:
        project = self.desk.project
        self.banners.clear()
        self.setWindowTitle(project.title if project else "annotator")
        if project is None:
            return
        for notice in project.notices:
            self.banners.add_notice(notice)

    @Slot()
    def on_stage_changed(self) -> None:
        stage = self.desk.stage
        self.canvas.set_session(stage.session if stage else None)
        self.canvas.fit_tool()
        self.banners.leave_video()
        if stage is not None:
            for text in stage.notices:
                self.banners.add("info", text, is_of_video=True)
            self.keeper.come_back()
        self._on_frame_changed(self.desk.frame)
        self.refresh()

    @Slot()
    def _on_pair_changed(self) -> None:
        self._on_frame_changed(self.desk.frame)

    @Slot(int)
    def _on_frame_changed(self, frame: int) -> None:
        from annotator.ui.look.words import time_text

        stage = self.desk.stage
        if stage is None:
            self.badge.say("")
            return
        seconds = float(stage.times[frame]) if len(stage.times) else 0.0
        names = [f"1 · {self.desk.pair[0]}"] if self.desk.pair else []
        words = [
            *names,
            f"{frame} / {max(0, self.desk.n_frames - 1)}",
            time_text(seconds),
            *stage.badges,
        ]
        self.badge.say(" · ".join(words))

    @Slot(object)
    def _on_player_moved(self, state: PlayerState) -> None:
        if state.notice:
            self.banners.add("info", state.notice, is_of_video=True)

    @Slot(QPoint)
    @Slot(QPoint, object)
    def show_object_menu(self, at: QPoint, track: object = None) -> None:
        from annotator.ui.actions.context_menu import context_menu

        self.refresh()
        is_beside = self.sender() is self.canvas and track is None
        context_menu(self, self.table, is_on_object=not is_beside).popup(at)

    def _step_panel(self, direction: int) -> None:
        """Give the focus to the next panel that is in sight: Tab goes through objects instead."""
        from PySide6.QtCore import Qt

        panels: list[tuple[QWidget, QWidget]] = [
            *self.panels.fields(left=True),
            (self.canvas, self.canvas),
            (self.timeline, self.timeline),
            (self.objects, self.objects.view),
            (self.points, self.points.view),
            (self.inspector, self.inspector.name),
        ]
        now = self.focusWidget()
        at = next((i for i, (p, _) in enumerate(panels) if now and _is_in(now, p)), 1)
        for step in range(1, len(panels) + 1):
            field = panels[(at + direction * step) % len(panels)][1]
            if field.isVisible() and field.isEnabled():
                field.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def show_curves(self) -> None:
        self.assembly.curves_row.setVisible(self.table.action("view.curves").isChecked())

    def _toggle_full_screen(self) -> None:
        from PySide6.QtCore import Qt

        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            is_asked = event.type() == QEvent.Type.ShortcutOverride and self.has_parts
            if is_asked and self.router.overrides(event):
                event.accept()
                return True
        elif event.type() == QEvent.Type.WindowDeactivate and self.has_parts:
            self.router.forget()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.has_parts or not self.router.pressed(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self.has_parts:
            self.router.released(event)
        super().keyReleaseEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.first is not None and self.windowHandle() is not None:
            self.staging.guard(self.windowHandle(), "plan")
            self.first_keys.listen(self.windowHandle())
        stage = self.desk.stage if self.has_parts else None
        is_coming = stage is not None and stage.pictures is not None
        awaits_picture = is_coming or self.first is not None
        # A picture that never comes must not keep the rest of the window away.
        QTimer.singleShot(_PATIENCE_MS if awaits_picture else 0, self.staging.start)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.staging.finish()
        if self.desk.bridge.is_held:
            # An edit is being written: what closing does comes after it.
            event.ignore()
            self.desk.bridge.post(self.close)
            return
        self.questions.commit()
        self.questions.put_back()
        self.keeper.save()
        if self.remembers_place:
            window_places.save(self)
        self.panels.close()
        self.desk.jobs.close()
        self.desk.take_project(None)
        super().closeEvent(event)


def _is_in(widget: QWidget, panel: QWidget) -> bool:
    return widget is panel or panel.isAncestorOf(widget)
