"""Puts a window together: first what a picture needs, the rest in steps after it.

Each part has its step; one that is new gets a ``_build_…`` of its own and a line in ``plan``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QSplitter, QToolBar, QToolButton, QVBoxLayout, QWidget

from annotator.ui.actions.tool_bar import tool_bar
from annotator.ui.shell import window_places
from annotator.ui.shell.idle_docks import IdleDocks
from annotator.ui.shell.pages import Pages

if TYPE_CHECKING:
    from annotator.ui.shell.main_window import MainWindow
    from annotator.ui.state.desk import Desk
    from annotator.ui.work.start_page import StartPage

TIMELINE, CURVES = 0, 1
_LOADED_FIRST: Final = (
    "annotator.ui.canvas.input.edit",
    "annotator.ui.actions.table",
    "annotator.ui.canvas.view",
)
_LOADED_FOR_OBJECTS: Final = (
    "annotator.domain.commands.tracks",
    "annotator.ui.commands.objects",
    "annotator.ui.panels.objects",
)
_LOADED_FOR_TIME: Final = (
    "annotator.domain.commands.segments",
    "annotator.domain.commands.points",
    "annotator.ui.timeline.lanes_view",
    "annotator.ui.timeline.view",
    "annotator.ui.timeline.sound_rows",
)
_ON_STAGE: Final = ("sound", "thumbnails", "proposing")


Step: TypeAlias = tuple[str, Callable[[], object]]


class Assembly(QObject):
    """Builds the parts of one window and connects them; what they do is in the parts."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.below = [QWidget(), QWidget()]

    def begin(self, desk: Desk, project: Path | None = None) -> list[Step]:
        """Return the steps to all that is seen at once, in their order; they plan what comes after.

        A ``project`` is opened on the way, before its parts are seen.
        """
        window = self.window
        steps: list[Step] = [
            *(_import_step(module) for module in _LOADED_FIRST),
            ("parts", lambda: window.make_parts(desk)),
            ("connections", window.connect_parts),
            ("empty", window.on_stage_changed),
        ]
        if project is not None:
            steps += [
                ("size", window.prepare_canvas),
                ("project", partial(self._open, project)),
            ]
        return [
            *steps,
            ("transport", self._build_transport),
            ("tools", self._build_tools),
            ("places", self.lay_out),
            ("plan", self.plan),
        ]

    @property
    def curves_row(self) -> QWidget:
        """The curves below the timeline, or the place kept for them."""
        return self.below[CURVES]

    def _open(self, project: Path) -> None:
        self.window.projects.open_path(project)
        self.window.follow_first()

    # Building what comes first

    def lay_out(self) -> None:
        """Put up what is seen of the parts, all at once, and keep places for the others."""
        self.window.setDockNestingEnabled(True)
        picture = QWidget()
        self._column = QVBoxLayout(picture)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.window.panes = QSplitter(Qt.Orientation.Horizontal)
        self.window.panes.addWidget(self.window.canvas)
        self.window.panes.setChildrenCollapsible(False)
        self._column.addWidget(self.window.panes, 1)
        self._column.addWidget(self.window.transport)
        self.window.splitter = QSplitter(Qt.Orientation.Vertical)
        self.window.splitter.addWidget(picture)
        for place in self.below:
            self.window.splitter.addWidget(place)
        self.below[CURVES].hide()
        self.window.splitter.setStretchFactor(0, 3)
        self.window.splitter.setStretchFactor(1, 1)
        self.window.splitter.setChildrenCollapsible(False)
        self.window.splitter.setSizes([500, 340])
        self.window.pages = Pages(
            self.window.desk,
            self.window.table,
            self.window.splitter,
            self.window.task_actions.shared,
            self.window.task_actions.fetching,
        )
        self.window.pages.startBuilt.connect(self._connect_start)
        self.window.pages.projectWanted.connect(self.window.projects.open_path)
        middle = self.window.middle
        self.rows = QVBoxLayout(middle)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(0)
        self.rows.addWidget(self.window.banners)
        self.rows.addWidget(self.window.pages, 1)
        self.window.setCentralWidget(middle)
        # In a window on the screen Qt would show it later, and leave it no room beside the docks.
        middle.show()
        self.window.panels.lay_out(self.window)
        for bar in self._bars:
            self.window.addToolBar(bar)
        self.window.table.add_menus(self.window.menuBar())
        self._build_status()
        if self.window.remembers_place:
            window_places.restore_parts(self.window)
        self.window.idle_docks = IdleDocks(self.window.desk, self.window.pages, self.window)
        self.window.people_docks.take_idle(self.window.idle_docks)
        self.window.idle_docks.broughtBack.connect(self.window.people_docks.bring_forward)
        self.window.idle_docks.refresh()
        self.window.take_first()
        self.window.refresh()

    def _build_tools(self) -> None:
        from annotator.ui.work.task_header import TaskHeader

        # A bar of its own: where there is little room the tools go into the menu at their end,
        # and Submit stays.
        right = QToolBar(self.tr("Task"), self.window)
        right.setObjectName("task")
        right.setMovable(False)
        self.window.header = TaskHeader(self.window.desk, self.window.table)
        right.addWidget(self.window.header)
        self._bars = (tool_bar(self.window, self.window.table), right)

    def _build_transport(self) -> None:
        from annotator.ui.bars.transport import TransportBar

        self.window.transport = TransportBar(self.window.desk, self.window.table)
        self.window.transport.frameWanted.connect(self.window.playback.seek)
        self.window.transport.speedWanted.connect(self.window.playback.set_speed)
        self.window.transport.volumeWanted.connect(self.window.playback.set_volume)

    # Building what comes later

    def plan(self) -> None:
        """Leave the rest to the steps after the first picture."""
        panels = self.window.panels
        steps: list[Step] = [
            *(_import_step(module) for module in _LOADED_FOR_OBJECTS),
            ("objects", self._build_objects),
            *(_import_step(module) for module in _LOADED_FOR_TIME),
            *((name, partial(self._build_on_stage, name)) for name in _ON_STAGE),
            ("timeline", self._build_timeline),
            ("tasks", self._build_tasks),
            ("inspector", self._build_inspector),
            ("proposal actions", self._build_proposal_actions),
            ("point actions", self._build_point_actions),
            ("points", panels.build_points),
            ("segment actions", self._build_segment_actions),
            ("live findings", panels.build_live),
            ("segments", panels.build_segments),
            ("segment card", self._build_card),
            ("labels", self._build_labels),
            ("findings", panels.build_findings),
            ("curves", self._build_curves),
            ("rater", self._build_rater),
            ("review", self._build_review),
            ("questions", self._build_questions),
            ("lead", self._build_lead),
            ("help", self._build_help),
            ("menus", self._fill_menus),
            ("people", self._build_people),
        ]
        for name, step in steps:
            self.window.staging.add(name, step)
        self.window.staging.completed.connect(self.window.refresh)
        self.window.staging.completed.connect(self._give_keys)
        self.window.canvas.picturePainted.connect(self.window.staging.start)
        self.window.table.unknown.connect(self._supply)
        # What is open is told by parts that are built late.
        self.window.table.before("task.submit", self._complete)

    def _give_keys(self) -> None:
        """Let the keys be for the picture, unless somebody has gone elsewhere meanwhile."""
        if self.window.desk.stage is None:
            return
        now = self.window.focusWidget()
        if now is None or isinstance(now, QToolButton):
            self.window.canvas.setFocus()

    def _supply(self, action_id: str) -> None:
        """Build as much as an action needs that is wanted already."""
        unhandled = self.window.table.unhandled
        self.window.staging.run_until(lambda: bool(action_id) and action_id not in unhandled())

    def _complete(self) -> bool:
        self.window.staging.finish()
        return False

    def _build_on_stage(self, name: str) -> None:
        stage = self.window.desk.stage
        if stage is None:
            # Nobody has signed in yet, or a video is still being read: what is opened from now on
            # comes too late for these steps and builds all of it at once.
            self.window.desk.puts_off = False
            return
        known = len(stage.notices)
        stage.build(name)
        for text in stage.notices[known:]:
            self.window.banners.add("info", text, is_of_video=True)
        if name == "proposing" and stage.proposing is not None:
            self.window.status.watch_tracking()

    def _build_labels(self) -> None:
        self.window.panels.build_labels()
        # With a label selected in the list, Enter creates the segment.
        self.window.table.bind("segment.commit", self.window.panels.labels.list)

    def _build_timeline(self) -> None:
        from annotator.ui.timeline.sync import TimelineSync
        from annotator.ui.timeline.view import TimelineView

        self.window.timeline = TimelineView(self.window.desk.hub, self.window.desk.selection)
        self.window.timeline.set_words(self.window.desk.labels, self.window.desk.name_of)
        self._put_below(TIMELINE, self.window.timeline)
        self.window.table.bind_canvas([self.window.timeline])
        # Whether there is sound decides on the lanes.
        self._build_sound_rows()
        TimelineSync(self.window.desk, self.window.timeline).show_stage()
        self.window.keeper.take_timeline(self.window.timeline)
        self.window.timeline.contextMenuAt.connect(self.window.show_object_menu)
        self.window.timeline.seekRequested.connect(self.window.playback.on_seek_requested)
        self.window.timeline.rangeSelected.connect(self.window.desk.set_range)
        self.window.table.on("view.fold-points", self.window.timeline.fold_selected)

    def _build_sound_rows(self) -> None:
        from annotator.ui.timeline.sound_rows import SoundRows

        self.window.sound_rows = SoundRows(
            self.window.desk, self.window.table, self.window.timeline
        )

    def _build_objects(self) -> None:
        from annotator.ui.commands.objects import ObjectActions

        self.window.panels.build_objects()
        self.window.object_actions = ObjectActions(
            self.window.desk,
            self.window.table,
            self.window.canvas,
            self.window.objects,
            self.window.playback,
        )
        self.window.objects.contextMenuAt.connect(self.window.show_object_menu)

    def _build_tasks(self) -> None:
        self.window.panels.build_tasks()
        self.window.projects.take_tasks(self.window.tasks)
        self.window.task_actions.take_tasks(self.window.tasks)

    def _build_inspector(self) -> None:
        self.window.panels.build_inspector()
        self.window.inspector.occludedToggled.connect(self.window.object_actions.toggle_occluded)
        self.window.inspector.outsideToggled.connect(self.window.object_actions.toggle_outside)

    def _build_proposal_actions(self) -> None:
        from annotator.ui.commands.proposals import ProposalActions

        self.window.proposal_actions = ProposalActions(
            self.window.desk, self.window.table, self.window.canvas, self.window.playback
        )

    def _build_point_actions(self) -> None:
        from annotator.ui.commands.points import PointActions

        self.window.point_actions = PointActions(
            self.window.desk, self.window.table, self.window.canvas, self.window.playback
        )

    def _build_segment_actions(self) -> None:
        from annotator.ui.commands.segments import SegmentActions

        self.window.segment_actions = SegmentActions(
            self.window.desk, self.window.table, self.window.router, self.window.playback
        )
        self.window.timeline.rangeDrawn.connect(self.window.segment_actions.draw)

    def _build_card(self) -> None:
        self.window.card = self.window.panels.connect_work(
            self.window.playback, self.window.segment_actions.slots, self.window.table.keymap
        )
        self.window.card.visibleToggled.connect(self.window.segment_actions.toggle_visible)

    def _build_curves(self) -> None:
        from annotator.ui.points.curves import CurvesPanel

        self.window.curves = CurvesPanel(self.window.desk, self.window.timeline)
        self._put_below(CURVES, self.window.curves)
        self.window.curves.seekRequested.connect(self.window.playback.on_seek_requested)
        self.window.show_curves()

    def _connect_start(self, start: StartPage) -> None:
        actions = self.window.task_actions
        start.openWanted.connect(actions.open_or_say)
        start.lookWanted.connect(actions.look_or_say)
        start.nextWanted.connect(actions.claim_next_or_say)
        start.chooseWanted.connect(actions.choose)
        start.decideWanted.connect(partial(self.window.table.run, "lead.board"))
        actions.opened.connect(self.window.canvas.setFocus)

    def _build_rater(self) -> None:
        from annotator.ui.work.rater import Rater

        self.window.rater = Rater(self.window)

    def _build_review(self) -> None:
        from annotator.ui.review.actions import ReviewActions
        from annotator.ui.review.comment_actions import CommentActions
        from annotator.ui.review.verdicts import Verdicts

        window, docks = self.window, self.window.people_docks
        window.review_actions = ReviewActions(
            window.desk, window.table, window.canvas, window.panes, window.playback
        )
        window.comment_actions = CommentActions(
            window.desk, window.table, window.canvas, window.playback
        )
        reviewing = window.review_actions.reviewing
        reviewing.changed.connect(window.refresh_soon)
        handed_in = window.task_actions.handed_in
        window.verdicts = Verdicts(
            window.desk, window.table, reviewing, window.playback, handed_in, window
        )
        window.task_actions.take_verdicts(window.verdicts)
        comments, changes = window.comment_actions.panel, window.review_actions.panel
        docks.add("changes", self.tr("Changes"), changes, beside="objects")
        docks.add("comments", self.tr("Comments"), comments, beside="inspector")

    def _build_questions(self) -> None:
        from annotator.ui.forms.question_actions import QuestionActions

        window = self.window
        window.questions = QuestionActions(window)
        window.task_actions.take_questions(window.questions.asking)

    def _build_lead(self) -> None:
        from annotator.ui.commands.lead import LeadActions

        window = self.window
        window.lead_actions = LeadActions(
            window.desk,
            window.table,
            window,
            window.projects,
            window.playback.seek,
            window.questions.surroundings,
        )
        window.lead_actions.predictionWanted.connect(window.review_actions.show_prediction)

    def _build_help(self) -> None:
        from annotator.ui.commands.help import HelpActions
        from annotator.ui.shell.drops import Drops

        projects = self.window.projects
        Drops(
            self.window,
            open_project=projects.open_file,
            add_videos=projects.add_dropped,
            import_file=projects.import_file,
        )
        self.window.help_actions = HelpActions(
            self.window.desk, self.window.table, self.window.router, self.window
        )

    def _fill_menus(self) -> None:
        added = {
            "File": self.window.projects.add_recent_menu,
            "Playback": self.window.sound_rows.menu.add_to,
            "View": self.window.panels.add_to,
        }
        self.window.table.fill(added)

    def _build_people(self) -> None:
        """Put up what only a project with people has; each part announces its own docks first."""
        self.window.people_docks.build(self.window.table.menu("View"))

    def _build_status(self) -> None:
        from annotator.ui.bars.status_line import StatusLine

        self.window.status = StatusLine(self.window.desk, self.window.statusBar())

    def _put_below(self, row: int, widget: QWidget) -> None:
        """Give a widget the place that was kept for it."""
        place, self.below[row] = self.below[row], widget
        is_hidden = place.isHidden()
        splitter, room = self.window.splitter, self.window.pages.size()
        sizes = splitter.sizes()
        if not splitter.isVisible():
            # Behind the first page it has not got its size yet, and would grow by the picture only.
            splitter.resize(room)
            sizes = [size * room.height() // max(1, sum(sizes)) for size in sizes]
        splitter.replaceWidget(splitter.indexOf(place), widget)
        widget.setHidden(is_hidden)
        # The picture keeps its size, whatever the newcomer would like to have.
        splitter.setSizes(sizes)
        place.deleteLater()


def _import_step(module: str) -> Step:
    """Return the first import of what a large part stands on: a step of its own."""
    return f"import {module}", partial(import_module, module)
