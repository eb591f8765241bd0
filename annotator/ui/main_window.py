"""The window: puts canvas, timeline and panels together and keeps actions and words up to date."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QPoint, QSettings, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QSplitter,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.ui.action_table import ActionTable
from annotator.ui.canvas.view import CanvasView
from annotator.ui.conditions import conditions
from annotator.ui.desk import Desk
from annotator.ui.help_actions import HelpActions
from annotator.ui.key_router import KeyRouter
from annotator.ui.keymap import Keymap, shown
from annotator.ui.object_actions import ObjectActions
from annotator.ui.pages import Pages
from annotator.ui.panels.banners import Banners
from annotator.ui.panels.overlay import FrameBadge, Hint, Toast
from annotator.ui.panels.status_line import StatusLine
from annotator.ui.panels.task_header import TaskHeader
from annotator.ui.panels.transport import TransportBar
from annotator.ui.playback import Playback
from annotator.ui.point_actions import PointActions
from annotator.ui.points.curves import CurvesPanel
from annotator.ui.project_actions import ProjectActions
from annotator.ui.proposal_actions import ProposalActions
from annotator.ui.segment_actions import SegmentActions
from annotator.ui.side_panels import SidePanels
from annotator.ui.timeline.sound_rows import SoundRows
from annotator.ui.timeline.view import TimelineView
from annotator.ui.view_keeper import ViewKeeper
from annotator.ui.words import op_text, time_text

if TYPE_CHECKING:
    from annotator.services.player import PlayerState

_SIZE: Final = QSize(1360, 860)
_TOOLS: Final = (
    ("tool.select", "tool.box", "tool.point", "point.loop", "point.centre"),
    ("edit.undo", "edit.redo"),
    ("key.set", "key.delete", "track.occluded", "track.outside"),
    ("track.split", "track.join", "track.children"),
    ("proposal.run", "proposal.accept", "proposal.accept-to-here", "proposal.accept-all"),
    ("proposal.dismiss", "proposal.doubtful"),
    ("view.fit",),
)
_OBJECT_MENU: Final = (
    ("track.rename", "key.set", "key.delete", "track.occluded", "track.outside"),
    ("proposal.accept", "proposal.accept-all", "proposal.dismiss", "proposal.run"),
    ("track.split", "track.join", "track.swap", "track.children"),
    ("track.hide", "track.lock", "track.delete"),
)
_PICTURE_MENU: Final = (
    ("tool.box", "tool.box-corners", "tool.box-extremes"),
    ("edit.undo", "edit.redo"),
    ("view.fit", "view.actual", "view.zoom-in", "view.zoom-out"),
)


class MainWindow(QMainWindow):
    """One project in one window; closing it gives everything back.

    With ``remembers_place`` size and panels are as at the last time, and kept for the next.
    """

    def __init__(self, desk: Desk, *, remembers_place: bool = True) -> None:
        super().__init__()
        self._remembers_place = remembers_place
        self._loop: tuple[int, int] | None = None
        desk.setParent(self)
        self.desk = desk
        keymap = Keymap(desk.settings.text("keys.preset"), desk.settings.bindings)
        self.table = ActionTable(self, desk.hub, keymap)
        is_by_place = desk.settings.flag("keys.by_place")
        self.router = KeyRouter(self.table, is_by_place=is_by_place)
        self.canvas = CanvasView(desk.hub, desk.selection)
        self.timeline = TimelineView(desk.hub, desk.selection)
        self.timeline.set_labels(desk.labels)
        self.panels = SidePanels(desk)
        self.objects, self.tasks = self.panels.objects, self.panels.tasks
        self.inspector, self.points = self.panels.inspector, self.panels.points
        self.curves = CurvesPanel(desk, self.timeline)
        self.transport = TransportBar(desk, self.table)
        self.banners = Banners(desk.hub)
        self.badge = FrameBadge(desk.hub, self.canvas)
        self.hint = Hint(desk.hub, self.canvas)
        self.playback = Playback(desk, self.canvas, self.table, self.router.is_held)
        self.object_actions = ObjectActions(
            desk, self.table, self.canvas, self.objects, self.playback
        )
        self.proposal_actions = ProposalActions(desk, self.table, self.canvas, self.playback)
        self.point_actions = PointActions(desk, self.table, self.canvas, self.playback)
        self.segment_actions = SegmentActions(desk, self.table, self.router, self.playback)
        self.card = self.panels.connect_work(self.playback, self.segment_actions.slots)
        self.projects = ProjectActions(desk, self.table, self.tasks)
        self.help_actions = HelpActions(desk, self.table, self.router, self)
        self.keeper = ViewKeeper(desk, self.canvas, self.timeline, self.playback)
        self.sound_rows = SoundRows(desk, self.table, self.timeline)
        self.table.on("view.zoom-in", self.canvas.zoom_in)
        self.table.on("view.zoom-out", self.canvas.zoom_out)
        self.table.on("view.fit", self.canvas.zoom_fit)
        self.table.on("view.actual", self.canvas.zoom_actual)
        self.table.on("view.curves", self._show_curves)
        self.table.on("view.full-screen", self._toggle_full_screen)
        self.table.on("view.next-panel", partial(self._step_panel, 1))
        self.table.on("view.previous-panel", partial(self._step_panel, -1))
        self.table.on("app.quit", self.close)
        self.table.bind_canvas([self.canvas, self.timeline])
        self.toast = Toast(desk.hub, self._lay_out())
        self._build_tools()
        self.status = StatusLine(desk, self.statusBar())
        added = {
            "File": self.projects.add_recent_menu,
            "Playback": self.sound_rows.menu.add_to,
            "View": self.panels.add_to,
        }
        self.table.fill(self.menuBar(), added)
        self._refresher = QTimer(self)
        self._refresher.setSingleShot(True)
        self._refresher.timeout.connect(self.refresh)
        self._connect()
        self._restore_geometry()
        self._on_stage_changed()

    # Building

    def _lay_out(self) -> QWidget:
        self.setDockNestingEnabled(True)
        picture = QWidget()
        column = QVBoxLayout(picture)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.transport)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(picture)
        self.splitter.addWidget(self.timeline)
        self.splitter.addWidget(self.curves)
        self.curves.hide()
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([500, 340])
        self.pages = Pages(self.desk, self.table, self.splitter)
        middle = QWidget()
        rows = QVBoxLayout(middle)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.banners)
        rows.addWidget(self.pages, 1)
        self.setCentralWidget(middle)
        self.panels.lay_out(self)
        return middle

    def _build_tools(self) -> None:
        bar = QToolBar(self.tr("Tools"), self)
        bar.setObjectName("tools")
        bar.setMovable(False)
        for group in _TOOLS:
            if bar.actions():
                bar.addSeparator()
            for action_id in group:
                bar.addAction(self.table.action(action_id))
        self.addToolBar(bar)
        # A bar of its own: where there is little room the tools go into the menu at their end,
        # and Submit stays.
        right = QToolBar(self.tr("Task"), self)
        right.setObjectName("task")
        right.setMovable(False)
        self.header = TaskHeader(self.desk, self.table)
        right.addWidget(self.header)
        self.addToolBar(right)

    def _connect(self) -> None:
        desk = self.desk
        for signal in (
            desk.selection.changed,
            desk.frameChanged,
            desk.rangeChanged,
            desk.edited,
            desk.projectChanged,
            desk.bridge.runsChanged,
            desk.bridge.pointRunsChanged,
        ):
            signal.connect(self._refresh_soon)
        self.projects.opened.connect(self.keeper.restore)
        desk.stageChanged.connect(self._on_stage_changed)
        desk.projectChanged.connect(self._on_project_changed)
        desk.frameChanged.connect(self._on_frame_changed)
        desk.rangeChanged.connect(self.timeline.set_range)
        desk.failed.connect(self.report)
        desk.said.connect(self.toast.show_message)
        desk.hintChanged.connect(self._show_hint)
        desk.bridge.playerMoved.connect(self._on_player_moved)
        desk.bridge.noticed.connect(self.banners.add_notice)
        self.table.failed.connect(self.report)
        self.canvas.picturePainted.connect(self._refresh_soon)
        self.canvas.message.connect(self.toast.show_message)
        self.canvas.failed.connect(self.report)
        self.canvas.contextMenuAt.connect(self._show_object_menu)
        self.timeline.contextMenuAt.connect(self._show_object_menu)
        self.objects.contextMenuAt.connect(self._show_object_menu)
        self.inspector.occludedToggled.connect(self.object_actions.toggle_occluded)
        self.inspector.outsideToggled.connect(self.object_actions.toggle_outside)
        self.card.visibleToggled.connect(self.segment_actions.toggle_visible)
        self.timeline.seekRequested.connect(self.playback.on_seek_requested)
        self.curves.seekRequested.connect(self.playback.on_seek_requested)
        self.timeline.rangeSelected.connect(desk.set_range)
        self.timeline.rangeDrawn.connect(self.segment_actions.draw)
        self.transport.frameWanted.connect(self.playback.seek)
        self.transport.speedWanted.connect(self.playback.set_speed)
        self.transport.volumeWanted.connect(self.playback.set_volume)
        self.tasks.taskChosen.connect(self.projects.open_task)
        self.tasks.addWanted.connect(self.projects.add_videos)

    # What changed

    @Slot(object)
    def report(self, error: UserError) -> None:
        """Show a message about something that was refused; it stays until it is closed."""
        self.banners.add("error", str(error))

    @Slot()
    def refresh(self) -> None:
        """Bring actions, badge and hint up to date with what is selected and shown."""
        desk, session = self.desk, self.desk.session
        self.table.set_conditions(conditions(desk))
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
        self.status.say(self.canvas.summary() if desk.stage else "")
        self._show_hint()

    @Slot()
    def _refresh_soon(self) -> None:
        """Refresh once for many changes; seldom enough not to cost frames while playing."""
        if not self._refresher.isActive():
            stage = self.desk.stage
            is_playing = stage is not None and stage.player.state.is_playing
            self._refresher.start(150 if is_playing else 0)

    @Slot()
    def _show_hint(self) -> None:
        session, text = self.desk.session, self.desk.hint
        keys = self.table.keymap.keys("tool.box")
        is_blank = session is not None and self.desk.n_frames > 0 and not session.document.tracks
        if not text and is_blank and self.desk.can_edit and keys:
            text = self.tr("Press {key} and drag a box round an object").format(key=shown(keys[0]))
        self.hint.say(text)

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
    def _on_stage_changed(self) -> None:
        stage = self.desk.stage
        self.canvas.set_session(stage.session if stage else None)
        self.timeline.set_session(stage.session if stage else None)
        self._loop = None
        if stage is not None:
            self.timeline.set_times(stage.times, stage.end_s)
            for text in stage.notices:
                self.banners.add("info", text)
        self._on_frame_changed(self.desk.frame)
        self.refresh()

    @Slot(int)
    def _on_frame_changed(self, frame: int) -> None:
        stage = self.desk.stage
        if stage is None:
            self.badge.say("")
            return
        if stage.player.state.is_playing:
            # In play the playhead goes with the picture; else it goes ahead of it.
            self.timeline.set_playhead(frame)
        seconds = float(stage.times[frame]) if len(stage.times) else 0.0
        words = [f"{frame} / {max(0, self.desk.n_frames - 1)}", time_text(seconds), *stage.badges]
        self.badge.say(" · ".join(words))

    @Slot(object)
    def _on_player_moved(self, state: PlayerState) -> None:
        if not self.desk.n_frames:
            self.timeline.set_moment(state.time_s)
        elif not state.is_playing:
            self.timeline.set_playhead(state.frame)
        if state.loop != self._loop:
            self._loop = state.loop
            self.timeline.set_loop(state.loop)
        if self.desk.stage is not None and self.desk.stage.pictures is not None:
            self.timeline.set_loaded_spans(self.desk.stage.pictures.loaded_spans())
        if state.notice:
            self.banners.add("info", state.notice)

    @Slot(QPoint)
    @Slot(QPoint, object)
    def _show_object_menu(self, at: QPoint, track: object = None) -> None:
        self.refresh()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        is_beside = self.sender() is self.canvas and track is None
        for group in _PICTURE_MENU if is_beside else _OBJECT_MENU:
            menu.addSeparator()
            menu.addActions([self.table.action(i) for i in group])
        menu.popup(at)

    def _step_panel(self, direction: int) -> None:
        """Give the focus to the next panel that is in sight: Tab goes through objects instead."""
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

    def _show_curves(self) -> None:
        self.curves.setVisible(self.table.action("view.curves").isChecked())

    def _toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self.router.overrides(event):
                event.accept()
                return True
        elif event.type() == QEvent.Type.WindowDeactivate:
            self.router.forget()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.router.pressed(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.router.released(event)
        super().keyReleaseEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.desk.bridge.is_held:
            # An edit is being written: what closing does comes after it.
            event.ignore()
            self.desk.bridge.post(self.close)
            return
        self.keeper.save()
        if self._remembers_place:
            store = QSettings()
            store.setValue("window/geometry", self.saveGeometry())
            store.setValue("window/state", self.saveState())
            store.setValue("window/splitter", self.splitter.saveState())
            store.setValue("window/curves", not self.curves.isHidden())
        self.panels.close()
        self.desk.jobs.close()
        self.desk.take_project(None)
        super().closeEvent(event)

    def _restore_geometry(self) -> None:
        self.resize(_SIZE)
        if not self._remembers_place:
            return
        self.resize(_SIZE.boundedTo(self.screen().availableSize()))
        store = QSettings()
        for key, restore in (
            ("window/geometry", self.restoreGeometry),
            ("window/state", self.restoreState),
            ("window/splitter", self.splitter.restoreState),
        ):
            value = store.value(key)
            if isinstance(value, QByteArray):
                restore(value)
        self.table.set_checked(
            "view.curves", store.value("window/curves", False, type=bool) is True
        )
        self._show_curves()


def _is_in(widget: QWidget, panel: QWidget) -> bool:
    return widget is panel or panel.isAncestorOf(widget)
