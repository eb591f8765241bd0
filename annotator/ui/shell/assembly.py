"""Builds a window: first the parts a picture needs, then the rest in steps.

Each feature has its step; one that is new gets a ``_build_…`` of its own and a line in ``plan``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QToolBar, QToolButton, QWidget

from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS
from annotator.ui.actions.tool_bar import ActionToolBar
from annotator.ui.look.widgets import dropped_files
from annotator.ui.shell import window_places
from annotator.ui.shell.context import Context, make_context
from annotator.ui.shell.first_window import Opening
from annotator.ui.shell.idle_docks import IdleDocks
from annotator.ui.shell.pages import Pages, ProjectThumbnails
from annotator.ui.shell.staged_start import Staging

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.ui.actions.key_router import KeyRouter
    from annotator.ui.bars.status_line import StatusLine
    from annotator.ui.bars.transport import TransportBar
    from annotator.ui.commands.help_actions import HelpActions
    from annotator.ui.commands.lead_actions import LeadActions
    from annotator.ui.commands.object_actions import ObjectActions
    from annotator.ui.commands.point_actions import PointActions
    from annotator.ui.commands.proposal_actions import ProposalActions
    from annotator.ui.commands.segment_actions import SegmentActions
    from annotator.ui.panels.segment_card import SegmentCard
    from annotator.ui.review.comment_actions import CommentActions
    from annotator.ui.review.review_actions import ReviewActions
    from annotator.ui.review.verdicts import Verdicts
    from annotator.ui.shell.question_actions import QuestionActions
    from annotator.ui.shell.rater_features import Rater
    from annotator.ui.shell.view_actions import ViewActions
    from annotator.ui.state.workspace import Workspace
    from annotator.ui.timeline.curves import CurvesPanel
    from annotator.ui.timeline.sound_rows import SoundRows
    from annotator.ui.timeline.timeline_view import TimelineView
    from annotator.ui.work.start_page import StartPage
    from annotator.ui.work.task_header import TaskHeader


_PROJECTS: Final = frozenset({".annot", ".work", ".annot-invite"})
_ANNOTATIONS: Final = frozenset({".json", ".pkl", ".pickle", ".csv"})


class Drops(QObject):
    """Reports files dropped onto a window, sorted by use."""

    def __init__(
        self,
        window: QWidget,
        *,
        open_project: Callable[[Path], object],
        add_videos: Callable[[list[Path]], object],
        import_file: Callable[[Path], object],
    ) -> None:
        super().__init__(window)
        self._open_project = open_project
        self._add_videos = add_videos
        self._import_file = import_file
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        dropped = dropped_files(event.mimeData())
        if not dropped:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() == QEvent.Type.Drop:
            # The program that the files come from waits until this returns.
            QTimer.singleShot(0, partial(self.take, dropped))
        return True

    def take(self, dropped: Sequence[Path]) -> None:
        """Use files that were dropped or given: one project is opened, videos are added."""
        projects = [p for p in dropped if p.suffix.lower() in _PROJECTS]
        annotations = [p for p in dropped if p.suffix.lower() in _ANNOTATIONS]
        videos = [p for p in dropped if p not in projects and p not in annotations]
        if projects:
            self._open_project(projects[0])
        if videos:
            self._add_videos(videos)
        for path in annotations:
            self._import_file(path)


_LOADED_FIRST: Final = (
    "annotator.ui.canvas.input.box_geometry",
    "annotator.ui.actions.table",
    "annotator.ui.canvas.canvas_view",
)
_LOADED_FOR_OBJECTS: Final = (
    "annotator.domain.commands.tracks",
    "annotator.ui.commands.object_actions",
    "annotator.ui.panels.objects_panel",
)
_LOADED_FOR_TIME: Final = (
    "annotator.domain.commands.segments",
    "annotator.domain.commands.points",
    "annotator.ui.timeline.lane_list",
    "annotator.ui.timeline.timeline_view",
    "annotator.ui.timeline.sound_rows",
)
_ON_STAGE: Final = ("sound", "thumbnails", "proposing")


Step: TypeAlias = tuple[str, Callable[[], object]]


class Assembly(QObject):
    """Creates and connects the parts and features of one window.

    Each attribute is there from its step on; ``context`` is the first.
    """

    context: Context
    views: ViewActions
    transport: TransportBar
    header: TaskHeader
    pages: Pages
    status: StatusLine
    timeline: TimelineView
    sound_rows: SoundRows
    curves: CurvesPanel
    card: SegmentCard
    object_actions: ObjectActions
    proposal_actions: ProposalActions
    point_actions: PointActions
    segment_actions: SegmentActions
    review_actions: ReviewActions
    comment_actions: CommentActions
    verdicts: Verdicts
    questions: QuestionActions
    rater: Rater
    lead_actions: LeadActions
    drops: Drops
    help_actions: HelpActions

    def __init__(
        self, frame: QMainWindow, staging: Staging, opening: Opening, *, remembers_place: bool
    ) -> None:
        super().__init__(frame)
        self._frame = frame
        self._staging = staging
        self._opening = opening
        self._remembers_place = remembers_place
        self.router: KeyRouter | None = None

    @property
    def awaits_picture(self) -> bool:
        """Whether a video is open without its first picture."""
        stage = self.context.workspace.stage if self.router is not None else None
        return stage is not None and stage.pictures is not None

    def begin(self, workspace: Workspace, project: Path | None = None) -> list[Step]:
        """Return the steps to all that is seen at once, in their order; they plan what comes after.

        A ``project`` is opened on the way, before its parts are seen.
        """
        steps: list[Step] = [
            *(_import_step(module) for module in _LOADED_FIRST),
            ("parts", partial(self._make_context, workspace)),
            ("views", self._build_views),
        ]
        if project is not None:
            steps += [
                ("size", lambda: self._opening.prepare(self.context.canvas)),
                ("project", partial(self._open, project)),
            ]
        return [
            *steps,
            ("transport", self._build_transport),
            ("tools", self._build_tools),
            ("places", self.lay_out),
            ("plan", self.plan),
        ]

    def close(self) -> None:
        """Save unfinished typing and positions, and end background work."""
        context = self.context
        self.questions.commit()
        self.questions.put_back()
        context.keeper.save()
        if self._remembers_place:
            idle = self._idle_docks
            idle.bring_back()
            window_places.save(context, idle.empty, idle.opened)
        context.panels.close()
        context.workspace.jobs.close()
        context.workspace.take_project(None)

    def _make_context(self, workspace: Workspace) -> None:
        self.context = make_context(workspace, self._frame)
        self.router = self.context.router

    def _build_views(self) -> None:
        from annotator.ui.shell.view_actions import ViewActions

        self.views = ViewActions(self.context)
        updates = self.context.updates
        updates.begin()
        self.context.tasks.fetching.changed.connect(updates.soon)
        updates.show_stage()

    def _open(self, project: Path) -> None:
        self.context.projects.open_path(project)
        self._opening.follow(self.context)

    # Building what comes first

    def lay_out(self) -> None:
        """Show the visible parts all at once, and reserve places for the others."""
        context, frame = self.context, self._frame
        middle, tasks = context.middle, context.tasks
        frame.setDockNestingEnabled(True)
        middle.lay_out(self.transport)
        self.pages = Pages(
            context.workspace, context.table, middle.splitter, tasks.shared, tasks.fetching
        )
        self.pages.startBuilt.connect(self._connect_start)
        self.pages.workEntered.connect(context.canvas.setFocus)
        self.pages.projectWanted.connect(context.projects.open_path)
        middle.show_pages(self.pages)
        frame.setCentralWidget(middle)
        # In a window on the screen Qt would show it later, and leave it no room beside the docks.
        middle.show()
        context.panels.lay_out(frame)
        for bar in self._bars:
            frame.addToolBar(bar)
        context.table.add_menus(frame.menuBar())
        self._build_status()
        if self._remembers_place:
            window_places.restore_parts(context)
            self.views.show_curves()
        is_known = self._remembers_place and window_places.is_known()
        hidden_before = window_places.idle_docks() if is_known else None
        self._idle_docks = IdleDocks(context.workspace, self.pages, frame, hidden_before)
        context.docks.take_idle(self._idle_docks)
        self._idle_docks.broughtBack.connect(context.docks.raise_dock)
        self._idle_docks.refresh()
        self._opening.hand_over(context)
        context.updates.refresh()

    def _build_tools(self) -> None:
        from annotator.ui.work.task_header import TaskHeader

        # A bar of its own: where there is little room the tools go into the menu at their end,
        # and Submit stays.
        right = QToolBar(self.tr("Task"), self._frame)
        right.setObjectName("task")
        right.setMovable(False)
        self.header = TaskHeader(self.context.workspace, self.context.table)
        right.addWidget(self.header)
        self._tool_bar = ActionToolBar(self._frame, self.context.table)
        self.context.workspace.stageChanged.connect(self._fit_to_task)
        self._fit_to_task()
        self._bars = (self._tool_bar, right)

    @Slot()
    def _fit_to_task(self) -> None:
        """Show the tools of the task, and a picture where it has one."""
        session = self.context.workspace.session
        self._tool_bar.fit(session.tools if session is not None else ALL_TOOLS)
        self.context.middle.give_room(
            has_picture=session is None or self.context.workspace.has_picture
        )

    def _build_transport(self) -> None:
        from annotator.ui.bars.transport import TransportBar

        self.transport = TransportBar(self.context.workspace, self.context.table)
        self.transport.frameWanted.connect(self.context.playback.seek)
        self.transport.speedWanted.connect(self.context.playback.set_speed)
        self.transport.volumeWanted.connect(self.context.playback.set_volume)
        # The next key is for the picture again.
        self.transport.frame.lineEdit().returnPressed.connect(self.context.canvas.setFocus)

    # Building what comes later

    def plan(self) -> None:
        """Leave the rest to the steps after the first picture."""
        panels = self.context.panels
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
            self._staging.add(name, step)
        self._staging.completed.connect(self.context.updates.complete)
        self._staging.completed.connect(self._give_keys)
        self.context.canvas.picturePainted.connect(self._staging.start)
        self.context.table.unknown.connect(self._supply)
        # Parts that are built later report the open task.
        self.context.table.before("task.submit", self._complete)

    def _give_keys(self) -> None:
        """Give the keyboard focus to the canvas, unless the person moved it meanwhile."""
        if self.context.workspace.stage is None:
            return
        now = self._frame.focusWidget()
        if now is None or isinstance(now, QToolButton):
            self.context.canvas.setFocus()

    def _supply(self, action_id: str) -> None:
        """Build the parts that a requested action needs."""
        unhandled = self.context.table.unhandled
        self._staging.run_until(lambda: bool(action_id) and action_id not in unhandled())

    def _complete(self) -> bool:
        self._staging.finish()
        return False

    def _build_on_stage(self, name: str) -> None:
        stage = self.context.workspace.stage
        if stage is None:
            # Nobody has signed in yet, or a video is still being read: what is opened from now on
            # comes too late for these steps and builds all of it at once.
            self.context.workspace.puts_off = False
            return
        known = len(stage.notices)
        stage.build(name)
        for text in stage.notices[known:]:
            self.context.banners.add("info", text, is_of_video=True)
        if name == "proposing" and stage.proposing is not None:
            self.status.watch_tracking()

    def _build_labels(self) -> None:
        self.context.panels.build_labels()
        # With a label selected in the list, Enter creates the segment.
        self.context.table.bind("segment.commit", self.context.panels.labels.list)

    def _build_timeline(self) -> None:
        from annotator.ui.timeline.sync import TimelineSync
        from annotator.ui.timeline.timeline_view import TimelineView

        self.timeline = TimelineView(self.context.workspace.hub, self.context.workspace.selection)
        self.timeline.lanes.set_words(self.context.workspace.labels, self.context.workspace.name_of)
        self.context.middle.put_timeline(self.timeline)
        self.context.table.bind_canvas([self.timeline])
        # Whether there is sound decides on the lanes.
        self._build_sound_rows()
        TimelineSync(self.context.workspace, self.timeline).show_stage()
        self.context.keeper.take_timeline(self.timeline)
        self.timeline.contextMenuAt.connect(self.views.show_menu)
        self.timeline.seekRequested.connect(self.context.playback.on_seek_requested)
        self.timeline.rangeSelected.connect(self.context.workspace.set_range)
        self.context.table.on("view.fold-points", self.timeline.lanes.fold_selected)

    def _build_sound_rows(self) -> None:
        from annotator.ui.timeline.sound_rows import SoundRows

        self.sound_rows = SoundRows(self.context.workspace, self.context.table, self.timeline)

    def _build_objects(self) -> None:
        from annotator.ui.commands.object_actions import ObjectActions

        self.context.panels.build_objects()
        self.object_actions = ObjectActions(
            self.context.workspace,
            self.context.table,
            self.context.canvas,
            self.context.panels.objects,
            self.context.playback,
        )
        self.context.panels.objects.contextMenuAt.connect(self.views.show_menu)

    def _build_tasks(self) -> None:
        self.context.panels.build_tasks()
        self.context.projects.take_tasks(self.context.panels.tasks)
        self.context.tasks.take_tasks(self.context.panels.tasks)
        # Videos may have been added.
        self.context.panels.tasks.reloaded.connect(self._idle_docks.refresh)

    def _build_inspector(self) -> None:
        self.context.panels.build_inspector()
        self.context.panels.inspector.name.returnPressed.connect(self.context.canvas.setFocus)
        self.context.panels.inspector.occludedToggled.connect(self.object_actions.toggle_occluded)
        self.context.panels.inspector.outsideToggled.connect(self.object_actions.toggle_outside)

    def _build_proposal_actions(self) -> None:
        from annotator.ui.commands.proposal_actions import ProposalActions

        self.proposal_actions = ProposalActions(
            self.context.workspace, self.context.table, self.context.canvas, self.context.playback
        )

    def _build_point_actions(self) -> None:
        from annotator.ui.commands.point_actions import PointActions

        self.point_actions = PointActions(
            self.context.workspace, self.context.table, self.context.canvas, self.context.playback
        )
        self.context.updates.refreshed.connect(self.point_actions.refresh)

    def _build_segment_actions(self) -> None:
        from annotator.ui.commands.segment_actions import SegmentActions

        self.segment_actions = SegmentActions(
            self.context.workspace, self.context.table, self.context.router, self.context.playback
        )
        self.timeline.rangeDrawn.connect(self.segment_actions.draw)

    def _build_card(self) -> None:
        self.card = self.context.panels.connect_work(
            self.context.playback, self.segment_actions.slots, self.context.table
        )
        self.card.visibleToggled.connect(self.segment_actions.toggle_visible)

    def _build_curves(self) -> None:
        from annotator.ui.timeline.curves import CurvesPanel

        self.curves = CurvesPanel(self.context.workspace, self.timeline)
        self.context.middle.put_curves(self.curves)
        self.curves.seekRequested.connect(self.context.playback.on_seek_requested)
        self.views.show_curves()

    def _connect_start(self, start: StartPage) -> None:
        actions = self.context.tasks
        start.openWanted.connect(actions.open_task_or_explain)
        start.lookWanted.connect(actions.open_submission_read_only)
        start.nextWanted.connect(actions.claim_next_task)
        start.chooseWanted.connect(actions.choose)
        start.decideWanted.connect(partial(self.context.table.run, "lead.board"))
        actions.opened.connect(self.context.canvas.setFocus)

    def _build_rater(self) -> None:
        from annotator.ui.shell.rater_features import Rater

        self.rater = Rater(self.context)
        self.rater.referenceWanted.connect(self._show_reference)
        self.rater.secondsCounted.connect(self.header.set_seconds)

    def _show_reference(self, title: str, document: Document) -> None:
        """Compare the open task with its reference; what shows that is built later than this."""
        self.review_actions.show_prediction(title, document)

    def _build_review(self) -> None:
        from annotator.ui.review.comment_actions import CommentActions
        from annotator.ui.review.review_actions import ReviewActions
        from annotator.ui.review.verdicts import Verdicts

        context, docks = self.context, self.context.docks
        workspace, table, canvas = context.workspace, context.table, context.canvas
        playback = context.playback
        self.review_actions = ReviewActions(
            workspace, table, canvas, context.middle.panes, playback
        )
        self.comment_actions = CommentActions(workspace, table, canvas, playback)
        reviewing = self.review_actions.reviewing
        reviewing.changed.connect(context.updates.soon)
        reviewing.changed.connect(self._idle_docks.fit_contents)
        show_next = context.tasks.show_next
        self.verdicts = Verdicts(workspace, table, reviewing, playback, show_next, self._frame)
        context.tasks.take_verdicts(self.verdicts)
        comments, changes = self.comment_actions.panel, self.review_actions.panel
        docks.add("changes", self.tr("Changes"), changes, beside="objects")
        docks.add("comments", self.tr("Comments"), comments, beside="inspector")

    def _build_questions(self) -> None:
        from annotator.ui.shell.question_actions import QuestionActions

        self.questions = QuestionActions(self.context, self._staging, self.timeline)
        self.context.tasks.take_questions(self.questions.asking)
        # They have put back the docks of the task before.
        self.questions.asking.opened.connect(self._idle_docks.refresh)

    def _build_lead(self) -> None:
        from annotator.ui.commands.lead_actions import LeadActions

        context = self.context
        self.lead_actions = LeadActions(
            context.workspace,
            context.table,
            self._frame,
            context.projects,
            context.playback.seek,
            self.questions.surroundings,
        )
        self.lead_actions.predictionWanted.connect(self.review_actions.show_prediction)

    def _build_help(self) -> None:
        from annotator.ui.commands.help_actions import HelpActions

        # Of all windows and dialogs; drawing it before would delay the first picture.
        icon = self.context.workspace.hub.theme.icon("annotator", size=64)
        QApplication.setWindowIcon(icon)
        projects = self.context.projects
        self.drops = Drops(
            self._frame,
            open_project=projects.open_file,
            add_videos=projects.add_dropped,
            import_file=projects.import_file,
        )
        ProjectThumbnails(self.context.workspace, self.context.canvas)
        self.help_actions = HelpActions(
            self.context.workspace, self.context.table, self.context.router, self._frame
        )

    def _fill_menus(self) -> None:
        added = {
            "File": self.context.projects.add_recent_menu,
            "Playback": self.sound_rows.menu.add_to,
            "View": self.context.panels.add_to,
        }
        self.context.table.fill(added)

    def _build_people(self) -> None:
        """Put up what only a project with people has; each part announces its own docks first."""
        self.context.docks.build(self.context.table.menu("View"))

    def _build_status(self) -> None:
        from annotator.ui.bars.status_line import StatusLine

        self.status = StatusLine(self.context.workspace, self._frame.statusBar())
        self.context.updates.refreshed.connect(self._say_summary)

    @Slot()
    def _say_summary(self) -> None:
        session = self.context.workspace.session
        has_boxes = session is None or session.has_tool(Tool.BOXES)
        is_open = self.context.workspace.stage is not None
        self.status.say(self.context.canvas.summary(has_boxes=has_boxes) if is_open else "")


def _import_step(module: str) -> Step:
    """Return the first import of what a large part stands on: a step of its own."""
    return f"import {module}", partial(import_module, module)
