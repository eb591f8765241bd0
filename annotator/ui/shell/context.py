"""The context of the features of a window: each gets this instead of the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from annotator.ui.actions.key_router import KeyRouter
    from annotator.ui.actions.table import ActionTable
    from annotator.ui.bars.banners import Banners
    from annotator.ui.canvas.canvas_view import CanvasView
    from annotator.ui.commands.playback_actions import Playback
    from annotator.ui.commands.project_actions import ProjectActions
    from annotator.ui.shell.middle import Middle
    from annotator.ui.shell.side_panels import SidePanels
    from annotator.ui.shell.updates import Updates
    from annotator.ui.shell.view_keeper import ViewKeeper
    from annotator.ui.state.desk import Desk
    from annotator.ui.work.people_docks import PeopleDocks
    from annotator.ui.work.task_actions import TaskActions


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of a window that are there before its features.

    ``frame`` is where docks, tool bars and dialogs belong.
    """

    frame: QMainWindow
    desk: Desk
    table: ActionTable
    router: KeyRouter
    canvas: CanvasView
    playback: Playback
    projects: ProjectActions
    tasks: TaskActions
    panels: SidePanels
    docks: PeopleDocks
    middle: Middle
    keeper: ViewKeeper
    updates: Updates

    @property
    def banners(self) -> Banners:
        return self.middle.banners


def make_context(desk: Desk, frame: QMainWindow) -> Context:
    """Make the parts, still without a place; `Assembly` puts them up."""
    from annotator.ui.actions.key_router import KeyRouter
    from annotator.ui.actions.keymap import Keymap
    from annotator.ui.actions.table import ActionTable
    from annotator.ui.canvas.canvas_view import CanvasView
    from annotator.ui.commands.playback_actions import Playback
    from annotator.ui.commands.project_actions import ProjectActions
    from annotator.ui.shell.middle import Middle
    from annotator.ui.shell.side_panels import SidePanels
    from annotator.ui.shell.updates import Updates
    from annotator.ui.shell.view_keeper import ViewKeeper
    from annotator.ui.work.people_docks import PeopleDocks
    from annotator.ui.work.task_actions import TaskActions

    desk.setParent(frame)
    keymap = Keymap(desk.settings.text("keys.preset"), desk.settings.bindings)
    table = ActionTable(frame, desk.hub, keymap)
    router = KeyRouter(table, is_by_place=desk.settings.flag("keys.by_place"))
    canvas = CanvasView(desk.hub, desk.selection)
    panels, docks = SidePanels(desk), PeopleDocks(desk, frame)
    middle = Middle(desk, canvas)
    playback = Playback(desk, canvas, table, router.is_held)
    projects = ProjectActions(desk, table, frame)
    keeper = ViewKeeper(desk, canvas, playback)
    projects.opened.connect(keeper.restore)
    tasks = TaskActions(desk, table, keeper, frame)
    updates = Updates(desk, table, frame, middle, keeper)
    return Context(
        frame,
        desk,
        table,
        router,
        canvas,
        playback,
        projects,
        tasks,
        panels,
        docks,
        middle,
        keeper,
        updates,
    )
